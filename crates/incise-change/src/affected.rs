//! The statements that a change can affect: rules (1) to (4) of Person, Yang, Rungta and Khurshid, "Directed
//! Incremental Symbolic Execution" (PLDI 2011), Figures 3, 4 and 5.
//!
//! The rules are applied in the order that the paper's Figure 5(b) shows, so that a derivation reads like the figure.
//! Where we differ:
//! - The paper's rule (3) takes a changed value to the conditions that read it, but not on to other writes:
//!   `x = 1 /* changed */; y = x; if (y) ...` is lost. With [`Rules::Closed`] a rule (5) does that, also for what a
//!   function returns. [`Rules::Paper`] leaves it out.
//! - `a && b` and `c ? x : y` join values: a condition that decides which value is taken counts as one that decides
//!   whether the statement is executed.
//! - A call of a function whose own code changed is where the change begins in the caller.
//! - What feeds a result that is returned is not affected by rule (4): nothing is decided or written there. With
//!   [`Rules::Across`] it is, as in the second paper.
//!
//! Not covered: that a statement comes after an affected one that may fail or not end. Paths that end early are found
//! when they are explored.

use crate::dependence::Dependence;
use crate::waiting::Waiting;
use crate::{MemoryPlace, NodeId, NodeKind, StatementGraph};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Which rules are applied.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Rules {
    /// Those of the paper.
    Paper,
    /// Those of the paper and rule (5).
    #[default]
    Closed,
    /// Those, and rule (6): the impact sets of Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize
    /// Evolving Program Behaviors" (ICSM 2012), Figure 3(a).
    Across,
}

/// Why a statement is affected.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// It changed.
    Changed,
    /// It is new.
    Added,
    /// It is where something was removed in the old version: a removed statement itself.
    Removed,
    /// It calls a function that changed, or in which something is affected.
    Calls,
    /// It reads an input of the function that carries impact.
    Input,
    /// In the old version it is affected by a statement that was removed.
    ThroughOld,
    /// (1): a condition that an affected condition decides about.
    ControlledCondition,
    /// (2): a write that an affected condition decides about.
    ControlledWrite,
    /// (3): a condition that reads what an affected statement writes.
    ConditionReads,
    /// (4): a write that an affected statement reads.
    ReadByAffected,
    /// (5), ours: a write that reads what an affected statement writes.
    WriteReads,
    /// (6), of the second paper: a condition that decides about an affected statement.
    DecidesAboutAffected,
    /// (7), across threads: it reads what an affected statement of another thread writes.
    OtherThread,
    /// (8), across threads: it writes what an affected statement of another thread writes, before or after it.
    Competes,
    /// (9), across threads: an affected synchronisation orders it.
    Ordered,
    /// What it reads is affected in the other version, where another thread writes it.
    OtherVersion,
}

impl Rule {
    /// The number in the paper.
    pub fn number(self) -> Option<u32> {
        match self {
            Self::ControlledCondition => Some(1),
            Self::ControlledWrite => Some(2),
            Self::ConditionReads => Some(3),
            Self::ReadByAffected => Some(4),
            Self::WriteReads => Some(5),
            Self::DecidesAboutAffected => Some(6),
            _ => None,
        }
    }
}

/// One step of the derivation: a statement that became affected.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The statement.
    pub node: NodeId,
    /// By which rule.
    pub rule: Rule,
    /// The affected statement that caused it; for [`Rule::ThroughOld`] the removed statement of the old version.
    pub cause: Option<NodeId>,
}

/// The affected statements of one version of a function.
#[derive(Clone, Debug)]
pub struct Affected {
    /// How each became affected, in order.
    pub steps: Vec<Step>,
    /// For each statement, its step.
    step_of: Vec<Option<u32>>,
    /// For each statement, how far the change can influence it, and it does not merely feed what the change influences.
    forward: Vec<Forward>,
    /// Of statements that are affected by what they call: what carries impact after the calls.
    back: BTreeMap<NodeId, Vec<Arc<Back>>>,
}

