//! Keeps tests up to date: Makhdoom, Khan and Siddiqui, "Incremental Symbolic Execution for Automated Test Suite Maintenance" (ASE 2014).
//!
//! The tests of the old version go down the tree of paths of the new version together; `incise-exec` does that (`seeds.rs`). What is told here is where the change is met, what is affected, and
//! from where on the change can no longer be met: there the old tests stand for the paths, and nothing is executed.
//!
//! Where we differ from the paper: it takes a side that no test goes to for impossible if that was so in the old version. That is wrong after the change was met, because what the condition reads may have changed: `y = 0`
//! becomes `y = x`, and `if (y == 1)` is open. We take it for impossible only before that, or if the change has no influence on the condition (`steady.rs`) and no test goes there that agrees in
//! the conditions for which that is so. Its ranges of paths between two tests follow from what is explored; they do not steer it.

use crate::dise::MET;
use crate::slice::Slice;
use crate::steady::Steadiness;
use crate::subject::{Event, Events, Statement, Subject};
use incise_change::{Impact, NodeId, Target};
use incise_exec::{
    Config, End, ExploreError, Hooks, Note, Seed, Seeded, Stack, Strategy, Visit, Watches, explore_seeded,
};
use incise_ir::FunctionId;

/// Explores the new version with the tests of the old one. `old` and `new` are the entry in both versions, `impact` is that of the new one. `exhaustive` tells whether there is one for each path of the old version, explored with the same configuration.
///
/// The old version must have had the same functions of the library, and no path that an assumption cut: those leave no test.
pub fn explore_update(
    config: &Config,
    hooks: &Hooks<'_>,
    (old, new): (&Subject<'_>, &Subject<'_>),
    impact: &Impact<'_>,
    tests: &[Seed],
    exhaustive: bool,
) -> Result<Seeded, ExploreError> {
    let mut strategy = Update::new(new, Steadiness::new(new, old, impact));
    explore_seeded(new.program, config, hooks, &mut strategy, tests, exhaustive)
}

/// Whether a path met the change, by its note.
pub fn met(note: Note) -> bool {
    note & MET != 0
}

/// Explores every path, but for those on which the change cannot be met any more.
struct Update<'a> {
    subject: &'a Subject<'a>,
    slice: Slice,
    events: Events,
    steadiness: Steadiness,
    /// Whether functions may run after the entry returned, of which the statement graph of the entry does not tell.
    runs_more: bool,
}

impl<'a> Update<'a> {
    fn new(subject: &'a Subject<'a>, steadiness: Steadiness) -> Self {
        // Nothing is followed: of the slice only what lies ahead is of interest.
        let slice = Slice::towards(subject, Vec::new(), true);
        let mut events = Events::default();
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids().filter(|&node| subject.is_change((function, node))) {
                events.at(&facts.graph, node, Event::Node(node));
            }
            for gap in &facts.gaps {
                match gap.from {
                    None => {
                        if let Some((first, _)) = subject.function(function).instructions.iter().next() {
                            events.before(function, first, Event::Entered);
                        }
                    }
                    Some(node) if subject.is_condition((function, node)) => {
                        events.side((function, node), gap.side);
                    }
                    Some(node) => events.at(&facts.graph, node, Event::Side(node, gap.side)),
                }
            }
            for node in last_chances(subject, &slice, function) {
                events.at(&facts.graph, node, Event::Tail);
            }
        }
        let program = subject.program;
        let runs_more = !program.destructors.is_empty() || program.function_named("atexit").is_some();
        Self { subject, slice, events, steadiness, runs_more }
    }

    /// Whether a state that is at a statement can still meet the change.
    fn can_meet(&self, stack: &Stack<'_>) -> bool {
        let Some((function, node)) = self.statement(stack) else { return true };
        let context = self.subject.context_of(stack);
        // What runs before or after the entry is in none of its contexts.
        let inside = self.subject.context(context).function == function;
        !inside || self.runs_more || self.slice.can_meet(self.subject, context, Target::Node(node))
    }

    fn statement(&self, stack: &Stack<'_>) -> Option<Statement> {
        let frame = stack.frames().next()?;
        Some((frame.function, self.subject.owner(frame.function, frame.instruction)?))
    }
}

/// The statements from which on the change is not met in their function, but may be where control comes from.
pub(crate) fn last_chances(subject: &Subject<'_>, slice: &Slice, function: FunctionId) -> Vec<NodeId> {
    let graph = subject.graph(function);
    let ahead = |node: NodeId| slice.is_ahead((function, node));
    let mut found: Vec<NodeId> = graph.ids().take(1).filter(|&first| !ahead(first)).collect();
    for node in graph.ids().filter(|&node| ahead(node)) {
        let next = graph.successors(node).iter().filter_map(|target| target.node());
        found.extend(next.filter(|&next| !ahead(next)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl Strategy for Update<'_> {
    fn watches(&self) -> Watches {
        self.events.watches(self.subject)
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        let (function, events) = self.events.of(point);
        for event in events {
            match *event {
                Event::Node(_) | Event::Entered => *note |= MET,
                Event::Side(node, side) if self.subject.is_gap((function, node), side) => *note |= MET,
                _ => {}
            }
        }
        let tail = events.contains(&Event::Tail) && !self.departed(*note);
        match tail && !self.can_meet(stack) {
            true => Visit::Untouched,
            false => Visit::Continue,
        }
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.statement(stack).is_none_or(|at| self.steadiness.is_unsteady(at))
    }

    fn departed(&self, note: Note) -> bool {
        met(note)
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}
