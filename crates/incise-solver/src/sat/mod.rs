//! A conflict-driven SAT solver for circuits that are asked about over and over.
//!
//! A symbolic executor asks thousands of small questions about one circuit that keeps growing. Three
//! properties make such questions cheap, and are the reason why this solver exists:
//!
//! - **The trail of the shared prefix survives.** Assumptions are decided in order, one level each; when the
//!   next query starts with the same assumptions, their levels and all that follows from them stay as they
//!   are.
//! - **Only the cone is assigned.** A query needs the gates that its assumptions are made of (the cone), and
//!   neither decides nor propagates into any other, however many there are.
//! - **Gates are not clauses.** Propagation looks at gates themselves, through lists of the gates *in the
//!   cone* that use a node. Cones come and go like a stack, so these lists are kept by pushing and popping at
//!   their ends.
//!
//! Why this is sound and complete. A gate is a function of its operands, so an assignment that agrees with
//! all gates of the cone extends to all other gates. Learnt clauses follow from the gates, so they hold
//! whatever the cone is, also when they mention nodes outside it. When a node is assigned, every gate of the
//! cone that it belongs to is looked at, and so is every gate that enters the cone; hence once all nodes of
//! the cone are assigned and propagated without conflict, all its gates agree. An implication may be missing
//! for a while: a gate that enters the cone implies a value at the current level, though it follows from
//! earlier ones, and backtracking forgets it. Deciding the node the wrong way is then a conflict at once.
//!
//! All literals are enqueued at the current level, which keeps the trail chronological. The watched literals
//! of learnt clauses rest on that: *if a watched literal is false then the other is true, or it is unassigned
//! and all others are false* (unit on a node outside the cone).
//!
//! One concern a file: `clauses` (learnt clauses: storage, deletion, compaction), `heap` (decision order),
//! `cone` (what enters and leaves), `propagate` (gates, watches, trail), `analyze` (learning), `search` (the
//! loop, assumptions, limits).

mod analyze;
mod clauses;
mod cone;
mod heap;
mod propagate;
mod search;
#[cfg(test)]
mod tests;

use crate::blast::gates::{Bit, GateNode};
use clauses::{ClauseDatabase, ClauseRef};
use heap::ActivityHeap;

pub(crate) use cone::ConeTooLarge;
pub(crate) use search::{Limits, SatOutcome};

/// An entry of a watch list: the clause, and one of its other literals that often saves the visit.
#[derive(Copy, Clone)]
struct Watch {
    clause: ClauseRef,
    blocker: Bit,
}

/// A gate that uses a node, and the link before it in the same node's list.
#[derive(Copy, Clone)]
struct UserLink {
    user: GateNode,
    before: u32,
}

/// The end of a list of links.
const NO_LINK: u32 = u32::MAX;

/// Which of a gate's nodes take part in an implication: bit 0 is the gate itself, bits 1 to 3 are its operands.
type Members = u8;

/// Why a literal is true, or what is contradictory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Reason {
    Decision,
    Clause(ClauseRef),
    Gate(GateNode, Members),
}

/// What is known of one node besides its value.
#[derive(Copy, Clone)]
struct NodeData {
    /// The decision level of the assignment; meaningless while unassigned, like the reason.
    level: u32,
    reason: Reason,
    /// The value to try first: the last one it had, at first false so that inputs lean to zero.
    phase: bool,
    in_cone: bool,
    /// Known once the node was in the cone.
    is_input: bool,
    /// A mark of conflict analysis, clear outside it.
    seen: bool,
}

/// What the solver did so far.
#[derive(Copy, Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct SatCounters {
    pub(crate) conflicts: u64,
    pub(crate) decisions: u64,
    pub(crate) propagations: u64,
    pub(crate) reductions: u64,
    pub(crate) compactions: u64,
}

impl std::ops::Add for SatCounters {
    type Output = SatCounters;
    fn add(self, other: SatCounters) -> SatCounters {
        SatCounters {
            conflicts: self.conflicts + other.conflicts,
            decisions: self.decisions + other.decisions,
            propagations: self.propagations + other.propagations,
            reductions: self.reductions + other.reductions,
            compactions: self.compactions + other.compactions,
        }
    }
}

/// The solver. See the head of this module for what it promises.
pub(crate) struct Sat {
    clauses: ClauseDatabase,
    /// By literal that became true: the learnt clauses in which its negation is watched.
    watches: Vec<Vec<Watch>>,
    /// By node: the last link of the list of gates in the cone that have it as an operand, or `NO_LINK`.
    users: Vec<u32>,
    /// The links of all these lists. Gates leave the cone in the opposite order of entering, so that this is
    /// a stack.
    links: Vec<UserLink>,
    /// By literal: 1 true, -1 false, 0 unassigned.
    values: Vec<i8>,
    nodes: Vec<NodeData>,
    heap: ActivityHeap,
    trail: Vec<Bit>,
    /// The length of the trail where each decision level begins.
    level_starts: Vec<usize>,
    /// Literals of the trail before this position have been propagated.
    propagated: usize,
    /// The assumptions, each with the size of the cone before it.
    assumptions: Vec<(Bit, usize)>,
    /// The nodes of the cone in the order in which they entered.
    cone: Vec<GateNode>,
    /// How many nodes of the cone have no value.
    unassigned: usize,
    /// Gates that entered the cone and have not been looked at.
    entered: Vec<GateNode>,
    maximum_learnt: usize,
    analysis: analyze::Scratch,
    counters: SatCounters,
}

impl Sat {
    pub(crate) fn new() -> Self {
        Sat {
            clauses: ClauseDatabase::new(),
            watches: Vec::new(),
            users: Vec::new(),
            links: Vec::new(),
            values: Vec::new(),
            nodes: Vec::new(),
            heap: ActivityHeap::new(),
            trail: Vec::new(),
            level_starts: Vec::new(),
            propagated: 0,
            assumptions: Vec::new(),
            cone: Vec::new(),
            unassigned: 0,
            entered: Vec::new(),
            maximum_learnt: 2000,
            analysis: analyze::Scratch::default(),
            counters: SatCounters::default(),
        }
    }

    pub(crate) fn counters(&self) -> SatCounters {
        self.counters
    }

    /// The value of a node, if the last satisfiable query gave it one. Others may have any value.
    pub(crate) fn value(&self, node: GateNode) -> Option<bool> {
        match self.values.get(node.bit(true).index()) {
            None | Some(0) => None,
            Some(&value) => Some(value > 0),
        }
    }

    /// Sets the value that is tried first when the solver decides about a node.
    pub(crate) fn prefer(&mut self, node: GateNode, value: bool) {
        if let Some(data) = self.nodes.get_mut(node.index()) {
            data.phase = value;
        }
    }

    /// Makes room for all nodes of a graph of this size.
    fn grow(&mut self, node_count: usize) {
        if self.nodes.len() >= node_count {
            return;
        }
        let fresh = NodeData {
            level: 0,
            reason: Reason::Decision,
            phase: false,
            in_cone: false,
            is_input: false,
            seen: false,
        };
        self.nodes.resize(node_count, fresh);
        self.values.resize(2 * node_count, 0);
        self.watches.resize_with(2 * node_count, Vec::new);
        self.users.resize(node_count, NO_LINK);
        self.heap.grow(node_count);
    }

    fn value_of(&self, literal: Bit) -> i8 {
        self.values[literal.index()]
    }

    fn level_of(&self, literal: Bit) -> u32 {
        self.nodes[literal.node().index()].level
    }

    fn current_level(&self) -> usize {
        self.level_starts.len()
    }
}
