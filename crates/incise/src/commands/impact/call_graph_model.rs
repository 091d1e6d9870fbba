//! From the impact on a whole program to its call graph in the finding model: Figure 2(b) of Rungta, Person and
//! Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012).

use crate::change::model::{parameter_name, spot};
use incise_change::{
    Affected, CallKind, Describer, Entries, Inputs, NodeId, Scope, StatementGraph, Together,
    UnresolvedCallee, Versions, WholeImpact,
};
use incise_ir::{Function, FunctionId, InstructionId, Program};
use incise_report::{CallEdge, CallGraph, CallNode, EdgeKind, Flow, ParameterImpact, Spot};
use std::collections::{BTreeMap, BTreeSet};

/// The call graph of the functions that executions come to. Functions of the C library are left out; what they call is
/// called through them.
pub(crate) fn call_graph(
    program: &Program,
    versions: &Versions,
    whole: WholeImpact<'_>,
    entries: &Entries,
) -> CallGraph {
    let (Some(scope), Some(calls)) = (whole.scope, whole.call_graph) else { return CallGraph::default() };
    let reached = scope.reached(&whole.roots);
    let together: BTreeMap<FunctionId, Together> =
        reached.iter().map(|(&function, ids)| (function, scope.together(function, ids))).collect();
    let mut builder =
        Builder { program, scope, together, calls, numbers: BTreeMap::new(), graph: CallGraph::default() };
    let changed = versions.changed_new();
    for function in builder.scope.functions.keys().copied().collect::<Vec<_>>() {
        let node = builder.node(function);
        let is_changed = changed.contains(&function);
        builder.numbers.insert(function, builder.graph.nodes.len());
        builder.graph.nodes.push(CallNode {
            entry: entries.functions.contains(&function),
            changed: is_changed,
            ..node
        });
    }
    for function in builder.scope.functions.keys().copied().collect::<Vec<_>>() {
        builder.add_edges(function);
    }
    builder.with_impact_sets()
}

struct Builder<'a> {
    program: &'a Program,
    scope: Scope<'a>,
    together: BTreeMap<FunctionId, Together>,
    calls: incise_change::CallGraph,
    /// The position of each function among the nodes.
    numbers: BTreeMap<FunctionId, usize>,
    graph: CallGraph,
}