/// What carries impact after a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Back {
    /// The places.
    pub(crate) places: Vec<MemoryPlace>,
    /// The statements that may read them by themselves.
    pub(crate) readers: Vec<NodeId>,
    /// Whether the rest of the calling statement uses the result, or what the call writes.
    pub(crate) used: bool,
}

/// How far a change influences a statement.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Forward {
    No,
    /// Only in what it calls.
    Within,
    /// In what it does by itself, and in what it calls as far as that depends on it.
    Own,
    /// In whether it is executed, or in what it is.
    Yes,
}

impl Affected {
    /// The statements that the given ones affect.
    pub fn new(
        graph: &StatementGraph,
        dependence: &Dependence,
        seeds: impl IntoIterator<Item = Step>,
        rules: Rules,
    ) -> Self {
        Self::with_calls(graph, dependence, seeds, rules, BTreeMap::new())
    }

    /// The statements that the given ones affect. For those that are affected by what they call, `back` tells what
    /// carries impact after the call; without it, all that they write does.
    pub fn with_calls(
        graph: &StatementGraph,
        dependence: &Dependence,
        seeds: impl IntoIterator<Item = Step>,
        rules: Rules,
        back: BTreeMap<NodeId, Vec<Arc<Back>>>,
    ) -> Self {
        let affected = Self { back, ..Self::none(graph) };
        let mut closure = Closure::new(graph, dependence, affected, rules);
        for seed in seeds {
            closure.add(seed);
        }
        closure.paper_forward();
        closure.backward();
        if rules != Rules::Paper && closure.forward_data() {
            closure.backward();
        }
        closure.affected
    }

    /// Nothing is affected.
    pub(crate) fn none(graph: &StatementGraph) -> Self {
        let count = graph.nodes.len();
        Self {
            steps: Vec::new(),
            step_of: vec![None; count],
            forward: vec![Forward::No; count],
            back: BTreeMap::new(),
        }
    }

    /// The same for another graph of the function: `moved` tells which statements there are parts of one here. The
    /// steps keep their order.
    pub(crate) fn moved(&self, graph: &StatementGraph, moved: impl Fn(NodeId) -> Vec<NodeId>) -> Self {
        let mut affected = Self::none(graph);
        for step in &self.steps {
            // A removed statement is one of the other version.
            let cause = match step.rule {
                Rule::ThroughOld => step.cause,
                _ => step.cause.and_then(|cause| moved(cause).first().copied()),
            };
            for node in moved(step.node) {
                let forward = &mut affected.forward[node.index()];
                *forward = (*forward).max(self.forward[step.node.index()]);
                if affected.step_of[node.index()].is_none() {
                    affected.step_of[node.index()] = Some(affected.steps.len() as u32);
                    affected.steps.push(Step { node, cause, ..*step });
                }
            }
        }
        affected
    }

