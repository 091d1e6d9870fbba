//! Keeps tests up to date: Makhdoom, Khan and Siddiqui, "Incremental Symbolic Execution for Automated Test Suite
//! Maintenance" (ASE 2014).
//!
//! The tests of the old version go down the tree of paths of the new version together; `incise-seeds` does that. What
//! is told here is where the change is met, and from where on it can no longer be met: there the old tests stand for
//! the paths, and nothing is executed.
//!
//! Where we differ from the paper: it takes a side that no test goes to for impossible if that was so in the old
//! version. That is wrong after the change was met, because what the condition reads may have changed: `y = 0` becomes
//! `y = x`, and `if (y == 1)` is open. We take it for impossible only before that, or if everything that the old
//! version decides speaks against it. Its ranges of paths between two tests follow from what is explored; they do not
//! steer it.

use crate::dise::MET;
use crate::subject::{Event, Events};
use incise_change::{Departing, Departures, Gap, NodeId, NodeKind, StatementGraph, Versions};
use incise_exec::{Config, End, ExploreError, Hooks, Note, Origin, Stack, Strategy, Visit, Watches};
use incise_ir::{FunctionId, Program};
use incise_seeds::{Seeded, Seeds, explore_seeded};
use std::sync::Arc;

/// Explores the new version with the tests of the old one. If they are said to be one for each path of a program, that
/// is the old version, and it must have had the same functions of the library.
pub fn explore_update(
    config: &Config,
    hooks: &Hooks<'_>,
    (old, new): (&Program, &Program),
    versions: &Versions,
    tests: &Seeds<'_>,
) -> Result<Seeded, ExploreError> {
    let Some(entry) = new.function_named(&config.entry) else {
        return Err(ExploreError::NoSuchEntry { name: config.entry.clone(), nearest: None });
    };
    let update = Update::new(new, Departures::new(old, new, versions, entry));
    explore_seeded(new, config, hooks, &update, met, tests)
}

/// Whether a path met the change, by its note.
pub fn met(note: Note) -> bool {
    note & MET != 0
}

/// Explores every path, but for those on which the change cannot be met any more. Copies share what they know.
#[derive(Clone)]
struct Update {
    known: Arc<UpdateFacts>,
}

struct UpdateFacts {
    departures: Departures,
    events: Events,
    /// Whether functions may run after the entry returned, of which the statements of the entry do not tell.
    runs_more: bool,
}

impl Update {
    fn new(program: &Program, departures: Departures) -> Self {
        let mut events = Events::default();
        for (&function, departing) in &departures.functions {
            let Departing { graph, changes, gaps, .. } = departing;
            for node in graph.ids().filter(|node| changes[node.index()]) {
                events.at(graph, node, Event::Node(node));
            }
            for gap in gaps {
                match gap.from {
                    None => {
                        if let Some((first, _)) = program.functions[function].instructions.iter().next() {
                            events.before(function, first, Event::Entered);
                        }
                    }
                    Some(node) if graph.node(node).kind == NodeKind::Condition => {
                        events.side((function, node), gap.side);
                    }
                    Some(node) => events.at(graph, node, Event::Side(node, gap.side)),
                }
            }
            for node in last_chances(graph, |node| departing.ahead[node.index()]) {
                events.at(graph, node, Event::Tail);
            }
        }
        let runs_more = !program.destructors.is_empty() || program.function_named("atexit").is_some();
        Self { known: Arc::new(UpdateFacts { departures, events, runs_more }) }
    }

    /// Whether a state can still meet the change. Functions that are not among those where it may be met do not lead to
    /// them.
    fn can_meet(&self, stack: &Stack<'_>) -> bool {
        self.known.runs_more || stack.frames().any(|frame| self.is_ahead(frame))
    }

    fn is_ahead(&self, Origin { function, instruction }: Origin) -> bool {
        let Some(departing) = self.known.departures.functions.get(&function) else { return true };
        let owner = departing.graph.owners.get(incise_ir::Id::index(instruction)).copied().flatten();
        owner.is_none_or(|node| departing.ahead[node.index()])
    }

    fn is_gap(&self, function: FunctionId, node: NodeId, side: usize) -> bool {
        let departing = self.known.departures.functions.get(&function);
        departing.is_some_and(|departing| departing.gaps.contains(&Gap { from: Some(node), side }))
    }
}

/// The statements from which on the change is not met in their function, but may be where control comes from.
pub(crate) fn last_chances(graph: &StatementGraph, is_ahead: impl Fn(&NodeId) -> bool) -> Vec<NodeId> {
    let mut found: Vec<NodeId> = graph.ids().take(1).filter(|first| !is_ahead(first)).collect();
    for node in graph.ids().filter(&is_ahead) {
        let next = graph.successors(node).iter().filter_map(|target| target.node());
        found.extend(next.filter(|next| !is_ahead(next)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

impl Strategy for Update {
    fn watches(&self) -> Watches {
        let functions = self.known.departures.functions.iter();
        let graphs = functions.map(|(&function, departing)| (function, &departing.graph)).collect();
        self.known.events.watches_in(graphs)
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        let (function, events) = self.known.events.of(point);
        for event in events {
            match *event {
                Event::Node(_) | Event::Entered => *note |= MET,
                Event::Side(node, side) if self.is_gap(function, node, side) => *note |= MET,
                _ => {}
            }
        }
        let tail = events.contains(&Event::Tail) && !met(*note);
        match tail && !self.can_meet(stack) {
            true => Visit::Consult,
            false => Visit::Continue,
        }
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}
