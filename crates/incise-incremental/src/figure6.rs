//! The algorithm of Figure 6 of Person, Yang, Rungta and Khurshid, "Directed Incremental Symbolic Execution" (PLDI
//! 2011), to the letter.
//!
//! It is here to be compared with [`crate::dise`] and to run the paper's tables again. It does not keep the promise of
//! its Theorem 3.10: the sets of explored statements forget in which sequence a statement was explored, so that it may
//! lose a feasible sequence of affected statements, or explore one twice. A small loss:
//!
//! ```c
//! if (c == 2) d = c + a;     // affected by rule (4)
//! c = c + d;                 // changed
//! ```
//!
//! The false side is never explored, because after the true side no affected statement is left unexplored.
//!
//! A path condition is reported where none of the successors of a state is explored; such a path is then followed to
//! its end the way of its model, so that it has an outcome and a test. Loops: `CheckLoops` puts the statements of a
//! loop back among the unexplored ones at the loop's entry.

use crate::subject::{Event, Events, ROOT, Statement, Subject};
use incise_change::{Affected, FlowTarget, FunctionFacts, NodeId};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use std::collections::{BTreeMap, BTreeSet};

/// A row of the paper's Table 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The statements of the path so far.
    pub path: Vec<NodeId>,
    /// Whether the last of them is not explored, because no unexplored affected statement can be reached from it.
    pub no_path: bool,
    /// Explored writes.
    pub explored_writes: BTreeSet<NodeId>,
    /// Explored conditions.
    pub explored_conditions: BTreeSet<NodeId>,
    /// Unexplored writes.
    pub unexplored_writes: BTreeSet<NodeId>,
    /// Unexplored conditions.
    pub unexplored_conditions: BTreeSet<NodeId>,
}

/// A state of the paper: a visit of a statement.
struct Visited {
    parent: u32,
    node: Option<NodeId>,
    /// Whether one of its successors was explored.
    deeper: bool,
    /// The number of the path that stands for it if none was.
    path: Option<u32>,
}

/// Explores as Figure 6 says.
pub struct Figure6<'a> {
    subject: &'a Subject<'a>,
    events: Events,
    explored: BTreeSet<NodeId>,
    unexplored: BTreeSet<NodeId>,
    visits: Vec<Visited>,
    /// Paths that ended or were cut, as many as were numbered.
    paths: u32,
    /// For each loop entry, the statements of its loop.
    loops: BTreeMap<NodeId, Vec<NodeId>>,
    rows: Vec<Row>,
    trace: bool,
}

/// The path is followed to its end; the rest of the note is its number.
const FOLLOWED: u64 = 1 << 63;

impl<'a> Figure6<'a> {
    /// For a function that changed; `trace` keeps the rows of Table 1.
    pub fn new(subject: &'a Subject<'a>, trace: bool) -> Self {
        let mut events = Events::default();
        let graph = subject.graph(subject.entry);
        for node in graph.ids() {
            events.at(graph, node, Event::Node(node));
        }
        let mut figure = Self {
            subject,
            events,
            explored: BTreeSet::new(),
            unexplored: subject.affected(ROOT).into_iter().flat_map(Affected::nodes).collect(),
            visits: vec![Visited { parent: 0, node: None, deeper: false, path: None }],
            paths: 0,
            loops: loops(subject),
            rows: Vec::new(),
            trace,
        };
        figure.row(0, None);
        figure
    }

    /// Table 1.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Whether a path of the exploration is one that the algorithm reports, by its note.
    pub fn reports(&self, note: Note) -> bool {
        let (visit, path) = decode(note);
        let visit = &self.visits[visit as usize];
        !visit.deeper && visit.path == Some(path)
    }

    /// The affected statements of a path, by its note.
    pub fn sequence(&self, note: Note) -> Vec<Statement> {
        let affected = |node: &NodeId| self.subject.is_affected(ROOT, *node);
        let nodes = self.path(decode(note).0).into_iter().filter(affected);
        nodes.map(|node| (self.subject.entry, node)).collect()
    }