    /// Whether the same statements are affected, for whatever reason.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        self.steps.len() == other.steps.len()
            && self
                .nodes()
                .all(|node| other.contains(node) && self.is_forward(node) == other.is_forward(node))
    }

    /// Whether a statement is affected.
    pub fn contains(&self, node: NodeId) -> bool {
        self.step_of[node.index()].is_some()
    }

    /// Whether the change can influence what a statement does by itself, and not only in what it calls.
    pub(crate) fn is_forward_itself(&self, node: NodeId) -> bool {
        self.forward[node.index()] >= Forward::Own
    }

    /// Whether all that a statement writes carries impact.
    pub(crate) fn is_forward_in_full(&self, node: NodeId) -> bool {
        self.forward[node.index()] == Forward::Yes
    }

    /// Whether the change can influence what a statement does.
    pub fn is_forward(&self, node: NodeId) -> bool {
        self.forward[node.index()] != Forward::No
    }

    /// What carries impact after an affected statement.
    pub(crate) fn carried(&self, node: NodeId, dependence: &Dependence) -> Vec<MemoryPlace> {
        let mut places = match self.forward[node.index()] {
            Forward::No => return Vec::new(),
            Forward::Within => Vec::new(),
            Forward::Own => dependence.footprint(node).own_writes.clone(),
            Forward::Yes => dependence.footprint(node).writes.clone(),
        };
        // What removed statements wrote is not among what the statement writes now.
        let back = self.back.get(&node).into_iter().flatten();
        places.extend(back.flat_map(|back| &back.places));
        places
    }

    /// The statements that are affected by what they call, and what carries impact after the calls.
    pub(crate) fn backs(&self) -> impl Iterator<Item = (NodeId, &[Arc<Back>])> {
        self.back.iter().map(|(&node, backs)| (node, backs.as_slice()))
    }

    /// Why a statement is affected.
    pub fn step(&self, node: NodeId) -> Option<&Step> {
        self.step_of[node.index()].map(|step| &self.steps[step as usize])
    }

    /// The affected statements, in the order of the function.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.step_of.len()).map(NodeId::from_index).filter(|&node| self.contains(node))
    }

    /// The affected conditions, the paper's ACN.
    pub fn conditions<'a>(&'a self, graph: &'a StatementGraph) -> impl Iterator<Item = NodeId> + 'a {
        self.nodes().filter(|&node| graph.node(node).kind == NodeKind::Condition)
    }

    /// The affected writes, the paper's AWN; returns included.
    pub fn writes<'a>(&'a self, graph: &'a StatementGraph) -> impl Iterator<Item = NodeId> + 'a {
        self.nodes().filter(|&node| graph.node(node).kind != NodeKind::Condition)
    }

    /// The step that a derivation began with.
    pub fn origin(&self, node: NodeId) -> Option<&Step> {
        let mut step = self.step(node)?;
        while let (Some(cause), true) = (step.cause, step.rule.number().is_some()) {
            step = self.step(cause)?;
        }
        Some(step)
    }
}

/// The rules at work.
struct Closure<'a> {
    graph: &'a StatementGraph,
    dependence: &'a Dependence,
    affected: Affected,
    rules: Rules,
    /// Not yet affected, and why they are about to be: conditions and writes by control, conditions and writes by data.
    controlled_conditions: Waiting<NodeId>,
    controlled_writes: Waiting<NodeId>,
    reading_conditions: Waiting<NodeId>,
    reading_writes: Waiting<NodeId>,
    /// Affected statements whose writers were not looked at.
    unfed: BTreeSet<NodeId>,
}

impl<'a> Closure<'a> {
    fn new(graph: &'a StatementGraph, dependence: &'a Dependence, affected: Affected, rules: Rules) -> Self {
        Self {
            graph,
            dependence,
            affected,
            rules,
            controlled_conditions: Waiting::new(graph.nodes.len()),
            controlled_writes: Waiting::new(graph.nodes.len()),
            reading_conditions: Waiting::new(graph.nodes.len()),
            reading_writes: Waiting::new(graph.nodes.len()),
            unfed: BTreeSet::new(),
        }
    }

    /// Makes a statement affected, and notes what follows for others.
    fn add(&mut self, step: Step) {
        let node = step.node;
        if !self.affected.contains(node) {
            self.affected.step_of[node.index()] = Some(self.affected.steps.len() as u32);
            self.affected.steps.push(step);
            self.unfed.insert(node);
        }
        match step.rule {
            Rule::ReadByAffected | Rule::DecidesAboutAffected | Rule::Competes => {}
            Rule::Calls => match self.affected.back.get(&node) {
                Some(backs) if backs.iter().any(|back| back.used) => self.spread(node, Forward::Own),
                Some(_) => self.spread(node, Forward::Within),
                None => self.spread(node, Forward::Yes),
            },
            Rule::Input
            | Rule::ConditionReads
            | Rule::WriteReads
            | Rule::OtherThread
            | Rule::OtherVersion => self.spread(node, Forward::Own),
            _ => self.spread(node, Forward::Yes),
        }
    }

    /// Notes what a statement that the change influences influences in turn.
    fn spread(&mut self, node: NodeId, mut forward: Forward) {
        if forward == Forward::Own && self.dependence.footprint(node).calls_by_address {
            // Another function may be called.
            forward = Forward::Yes;
        }
        if self.affected.forward[node.index()] >= forward {
            return;
        }
        self.affected.forward[node.index()] = forward;
        self.note_decided(node, forward);
        let readers = match forward {
            Forward::Yes => self.dependence.known_own_readers(node),
            Forward::Own => self.dependence.known_own_to_own(node),
            Forward::Within | Forward::No => &[],
        };
        self.note_readers(readers, node);
        for back in self.affected.back.get(&node).cloned().unwrap_or_default() {
            self.note_readers(&back.readers, node);
        }
    }

