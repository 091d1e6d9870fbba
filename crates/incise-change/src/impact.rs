//! The impact of a change on a program: for each function that both versions have, what changed in it and what that can
//! affect, within the function.
//!
//! Functions are looked at one by one. A call of a function whose code changed, itself or through what it calls, is
//! where the change begins in the caller.

use crate::affected::{Affected, Rule, Rules, Step};
use crate::dependence::Dependence;
use crate::places::Sight;
use crate::side_by_side::side_by_side;
use crate::{
    ActivationId, Alignment, Base, Effects, FunctionChange, FunctionFacts, FunctionPair, MemoryPlace,
    NewStatus, NodeId, NodeKind, OldStatus, Outputs, Scope, StatementGraph, Versions,
};
use incise_ir::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What a change means for one function.
#[derive(Clone, Debug)]
pub struct FunctionImpact {
    /// Its name.
    pub name: String,
    /// The function in the new version.
    pub function: FunctionId,
    /// Whether its own code changed, and not only what it calls.
    pub changed: bool,
    /// Whether the types of its parameters or its result changed.
    pub signature_changed: bool,
    /// Its statements in both versions, and which belong together.
    pub alignment: Alignment,
    /// The affected statements of the new version.
    pub affected: Affected,
    /// The statements of the old version that those which were removed or changed affect there.
    pub affected_old: Affected,
    /// For each statement of the new version, whether the change is met there, calls of functions that changed
    /// included.
    pub changes: Vec<bool>,
    /// Where the rules begin, with everything that code may do which nobody can see.
    beginning: Beginning,
    /// The same, with what counts of such code in [`Sight::Program`].
    seen: Beginning,
}

/// Where the rules begin in a function, whoever calls it.
#[derive(Clone, Debug, Default)]
struct Beginning {
    /// What is affected at first, calls of functions that changed left out.
    seeds: Vec<Step>,
    /// What statements that were removed wrote.
    lost: Outputs,
}

