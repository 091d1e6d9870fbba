//! The impact of a change on a program as a whole: for every function in which something is affected in some calling
//! context, what that is, in both versions.
//!
//! Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012),
//! section III-A: impact sets flow along the call graph. [`Scope`] does this for each context by itself; here the
//! contexts that executions from some entries come to are put together, and it is written down by which calls impact
//! came into a function. Where executions of several entries follow each other (a library), global variables and memory
//! that carry impact out of one carry it into the others.
//!
//! What cannot be resolved counts as impacted: code that nobody can see may read and write everything that it can know
//! of, so that impact which comes there goes everywhere from there; and it may call every function whose address it may
//! know.

use crate::affected::{Rule, Step};
use crate::call_graph::{CallGraph, UnresolvedCall, UnresolvedCallee};
use crate::distance::distances;
use crate::entries::Entries;
use crate::impact::{FunctionImpact, Impact};
use crate::left_behind::{Handing, Keepers, LeftBehind};
use crate::places::Sight;
use crate::proofs::Proofs;
use crate::scope::{ActivationId, Inputs, Scope, Together};
use crate::side_by_side::side_by_side;
use crate::threads::{Counterparts, Spread, ThreadCause, affected_in, exchange, starts_threads};
use crate::{
    Affected, Alignment, Effects, FunctionChange, FunctionPair, NewStatus, NodeId, ObjectKind, Rules,
    StatementGraph,
};
use incise_ir::{FunctionId, GlobalId, Id, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Something that carries impact into a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Input {
    /// A parameter, from 0.
    Parameter(u32),
    /// A global variable.
    Global(GlobalId),
    /// What pointers lead to.
    Memory,
}

impl Inputs {
    /// The inputs one by one, in order.
    pub fn each(&self) -> impl Iterator<Item = Input> + '_ {
        let parameters = self.parameters.iter().map(|&each| Input::Parameter(each));
        let globals = self.globals.iter().map(|&each| Input::Global(each));
        parameters.chain(globals).chain((!self.memory.is_empty()).then_some(Input::Memory))
    }
}

/// A statement of a function.
pub type Site = (FunctionId, NodeId);

/// How impact comes into a function.
#[derive(Clone, Debug, Default)]
pub struct Ways {
    /// The inputs that carry impact, each with the calls that pass it. Without a call, it comes from an execution of
    /// another entry before.
    pub inputs: BTreeMap<Input, BTreeSet<Site>>,
    /// For each statement that reads such inputs, which.
    pub readers: BTreeMap<NodeId, Vec<Input>>,
    /// For each statement that calls functions in which something is affected, which.
    pub calls: BTreeMap<NodeId, Vec<FunctionId>>,
    /// For each statement that another thread, or an affected synchronisation, makes affected, by which rule: who.
    pub threads: BTreeMap<(NodeId, Rule), ThreadCause>,
}

/// The impact on one function, in all contexts.
#[derive(Clone, Debug)]
pub struct WholeFunction {
    /// What is changed and affected in it.
    pub impact: FunctionImpact,
    /// How impact comes into it. Statements are those of the alignment's graph.
    pub ways: Ways,
    /// What became of it.
    pub change: FunctionChange,
    /// How far it is from the change: over how many calls, returns, or executions of other entries impact came here at
    /// least; `None` if it did so only in the old version.
    pub distance: Option<u32>,
}

/// The impact of a change on a program.
#[derive(Debug)]
pub struct WholeImpact<'a> {
    /// The functions in which something changed or is affected, in the order of the new version.
    pub functions: Vec<WholeFunction>,
    /// Of a program that is called from elsewhere, the statements of the new version that are affected in addition if
    /// callers hand on memory that the change wrote: those of the scope's graphs, in order.
    pub later: BTreeMap<FunctionId, Vec<NodeId>>,
    /// The functions with a body that executions from the entries come to.
    pub reached: BTreeSet<FunctionId>,
    /// The new version's functions and their activations; `None` if nothing changed.
    pub scope: Option<Scope<'a>>,
    /// The activations of the entries, and of what code may call that nobody can see.
    pub roots: Vec<ActivationId>,
    /// The calls of the new version; `None` if nothing changed.
    pub call_graph: Option<CallGraph>,
    /// The calls in the functions that executions come to which nobody can see through, in order.
    pub unresolved: Vec<UnresolvedCall>,
    /// The threads that the new version may start, in the order of the statements that start them.
    pub threads: Vec<StartedThread>,
    /// How impact goes from thread to thread in the new version, if there are threads.
    pub(crate) spread: Option<Spread>,
}