    /// Notes what an affected condition decides about.
    fn note_decided(&mut self, node: NodeId, forward: Forward) {
        if forward == Forward::Within {
            return;
        }
        // What the change influences in full is not influenced any further.
        for &decided in self.dependence.decided(node) {
            if self.affected.forward[decided.index()] == Forward::Yes {
                continue;
            }
            let candidates = match self.graph.node(decided).kind {
                NodeKind::Condition => &mut self.controlled_conditions,
                _ => &mut self.controlled_writes,
            };
            note(candidates, decided, node);
        }
    }

    /// Notes that statements read what an affected one writes.
    fn note_readers(&mut self, readers: &[NodeId], node: NodeId) {
        for &reader in readers {
            if self.affected.forward[reader.index()] >= Forward::Own {
                continue;
            }
            let candidates = match self.graph.node(reader).kind {
                NodeKind::Condition => &mut self.reading_conditions,
                _ => &mut self.reading_writes,
            };
            note(candidates, reader, node);
        }
    }

    /// Rules (1) to (3), in the order of Figure 5(b): all of (1), all of (2), then (3) with the writes that each new
    /// condition decides about.
    fn paper_forward(&mut self) {
        loop {
            while let Some((node, cause)) = self.controlled_conditions.pop_first() {
                self.add(Step { node, rule: Rule::ControlledCondition, cause: Some(cause) });
            }
            while let Some((node, cause)) = self.controlled_writes.pop_first() {
                self.add(Step { node, rule: Rule::ControlledWrite, cause: Some(cause) });
            }
            while let Some((node, cause)) = self.reading_conditions.pop_first() {
                let new = !self.affected.contains(node);
                self.add(Step { node, rule: Rule::ConditionReads, cause: Some(cause) });
                while new && let Some((write, cause)) = self.controlled_writes.pop_first() {
                    self.add(Step { node: write, rule: Rule::ControlledWrite, cause: Some(cause) });
                }
            }
            if self.controlled_conditions.is_empty() && self.controlled_writes.is_empty() {
                return;
            }
        }
    }

    /// Rule (4), and (6) if it is asked for, to the fixed point.
    fn backward(&mut self) {
        let mut feeding: Waiting<(NodeId, Rule)> = Waiting::new(self.graph.nodes.len());
        loop {
            for node in std::mem::take(&mut self.unfed) {
                let index = node.index();
                if self.rules == Rules::Across {
                    let deciders = self.graph.controlled_by[index].iter().chain(&self.graph.gated_by[index]);
                    for &decider in deciders.filter(|decider| !self.affected.contains(**decider)) {
                        feeding.add(decider, (node, Rule::DecidesAboutAffected), |known| known);
                    }
                }
                if self.graph.node(node).kind == NodeKind::Return && self.rules != Rules::Across {
                    continue;
                }
                let writers = self.dependence.known_writers(node).iter();
                for &writer in writers.filter(|writer| !self.affected.contains(**writer)) {
                    feeding.add(writer, (node, Rule::ReadByAffected), |known| (known.0.min(node), known.1));
                }
            }
            let Some((node, (cause, rule))) = feeding.pop_first() else { return };
            if !self.affected.contains(node) {
                self.add(Step { node, rule, cause: Some(cause) });
            }
        }
    }

    /// Rule (5) with the others, to the fixed point; says whether it found something.
    fn forward_data(&mut self) -> bool {
        let before = self.affected.steps.len();
        while let Some((node, cause)) = self.reading_writes.pop_first() {
            self.add(Step { node, rule: Rule::WriteReads, cause: Some(cause) });
            self.paper_forward();
        }
        self.affected.steps.len() > before
    }
}

/// Remembers a candidate with the first of its causes.
fn note(candidates: &mut Waiting<NodeId>, node: NodeId, cause: NodeId) {
    candidates.add(node, cause, |known| known.min(cause));
}