impl Builder<'_> {
    /// A function, without its impact sets.
    fn node(&self, id: FunctionId) -> CallNode {
        let function = &self.program.functions[id];
        let together = self.together.get(&id);
        let inputs = together.map(|together| together.inputs.clone()).unwrap_or_default();
        CallNode {
            name: function.name.clone(),
            file: function.file.map(|file| self.program.files[file].name.to_string()),
            line: function.line,
            affected: together.map_or_else(Vec::new, |together| {
                affected_spots(self.program, &self.scope.facts(id).graph, &together.affected)
            }),
            globals: self.global_names(&inputs),
            memory: !inputs.memory.is_empty(),
            ..CallNode::default()
        }
    }

    fn global_names(&self, inputs: &Inputs) -> Vec<String> {
        inputs.globals.iter().map(|&global| self.program.globals[global].name.clone()).collect()
    }

    /// Adds the calls that a function makes.
    fn add_edges(&mut self, caller: FunctionId) {
        let graph = self.scope.facts(caller).graph.clone();
        let describer = Describer::new(self.program, &graph);
        let unresolved: BTreeMap<InstructionId, UnresolvedCallee> = self
            .calls
            .unresolved_in(self.program, caller)
            .into_iter()
            .map(|call| (call.instruction, call.callee))
            .collect();
        for node in graph.ids() {
            let roots: BTreeSet<InstructionId> = graph.node(node).roots.iter().copied().collect();
            let edges: Vec<_> = self
                .calls
                .calls(caller)
                .iter()
                .filter(|edge| roots.contains(&edge.instruction))
                .cloned()
                .collect();
            let mut met: BTreeSet<FunctionId> = BTreeSet::new();
            let mut library: Vec<String> = Vec::new();
            for edge in edges {
                let unknown = unresolved.get(&edge.instruction);
                let kind = match edge.kind {
                    CallKind::Direct if edge.callee.is_none() => EdgeKind::Unseen,
                    CallKind::Direct => EdgeKind::Direct,
                    CallKind::Pointer => EdgeKind::Pointer,
                    CallKind::Guessed => EdgeKind::Guessed,
                    CallKind::Exit => EdgeKind::Through(vec!["exit".to_owned()]),
                };
                let callee = match edge.callee {
                    Some(callee) if self.numbers.contains_key(&callee) => {
                        met.insert(callee);
                        Some(callee)
                    }
                    Some(callee) if matches!(unknown, Some(UnresolvedCallee::External(_))) => {
                        self.add_external(callee);
                        Some(callee)
                    }
                    Some(callee) => {
                        library.push(self.program.functions[callee].name.clone());
                        continue;
                    }
                    None => None,
                };
                let site = (caller, node, edge.instruction);
                self.add_edge(&graph, &describer, site, callee, kind);
            }
            self.add_library_edges(&graph, &describer, (caller, node), &met, &library);
        }
    }

    /// Adds the calls that library functions make for a statement.
    fn add_library_edges(
        &mut self,
        graph: &StatementGraph,
        describer: &Describer<'_>,
        (caller, node): (FunctionId, NodeId),
        met: &BTreeSet<FunctionId>,
        library: &[String],
    ) {
        let callees = self.scope.facts(caller).callees[node.index()].clone();
        let Some(&first) = graph.node(node).roots.first() else { return };
        for callee in callees.into_iter().filter(|callee| !met.contains(callee)) {
            let kind = EdgeKind::Through(library.to_vec());
            self.add_edge(graph, describer, (caller, node, first), Some(callee), kind);
        }
    }

    fn add_external(&mut self, callee: FunctionId) {
        if !self.numbers.contains_key(&callee) {
            let name = self.program.functions[callee].name.clone();
            self.numbers.insert(callee, self.graph.nodes.len());
            self.graph.nodes.push(CallNode { name, external: true, ..CallNode::default() });
        }
    }

    fn add_edge(
        &mut self,
        graph: &StatementGraph,
        describer: &Describer<'_>,
        (caller, node, instruction): (FunctionId, NodeId, InstructionId),
        callee: Option<FunctionId>,
        kind: EdgeKind,
    ) {
        let hidden = matches!(kind, EdgeKind::Through(_) | EdgeKind::Unseen);
        let (mut carries, mut returns) = (Flow::default(), Flow::default());
        let together = self.together.get(&caller);
        let activations = callee
            .and_then(|callee| together.and_then(|together| together.calls.get(&(node, callee))))
            .into_iter()
            .flatten();
        for activation in activations.map(|&id| self.scope.activation(id)) {
            let called = &self.program.functions[activation.function];
            for &number in &activation.inputs.parameters {
                // Only the code in between knows what it passes.
                let argument = match hidden {
                    true => "?".to_owned(),
                    false => describer.argument(instruction, number as usize),
                };
                let pair = (argument, parameter_name(called, number));
                if !carries.arguments.contains(&pair) {
                    carries.arguments.push(pair);
                }
            }
            add_names(&mut carries.globals, self.global_names(&activation.inputs));
            carries.memory |= !activation.inputs.memory.is_empty();
            let outputs = &activation.outputs;
            returns.result |= outputs.result;
            let written = outputs.globals.iter().map(|&global| self.program.globals[global].name.clone());
            add_names(&mut returns.globals, written);
            returns.memory |= !outputs.memory.is_empty();
        }
        self.graph.edges.push(CallEdge {
            caller: self.numbers[&caller],
            callee: callee.map(|callee| self.numbers[&callee]),
            spot: spot(self.program, graph, node),
            kind,
            carries,
            returns,
        });
    }

    /// The graph with the impact set of each function and of each of its parameters.
    fn with_impact_sets(self) -> CallGraph {
        let Self { program, mut scope, numbers, mut graph, .. } = self;
        let functions: Vec<FunctionId> = scope.functions.keys().copied().collect();
        for &function in &functions {
            let id = scope.root(function);
            let affected = &scope.activation(id).affected;
            let node = &mut graph.nodes[numbers[&function]];
            node.impact = affected_spots(program, &scope.facts(function).graph, affected);
        }
        let mut scope = scope.without_changes();
        for &function in &functions {
            for (name, parameters) in named_parameters(&program.functions[function]) {
                let id = scope.activate(function, Inputs { parameters, ..Inputs::default() });
                let affected = &scope.activation(id).affected;
                let impact = affected_spots(program, &scope.facts(function).graph, affected);
                graph.nodes[numbers[&function]].parameters.push(ParameterImpact { name, impact });
            }
        }
        graph
    }
}

/// Adds names that are not yet there.
fn add_names(names: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for name in more {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// The parameters of the source, each with those of the IR that it travels in. Where a result is to be put is no
/// parameter of the source.
fn named_parameters(function: &Function) -> Vec<(String, BTreeSet<u32>)> {
    let mut found: Vec<(String, BTreeSet<u32>)> = Vec::new();
    for (number, parameter) in function.parameters.iter().enumerate() {
        if parameter.struct_return {
            continue;
        }
        let name = parameter_name(function, number as u32);
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, numbers)) => {
                numbers.insert(number as u32);
            }
            None => found.push((name, BTreeSet::from([number as u32]))),
        }
    }
    found
}

/// The affected statements of a function, each spot once, in order.
fn affected_spots(program: &Program, graph: &StatementGraph, affected: &Affected) -> Vec<Spot> {
    let spots: BTreeSet<Spot> = affected.nodes().map(|node| spot(program, graph, node)).collect();
    spots.into_iter().collect()
}
