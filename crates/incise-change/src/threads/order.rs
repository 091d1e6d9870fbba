//! What cannot come before what, because threads are started and waited for.
//!
//! Only threads of which there is one at most are looked at, that are started by one such thread at a statement which
//! it comes to once. Two statements of different threads are compared in the thread that started both: what a thread
//! does is where it is started, and as long as nobody has waited for its end.

use super::{Threads, synchronising};
use crate::FunctionFacts;
use crate::effects::Effects;
use crate::graph::FlowTarget;
use crate::places::{Base, MemoryPlace};
use crate::scope::Scope;
use crate::synchronisation::Synchronisation;
use crate::whole_program::Site;
use incise_ir::{FunctionId, Op, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of each thread that is started once.
#[derive(Debug, Default)]
pub(crate) struct Orders {
    known: BTreeMap<usize, Life>,
}

/// The statements of the starting thread, by when they may be executed. The start itself is in all of them.
#[derive(Debug)]
struct Life {
    /// Before the thread is started.
    before: BTreeSet<Site>,
    /// After that.
    after: BTreeSet<Site>,
    /// After that, and before its end was waited for.
    during: BTreeSet<Site>,
}

impl Orders {
    pub(super) fn new(threads: &Threads, scope: &Scope<'_>, effects: &Effects) -> Self {
        let mut known = BTreeMap::new();
        for (number, kind) in threads.kinds.iter().enumerate() {
            let (Some(site), Some(&parent), false) = (kind.site, kind.parents.first(), kind.many) else {
                continue;
            };
            let Some(chain) = threads.chain(scope, parent, site.0) else { continue };
            let joins = joins(scope, effects, site);
            let walk = Walk { threads, scope };
            let life = Life {
                before: walk.before(site, &chain),
                after: walk.after(site, &chain, &BTreeSet::new()),
                during: walk.after(site, &chain, &joins),
            };
            known.insert(number, life);
        }
        Self { known }
    }

    /// Whether a statement of one thread may come before a statement of another.
    pub(super) fn may_precede(
        &self,
        threads: &Threads,
        (before, one): (Site, usize),
        (after, other): (Site, usize),
    ) -> bool {
        let (Some(first), Some(second)) = (self.ancestors(threads, one), self.ancestors(threads, other))
        else {
            return true;
        };
        let Some(common) = first.iter().find(|each| second.contains(each)).copied() else { return true };
        if threads.kinds[common].many {
            return true;
        }
        // The thread that the common one started on the way to each.
        let child = |line: &[usize]| line.iter().take_while(|each| **each != common).last().copied();
        let (early, late) = (child(&first), child(&second));
        // Where the first one is, as the common thread sees it.
        let place = match early {
            None => before,
            Some(early) => match threads.kinds[early].site {
                Some(site) => site,
                None => return true,
            },
        };
        match late {
            // The second one is a statement of the common thread.
            None => match early.and_then(|early| self.known.get(&early)) {
                Some(life) => life.after.contains(&after),
                None => true,
            },
            Some(late) => match self.known.get(&late) {
                Some(life) => {
                    // What a thread starts may outlive it.
                    let during = if late == other { &life.during } else { &life.after };
                    life.before.contains(&place) || during.contains(&place)
                }
                None => true,
            },
        }
    }

    /// A thread, the one that started it, and so on.
    fn ancestors(&self, threads: &Threads, kind: usize) -> Option<Vec<usize>> {
        let mut line = vec![kind];
        let mut at = kind;
        while let Some(life) = threads.kinds[at].site.map(|_| self.known.contains_key(&at)) {
            let parent = threads.kinds[at].parents.first().copied().filter(|_| life)?;
            if line.contains(&parent) {
                return None;
            }
            line.push(parent);
            at = parent;
        }
        Some(line)
    }
}

/// Walks over statements of one thread.
struct Walk<'w, 'a> {
    threads: &'w Threads,
    scope: &'w Scope<'a>,
}

impl Walk<'_, '_> {
    /// The statements that may be executed after one, up to some that end the walk.
    fn after(&self, site: Site, chain: &[Site], ends: &BTreeSet<Site>) -> BTreeSet<Site> {
        let mut found = BTreeSet::new();
        let mut at = site;
        let mut above = chain.iter();
        loop {
            self.add(&mut found, at, at != site && !self.facts(at).several_calls[at.1.index()]);
            let mut work: Vec<FlowTarget> = self.facts(at).graph.successors(at.1).to_vec();
            let (mut seen, mut returns) = (BTreeSet::new(), false);
            while let Some(target) = work.pop() {
                match target {
                    FlowTarget::End => returns = true,
                    FlowTarget::Node(node) if seen.insert(node) => {
                        self.add(&mut found, (at.0, node), false);
                        if !ends.contains(&(at.0, node)) {
                            work.extend(self.facts(at).graph.successors(node));
                        }
                    }
                    _ => {}
                }
            }
            match above.next() {
                Some(&call) if returns => at = call,
                _ => return found,
            }
        }
    }

    /// The statements that may be executed before one.
    fn before(&self, site: Site, chain: &[Site]) -> BTreeSet<Site> {
        let mut found = BTreeSet::new();
        for at in std::iter::once(&site).chain(chain) {
            self.add(&mut found, *at, *at != site && !self.facts(*at).several_calls[at.1.index()]);
            let facts = self.facts(*at);
            let reach = facts.dependence.reach();
            for node in facts.graph.ids().filter(|&node| reach.can_reach(node, at.1)) {
                self.add(&mut found, (at.0, node), false);
            }
        }
        found
    }

    /// Adds a statement with all that it calls, unless it is there only as the call that leads to where the walk is.
    fn add(&self, found: &mut BTreeSet<Site>, site: Site, alone: bool) {
        if !found.insert(site) || alone {
            return;
        }
        for function in self.threads.called_by(self.scope, site) {
            found.extend(self.scope.facts(function).graph.ids().map(|node| (function, node)));
        }
    }

    fn facts(&self, site: Site) -> &FunctionFacts {
        self.scope.facts(site.0)
    }
}

/// The statements that surely wait for the end of a thread that is started once: they get the handle from the variable
/// that the start puts it into, and nobody else does.
fn joins(scope: &Scope<'_>, effects: &Effects, (function, node): Site) -> BTreeSet<Site> {
    let facts = scope.facts(function);
    let pointers = effects.pointers(scope.program, function);
    let variable = |pointer: Operand| match pointers.access(pointer, Some(8), false).places[..] {
        [place @ MemoryPlace { base: Base::Local(_) | Base::Global(_), range: Some(_) }] => Some(place),
        _ => None,
    };
    let calls: Vec<_> = synchronising(scope.program, &facts.graph).collect();
    let mut starts = calls.iter().filter(|each| each.node == node && each.how == Synchronisation::Starts);
    let (Some(start), None) = (starts.next(), starts.next()) else { return BTreeSet::new() };
    let handle = start.call.arguments.first().and_then(|&pointer| variable(pointer));
    let Some(handle) = handle.filter(|handle| is_written_once(scope, effects, (function, node), handle))
    else {
        return BTreeSet::new();
    };
    let is_handle = |operand: Operand| {
        let Operand::Value(value) = operand else { return false };
        match pointers.definition(value).map(|(_, instruction)| &instruction.op) {
            Some(Op::Load { pointer, .. }) => variable(*pointer) == Some(handle),
            _ => false,
        }
    };
    let joins = calls.iter().filter(|each| each.how == Synchronisation::Joins);
    let joins = joins.filter(|each| each.call.arguments.first().is_some_and(|&operand| is_handle(operand)));
    joins.map(|each| (function, each.node)).collect()
}

/// Whether one statement alone writes a variable.
fn is_written_once(scope: &Scope<'_>, effects: &Effects, site: Site, place: &MemoryPlace) -> bool {
    let others = |(&function, facts): (&FunctionId, &FunctionFacts)| {
        facts.graph.ids().filter(|&node| (function, node) != site).any(|node| {
            let writes = &facts.dependence.footprint(node).own_writes;
            writes.iter().any(|write| effects.may_overlap(scope.program, (site.0, place), (function, write)))
        })
    };
    !scope.functions.iter().any(others)
}
