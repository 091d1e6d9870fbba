//! Whether the edges of a network and the dependences of the code agree.
//!
//! A variable depends on another if a statement that may give it its value, or decides about one, may read the other.
//! That is looked for backwards over data and control, and stops at variables that nodes stand for: what is behind
//! them is their affair. It is a static analysis, which may see a dependence where none is; what is written through
//! pointers is not looked at.

use super::chains::Writers;
use super::names::Observable;
use crate::change::model::spot;
use incise_change::{Base, MemoryPlace, NodeId, NodeKind, Scope};
use incise_frontend::Inside;
use incise_ir::{FunctionId, Operand};
use incise_report::{Place, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// So many places are named for a dependence.
const SHOWN: usize = 3;

/// For each variable, the variables that it depends on without another in between, and where they are read.
pub(super) type Dependences = Vec<BTreeMap<usize, Vec<Place>>>;

type Statement = (FunctionId, NodeId);

/// The dependences of variables in a version.
pub(super) fn dependences(scope: &Scope<'_>, writers: &Writers, variables: &[&Observable]) -> Dependences {
    let search = Search::new(scope, variables);
    (0..variables.len()).map(|variable| search.of(variable, writers.naming(variables[variable]))).collect()
}

struct Search<'s> {
    scope: &'s Scope<'s>,
    /// The variable that a place belongs to; local ones with their function.
    globals: BTreeMap<Base, usize>,
    locals: BTreeMap<(FunctionId, Base), usize>,
    callers: BTreeMap<FunctionId, Vec<Statement>>,
}

impl<'s> Search<'s> {
    fn new(scope: &'s Scope<'s>, variables: &[&Observable]) -> Self {
        let program = scope.program;
        let (mut globals, mut locals) = (BTreeMap::new(), BTreeMap::new());
        for (number, variable) in variables.iter().enumerate() {
            match variable {
                Observable::Global { symbol, .. } => {
                    let found = program.globals.iter().find(|(_, global)| global.name == *symbol);
                    globals.extend(found.map(|(id, _)| (Base::Global(id), number)));
                }
                Observable::Inside(watch) => {
                    let Inside::Variable(name) = &watch.inside else { continue };
                    let Some(function) = program.function_named(&watch.function) else { continue };
                    let all = program.functions[function].variables.iter();
                    let storage = all.filter(|each| each.name == *name).find_map(|each| each.storage);
                    if let Some(Operand::Value(value)) = storage {
                        locals.insert((function, Base::Local(value)), number);
                    }
                }
                Observable::Memory { .. } => {}
            }
        }
        let mut callers: BTreeMap<FunctionId, Vec<Statement>> = BTreeMap::new();
        for (&function, facts) in &scope.functions {
            for node in facts.graph.ids() {
                for &callee in &facts.callees[node.index()] {
                    callers.entry(callee).or_default().push((function, node));
                }
            }
        }
        Self { scope, globals, locals, callers }
    }

    fn variable(&self, function: FunctionId, place: &MemoryPlace) -> Option<usize> {
        self.globals.get(&place.base).or_else(|| self.locals.get(&(function, place.base))).copied()
    }

    fn of(&self, variable: usize, writers: Vec<Statement>) -> BTreeMap<usize, Vec<Place>> {
        let mut found: BTreeMap<usize, Vec<Place>> = BTreeMap::new();
        let mut seen: BTreeSet<Statement> = BTreeSet::new();
        let mut work = writers;
        while let Some((function, node)) = work.pop() {
            if !seen.insert((function, node)) {
                continue;
            }
            let facts = self.scope.facts(function);
            let mut behind = Vec::new();
            for place in &facts.dependence.footprint(node).own_reads {
                match self.variable(function, place) {
                    Some(other) if other != variable => {
                        let places = found.entry(other).or_default();
                        let at = self
                            .place(function, node)
                            .filter(|at| places.len() < SHOWN && !places.contains(at));
                        places.extend(at);
                    }
                    // What it was itself before is followed: that is where other variables come in.
                    _ => behind.push(*place),
                }
            }
            let near =
                facts.graph.controlled_by[node.index()].iter().chain(&facts.graph.gated_by[node.index()]);
            work.extend(near.map(|&each| (function, each)));
            work.extend(facts.dependence.writers_of(node, &behind).into_iter().map(|each| (function, each)));
            work.extend(self.callers.get(&function).into_iter().flatten());
            for &callee in &facts.callees[node.index()] {
                let graph = &self.scope.facts(callee).graph;
                let returns = graph.ids().filter(|&each| graph.node(each).kind == NodeKind::Return);
                work.extend(returns.map(|each| (callee, each)));
            }
        }
        found
    }

    fn place(&self, function: FunctionId, node: NodeId) -> Option<Place> {
        let program = self.scope.program;
        let file = program.functions[function].file.map(|file| program.files[file].name.to_string())?;
        match spot(program, &self.scope.facts(function).graph, node) {
            Spot::Line(line) => Some(Place { file, line, column: 0 }),
            Spot::Code { .. } => None,
        }
    }
}

/// Which variables each depends on, with others in between or not.
pub(super) fn closed(direct: &Dependences) -> Vec<BTreeSet<usize>> {
    let reach = |start: usize| {
        let mut seen = BTreeSet::new();
        let mut work: Vec<usize> = direct[start].keys().copied().collect();
        while let Some(next) = work.pop() {
            if seen.insert(next) {
                work.extend(direct[next].keys());
            }
        }
        seen
    };
    (0..direct.len()).map(reach).collect()
}
