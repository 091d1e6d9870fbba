//! How impact goes from thread to thread, to the fixed point.
//!
//! Rule (7): a statement reads what an affected statement of another thread writes, unless it cannot come after it.
//! Rule (8): a statement writes what an affected statement of another thread writes, and either may come first.
//! Rule (9): an affected synchronisation orders it (`sections`).
//!
//! What is affected in one version is affected in the other, where both have the statement: a lock that was taken away
//! orders nothing in the new version, but it did in the old one. Contexts of calls are not told apart here.

use super::Threads;
use super::sections::{Sections, follow, statements};
use crate::affected::{Affected, Rule, Step};
use crate::effects::Effects;
use crate::places::{Base, MemoryPlace};
use crate::scope::{ActivationId, Scope};
use crate::whole_program::Site;
use crate::{FunctionFacts, NodeKind, library};
use incise_ir::{FunctionId, GlobalId, Program};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Who passed impact on to a statement of another thread.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ThreadCause {
    /// The affected statement.
    pub site: Site,
    /// The function that its thread begins with; `None` for the first thread.
    pub thread: Option<FunctionId>,
}

/// Statements that become affected, with their functions.
pub(crate) type Seeds = Vec<(FunctionId, Step)>;

/// What one statement touches that other threads may reach.
#[derive(Debug, Default)]
struct Access {
    reads: Vec<u32>,
    writes: Vec<u32>,
}

/// How impact goes from thread to thread in one version.
#[derive(Debug)]
pub(crate) struct Spread {
    pub(crate) threads: Threads,
    sections: Sections,
    /// The places, each with the function that names it so.
    places: Vec<(FunctionId, MemoryPlace)>,
    accesses: BTreeMap<Site, Access>,
    /// For each place, the statements that read it and those that write it.
    readers: Vec<Vec<Site>>,
    writers: Vec<Vec<Site>>,
    overlaps: RefCell<FxHashMap<(u32, u32), bool>>,
    /// What was looked at: statements that carry impact to others, and those that do so in full.
    done: BTreeSet<Site>,
    done_in_full: BTreeSet<Site>,
    results: bool,
    /// What was found.
    pub(crate) causes: BTreeMap<(Site, Rule), ThreadCause>,
}

impl Spread {
    pub(crate) fn new(
        scope: &Scope<'_>,
        effects: &Effects,
        entries: &[FunctionId],
        callbacks: &[FunctionId],
    ) -> Self {
        let threads = Threads::new(scope, effects, entries, callbacks);
        let mut spread = Self {
            threads,
            sections: Sections::default(),
            places: Vec::new(),
            accesses: BTreeMap::new(),
            readers: Vec::new(),
            writers: Vec::new(),
            overlaps: RefCell::default(),
            done: BTreeSet::new(),
            done_in_full: BTreeSet::new(),
            results: false,
            causes: BTreeMap::new(),
        };
        spread.find_accesses(scope, effects);
        let is_written_elsewhere = |site: Site| {
            spread.reads(site).iter().any(|&read| {
                let mut writers = spread.touching(scope.program, effects, read, &spread.writers).into_iter();
                writers.any(|writer| spread.threads.may_precede(writer, site))
            })
        };
        let is_shared = |site: Site| !spread.reads(site).is_empty();
        let looking: (&dyn Fn(Site) -> bool, &dyn Fn(Site) -> bool) = (&is_shared, &is_written_elsewhere);
        spread.sections = Sections::new(&spread.threads, scope, effects, looking);
        spread
    }

    fn find_accesses(&mut self, scope: &Scope<'_>, effects: &Effects) {
        let mut numbers: FxHashMap<(FunctionId, MemoryPlace), u32> = FxHashMap::default();
        let own = own_variables(scope, effects);
        for (&function, facts) in &scope.functions {
            for node in facts.graph.ids() {
                let footprint = facts.dependence.footprint(node);
                let mut number = |place: &MemoryPlace| {
                    if !is_visible(scope.program, &own, facts, place) {
                        return None;
                    }
                    let next = numbers.len() as u32;
                    let number = *numbers.entry((function, *place)).or_insert(next);
                    if number == next {
                        self.places.push((function, *place));
                        self.readers.push(Vec::new());
                        self.writers.push(Vec::new());
                    }
                    Some(number)
                };
                let access = Access {
                    reads: footprint.own_reads.iter().filter_map(&mut number).collect(),
                    writes: footprint.own_writes.iter().filter_map(&mut number).collect(),
                };
                let site = (function, node);
                access.reads.iter().for_each(|&read| self.readers[read as usize].push(site));
                access.writes.iter().for_each(|&write| self.writers[write as usize].push(site));
                if !access.reads.is_empty() || !access.writes.is_empty() {
                    self.accesses.insert(site, access);
                }
            }
        }
    }

