//! The synchronisation rule: what an affected synchronisation orders is affected.
//!
//! For a lock these are the statements between it and its unlock, whichever of the two is affected; for a start of a
//! thread all that the thread does; for waiting, for whatever it is, all that follows in the thread. A loop that
//! another thread's write ends waits too.
//!
//! A section ends where the same lock is surely given back, in the function or in one that it calls. Where that is not
//! sure, it goes on to the end of the thread.

use super::{Threads, synchronising};
use crate::effects::Effects;
use crate::graph::FlowTarget;
use crate::places::{Base, MemoryPlace};
use crate::scope::Scope;
use crate::synchronisation::Synchronisation;
use crate::whole_program::Site;
use crate::{FunctionFacts, NodeId, NodeKind};
use incise_ir::{Call, FunctionId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What a lock guards.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The statement that takes the lock.
    pub(crate) start: Site,
    /// The statements up to where it is given back, both included, with all that they call.
    pub(crate) sites: BTreeSet<Site>,
    /// Those that give it back.
    pub(crate) ends: BTreeSet<Site>,
}

/// What synchronisations order.
#[derive(Debug, Default)]
pub(crate) struct Sections {
    pub(crate) sections: Vec<Section>,
    /// The statements that wait, by what they call.
    pub(crate) waits: BTreeSet<Site>,
    /// The conditions of loops that another thread's write ends.
    pub(crate) awaits: BTreeSet<Site>,
    /// The conditions of loops that look at what others can reach: such a loop may wait, for ever if nobody writes it.
    pub(crate) looks: BTreeSet<Site>,
}

impl Sections {
    pub(crate) fn new(
        threads: &Threads,
        scope: &Scope<'_>,
        effects: &Effects,
        (is_shared, is_written_elsewhere): (&dyn Fn(Site) -> bool, &dyn Fn(Site) -> bool),
    ) -> Self {
        let finder = Finder { threads, scope, effects, released: RefCell::default() };
        let mut found = Self::default();
        for (&function, facts) in &scope.functions {
            for each in synchronising(scope.program, &facts.graph) {
                let site = (function, each.node);
                match each.how {
                    Synchronisation::Acquires | Synchronisation::Begins => {
                        let lock = finder.lock(function, each.how, each.call);
                        found.sections.push(finder.section(site, each.instruction, lock));
                    }
                    Synchronisation::Waits | Synchronisation::Joins => {
                        found.waits.insert(site);
                    }
                    _ => {}
                }
            }
            for node in facts.graph.ids().filter(|&node| leaves_loop(facts, node)) {
                let feeding = finder.feeding_in_loop((function, node));
                if feeding.iter().copied().any(is_shared) {
                    found.looks.insert((function, node));
                }
                if feeding.into_iter().any(is_written_elsewhere) {
                    found.awaits.insert((function, node));
                }
            }
        }
        found
    }
}

/// Whether a statement is a condition that may end a loop.
fn leaves_loop(facts: &FunctionFacts, node: NodeId) -> bool {
    let reach = facts.dependence.reach();
    let leaves =
        |target: &FlowTarget| target.node().is_none_or(|next| next != node && !reach.can_reach(next, node));
    facts.graph.node(node).kind == NodeKind::Condition
        && reach.in_loop(node)
        && facts.graph.successors(node).iter().any(leaves)
}

/// All statements that may be executed after one in the same thread, whoever called its function.
pub(crate) fn follow(threads: &Threads, scope: &Scope<'_>, site: Site) -> BTreeSet<Site> {
    let mut found = BTreeSet::new();
    let mut functions = BTreeSet::new();
    let mut work = vec![site];
    let mut begun = BTreeSet::new();
    while let Some((function, from)) = work.pop() {
        if !begun.insert((function, from)) {
            continue;
        }
        let facts = scope.facts(function);
        let reach = facts.dependence.reach();
        let again = facts.several_calls[from.index()] && (function, from) != site;
        let after = facts.graph.ids().filter(|&node| reach.can_reach(from, node) || again && node == from);
        for node in after {
            found.insert((function, node));
            functions.extend(threads.called_by(scope, (function, node)));
        }
        for (caller, node) in threads.callers_of(function) {
            // The rest of the calling statement comes after it.
            found.insert((caller, node));
            work.push((caller, node));
        }
    }
    functions.into_iter().for_each(|function| found.extend(statements(scope, function)));
    found
}

