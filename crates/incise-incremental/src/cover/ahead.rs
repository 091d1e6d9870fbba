//! What lies ahead of a state: which marks it may still come to, in its function, in what that calls, and up the call
//! stack.
//!
//! A function is looked at once for each of its activations, and once more as it is called where nothing is affected in
//! it: that is a [`Kind`]. What lies ahead within a call is known for each kind and statement; what lies ahead after
//! the call returns follows from the calling context.

use super::bits::Bits;
use crate::subject::{ContextId, Subject};
use incise_change::{ActivationId, FlowTarget, NodeId};
use incise_ir::FunctionId;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A function and what is affected in it.
pub(crate) type Kind = (FunctionId, Option<ActivationId>);

/// The kinds that the entry leads to, each with its calls.
pub(crate) struct Kinds {
    pub(crate) all: Vec<Kind>,
    index: BTreeMap<Kind, usize>,
    /// For each kind, the statements that call it and the kinds that they belong to.
    pub(crate) callers: Vec<Vec<(usize, NodeId)>>,
}

impl Kinds {
    pub(crate) fn new(subject: &Subject<'_>) -> Self {
        let root = (subject.entry, subject.context(crate::subject::ROOT).activation);
        let mut kinds =
            Self { all: vec![root], index: BTreeMap::from([(root, 0)]), callers: vec![Vec::new()] };
        let mut next = 0;
        while next < kinds.all.len() {
            let function = kinds.all[next].0;
            for node in subject.graph(function).ids() {
                for &callee in &subject.facts(function).callees[node.index()] {
                    let called = called(subject, kinds.all[next], node, callee);
                    let known = match kinds.index.get(&called) {
                        Some(&known) => known,
                        None => {
                            kinds.all.push(called);
                            kinds.callers.push(Vec::new());
                            kinds.index.insert(called, kinds.all.len() - 1);
                            kinds.all.len() - 1
                        }
                    };
                    kinds.callers[known].push((next, node));
                }
            }
            next += 1;
        }
        kinds
    }

    /// The position of a kind that the entry leads to.
    pub(crate) fn find(&self, kind: Kind) -> Option<usize> {
        self.index.get(&kind).copied()
    }

    /// The kinds that a statement calls.
    pub(crate) fn calls(&self, subject: &Subject<'_>, kind: usize, node: NodeId) -> Vec<usize> {
        let from = self.all[kind];
        let callees = &subject.facts(from.0).callees[node.index()];
        callees.iter().filter_map(|&callee| self.find(called(subject, from, node, callee))).collect()
    }
}

/// What a call makes of a function.
fn called(subject: &Subject<'_>, from: Kind, node: NodeId, callee: FunctionId) -> Kind {
    let activation = from.1.and_then(|id| subject.scope.activation(id).calls.get(&(node, callee)).copied());
    (callee, activation)
}

/// Where marks are.
#[derive(Default)]
pub(crate) struct Marks {
    /// How many there are.
    pub(crate) count: usize,
    /// At statements of kinds.
    pub(crate) nodes: FxHashMap<(usize, NodeId), Vec<u32>>,
    /// At the starts of kinds.
    pub(crate) starts: FxHashMap<usize, Vec<u32>>,
    /// At the ends of kinds that return nothing.
    pub(crate) ends: FxHashMap<usize, Vec<u32>>,
}

/// For each statement of each kind, the marks that lie there or ahead.
pub(crate) struct Ahead {
    pub(crate) kinds: Kinds,
    marks: Marks,
    /// For each kind, the sets of its statements, then that of its end.
    within: Vec<Vec<Bits>>,
    /// For each context, what lies ahead after its function returns.
    above: RefCell<FxHashMap<ContextId, Rc<Bits>>>,
}

impl Ahead {
    pub(crate) fn new(subject: &Subject<'_>, kinds: Kinds, marks: Marks) -> Self {
        let mut within: Vec<Vec<Bits>> = Vec::new();
        for (kind, &(function, _)) in kinds.all.iter().enumerate() {
            let graph = subject.graph(function);
            let mut sets = vec![Bits::new(marks.count); graph.nodes.len() + 1];
            for node in graph.ids() {
                let own = marks.nodes.get(&(kind, node));
                own.into_iter().flatten().for_each(|&mark| sets[node.index()].insert(mark));
            }
            let end = sets.len() - 1;
            marks.ends.get(&kind).into_iter().flatten().for_each(|&mark| sets[end].insert(mark));
            within.push(sets);
        }
        let mut ahead = Self { kinds, marks, within, above: RefCell::default() };
        while ahead.spread(subject) {}
        ahead
    }

