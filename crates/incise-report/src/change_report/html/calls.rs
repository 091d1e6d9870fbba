//! Who calls whom where the change has influence: a picture if there are few functions, and a list of calls.

use super::links::Links;
use super::summary::more;
use super::{Caps, cut};
use crate::change_report::model::{ChangeReport, UnitCalls};
use crate::{CallEdge, CallGraph, CallNode, Place, Spot};
use incise_markup::layers::{LayeredEdge, Layout, Place as NodePlace, curve, layout, shown, width_of};
use incise_markup::xml::text as escaped;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// More functions than these are no picture any more.
const MOST_DRAWN: usize = 40;

/// All units.
pub(super) fn all(report: &ChangeReport, links: &Links<'_>, caps: Caps, text: &mut String) {
    if report.calls.is_empty() {
        return;
    }
    *text += "<section id=\"calls\">\n<h2>Calls</h2>\n";
    for calls in report.calls.iter().take(caps.pages) {
        let _ = writeln!(text, "<h3><code>{}</code></h3>", escaped(&calls.unit));
        if calls.graph.nodes.len() <= MOST_DRAWN {
            picture(calls, links, text);
        }
        list(calls, links, caps, text);
    }
    more(report.calls.len(), caps.pages, "units", text);
    *text += "</section>\n";
}

/// Edges that go back to where they came from say nothing of who stands above.
fn layered(graph: &CallGraph) -> Vec<LayeredEdge> {
    let pairs: BTreeSet<(usize, usize)> =
        graph.edges.iter().filter_map(|edge| Some((edge.caller, edge.callee?))).collect();
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    let mut edges = Vec::new();
    for (from, to) in pairs {
        let is_back = leads(&below, to, from);
        if !is_back {
            below[from].push(to);
        }
        edges.push(LayeredEdge { from, to, layered: !is_back });
    }
    edges
}

/// Whether a way leads from one node to another.
fn leads(below: &[Vec<usize>], from: usize, to: usize) -> bool {
    let (mut open, mut seen) = (vec![from], vec![false; below.len()]);
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&below[node]);
        }
    }
    seen[to]
}

fn picture(calls: &UnitCalls, links: &Links<'_>, text: &mut String) {
    let graph = &calls.graph;
    let widths: Vec<f64> = graph.nodes.iter().map(|node| width_of(&[&node.name, words(node)])).collect();
    let edges = layered(graph);
    let Layout { size: (width, height), nodes, edges: curves } = layout(&widths, &edges);
    let _ = writeln!(
        text,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Calls in {}\"><svg class=\"calls\" role=\"img\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\">{ARROW}",
        escaped(&calls.unit)
    );
    for (edge, points) in edges.iter().zip(&curves) {
        let path = if edge.from == edge.to { loop_at(&nodes[edge.from]) } else { curve(points) };
        drawn_edge(carries(graph, edge), &path, text);
    }
    for (node, place) in graph.nodes.iter().zip(&nodes) {
        drawn_node(node, place, links.function(&calls.unit, &node.name), text);
    }
    *text += "</svg></div>\n";
}

const ARROW: &str = "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" \
    markerHeight=\"7\" orient=\"auto\"><path d=\"M0 1 L10 5 L0 9 z\"/></marker></defs>";

/// Whether impact flows along one of the calls between two functions.
fn carries(graph: &CallGraph, edge: &LayeredEdge) -> bool {
    let mut between = graph.calls(edge.from).filter(|each| each.callee == Some(edge.to));
    between.any(CallEdge::is_impacted)
}

fn drawn_edge(carries: bool, path: &str, text: &mut String) {
    let class = if carries { "edge carries" } else { "edge" };
    let _ = writeln!(text, "<path class=\"{class}\" d=\"{path}\" marker-end=\"url(#arrow)\"/>");
}

fn drawn_node(node: &CallNode, place: &NodePlace, link: Option<String>, text: &mut String) {
    let ((x, y), (wide, high)) = (place.middle, place.size);
    let (left, top) = (x - wide / 2.0, y - high / 2.0);
    let class = if node.changed { "changed" } else { "reached" };
    let (whole, name, below) = (escaped(&node.name), escaped(&shown(&node.name)), words(node));
    let (first, second) = (y - 3.0, y + 13.0);
    let (start, end) = link.map_or_else(Default::default, |link| (format!("<a href=\"{link}\">"), "</a>"));
    let _ = writeln!(
        text,
        "{start}<g class=\"node {class}\"><title>{whole}</title>\
         <rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" rx=\"6\"/>\
         <text x=\"{x:.1}\" y=\"{first:.1}\">{name}</text><text class=\"small\" x=\"{x:.1}\" y=\"{second:.1}\">{below}</text></g>{end}"
    );
}

/// A function that calls itself.
fn loop_at(place: &NodePlace) -> String {
    let ((x, y), (wide, _)) = (place.middle, place.size);
    let right = x + wide / 2.0;
    format!(
        "M{right:.1} {:.1} C{:.1} {:.1} {:.1} {:.1} {right:.1} {:.1}",
        y - 8.0,
        right + 18.0,
        y - 14.0,
        right + 18.0,
        y + 14.0,
        y + 8.0
    )
}

fn words(node: &CallNode) -> &'static str {
    if node.changed { "changed" } else { "affected" }
}

/// The calls in words: what carries impact there, and back.
fn list(calls: &UnitCalls, links: &Links<'_>, caps: Caps, text: &mut String) {
    let graph = &calls.graph;
    if graph.edges.is_empty() {
        let names: Vec<String> =
            graph.nodes.iter().take(caps.list).map(|node| name(node, calls, links)).collect();
        let _ = writeln!(text, "<p>{}: none of them calls another.</p>", names.join(", "));
        more(graph.nodes.len(), caps.list, "functions", text);
        return;
    }
    let _ = writeln!(text, "<details><summary>{} calls</summary>\n<ul>", graph.edges.len());
    for edge in graph.edges.iter().take(caps.list) {
        let Some(callee) = edge.callee else { continue };
        let _ = writeln!(
            text,
            "<li>{} calls {} at {}{}</li>",
            name(&graph.nodes[edge.caller], calls, links),
            name(&graph.nodes[callee], calls, links),
            at(edge, &graph.nodes[edge.caller], links),
            escaped(&carried(edge))
        );
    }
    *text += "</ul>\n";
    more(graph.edges.len(), caps.list, "calls", text);
    *text += "</details>\n";
}

fn carried(edge: &CallEdge) -> String {
    let (there, back) = (edge.carries.words(), edge.returns.words());
    let mut text = String::new();
    if !there.is_empty() {
        text += &format!("; into it: {}", cut(&there.join(", "), 400));
    }
    if !back.is_empty() {
        text += &format!("; and back: {}", cut(&back.join(", "), 400));
    }
    text
}

fn name(node: &CallNode, calls: &UnitCalls, links: &Links<'_>) -> String {
    let name = escaped(&cut(&node.name, 400));
    match links.function(&calls.unit, &node.name) {
        Some(link) => format!("<a href=\"{link}\"><code>{name}</code></a>"),
        None => format!("<code>{name}</code>"),
    }
}

fn at(edge: &CallEdge, caller: &CallNode, links: &Links<'_>) -> String {
    match (edge.spot, &caller.file) {
        (Spot::Line(line), Some(file)) => links.place(&Place { file: file.clone(), line, column: 0 }, false),
        (spot, _) => escaped(&spot.words()),
    }
}
