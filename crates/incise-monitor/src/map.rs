//! The map from nodes to the program, a file in TOML that a repository can carry:
//!
//! ```toml
//! entry = "update"
//! health_prefixes = ["H_"]
//! command_prefixes = ["U_"]
//!
//! [nodes.PedalCmd]
//! function = "update"
//! variable = "PedalCmd"
//! thresholds = [{ below = 1, state = "none" }, { equals = 1, state = "low" }, { state = "high" }]
//!
//! [nodes.Braking]
//! kind = "behaviour"
//! ```

use crate::formats::{ABOVE, BELOW, WITHIN};
use crate::network::Network;
use crate::suggest::did_you_mean;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What is wrong with a map.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct MapError {
    /// The line, if the mistake has one.
    pub line: Option<u32>,
    /// What is wrong, and what to do.
    pub message: String,
}

/// What a node is for, in the words of the paper.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A signal that is a command, or the update of a variable.
    Command,
    /// Data about a variable.
    Sensor,
    /// Whether another node can be trusted.
    Health,
    /// What nobody can observe.
    Status,
    /// A pattern among other nodes.
    Behaviour,
}

impl Role {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Command, Self::Sensor, Self::Health, Self::Status, Self::Behaviour];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Sensor => "sensor",
            Self::Health => "health",
            Self::Status => "status",
            Self::Behaviour => "behaviour",
        }
    }

    fn named(name: &str) -> Option<Self> {
        let name = if name == "behavior" { "behaviour" } else { name };
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// When a number is in a state.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Step {
    /// If it is less.
    Below(f64),
    /// If it is not more.
    AtMost(f64),
    /// If it is that.
    Equals(f64),
    /// Always.
    Otherwise,
}

/// How a number becomes a state: the first step that applies.
pub type Thresholds = Vec<(Step, String)>;

/// The state of a number.
pub fn state_of(thresholds: &Thresholds, value: f64) -> Option<&str> {
    let applies = |step: &Step| match *step {
        Step::Below(limit) => value < limit,
        Step::AtMost(limit) => value <= limit,
        Step::Equals(number) => value == number,
        Step::Otherwise => true,
    };
    thresholds.iter().find(|(step, _)| applies(step)).map(|(_, state)| state.as_str())
}

/// The states of a measurement with limits.
pub fn limit_thresholds((lower, upper): (f64, f64)) -> Thresholds {
    let [below, within, above] = [BELOW, WITHIN, ABOVE].map(str::to_owned);
    vec![(Step::Below(lower), below), (Step::AtMost(upper), within), (Step::Otherwise, above)]
}

/// What a map says of one node.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MapEntry {
    /// The file of the variable or function.
    pub file: Option<String>,
    /// The function that has the variable, or whose result is meant if there is no variable.
    pub function: Option<String>,
    /// The variable, or a path to a part of it: `brake.pressure`, `state->mode`, `valve[2]`.
    pub variable: Option<String>,
    /// What the node is for.
    pub role: Option<Role>,
    /// The node that a health node watches.
    pub watches: Option<String>,
    /// How its variable becomes a state.
    pub thresholds: Thresholds,
    /// Where the map speaks of it.
    pub line: u32,
}

/// A map.
#[derive(Clone, PartialEq, Debug)]
pub struct Map {
    /// The function whose end is looked at.
    pub entry: Option<String>,
    /// What names of health nodes begin with.
    pub health_prefixes: Vec<String>,
    /// What names of command nodes begin with.
    pub command_prefixes: Vec<String>,
    /// What is said of nodes.
    pub nodes: BTreeMap<String, MapEntry>,
}

impl Default for Map {
    fn default() -> Self {
        Self {
            entry: None,
            health_prefixes: vec!["H_".to_owned()],
            command_prefixes: vec!["U_".to_owned()],
            nodes: BTreeMap::new(),
        }
    }
}

/// The keys at the top of a map.
const TOP: [&str; 4] = ["entry", "health_prefixes", "command_prefixes", "nodes"];
/// The keys of a node.
const KEYS: [&str; 6] = ["file", "function", "variable", "kind", "watches", "thresholds"];

/// A text with places in it.
struct Lines<'t>(&'t str);

