//! The picture for Graphviz.

use super::look::look;
use super::{EdgeFinding, Picture};
use std::fmt::Write as _;

/// The picture as a graph for `dot`.
pub fn dot(picture: &Picture) -> String {
    let mut text = String::from("digraph monitor {\n  node [fontname=\"sans-serif\" fontsize=11];\n");
    let _ =
        writeln!(text, "  label={}; labelloc=t;", quoted(&format!("{}\n{}", picture.title, picture.summary)));
    for (number, node) in picture.nodes.iter().enumerate() {
        let look = look(node.mark);
        let label = match node.below.is_empty() {
            true => format!("{} {}", look.sign, node.name),
            false => format!("{} {}\n{}", look.sign, node.name, node.below),
        };
        let _ = writeln!(
            text,
            "  n{number} [label={} shape={} style=\"{}\" fillcolor=\"{}\" color=\"{}\" tooltip={}];",
            quoted(&label),
            look.dot_shape,
            look.dot_style,
            look.fill,
            look.border,
            quoted(node.mark.words()),
        );
    }
    for edge in &picture.edges {
        let style = match edge.finding {
            EdgeFinding::Plain => "",
            EdgeFinding::WithoutDependence => " [style=dashed color=\"#777777\" label=\"no dependence\"]",
            EdgeFinding::WithoutEdge => {
                " [style=bold color=\"#b34700\" label=\"not in the network\" constraint=false]"
            }
        };
        let _ = writeln!(text, "  n{} -> n{}{style};", edge.from, edge.to);
    }
    text + "}\n"
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for each in text.chars() {
        match each {
            '"' | '\\' => quoted.extend(['\\', each]),
            '\n' => quoted += "\\n",
            each if each.is_control() => quoted.push(' '),
            each => quoted.push(each),
        }
    }
    quoted + "\""
}
