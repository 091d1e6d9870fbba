//! Which threads a program has, which functions run in which, and what runs at most once.
//!
//! Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software" (ASE 2016), section 5. A thread
//! is known by the statement that starts it and the function that it begins with. Where we differ from the paper:
//! - functions are found through pointers, tables and queues of tasks, by the points-to analysis;
//! - happens-before comes from joining as well as from starting, and needs no dominance: a statement that cannot follow
//!   the start of a thread cannot see what the thread does;
//! - what an affected synchronisation orders is affected (`sections`), so that a lock that is taken away is seen.

mod counterparts;
mod order;
mod sections;
mod slice;
mod spread;

pub(crate) use counterparts::{Counterparts, exchange};
pub use slice::ThreadSlice;
pub use spread::ThreadCause;
pub(crate) use spread::{Spread, affected_in};

use crate::effects::Effects;
use crate::scope::Scope;
use crate::synchronisation::{self, Synchronisation};
use crate::whole_program::{Site, StartedThread};
use crate::{NodeId, StatementGraph};
use incise_ir::{FunctionId, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A thread, or all that one statement starts with one function.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    /// The functions that it begins with: one, but for the first thread.
    pub(crate) roots: Vec<FunctionId>,
    /// The statement that starts it; `None` for the first thread, and for code that nobody can see.
    pub(crate) site: Option<Site>,
    /// The threads that start it.
    pub(crate) parents: BTreeSet<usize>,
    /// Whether there may be several at a time.
    pub(crate) many: bool,
    /// The functions that it may run.
    pub(crate) functions: BTreeSet<FunctionId>,
}

/// The threads of a program.
#[derive(Debug)]
pub(crate) struct Threads {
    /// The first is that of the entries.
    pub(crate) kinds: Vec<Kind>,
    /// For each function, the threads that may run it.
    pub(crate) runs: BTreeMap<FunctionId, Vec<usize>>,
    /// For each function, the statements that call it in the same thread.
    callers: BTreeMap<FunctionId, BTreeSet<Site>>,
    /// For each statement that calls, the functions that it calls in the same thread.
    calls: BTreeMap<Site, BTreeSet<FunctionId>>,
    /// The orders of threads that are known.
    orders: order::Orders,
}

/// A call of a function for threads.
pub(crate) struct SynchronisingCall<'p> {
    pub(crate) node: NodeId,
    pub(crate) instruction: incise_ir::InstructionId,
    pub(crate) call: &'p incise_ir::Call,
    pub(crate) how: Synchronisation,
}

/// The calls of functions for threads in a function, in order.
pub(crate) fn synchronising<'p>(
    program: &'p Program,
    graph: &'p StatementGraph,
) -> impl Iterator<Item = SynchronisingCall<'p>> {
    let function = &program.functions[graph.function];
    graph.ids().flat_map(move |node| {
        graph.node(node).roots.iter().filter_map(move |&instruction| {
            let (Op::Call(call) | Op::Invoke { call, .. }) = &function.instructions[instruction].op else {
                return None;
            };
            let how = synchronisation::of_call(program, call)?;
            Some(SynchronisingCall { node, instruction, call, how })
        })
    })
}

/// Whether a program may start threads in one of these functions.
pub(crate) fn starts_threads(scope: &Scope<'_>) -> bool {
    scope.functions.values().any(|facts| {
        synchronising(scope.program, &facts.graph).any(|each| each.how == Synchronisation::Starts)
    })
}

