//! What of two versions has to be looked at: the observations that the change can concern, and the branches that have
//! an influence on them.
//!
//! An observation is concerned if an *unsteady* statement of either version writes it (`same_decisions.rs`: the change
//! has an influence on what is computed there, or on whether). Everything else is the same in both. All that writes a
//! concerned observation, in either version and steady or not, is then a value that matters, and the slice of each
//! version is closed backwards from there. A branch outside of it need not be explored: whichever way an input goes
//! there, what is compared does not notice.
//!
//! So the three traps are avoided: an observation that an unaffected branch decides (the branch is in the slice of the
//! observation), a dependence that only the old version has (each version has a slice of its own), and unaffected
//! constraints that narrow the question (what was merely followed is no part of it).

use super::changes::{CameBy, Changes};
use super::watched::Watched;
use crate::same_decisions::Steadiness;
use crate::slice::Slice;
use crate::subject::{Statement, Subject};
use crate::wanted::Wanted;
use incise_change::{Base, Impact, NodeKind};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use incise_ir::SourcePosition;
use incise_relate::Concerned;
use std::collections::{BTreeMap, BTreeSet};

/// What has to be looked at.
pub(super) struct Concern {
    pub(super) observed: Concerned,
    pub(super) old: Slice,
    pub(super) new: Slice,
}

impl Concern {
    /// With `watched`, only these count.
    pub(super) fn new(
        old: &Subject<'_>,
        new: &Subject<'_>,
        impact: &Impact<'_>,
        watched: Option<&Watched>,
    ) -> Self {
        let mut observed = observed(old, new, impact);
        if let Some(watched) = watched {
            watched.narrow(&mut observed);
        }
        let slice = |subject: &Subject<'_>| Slice::of_values(subject, writers(subject, &observed));
        let (old, new) = (slice(old), slice(new));
        Self { observed, old, new }
    }
}

/// The observations that the change can concern.
pub(super) fn observed(old: &Subject<'_>, new: &Subject<'_>, impact: &Impact<'_>) -> Concerned {
    let steadiness = Steadiness::new(new, old, impact);
    let mut observed =
        Concerned { result: false, globals: Some(BTreeSet::new()), memory: false, output: false };
    add(&mut observed, old, |at| steadiness.was_unsteady(at));
    add(&mut observed, new, |at| steadiness.is_unsteady(at));
    // What is in memory may be behind the result, which is the same pointer as before; and a large struct is returned
    // through memory that the caller gives.
    observed.result |= observed.memory;
    observed
}

/// The bytes of global variables that the change can concern, in one version: all of a variable without a list.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ConcernedBytes {
    /// By symbol, from the first byte to one past the last.
    globals: BTreeMap<String, Option<Vec<(u64, u64)>>>,
}

impl ConcernedBytes {
    /// Whether some of the bytes of a variable are among them.
    pub fn overlap(&self, symbol: &str, (start, end): (u64, u64)) -> bool {
        match self.globals.get(symbol) {
            None => false,
            Some(None) => true,
            Some(Some(ranges)) => ranges.iter().any(|&(from, to)| from < end && start < to),
        }
    }

    fn add(&mut self, symbol: &str, range: Option<(u64, u64)>) {
        let known = self.globals.entry(symbol.to_owned()).or_insert_with(|| Some(Vec::new()));
        match (range, known.as_mut()) {
            (Some(range), Some(ranges)) => {
                if !ranges.contains(&range) {
                    ranges.push(range);
                }
            }
            _ => *known = None,
        }
    }

    fn of(subject: &Subject<'_>, unsteady: impl Fn(Statement) -> bool) -> Self {
        let mut bytes = Self::default();
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids().filter(|&node| unsteady((function, node))) {
                for place in &facts.dependence.footprint(node).own_writes {
                    if let Base::Global(global) = place.base {
                        bytes.add(&subject.program.globals[global].name, place.range);
                    }
                }
            }
        }
        bytes
    }
}

