//! Why a node has its mark: from the statement that gives it its value, by the rules of `incise impact`, down to the
//! line that changed.
//!
//! The shortest way is looked for. A statement that is affected only because something affected reads it, by rule (4),
//! is no reason for a value: such ways are taken where there is no other.

use super::names::{Lies, Observable};
use super::work::ScopeWriters;
use crate::change::model::spot;
use incise_change::{Base, NodeId, Scope};
use incise_frontend::Watch;
use incise_ir::{FunctionId, Program};
use incise_report::impact::text::long_reason;
use incise_report::monitor::ChainStep;
use incise_report::{FunctionImpact, ImpactStep, Place, Reason, Spot, StatementStatus};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A chain has so many steps at most.
const LONGEST: usize = 24;

/// A statement, and the bytes that it writes, if they are known.
type Write = ((FunctionId, NodeId), Option<(u64, u64)>);

/// Where variables are written in a version: by symbol, and through pointers.
pub(super) struct Writers {
    globals: BTreeMap<String, Vec<Write>>,
    memory: Vec<(FunctionId, NodeId)>,
}

impl Writers {
    pub(super) fn of(scope: &Scope<'_>) -> Self {
        let mut writers = Self { globals: BTreeMap::new(), memory: Vec::new() };
        for (&function, facts) in &scope.functions {
            for node in facts.graph.ids() {
                let places = &facts.dependence.footprint(node).own_writes;
                let mut elsewhere = false;
                for place in places {
                    match place.base {
                        Base::Global(global) => {
                            let name = scope.program.globals[global].name.clone();
                            let known = writers.globals.entry(name).or_default();
                            if !known.contains(&((function, node), place.range)) {
                                known.push(((function, node), place.range));
                            }
                        }
                        Base::Local(_) | Base::Result(_) => {}
                        _ => elsewhere = true,
                    }
                }
                if elsewhere {
                    writers.memory.push((function, node));
                }
            }
        }
        writers
    }

    /// The statements that give what another one reads its value: a global variable by its symbol, or memory.
    fn giving(&self, symbol: Option<&String>) -> Vec<(FunctionId, NodeId)> {
        match symbol {
            Some(symbol) => {
                let writes = self.globals.get(symbol).into_iter().flatten();
                writes.map(|(statement, _)| *statement).collect()
            }
            None => self.memory.clone(),
        }
    }

    /// The statements that write a variable by its name.
    pub(super) fn naming(&self, observable: &Observable) -> Vec<(FunctionId, NodeId)> {
        self.named(observable, None)
    }

    fn named(&self, observable: &Observable, lies: Option<&Lies>) -> Vec<(FunctionId, NodeId)> {
        let writes = observable.symbol().and_then(|symbol| self.globals.get(&symbol));
        let wanted = lies.and_then(|lies| lies.bytes);
        let meets = |range: Option<(u64, u64)>| match (wanted, range) {
            (Some((start, end)), Some((from, to))) => from < end && start < to,
            _ => true,
        };
        let writes = writes.into_iter().flatten().filter(|(_, range)| meets(*range));
        let mut found: Vec<(FunctionId, NodeId)> = writes.map(|(statement, _)| *statement).collect();
        found.dedup();
        found
    }

    /// The statements that may write something.
    pub(super) fn writing(&self, observable: &Observable, lies: Option<&Lies>) -> Vec<(FunctionId, NodeId)> {
        let named = self.named(observable, lies).into_iter();
        match observable {
            Observable::Inside(_) => named.collect(),
            _ => named.chain(self.memory.iter().copied()).collect(),
        }
    }
}

/// A statement by function and place.
type StatementSite<'c> = (&'c str, Spot);

/// What is known of the change, statement by statement.
pub(super) struct Chains<'c> {
    functions: BTreeMap<&'c str, &'c FunctionImpact>,
    steps: BTreeMap<&'c str, BTreeMap<Spot, Vec<&'c ImpactStep>>>,
    /// For each function, where NEW calls it.
    callers: BTreeMap<String, BTreeSet<(String, Spot)>>,
    /// For each statement of NEW that calls, what.
    callees: BTreeMap<(String, Spot), BTreeSet<String>>,
    /// For each statement of NEW, the global variables that it reads; none for what pointers lead to.
    reads: BTreeMap<(String, Spot), BTreeSet<Option<String>>>,
    old: &'c Program,
    new: Option<&'c ScopeWriters<'c>>,
}

