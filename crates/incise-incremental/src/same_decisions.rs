//! Which statements decide as they did in the old version, whenever the unaffected decisions before them are the same.
//!
//! The rules of DiSE say which statements read something else than before. That is not enough to conclude from old
//! executions what new ones do: a statement that reads what it read may now be executed where it was not, or the other
//! way round. So everything that an affected condition of either version decides about is *unsteady* here, and what
//! lies between where the ways of the versions part and where they meet again (`parted_ways.rs`); also across calls:
//! the body of a function, if one of its calls is. What unsteady statements write makes their readers unsteady. What is
//! affected only because something affected reads it, by rule (4), computes what it did. Calling contexts are not told
//! apart.

use crate::parted_ways::between;
use crate::subject::{Statement, Subject};
use incise_change::Impact;
use incise_ir::{FunctionId, Id, InstructionId};
use std::collections::{BTreeMap, BTreeSet};

/// The unsteady statements of both versions.
pub(crate) struct Steadiness {
    unsteady: BTreeMap<FunctionId, Vec<bool>>,
    before: BTreeMap<FunctionId, Vec<bool>>,
}

impl Steadiness {
    /// Of an entry in both versions.
    pub(crate) fn new(new: &Subject<'_>, old: &Subject<'_>, impact: &Impact<'_>) -> Self {
        let (mut after, mut before) = (Version::new(new), Version::new(old));
        let pairs = Pairs::new(new, old, impact);
        let between = between(old, new, &pairs.statements);
        before.mark_all(&between.old);
        after.mark_all(&between.new);
        // What is unsteady in one version is so in the other, and spreads there in its own ways.
        loop {
            after.close();
            before.close();
            let carried = pairs.carry(&mut before, &mut after);
            if !carried {
                return Self { unsteady: after.unsteady, before: before.unsteady };
            }
        }
    }

    /// Whether a statement of the old version may decide something else, or elsewhere, in the new one.
    pub(crate) fn was_unsteady(&self, (function, node): Statement) -> bool {
        self.before.get(&function).is_none_or(|nodes| nodes[node.index()])
    }

    /// Whether a statement may decide something else, or elsewhere, than in the old version.
    pub(crate) fn is_unsteady(&self, (function, node): Statement) -> bool {
        self.unsteady.get(&function).is_none_or(|nodes| nodes[node.index()])
    }
}

/// What is known of one version.
struct Version<'a> {
    subject: &'a Subject<'a>,
    unsteady: BTreeMap<FunctionId, Vec<bool>>,
    /// For each statement, those that decide about it or depend on what it writes or decides.
    spreads: BTreeMap<Statement, Vec<Statement>>,
    /// For each condition, the functions that are called where it decides.
    calls: BTreeMap<Statement, Vec<FunctionId>>,
    /// For each function, the statements that call it: what it does may be told by them.
    callers: BTreeMap<FunctionId, Vec<Statement>>,
    /// What is to be spread.
    work: Vec<Statement>,
}