impl FunctionImpact {
    /// The statements of the new version that are changed or added.
    pub fn changed_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let graph = &self.alignment.new_graph;
        graph.ids().filter(|node| self.alignment.new_status[node.index()] != NewStatus::Unchanged)
    }

    /// The statements of the old version that were removed.
    pub fn removed_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.alignment.old_status.len())
            .map(NodeId::from_index)
            .filter(|node| self.alignment.old_status[node.index()] == OldStatus::Removed)
    }

    /// A function with its alignment, and nothing affected.
    pub(crate) fn unaffected(name: &str, alignment: Alignment) -> Self {
        let graph = &alignment.new_graph;
        let changes = vec![false; graph.nodes.len()];
        Self {
            name: name.to_owned(),
            function: graph.function,
            changed: false,
            signature_changed: false,
            affected: Affected::none(graph),
            affected_old: Affected::none(alignment.old_graph.as_ref().unwrap_or(graph)),
            changes,
            beginning: Beginning::default(),
            seen: Beginning::default(),
            alignment,
        }
    }

    /// The scope of this function alone: calls of functions that changed are where the change is met.
    pub fn alone<'a>(&self, program: &'a Program, effects: &Effects, rules: Rules) -> Scope<'a> {
        // What no rule gave is what the rules begin with.
        let first = self.affected.steps.iter().take_while(|step| step.rule.number().is_none());
        let scope = BTreeSet::from([self.function]);
        let facts = FunctionFacts {
            changes: self.changes.clone(),
            gaps: self.alignment.gaps.iter().copied().collect(),
            seeds: first.copied().collect(),
            ..FunctionFacts::new(program, effects, self.alignment.new_graph.clone(), &scope, Sight::All)
        };
        let functions = BTreeMap::from([(self.function, facts)]);
        Scope::new(program, effects, functions, BTreeSet::from([self.function]), rules)
    }

    /// For one version with the changed statements given, and those that call functions with such statements.
    pub fn of_nodes(
        program: &Program,
        effects: &Effects,
        graph: StatementGraph,
        changed: &[NodeId],
        calling: &[NodeId],
        rules: Rules,
    ) -> Self {
        let function = graph.function;
        let dependence = Dependence::new(program, effects, &graph);
        let step = |rule| move |&node: &NodeId| Step { node, rule, cause: None };
        let own: Vec<Step> = changed.iter().map(step(Rule::Changed)).collect();
        let mut seeds: Vec<Step> = own.iter().copied().chain(calling.iter().map(step(Rule::Calls))).collect();
        seeds.sort_by_key(|step| step.node);
        let mut changes = vec![false; graph.nodes.len()];
        seeds.iter().for_each(|step| changes[step.node.index()] = true);
        let affected = Affected::new(&graph, &dependence, seeds, rules);
        let none = Affected::new(&graph, &dependence, [], rules);
        Self {
            name: program.functions[function].name.clone(),
            function,
            changed: !changed.is_empty(),
            signature_changed: false,
            alignment: Alignment::from_changed_nodes(program, graph, changed),
            affected,
            affected_old: none,
            changes,
            seen: Beginning { seeds: own.clone(), lost: Outputs::default() },
            beginning: Beginning { seeds: own, lost: Outputs::default() },
        }
    }

    /// What a change means for several functions of one version, as the scope of everything that calling some functions
    /// may lead to.
    pub fn below<'a>(
        functions: &[Self],
        program: &'a Program,
        roots: &[FunctionId],
        effects: &Effects,
        rules: Rules,
    ) -> Scope<'a> {
        let dirty = functions.iter().map(|each| each.function).collect();
        let changes = Changes { impacts: functions, changed: BTreeSet::new(), dirty };
        scope_below(program, effects, roots, changes, rules, Sight::All)
    }

    /// The functions of a scope that was made from `functions`, each with what is affected in it in some activation
    /// that these lead to; those without are left out.
    pub fn together(functions: &[Self], scope: &Scope<'_>, roots: &[ActivationId]) -> Vec<Self> {
        let mut found = Vec::new();
        for (function, ids) in scope.reached(roots) {
            let affected = scope.together(function, &ids).affected;
            let known = functions.iter().find(|each| each.function == function);
            let facts = scope.facts(function);
            let impact = known.cloned().unwrap_or_else(|| Self {
                name: scope.program.functions[function].name.clone(),
                function,
                changed: false,
                signature_changed: false,
                alignment: Alignment::from_changed_nodes(scope.program, facts.graph.clone(), &[]),
                affected_old: affected.clone(),
                affected: affected.clone(),
                changes: facts.changes.clone(),
                beginning: Beginning::default(),
                seen: Beginning::default(),
            });
            if impact.changed || !affected.steps.is_empty() {
                found.push(Self { affected, ..impact });
            }
        }
        found
    }
}

/// What a change means for a program.
#[derive(Debug)]
pub struct Impact<'a> {
    /// The old version.
    pub old: &'a Program,
    /// The new version.
    pub new: &'a Program,
    /// The functions of both.
    pub versions: Versions,
    /// The functions of the new version that changed, or call one that did.
    pub functions: Vec<FunctionImpact>,
    /// What functions of the new version do; `None` if nothing changed.
    pub effects: Option<Effects>,
}

impl<'a> Impact<'a> {
    /// Compares two versions, wherever execution begins. With `overflow_checks`, signed arithmetic whose result does
    /// not fit fails.
    pub fn new(old: &'a Program, new: &'a Program, rules: Rules, overflow_checks: bool) -> Self {
        let mut impact = Self::without_functions(old, new, Versions::compare(old, new));
        if !impact.versions.is_unchanged() {
            let effects = |program| Effects::with_overflow_checks(program, overflow_checks);
            let (old_effects, new_effects) = (effects(old), effects(new));
            impact.find_functions(&old_effects, &new_effects, None, rules);
            impact.effects = Some(new_effects);
        }
        impact
    }

