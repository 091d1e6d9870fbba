//! A call graph as text for people: each function with its impact sets, and its calls with what carries impact along
//! them.

use crate::call_graph::{CallEdge, CallGraph, CallNode, EdgeKind};
use crate::impact::Spot;
use crate::text::Style;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How wide a list of names gets before it is cut.
const SHOWN_NAMES: usize = 12;

/// Writes the graph as text.
pub fn render(graph: &CallGraph, color: bool, out: &mut dyn Write) -> io::Result<()> {
    let style = Style::new(color, None);
    let mut calls: Vec<Vec<&CallEdge>> = vec![Vec::new(); graph.nodes.len()];
    graph.edges.iter().for_each(|edge| calls[edge.caller].push(edge));
    for (node, calls) in graph.nodes.iter().zip(&calls) {
        if node.external {
            continue;
        }
        heading(node, style, out)?;
        if is_concerned(node, calls) {
            concerned(graph, node, calls, style, out)?;
        } else {
            let names: BTreeSet<&str> = calls.iter().filter_map(|edge| callee(graph, edge)).collect();
            match names.is_empty() {
                true => writeln!(out, "  not affected")?,
                false => writeln!(out, "  not affected; calls {}", joined(names.into_iter()))?,
            }
        }
    }
    Ok(())
}

/// Whether there is more to say of a function than whom it calls.
fn is_concerned(node: &CallNode, calls: &[&CallEdge]) -> bool {
    node.changed || !node.affected.is_empty() || calls.iter().any(|edge| edge.is_impacted())
}

fn heading(node: &CallNode, style: Style, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}", style.bold(&node.name))?;
    match &node.file {
        Some(file) if node.line != 0 => write!(out, " ({file}:{})", node.line)?,
        Some(file) => write!(out, " ({file})")?,
        None => {}
    }
    let words = [(node.entry, "entry"), (node.changed, "changed")];
    let words: Vec<&str> = words.iter().filter(|(is, _)| *is).map(|(_, word)| *word).collect();
    writeln!(out, "{}{}", if words.is_empty() { "" } else { "  " }, words.join(", "))
}

fn concerned(
    graph: &CallGraph,
    node: &CallNode,
    calls: &[&CallEdge],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "  Imp({}) = {}", node.name, set(&node.impact))?;
    for parameter in &node.parameters {
        writeln!(out, "  Imp({}({})) = {}", node.name, parameter.name, set(&parameter.impact))?;
    }
    if node.affected != node.impact {
        writeln!(out, "  in some calls: {}", set(&node.affected))?;
    }
    let globals = node.globals.iter().map(|name| format!("global {name}"));
    let given: Vec<String> = globals.chain(node.memory.then(|| "memory".to_owned())).collect();
    if !given.is_empty() {
        writeln!(out, "  is given: {}", joined(given.iter().map(String::as_str)))?;
    }
    for edge in calls {
        let text = call(graph, edge);
        writeln!(out, "  {}", if edge.is_impacted() { style.yellow(&text) } else { text })?;
    }
    Ok(())
}

/// A call as text: `-> B  line 11: y -> z; back: result`.
pub(crate) fn call(graph: &CallGraph, edge: &CallEdge) -> String {
    let mut text = format!("-> {}  {}", callee(graph, edge).unwrap_or("?"), edge.spot.words());
    let kind = match &edge.kind {
        EdgeKind::Direct if edge.callee.is_some_and(|id| graph.nodes[id].external) => {
            " (unresolved)".to_owned()
        }
        EdgeKind::Direct => String::new(),
        EdgeKind::Pointer => " (by pointer)".to_owned(),
        EdgeKind::Guessed => " (by pointer, unresolved)".to_owned(),
        EdgeKind::Through(names) => format!(" (through {})", names.join(", ")),
        EdgeKind::Unseen => " (unresolved)".to_owned(),
    };
    text.push_str(&kind);
    let carries = edge.carries.words();
    if !carries.is_empty() {
        text.push_str(&format!(": {}", joined(carries.iter().map(String::as_str))));
    }
    let returns = edge.returns.words();
    if !returns.is_empty() {
        text.push_str(&format!("; back: {}", joined(returns.iter().map(String::as_str))));
    }
    text
}

fn callee<'g>(graph: &'g CallGraph, edge: &CallEdge) -> Option<&'g str> {
    edge.callee.map(|id| graph.nodes[id].name.as_str())
}

/// Statements as a set.
pub(crate) fn set(spots: &[Spot]) -> String {
    let names: Vec<String> = spots.iter().map(Spot::to_string).collect();
    format!("{{{}}}", names.join(", "))
}

/// Names as a list, which is cut if there are many.
fn joined<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.len() {
        count if count > SHOWN_NAMES => {
            format!("{} and {} more", names[..SHOWN_NAMES].join(", "), count - SHOWN_NAMES)
        }
        _ => names.join(", "),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::call_graph::{Flow, ParameterImpact};

    /// Figure 2(b) of the paper, with a function that is called by a pointer and one that nobody can see.
    pub(crate) fn figure_2() -> CallGraph {
        let lines = |lines: &[u32]| lines.iter().map(|&line| Spot::Line(line)).collect::<Vec<_>>();
        let node = |name: &str, line: u32, impact: &[u32], affected: &[u32]| CallNode {
            name: name.to_owned(),
            file: Some("new.c".to_owned()),
            line,
            impact: lines(impact),
            affected: lines(affected),
            ..CallNode::default()
        };
        let parameter =
            |name: &str, impact: &[u32]| ParameterImpact { name: name.to_owned(), impact: lines(impact) };
        let edge = |caller, callee, line, kind| CallEdge {
            caller,
            callee,
            spot: Spot::Line(line),
            kind,
            carries: Flow::default(),
            returns: Flow::default(),
        };
        let result = Flow { result: true, globals: vec!["t".to_owned()], ..Flow::default() };
        let y_to_z = Flow { arguments: vec![("y".to_owned(), "z".to_owned())], ..Flow::default() };
        CallGraph {
            nodes: vec![
                CallNode { parameters: vec![parameter("z", &[3, 4])], ..node("B", 2, &[], &[3, 4]) },
                CallNode { changed: true, ..node("A", 7, &[8, 9], &[8, 9]) },
                CallNode { entry: true, ..node("main", 14, &[16], &[16]) },
                node("help", 20, &[], &[]),
                CallNode { external: true, name: "log \"it\"".to_owned(), ..CallNode::default() },
            ],
            edges: vec![
                CallEdge { carries: y_to_z, ..edge(1, Some(0), 11, EdgeKind::Direct) },
                edge(2, Some(0), 15, EdgeKind::Direct),
                CallEdge { returns: result, ..edge(2, Some(1), 16, EdgeKind::Pointer) },
                edge(2, None, 17, EdgeKind::Guessed),
                edge(3, Some(4), 21, EdgeKind::Direct),
            ],
        }
    }

    #[test]
    fn sets_and_annotations_are_shown() {
        let mut bytes = Vec::new();
        render(&figure_2(), false, &mut bytes).unwrap();
        let expected = "\
B (new.c:2)
  Imp(B) = {}
  Imp(B(z)) = {3, 4}
  in some calls: {3, 4}
A (new.c:7)  changed
  Imp(A) = {8, 9}
  -> B  line 11: y -> z
main (new.c:14)  entry
  Imp(main) = {16}
  -> B  line 15
  -> A  line 16 (by pointer); back: result, global t
  -> ?  line 17 (by pointer, unresolved)
help (new.c:20)
  not affected; calls log \"it\"
";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }
}
