//! A call graph in the language of Graphviz: `incise impact OLD NEW --callgraph=dot | dot -Tsvg`.

use crate::call_graph::text::set;
use crate::call_graph::{CallEdge, CallGraph, CallNode, EdgeKind};
use crate::impact::Spot;
use std::io::{self, Write};

/// How many statements of a set are shown in a node.
const SHOWN_SPOTS: usize = 24;

/// Writes the graph: affected functions are filled, calls along which impact flows are red and say what carries it.
pub fn render(graph: &CallGraph, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "digraph callgraph {{")?;
    writeln!(out, "  node [shape=box, fontname=\"monospace\"];")?;
    writeln!(out, "  edge [fontname=\"monospace\"];")?;
    for (id, each) in graph.nodes.iter().enumerate() {
        node(id, each, out)?;
    }
    // One node stands for all code that has no name.
    if graph.edges.iter().any(|edge| edge.callee.is_none()) {
        writeln!(out, "  unseen [label=\"?\", style=dashed];")?;
    }
    for each in &graph.edges {
        edge(each, out)?;
    }
    writeln!(out, "}}")
}

fn node(id: usize, node: &CallNode, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = vec![node.name.clone()];
    if !node.external && (!node.affected.is_empty() || node.changed) {
        lines.push(format!("Imp({}) = {}", node.name, shortened(&node.impact)));
        for parameter in &node.parameters {
            lines.push(format!("Imp({}({})) = {}", node.name, parameter.name, shortened(&parameter.impact)));
        }
    }
    let style = match node {
        CallNode { external: true, .. } => ", style=dashed",
        CallNode { changed: true, .. } => ", style=filled, fillcolor=\"#f4b183\"",
        _ if !node.affected.is_empty() => ", style=filled, fillcolor=\"#ffe699\"",
        _ => "",
    };
    let border = if node.entry { ", peripheries=2" } else { "" };
    let label: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
    writeln!(out, "  n{id} [label=\"{}\"{style}{border}];", label.join("\\n"))
}

fn edge(edge: &CallEdge, out: &mut dyn Write) -> io::Result<()> {
    let mut label = match edge.spot {
        Spot::Line(line) => format!("l{line}"),
        Spot::Code { .. } => edge.spot.to_string(),
    };
    let carries = edge.carries.words();
    if !carries.is_empty() {
        label.push_str(&format!(": {}", carries.join(", ")));
    }
    let mut lines = vec![escaped(&label)];
    let returns = edge.returns.words();
    if !returns.is_empty() {
        lines.push(escaped(&format!("back: {}", returns.join(", "))));
    }
    let style = match &edge.kind {
        EdgeKind::Direct => "",
        EdgeKind::Pointer | EdgeKind::Through(_) => ", style=dashed",
        EdgeKind::Guessed | EdgeKind::Unseen => ", style=dotted",
    };
    let color = if edge.is_impacted() { ", color=red, fontcolor=red" } else { "" };
    let callee = edge.callee.map_or_else(|| "unseen".to_owned(), |id| format!("n{id}"));
    writeln!(out, "  n{} -> {callee} [label=\"{}\"{style}{color}];", edge.caller, lines.join("\\n"))
}

fn shortened(spots: &[Spot]) -> String {
    match spots.len() {
        count if count > SHOWN_SPOTS => {
            format!("{} and {} more", set(&spots[..SHOWN_SPOTS]), count - SHOWN_SPOTS)
        }
        _ => set(spots),
    }
}

/// Text within quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for each in text.chars() {
        match each {
            '"' | '\\' => escaped.extend(['\\', each]),
            '\n' => escaped.push_str("\\n"),
            each if each.is_control() => escaped.push(' '),
            each => escaped.push(each),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call_graph::text::tests::figure_2;

    #[test]
    fn names_are_escaped_and_impact_is_shown() {
        let mut bytes = Vec::new();
        render(&figure_2(), &mut bytes).unwrap();
        let expected = r##"digraph callgraph {
  node [shape=box, fontname="monospace"];
  edge [fontname="monospace"];
  n0 [label="B\nImp(B) = {}\nImp(B(z)) = {3, 4}", style=filled, fillcolor="#ffe699"];
  n1 [label="A\nImp(A) = {8, 9}", style=filled, fillcolor="#f4b183"];
  n2 [label="main\nImp(main) = {16}", style=filled, fillcolor="#ffe699", peripheries=2];
  n3 [label="help"];
  n4 [label="log \"it\"", style=dashed];
  unseen [label="?", style=dashed];
  n1 -> n0 [label="l11: y -> z", color=red, fontcolor=red];
  n2 -> n0 [label="l15"];
  n2 -> n1 [label="l16\nback: result, global t", style=dashed, color=red, fontcolor=red];
  n2 -> unseen [label="l17", style=dotted];
  n3 -> n4 [label="l21"];
}
"##;
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }
}
