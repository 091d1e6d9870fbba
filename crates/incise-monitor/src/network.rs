//! A monitor as plain data: nodes with their states and parents, and tables as far as they are written down.
//!
//! Also specifications and measurements are brought into this form: a formula is a node whose parents are what it
//! speaks of, a measurement is a node without parents.

use crate::error::Complaint;
use crate::suggest::did_you_mean;
use std::collections::BTreeMap;

/// Rows of a table may miss one by so much: tables are written with few digits.
pub const TOLERANCE: f64 = 1e-3;

/// What a node is in its file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NodeClass {
    /// A random variable with a table.
    Chance,
    /// Its state follows from those of its parents.
    Deterministic,
    /// Chosen by somebody.
    Decision,
    /// What a choice is worth.
    Utility,
    /// Computed from its parents by a formula, or continuous.
    Function,
    /// An input of a specification.
    Signal,
    /// A formula of a specification.
    Formula,
    /// A measurement of a control unit.
    Measurement,
}

/// One node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// What it is called in the file.
    pub name: String,
    /// What it is called for people, or in the program, if the file says so.
    pub label: Option<String>,
    /// What it is.
    pub class: NodeClass,
    /// Its states, in the order of the file.
    pub states: Vec<String>,
    /// The nodes that it hangs on, in the order of its table.
    pub parents: Vec<usize>,
    /// Its table, if it has one.
    pub table: Option<Table>,
    /// The values between which it is in order, if the file says so.
    pub limits: Option<(f64, f64)>,
    /// Where it begins.
    pub line: u32,
}

/// What a file says of how probable states are: a row for each combination of the parents' states, the last parent
/// fastest. Rows that are not written down take no room.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The rows by their number; each has a number for each state of the node.
    pub rows: BTreeMap<u64, Vec<f64>>,
    /// What rows have that are not there.
    pub default: Option<Vec<f64>>,
}

impl Table {
    /// A row by its number.
    pub fn row(&self, number: u64) -> Option<&[f64]> {
        self.rows.get(&number).or(self.default.as_ref()).map(Vec::as_slice)
    }

    /// Rows one after the other, as most formats have them.
    pub(crate) fn of_rows(numbers: &[f64], states: usize) -> Self {
        let rows = numbers.chunks(states.max(1)).map(<[f64]>::to_vec);
        Self { rows: (0..).zip(rows).collect(), default: None }
    }
}

/// The formats that are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Format {
    /// The interchange format of Bayesian networks, `.bif`.
    Bif,
    /// The same in XML, version 0.3.
    XmlBif,
    /// GeNIe's and SMILE's, `.xdsl`.
    Xdsl,
    /// Hugin's, `.net`.
    Net,
    /// Specifications of R2U2, `.c2po`.
    C2po,
    /// Measurements of control units, `.a2l`.
    A2l,
}

impl Format {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bif => "bif",
            Self::XmlBif => "xmlbif",
            Self::Xdsl => "xdsl",
            Self::Net => "net",
            Self::C2po => "c2po",
            Self::A2l => "a2l",
        }
    }

    /// What one of its nodes is called.
    pub fn part(self) -> &'static str {
        match self {
            Self::C2po => "signal or formula",
            Self::A2l => "measurement",
            _ => "node",
        }
    }
}

/// A monitor.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// What it is called in the file; may be empty.
    pub name: String,
    /// The format that it was read from.
    pub format: Format,
    /// The nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// What is odd about it and hinders nothing: a line, and what it is.
    pub warnings: Vec<(u32, String)>,
}

impl Network {
    /// The number of edges.
    pub fn edge_count(&self) -> usize {
        self.nodes.iter().map(|node| node.parents.len()).sum()
    }

    /// The node of a name.
    pub fn named(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.name == name)
    }

    /// The nodes that hang on each node.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for &parent in &node.parents {
                children[parent].push(index);
            }
        }
        children
    }

    /// The nodes in an order in which parents come before what hangs on them; the nodes of a circle if there is one.
    pub fn order(&self) -> Result<Vec<usize>, Vec<usize>> {
        let children = self.children();
        let mut waiting: Vec<usize> = self.nodes.iter().map(|node| node.parents.len()).collect();
        let mut ready: std::collections::VecDeque<usize> =
            (0..self.nodes.len()).filter(|&each| waiting[each] == 0).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(next) = ready.pop_front() {
            order.push(next);
            for &child in &children[next] {
                waiting[child] -= 1;
                if waiting[child] == 0 {
                    ready.push_back(child);
                }
            }
        }
        if order.len() == self.nodes.len() { Ok(order) } else { Err(self.circle(&waiting)) }
    }

    /// A circle among the nodes that wait for each other.
    fn circle(&self, waiting: &[usize]) -> Vec<usize> {
        let Some(start) = waiting.iter().position(|&count| count > 0) else { return Vec::new() };
        let mut seen = BTreeMap::new();
        let (mut walk, mut at) = (Vec::new(), start);
        while let std::collections::btree_map::Entry::Vacant(entry) = seen.entry(at) {
            entry.insert(walk.len());
            walk.push(at);
            match self.nodes[at].parents.iter().find(|&&parent| waiting[parent] > 0) {
                Some(&parent) => at = parent,
                None => return walk,
            }
        }
        let mut circle = walk.split_off(seen[&at]);
        circle.reverse();
        circle
    }
}