/// The bytes of global variables that the change can concern, in the old version and in the new one. It is for where
/// [`observed`] names the variables.
pub(super) fn bytes(
    old: &Subject<'_>,
    new: &Subject<'_>,
    impact: &Impact<'_>,
) -> (ConcernedBytes, ConcernedBytes) {
    let steadiness = Steadiness::new(new, old, impact);
    (
        ConcernedBytes::of(old, |at| steadiness.was_unsteady(at)),
        ConcernedBytes::of(new, |at| steadiness.is_unsteady(at)),
    )
}

/// Whether a statement calls what is not looked into: output comes from there.
fn calls_out(subject: &Subject<'_>, (function, node): Statement) -> bool {
    let footprint = subject.facts(function).dependence.footprint(node);
    let outside = |callee: &incise_ir::FunctionId| !subject.scope.functions.contains_key(callee);
    footprint.calls_unknown || footprint.calls.iter().any(outside)
}

/// Adds what unsteady statements of a version write.
fn add(observed: &mut Concerned, subject: &Subject<'_>, unsteady: impl Fn(Statement) -> bool) {
    for (&function, facts) in &subject.scope.functions {
        for node in facts.graph.ids().filter(|&node| unsteady((function, node))) {
            let returns = facts.graph.node(node).kind == NodeKind::Return;
            observed.result |= returns && function == subject.entry;
            observed.output |= calls_out(subject, (function, node));
            // What is written in functions that are in scope is told by their own statements.
            for place in &facts.dependence.footprint(node).own_writes {
                match place.base {
                    Base::Result(_) | Base::Local(_) => {}
                    Base::Global(global) => {
                        if let Some(named) = &mut observed.globals {
                            named.insert(subject.program.globals[global].name.clone());
                        }
                    }
                    Base::Pointee(_)
                    | Base::Object(_)
                    | Base::Objects(_)
                    | Base::Outside
                    | Base::Memory
                    | Base::Everything => {
                        observed.memory = true;
                        observed.globals = None;
                    }
                }
            }
        }
    }
}

/// The statements of a version that write something observed, and what of that is observed.
fn writers(subject: &Subject<'_>, observed: &Concerned) -> Vec<(Statement, Wanted)> {
    let wanted = Wanted::of_observed(subject, observed);
    let mut found = Vec::new();
    for (&function, facts) in &subject.scope.functions {
        for node in facts.graph.ids() {
            let returns = facts.graph.node(node).kind == NodeKind::Return && function == subject.entry;
            let writes = facts.dependence.footprint(node).writes.iter().any(|place| match place.base {
                Base::Result(_) => false,
                // The address of a local variable may be what another pointer leads to.
                Base::Local(_) => observed.memory,
                Base::Global(global) => {
                    let named = &observed.globals;
                    named.as_ref().is_none_or(|named| named.contains(&subject.program.globals[global].name))
                }
                _ => observed.memory || observed.globals.as_ref().is_none_or(|named| !named.is_empty()),
            });
            let output = observed.output && calls_out(subject, (function, node));
            if (returns && observed.result) || writes || output {
                found.push(((function, node), wanted.clone()));
            }
        }
    }
    found
}

/// Explores what is in a slice of the old version, or all of it, and tells which changes paths come by.
pub(super) struct Follower<'a> {
    changes: Changes<'a>,
    slice: Option<&'a Slice>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, slice: Option<&'a Slice>) -> Self {
        Self { changes: Changes::new(subject, |_| {}), slice }
    }

    /// The changes that no path which was compared came by, and that one could have come by.
    pub(super) fn unmet(
        &self,
        came_by: &CameBy,
        by_cuts: bool,
        allocations_fail: bool,
    ) -> BTreeMap<u32, Option<SourcePosition>> {
        self.changes.unmet(came_by, by_cuts, allocations_fail)
    }

    /// The changed statements that only paths on inputs that were left out came to, or could have.
    pub(super) fn hidden(&self, came_by: &CameBy) -> BTreeMap<u32, Option<SourcePosition>> {
        self.changes.hidden(came_by)
    }
}

impl Strategy for Follower<'_> {
    fn watches(&self) -> Watches {
        let mut watches = self.changes.events.watches(self.changes.subject);
        if let Some(slice) = self.slice {
            slice.follow(&mut watches, self.changes.subject);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, _stack: &Stack<'_>) -> Visit {
        self.changes.reached(note, point);
        Visit::Continue
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        self.changes.finished(note, end);
        true
    }
}
