//! The obligations of a criterion, where each is met, and what has an influence on whether it is.

use super::accesses::Accesses;
use super::ahead::{Ahead, Kinds, Marks};
use super::bits::Bits;
use super::data_flow::{Link, decides, links};
use super::{Criterion, DataFlow, Obligation};
use crate::slice::Slice;
use crate::subject::{Event, Events, Statement, Subject};
use incise_change::{Effects, FlowTarget, NodeId, NodeKind};
use incise_ir::{FunctionId, Id, Op};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A criterion for an entry.
pub struct Plan<'a> {
    pub(crate) subject: &'a Subject<'a>,
    criterion: Criterion,
    obligations: Vec<Obligation>,
    pub(crate) ahead: Ahead,
    pub(crate) slice: Slice,
    pub(crate) events: Events,
    pub(crate) goals: GoalsAt,
    pub(crate) flow: Option<FlowPlan<'a>>,
    from_start: Bits,
}

/// The obligations that are met at places, by kind.
#[derive(Default)]
pub(crate) struct GoalsAt {
    pub(crate) nodes: FxHashMap<(usize, NodeId), Vec<u32>>,
    pub(crate) sides: FxHashMap<(usize, NodeId, usize), Vec<u32>>,
    pub(crate) exits: FxHashMap<(usize, NodeId), Vec<u32>>,
}

/// What data-flow coverage needs beside.
pub(crate) struct FlowPlan<'a> {
    pub(crate) accesses: Accesses<'a>,
    /// For each access, whether only the call that it happens in can see what it writes.
    pub(crate) private: Vec<bool>,
    /// The definitions that some access may overwrite or leave alone.
    pub(crate) blurred: BTreeSet<u32>,
    /// The obligations of each definition and use; one for each side if the use is in a condition.
    pub(crate) goals: BTreeMap<Link, Vec<u32>>,
    /// For each obligation, its definitions as accesses.
    pub(crate) definitions: Vec<BTreeSet<u32>>,
    /// For each obligation, the mark of the statement that defines.
    pub(crate) defined_at: Vec<u32>,
}

impl<'a> Plan<'a> {
    /// The obligations of a criterion for an entry. `effects` are those of the program that the subject's scope was
    /// made with.
    pub fn new(subject: &'a Subject<'a>, effects: &'a Effects, criterion: Criterion) -> Self {
        let kinds = Kinds::new(subject);
        let mut draft =
            Draft { subject, kinds, obligations: BTreeMap::new(), targets: Vec::new(), to_the_end: false };
        let accesses = (criterion == Criterion::DataFlow).then(|| Accesses::new(subject, effects));
        let mut flow = Vec::new();
        match &accesses {
            Some(accesses) => flow = draft.data_flow(accesses),
            None => draft.list(criterion),
        }
        draft.finish(criterion, accesses, flow)
    }

    /// The criterion.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// The obligations, in the order of the program; none for path fragments, which are found by exploring.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// The entry and what the change means for it.
    pub fn subject(&self) -> &'a Subject<'a> {
        self.subject
    }

    /// An empty set of marks.
    pub(crate) fn empty_marks(&self) -> Bits {
        self.ahead.empty()
    }

    /// Whether some path may cover an obligation without our knowing: what is written in between may overwrite the
    /// definition, or not.
    pub(crate) fn is_blurred(&self, index: usize) -> bool {
        let Some(flow) = &self.flow else { return false };
        let definitions = &flow.definitions[index];
        definitions.is_empty() || definitions.iter().any(|write| flow.blurred.contains(write))
    }

    /// Whether a way leads to an obligation from the entry.
    pub(crate) fn is_reachable(&self, index: usize) -> bool {
        self.from_start.contains(index as u32)
    }
}

/// Where an obligation is met.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Met {
    Node(usize, NodeId),
    Side(usize, NodeId, usize),
    Start(usize),
    Exit(usize, NodeId),
    End(usize),
}

/// A plan that is being made.
struct Draft<'a> {
    subject: &'a Subject<'a>,
    kinds: Kinds,
    obligations: BTreeMap<Obligation, BTreeSet<Met>>,
    /// The statements that have an influence on whether obligations are met, beside what decides about them.
    targets: Vec<Statement>,
    to_the_end: bool,
}

impl<'a> Draft<'a> {
    fn add(&mut self, obligation: Obligation, met: Met) {
        self.obligations.entry(obligation).or_default().insert(met);
    }

    /// The obligations of all criteria but data flow.
    fn list(&mut self, criterion: Criterion) {
        for kind in 0..self.kinds.all.len() {
            let (function, Some(activation)) = self.kinds.all[kind] else { continue };
            let affected: Vec<NodeId> = self.subject.scope.activation(activation).affected.nodes().collect();
            let graph = self.subject.graph(function);
            for &node in &affected {
                let block = graph.node(node).block;
                match criterion {
                    Criterion::Statement => {
                        self.add(Obligation::Statement((function, node)), Met::Node(kind, node));
                        self.targets.push((function, node));
                    }
                    Criterion::Block => {
                        let first = self.first_affected(function, node);
                        self.add(Obligation::Block(function, block, first), Met::Node(kind, node));
                        self.targets.push((function, node));
                    }
                    Criterion::Branch if graph.node(node).kind == NodeKind::Condition => {
                        for side in 0..graph.successors(node).len() {
                            self.add(Obligation::Side((function, node), side), Met::Side(kind, node, side));
                        }
                        self.targets.push((function, node));
                    }
                    _ => {}
                }
            }
            if criterion == Criterion::Branch && !affected.is_empty() {
                self.doors(kind, function);
            }
        }
    }