    /// The statements of an index that touch what a place may be.
    fn touching(
        &self,
        program: &Program,
        effects: &Effects,
        place: u32,
        index: &[Vec<Site>],
    ) -> BTreeSet<Site> {
        let mut found = BTreeSet::new();
        for (other, sites) in (0..).zip(index).filter(|(_, sites)| !sites.is_empty()) {
            if self.overlap(program, effects, place, other) {
                found.extend(sites.iter().copied());
            }
        }
        found
    }

    fn overlap(&self, program: &Program, effects: &Effects, one: u32, other: u32) -> bool {
        let key = (one.min(other), one.max(other));
        *self.overlaps.borrow_mut().entry(key).or_insert_with(|| {
            let ((function, place), (owner, known)) =
                (self.places[one as usize], self.places[other as usize]);
            effects.may_overlap(program, (function, &place), (owner, &known))
        })
    }

    /// What synchronisations order.
    pub(super) fn sections(&self) -> &Sections {
        &self.sections
    }

    /// The statements that may have written what a statement reads, where others can see it: in other threads only
    /// those that may come before, and all of other functions.
    pub(super) fn writers_for(&self, program: &Program, effects: &Effects, site: Site) -> Vec<Site> {
        let mut found = Vec::new();
        for &read in self.reads(site) {
            for writer in self.touching(program, effects, read, &self.writers) {
                let runs = |function: FunctionId| self.threads.runs.get(&function).into_iter().flatten();
                let shared = runs(writer.0).any(|one| runs(site.0).any(|other| one == other));
                if writer.0 != site.0 && shared || self.threads.may_precede(writer, site) {
                    found.push(writer);
                }
            }
        }
        found
    }

    /// What follows for other threads from what is affected in functions: the statements that become affected, and
    /// whether what threads return does.
    pub(crate) fn follow(
        &mut self,
        scope: &Scope<'_>,
        effects: &Effects,
        affected: &BTreeMap<FunctionId, Affected>,
    ) -> (Seeds, bool) {
        let mut found = SpreadSteps::default();
        for (&function, affected) in affected {
            for node in affected.nodes().filter(|&node| affected.is_forward_itself(node)) {
                let site = (function, node);
                if self.done.insert(site) {
                    self.spread_data(scope.program, effects, site, &mut found);
                    self.spread_order(scope, site, &mut found);
                }
                if affected.is_forward_in_full(node) && self.done_in_full.insert(site) {
                    self.spread_start(scope, site, &mut found);
                }
                let ends = !self.results && self.gives_result(scope, site);
                self.results |= ends;
                found.results |= ends;
            }
        }
        (self.new_seeds(found.steps), found.results)
    }

    /// Remembers who passed impact on; what was not known yet is where the rules begin.
    fn new_seeds(&mut self, steps: Vec<(Site, Rule, ThreadCause)>) -> Seeds {
        // The first reason stays.
        let mut new = BTreeMap::new();
        for (site, rule, cause) in
            steps.into_iter().filter(|step| !self.causes.contains_key(&(step.0, step.1)))
        {
            new.entry((site, rule)).or_insert(cause);
        }
        self.causes.extend(&new);
        let step = |((function, node), rule)| (function, Step { node, rule, cause: None });
        new.into_keys().map(step).collect()
    }

    /// Rules (7) and (8).
    fn spread_data(&self, program: &Program, effects: &Effects, site: Site, found: &mut SpreadSteps) {
        let Some(access) = self.accesses.get(&site) else { return };
        for &write in &access.writes {
            for reader in self.touching(program, effects, write, &self.readers) {
                if let Some((thread, _)) = self.threads.preceding(site, reader) {
                    found.add(reader, Rule::OtherThread, self.cause(site, thread));
                }
            }
            for writer in self.touching(program, effects, write, &self.writers) {
                if let Some((thread, _)) = self.threads.preceding(site, writer)
                    && self.threads.may_precede(writer, site)
                {
                    found.add(writer, Rule::Competes, self.cause(site, thread));
                }
            }
        }
    }