/// A thread that a program may start, or several of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartedThread {
    /// The function that it begins with.
    pub function: FunctionId,
    /// The statement that starts it.
    pub site: Site,
    /// Whether there may be several at a time.
    pub several: bool,
    /// The functions that it may run, in order.
    pub functions: Vec<FunctionId>,
}

impl<'a> WholeImpact<'a> {
    /// Finds the impact in executions from `entries`. `mirrored` is the impact with the versions exchanged, for what is
    /// affected in the old version, and `old_entries` are the entries there.
    pub fn new(
        impact: &Impact<'a>,
        mirrored: &Impact<'a>,
        entries: &Entries,
        old_entries: &Entries,
        rules: Rules,
    ) -> Self {
        Self::with_proofs(impact, mirrored, (entries, old_entries), rules, &Proofs::default())
    }

    /// The same, where functions do not hand on what they are proved not to. With threads proofs count for nothing.
    pub fn with_proofs(
        impact: &Impact<'a>,
        mirrored: &Impact<'a>,
        (entries, old_entries): (&Entries, &Entries),
        rules: Rules,
        proofs: &Proofs,
    ) -> Self {
        let (Some(effects), Some(old_effects)) = (&impact.effects, &mirrored.effects) else {
            return Self {
                functions: Vec::new(),
                later: BTreeMap::new(),
                reached: BTreeSet::new(),
                scope: None,
                roots: Vec::new(),
                call_graph: None,
                unresolved: Vec::new(),
                threads: Vec::new(),
                spread: None,
            };
        };
        let call_graph = CallGraph::new(impact.new, effects);
        let old_call_graph = CallGraph::new(mirrored.new, old_effects);
        let old_side = VersionParts {
            impact: mirrored,
            effects: old_effects,
            call_graph: &old_call_graph,
            entries: old_entries,
        };
        let new_side = VersionParts { impact, effects, call_graph: &call_graph, entries };
        let (old_version, new_version) = activated(&old_side, &new_side, rules, proofs);
        let (new_side, old_side) = (VersionSide::new(&new_version), VersionSide::new(&old_version));
        let changed = impact.versions.changed_new();
        let passed: Vec<(FunctionId, FunctionId)> =
            new_version.causes().map(|((site, _), cause)| (cause.site.0, site.0)).collect();
        let distances = distances(new_side.scope, &new_side.reached, &changed, (&entries.sharing, &passed));
        let mut functions = Vec::new();
        for pair in &impact.versions.functions {
            functions.extend(whole_function(impact, pair, &new_side, &old_side).map(|found| {
                let distance = distances.get(&found.impact.function).copied();
                WholeFunction { distance, ..found }
            }));
        }
        let later = new_side.later(&new_version.later);
        let Activated { scope, roots, callbacks, spread, .. } = new_version;
        let threads = spread.as_ref().map(|spread| spread.threads.started()).unwrap_or_default();
        let roots = roots.into_iter().chain(callbacks).collect();
        let reached: BTreeSet<FunctionId> = scope.functions.keys().copied().collect();
        let unresolved =
            reached.iter().flat_map(|&function| call_graph.unresolved_in(impact.new, function)).collect();
        Self {
            functions,
            later,
            reached,
            scope: Some(scope),
            roots,
            call_graph: Some(call_graph),
            unresolved,
            threads,
            spread,
        }
    }

    /// The impact on the function of that name.
    pub fn function(&self, name: &str) -> Option<&WholeFunction> {
        self.functions.iter().find(|function| function.impact.name == name)
    }
}

/// How many contexts of a function are told apart. Small programs have fewer; in large ones most functions are affected
/// in most contexts.
const CONTEXTS: usize = 8;

/// The activations of one version.
struct Activated<'a> {
    scope: Scope<'a>,
    /// Those of the entries.
    roots: Vec<ActivationId>,
    /// Those of functions that code may call which nobody can see.
    callbacks: Vec<ActivationId>,
    /// The statements that call such code and that impact comes to.
    impacted: Vec<Site>,
    /// What is affected if callers hand on what entries leave behind in memory, if the program has callers.
    later: BTreeMap<FunctionId, Affected>,
    /// How impact goes from thread to thread, if there are threads.
    spread: Option<Spread>,
}

impl Activated<'_> {
    /// Who passed impact on from thread to thread.
    fn causes(&self) -> impl Iterator<Item = (&(Site, Rule), &ThreadCause)> {
        self.spread.iter().flat_map(|spread| &spread.causes)
    }
}

