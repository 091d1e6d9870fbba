//! What can influence whether and in what order the affected statements are executed.
//!
//! A branch outside of this slice need not be explored: whichever way an input goes there, the affected statements do
//! not notice. One way through it, that of the model at hand, stands for all of them. So the effort follows the
//! affected part of a program, and not the number of its branches.
//!
//! The slice is the backward closure over data and control dependence of: that the affected statements are executed, or
//! others that an exploration is about (what they compute matters only where something is decided by it); the places
//! where something was removed; statements that may fail, leave the program or decide something within (a call), if an
//! affected statement may come after them, because the path would end before it; and the conditions that decide how
//! often a loop is gone round, because turns are bounded and loops need not end. Across functions it does not tell
//! calling contexts apart: what a called function returns or writes belongs to the slice if the call does and somebody
//! wants it (see `wanted.rs`), and the calls of a function do if something in it does.

use crate::subject::{ContextId, Statement, Subject};
use crate::wanted::Wanted;
use incise_change::{FlowTarget, NodeId};
use incise_exec::Watches;
use incise_ir::FunctionId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What of a statement matters.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Matters {
    /// Whether, and when, it is executed.
    Execution,
    /// That, and what it reads: a call passes it on.
    Reads,
    /// That, and what it computes, by itself or in what it calls.
    Value,
}

/// A statement, what of it matters, and what of its value.
type Target = (Statement, Matters, Wanted);

/// That a statement is executed matters, and not what it computes; unless that decides something.
fn executed(target: Statement) -> Target {
    (target, Matters::Execution, Wanted::nothing())
}

/// The slice, and what lies ahead of each statement.
pub(crate) struct Slice {
    /// For each statement, what of it matters; `None` outside of the slice.
    relevant: BTreeMap<FunctionId, Vec<Option<Matters>>>,
    /// For the statements whose value matters, what of it.
    wanted: BTreeMap<Statement, Wanted>,
    /// For each statement, whether the change can be met there or later in its function.
    can_meet: BTreeMap<FunctionId, Vec<bool>>,
    /// For each context, whether the change can be met after the function returns.
    can_meet_after: RefCell<HashMap<ContextId, bool>>,
    /// For each statement of the entry, whether nothing there and later is affected or endless.
    tail: Vec<bool>,
}

impl Slice {
    /// For the affected statements.
    pub(crate) fn new(subject: &Subject<'_>) -> Self {
        let mut targets: Vec<Statement> = Vec::new();
        for activation in subject.activations() {
            let activation = subject.scope.activation(activation);
            targets.extend(activation.affected.nodes().map(|node| (activation.function, node)));
        }
        let callers = callers(subject);
        for (&function, facts) in &subject.scope.functions {
            targets.extend(facts.gaps.iter().filter_map(|gap| gap.from).map(|node| (function, node)));
            if subject.entry_gap(function) {
                targets.extend(callers.get(&function).into_iter().flatten());
            }
        }
        Self::build(subject, tail(subject, affected_ahead(subject)), targets, &callers)
    }

    /// For these statements, all of them in scope. With `to_the_end`, it matters that the entry returns.
    pub(crate) fn towards(subject: &Subject<'_>, targets: Vec<Statement>, to_the_end: bool) -> Self {
        let tail = match to_the_end {
            true => vec![false; subject.graph(subject.entry).nodes.len()],
            false => tail(subject, targets_ahead(subject, &targets)),
        };
        // A value that a target reads may be read on one side of a choice only, as in `x = c ? y : z`.
        let gates = targets.iter().flat_map(|&(function, node)| {
            subject.graph(function).gated_by[node.index()].iter().map(move |&gate| (function, gate))
        });
        let targets = gates.chain(targets.iter().copied()).collect();
        Self::build(subject, tail, targets, &callers(subject))
    }

    /// For what these statements compute, and that the change is met. It matters that the entry returns.
    pub(crate) fn of_values(subject: &Subject<'_>, values: Vec<(Statement, Wanted)>) -> Self {
        let callers = callers(subject);
        let mut targets = Vec::new();
        for (&function, facts) in &subject.scope.functions {
            let changed = facts.graph.ids().filter(|node| facts.changes[node.index()]);
            let gaps = facts.gaps.iter().filter_map(|gap| gap.from);
            targets.extend(changed.chain(gaps).map(|node| (function, node)));
            if subject.entry_gap(function) {
                targets.extend(callers.get(&function).into_iter().flatten());
            }
        }
        // What a changed statement computes on one side of a choice may fail there.
        let gates: Vec<Statement> = targets
            .iter()
            .flat_map(|&(function, node)| {
                let gates = subject.graph(function).gated_by[node.index()].iter();
                gates.map(move |&gate| (function, gate))
            })
            .collect();
        let targets = targets.into_iter().chain(gates).map(executed);
        let values = values.into_iter().map(|(target, wanted)| (target, Matters::Value, wanted));
        let targets = targets.chain(values).collect();
        let tail = vec![false; subject.graph(subject.entry).nodes.len()];
        Self::with_targets(subject, tail, targets, &callers)
    }

