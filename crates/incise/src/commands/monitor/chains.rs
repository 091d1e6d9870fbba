//! Why a node has its mark: from the statement that gives it its value, by the rules of `incise impact`, down to the
//! line that changed.

use super::names::Observable;
use crate::change::model::spot;
use incise_change::{Base, NodeId, Scope};
use incise_ir::{FunctionId, Program};
use incise_report::impact::text::long_reason;
use incise_report::monitor::ChainStep;
use incise_report::{FunctionImpact, ImpactStep, Place, Reason, Spot, StatementStatus};
use std::collections::{BTreeMap, BTreeSet};

/// A chain has so many steps at most.
const LONGEST: usize = 24;

/// Where variables are written in a version: by symbol, and through pointers.
pub(super) struct Writers {
    globals: BTreeMap<String, Vec<(FunctionId, NodeId)>>,
    memory: Vec<(FunctionId, NodeId)>,
}

impl Writers {
    pub(super) fn of(scope: &Scope<'_>) -> Self {
        let mut writers = Self { globals: BTreeMap::new(), memory: Vec::new() };
        for (&function, facts) in &scope.functions {
            for node in facts.graph.ids() {
                let places = &facts.dependence.footprint(node).own_writes;
                let globals: BTreeSet<&str> = places
                    .iter()
                    .filter_map(|place| match place.base {
                        Base::Global(global) => Some(scope.program.globals[global].name.as_str()),
                        _ => None,
                    })
                    .collect();
                for name in globals {
                    writers.globals.entry(name.to_owned()).or_default().push((function, node));
                }
                let elsewhere =
                    |base: Base| !matches!(base, Base::Global(_) | Base::Local(_) | Base::Result(_));
                if places.iter().any(|place| elsewhere(place.base)) {
                    writers.memory.push((function, node));
                }
            }
        }
        writers
    }

    /// The statements that write a variable by its name.
    pub(super) fn naming(&self, observable: &Observable) -> Vec<(FunctionId, NodeId)> {
        let named = observable.symbol().and_then(|symbol| self.globals.get(&symbol));
        named.cloned().unwrap_or_default()
    }

    /// The statements that may write something.
    pub(super) fn writing(&self, observable: &Observable) -> Vec<(FunctionId, NodeId)> {
        let named = observable.symbol().and_then(|symbol| self.globals.get(&symbol));
        let named = named.into_iter().flatten().copied();
        match observable {
            Observable::Inside(_) => named.collect(),
            _ => named.chain(self.memory.iter().copied()).collect(),
        }
    }
}

/// What is known of the change, statement by statement.
pub(super) struct Chains<'c> {
    functions: BTreeMap<&'c str, &'c FunctionImpact>,
    old: &'c Program,
}

impl<'c> Chains<'c> {
    pub(super) fn new(functions: &'c [FunctionImpact], old: &'c Program) -> Self {
        Self { functions: functions.iter().map(|function| (function.name.as_str(), function)).collect(), old }
    }

    /// From what writes a variable in NEW, or only in OLD, to the change: the shortest way.
    pub(super) fn chain(
        &self,
        observable: &Observable,
        (new_scope, new): (&Scope<'_>, &Writers),
        old: Option<(&Scope<'_>, &Writers)>,
    ) -> Vec<ChainStep> {
        let from = |(function, node): (FunctionId, NodeId)| {
            let name = new_scope.program.functions[function].name.as_str();
            self.from(name, spot(new_scope.program, &new_scope.facts(function).graph, node))
        };
        let chains = new.writing(observable).into_iter().filter_map(from);
        if let Some(shortest) = chains.min_by_key(Vec::len) {
            return shortest;
        }
        let Some((scope, writers)) = old else { return Vec::new() };
        let removed = writers.writing(observable).into_iter().filter_map(|(function, node)| {
            let name = scope.program.functions[function].name.as_str();
            self.in_old(name, spot(scope.program, &scope.facts(function).graph, node))
        });
        removed.take(1).collect()
    }

    /// The steps from an affected statement to the change; `None` if it is not affected.
    fn from(&self, function: &str, spot: Spot) -> Option<Vec<ChainStep>> {
        let (mut function, mut at) = (function.to_owned(), spot);
        let mut chain = Vec::new();
        let mut seen = BTreeSet::new();
        while chain.len() < LONGEST && seen.insert((function.clone(), at)) {
            let Some(impact) = self.functions.get(function.as_str()) else { break };
            let Some(step) = impact.derivation.iter().find(|step| step.spot == at) else { break };
            chain.push(chain_step(impact, step));
            match (&step.reason, step.cause) {
                (Reason::Changed | Reason::Added, _) => break,
                (Reason::ThroughOld, Some(cause)) => {
                    chain.extend(self.in_old(&function, cause));
                    break;
                }
                (Reason::Calls(names), _) => {
                    let Some(callee) = names.first().and_then(|name| self.functions.get(name.as_str()))
                    else {
                        break;
                    };
                    let changed = |step: &&ImpactStep| matches!(step.reason, Reason::Changed | Reason::Added);
                    let first = callee.derivation.iter().find(changed).or(callee.derivation.first());
                    let Some(first) = first else { break };
                    (function, at) = (callee.name.clone(), first.spot);
                }
                (Reason::Input(carriers), _) => {
                    let Some(site) = carriers.iter().find_map(|carrier| carrier.calls.first()) else { break };
                    (function, at) = (site.function.clone(), site.spot);
                }
                (_, Some(cause)) => at = cause,
                (_, None) => break,
            }
        }
        (!chain.is_empty()).then_some(chain)
    }

    fn old_file(&self, function: &str) -> Option<String> {
        let file = self.old.functions[self.old.function_named(function)?].file?;
        Some(self.old.files[file].name.to_string())
    }

    /// A statement of OLD that is not in NEW as it was.
    fn in_old(&self, function: &str, spot: Spot) -> Option<ChainStep> {
        let impact = self.functions.get(function)?;
        let statement = impact.old.iter().find(|statement| statement.spot == spot)?;
        let because = match statement.status {
            StatementStatus::Removed => "it was removed",
            StatementStatus::Changed => "it was changed",
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

fn chain_step(impact: &FunctionImpact, step: &ImpactStep) -> ChainStep {
    let text = impact.new.iter().find(|statement| statement.spot == step.spot).map(|each| each.text.clone());
    ChainStep {
        place: place(impact.file.as_ref(), step.spot),
        in_old: false,
        text: text.unwrap_or_default(),
        because: long_reason(step),
    }
}

fn place(file: Option<&String>, spot: Spot) -> Option<Place> {
    match (spot, file) {
        (Spot::Line(line), Some(file)) => Some(Place { file: file.clone(), line, column: 0 }),
        _ => None,
    }
}