    /// Rule (9), threads that are started aside.
    fn spread_order(&self, scope: &Scope<'_>, site: Site, found: &mut SpreadSteps) {
        let sections = &self.sections;
        let ordering = sections.sections.iter();
        let mut ordered: BTreeSet<Site> = ordering
            .filter(|section| section.start == site || section.ends.contains(&site))
            .flat_map(|section| &section.sites)
            .copied()
            .collect();
        // A loop that looks at what others can reach may wait for ever, also if nobody writes it.
        let may_wait = [&sections.waits, &sections.awaits, &sections.looks];
        if may_wait.iter().any(|sites| sites.contains(&site)) {
            ordered.extend(follow(&self.threads, scope, site));
        }
        let thread = self.first_thread(site);
        ordered.remove(&site);
        for each in ordered {
            found.add(each, Rule::Ordered, self.cause(site, thread));
        }
    }

    /// Rule (9) for a start of threads: when they begin, or whether, is another.
    fn spread_start(&self, scope: &Scope<'_>, site: Site, found: &mut SpreadSteps) {
        let thread = self.first_thread(site);
        let functions = self.threads.started_at(site).flat_map(|kind| &kind.functions);
        for each in functions.flat_map(|&function| statements(scope, function)) {
            found.add(each, Rule::Ordered, self.cause(site, thread));
        }
    }

    /// The statements that end a thread with a result, returns aside.
    pub(super) fn thread_ends(&self, scope: &Scope<'_>) -> Vec<Site> {
        let sites =
            scope.functions.iter().flat_map(|(&id, facts)| facts.graph.ids().map(move |node| (id, node)));
        let ends = |(function, node): &Site| {
            let calls = &scope.facts(*function).dependence.footprint(*node).calls;
            calls.iter().any(|callee| library::ends_thread(&scope.program.functions[*callee].name))
        };
        sites.filter(ends).collect()
    }

    /// Whether a statement says what a thread returns.
    fn gives_result(&self, scope: &Scope<'_>, (function, node): Site) -> bool {
        let is_root = |kind: &super::ThreadKind| kind.site.is_some() && kind.roots.contains(&function);
        let facts = scope.facts(function);
        if facts.graph.node(node).kind == NodeKind::Return && self.threads.kinds.iter().any(is_root) {
            return true;
        }
        let calls = &facts.dependence.footprint(node).calls;
        calls.iter().any(|callee| library::ends_thread(&scope.program.functions[*callee].name))
    }

    /// One of the threads that may execute a statement.
    fn first_thread(&self, site: Site) -> usize {
        self.threads.runs.get(&site.0).and_then(|runs| runs.first()).copied().unwrap_or(0)
    }

    /// What a statement reads that others can reach.
    fn reads(&self, site: Site) -> &[u32] {
        self.accesses.get(&site).map_or(&[], |access| &access.reads)
    }

    fn cause(&self, site: Site, thread: usize) -> ThreadCause {
        let kind = &self.threads.kinds[thread];
        ThreadCause { site, thread: kind.site.and_then(|_| kind.roots.first().copied()) }
    }
}

/// What becomes affected.
#[derive(Default)]
struct SpreadSteps {
    steps: Vec<(Site, Rule, ThreadCause)>,
    results: bool,
}

impl SpreadSteps {
    fn add(&mut self, site: Site, rule: Rule, cause: ThreadCause) {
        self.steps.push((site, rule, cause));
    }
}

/// The variables of which each thread has its own, and whose address goes nowhere.
fn own_variables(scope: &Scope<'_>, effects: &Effects) -> BTreeSet<GlobalId> {
    let globals = scope.program.globals.iter().filter(|(_, global)| global.thread_local);
    let mut own: BTreeSet<GlobalId> = globals.map(|(id, _)| id).collect();
    if own.is_empty() {
        return own;
    }
    for &function in scope.functions.keys() {
        let pointers = effects.pointers(scope.program, function);
        for (_, instruction) in pointers.function.instructions.iter() {
            pointers.for_each_exposed(&instruction.op, |global| {
                own.remove(&global);
            });
        }
    }
    own
}

/// Whether another thread may reach a place of a function.
fn is_visible(
    program: &Program,
    own: &BTreeSet<GlobalId>,
    facts: &FunctionFacts,
    place: &MemoryPlace,
) -> bool {
    match place.base {
        Base::Result(_) => false,
        Base::Local(local) => facts.dependence.places().seen_local(local).is_some(),
        Base::Global(id) => !program.globals[id].constant && !own.contains(&id),
        _ => true,
    }
}

/// What is affected in each function, in all of some activations.
pub(crate) fn affected_in(
    scope: &Scope<'_>,
    reached: &BTreeMap<FunctionId, BTreeSet<ActivationId>>,
) -> BTreeMap<FunctionId, Affected> {
    reached.iter().map(|(&function, ids)| (function, scope.together(function, ids).affected)).collect()
}
