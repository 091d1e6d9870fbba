//! From a monitor with its marks to what is drawn.

use super::pages::SourcePages;
use incise_ir::Program;
use incise_monitor::draw::{EdgeFinding as Drawn, Picture, PictureEdge, PictureNode, PictureStep};
use incise_report::monitor::text::{chain_line, given};
use incise_report::monitor::{EdgeFinding, MonitorNode, MonitorReport};
use std::collections::BTreeMap;

/// What is drawn.
pub(super) fn picture(report: &MonitorReport, old: &Program, new: &Program) -> Picture {
    let pages = SourcePages::of(report, old, new);
    let numbers: BTreeMap<&str, usize> =
        report.nodes.iter().enumerate().map(|(number, node)| (node.name.as_str(), number)).collect();
    let edge = |edge: &incise_report::monitor::MonitorEdge| {
        let finding = match edge.finding {
            // What the network lacked before is no part of it.
            Some(EdgeFinding::WithoutEdge) if !edge.by_change => return None,
            None => Drawn::Plain,
            Some(EdgeFinding::WithoutDependence) => Drawn::WithoutDependence,
            Some(EdgeFinding::WithoutEdge) => Drawn::WithoutEdge,
        };
        let (from, to) = (*numbers.get(edge.from.as_str())?, *numbers.get(edge.to.as_str())?);
        Some(PictureEdge { from, to, finding })
    };
    let name = if report.name.is_empty() { &report.file } else { &report.name };
    let mut lines = Vec::new();
    if !report.notes.is_empty() {
        lines.push(("Notes".to_owned(), report.notes.clone()));
    }
    Picture {
        title: format!("{name}: {} to {}", report.old.files.join(" "), report.new.files.join(" ")),
        summary: report.summary(),
        nodes: report.nodes.iter().map(|node| drawn(report, node, &pages)).collect(),
        edges: report.edges.iter().filter_map(edge).collect(),
        lines,
        pages: pages.into_pages(),
    }
}

fn drawn(report: &MonitorReport, node: &MonitorNode, pages: &SourcePages) -> PictureNode {
    let mut details = Vec::new();
    if let Some(witness) = &node.witness {
        let (old, new) = &witness.values;
        let part = witness.part.as_ref().map_or_else(String::new, |part| format!("{part} = "));
        let mut lines = vec![
            report.witnesses.get(witness.number).map(given).unwrap_or_default(),
            format!("old: {part}{old}"),
            format!("new: {part}{new}"),
        ];
        if let Some((old, new)) = &witness.states {
            lines.push(format!("states: {old}, then {new}"));
        }
        let natively =
            if witness.replayed { "run natively on both versions" } else { "not confirmed natively" };
        lines.push(natively.to_owned());
        details.push(("Input that shows it".to_owned(), lines));
    }
    if !node.reasons.is_empty() {
        details.push(("Reasons".to_owned(), node.reasons.clone()));
    }
    let step = |step| PictureStep { text: chain_line(step), line: pages.line(step) };
    let steps = node.chain.iter().map(step).collect();
    if let Some(states) = &node.states {
        let mut lines = Vec::new();
        for (what, names) in [("gained", &states.gained), ("lost", &states.lost), ("not known", &states.open)]
        {
            if !names.is_empty() {
                lines.push(format!("{what}: {}", names.join(", ")));
            }
        }
        if !lines.is_empty() {
            details.push(("States".to_owned(), lines));
        }
    }
    let below = match (&node.maps_to, node.follows.as_slice()) {
        _ if node.later => "may differ in later calls".to_owned(),
        (Some(what), _) if *what != node.name => what.clone(),
        (None, [one]) => format!("follows {one}"),
        (None, [_, _, ..]) => format!("follows {} nodes", node.follows.len()),
        _ => String::new(),
    };
    PictureNode { name: node.name.clone(), below, mark: node.mark, details, steps }
}