    /// Takes each set back to what leads to it; says whether one grew.
    fn spread(&mut self, subject: &Subject<'_>) -> bool {
        let mut grew = false;
        for kind in (0..self.kinds.all.len()).rev() {
            let function = self.kinds.all[kind].0;
            for node in subject.graph(function).ids().rev() {
                let mut set = std::mem::take(&mut self.within[kind][node.index()]);
                for called in self.kinds.calls(subject, kind, node) {
                    grew |= self.add_call(subject, called, &mut set);
                }
                for &target in subject.graph(function).successors(node) {
                    // A way back to the statement itself adds nothing.
                    if target != FlowTarget::Node(node)
                        && let Some(more) = self.at(kind, target)
                    {
                        grew |= set.extend(more);
                    }
                }
                self.within[kind][node.index()] = set;
            }
        }
        grew
    }

    /// Adds what a call comes to.
    fn add_call(&self, subject: &Subject<'_>, called: usize, set: &mut Bits) -> bool {
        let mut grew = false;
        for &mark in self.marks.starts.get(&called).into_iter().flatten() {
            grew |= !set.contains(mark);
            set.insert(mark);
        }
        let entry = subject.graph(self.kinds.all[called].0).entry;
        // A set that is being added to is taken out for so long: a function that calls itself adds nothing there.
        grew | self.at(called, entry).is_some_and(|more| set.extend(more))
    }

    /// What lies ahead within the call.
    fn at(&self, kind: usize, target: FlowTarget) -> Option<&Bits> {
        match target {
            FlowTarget::Node(node) => Some(&self.within[kind][node.index()]),
            FlowTarget::End => self.within[kind].last(),
            FlowTarget::Nowhere => None,
        }
    }

    /// A set without a mark.
    pub(crate) fn empty(&self) -> Bits {
        Bits::new(self.marks.count)
    }

    /// The marks at a statement itself.
    pub(crate) fn own(&self, kind: usize, node: NodeId) -> &[u32] {
        self.marks.nodes.get(&(kind, node)).map_or(&[], Vec::as_slice)
    }

    /// The marks at the start of a kind.
    pub(crate) fn starts(&self, kind: usize) -> &[u32] {
        self.marks.starts.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The marks at the end of a kind.
    pub(crate) fn ends(&self, kind: usize) -> &[u32] {
        self.marks.ends.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// The position of the kind of a context.
    pub(crate) fn kind(&self, subject: &Subject<'_>, context: ContextId) -> Option<usize> {
        let context = subject.context(context);
        self.kinds.find((context.function, context.activation))
    }

    /// What lies ahead of a place, within the call and after it returns.
    pub(crate) fn of(
        &self,
        subject: &Subject<'_>,
        context: ContextId,
        target: FlowTarget,
    ) -> (Bits, Rc<Bits>) {
        let within = self.kind(subject, context).and_then(|kind| self.at(kind, target)).cloned();
        (within.unwrap_or_else(|| Bits::new(self.marks.count)), self.above(subject, context))
    }

    /// What lies ahead of the start of the entry.
    pub(crate) fn of_start(&self, subject: &Subject<'_>) -> Bits {
        let mut set = Bits::new(self.marks.count);
        self.add_call(subject, 0, &mut set);
        set
    }

    fn above(&self, subject: &Subject<'_>, context: ContextId) -> Rc<Bits> {
        let mut above = self.above.borrow_mut();
        let mut unknown = Vec::new();
        let mut at = context;
        let mut set = loop {
            if let Some(known) = above.get(&at) {
                break Rc::clone(known);
            }
            unknown.push(at);
            match subject.context(at).caller {
                Some((caller, _)) => at = caller,
                None => break Rc::new(Bits::new(self.marks.count)),
            }
        };
        for context in unknown.into_iter().rev() {
            if let Some((caller, node)) = subject.context(context).caller {
                let mut more = Bits::clone(&set);
                if self.add_after(subject, caller, node, &mut more) {
                    set = Rc::new(more);
                }
            }
            above.insert(context, Rc::clone(&set));
        }
        set
    }

    /// Adds what lies ahead after a call returns.
    fn add_after(&self, subject: &Subject<'_>, caller: ContextId, node: NodeId, set: &mut Bits) -> bool {
        let Some(kind) = self.kind(subject, caller) else { return false };
        let function = self.kinds.all[kind].0;
        let mut grew = false;
        for &mark in self.own(kind, node) {
            grew |= !set.contains(mark);
            set.insert(mark);
        }
        let facts = subject.facts(function);
        for called in self.kinds.calls(subject, kind, node) {
            // A function that is not in scope, as `qsort`, may call it any number of times.
            let direct = facts.dependence.footprint(node).calls.contains(&self.kinds.all[called].0);
            if facts.several_calls[node.index()] || !direct {
                grew |= self.add_call(subject, called, set);
            }
        }
        for &target in subject.graph(function).successors(node) {
            grew |= self.at(kind, target).is_some_and(|more| set.extend(more));
        }
        grew
    }
}