    /// The first statement of a block that is affected in some context.
    fn first_affected(&self, function: FunctionId, node: NodeId) -> NodeId {
        let graph = self.subject.graph(function);
        let nodes = graph.block_nodes[graph.node(node).block.index()].clone().map(NodeId::from_index);
        let affected = |node: &NodeId| {
            self.kinds.all.iter().any(|&(other, activation)| {
                other == function
                    && activation.is_some_and(|id| self.subject.scope.activation(id).affected.contains(*node))
            })
        };
        nodes.into_iter().find(affected).unwrap_or(node)
    }

    /// Where a function is entered and left.
    fn doors(&mut self, kind: usize, function: FunctionId) {
        self.add(Obligation::Entry(function), Met::Start(kind));
        for (caller, node) in self.kinds.callers[kind].clone() {
            self.targets.push((self.kinds.all[caller].0, node));
        }
        let graph = self.subject.graph(function);
        for node in graph.ids().filter(|&node| graph.node(node).kind == NodeKind::Return) {
            self.add(Obligation::Exit(function, Some(node)), Met::Exit(kind, node));
            self.targets.push((function, node));
        }
        if !ends(self.subject, function).is_empty() {
            self.add(Obligation::Exit(function, None), Met::End(kind));
            self.to_the_end |= function == self.subject.entry;
        }
    }

    /// The obligations of data flow, and the links that each stands for.
    fn data_flow(&mut self, accesses: &Accesses<'_>) -> Vec<(Link, Vec<Obligation>)> {
        let subject = self.subject;
        let mut found = Vec::new();
        let mut writes = BTreeSet::new();
        for (link, blurred) in links(subject, &self.kinds, accesses) {
            let (write, read, same) = link;
            let (definition, usage) =
                (accesses.all[write as usize].statement, accesses.all[read as usize].statement);
            let sides: Vec<Option<usize>> = match decides(subject, usage) {
                true => subject.sides(usage).map(|(side, _)| Some(side)).collect(),
                false => vec![None],
            };
            let obligation = |side| {
                let (variable, certain) = (accesses.name(write), accesses.is_certain(write, read, same));
                Obligation::DataFlow(DataFlow { definition, usage, side, variable, certain })
            };
            let obligations: Vec<Obligation> = sides.into_iter().map(obligation).collect();
            if blurred {
                // No path shows that it is covered: it is met nowhere.
                for each in obligations {
                    self.obligations.entry(each).or_default();
                }
                continue;
            }
            for each in &obligations {
                for kind in 0..self.kinds.all.len() {
                    if self.kinds.all[kind].0 == usage.0 {
                        self.add(each.clone(), Met::Node(kind, usage.1));
                    }
                }
            }
            self.targets.extend([definition, usage]);
            writes.insert(write);
            found.push((link, obligations));
        }
        // What may overwrite a definition decides whether a use is covered.
        for (other, access) in accesses.all.iter().enumerate().filter(|(_, access)| !access.writes.is_empty())
        {
            let kills = |&write: &u32| {
                [true, false].into_iter().any(|same| accesses.may_kill(subject, write, other as u32, same))
            };
            if writes.iter().any(kills) {
                self.targets.push(access.statement);
            }
        }
        found
    }

