//! Parts of what a function leaves behind that each have to be decided: what the nodes of a monitor stand for.
//!
//! One exploration decides all of them. On each pair of paths those that a difference is not known of are one question;
//! an answer shows some of them to differ, and the rest is asked again. So the number of questions follows the number
//! of pairs and of parts that differ, and not their product.

use super::Question;
use super::concern::{self, ConcernedBytes};
use crate::subject::Subject;
use incise_change::Impact;
use incise_exec::{Assignment, ExploreError, FullExploration, Given, Hooks, Outcome, Session};
use incise_relate::{Concerned, Leaf, Party, Relation, Seen};
use std::collections::BTreeSet;

/// The parts that are watched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Watched {
    /// The symbols of the global variables that they are, or belong to.
    pub symbols: BTreeSet<String>,
    /// Their names in C.
    pub names: BTreeSet<String>,
    /// Whether some are behind pointers.
    pub memory: bool,
    /// Whether the result is one of them.
    pub result: bool,
}

impl Watched {
    /// Everything that is watched, as if all of it were concerned. Calls are: their results are taken to be alike.
    pub(super) fn concerned(&self) -> Concerned {
        let globals = Some(self.symbols.clone());
        Concerned { result: self.result, globals, memory: self.memory, output: true }
    }

    /// Leaves of what a change concerns only what is watched.
    pub(super) fn narrow(&self, observed: &mut Concerned) {
        observed.result &= self.result;
        observed.memory &= self.memory;
        observed.globals = Some(match &observed.globals {
            Some(named) => named.intersection(&self.symbols).cloned().collect(),
            None => self.symbols.clone(),
        });
    }

    /// Whether a part that may differ is one of them, holds one, or belongs to one.
    pub(super) fn looks_at(&self, seen: Seen, name: &str) -> bool {
        match seen {
            Seen::Result => self.result,
            Seen::Global | Seen::Memory => self.names.iter().any(|each| Self::is_about(name, each)),
            Seen::Output | Seen::ErrorOutput | Seen::File | Seen::Status | Seen::Call => false,
        }
    }

    /// Whether a part is what is watched, a piece of it, or has it as a piece. Unions are compared byte by byte.
    pub fn is_about(part: &str, watched: &str) -> bool {
        let part = match part.strip_prefix("((unsigned char *)&") {
            Some(bytes) => bytes.rsplit_once(")[").map_or(bytes, |(name, _)| name),
            None => part,
        };
        let (part, watched) = (part.trim_start_matches('*'), watched.trim_start_matches('*'));
        let within = |inner: &str, outer: &str| {
            let rest = inner.strip_prefix(outer);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '-']))
        };
        within(part, watched) || within(watched, part)
    }
}

/// What is left behind otherwise on an input that is given element by element: the names of the parts, or `None` if it
/// cannot be told, or a version does not come to its end.
pub fn differing_on(
    question: &Question<'_>,
    hooks: &Hooks<'_>,
    given: Given,
) -> Result<Option<Vec<String>>, ExploreError> {
    let mut session = Session::new(question.new.1, &hooks.interrupt).with_time_of(question.new.1);
    let (mut leading, mut following) = (FullExploration, FullExploration);
    let new = Party { program: question.new.0, config: question.new.1, strategy: &mut leading };
    let old = Party { program: question.old.0, config: question.old.1, strategy: &mut following };
    let (mut relation, pair) = Relation::trace(&mut session, new, old, hooks, &Assignment::given(given))?;
    let Some(mut pair) = pair else { return Ok(None) };
    let ends = [&pair.leading, &pair.following].map(|end| end.outcome == Outcome::Returned);
    if ends != [true, true] {
        return Ok(None);
    }
    let compared = relation.compare(&mut session, &mut pair, question.visible, &Concerned::everything());
    let mut differs =
        |leaf: &Leaf| session.holds(leaf.differs, &pair.assignment) && leaf.leading != leaf.following;
    Ok(Some(compared.leaves.iter().filter(|leaf| differs(leaf)).map(|leaf| leaf.name.clone()).collect()))
}

/// What a change can concern of what a function leaves behind; the rest is the same wherever both versions return.
pub fn concerned(old: &Subject<'_>, new: &Subject<'_>, impact: &Impact<'_>) -> Concerned {
    concern::observed(old, new, impact)
}

/// Which bytes these are of the global variables, in OLD and in NEW.
pub fn concerned_bytes(
    old: &Subject<'_>,
    new: &Subject<'_>,
    impact: &Impact<'_>,
) -> (ConcernedBytes, ConcernedBytes) {
    concern::bytes(old, new, impact)
}