impl Lines<'_> {
    fn error<T>(&self, at: std::ops::Range<usize>, message: String) -> Result<T, MapError> {
        Err(MapError { line: Some(self.line(at)), message })
    }

    fn line(&self, at: std::ops::Range<usize>) -> u32 {
        let before = &self.0.as_bytes()[..at.start.min(self.0.len())];
        u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX)
    }

    fn unknown<T>(
        &self,
        at: std::ops::Range<usize>,
        key: &str,
        known: &[&str],
        what: &str,
    ) -> Result<T, MapError> {
        let hint = did_you_mean(key, known.iter().copied());
        let message = format!("`{key}` is no {what}{hint} Known are {}.", known.join(", "));
        let message = if hint.is_empty() { message.replacen(what, &format!("{what}."), 1) } else { message };
        self.error(at, message)
    }

    fn text(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<String, MapError> {
        match value.get_ref().as_str() {
            Some(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            _ => self.error(value.span(), format!("`{key}` must be a text: {key} = \"...\"")),
        }
    }

    fn texts(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<Vec<String>, MapError> {
        match value.get_ref() {
            DeValue::Array(values) => values.iter().map(|each| self.text(each, key)).collect(),
            _ => self.error(value.span(), format!("`{key}` must be a list of texts: {key} = [\"...\"]")),
        }
    }

    fn number(&self, value: &Spanned<DeValue<'_>>, key: &str) -> Result<f64, MapError> {
        let number = match value.get_ref() {
            DeValue::Integer(integer) => {
                i64::from_str_radix(&integer.as_str().replace('_', ""), integer.radix())
                    .ok()
                    .map(|each| each as f64)
            }
            DeValue::Float(float) => float.as_str().replace('_', "").parse::<f64>().ok(),
            _ => None,
        };
        match number.filter(|number| number.is_finite()) {
            Some(number) => Ok(number),
            None => self.error(value.span(), format!("`{key}` must be a number")),
        }
    }
}

impl Map {
    /// Reads a map.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let lines = Lines(text);
        let document = DeTable::parse(text).map_err(|error| {
            let line = error.span().map(|span| lines.line(span));
            MapError { line, message: format!("expected TOML: {}", error.message()) }
        })?;
        let mut map = Self::default();
        for (key, value) in document.get_ref() {
            match key.get_ref().as_ref() {
                "entry" => map.entry = Some(lines.text(value, "entry")?),
                "health_prefixes" => map.health_prefixes = lines.texts(value, "health_prefixes")?,
                "command_prefixes" => map.command_prefixes = lines.texts(value, "command_prefixes")?,
                "nodes" => {
                    let Some(nodes) = value.get_ref().as_table() else {
                        return lines
                            .error(value.span(), "`nodes` must hold tables: [nodes.NAME]".to_owned());
                    };
                    for (name, value) in nodes {
                        let entry = node_entry(&lines, name, value)?;
                        map.nodes.insert(name.get_ref().to_string(), entry);
                    }
                }
                other => return lines.unknown(key.span(), other, &TOP, "key of a map"),
            }
        }
        Ok(map)
    }

    /// Whether what the map says of nodes fits the network: each is there, and so are states and what is watched.
    pub fn check(&self, network: &Network) -> Result<(), MapError> {
        let names = || network.nodes.iter().map(|node| node.name.as_str());
        for (name, entry) in &self.nodes {
            let error = |message: String| Err(MapError { line: Some(entry.line), message });
            let Some(at) = network.named(name) else {
                let hint = did_you_mean(name, names());
                return error(format!("`{name}` is no {} of the monitor{hint}", network.format.part()));
            };
            if let Some(watched) = entry.watches.as_ref().filter(|each| network.named(each).is_none()) {
                let hint = did_you_mean(watched, names());
                return error(format!("`{name}` watches `{watched}`, which is no node of the monitor{hint}"));
            }
            let states = &network.nodes[at].states;
            let unknown =
                entry.thresholds.iter().find(|(_, state)| !states.is_empty() && !states.contains(state));
            if let Some((_, state)) = unknown {
                let hint = did_you_mean(state, states.iter().map(String::as_str));
                let known = states.join(", ");
                return error(format!("`{state}` is no state of `{name}`{hint} Its states are {known}."));
            }
        }
        Ok(())
    }
}

fn node_entry(
    lines: &Lines<'_>,
    name: &Spanned<std::borrow::Cow<'_, str>>,
    value: &Spanned<DeValue<'_>>,
) -> Result<MapEntry, MapError> {
    let Some(table) = value.get_ref().as_table() else {
        return lines.error(value.span(), format!("`{}` must be a table: [nodes.{0}]", name.get_ref()));
    };
    let mut entry = MapEntry { line: lines.line(name.span()), ..MapEntry::default() };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "file" => entry.file = Some(lines.text(value, "file")?),
            "function" => entry.function = Some(lines.text(value, "function")?),
            "variable" => entry.variable = Some(lines.text(value, "variable")?),
            "watches" => entry.watches = Some(lines.text(value, "watches")?),
            "kind" => {
                let text = lines.text(value, "kind")?;
                let Some(role) = Role::named(&text) else {
                    return lines.unknown(value.span(), &text, &Role::ALL.map(Role::name), "kind of node");
                };
                entry.role = Some(role);
            }
            "thresholds" => entry.thresholds = thresholds(lines, value)?,
            other => return lines.unknown(key.span(), other, &KEYS, "key of a node"),
        }
    }
    Ok(entry)
}