    /// Compares two versions in executions that begin in one of `entries`, which are functions of the new version: more
    /// is known of where pointers point. Functions that such executions do not come to are left out.
    pub fn for_entries(
        old: &'a Program,
        new: &'a Program,
        versions: Versions,
        entries: &[FunctionId],
        rules: Rules,
        overflow_checks: bool,
    ) -> Self {
        let mut impact = Self::without_functions(old, new, versions);
        if !impact.versions.is_unchanged() {
            let before = impact.old_entries(entries);
            let old_effects = Effects::for_entries(old, overflow_checks, &before);
            let new_effects = Effects::for_entries(new, overflow_checks, entries);
            impact.find_functions(&old_effects, &new_effects, Some(entries), rules);
            impact.effects = Some(new_effects);
        }
        impact
    }

    /// The same, and the impact with the versions exchanged: what the change means for the old version.
    pub fn both_ways(
        old: &'a Program,
        new: &'a Program,
        versions: Versions,
        (old_entries, new_entries): (&[FunctionId], &[FunctionId]),
        rules: Rules,
        overflow_checks: bool,
    ) -> (Self, Self) {
        let mut backward = Self::without_functions(new, old, versions.mirrored());
        let mut forward = Self::without_functions(old, new, versions);
        if !forward.versions.is_unchanged() {
            let (old_effects, new_effects) = side_by_side(
                || Effects::as_left_by_entries(old, overflow_checks, old_entries),
                || Effects::as_left_by_entries(new, overflow_checks, new_entries),
            );
            forward.find_functions(&old_effects, &new_effects, Some(new_entries), rules);
            backward.find_functions(&new_effects, &old_effects, Some(old_entries), rules);
            forward.effects = Some(new_effects);
            backward.effects = Some(old_effects);
        }
        (forward, backward)
    }

    fn without_functions(old: &'a Program, new: &'a Program, versions: Versions) -> Self {
        Self { old, new, versions, functions: Vec::new(), effects: None }
    }

    /// The functions of the old version that belong to some of the new version.
    fn old_entries(&self, entries: &[FunctionId]) -> Vec<FunctionId> {
        entries.iter().filter_map(|&entry| self.versions.old_of(entry)).collect()
    }

    /// Finds what the change means for each function that executions from the entries come to.
    fn find_functions(
        &mut self,
        old_effects: &Effects,
        new_effects: &Effects,
        entries: Option<&[FunctionId]>,
        rules: Rules,
    ) {
        let mut dirty = self.versions.changed_new();
        let calling = self.versions.calls_changed(self.old, self.new);
        dirty.extend(calling.iter().copied());
        let removed = self.versions.functions.iter().filter(|pair| pair.change == FunctionChange::Removed);
        dirty.extend(removed.filter_map(|pair| self.new.function_named(&pair.name)));
        let reached = entries.map(|entries| reached(new_effects, entries));
        let is_reached = |new: &FunctionId| reached.as_ref().is_none_or(|reached| reached.contains(new));
        let mut found = Vec::new();
        for pair in &self.versions.functions {
            let (Some(old_id), Some(new_id)) = (pair.old, pair.new.filter(is_reached)) else { continue };
            if pair.change == FunctionChange::Changed || calling.contains(&new_id) {
                let effects = (old_effects, new_effects);
                found.push(self.function_impact(pair, old_id, new_id, effects, &dirty, rules));
            }
        }
        self.functions = found;
    }

    /// The impact on the function of that name.
    pub fn function(&self, name: &str) -> Option<&FunctionImpact> {
        self.functions.iter().find(|function| function.name == name)
    }

