//! Explores what a change affects, by one of the strategies, and says what each path has to do with the change.

use crate::dise::{Exact, FAILS, MET};
use crate::figure6::{Figure6, Row};
use crate::record::Record;
use crate::subject::{Statement, Subject};
use incise_exec::{Config, Exploration, ExploreError, Hooks, Note, Path, explore_with};
use incise_ir::Program;

/// How the affected paths are found.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// One path for each affected sequence that meets the change: [`crate::dise`].
    #[default]
    Exact,
    /// The algorithm that the paper prints: [`crate::figure6`].
    Paper,
    /// Every path.
    Full,
}

/// A path of the new version and what it has to do with the change.
#[derive(Clone, Debug)]
pub struct ChangedPath {
    /// The path.
    pub path: Path,
    /// The affected statements on it, in order.
    pub sequence: Vec<Statement>,
    /// Whether it meets the change.
    pub met: bool,
    /// Whether it ends because an affected statement fails.
    pub fails: bool,
    /// For each constraint of its condition, whether it comes from an affected statement.
    pub affected: Vec<bool>,
}

/// What a directed exploration found.
#[derive(Clone, Debug)]
pub struct Directed {
    /// Effort, limits, coverage; its paths are in `paths`.
    pub exploration: Exploration,
    /// Whether nothing was cut, unsupported, undecided or made concrete.
    pub complete: bool,
    /// The paths in the order of a depth-first search.
    pub paths: Vec<ChangedPath>,
    /// The paper's Table 1, if it was asked for.
    pub rows: Vec<Row>,
}

/// Explores the function that `config` names as entry.
pub fn explore_change(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    subject: &Subject<'_>,
    kind: Kind,
    trace: bool,
) -> Result<Directed, ExploreError> {
    let fails = |note| note & FAILS != 0;
    match kind {
        Kind::Exact => {
            let mut strategy = Exact::new(subject);
            let exploration = explore_with(program, config, hooks, &mut strategy)?;
            if exploration.diverged == 0 {
                return Ok(directed(exploration, |note| (strategy.sequence(note), note & MET != 0), fails));
            }
            // A branch that was left out had an influence after all: nothing is left out then.
            let mut strategy = Exact::new(subject).without_slice();
            let exploration = explore_with(program, config, hooks, &mut strategy)?;
            Ok(directed(exploration, |note| (strategy.sequence(note), note & MET != 0), fails))
        }
        Kind::Paper => {
            let mut strategy = Figure6::new(subject, trace);
            let mut exploration = explore_with(program, config, hooks, &mut strategy)?;
            exploration.paths.retain(|path| strategy.reports(path.note));
            let describe = |note| {
                let sequence = strategy.sequence(note);
                let met = sequence.iter().any(|&statement| subject.is_change(statement));
                (sequence, met)
            };
            let mut found = directed(exploration, describe, |_| false);
            found.rows = strategy.rows().to_vec();
            Ok(found)
        }
        Kind::Full => {
            let mut strategy = Record::new(subject);
            let exploration = explore_with(program, config, hooks, &mut strategy)?;
            Ok(directed(exploration, |note| (strategy.sequence(note), strategy.met(note)), fails))
        }
    }
}

fn directed(
    mut exploration: Exploration,
    describe: impl Fn(Note) -> (Vec<Statement>, bool),
    fails: impl Fn(Note) -> bool,
) -> Directed {
    let complete = exploration.complete();
    let paths = std::mem::take(&mut exploration.paths);
    let paths = paths
        .into_iter()
        .map(|path| {
            let (sequence, met) = describe(path.note);
            let affected = path.condition.iter().map(|constraint| constraint.marked).collect();
            let fails = fails(path.note);
            ChangedPath { path, sequence, met, fails, affected }
        })
        .collect();
    Directed { exploration, complete, paths, rows: Vec::new() }
}