/// A version, and what is known of it.
#[derive(Copy, Clone)]
struct VersionParts<'v, 'a> {
    impact: &'v Impact<'a>,
    effects: &'v Effects,
    call_graph: &'v CallGraph,
    entries: &'v Entries,
}

/// Activates the entries of both versions, and what unknown code may call.
fn activated<'a>(
    old: &VersionParts<'_, 'a>,
    new: &VersionParts<'_, 'a>,
    rules: Rules,
    proofs: &Proofs,
) -> (Activated<'a>, Activated<'a>) {
    let (old_all, new_all) = settled(old, new, (rules, Sight::All), Handing::Unseen, proofs);
    let has_callers = |version: &VersionParts<'_, 'a>| version.entries.have_callers(version.impact.new);
    if !has_callers(old) && !has_callers(new) {
        return (old_all, new_all);
    }
    let (old_kept, new_kept) = settled(old, new, (rules, Sight::Program), Handing::Kept, proofs);
    let shown = |version: &VersionParts<'_, 'a>, all: Activated<'a>, kept: Activated<'a>| {
        if !has_callers(version) {
            return all;
        }
        let roots: Vec<ActivationId> = all.roots.iter().chain(&all.callbacks).copied().collect();
        let later = affected_in(&all.scope, &all.scope.reached(&roots));
        Activated { later, ..kept }
    };
    (shown(old, old_all, old_kept), shown(new, new_all, new_kept))
}

/// Activates the entries of both versions with what counts of code that nobody can see, and takes impact from thread to
/// thread and from version to version until nothing is new. Without threads the versions have nothing to do with each
/// other.
fn settled<'a>(
    old: &VersionParts<'_, 'a>,
    new: &VersionParts<'_, 'a>,
    how: (Rules, Sight),
    handing: Handing,
    proofs: &Proofs,
) -> (Activated<'a>, Activated<'a>) {
    let (mut before, mut after) = side_by_side(|| Activating::new(old, how), || Activating::new(new, how));
    let has_threads = starts_threads(&before.scope) || starts_threads(&after.scope);
    let counterparts = has_threads.then(|| Counterparts::new(new.impact, &before.scope, &after.scope));
    if has_threads {
        before.look_at_threads();
        after.look_at_threads();
    } else {
        before.scope.hold_back(proofs.held_back(false));
        after.scope.hold_back(proofs.held_back(true));
    }
    loop {
        let (old_found, new_found) = side_by_side(|| before.activate(handing), || after.activate(handing));
        let Some(counterparts) = &counterparts else {
            return (before.finished(old_found), after.finished(new_found));
        };
        let (one, other) = (before.affected(&old_found), after.affected(&new_found));
        // Each version by itself comes first, so that reasons are its own where it has any.
        if before.spread(&one) | after.spread(&other) {
            continue;
        }
        let (for_old, for_new) = exchange(counterparts, &one, &other);
        if !(before.add_seeds(for_old) | after.add_seeds(for_new)) {
            return (before.finished(old_found), after.finished(new_found));
        }
    }
}

/// The activations of the entries, those of functions that code may call which nobody can see, and the statements that
/// call such code and that impact comes to.
type Activations = (Vec<ActivationId>, Vec<ActivationId>, Vec<Site>);

/// What is needed to activate the entries of a version.
struct Activating<'w, 'a> {
    scope: Scope<'a>,
    effects: &'w Effects,
    entries: &'w Entries,
    /// The functions that code may call which nobody can see.
    callable: Vec<FunctionId>,
    /// The statements that call such code.
    unknown: Vec<Site>,
    keepers: Keepers,
    /// How impact goes from thread to thread, if there are threads.
    threads: Option<Spread>,
    /// What became affected because of threads or of the other version.
    given: BTreeSet<(Site, Rule)>,
}

impl<'w, 'a> Activating<'w, 'a> {
    fn new(version: &VersionParts<'w, 'a>, (rules, sight): (Rules, Sight)) -> Self {
        let VersionParts { impact, effects, call_graph, entries } = *version;
        let mut scope = impact.below_with(&entries.functions, effects, rules, sight);
        let mut callable = callable_from_outside(impact.new, effects);
        if unknown_calls(&scope, call_graph).is_empty() {
            callable.clear();
        }
        if callable.iter().any(|function| !scope.functions.contains_key(function)) {
            let all: Vec<FunctionId> = entries.functions.iter().chain(&callable).copied().collect();
            scope = impact.below_with(&all, effects, rules, sight);
        }
        scope.limit_contexts(CONTEXTS);
        let unknown = unknown_calls(&scope, call_graph);
        let keepers = Keepers::new(impact.new, effects);
        let given = BTreeSet::new();
        Self { scope, effects, entries, callable, unknown, keepers, threads: None, given }
    }