    fn function_impact(
        &self,
        pair: &FunctionPair,
        old_id: FunctionId,
        new_id: FunctionId,
        (old_effects, new_effects): (&Effects, &Effects),
        dirty: &BTreeSet<FunctionId>,
        rules: Rules,
    ) -> FunctionImpact {
        let (old, new) = (self.old, self.new);
        let (old_graph, new_graph) = (StatementGraph::new(old, old_id), StatementGraph::new(new, new_id));
        let alignment = self.versions.align(old, old_graph, new, new_graph);
        let old_graph = alignment.old_graph.as_ref();
        let new_graph = &alignment.new_graph;
        let mut affected_old = None;
        let (mut through, mut through_seen) = (Beginning::default(), Beginning::default());
        if let Some(old_graph) = old_graph {
            let same_parameters = !pair.signature_changed;
            let dependence = Dependence::new(old, old_effects, old_graph);
            through = self.through_removed(&alignment, &dependence, same_parameters, rules);
            through_seen = through.clone();
            if alignment.old_status.contains(&OldStatus::Removed) {
                let apart = BTreeSet::new();
                let dependence = Dependence::apart(old, old_effects, old_graph, &apart, Sight::Program);
                through_seen = self.through_removed(&alignment, &dependence, same_parameters, rules);
            }
            let all = old_steps(&alignment, old_graph, |status| status != OldStatus::Unchanged);
            affected_old = Some(Affected::new(old_graph, &dependence, all, rules));
        }
        let dependence = Dependence::new(new, new_effects, new_graph);
        let mut changes = vec![false; new_graph.nodes.len()];
        let mut direct = Vec::new();
        for node in new_graph.ids() {
            let calls_changed =
                || dependence.footprint(node).calls.iter().any(|callee| dirty.contains(callee));
            let rule = match alignment.new_status[node.index()] {
                NewStatus::Changed => Rule::Changed,
                NewStatus::Added => Rule::Added,
                NewStatus::Unchanged if calls_changed() => Rule::Calls,
                NewStatus::Unchanged => continue,
            };
            changes[node.index()] = true;
            direct.push(Step { node, rule, cause: None });
        }
        // What changed itself says more than that it is affected through the old version.
        let own: Vec<Step> = direct.iter().filter(|step| step.rule != Rule::Calls).copied().collect();
        let with_own = |through: &Beginning| Beginning {
            seeds: own.iter().chain(&through.seeds).copied().collect(),
            lost: through.lost.clone(),
        };
        let (beginning, seen) = (with_own(&through), with_own(&through_seen));
        direct.append(&mut through.seeds);
        let affected = Affected::new(new_graph, &dependence, direct, rules);
        let affected_old = affected_old.unwrap_or_else(|| Affected::new(new_graph, &dependence, [], rules));
        FunctionImpact {
            name: pair.name.clone(),
            function: new_id,
            changed: pair.change == FunctionChange::Changed,
            signature_changed: pair.signature_changed,
            alignment,
            affected,
            affected_old,
            changes,
            beginning,
            seen,
        }
    }
}

impl<'a> Impact<'a> {
    /// Where the rules begin in the new version because of what was removed.
    fn through_removed(
        &self,
        alignment: &Alignment,
        dependence: &Dependence,
        same_parameters: bool,
        rules: Rules,
    ) -> Beginning {
        let Some(old_graph) = &alignment.old_graph else { return Beginning::default() };
        let removed: Vec<Step> = old_steps(alignment, old_graph, |status| status == OldStatus::Removed);
        let lost = self.lost(old_graph, dependence, &removed, same_parameters);
        let through_removed = Affected::new(old_graph, dependence, removed, rules);
        // What a removed statement read did not change because of that; the first paper takes it along.
        let counts = |&node: &NodeId| rules == Rules::Paper || through_removed.is_forward(node);
        let mut seeds = Vec::new();
        for node in through_removed.nodes().filter(counts) {
            if let Some(new_node) = alignment.to_new[node.index()] {
                let cause = through_removed.origin(node).map(|step| step.node);
                seeds.push(Step { node: new_node, rule: Rule::ThroughOld, cause });
            }
        }
        Beginning { seeds, lost }
    }

    /// What removed statements wrote, in terms of the new version.
    fn lost(
        &self,
        graph: &StatementGraph,
        dependence: &Dependence,
        removed: &[Step],
        same_parameters: bool,
    ) -> Outputs {
        let mut lost = Outputs::default();
        for step in removed {
            lost.result |= graph.node(step.node).kind == NodeKind::Return;
            for place in &dependence.footprint(step.node).writes {
                match place.base {
                    Base::Global(global) => {
                        lost.globals.extend(self.new.global_named(&self.old.globals[global].name));
                    }
                    Base::Result(_) | Base::Local(_) => {}
                    // Objects of the old version have no names in the new one.
                    Base::Pointee(_) | Base::Outside if same_parameters => {
                        lost.memory.insert(*place);
                    }
                    _ => {
                        lost.memory.insert(MemoryPlace::memory());
                    }
                }
            }
        }
        lost
    }

