//! A monitor with its marks as JSON, schema `incise-monitor/1`: see `docs/json.md`.

use crate::json::input_values;
use crate::json::value::place;
use crate::monitor::{ChainStep, MonitorEdge, MonitorNode, MonitorReport};
use crate::verdict::Witness;
use incise_vocabulary::Mark;
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// Writes the document.
pub fn render(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    let version = |version: &crate::Version| json!({"files": version.files, "flags": version.flags, "hash": version.hash});
    let document = json!({
        "schema": "incise-monitor/1",
        "network": {"file": report.file, "name": report.name, "format": report.format},
        "old": version(&report.old),
        "new": version(&report.new),
        "entry": report.entry,
        "rules": if report.paper { "paper" } else { "compare" },
        "nodes": report.nodes.iter().map(|node| node_object(report, node)).collect::<Vec<_>>(),
        "edges": report.edges.iter().map(edge_object).collect::<Vec<_>>(),
        "summary": {
            "nodes": report.nodes.len(),
            "differs": report.count(Mark::Differs),
            "may_differ": report.count(Mark::MayDiffer),
            "same": report.count(Mark::Same),
            "later": report.later(),
            "unmapped": report.count(Mark::Unmapped),
            "untouched_percent": report.untouched(),
            "verdict": report.sameness.name(),
            "pairs": report.effort.0,
            "queries": report.effort.1,
        },
        "suite": report.suite.as_ref().map(|(tests, all)| json!({"tests": tests, "all": all})),
        "taken": crate::verdict::json::taken(&report.taken),
        "notes": report.notes,
        "warnings": report.warnings.iter().map(|(line, what)| json!({"line": line, "what": what})).collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn node_object(report: &MonitorReport, node: &MonitorNode) -> Json {
    json!({
        "name": node.name,
        "kind": node.kind,
        "mark": node.mark.name(),
        "later": node.later,
        "maps_to": node.maps_to,
        "follows": node.follows,
        "reasons": node.reasons,
        "chain": node.chain.iter().map(chain_object).collect::<Vec<_>>(),
        "witness": node.witness.as_ref().map(|witness| {
            let inputs = report.witnesses.get(witness.number).map_or(Json::Null, inputs);
            json!({
                "case": witness.number + 1,
                "inputs": inputs,
                "part": witness.part,
                "old": witness.values.0,
                "new": witness.values.1,
                "old_state": witness.states.as_ref().map(|states| &states.0),
                "new_state": witness.states.as_ref().map(|states| &states.1),
                "replayed": witness.replayed,
            })
        }),
        "states": node.states.as_ref().map(|states| json!({
            "gained": states.gained,
            "lost": states.lost,
            "open": states.open,
            "reason": states.reason,
        })),
    })
}

fn inputs(witness: &Witness) -> Json {
    witness.new.inputs.as_ref().map_or(Json::Null, |inputs| input_values(inputs))
}

fn chain_object(step: &ChainStep) -> Json {
    json!({
        "location": place(step.place.as_ref()),
        "version": if step.in_old { "old" } else { "new" },
        "text": step.text,
        "because": step.because,
    })
}

fn edge_object(edge: &MonitorEdge) -> Json {
    json!({
        "from": edge.from,
        "to": edge.to,
        "finding": edge.finding.map(|finding| finding.name()),
        "by_change": edge.by_change,
        "locations": edge.places.iter().map(|each| place(Some(each))).collect::<Vec<_>>(),
    })
}
