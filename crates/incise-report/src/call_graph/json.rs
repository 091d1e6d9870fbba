//! A call graph as JSON: the member `callgraph` of `incise-impact/1`, see `docs/json.md`.

use crate::call_graph::{CallEdge, CallGraph, CallNode, EdgeKind, Flow};
use crate::impact::json::{spot, spots};
use serde_json::{Value as Json, json};

/// The whole graph.
pub(crate) fn graph(graph: &CallGraph) -> Json {
    json!({
        "nodes": graph.nodes.iter().enumerate().map(|(id, each)| node(id, each)).collect::<Json>(),
        "edges": graph.edges.iter().map(|each| edge(graph, each)).collect::<Json>(),
    })
}

fn node(id: usize, node: &CallNode) -> Json {
    let parameters = node.parameters.iter();
    json!({
        "id": id,
        "name": node.name,
        "file": node.file,
        "line": node.line,
        "entry": node.entry,
        "changed": node.changed,
        "external": node.external,
        "affected": spots(node.affected.iter().copied()),
        "impact": spots(node.impact.iter().copied()),
        "parameters": parameters
            .map(|each| json!({"name": each.name, "impact": spots(each.impact.iter().copied())}))
            .collect::<Json>(),
        "globals": node.globals,
        "memory": node.memory,
    })
}

fn edge(graph: &CallGraph, edge: &CallEdge) -> Json {
    let name = |id: usize| &graph.nodes[id].name;
    let mut object = json!({
        "caller": name(edge.caller),
        "caller_id": edge.caller,
        "callee": edge.callee.map(name),
        "callee_id": edge.callee,
        "line": spot(edge.spot),
        "kind": edge.kind.name(),
        "impacted": edge.is_impacted(),
        "carries": carried(&edge.carries),
        "returns": carried(&edge.returns),
    });
    if let EdgeKind::Through(names) = &edge.kind {
        object["through"] = json!(names);
    }
    object
}

/// What carries impact, one object each.
fn carried(flow: &Flow) -> Json {
    let arguments = flow.arguments.iter();
    let arguments =
        arguments.map(|(argument, parameter)| json!({"argument": argument, "parameter": parameter}));
    let result = flow.result.then(|| json!({"result": true}));
    let globals = flow.globals.iter().map(|name| json!({"global": name}));
    let memory = flow.memory.then(|| json!({"memory": true}));
    arguments.chain(result).chain(globals).chain(memory).collect()
}