    /// The scope of one function alone: calls of functions that changed are where the change is met.
    pub fn within(&self, function: &FunctionImpact, effects: &Effects, rules: Rules) -> Scope<'a> {
        function.alone(self.new, effects, rules)
    }

    /// The scope of everything that calling these functions may lead to.
    pub fn below(&self, roots: &[FunctionId], effects: &Effects, rules: Rules) -> Scope<'a> {
        self.below_with(roots, effects, rules, Sight::All)
    }

    /// The same, with what counts of code that nobody can see.
    pub(crate) fn below_with(
        &self,
        roots: &[FunctionId],
        effects: &Effects,
        rules: Rules,
        sight: Sight,
    ) -> Scope<'a> {
        let changed = self.versions.changed_new();
        let mut dirty = self.versions.calls_changed(self.old, self.new);
        dirty.extend(&changed);
        let changes = Changes { impacts: &self.functions, changed, dirty };
        scope_below(self.new, effects, roots, changes, rules, sight)
    }
}

/// Where the changes are.
struct Changes<'i> {
    impacts: &'i [FunctionImpact],
    /// The functions that changed; those without an impact of their own are new.
    changed: BTreeSet<FunctionId>,
    /// The functions with a change in or below them.
    dirty: BTreeSet<FunctionId>,
}

/// The scope below some functions.
fn scope_below<'a>(
    program: &'a Program,
    effects: &Effects,
    roots: &[FunctionId],
    changes: Changes<'_>,
    rules: Rules,
    sight: Sight,
) -> Scope<'a> {
    let Changes { impacts, changed, dirty } = changes;
    let mut functions = BTreeMap::new();
    let mut scope = reached(effects, roots);
    scope.retain(|&id| program.functions[id].is_definition() && !program.functions[id].model);
    for &id in &scope {
        let facts = match impacts.iter().find(|each| each.function == id) {
            Some(impact) => {
                let mut changes = vec![false; impact.changes.len()];
                impact.changed_nodes().for_each(|node| changes[node.index()] = true);
                let beginning = match sight {
                    Sight::All => &impact.beginning,
                    Sight::Program => &impact.seen,
                };
                FunctionFacts {
                    changes,
                    gaps: impact.alignment.gaps.iter().copied().collect(),
                    seeds: beginning.seeds.clone(),
                    lost: beginning.lost.clone(),
                    ..FunctionFacts::new(program, effects, impact.alignment.new_graph.clone(), &scope, sight)
                }
            }
            // A function that is new is new from its first to its last statement.
            None if changed.contains(&id) => {
                FunctionFacts::unchanged(program, effects, id, &scope, sight).all_added()
            }
            None => FunctionFacts::unchanged(program, effects, id, &scope, sight),
        };
        functions.insert(id, facts);
    }
    Scope::new(program, effects, functions, dirty, rules)
}

/// The functions that calling some functions may lead to, those included.
fn reached(effects: &Effects, roots: &[FunctionId]) -> BTreeSet<FunctionId> {
    let mut found: BTreeSet<FunctionId> = roots.iter().copied().collect();
    for &root in roots {
        found.extend(effects.reachable(root));
    }
    found
}

/// The statements of the old version with a status, as first steps.
fn old_steps(alignment: &Alignment, graph: &StatementGraph, wanted: impl Fn(OldStatus) -> bool) -> Vec<Step> {
    let step = |node: NodeId| match alignment.old_status[node.index()] {
        OldStatus::Changed => Step { node, rule: Rule::Changed, cause: None },
        _ => Step { node, rule: Rule::Removed, cause: None },
    };
    graph.ids().filter(|node| wanted(alignment.old_status[node.index()])).map(step).collect()
}