impl Threads {
    /// The threads of executions that begin in `entries`. What code may call that nobody can see, `callbacks`, may run
    /// at any time.
    pub(crate) fn new(
        scope: &Scope<'_>,
        effects: &Effects,
        entries: &[FunctionId],
        callbacks: &[FunctionId],
    ) -> Self {
        let (calls, starts) = calls_and_starts(scope, effects);
        let mut callers: BTreeMap<FunctionId, BTreeSet<Site>> = BTreeMap::new();
        for (&site, callees) in &calls {
            callees.iter().for_each(|&callee| {
                callers.entry(callee).or_default().insert(site);
            });
        }
        let is_main = |id: &FunctionId| scope.program.functions[*id].name == "main";
        let library = entries.len() > 1 && !entries.iter().any(is_main);
        let kind = |roots: Vec<FunctionId>, site, many| Kind {
            functions: below(scope, &calls, &roots),
            roots,
            site,
            parents: BTreeSet::new(),
            many,
        };
        let mut kinds = vec![kind(entries.to_vec(), None, library)];
        if !callbacks.is_empty() {
            kinds.push(kind(callbacks.to_vec(), None, true));
        }
        for &(site, target) in starts.keys() {
            kinds.push(kind(vec![target], Some(site), true));
        }
        let parents_of = |site: Site| {
            let runs = |(_, kind): &(usize, &Kind)| kind.functions.contains(&site.0);
            kinds.iter().enumerate().filter(runs).map(|(number, _)| number).collect::<BTreeSet<usize>>()
        };
        let parents: Vec<BTreeSet<usize>> =
            kinds.iter().map(|kind| kind.site.map(parents_of).unwrap_or_default()).collect();
        for (kind, parents) in kinds.iter_mut().zip(parents) {
            kind.parents = parents;
        }
        let mut runs: BTreeMap<FunctionId, Vec<usize>> = BTreeMap::new();
        for (number, kind) in kinds.iter().enumerate() {
            kind.functions.iter().for_each(|&function| runs.entry(function).or_default().push(number));
        }
        let mut threads = Self { kinds, runs, callers, calls, orders: order::Orders::default() };
        threads.find_single(scope, &starts);
        threads.orders = order::Orders::new(&threads, scope, effects);
        threads
    }

    /// Finds the threads of which there is one at most.
    fn find_single(&mut self, scope: &Scope<'_>, starts: &BTreeMap<(Site, FunctionId), usize>) {
        loop {
            let single = |kind: &Kind| {
                let (Some(site), [target]) = (kind.site, &kind.roots[..]) else { return false };
                let mut parents = kind.parents.iter();
                let (Some(&parent), None) = (parents.next(), parents.next()) else { return false };
                !self.kinds[parent].many
                    && starts.get(&(site, *target)) == Some(&1)
                    && self.is_done_once(scope, parent, site)
            };
            let found = self.kinds.iter().position(|kind| kind.many && single(kind));
            let Some(found) = found else { return };
            self.kinds[found].many = false;
        }
    }

    /// Whether a thread comes to a statement once at most, if there is one such thread.
    fn is_done_once(&self, scope: &Scope<'_>, kind: usize, (function, node): Site) -> bool {
        !scope.facts(function).dependence.reach().in_loop(node) && self.chain(scope, kind, function).is_some()
    }

    /// The calls that lead from the beginning of a thread to a function, the last one first, if it is called once at
    /// most.
    fn chain(&self, scope: &Scope<'_>, kind: usize, function: FunctionId) -> Option<Vec<Site>> {
        let kind = &self.kinds[kind];
        let mut chain = Vec::new();
        let mut at = function;
        loop {
            let callers = self.callers.get(&at).into_iter().flatten();
            let mut callers = callers.filter(|(caller, _)| kind.functions.contains(caller));
            let Some(&site) = callers.next() else {
                return (kind.roots.len() == 1 && kind.roots[0] == at).then_some(chain);
            };
            let facts = scope.facts(site.0);
            let again = callers.next().is_some()
                || kind.roots.contains(&at)
                || facts.dependence.reach().in_loop(site.1)
                || facts.several_calls[site.1.index()];
            if again || chain.len() > self.callers.len() {
                return None;
            }
            chain.push(site);
            at = site.0;
        }
    }

    /// The functions that a statement may run in its own thread, all of what they call included.
    pub(crate) fn called_by(&self, scope: &Scope<'_>, site: Site) -> BTreeSet<FunctionId> {
        match self.calls.get(&site) {
            Some(callees) => below(scope, &self.calls, &callees.iter().copied().collect::<Vec<_>>()),
            None => BTreeSet::new(),
        }
    }