    /// Finds the threads.
    fn look_at_threads(&mut self) {
        let (entries, callable) = (&self.entries.functions, &self.callable);
        self.threads = Some(Spread::new(&self.scope, self.effects, entries, callable));
    }

    /// What is affected in each function.
    fn affected(&self, (roots, callbacks, _): &Activations) -> BTreeMap<FunctionId, Affected> {
        let all: Vec<ActivationId> = roots.iter().chain(callbacks).copied().collect();
        affected_in(&self.scope, &self.scope.reached(&all))
    }

    /// Makes affected what is so because of other threads; says whether something is new.
    fn spread(&mut self, affected: &BTreeMap<FunctionId, Affected>) -> bool {
        let Some(threads) = &mut self.threads else { return false };
        let (seeds, results) = threads.follow(&self.scope, self.effects, affected);
        if results {
            self.scope.add_thread_results();
        }
        self.add_seeds(seeds) || results
    }

    /// Makes statements affected; says whether something is new.
    fn add_seeds(&mut self, mut seeds: Vec<(FunctionId, Step)>) -> bool {
        seeds.retain(|(function, step)| self.given.insert(((*function, step.node), step.rule)));
        if seeds.is_empty() {
            return false;
        }
        self.scope.add_thread_seeds(seeds);
        true
    }

    /// What was found.
    fn finished(self, (roots, callbacks, impacted): Activations) -> Activated<'a> {
        let later = BTreeMap::new();
        Activated { scope: self.scope, roots, callbacks, impacted, later, spread: self.threads }
    }

    /// Activates the entries, and what unknown code may call.
    fn activate(&mut self, handing: Handing) -> Activations {
        // What executions leave behind for those that follow, and what unknown code may hand on.
        let (mut left, mut outside) = (LeftBehind::default(), None);
        let unseen = handing == Handing::Unseen;
        let mut seeded = !unseen || self.callable.iter().any(|&function| self.scope.is_dirty(function));
        if seeded && unseen {
            self.scope.add_call_seeds(self.unknown.iter().copied());
        }
        loop {
            let entries = self.entries.functions.iter();
            let roots: Vec<ActivationId> =
                entries.map(|&entry| self.entered(entry, &left, handing)).collect();
            let callable = self.callable.clone();
            let callbacks: Vec<ActivationId> =
                callable.into_iter().map(|function| self.called_back(function, outside.as_ref())).collect();
            let all: Vec<ActivationId> = roots.iter().chain(&callbacks).copied().collect();
            if !seeded && callbacks.iter().any(|&id| self.scope.activation(id).hands_on()) {
                seeded = true;
                self.scope.add_call_seeds(self.unknown.iter().copied());
                continue;
            }
            let reached = self.scope.reached(&all);
            let is_forward = |&&(function, node): &&Site| {
                let mut activations = reached.get(&function).into_iter().flatten();
                activations.any(|&id| self.scope.activation(id).affected.is_forward(node))
            };
            let impacted: Vec<Site> = self.unknown.iter().filter(is_forward).copied().collect();
            let mut next_left = left.clone();
            for activation in roots.iter().map(|&root| self.scope.activation(root)) {
                if self.entries.sharing.contains(&activation.function) {
                    next_left.add(self.effects, activation.function, &activation.outputs);
                }
            }
            let next_outside = (unseen && !impacted.is_empty() && !self.callable.is_empty()).then(|| {
                let mut all = outside.clone().unwrap_or_default();
                for activation in reached.values().flatten().map(|&id| self.scope.activation(id)) {
                    LeftBehind::add(&mut all, self.effects, activation.function, &activation.outputs);
                }
                all
            });
            if next_left == left && next_outside == outside {
                return (roots, callbacks, impacted);
            }
            (left, outside) = (next_left, next_outside);
        }
    }

    /// The activation of an entry, with what earlier executions left behind.
    fn entered(&mut self, entry: FunctionId, left: &LeftBehind, handing: Handing) -> ActivationId {
        let mut inputs = Inputs::default();
        if self.entries.sharing.contains(&entry) {
            let (program, facts) = (self.scope.program, self.scope.facts(entry));
            inputs = match handing {
                Handing::Kept => left.kept_for(program, self.effects, facts, &self.keepers),
                Handing::Unseen => left.found_by(program, self.effects, facts),
            };
        }
        self.scope.activate(entry, inputs)
    }

    /// The activation of a function that unknown code calls, with everything that such code may hand on.
    fn called_back(&mut self, function: FunctionId, outside: Option<&LeftBehind>) -> ActivationId {
        let Some(outside) = outside else { return self.scope.root(function) };
        let parameters = self.scope.program.functions[function].parameters.len() as u32;
        let found = outside.found_by(self.scope.program, self.effects, self.scope.facts(function));
        self.scope.activate(function, Inputs { parameters: (0..parameters).collect(), ..found })
    }
}