impl<'c> Chains<'c> {
    pub(super) fn new(
        functions: &'c [FunctionImpact],
        old: &'c Program,
        new: Option<&'c ScopeWriters<'c>>,
    ) -> Self {
        let mut steps: BTreeMap<&'c str, BTreeMap<Spot, Vec<&'c ImpactStep>>> = BTreeMap::new();
        for function in functions {
            for step in &function.derivation {
                steps.entry(&function.name).or_default().entry(step.spot).or_default().push(step);
            }
        }
        let functions = functions.iter().map(|function| (function.name.as_str(), function)).collect();
        let (callers, callees, reads) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut chains = Self { functions, steps, callers, callees, reads, old, new };
        if let Some(side) = new {
            chains.add_calls(&side.scope);
            chains.add_reads(&side.scope);
        }
        chains
    }

    fn add_calls(&mut self, scope: &Scope<'_>) {
        for (&function, facts) in &scope.functions {
            for node in facts.graph.ids() {
                for &callee in &facts.callees[node.index()] {
                    let name = |id: FunctionId| scope.program.functions[id].name.clone();
                    let site = (name(function), spot(scope.program, &facts.graph, node));
                    self.callers.entry(name(callee)).or_default().insert(site.clone());
                    self.callees.entry(site).or_default().insert(name(callee));
                }
            }
        }
    }

    fn add_reads(&mut self, scope: &Scope<'_>) {
        for (&function, facts) in &scope.functions {
            let name = &scope.program.functions[function].name;
            for node in facts.graph.ids() {
                let places = facts.dependence.footprint(node).own_reads.iter();
                let read = places.filter_map(|place| match place.base {
                    Base::Global(global) => Some(Some(scope.program.globals[global].name.clone())),
                    Base::Local(_) | Base::Result(_) => None,
                    _ => Some(None),
                });
                let site = (name.clone(), spot(scope.program, &facts.graph, node));
                self.reads.entry(site).or_default().extend(read);
            }
        }
    }