/// All statements of a function.
pub(super) fn statements(scope: &Scope<'_>, function: FunctionId) -> impl Iterator<Item = Site> + use<> {
    scope.facts(function).graph.ids().map(move |node| (function, node))
}

/// A lock as a function names it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Lock {
    /// This one, and no other.
    Sure(MemoryPlace),
    /// That of blocks which are done in one step.
    Atomic,
    /// One of several.
    Unsure,
}

struct Finder<'f, 'a> {
    threads: &'f Threads,
    scope: &'f Scope<'a>,
    effects: &'f Effects,
    /// For each function, the locks that it surely gives back, as it names them; nothing while it is looked at.
    released: RefCell<BTreeMap<FunctionId, Vec<Lock>>>,
}

impl Finder<'_, '_> {
    /// The lock that a call is about.
    fn lock(&self, function: FunctionId, how: Synchronisation, call: &Call) -> Lock {
        if matches!(how, Synchronisation::Begins | Synchronisation::Ends) {
            return Lock::Atomic;
        }
        let pointers = self.effects.pointers(self.scope.program, function);
        let Some(&pointer) = call.arguments.first() else { return Lock::Unsure };
        match pointers.access(pointer, Some(1), false).places[..] {
            [place] => sure(place),
            _ => Lock::Unsure,
        }
    }

    /// The locks that a statement surely gives back, as its function names them.
    fn released_by(&self, (function, node): Site) -> Vec<Lock> {
        let facts = self.scope.facts(function);
        let own = synchronising(self.scope.program, &facts.graph).filter(|each| each.node == node);
        let own = own.filter(|each| matches!(each.how, Synchronisation::Releases | Synchronisation::Ends));
        let mut found: Vec<Lock> = own.map(|each| self.lock(function, each.how, each.call)).collect();
        if let [callee] = facts.callees[node.index()][..]
            && !facts.is_started(node, callee)
            && facts.dependence.footprint(node).calls.contains(&callee)
        {
            for lock in self.released_in(callee) {
                found.push(match lock {
                    Lock::Sure(MemoryPlace { base: Base::Local(_), .. }) => Lock::Unsure,
                    Lock::Sure(place) => match facts.passed(node, callee, &place)[..] {
                        [place] => sure(place),
                        _ => Lock::Unsure,
                    },
                    other => other,
                });
            }
        }
        found
    }

    /// The locks that a function surely gives back, as it names them.
    fn released_in(&self, function: FunctionId) -> Vec<Lock> {
        if let Some(known) = self.released.borrow().get(&function) {
            return known.clone();
        }
        self.released.borrow_mut().insert(function, Vec::new());
        let graph = &self.scope.facts(function).graph;
        let by_node: Vec<Vec<Lock>> = graph.ids().map(|node| self.released_by((function, node))).collect();
        let mut found: Vec<Lock> = Vec::new();
        for &lock in by_node.iter().flatten().filter(|lock| **lock != Lock::Unsure) {
            let ends = |node: NodeId| by_node[node.index()].contains(&lock);
            if !found.contains(&lock) && !self.comes_to_end(function, &[graph.entry], &ends) {
                found.push(lock);
            }
        }
        self.released.borrow_mut().insert(function, found.clone());
        found
    }

    /// Whether a function may come to its end from some places without one of some statements.
    fn comes_to_end(&self, function: FunctionId, from: &[FlowTarget], ends: &dyn Fn(NodeId) -> bool) -> bool {
        let graph = &self.scope.facts(function).graph;
        let (mut work, mut seen) = (from.to_vec(), BTreeSet::new());
        while let Some(target) = work.pop() {
            match target {
                FlowTarget::End => return true,
                FlowTarget::Node(node) if seen.insert(node) && !ends(node) => {
                    work.extend(graph.successors(node));
                }
                _ => {}
            }
        }
        false
    }