impl<'a> Version<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let mut version = Self {
            subject,
            unsteady: BTreeMap::new(),
            spreads: BTreeMap::new(),
            calls: BTreeMap::new(),
            callers: BTreeMap::new(),
            work: Vec::new(),
        };
        for (&function, facts) in &subject.scope.functions {
            version.unsteady.insert(function, vec![false; facts.graph.nodes.len()]);
        }
        let mut called_anew: Vec<FunctionId> = Vec::new();
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids() {
                let at = (function, node);
                let callees = &facts.callees[node.index()];
                let graph = &facts.graph;
                let deciders = graph.controlled_by[node.index()].iter().chain(&graph.gated_by[node.index()]);
                for &decider in deciders {
                    version.spreads.entry((function, decider)).or_default().push(at);
                    version.calls.entry((function, decider)).or_default().extend(callees);
                }
                for writer in facts.dependence.writers(node) {
                    version.spreads.entry((function, writer)).or_default().push(at);
                }
                for &callee in callees {
                    version.callers.entry(callee).or_default().push(at);
                }
                if facts.changes[node.index()] {
                    version.mark(at);
                    called_anew.extend(callees);
                }
            }
        }
        for activation in subject.activations() {
            let activation = subject.scope.activation(activation);
            // What merely feeds a statement that the change influences is what it was.
            let influenced = activation.affected.nodes().filter(|&node| activation.affected.is_forward(node));
            influenced.for_each(|node| version.mark((activation.function, node)));
        }
        version.enter_all(called_anew);
        version
    }

    fn mark(&mut self, (function, node): Statement) {
        if let Some(nodes) = self.unsteady.get_mut(&function)
            && !std::mem::replace(&mut nodes[node.index()], true)
        {
            self.work.push((function, node));
        }
    }

    /// Marks statements that one version may execute where the other does not, with what they call.
    fn mark_all(&mut self, statements: &BTreeSet<Statement>) {
        for &(function, node) in statements {
            self.mark((function, node));
            self.enter_all(self.subject.facts(function).callees[node.index()].clone());
        }
    }

    /// Marks everything in functions, and in what they call.
    fn enter_all(&mut self, functions: Vec<FunctionId>) {
        let mut work = functions;
        let mut entered = BTreeSet::new();
        while let Some(function) = work.pop() {
            if entered.insert(function) && self.unsteady[&function].contains(&false) {
                let facts = self.subject.facts(function);
                facts.graph.ids().for_each(|node| self.mark((function, node)));
                work.extend(facts.callees.iter().flatten());
            }
        }
    }

    fn close(&mut self) {
        while let Some(at) = self.work.pop() {
            for next in self.spreads.remove(&at).unwrap_or_default() {
                self.mark(next);
            }
            for caller in self.callers.remove(&at.0).unwrap_or_default() {
                self.mark(caller);
            }
            if let Some(callees) = self.calls.remove(&at) {
                self.enter_all(callees);
            }
        }
    }
}

/// The statements of both versions that belong together.
struct Pairs {
    statements: Vec<(Statement, Statement)>,
}

impl Pairs {
    fn new(new: &Subject<'_>, old: &Subject<'_>, impact: &Impact<'_>) -> Self {
        let mut statements = Vec::new();
        for &function in new.scope.functions.keys() {
            let Some(before) = impact.versions.old_of(function) else { continue };
            if !old.scope.functions.contains_key(&before) {
                continue;
            }
            match impact.functions.iter().find(|each| each.function == function) {
                Some(changed) => {
                    let Some(graph) = &changed.alignment.old_graph else { continue };
                    // The statements of a line may be taken apart in another way when the versions are exchanged.
                    for (index, &owner) in graph.owners.iter().enumerate() {
                        let instruction = InstructionId::from_index(index);
                        let there = owner.and_then(|owner| changed.alignment.to_new[owner.index()]);
                        if let (Some(node), Some(there)) = (old.owner(before, instruction), there) {
                            statements.push(((before, node), (function, there)));
                        }
                    }
                }
                // Functions that do the same have the same instructions.
                None => {
                    for (index, &owner) in new.graph(function).owners.iter().enumerate() {
                        let instruction = InstructionId::from_index(index);
                        if let (Some(node), Some(there)) = (old.owner(before, instruction), owner) {
                            statements.push(((before, node), (function, there)));
                        }
                    }
                }
            }
        }
        statements.sort_unstable();
        statements.dedup();
        Self { statements }
    }

    /// Marks in each version what is unsteady in the other; says whether that was anything.
    fn carry(&self, before: &mut Version<'_>, after: &mut Version<'_>) -> bool {
        let is = |version: &Version<'_>, (function, node): Statement| {
            version.unsteady.get(&function).is_some_and(|nodes| nodes[node.index()])
        };
        let mut any = false;
        for &(old, new) in &self.statements {
            match (is(before, old), is(after, new)) {
                (true, false) => after.mark(new),
                (false, true) => before.mark(old),
                _ => continue,
            }
            any = true;
        }
        any
    }
}
