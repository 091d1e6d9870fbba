//! Which variable of a program each node stands for.
//!
//! What the map says counts. Otherwise names decide, without regard to case and underscores, and without the prefixes
//! of health and command nodes. What is nearest counts: global variables and parameters of the entry, then functions by
//! their results, then fields by their paths, then fields by their own names, then local variables of the entry, then
//! variables of other functions. Exactly one of the nearest that match, or the node is unmapped.

use crate::expression::Expression;
use crate::map::{Map, MapEntry, Role};
use crate::network::{Format, Network, NodeClass};
use crate::suggest::did_you_mean;
use std::collections::BTreeMap;

/// What a name of a program belongs to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NamedKind {
    /// A global variable, or a static one of a function.
    Global,
    /// A parameter.
    Parameter,
    /// What a function returns.
    Result,
    /// A part of a variable, or of what a parameter points to.
    Field,
    /// A local variable.
    Local,
}

impl NamedKind {
    /// What it is, in a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Self::Global => "global variable",
            Self::Parameter => "parameter",
            Self::Result => "result",
            Self::Field => "field",
            Self::Local => "local variable",
        }
    }
}

/// Something in a program that a node can stand for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// What it is.
    pub kind: NamedKind,
    /// Its name or path in C; that of the function for a result.
    pub path: String,
    /// The function that it belongs to, if it does.
    pub function: Option<String>,
    /// The file that it is in.
    pub file: Option<String>,
    /// Whether it belongs to the entry.
    pub of_entry: bool,
}

impl Named {
    /// What it is called in reports.
    pub fn words(&self) -> String {
        match (self.kind, &self.function) {
            (NamedKind::Result, Some(function)) => format!("{function}()"),
            (NamedKind::Parameter | NamedKind::Local, Some(function)) => format!("{function}:{}", self.path),
            _ => self.path.clone(),
        }
    }

    /// How near it is to what a node of that name would mean; `None` if it is something else.
    fn nearness(&self, wanted: &str) -> Option<u8> {
        let whole = normalised(&self.path) == wanted;
        let last = || {
            let start = self.path.rfind(['.', '>']).map_or(0, |at| at + 1);
            normalised(&self.path[start..]) == wanted
        };
        match self.kind {
            NamedKind::Global if whole => Some(0),
            NamedKind::Parameter if whole && self.of_entry => Some(0),
            NamedKind::Result if whole => Some(1),
            NamedKind::Field if whole => Some(2),
            NamedKind::Field if last() => Some(3),
            NamedKind::Local if whole && self.of_entry => Some(4),
            NamedKind::Parameter | NamedKind::Local if whole => Some(5),
            _ => None,
        }
    }

    fn fits(&self, entry: &MapEntry) -> bool {
        let in_file =
            |wanted: &String| self.file.as_ref().is_some_and(|file| file.ends_with(wanted.as_str()));
        let path = |path: &str| path.split_whitespace().collect::<String>();
        let named = match &entry.variable {
            Some(variable) => self.kind != NamedKind::Result && path(&self.path) == path(variable),
            None => self.kind == NamedKind::Result,
        };
        let of = match (&entry.function, self.kind) {
            (Some(function), _) => self.function.as_ref() == Some(function),
            (None, NamedKind::Parameter | NamedKind::Local) => self.of_entry,
            (None, NamedKind::Field) => self.function.is_none() || self.of_entry,
            (None, _) => true,
        };
        named && of && entry.file.as_ref().is_none_or(in_file)
    }
}

/// What a node was matched with.
#[derive(Clone, PartialEq, Debug)]
pub enum Target {
    /// Something of the program, by its number.
    Variable(usize),
    /// What is computed from things of the program, by their numbers.
    Computed(Expression, Vec<usize>),
    /// A node that it watches.
    Node(usize),
    /// Nothing of its own: it follows what it hangs on.
    Parents,
    /// Nothing, and why.
    Unmapped(String),
}