    fn build(subject: &Subject<'_>, tail: Vec<bool>, targets: Vec<Statement>, callers: &Callers) -> Self {
        Self::with_targets(subject, tail, targets.into_iter().map(executed).collect(), callers)
    }

    fn with_targets(subject: &Subject<'_>, tail: Vec<bool>, targets: Vec<Target>, callers: &Callers) -> Self {
        let functions = || subject.scope.functions.keys().copied();
        let flags = |function: FunctionId| vec![None; subject.graph(function).nodes.len()];
        let mut slice = Self {
            relevant: functions().map(|function| (function, flags(function))).collect(),
            wanted: BTreeMap::new(),
            can_meet: functions().map(|function| (function, can_meet(subject, function))).collect(),
            can_meet_after: RefCell::new(HashMap::new()),
            tail,
        };
        slice.close(subject, targets, callers);
        slice
    }

    fn close(&mut self, subject: &Subject<'_>, targets: Vec<Target>, callers: &Callers) {
        let mut work = targets;
        for (&function, facts) in &subject.scope.functions {
            let repeating = facts.graph.repeating();
            for node in facts.graph.ids() {
                let footprint = facts.dependence.footprint(node);
                // What happens in functions in scope is looked at there.
                let within = !footprint.calls_unknown
                    && !footprint.calls.is_empty()
                    && footprint.calls.iter().all(|callee| subject.scope.functions.contains_key(callee));
                let decides = match within {
                    true => facts.fails[node.index()],
                    false => footprint.may_stop || footprint.decides,
                };
                let loops = repeating[node.index()];
                let tail = function == subject.entry && self.tail[node.index()];
                if loops || (decides && !tail) {
                    work.push(((function, node), Matters::Value, Wanted::nothing()));
                }
            }
        }
        while let Some((at, matters, wanted)) = work.pop() {
            let matters = if subject.is_condition(at) { Matters::Value } else { matters };
            let (is_new, wants_more) = self.add(subject, at, matters, &wanted);
            let (function, node) = at;
            let facts = subject.facts(function);
            if is_new {
                let decides = |node: NodeId| ((function, node), Matters::Value, Wanted::nothing());
                work.extend(facts.graph.controlled_by[node.index()].iter().copied().map(decides));
                // What a statement computes may come from what its function is called with.
                let calls = callers.get(&function).into_iter().flatten();
                work.extend(calls.map(|&call| (call, matters.min(Matters::Reads), Wanted::nothing())));
                if matters >= Matters::Reads {
                    work.extend(facts.graph.gated_by[node.index()].iter().copied().map(decides));
                    let read = Wanted::before(subject, at);
                    let writers = facts.dependence.writers(node).into_iter();
                    work.extend(writers.map(|writer| ((function, writer), Matters::Value, read.clone())));
                }
            }
            if wants_more {
                let wanted = &self.wanted[&at];
                for &callee in &facts.callees[node.index()] {
                    let given = wanted.given_by(subject, callee).into_iter();
                    work.extend(given.map(|each| (each, Matters::Value, wanted.clone())));
                }
            }
        }
    }

    /// Adds that a statement matters. Whether it did not matter so much before, and whether more of its value is wanted
    /// now.
    fn add(
        &mut self,
        subject: &Subject<'_>,
        at: Statement,
        matters: Matters,
        wanted: &Wanted,
    ) -> (bool, bool) {
        let known = &mut self.relevant.get_mut(&at.0).expect("a function in scope")[at.1.index()];
        let is_new = known.is_none_or(|known| known < matters);
        if is_new {
            *known = Some(matters);
        }
        if matters < Matters::Value {
            return (is_new, false);
        }
        let all = self.wanted.entry(at).or_insert_with(|| Wanted::within(subject, at));
        let grows = all.add(wanted);
        (is_new, is_new || grows)
    }

    /// Whether a statement belongs to the slice.
    pub(crate) fn is_relevant(&self, (function, node): Statement) -> bool {
        self.relevant[&function][node.index()].is_some()
    }