    /// The statements that call a function in the same thread.
    pub(crate) fn callers_of(&self, function: FunctionId) -> impl Iterator<Item = Site> + '_ {
        self.callers.get(&function).into_iter().flatten().copied()
    }

    /// The threads that may be started, for people.
    pub(crate) fn started(&self) -> Vec<StartedThread> {
        let started = self.kinds.iter().filter_map(|kind| {
            Some(StartedThread {
                function: *kind.roots.first()?,
                site: kind.site?,
                several: kind.many,
                functions: kind.functions.iter().copied().collect(),
            })
        });
        started.collect()
    }

    /// The threads that a statement starts.
    pub(crate) fn started_at(&self, site: Site) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().filter(move |kind| kind.site == Some(site))
    }

    /// Whether what one statement does may be there for another one, of another thread: there is an execution in which
    /// it comes before. Of several threads that one statement starts, each is another one.
    pub(crate) fn may_precede(&self, before: Site, after: Site) -> bool {
        let (first, second) = (self.runs.get(&before.0), self.runs.get(&after.0));
        let (Some(first), Some(second)) = (first, second) else { return false };
        first.iter().any(|&one| second.iter().any(|&other| self.precedes((before, one), (after, other))))
    }

    /// The threads in which a statement may come before another one, of another thread.
    pub(crate) fn preceding(&self, before: Site, after: Site) -> Option<(usize, usize)> {
        let first = self.runs.get(&before.0)?;
        let second = self.runs.get(&after.0)?;
        let pairs = first.iter().flat_map(|&one| second.iter().map(move |&other| (one, other)));
        pairs.into_iter().find(|&(one, other)| self.precedes((before, one), (after, other)))
    }

    fn precedes(&self, (before, one): (Site, usize), (after, other): (Site, usize)) -> bool {
        match one == other {
            true => self.kinds[one].many,
            false => self.orders.may_precede(self, (before, one), (after, other)),
        }
    }
}

/// What statements call, and how many times each starts a thread with a function.
type CallsAndStarts = (BTreeMap<Site, BTreeSet<FunctionId>>, BTreeMap<(Site, FunctionId), usize>);

/// The calls within threads, and the starts of threads.
fn calls_and_starts(scope: &Scope<'_>, effects: &Effects) -> CallsAndStarts {
    let mut calls: BTreeMap<Site, BTreeSet<FunctionId>> = BTreeMap::new();
    let mut starts: BTreeMap<(Site, FunctionId), usize> = BTreeMap::new();
    for (&function, facts) in &scope.functions {
        for node in facts.graph.ids() {
            let callees =
                facts.callees[node.index()].iter().filter(|callee| !facts.is_started(node, **callee));
            let callees: BTreeSet<FunctionId> = callees.copied().collect();
            if !callees.is_empty() {
                calls.insert((function, node), callees);
            }
        }
        for each in synchronising(scope.program, &facts.graph) {
            if each.how != Synchronisation::Starts {
                continue;
            }
            let targets = effects.started(scope.program, function, each.instruction);
            for target in targets.map(|targets| targets.functions).unwrap_or_default() {
                if scope.functions.contains_key(&target) {
                    *starts.entry(((function, each.node), target)).or_default() += 1;
                }
            }
        }
    }
    (calls, starts)
}

/// The functions that some functions may run in the same thread, themselves included.
fn below(
    scope: &Scope<'_>,
    calls: &BTreeMap<Site, BTreeSet<FunctionId>>,
    roots: &[FunctionId],
) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut work = roots.to_vec();
    while let Some(function) = work.pop() {
        if scope.functions.contains_key(&function) && found.insert(function) {
            let first = (function, NodeId::from_index(0));
            let own = calls.range(first..).take_while(|((caller, _), _)| *caller == function);
            work.extend(own.flat_map(|(_, callees)| callees));
        }
    }
    found
}