/// The functions of the program that code may call which nobody can see: it may know their address.
fn callable_from_outside(program: &Program, effects: &Effects) -> Vec<FunctionId> {
    let points_to = effects.points_to();
    let is_known_outside = |&id: &FunctionId| {
        let object = points_to.object(ObjectKind::Function(id));
        let function = &program.functions[id];
        function.is_definition()
            && !function.model
            && object.is_some_and(|object| points_to.is_exposed(object))
    };
    program.functions.ids().filter(is_known_outside).collect()
}

/// The statements that call code which nobody can see.
fn unknown_calls(scope: &Scope<'_>, call_graph: &CallGraph) -> Vec<Site> {
    let calls = scope.functions.keys().flat_map(|&id| call_graph.unresolved_in(scope.program, id));
    let is_known = |call: &UnresolvedCall| matches!(&call.callee, UnresolvedCallee::Pointer(candidates) if !candidates.is_empty());
    let node = |call: UnresolvedCall| {
        Some((call.caller, scope.facts(call.caller).graph.owners[call.instruction.index()]?))
    };
    calls.filter(|call| !is_known(call)).filter_map(node).collect()
}

/// One version with what is affected in it.
struct VersionSide<'s, 'a> {
    scope: &'s Scope<'a>,
    reached: BTreeMap<FunctionId, BTreeSet<ActivationId>>,
    together: BTreeMap<FunctionId, Together>,
    /// For each function, the calls that pass each input which carries impact.
    passed: BTreeMap<FunctionId, BTreeMap<Input, BTreeSet<Site>>>,
    /// Who passed impact on from thread to thread.
    causes: Vec<(&'s (Site, Rule), &'s ThreadCause)>,
}

impl<'s, 'a> VersionSide<'s, 'a> {
    fn new(activated: &'s Activated<'a>) -> Self {
        let scope = &activated.scope;
        let roots: Vec<ActivationId> = activated.roots.iter().chain(&activated.callbacks).copied().collect();
        let reached = scope.reached(&roots);
        let mut passed: BTreeMap<FunctionId, BTreeMap<Input, BTreeSet<Site>>> = BTreeMap::new();
        for (&function, ids) in &reached {
            for (&(node, callee), &called) in ids.iter().flat_map(|&id| &scope.activation(id).calls) {
                let inputs = passed.entry(callee).or_default();
                for input in scope.activation(called).inputs.each() {
                    inputs.entry(input).or_default().insert((function, node));
                }
            }
        }
        for activation in activated.callbacks.iter().map(|&id| scope.activation(id)) {
            let inputs = passed.entry(activation.function).or_default();
            for input in activation.inputs.each() {
                inputs.entry(input).or_default().extend(&activated.impacted);
            }
        }
        let together =
            reached.iter().map(|(&function, ids)| (function, scope.together(function, ids))).collect();
        Self { scope, reached, together, passed, causes: activated.causes().collect() }
    }

    /// The statements of another graph that are parts of each of this version's.
    fn parts(&self, function: FunctionId, graph: &StatementGraph) -> Vec<Vec<NodeId>> {
        let nodes = &self.scope.facts(function).graph.nodes;
        let part = |root: &incise_ir::InstructionId| graph.owners[root.index()];
        let parts = |node: &crate::FlowNode| {
            let found: BTreeSet<NodeId> = node.roots.iter().filter_map(part).collect();
            found.into_iter().collect()
        };
        nodes.iter().map(parts).collect()
    }

    /// What is affected, in terms of another graph of the function.
    fn affected(&self, function: FunctionId, graph: &StatementGraph) -> Option<Affected> {
        let together = self.together.get(&function)?;
        let parts = self.parts(function, graph);
        Some(together.affected.moved(graph, |node| parts[node.index()].clone()))
    }

