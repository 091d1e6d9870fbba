//! Evidence as cases that tools for Bayesian networks read: a column a node, two rows an input.

use crate::monitor::MonitorReport;
use std::io::{self, Write};

/// Writes the evidence. A cell without a state is empty: nothing is known there.
pub fn render(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    let names = report.nodes.iter().map(|node| cell(&node.name));
    writeln!(
        out,
        "{}",
        ["case".to_owned(), "version".to_owned()].into_iter().chain(names).collect::<Vec<_>>().join(",")
    )?;
    for evidence in &report.evidence {
        for (version, pick) in [("old", 0), ("new", 1)] {
            let state = |states: &(Option<String>, Option<String>)| {
                let state = if pick == 0 { &states.0 } else { &states.1 };
                cell(state.as_deref().unwrap_or_default())
            };
            let head = [(evidence.witness + 1).to_string(), version.to_owned()];
            let cells: Vec<String> = head.into_iter().chain(evidence.nodes.iter().map(state)).collect();
            writeln!(out, "{}", cells.join(","))?;
        }
    }
    Ok(())
}

fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