    /// The statements of a path.
    fn path(&self, mut visit: u32) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        while let Some(node) = self.visits[visit as usize].node {
            nodes.push(node);
            visit = self.visits[visit as usize].parent;
        }
        nodes.reverse();
        nodes
    }

    /// AffectedLocIsReachable, with CheckLoops.
    fn affected_location_is_reachable(&mut self, node: NodeId) -> bool {
        if let Some(statements) = self.loops.get(&node) {
            for statement in statements {
                if self.explored.remove(statement) {
                    self.unexplored.insert(*statement);
                }
            }
        }
        let dependence = &self.subject.facts(self.subject.entry).dependence;
        let reachable: Vec<NodeId> = self
            .unexplored
            .iter()
            .copied()
            .filter(|&unexplored| unexplored == node || dependence.reach().can_reach(node, unexplored))
            .collect();
        for &unexplored in &reachable {
            let again: Vec<NodeId> = self
                .explored
                .iter()
                .copied()
                .filter(|&each| dependence.reach().can_reach(unexplored, each))
                .collect();
            for each in again {
                self.explored.remove(&each);
                self.unexplored.insert(each);
            }
        }
        !reachable.is_empty()
    }

    /// A successor of a state was not explored: its path stands for the state, unless another successor is.
    fn cut(&mut self, visit: u32) -> Option<Note> {
        let known = &mut self.visits[visit as usize];
        if known.deeper || known.path.is_some() {
            return None;
        }
        self.paths += 1;
        known.path = Some(self.paths);
        Some(encode(visit, self.paths))
    }

    fn row(&mut self, visit: u32, not_explored: Option<NodeId>) {
        if !self.trace {
            return;
        }
        let mut path = self.path(visit);
        path.extend(not_explored);
        let graph = self.subject.graph(self.subject.entry);
        let split = |nodes: &BTreeSet<NodeId>, conditions: bool| {
            let is_condition =
                |node: &NodeId| (graph.node(*node).kind == incise_change::NodeKind::Condition) == conditions;
            nodes.iter().copied().filter(is_condition).collect()
        };
        self.rows.push(Row {
            path,
            no_path: not_explored.is_some(),
            explored_writes: split(&self.explored, false),
            explored_conditions: split(&self.explored, true),
            unexplored_writes: split(&self.unexplored, false),
            unexplored_conditions: split(&self.unexplored, true),
        });
    }
}

fn encode(visit: u32, path: u32) -> Note {
    FOLLOWED | u64::from(path) << 32 | u64::from(visit)
}

fn decode(note: Note) -> (u32, u32) {
    (note as u32, ((note & !FOLLOWED) >> 32) as u32)
}

/// For each statement that a loop is entered by, the statements of the loop.
fn loops(subject: &Subject<'_>) -> BTreeMap<NodeId, Vec<NodeId>> {
    let FunctionFacts { graph, dependence, .. } = subject.facts(subject.entry);
    let together = |left: NodeId, right: NodeId| {
        left == right
            || (dependence.reach().can_reach(left, right) && dependence.reach().can_reach(right, left))
    };
    let mut entries = BTreeSet::new();
    let entry = match graph.entry {
        FlowTarget::Node(node) => Some(node),
        _ => None,
    };
    entries.extend(entry.filter(|&node| dependence.reach().in_loop(node)));
    for node in graph.ids() {
        for next in graph.successors(node).iter().filter_map(|target| target.node()) {
            if dependence.reach().in_loop(next) && !together(node, next) {
                entries.insert(next);
            }
        }
    }
    let members = |entry: NodeId| graph.ids().filter(|&node| together(entry, node)).collect::<Vec<NodeId>>();
    entries.into_iter().map(|entry| (entry, members(entry))).collect()
}

impl Strategy for Figure6<'_> {
    fn watches(&self) -> Watches {
        self.events.watches(self.subject)
    }

    fn reached(&mut self, note: &mut Note, point: u32, _stack: &Stack<'_>) -> Visit {
        for index in 0..self.events.of(point).1.len() {
            let Event::Node(node) = self.events.of(point).1[index] else { continue };
            if *note & FOLLOWED != 0 {
                return Visit::Continue;
            }
            let parent = *note as u32;
            if !self.affected_location_is_reachable(node) {
                self.row(parent, Some(node));
                match self.cut(parent) {
                    Some(followed) => *note = followed,
                    None => return Visit::Prune,
                }
                return Visit::Follow;
            }
            let known = &mut self.visits[parent as usize];
            known.deeper = true;
            self.visits.push(Visited { parent, node: Some(node), deeper: false, path: None });
            let visit = self.visits.len() as u32 - 1;
            if self.unexplored.remove(&node) {
                self.explored.insert(node);
            }
            if self.subject.is_affected(ROOT, node) {
                self.row(visit, None);
            }
            *note = u64::from(visit);
        }
        Visit::Continue
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.subject.is_at_affected(stack)
    }

    fn finished(&mut self, note: &mut Note, _end: &End<'_>) -> bool {
        if *note & FOLLOWED != 0 {
            return true;
        }
        match self.cut(*note as u32) {
            Some(followed) => {
                *note = followed;
                true
            }
            None => false,
        }
    }
}
