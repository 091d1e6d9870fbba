//! The way of an input through one version: the branches that it takes, and the affected statements that it comes by.
//! Comparisons do without; reports show it.

use super::longer::given;
use super::{Judgement, Question};
use crate::record::Record;
use crate::subject::Subject;
use incise_exec::{Assignment, Config, Constraint, FullExploration, Hooks, Path, Session, Trace};
use incise_ir::{Program, SourcePosition};
use std::time::Duration;

/// What following an input is worth.
const TIME: Duration = Duration::from_secs(2);
const INSTRUCTIONS: u64 = 2_000_000;
/// As many inputs are followed: nobody reads of more.
const MOST: usize = 40;

/// The way of an input.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WitnessWay {
    /// What holds at its branches.
    pub branches: Vec<WitnessBranch>,
    /// The affected statements that it comes by, one for each visit.
    pub affected: Vec<SourcePosition>,
}

/// What holds at a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WitnessBranch {
    /// In C syntax.
    pub text: String,
    /// Where it is.
    pub position: Option<SourcePosition>,
    /// Whether it belongs to an affected statement.
    pub affected: bool,
}

/// Follows the witnesses of a judgement through both versions, errors that were introduced first. The way of several
/// threads is their schedule, which is known.
pub fn add_ways(question: &Question<'_>, hooks: &Hooks<'_>, judgement: &mut Judgement) {
    let introduced = judgement.introduced.iter_mut().map(|error| &mut error.witness);
    for witness in introduced
        .chain(&mut judgement.witnesses)
        .take(MOST)
        .filter(|each| !each.endless && each.only.is_none())
    {
        let (old, new) = (question.subjects.map(|both| both.0), question.subjects.map(|both| both.1));
        witness.ways =
            (way(question.old, old, hooks, &witness.old), way(question.new, new, hooks, &witness.new));
    }
}

/// Follows the inputs of a path through a program. `None` if they cannot be followed, or do not end there again: a
/// wrong way is worse than none.
fn way(
    (program, config): (&Program, &Config),
    subject: Option<&Subject<'_>>,
    hooks: &Hooks<'_>,
    path: &Path,
) -> Option<WitnessWay> {
    let mut config = config.clone();
    config.limits.time = config.limits.time.min(TIME);
    config.limits.instructions = config.limits.instructions.min(INSTRUCTIONS);
    let mut session = Session::new(&config, &hooks.interrupt).with_time_of(&config);
    let inputs = Assignment::given(given(path));
    let Some(subject) = subject else {
        let trace = session.trace(program, &config, hooks, &mut FullExploration, &inputs).ok()?;
        return Some(WitnessWay { branches: branches(trace, path)?.1, affected: Vec::new() });
    };
    let mut record = Record::new(subject);
    let trace = session.trace(program, &config, hooks, &mut record, &inputs).ok()?;
    let (note, branches) = branches(trace, path)?;
    let position = |(function, node)| {
        let location = subject.graph(function).node(node).location;
        location.map(|location| program.position(location))
    };
    let affected = record.sequence(note).into_iter().filter_map(position).collect();
    Some(WitnessWay { branches, affected })
}

/// The branches of a trace, if it ends as the path does.
fn branches(trace: Trace, path: &Path) -> Option<(incise_exec::Note, Vec<WitnessBranch>)> {
    let traced = trace.path?;
    let is_alike = traced.outcome.ends_alike(&path.outcome) && traced.returned == path.returned;
    is_alike.then(|| (traced.note, traced.condition.into_iter().map(branch).collect()))
}

fn branch(constraint: Constraint) -> WitnessBranch {
    let Constraint { text, position, marked, .. } = constraint;
    WitnessBranch { text, position, affected: marked }
}