    /// How impact comes into a function, in terms of another graph of it.
    fn ways(&self, function: FunctionId, graph: &StatementGraph) -> Ways {
        let Some(together) = self.together.get(&function) else { return Ways::default() };
        let parts = self.parts(function, graph);
        let mut ways = Ways::default();
        let passed = self.passed.get(&function);
        for input in together.inputs.each() {
            let calls = passed.and_then(|passed| passed.get(&input)).cloned().unwrap_or_default();
            ways.inputs.insert(input, calls);
        }
        for step in together.affected.steps.iter().filter(|step| step.rule == Rule::Input) {
            let read = self.scope.inputs_read(function, step.node, &together.inputs);
            for &part in &parts[step.node.index()] {
                ways.readers.insert(part, read.each().collect());
            }
        }
        let start = self.causes.partition_point(|(((owner, _), _), _)| *owner < function);
        let own = self.causes[start..].iter().take_while(|(((owner, _), _), _)| *owner == function);
        for (&((_, node), rule), &cause) in own.copied() {
            for &part in &parts[node.index()] {
                ways.threads.insert((part, rule), cause);
            }
        }
        for (&(node, callee), ids) in &together.calls {
            if ids.iter().any(|&id| self.scope.activation(id).hands_on()) {
                for &part in &parts[node.index()] {
                    ways.calls.entry(part).or_default().push(callee);
                }
            }
        }
        ways
    }

    /// The statements that are affected only if callers hand on memory.
    fn later(&self, all: &BTreeMap<FunctionId, Affected>) -> BTreeMap<FunctionId, Vec<NodeId>> {
        let mut found = BTreeMap::new();
        for (&function, affected) in all {
            let here = self.together.get(&function).map(|together| &together.affected);
            let is_new = |node: &NodeId| !here.is_some_and(|here| here.contains(*node));
            let nodes: Vec<NodeId> = affected.nodes().filter(is_new).collect();
            if !nodes.is_empty() {
                found.insert(function, nodes);
            }
        }
        found
    }

    fn has_affected(&self, function: FunctionId) -> bool {
        self.together.get(&function).is_some_and(|together| !together.affected.steps.is_empty())
    }
}

/// The impact on a function of the new version, if there is any.
fn whole_function(
    impact: &Impact<'_>,
    pair: &FunctionPair,
    new_side: &VersionSide<'_, '_>,
    old_side: &VersionSide<'_, '_>,
) -> Option<WholeFunction> {
    let function = pair.new?;
    if !new_side.scope.functions.contains_key(&function) {
        return None;
    }
    let concerned = pair.change != FunctionChange::Unchanged
        || new_side.has_affected(function)
        || pair.old.is_some_and(|old| old_side.has_affected(old));
    if !concerned {
        return None;
    }
    let known = impact.functions.iter().find(|each| each.function == function);
    let mut found = match (known, pair.old) {
        (Some(known), _) => known.clone(),
        (None, Some(old)) => {
            let old_graph = StatementGraph::new(impact.old, old);
            let new_graph = StatementGraph::new(impact.new, function);
            let alignment = impact.versions.align(impact.old, old_graph, impact.new, new_graph);
            FunctionImpact::unaffected(&pair.name, alignment)
        }
        (None, None) => {
            let graph = new_side.scope.facts(function).graph.clone();
            let mut added = FunctionImpact::unaffected(&pair.name, added(graph));
            added.changed = true;
            added.changes.fill(true);
            added
        }
    };
    let graph = &found.alignment.new_graph;
    let affected = new_side.affected(function, graph).unwrap_or_else(|| Affected::none(graph));
    let ways = new_side.ways(function, graph);
    let old_graph = found.alignment.old_graph.as_ref();
    let affected_old = match (pair.old, old_graph) {
        (Some(old), Some(graph)) => old_side.affected(old, graph).unwrap_or_else(|| Affected::none(graph)),
        _ => Affected::none(graph),
    };
    (found.affected, found.affected_old) = (affected, affected_old);
    Some(WholeFunction { impact: found, ways, change: pair.change, distance: None })
}

/// A function that only the new version has.
fn added(graph: StatementGraph) -> Alignment {
    let count = graph.nodes.len();
    Alignment {
        old_graph: None,
        old_status: Vec::new(),
        new_status: vec![NewStatus::Added; count],
        to_new: Vec::new(),
        to_old: vec![None; count],
        gaps: Vec::new(),
        new_graph: graph,
    }
}
