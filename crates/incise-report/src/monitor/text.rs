//! A monitor with its marks as text for people: what is marked first, with reasons; what is proved untouched last.

use crate::monitor::{ChainStep, EdgeFinding, MonitorNode, MonitorReport, NodeStates};
use crate::text::TextOptions;
use incise_vocabulary::Mark;
use std::io::{self, Write};

/// How many names a line of nodes that need no look is wide.
const WIDTH: usize = 110;
/// How much of a source line is shown.
const SHOWN_TEXT: usize = 60;

/// Writes a monitor with its marks.
pub fn render(report: &MonitorReport, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    if !options.quiet {
        for mark in [Mark::Differs, Mark::MayDiffer] {
            for node in report.nodes.iter().filter(|node| node.mark == mark) {
                marked(report, node, options, out)?;
            }
        }
        unmapped(report, out)?;
        untouched(report, out)?;
        edges(report, out)?;
        suite(report, out)?;
        if let [first, rest @ ..] = report.taken.as_slice() {
            let words: Vec<&str> =
                std::iter::once(first).chain(rest).map(|taken| taken.words.as_str()).collect();
            writeln!(out, "taken: {}", words.join("; "))?;
        }
        for note in &report.notes {
            writeln!(out, "note: {note}")?;
        }
    }
    let style = options.style();
    writeln!(out, "{}", style.bold(&format!("{}: {}", report.file, report.summary())))
}

/// A sign and a colour for a mark.
fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Differs => "[!]",
        Mark::MayDiffer => "[?]",
        Mark::Same => "[=]",
        Mark::Unmapped => "[ ]",
    }
}

fn marked(
    report: &MonitorReport,
    node: &MonitorNode,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = options.style();
    let what = match (&node.maps_to, node.follows.as_slice()) {
        (Some(what), _) => format!(" ({what})"),
        (None, []) => String::new(),
        (None, follows) => format!(" (follows {})", follows.join(", ")),
    };
    let mark = if report.paper { "marked" } else { node.mark.words() };
    let head = format!("{} {} {mark}", sign(node.mark), node.name);
    let head = if node.mark == Mark::Differs { style.red(&head) } else { style.yellow(&head) };
    writeln!(out, "{head}{what}")?;
    if let Some(witness) = &node.witness {
        let given = report.witnesses.get(witness.number).map(given).unwrap_or_default();
        let states = match &witness.states {
            Some((old, new)) if old != new => format!(" (state {old}, then {new})"),
            Some((state, _)) => format!(" (state {state} as before)"),
            None => String::new(),
        };
        let (old, new) = &witness.values;
        let natively = if witness.replayed { "" } else { ", not confirmed natively" };
        let part = witness.part.as_ref().map_or_else(String::new, |part| format!("{part}: "));
        writeln!(out, "      {given}: {part}old {old}, new {new}{states}{natively}")?;
    }
    for reason in &node.reasons {
        writeln!(out, "      {reason}")?;
    }
    for step in &node.chain {
        writeln!(out, "      {}", chain_line(step))?;
    }
    if let Some(states) = &node.states {
        states_lines(states, out)?;
    }
    Ok(())
}

/// A step of a chain in a line.
pub fn chain_line(step: &ChainStep) -> String {
    let place = match (&step.place, step.in_old) {
        (Some(place), false) => format!("{place}"),
        (Some(place), true) => format!("OLD {place}"),
        (None, _) => "?".to_owned(),
    };
    let text: String = step.text.chars().take(SHOWN_TEXT).collect();
    format!("{place}  {text}  -- {}", step.because)
}

/// The inputs of a witness in a line.
pub fn given(witness: &crate::verdict::Witness) -> String {
    let inputs = witness.new.inputs.as_deref().unwrap_or_default();
    // What only OLD asks for is given to it.
    let before = witness.old.inputs.as_deref().unwrap_or_default().iter();
    let before = before.filter(|input| !inputs.iter().any(|known| known.name == input.name));
    let shown: Vec<String> = inputs
        .iter()
        .chain(before)
        .filter(|input| !input.is_zero())
        .map(|input| format!("{} = {}", input.name, input.value))
        .collect();
    if shown.is_empty() { "given zeros".to_owned() } else { format!("given {}", shown.join(", ")) }
}

fn states_lines(states: &NodeStates, out: &mut dyn Write) -> io::Result<()> {
    let words = [
        ("states that it can come to now", &states.gained),
        ("states that it cannot come to any more", &states.lost),
        ("states of which that is not known", &states.open),
    ];
    for (what, names) in words {
        if !names.is_empty() {
            writeln!(out, "      {what}: {}", names.join(", "))?;
        }
    }
    if let Some(reason) = states.reason.as_ref().filter(|_| !states.open.is_empty()) {
        writeln!(out, "      ({reason})")?;
    }
    Ok(())
}

fn unmapped(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    for node in report.nodes.iter().filter(|node| node.mark == Mark::Unmapped) {
        let why = node.reasons.first().map_or("", String::as_str);
        writeln!(out, "{} {} unmapped: {why}", sign(Mark::Unmapped), node.name)?;
    }
    Ok(())
}

fn untouched(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    let what = if report.paper { "not marked" } else { "same" };
    let same = |later| report.nodes.iter().filter(move |node| node.mark == Mark::Same && node.later == later);
    names(what, same(false), out)?;
    names("same after one call, may differ in later ones", same(true), out)
}

/// Names of nodes that need no look now, in as many lines as they take.
fn names<'r>(
    what: &str,
    nodes: impl Iterator<Item = &'r MonitorNode>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = format!("{} {what}:", sign(Mark::Same));
    let mut any = false;
    for node in nodes {
        if line.chars().count() + node.name.chars().count() > WIDTH {
            writeln!(out, "{line}")?;
            line = "     ".to_owned();
        }
        line += &format!(" {}", node.name);
        any = true;
    }
    if any { writeln!(out, "{line}") } else { Ok(()) }
}

fn edges(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    for edge in report.edges.iter().filter(|edge| edge.by_change) {
        let what = match edge.finding {
            Some(EdgeFinding::WithoutDependence) => "the code has no such dependence any more",
            Some(EdgeFinding::WithoutEdge) => {
                "a dependence since the change, for which the network has no way"
            }
            None => continue,
        };
        let places: Vec<String> = edge.places.iter().map(ToString::to_string).collect();
        let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
        writeln!(out, "edge {} -> {}: {what}{places}", edge.from, edge.to)?;
    }
    let before = report.edges.iter().filter(|edge| edge.finding.is_some() && !edge.by_change).count();
    match before {
        0 => Ok(()),
        1 => writeln!(out, "1 dependence of the code, as before, has no way in the network"),
        count => writeln!(out, "{count} dependences of the code, as before, have no way in the network"),
    }
}

fn suite(report: &MonitorReport, out: &mut dyn Write) -> io::Result<()> {
    let Some((tests, all)) = &report.suite else { return Ok(()) };
    writeln!(out, "tests that concern marked nodes: {} of {all}: {}", tests.len(), tests.join(" "))
}