    /// What a lock guards that is taken by an instruction of a statement.
    fn section(&self, start: Site, taking: incise_ir::InstructionId, lock: Lock) -> Section {
        let mut section = Section { start, sites: BTreeSet::from([start]), ends: BTreeSet::new() };
        if self.is_given_back_at_once(start, taking, lock) {
            section.ends.insert(start);
            return section;
        }
        let mut work = vec![(start, lock)];
        let mut begun = Vec::new();
        while let Some(((function, from), lock)) = work.pop() {
            if begun.contains(&((function, from), lock)) {
                continue;
            }
            begun.push(((function, from), lock));
            if self.walk((function, from), lock, &mut section) {
                for call in self.threads.callers_of(function) {
                    section.sites.insert(call);
                    work.push((call, self.for_caller(call, function, lock)));
                }
            }
        }
        self.add_called(&mut section.sites);
        section
    }

    /// Adds all that statements call.
    fn add_called(&self, sites: &mut BTreeSet<Site>) {
        let called: BTreeSet<FunctionId> =
            sites.iter().flat_map(|&site| self.threads.called_by(self.scope, site)).collect();
        called.into_iter().for_each(|function| sites.extend(statements(self.scope, function)));
    }

    /// Adds what follows a statement up to where the lock is given back; says whether the function may end before.
    fn walk(&self, (function, from): Site, lock: Lock, section: &mut Section) -> bool {
        let graph = &self.scope.facts(function).graph;
        let mut work = graph.successors(from).to_vec();
        let (mut seen, mut returns) = (BTreeSet::new(), false);
        while let Some(target) = work.pop() {
            match target {
                FlowTarget::End => returns = true,
                FlowTarget::Node(node) if seen.insert(node) => {
                    section.sites.insert((function, node));
                    if lock != Lock::Unsure && self.released_by((function, node)).contains(&lock) {
                        section.ends.insert((function, node));
                    } else {
                        work.extend(graph.successors(node));
                    }
                }
                _ => {}
            }
        }
        returns
    }

    /// Whether the statement that takes a lock gives it back afterwards.
    fn is_given_back_at_once(
        &self,
        (function, node): Site,
        taking: incise_ir::InstructionId,
        lock: Lock,
    ) -> bool {
        let facts = self.scope.facts(function);
        let roots = &facts.graph.node(node).roots;
        let position = |id| roots.iter().position(|&root| root == id);
        let own = synchronising(self.scope.program, &facts.graph).filter(|each| each.node == node);
        let own = own.filter(|each| matches!(each.how, Synchronisation::Releases | Synchronisation::Ends));
        let mut later = own.filter(|each| position(each.instruction) > position(taking));
        lock != Lock::Unsure && later.any(|each| self.lock(function, each.how, each.call) == lock)
    }

    /// A lock as a caller names it.
    fn for_caller(&self, (caller, node): Site, callee: FunctionId, lock: Lock) -> Lock {
        let Lock::Sure(place) = lock else { return lock };
        if matches!(place.base, Base::Local(_)) {
            return Lock::Unsure;
        }
        match self.scope.facts(caller).passed(node, callee, &place)[..] {
            [place] => sure(place),
            _ => Lock::Unsure,
        }
    }

    /// A condition of a loop, and the statements of the loop that it gets what it looks at from.
    fn feeding_in_loop(&self, (function, node): Site) -> BTreeSet<Site> {
        let facts = self.scope.facts(function);
        let reach = facts.dependence.reach();
        let in_loop = |other: NodeId| reach.can_reach(other, node) && reach.can_reach(node, other);
        let mut found = BTreeSet::from([(function, node)]);
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            let writers = facts.dependence.known_writers(at).iter().copied();
            let gates = facts.graph.gated_by[at.index()].iter().copied();
            let deciders = facts.graph.controlled_by[at.index()].iter().copied();
            for feeding in writers.chain(gates).chain(deciders).filter(|&each| in_loop(each)) {
                if found.insert((function, feeding)) {
                    work.push(feeding);
                }
            }
        }
        // What is called there may read it.
        self.add_called(&mut found);
        found
    }
}

/// A lock at a place, if no other can be meant.
fn sure(place: MemoryPlace) -> Lock {
    match (place.base, place.range) {
        (Base::Global(_) | Base::Local(_) | Base::Pointee(_), Some(_)) => Lock::Sure(place),
        _ => Lock::Unsure,
    }
}
