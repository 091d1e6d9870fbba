//! What the order of threads is explored for: the affected statements, and what they depend on in all threads.
//!
//! `S` of the guarantee: what affected statements read or are decided by, over all threads; the locks that are held
//! around what is in it, with all operations on these locks; and whatever waits, because it decides whether what
//! follows happens at all. The paper's backward set is the same without locks and waiting.

use super::Threads;
use super::sections::Sections;
use super::spread::{Spread, affected_in};
use crate::effects::Effects;
use crate::places::MemoryPlace;
use crate::scope::Scope;
use crate::whole_program::{Site, WholeImpact};
use crate::{Affected, FunctionFacts, NodeId, NodeKind};
use incise_ir::{FunctionId, Id, InstructionId};
use std::collections::{BTreeMap, BTreeSet};

/// The statements of which the order among threads matters to a change.
#[derive(Clone, Debug, Default)]
pub struct ThreadSlice {
    /// The affected statements.
    pub affected: BTreeSet<Site>,
    /// Those, and what they depend on.
    pub slice: BTreeSet<Site>,
    /// For each function that was looked at and each of its instructions, whether it is of a statement in the slice,
    /// and of one that is affected. Instructions of no statement count as both.
    instructions: BTreeMap<FunctionId, Vec<(bool, bool)>>,
}

impl ThreadSlice {
    /// Whether an instruction belongs to a statement in the slice. What was not looked at does.
    pub fn is_in_slice(&self, function: FunctionId, instruction: InstructionId) -> bool {
        self.known(function, instruction).is_none_or(|known| known.0)
    }

    /// Whether an instruction belongs to an affected statement. What was not looked at does.
    pub fn is_affected(&self, function: FunctionId, instruction: InstructionId) -> bool {
        self.known(function, instruction).is_none_or(|known| known.1)
    }

    fn known(&self, function: FunctionId, instruction: InstructionId) -> Option<(bool, bool)> {
        self.instructions.get(&function)?.get(instruction.index()).copied()
    }

    fn new(scope: &Scope<'_>, affected: BTreeSet<Site>, slice: BTreeSet<Site>) -> Self {
        let of = |(&function, facts): (&FunctionId, &FunctionFacts)| {
            let known = |owner: &Option<NodeId>| match *owner {
                Some(node) => (slice.contains(&(function, node)), affected.contains(&(function, node))),
                None => (true, true),
            };
            (function, facts.graph.owners.iter().map(known).collect())
        };
        let instructions = scope.functions.iter().map(of).collect();
        Self { affected, slice, instructions }
    }
}

impl WholeImpact<'_> {
    /// What the order of threads is explored for; `None` if nothing changed, or there are no threads.
    pub fn thread_slice(&self, effects: &Effects) -> Option<ThreadSlice> {
        let (scope, spread) = (self.scope.as_ref()?, self.spread.as_ref()?);
        let affected = self.affected_sites(scope);
        let waiting = spread.sections().waits.iter().chain(&spread.sections().looks).copied();
        let seeds: BTreeSet<Site> = affected.iter().copied().chain(waiting).collect();
        let slice = Slicing { scope, effects, spread }.backward(seeds, true);
        Some(ThreadSlice::new(scope, affected, slice))
    }

    /// All affected statements of the new version.
    fn affected_sites(&self, scope: &Scope<'_>) -> BTreeSet<Site> {
        let all = affected_in(scope, &scope.reached(&self.roots));
        let sites = |(&function, affected): (&FunctionId, &Affected)| {
            affected.nodes().map(|node| (function, node)).collect::<Vec<Site>>()
        };
        all.iter().flat_map(sites).collect()
    }

    /// The statements that some depend on, over all threads, as the paper has it: by data and by control.
    pub fn threads_backward(&self, effects: &Effects, seeds: &[Site]) -> BTreeSet<Site> {
        let (Some(scope), Some(spread)) = (&self.scope, &self.spread) else { return BTreeSet::new() };
        Slicing { scope, effects, spread }.backward(seeds.iter().copied().collect(), false)
    }
}

struct Slicing<'s, 'a> {
    scope: &'s Scope<'a>,
    effects: &'s Effects,
    spread: &'s Spread,
}

impl Slicing<'_, '_> {
    fn backward(&self, seeds: BTreeSet<Site>, with_locks: bool) -> BTreeSet<Site> {
        let mut found = BTreeSet::new();
        let mut work: Vec<Site> = seeds.into_iter().collect();
        loop {
            while let Some(site) = work.pop() {
                if found.insert(site) {
                    self.add_feeding(site, &mut work);
                }
            }
            if with_locks {
                self.add_locks(&found, &mut work);
            }
            if work.is_empty() {
                return found;
            }
        }
    }

    fn threads(&self) -> &Threads {
        &self.spread.threads
    }

    /// Adds what a statement depends on.
    fn add_feeding(&self, (function, node): Site, work: &mut Vec<Site>) {
        let facts = self.scope.facts(function);
        work.extend(facts.graph.controlled_by[node.index()].iter().map(|&decider| (function, decider)));
        work.extend(facts.graph.gated_by[node.index()].iter().map(|&decider| (function, decider)));
        // Whoever calls the function, or starts it, decides about it, and gives it its arguments.
        work.extend(self.threads().callers_of(function));
        let started = self.threads().kinds.iter().filter(|kind| kind.roots.contains(&function));
        work.extend(started.filter_map(|kind| kind.site));
        self.add_results((function, node), work);
        self.add_writers((function, node), work);
    }

    /// Adds what gives back the results that a statement gets: of what it calls, and of threads whose end it waits for.
    fn add_results(&self, (function, node): Site, work: &mut Vec<Site>) {
        let facts = self.scope.facts(function);
        let called = facts.callees[node.index()].iter().filter(|callee| !facts.is_started(node, **callee));
        let joins = facts.joins.iter().any(|(join, _)| *join == node);
        let threads = self.threads().kinds.iter().filter(|kind| joins && kind.site.is_some());
        for callee in called.chain(threads.flat_map(|kind| &kind.roots)) {
            let graph = &self.scope.facts(*callee).graph;
            let returns = graph.ids().filter(|&each| graph.node(each).kind == NodeKind::Return);
            work.extend(returns.map(|each| (*callee, each)));
        }
        if joins {
            work.extend(self.spread.thread_ends(self.scope));
        }
    }

    /// Adds the statements that may have written what a statement reads.
    fn add_writers(&self, (function, node): Site, work: &mut Vec<Site>) {
        let facts = self.scope.facts(function);
        let reads = &facts.dependence.footprint(node).own_reads;
        let own = facts.dependence.known_writers(node);
        let overlaps =
            |write: &MemoryPlace| reads.iter().any(|read| facts.dependence.places().may_overlap(read, write));
        let writes = |writer: &NodeId| facts.dependence.footprint(*writer).own_writes.iter().any(overlaps);
        work.extend(own.iter().copied().filter(writes).map(|writer| (function, writer)));
        work.extend(self.spread.writers_for(self.scope.program, self.effects, (function, node)));
    }

    /// Adds the locks that are held around what is in the slice.
    fn add_locks(&self, slice: &BTreeSet<Site>, work: &mut Vec<Site>) {
        let sections: &Sections = self.spread.sections();
        for section in &sections.sections {
            if section.sites.iter().any(|site| slice.contains(site)) {
                let bounds = std::iter::once(section.start).chain(section.ends.iter().copied());
                work.extend(bounds.filter(|site| !slice.contains(site)));
            }
        }
    }
}