/// A node, and what it was matched with.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchedNode {
    /// What it is for.
    pub role: Role,
    /// What it stands for.
    pub target: Target,
}

/// All nodes of a monitor.
pub type Matched = Vec<MatchedNode>;

/// Matches the nodes of a monitor with the names of a program. A map that names what is not there is wrong.
pub fn matched(network: &Network, map: &Map, names: &[Named]) -> Result<Matched, crate::MapError> {
    let index = Index::new(network, map, names);
    (0..network.nodes.len()).map(|at| index.node(at)).collect()
}

struct Index<'m> {
    network: &'m Network,
    map: &'m Map,
    names: &'m [Named],
    /// Names by what they are without case and underscores, and by the last of their parts.
    by_name: BTreeMap<String, Vec<usize>>,
    nodes: BTreeMap<String, Vec<usize>>,
}

impl<'m> Index<'m> {
    fn new(network: &'m Network, map: &'m Map, names: &'m [Named]) -> Self {
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, named) in names.iter().enumerate() {
            let whole = normalised(&named.path);
            let start = named.path.rfind(['.', '>']).map_or(0, |at| at + 1);
            let last = normalised(&named.path[start..]);
            if last != whole {
                by_name.entry(last).or_default().push(number);
            }
            by_name.entry(whole).or_default().push(number);
        }
        let mut nodes: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, node) in network.nodes.iter().enumerate() {
            nodes.entry(normalised(&node.name)).or_default().push(number);
        }
        Self { network, map, names, by_name, nodes }
    }

    fn node(&self, at: usize) -> Result<MatchedNode, crate::MapError> {
        let node = &self.network.nodes[at];
        let entry = self.map.nodes.get(&node.name);
        let (prefix_role, stem) = self.stem(&node.name);
        let role = entry.and_then(|entry| entry.role).unwrap_or(prefix_role);
        if let Some(entry) = entry {
            if let Some(watched) = entry.watches.as_ref().and_then(|name| self.network.named(name)) {
                return Ok(MatchedNode { role, target: Target::Node(watched) });
            }
            if entry.variable.is_some() || entry.function.is_some() {
                return Ok(MatchedNode { role, target: self.target(&node.name, entry)? });
            }
        }
        let follows = matches!(role, Role::Status | Role::Behaviour)
            || matches!(node.class, NodeClass::Formula | NodeClass::Utility | NodeClass::Deterministic);
        let target = match role {
            Role::Health => self.watched(at, stem),
            _ if follows && !node.parents.is_empty() => Target::Parents,
            _ => self.by_names(at, stem),
        };
        Ok(MatchedNode { role, target })
    }

    /// What a name says of the role, and the name without that.
    fn stem<'n>(&self, name: &'n str) -> (Role, &'n str) {
        let without = |prefixes: &[String]| {
            let found = prefixes.iter().filter_map(|prefix| name.strip_prefix(prefix.as_str()));
            found.filter(|stem| !stem.is_empty()).min_by_key(|stem| stem.len())
        };
        let health = without(&self.map.health_prefixes).map(|stem| (Role::Health, stem));
        let command = without(&self.map.command_prefixes).map(|stem| (Role::Command, stem));
        health.or(command).unwrap_or((Role::Sensor, name))
    }

    /// What the map says that a node stands for: something, or what is computed from several things.
    fn target(&self, node: &str, entry: &MapEntry) -> Result<Target, crate::MapError> {
        let expression = entry.variable.as_ref().map(|text| Expression::parse(text));
        let expression = match expression.transpose() {
            Ok(expression) => expression.filter(Expression::is_computed),
            // What is written otherwise may be a name all the same.
            Err(why) => match self.said(node, entry) {
                Ok(one) => return Ok(Target::Variable(one)),
                Err(error) => {
                    return Err(crate::MapError { message: format!("{}: {why}", error.message), ..error });
                }
            },
        };
        let Some(expression) = expression else { return Ok(Target::Variable(self.said(node, entry)?)) };
        if expression.operands.is_empty() {
            let message = format!(
                "`{node}` is mapped to `{}`, which is a number; expected a variable",
                expression.text
            );
            return Err(crate::MapError { line: Some(entry.line), message });
        }
        let operand = |path: &String| {
            let entry = MapEntry { variable: Some(path.clone()), ..entry.clone() };
            // What a function does not have may be a global variable.
            self.said(node, &entry).or_else(|error| {
                self.said(node, &MapEntry { function: None, ..entry.clone() }).map_err(|_| error)
            })
        };
        let operands = expression.operands.iter().map(operand).collect::<Result<Vec<usize>, _>>()?;
        Ok(Target::Computed(expression, operands))
    }

    /// The one thing that the map says that a node stands for.
    fn said(&self, node: &str, entry: &MapEntry) -> Result<usize, crate::MapError> {
        let fitting: Vec<usize> =
            (0..self.names.len()).filter(|&each| self.names[each].fits(entry)).collect();
        let wanted = entry.variable.as_ref().or(entry.function.as_ref()).map_or("", String::as_str);
        let error = |message: String| Err(crate::MapError { line: Some(entry.line), message });
        match fitting.as_slice() {
            [one] => Ok(*one),
            [] => {
                let place = match (&entry.variable, &entry.function, &entry.file) {
                    (Some(_), Some(function), _) => format!(" in {function}"),
                    (_, _, Some(file)) => format!(" in {file}"),
                    _ => String::new(),
                };
                let hint = did_you_mean(wanted, self.names.iter().map(|named| named.path.as_str()));
                error(format!("`{node}` is mapped to `{wanted}`, which is not there{place}{hint}"))
            }
            several => {
                let words = self.words(several);
                error(format!(
                    "`{node}` is mapped to `{wanted}`, which may be {words}: say `function` or `file`"
                ))
            }
        }
    }

    fn words(&self, several: &[usize]) -> String {
        let mut words: Vec<String> = several
            .iter()
            .map(|&each| format!("{} ({})", self.names[each].words(), self.names[each].kind.words()))
            .collect();
        if words.len() > 4 {
            let more = words.len() - 3;
            words.truncate(3);
            words.push(format!("{more} more"));
        }
        words.join(" or ")
    }

    /// What a health node watches: a node, or else what it could stand for itself.
    fn watched(&self, at: usize, stem: &str) -> Target {
        let wanted = normalised(stem);
        let nodes = self.nodes.get(&wanted).map_or(&[][..], Vec::as_slice);
        match nodes {
            [one] if *one != at => Target::Node(*one),
            [] => self.by_names(at, stem),
            _ => Target::Unmapped(format!("several nodes may be what {stem} means")),
        }
    }

    fn by_names(&self, at: usize, stem: &str) -> Target {
        let node = &self.network.nodes[at];
        // What a measurement is called in the program, if its file says so.
        let stem = match (&node.label, self.network.format) {
            (Some(symbol), Format::A2l) => symbol.as_str(),
            _ => stem,
        };
        let wanted = normalised(stem);
        let found = self.by_name.get(&wanted).map_or(&[][..], Vec::as_slice);
        let near: Vec<(u8, usize)> =
            found.iter().filter_map(|&each| Some((self.names[each].nearness(&wanted)?, each))).collect();
        let Some(nearest) = near.iter().map(|(nearness, _)| *nearness).min() else {
            return Target::Unmapped(format!("no variable, parameter, field or function is called {stem}"));
        };
        let nearest: Vec<usize> =
            near.into_iter().filter(|(nearness, _)| *nearness == nearest).map(|(_, each)| each).collect();
        match nearest.as_slice() {
            [one] => Target::Variable(*one),
            several => Target::Unmapped(format!("it may be {}", self.words(several))),
        }
    }
}

/// A name without case, and without what is no letter or digit.
fn normalised(name: &str) -> String {
    name.chars().filter(|each| each.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