fn thresholds(lines: &Lines<'_>, value: &Spanned<DeValue<'_>>) -> Result<Thresholds, MapError> {
    const FORM: &str = "`thresholds` must be a list: [{ below = 1, state = \"low\" }, { state = \"high\" }]";
    let DeValue::Array(steps) = value.get_ref() else { return lines.error(value.span(), FORM.to_owned()) };
    let mut thresholds = Thresholds::new();
    for step in steps.iter() {
        let Some(table) = step.get_ref().as_table() else { return lines.error(step.span(), FORM.to_owned()) };
        let (mut when, mut state) = (None, None);
        for (key, value) in table {
            let mut set = |step: Step| match when.replace(step) {
                None => Ok(()),
                Some(_) => {
                    lines.error(key.span(), "expected one of `below`, `at_most` and `equals`".to_owned())
                }
            };
            match key.get_ref().as_ref() {
                "below" => set(Step::Below(lines.number(value, "below")?))?,
                "at_most" => set(Step::AtMost(lines.number(value, "at_most")?))?,
                "equals" => set(Step::Equals(lines.number(value, "equals")?))?,
                "state" => state = Some(lines.text(value, "state")?),
                other => {
                    return lines.unknown(
                        key.span(),
                        other,
                        &["below", "at_most", "equals", "state"],
                        "key of a threshold",
                    );
                }
            }
        }
        let Some(state) = state else {
            return lines.error(step.span(), format!("a step names no state; {FORM}"));
        };
        if matches!(thresholds.last(), Some((Step::Otherwise, _))) {
            return lines.error(
                step.span(),
                "a step without a number applies always: nothing may follow it".to_owned(),
            );
        }
        thresholds.push((when.unwrap_or(Step::Otherwise), state));
    }
    Ok(thresholds)
}

/// A map to begin with: what was matched, and what is open. Lines of `found` say what a node was matched with, or why
/// it was not.
pub fn initial_map(network: &Network, entry: Option<&str>, found: &[(MapEntry, String)]) -> String {
    let mut text = String::from(
        "# Which variable of the program each node of the monitor stands for: docs/monitor.md.\n",
    );
    if let Some(entry) = entry {
        let _ = writeln!(text, "entry = {}", quoted(entry));
    }
    for (node, (entry, note)) in network.nodes.iter().zip(found) {
        let _ = writeln!(text, "\n# {}\n[nodes.{}]", note.replace('\n', " "), quoted(&node.name));
        let mut put = |key: &str, value: &Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{key} = {}", quoted(value));
            }
        };
        put("kind", &entry.role.map(|role| role.name().to_owned()));
        put("watches", &entry.watches);
        put("file", &entry.file);
        put("function", &entry.function);
        put("variable", &entry.variable);
    }
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for each in text.chars() {
        match each {
            '"' | '\\' => quoted.extend(['\\', each]),
            each if each.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(each));
            }
            each => quoted.push(each),
        }
    }
    quoted.push('"');
    quoted
}
