//! The figures of explorations of threads, as text and as JSON.

use crate::json::{limits, rounded};
use crate::{Difference, Entry, StrategyFigures, ThreadFigures};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// Several strategies side by side.
pub(super) fn comparison(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    let compared = entry.threads.as_ref().map_or(&[][..], |threads| &threads.compared);
    if compared.is_empty() {
        return Ok(());
    }
    let titles = ["executions", "cut", "errors", "states", "queries", "time (ms)"];
    let title: String = titles.iter().map(|title| format!("{title:>12}")).collect();
    writeln!(out, "  {:<10}{title}", "")?;
    for row in compared {
        let StrategyFigures { executions, cut_by_summary, errors, states, queries, time_ms, .. } = row;
        write!(out, "  {:<10}{executions:>12}{cut_by_summary:>12}{errors:>12}", row.strategy.name())?;
        write!(out, "{states:>12}{queries:>12}{time_ms:>12.1}")?;
        let note = if row.complete { String::new() } else { format!("  not complete{}", cut_by(row)) };
        writeln!(out, "{note}")?;
    }
    Ok(())
}

fn cut_by(row: &StrategyFigures) -> String {
    let names: Vec<&str> = row.limits.iter().map(|limit| limit.name()).collect();
    if names.is_empty() { String::new() } else { format!(": {}", names.join(", ")) }
}

/// How many executions were explored for the traces.
pub(super) fn explored(entry: &Entry) -> String {
    let Some(ThreadFigures { executions, cut_by_summary, .. }) = entry.threads else { return String::new() };
    let cut = match cut_by_summary {
        0 => String::new(),
        cut => format!(", {cut} of them cut short by a summary"),
    };
    format!("{} explored{cut}; ", crate::text::counted(executions as usize, "execution"))
}

/// Adds the figures of an entry to its summary.
pub(super) fn add_figures(summary: &mut Json, threads: &ThreadFigures) {
    summary["traces"] = json!(threads.traces);
    summary["executions"] = json!(threads.executions);
    summary["cut_by_summary"] = json!(threads.cut_by_summary);
}

/// Adds the figures of all entries: of what was explored, or else of what was compared.
pub(super) fn add_all_figures(summary: &mut Json, difference: &Difference) {
    let explored: Vec<&ThreadFigures> =
        difference.entries.iter().filter_map(|entry| entry.threads.as_ref()).collect();
    if !explored.is_empty() {
        let sum = |figure: fn(&ThreadFigures) -> u64| explored.iter().map(|each| figure(each)).sum();
        let all = ThreadFigures {
            traces: sum(|each| each.traces),
            executions: sum(|each| each.executions),
            cut_by_summary: sum(|each| each.cut_by_summary),
            compared: Vec::new(),
        };
        return add_figures(summary, &all);
    }
    let compared = difference.verdicts.iter().flat_map(|verdicts| verdicts.all());
    let threads: Vec<_> = compared.filter_map(|each| each.threads.as_ref()).collect();
    if !threads.is_empty() {
        let executions: u64 = threads.iter().map(|each| each.executions.1).sum();
        let old: u64 = threads.iter().map(|each| each.executions.0).sum();
        // Each execution stands for a trace.
        summary["traces"] = json!(executions);
        summary["executions"] = json!(executions + old);
        summary["cut_by_summary"] = json!(0);
    }
}

/// Several strategies side by side, if that was asked for.
pub(super) fn compared(threads: &ThreadFigures) -> Option<Json> {
    let row = |row: &StrategyFigures| {
        json!({
            "strategy": row.strategy.name(),
            "executions": row.executions,
            "cut_by_summary": row.cut_by_summary,
            "errors": row.errors,
            "states": row.states,
            "queries": row.queries,
            "time_ms": rounded(row.time_ms),
            "complete": row.complete,
            "limits": limits(&row.limits),
        })
    };
    let rows: Vec<Json> = threads.compared.iter().map(row).collect();
    (!rows.is_empty()).then(|| json!({"strategies": rows}))
}