/// What formats tell of a node before its parents are known by number.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) node: Node,
    /// The parents by name, with the line that names them.
    pub(crate) parents: Vec<(String, u32)>,
}

impl Declared {
    pub(crate) fn new(name: String, class: NodeClass, line: u32) -> Self {
        let node = Node {
            name,
            label: None,
            class,
            states: Vec::new(),
            parents: Vec::new(),
            table: None,
            limits: None,
            line,
        };
        Self { node, parents: Vec::new() }
    }
}

/// Makes a network of what a file declares: names are known, each once, and nothing hangs on itself.
pub(crate) fn assembled(
    name: String,
    format: Format,
    declared: Vec<Declared>,
    mut warnings: Vec<(u32, String)>,
) -> Result<Network, Complaint> {
    let numbers = numbers(&declared)?;
    let mut nodes = Vec::with_capacity(declared.len());
    for Declared { mut node, parents } in declared {
        for (parent, line) in parents {
            let Some(&number) = numbers.get(&parent) else {
                let hint = did_you_mean(&parent, numbers.keys().map(String::as_str));
                let message =
                    format!("`{}` hangs on `{parent}`, which is no {}{hint}", node.name, format.part());
                return Err(Complaint::at(line, message));
            };
            if node.parents.contains(&number) {
                let message =
                    format!("`{parent}` is a parent of `{}` twice; expected each parent once", node.name);
                return Err(Complaint::at(line, message));
            }
            node.parents.push(number);
        }
        nodes.push(node);
    }
    for at in 0..nodes.len() {
        check_table(&nodes, at, &mut warnings);
    }
    let network = Network { name, format, nodes, warnings };
    if let Err(circle) = network.order() {
        let names: Vec<&str> = circle.iter().map(|&each| network.nodes[each].name.as_str()).collect();
        let line = circle.first().map_or(1, |&first| network.nodes[first].line);
        let first = names.first().copied().unwrap_or_default();
        let message = format!("nodes hang on each other in a circle: {} -> {first}", names.join(" -> "));
        return Err(Complaint::at(line, message));
    }
    Ok(network)
}

fn numbers(declared: &[Declared]) -> Result<BTreeMap<String, usize>, Complaint> {
    let mut numbers = BTreeMap::new();
    for (number, each) in declared.iter().enumerate() {
        let Node { name, line, .. } = &each.node;
        if let Some(first) = numbers.insert(name.clone(), number) {
            let before = declared[first].node.line;
            let message =
                format!("`{name}` is declared twice, here and on line {before}; expected one declaration");
            return Err(Complaint::at(*line, message));
        }
    }
    Ok(numbers)
}

/// The rows that the table of a node has to have.
pub(crate) fn row_count(nodes: &[Node], at: usize) -> Option<u64> {
    let parents = nodes[at].parents.iter().map(|&parent| nodes[parent].states.len() as u64);
    parents.into_iter().try_fold(1_u64, u64::checked_mul)
}

fn check_table(nodes: &[Node], at: usize, warnings: &mut Vec<(u32, String)>) {
    let node = &nodes[at];
    let Some(table) = &node.table else { return };
    let mut warn = |what: String| warnings.push((node.line, what));
    match row_count(nodes, at) {
        None => warn(format!("the table of `{}` has more rows than can be counted", node.name)),
        Some(rows) => {
            let written = table.rows.len() as u64;
            let beyond = table.rows.keys().next_back().is_some_and(|&last| last >= rows);
            if beyond || (written < rows && table.default.is_none()) {
                warn(format!("the table of `{}` has {written} rows, and should have {rows}", node.name));
            }
        }
    }
    let all = table.rows.iter().map(|(number, row)| (Some(*number), row));
    for (number, row) in all.chain(table.default.iter().map(|row| (None, row))) {
        let sum: f64 = row.iter().sum();
        let impossible = row.iter().any(|value| !(0.0..=1.0 + TOLERANCE).contains(value));
        if impossible || row.len() != node.states.len() || (sum - 1.0).abs() > TOLERANCE {
            let which = number.map_or("the default row".to_owned(), |number| format!("row {}", number + 1));
            let what = match row.len() == node.states.len() {
                true if impossible => "has numbers that are no probabilities".to_owned(),
                true => format!("adds up to {}, not to one", rounded(sum)),
                false => format!("has {} numbers for {} states", row.len(), node.states.len()),
            };
            warn(format!("{which} of the table of `{}` {what}", node.name));
            return;
        }
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}