    /// From what writes a variable in NEW, or only in OLD, to the change: the shortest way.
    pub(super) fn chain(
        &self,
        observable: &Observable,
        lies: Option<(&Lies, &Lies)>,
        (new_scope, new): (&Scope<'_>, &Writers),
        old: Option<(&Scope<'_>, &Writers)>,
    ) -> Vec<ChainStep> {
        let writes = new.writing(observable, lies.map(|(_, after)| after));
        let sites: Vec<(&str, Spot)> = writes
            .into_iter()
            .map(|(function, node)| {
                let name = new_scope.program.functions[function].name.as_str();
                (name, spot(new_scope.program, &new_scope.facts(function).graph, node))
            })
            .collect();
        let heads = sites.iter().filter_map(|&(function, spot)| self.known(function, spot));
        let heads: Vec<StatementSite<'c>> = heads.collect();
        self.shortest(&heads, false)
            .or_else(|| self.removed(observable, lies, old, true))
            .or_else(|| self.shortest(&self.calls_above(&sites), false))
            .or_else(|| self.shortest(&heads, true))
            .or_else(|| self.removed(observable, lies, old, false))
            .unwrap_or_default()
    }

    /// The affected calls that lead to statements: how often these are executed hangs on them.
    fn calls_above(&self, sites: &[(&str, Spot)]) -> Vec<StatementSite<'c>> {
        let mut found = Vec::new();
        let mut work: Vec<&str> = sites.iter().map(|(function, _)| *function).collect();
        let mut seen: BTreeSet<&str> = work.iter().copied().collect();
        while let Some(function) = work.pop() {
            for (caller, spot) in self.callers.get(function).into_iter().flatten() {
                found.extend(self.known(caller, *spot));
                if let Some((caller, _)) = self.callers.get_key_value(caller)
                    && seen.insert(caller)
                {
                    work.push(caller);
                }
            }
        }
        found
    }

    /// A write of OLD that is not in NEW as it was, or one that is affected there.
    fn removed(
        &self,
        observable: &Observable,
        lies: Option<(&Lies, &Lies)>,
        old: Option<(&Scope<'_>, &Writers)>,
        itself: bool,
    ) -> Option<Vec<ChainStep>> {
        let (scope, writers) = old?;
        let mut work = writers.writing(observable, lies.map(|(before, _)| before));
        let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
        // What a function wrote that is not called any more was written by its calls.
        while !work.is_empty() {
            let step = work.iter().find_map(|&(function, node)| {
                let name = scope.program.functions[function].name.as_str();
                self.in_old(name, spot(scope.program, &scope.facts(function).graph, node), itself)
            });
            if let Some(step) = step {
                return Some(vec![step]);
            }
            let functions: BTreeSet<FunctionId> = work
                .iter()
                .map(|(function, _)| *function)
                .filter(|function| seen.insert(*function))
                .collect();
            work = calls_of(scope, &functions);
        }
        None
    }

    /// The shortest way from one of several statements to one that changed, breadth first.
    fn shortest(&self, heads: &[StatementSite<'c>], feeding: bool) -> Option<Vec<ChainStep>> {
        let mut from: BTreeMap<StatementSite<'c>, Option<(StatementSite<'c>, &'c ImpactStep)>> =
            BTreeMap::new();
        let mut work: VecDeque<StatementSite<'c>> = VecDeque::new();
        for &head in heads {
            if from.insert(head, None).is_none() {
                work.push_back(head);
            }
        }
        // What gives a variable its value is asked once: the first way to it is the shortest.
        let mut asked = BTreeSet::new();
        while let Some(site) = work.pop_front() {
            for &step in &self.steps[site.0][&site.1] {
                let feeds = matches!(step.reason, Reason::ReadByAffected | Reason::DecidesAboutAffected);
                if feeds && !feeding {
                    continue;
                }
                if matches!(step.reason, Reason::Changed | Reason::Added | Reason::ThroughOld) {
                    return Some(self.told(site, step, &from));
                }
                for next in self.causes(site, step, &mut asked) {
                    if let Entry::Vacant(entry) = from.entry(next) {
                        entry.insert(Some((site, step)));
                        work.push_back(next);
                    }
                }
            }
        }
        None
    }

    /// An affected statement.
    fn known(&self, function: &str, spot: Spot) -> Option<StatementSite<'c>> {
        let (name, steps) = self.steps.get_key_value(function)?;
        steps.contains_key(&spot).then_some((*name, spot))
    }

    /// The statements that made a statement affected by a step.
    fn causes(
        &self,
        site: StatementSite<'c>,
        step: &'c ImpactStep,
        asked: &mut BTreeSet<Option<String>>,
    ) -> Vec<StatementSite<'c>> {
        match (&step.reason, step.cause) {
            (Reason::Calls(names), _) => {
                let called = self.callees.get(&(site.0.to_owned(), site.1)).into_iter().flatten();
                let names: BTreeSet<&str> =
                    names.iter().chain(called).map(String::as_str).filter(|name| *name != site.0).collect();
                let inside = names.into_iter().filter_map(|name| self.functions.get(name));
                inside
                    .flat_map(|callee| callee.derivation.iter().map(|step| (callee.name.as_str(), step.spot)))
                    .collect()
            }
            (Reason::Input(carriers), _) => {
                let named = carriers.iter().flat_map(|carrier| &carrier.calls);
                let named = named.filter_map(|call| self.known(&call.function, call.spot));
                let all = self.callers.get(site.0).into_iter().flatten();
                let given = self.given(site, asked);
                named
                    .chain(given)
                    .chain(all.filter_map(|(function, spot)| self.known(function, *spot)))
                    .collect()
            }
            (_, Some(cause)) => self.known(site.0, cause).into_iter().collect(),
            (_, None) => Vec::new(),
        }
    }

    /// The affected statements that give what a statement reads its value.
    fn given(&self, site: StatementSite<'c>, asked: &mut BTreeSet<Option<String>>) -> Vec<StatementSite<'c>> {
        let Some(ScopeWriters { scope, writers }) = self.new else { return Vec::new() };
        let read = self.reads.get(&(site.0.to_owned(), site.1)).into_iter().flatten();
        let fresh = read.filter(|symbol| asked.insert((*symbol).clone()));
        let written = fresh.flat_map(|symbol| writers.giving(symbol.as_ref()));
        let site = |(function, node): (FunctionId, NodeId)| {
            let name = &scope.program.functions[function].name;
            self.known(name, spot(scope.program, &scope.facts(function).graph, node))
        };
        written.filter_map(site).collect()
    }

    /// The steps of a way that ends at a statement that changed.
    fn told(
        &self,
        last: StatementSite<'c>,
        step: &'c ImpactStep,
        from: &BTreeMap<StatementSite<'c>, Option<(StatementSite<'c>, &'c ImpactStep)>>,
    ) -> Vec<ChainStep> {
        let mut way = vec![(last, step)];
        let mut at = last;
        while let Some(Some((before, step))) = from.get(&at) {
            way.push((*before, step));
            at = *before;
        }
        way.reverse();
        let whole = way.len();
        let mut chain: Vec<ChainStep> =
            way.into_iter().filter_map(|(site, step)| self.step(site, step)).collect();
        if let (Reason::ThroughOld, Some(cause)) = (&step.reason, step.cause) {
            chain.extend(self.in_old(last.0, cause, false));
        }
        if whole > LONGEST {
            // The head and the end matter most.
            let end = chain.split_off(chain.len() - LONGEST / 2);
            chain.truncate(LONGEST / 2);
            chain.extend(end);
        }
        chain
    }

    /// A step, unless it is a copy that was made to see what a function keeps to itself.
    fn step(&self, (function, spot): StatementSite<'c>, step: &ImpactStep) -> Option<ChainStep> {
        let impact = self.functions.get(function)?;
        let text = impact.new.iter().find(|statement| statement.spot == spot).map(|each| each.text.clone());
        let place = place(impact.file.as_ref(), spot);
        let text = text.unwrap_or_default();
        let copy = place.is_none() && text.split(" = ").next().is_some_and(Watch::is_name);
        (!copy).then(|| ChainStep { place, in_old: false, text, because: long_reason(step) })
    }

    fn old_file(&self, function: &str) -> Option<String> {
        let file = self.old.functions[self.old.function_named(function)?].file?;
        Some(self.old.files[file].name.to_string())
    }

    /// A statement of OLD that is not in NEW as it was; with `itself`, not one that is merely affected.
    fn in_old(&self, function: &str, spot: Spot, itself: bool) -> Option<ChainStep> {
        let impact = self.functions.get(function)?;
        let statement = impact.old.iter().find(|statement| statement.spot == spot)?;
        if matches!(spot, Spot::Code { .. }) && statement.text.split(" = ").next().is_some_and(Watch::is_name)
        {
            return None;
        }
        let because = match statement.status {
            StatementStatus::Removed => "it was removed",
            StatementStatus::Changed => "it was changed",
            _ if itself => return None,
            _ => "it is affected in OLD",
        };
        Some(ChainStep {
            place: place(self.old_file(function).as_ref(), spot),
            in_old: true,
            text: statement.text.clone(),
            because: because.to_owned(),
        })
    }
}

/// The statements that call some functions.
fn calls_of(scope: &Scope<'_>, callees: &BTreeSet<FunctionId>) -> Vec<(FunctionId, NodeId)> {
    let mut found = Vec::new();
    for (&function, facts) in scope.functions.iter().filter(|_| !callees.is_empty()) {
        let calls = |node: &NodeId| facts.callees[node.index()].iter().any(|callee| callees.contains(callee));
        found.extend(facts.graph.ids().filter(calls).map(|node| (function, node)));
    }
    found
}

fn place(file: Option<&String>, spot: Spot) -> Option<Place> {
    match (spot, file) {
        (Spot::Line(line), Some(file)) => Some(Place { file: file.clone(), line, column: 0 }),
        _ => None,
    }
}
