//! A plain forward slice of a program, to compare impact sets with: what a change may influence when calling contexts
//! are not told apart.
//!
//! The closure over data and control dependence, from the changed statements, without contexts: what comes into a
//! function by one call leaves it by all, its parameters are one, and what is written to a global variable or to memory
//! is read by every statement of the program that may read it, whenever that is executed. Dependence within a function
//! is that of the impact sets, so that what differs is how impact flows between functions. As with impact sets, that a
//! call is made at all because of a statement in the slice does not put everything in the called function there.

use crate::function_facts::FunctionFacts;
use crate::scope::{Outputs, Scope};
use crate::whole_program::Site;
use crate::{Base, NodeId, NodeKind};
use incise_ir::{FunctionId, GlobalId};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of the functions in scope that are in the slice.
pub fn forward_slice(scope: &Scope<'_>) -> BTreeSet<Site> {
    let index = Index::new(scope);
    let mut slice =
        Slice { found: BTreeSet::new(), work: Vec::new(), globals: BTreeSet::new(), memory: false };
    for (&function, facts) in &scope.functions {
        slice.add(scope.seeds(function).map(|step| (function, step.node)));
        slice.write(&index, &facts.lost);
        if facts.lost.result {
            slice.add(index.callers_of(function));
        }
    }
    while let Some((function, node)) = slice.work.pop() {
        let facts = scope.facts(function);
        slice.add(facts.dependence.readers(node).into_iter().map(|reader| (function, reader)));
        slice.add(index.decided_by(function, node));
        for &callee in &facts.callees[node.index()] {
            slice.add(index.given.get(&callee).into_iter().flatten().map(|&reader| (callee, reader)));
        }
        if facts.graph.node(node).kind == NodeKind::Return {
            slice.add(index.callers_of(function));
        }
        let mut written = Outputs::default();
        written.add(facts, &facts.dependence.footprint(node).writes);
        slice.write(&index, &written);
    }
    slice.found
}

struct Slice {
    found: BTreeSet<Site>,
    work: Vec<Site>,
    /// The global variables whose readers are in the slice.
    globals: BTreeSet<GlobalId>,
    /// Whether whoever reads memory is.
    memory: bool,
}

impl Slice {
    fn add(&mut self, sites: impl IntoIterator<Item = Site>) {
        for site in sites {
            if self.found.insert(site) {
                self.work.push(site);
            }
        }
    }

    fn write(&mut self, index: &Index, written: &Outputs) {
        for &global in &written.globals {
            if self.globals.insert(global) {
                self.add(index.readers.get(&global).into_iter().flatten().copied());
            }
        }
        if !written.memory.is_empty() && !self.memory {
            self.memory = true;
            self.add(index.memory.iter().copied());
        }
    }
}

/// Who reads what, in all functions.
struct Index {
    /// For each function, the statements that read parameters.
    given: BTreeMap<FunctionId, Vec<NodeId>>,
    /// For each function, the statements that call it.
    callers: BTreeMap<FunctionId, Vec<Site>>,
    /// For each statement that decides, those that it decides about.
    decided: BTreeMap<Site, Vec<NodeId>>,
    /// For each global variable, the statements that may read it.
    readers: BTreeMap<GlobalId, Vec<Site>>,
    /// The statements that may read what pointers lead to.
    memory: Vec<Site>,
}

impl Index {
    fn new(scope: &Scope<'_>) -> Self {
        let mut index = Self {
            given: BTreeMap::new(),
            callers: BTreeMap::new(),
            decided: BTreeMap::new(),
            readers: BTreeMap::new(),
            memory: Vec::new(),
        };
        for (&function, facts) in &scope.functions {
            index.given.insert(function, readers_of_parameters(facts));
            for node in facts.graph.ids() {
                let site = (function, node);
                let graph = &facts.graph;
                let deciders = graph.controlled_by[node.index()].iter().chain(&graph.gated_by[node.index()]);
                for &decider in deciders {
                    index.decided.entry((function, decider)).or_default().push(node);
                }
                for &callee in &facts.callees[node.index()] {
                    index.callers.entry(callee).or_default().push(site);
                }
                index.add_reads(facts, site);
            }
        }
        index
    }

    fn add_reads(&mut self, facts: &FunctionFacts, site: Site) {
        let mut read = Outputs::default();
        let reads = &facts.dependence.footprint(site.1).reads;
        read.add(facts, reads);
        // What a pointer leads to may be a global variable, and the other way round.
        let reads_memory = !read.memory.is_empty()
            || reads.iter().any(|place| {
                let memory = crate::MemoryPlace { base: Base::Memory, range: None };
                matches!(place.base, Base::Global(_)) && facts.dependence.places().may_overlap(place, &memory)
            });
        for global in read.globals {
            self.readers.entry(global).or_default().push(site);
        }
        if reads_memory {
            self.memory.push(site);
        }
    }

    fn callers_of(&self, function: FunctionId) -> impl Iterator<Item = Site> + '_ {
        self.callers.get(&function).into_iter().flatten().copied()
    }

    fn decided_by(&self, function: FunctionId, node: NodeId) -> impl Iterator<Item = Site> + '_ {
        let decided = self.decided.get(&(function, node)).into_iter().flatten();
        decided.map(move |&node| (function, node))
    }
}

/// The statements of a function that read a parameter.
fn readers_of_parameters(facts: &FunctionFacts) -> Vec<NodeId> {
    let mut found: BTreeSet<NodeId> = facts.parameters.iter().flat_map(|(_, users)| users).copied().collect();
    let homes: Vec<_> = facts.parameters.iter().flat_map(|(homes, _)| homes).collect();
    let places = facts.dependence.places();
    for node in facts.graph.ids() {
        let reads = &facts.dependence.footprint(node).reads;
        if reads.iter().any(|place| homes.iter().any(|home| places.may_overlap(home, place))) {
            found.insert(node);
        }
    }
    found.into_iter().collect()
}