    /// Asks that the branches outside of the slice are followed and not explored.
    pub(crate) fn follow(&self, watches: &mut Watches, subject: &Subject<'_>) {
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids() {
                if subject.is_condition((function, node)) && !self.is_relevant((function, node)) {
                    let block = facts.graph.node(node).block;
                    watches.follow(function, subject.function(function).terminator(block));
                }
            }
        }
    }

    /// How many statements belong to the slice, and how many there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        let all = || self.relevant.values().flatten();
        (all().flatten().count(), all().count())
    }

    /// Whether the change can be met at a statement or later in its function.
    pub(crate) fn is_ahead(&self, (function, node): Statement) -> bool {
        self.can_meet[&function][node.index()]
    }

    /// Whether the change can be met from here on.
    pub(crate) fn can_meet(&self, subject: &Subject<'_>, context: ContextId, target: FlowTarget) -> bool {
        let function = subject.context(context).function;
        match target {
            FlowTarget::Node(node) if self.can_meet[&function][node.index()] => true,
            FlowTarget::Node(_) | FlowTarget::End => self.can_meet_after(subject, context),
            FlowTarget::Nowhere => false,
        }
    }

    /// Whether the change can be met after the function of a context returns.
    fn can_meet_after(&self, subject: &Subject<'_>, context: ContextId) -> bool {
        if let Some(&known) = self.can_meet_after.borrow().get(&context) {
            return known;
        }
        let mut answer = false;
        let mut at = context;
        while let Some((caller, node)) = subject.context(at).caller {
            let function = subject.context(caller).function;
            let facts = subject.facts(function);
            let again = facts.callees[node.index()].iter().any(|&callee| subject.scope.is_dirty(callee));
            let ahead = subject.sides((function, node)).any(|(side, target)| {
                let target = target.node().is_some_and(|next| self.can_meet[&function][next.index()]);
                target || subject.is_gap((function, node), side)
            });
            answer |= again || ahead;
            at = caller;
        }
        self.can_meet_after.borrow_mut().insert(context, answer);
        answer
    }

    /// Whether nothing matters from here on, in the entry.
    pub(crate) fn is_tail(&self, target: FlowTarget) -> bool {
        match target {
            FlowTarget::Node(node) => self.tail[node.index()],
            FlowTarget::End => true,
            FlowTarget::Nowhere => false,
        }
    }
}

/// For each function, the statements that may call it.
type Callers = BTreeMap<FunctionId, Vec<Statement>>;

fn callers(subject: &Subject<'_>) -> Callers {
    let mut callers = Callers::new();
    for (&function, facts) in &subject.scope.functions {
        for node in facts.graph.ids() {
            for &callee in &facts.callees[node.index()] {
                callers.entry(callee).or_default().push((function, node));
            }
        }
    }
    callers
}

fn can_meet(subject: &Subject<'_>, function: FunctionId) -> Vec<bool> {
    let facts = subject.facts(function);
    let changes = facts.graph.ids().filter(|node| {
        let dirty = |callee: &FunctionId| subject.scope.is_dirty(*callee);
        facts.changes[node.index()] || facts.callees[node.index()].iter().any(dirty)
    });
    subject.backwards(function, changes.chain(facts.gaps.iter().filter_map(|gap| gap.from)))
}

/// For each statement of the entry, whether something affected lies there or ahead.
fn affected_ahead(subject: &Subject<'_>) -> Vec<bool> {
    let facts = subject.facts(subject.entry);
    let affected = subject.affected(crate::subject::ROOT);
    let affected = affected.into_iter().flat_map(|affected| affected.nodes());
    let gaps = facts.gaps.iter().filter_map(|gap| gap.from);
    // What is called may meet the change without an affected statement: all that it did was removed.
    let calls = facts
        .graph
        .ids()
        .filter(|node| facts.callees[node.index()].iter().any(|&callee| subject.scope.is_dirty(callee)));
    subject.backwards(subject.entry, affected.chain(gaps).chain(calls))
}

/// For each statement of the entry, whether one of these lies there or ahead.
fn targets_ahead(subject: &Subject<'_>, targets: &[Statement]) -> Vec<bool> {
    let callers = callers(subject);
    let mut leading: BTreeSet<FunctionId> = BTreeSet::new();
    let mut work: Vec<FunctionId> = targets.iter().map(|target| target.0).collect();
    while let Some(function) = work.pop() {
        if leading.insert(function) {
            work.extend(callers.get(&function).into_iter().flatten().map(|caller| caller.0));
        }
    }
    let facts = subject.facts(subject.entry);
    let own = targets.iter().filter(|target| target.0 == subject.entry).map(|target| target.1);
    let calls = facts
        .graph
        .ids()
        .filter(|node| facts.callees[node.index()].iter().any(|callee| leading.contains(callee)));
    subject.backwards(subject.entry, own.chain(calls))
}

/// For each statement of the entry, whether nothing there and later matters or is endless.
fn tail(subject: &Subject<'_>, ahead: Vec<bool>) -> Vec<bool> {
    let facts = subject.facts(subject.entry);
    let recursive = subject
        .scope
        .functions
        .values()
        .any(|facts| facts.callees.iter().any(|callees| callees.contains(&subject.entry)));
    if recursive {
        return vec![false; facts.graph.nodes.len()];
    }
    let long = facts.graph.ids().filter(|&node| {
        let footprint = facts.dependence.footprint(node);
        let calls = !footprint.calls.is_empty() || footprint.calls_unknown;
        facts.dependence.reach().in_loop(node) || (calls && footprint.may_stop)
    });
    let long = subject.backwards(subject.entry, long);
    facts.graph.ids().map(|node| !ahead[node.index()] && !long[node.index()]).collect()
}