    fn finish(
        mut self,
        criterion: Criterion,
        accesses: Option<Accesses<'a>>,
        flow: Vec<(Link, Vec<Obligation>)>,
    ) -> Plan<'a> {
        let subject = self.subject;
        self.targets.sort_unstable();
        self.targets.dedup();
        let places = std::mem::take(&mut self.obligations);
        let numbers: BTreeMap<&Obligation, u32> = places.keys().zip(0..).collect();
        let (mut marks, mut goals) = (Marks { count: places.len(), ..Marks::default() }, GoalsAt::default());
        for (met, number) in places.values().zip(0..) {
            met.iter().for_each(|&met| put(met, number, accesses.is_some(), &mut marks, &mut goals));
        }
        let flow = accesses.map(|accesses| self.flow_plan(accesses, flow, &numbers, &mut marks));
        let slice = Slice::towards(subject, std::mem::take(&mut self.targets), self.to_the_end);
        let events = events(subject, &slice, criterion, flow.as_ref());
        let ahead = Ahead::new(subject, self.kinds, marks);
        let from_start = ahead.of_start(subject);
        let obligations = places.into_keys().collect();
        Plan { subject, criterion, obligations, ahead, slice, events, goals, flow, from_start }
    }

    fn flow_plan(
        &self,
        accesses: Accesses<'a>,
        links: Vec<(Link, Vec<Obligation>)>,
        numbers: &BTreeMap<&Obligation, u32>,
        marks: &mut Marks,
    ) -> FlowPlan<'a> {
        let mut definitions = vec![BTreeSet::new(); numbers.len()];
        let mut goals: BTreeMap<Link, Vec<u32>> = BTreeMap::new();
        for (link, obligations) in links {
            for obligation in &obligations {
                let number = numbers[obligation];
                definitions[number as usize].insert(link.0);
                goals.entry(link).or_default().push(number);
            }
        }
        // Each statement that defines something has a mark of its own, where it is affected.
        let mut statements: BTreeMap<Statement, u32> = BTreeMap::new();
        let mut defined_at = Vec::new();
        for obligation in numbers.keys() {
            let Obligation::DataFlow(DataFlow { definition, .. }) = obligation else { continue };
            let next = marks.count as u32;
            let mark = *statements.entry(*definition).or_insert(next);
            if mark == next {
                marks.count += 1;
                for (kind, &(function, activation)) in self.kinds.all.iter().enumerate() {
                    let affected = |id| self.subject.scope.activation(id).affected.contains(definition.1);
                    if function == definition.0 && activation.is_some_and(affected) {
                        marks.nodes.entry((kind, definition.1)).or_default().push(mark);
                    }
                }
            }
            defined_at.push(mark);
        }
        let numbers = 0..accesses.all.len() as u32;
        let private = numbers.map(|write| accesses.ends_with_call(self.subject, write)).collect();
        let defining: BTreeSet<u32> = definitions.iter().flatten().copied().collect();
        let blurred =
            defining.into_iter().filter(|&write| accesses.is_blurred(self.subject, write)).collect();
        FlowPlan { accesses, private, blurred, goals, definitions, defined_at }
    }
}

/// Notes where an obligation is met.
fn put(met: Met, number: u32, by_access: bool, marks: &mut Marks, goals: &mut GoalsAt) {
    match met {
        Met::Node(kind, node) => {
            marks.nodes.entry((kind, node)).or_default().push(number);
            // A use is met at its access, not at its statement.
            if !by_access {
                goals.nodes.entry((kind, node)).or_default().push(number);
            }
        }
        Met::Side(kind, node, side) => {
            marks.nodes.entry((kind, node)).or_default().push(number);
            goals.sides.entry((kind, node, side)).or_default().push(number);
        }
        Met::Start(kind) => marks.starts.entry(kind).or_default().push(number),
        Met::Exit(kind, node) => {
            marks.nodes.entry((kind, node)).or_default().push(number);
            goals.exits.entry((kind, node)).or_default().push(number);
        }
        Met::End(kind) => marks.ends.entry(kind).or_default().push(number),
    }
}

/// The instructions at which a function without a result returns.
fn ends(subject: &Subject<'_>, function: FunctionId) -> Vec<incise_ir::InstructionId> {
    let code = subject.function(function);
    let cfg = &subject.graph(function).cfg;
    let blocks = code.blocks.ids().filter(|&block| cfg.is_reachable(block));
    let returns = |id: &incise_ir::InstructionId| matches!(code.instructions[*id].op, Op::Return(None));
    blocks.map(|block| code.terminator(block)).filter(returns).collect()
}

/// What has to be known of a path.
fn events(subject: &Subject<'_>, slice: &Slice, criterion: Criterion, flow: Option<&FlowPlan<'_>>) -> Events {
    let mut events = Events::default();
    let activations = subject.activations();
    for (&function, facts) in &subject.scope.functions {
        if let Some((first, _)) = subject.function(function).instructions.iter().next() {
            events.before(function, first, Event::Entered);
        }
        let affected = |node: NodeId| {
            let mut own = activations.iter().map(|&id| subject.scope.activation(id));
            own.any(|each| each.function == function && each.affected.contains(node))
        };
        for node in facts.graph.ids() {
            let statement = (function, node);
            if affected(node) {
                events.at(&facts.graph, node, Event::Node(node));
            }
            let condition = subject.is_condition(statement);
            for (side, target) in subject.sides(statement) {
                let gap = subject.is_gap(statement, side);
                if condition && (slice.is_relevant(statement) || gap) {
                    events.side(statement, side);
                } else if gap {
                    events.at(&facts.graph, node, Event::Side(node, side));
                }
                let tail = function == subject.entry && slice.is_tail(target);
                if tail
                    && !slice.is_tail(FlowTarget::Node(node))
                    && !(condition && slice.is_relevant(statement))
                    && let FlowTarget::Node(next) = target
                {
                    events.at(&facts.graph, next, Event::Tail);
                }
            }
            if criterion == Criterion::Branch
                && facts.graph.node(node).kind == NodeKind::Return
                && let Some(&last) = facts.graph.node(node).roots.last()
            {
                events.before(function, last, Event::Exit(node));
            }
        }
        if criterion == Criterion::Branch {
            ends(subject, function).into_iter().for_each(|end| events.before(function, end, Event::End));
        }
    }
    for (access, number) in flow.into_iter().flat_map(|flow| flow.accesses.all.iter().zip(0..)) {
        events.before(access.statement.0, access.instruction, Event::Access(number));
    }
    events
}
