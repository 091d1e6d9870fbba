//! Random networks, and writers for them: what the readers are judged by.

use incise_monitor::{Format, Network, Node, NodeClass, Table};
use std::fmt::Write as _;

/// A small generator of numbers: the same seed, the same numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most.max(1)
    }
}

/// Names as they occur.
const NAMES: [&str; 8] = ["<5", "12+", "yes", "no", "0.5", "a-b", "x_1", "high/low"];

/// A random network; tables have all rows.
pub(crate) fn network(random: &mut Random, most: usize) -> Network {
    let count = 1 + random.below(most);
    let mut nodes: Vec<Node> = Vec::new();
    for at in 0..count {
        let states = 2 + random.below(3);
        let mut parents: Vec<usize> = Vec::new();
        for _ in 0..random.below(4) {
            let parent = random.below(at.max(1));
            if at > 0 && !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let rows: usize = parents.iter().map(|&parent| nodes[parent].states.len()).product();
        let row = |random: &mut Random| {
            let first = random.below(101) as f64 / 100.0;
            let mut row = vec![0.0; states];
            row[0] = first;
            row[1] = 1.0 - first;
            row
        };
        let table =
            Table { rows: (0..rows as u64).map(|number| (number, row(random))).collect(), default: None };
        nodes.push(Node {
            name: format!("N{at}"),
            label: None,
            class: NodeClass::Chance,
            states: (0..states).map(|state| NAMES[(state + at) % NAMES.len()].to_owned()).collect(),
            parents,
            table: Some(table),
            limits: None,
            line: 0,
        });
    }
    Network { name: "random".to_owned(), format: Format::Bif, nodes, warnings: Vec::new() }
}

/// A network without where it was written.
pub(crate) fn bare(mut network: Network) -> Network {
    network.nodes.iter_mut().for_each(|node| node.line = 0);
    (network.format, network.name) = (Format::Bif, String::new());
    network.warnings.clear();
    network
}

/// Writes a network in a format.
pub(crate) fn written(network: &Network, format: Format, random: &mut Random) -> String {
    match format {
        Format::Bif => bif(network, random),
        Format::XmlBif => xmlbif(network),
        Format::Xdsl => xdsl(network),
        Format::Net => net(network),
        Format::C2po | Format::A2l => panic!("no network"),
    }
}

/// The states of the parents in a row.
fn states_of_row<'n>(network: &'n Network, node: &Node, row: u64) -> Vec<&'n str> {
    let mut rest = row as usize;
    let mut states = Vec::new();
    for &parent in node.parents.iter().rev() {
        let all = &network.nodes[parent].states;
        states.push(all[rest % all.len()].as_str());
        rest /= all.len();
    }
    states.reverse();
    states
}

fn numbers(row: &[f64], between: &str) -> String {
    row.iter().map(f64::to_string).collect::<Vec<_>>().join(between)
}

fn bif(network: &Network, random: &mut Random) -> String {
    let mut text = String::from("network random { }\n");
    for node in &network.nodes {
        let quoted = random.below(2) == 0;
        let name = |state: &String| if quoted { format!("\"{state}\"") } else { state.clone() };
        let states: Vec<String> = node.states.iter().map(name).collect();
        let _ = writeln!(
            text,
            "variable {} {{\n  type discrete [ {} ] {{ {} }};\n}}",
            node.name,
            states.len(),
            states.join(", ")
        );
    }
    for node in &network.nodes {
        let parents: Vec<&str> =
            node.parents.iter().map(|&parent| network.nodes[parent].name.as_str()).collect();
        let table = node.table.as_ref().expect("a table");
        let mut rows: Vec<(u64, &Vec<f64>)> = table.rows.iter().map(|(number, row)| (*number, row)).collect();
        if parents.is_empty() {
            let _ =
                writeln!(text, "probability ( {} ) {{\n  table {};\n}}", node.name, numbers(rows[0].1, ", "));
            continue;
        }
        let _ = writeln!(text, "probability ( {} | {} ) {{", node.name, parents.join(", "));
        if random.below(2) == 0 {
            let column = |state: usize| rows.iter().map(move |(_, row)| row[state]);
            let slow: Vec<f64> = (0..node.states.len()).flat_map(column).collect();
            let _ = writeln!(text, "  table {};", numbers(&slow, ", "));
        } else {
            let at = random.below(rows.len());
            rows.rotate_left(at);
            for (number, row) in rows {
                let states = states_of_row(network, node, number).join(", ");
                let _ = writeln!(text, "  ({states}) {};", numbers(row, ", "));
            }
        }
        text += "}\n";
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn all_rows(node: &Node) -> String {
    let rows: Vec<String> =
        node.table.iter().flat_map(|table| table.rows.values()).map(|row| numbers(row, " ")).collect();
    rows.join("\n")
}

fn xmlbif(network: &Network) -> String {
    let mut text =
        String::from("<?xml version=\"1.0\"?>\n<BIF VERSION=\"0.3\"><NETWORK><NAME>random</NAME>\n");
    for node in &network.nodes {
        let states: String =
            node.states.iter().map(|state| format!("<OUTCOME>{}</OUTCOME>", escaped(state))).collect();
        let _ = writeln!(text, "<VARIABLE TYPE=\"nature\"><NAME>{}</NAME>{states}</VARIABLE>", node.name);
    }
    for node in &network.nodes {
        let given: String =
            node.parents.iter().map(|&each| format!("<GIVEN>{}</GIVEN>", network.nodes[each].name)).collect();
        let _ = writeln!(
            text,
            "<DEFINITION><FOR>{}</FOR>{given}<TABLE>{}</TABLE></DEFINITION>",
            node.name,
            all_rows(node)
        );
    }
    text + "</NETWORK></BIF>\n"
}

fn xdsl(network: &Network) -> String {
    let mut text = String::from("<smile version=\"1.0\" id=\"random\"><nodes>\n");
    for node in &network.nodes {
        let states: String =
            node.states.iter().map(|state| format!("<state id=\"{}\"/>", escaped(state))).collect();
        let parents: Vec<&str> = node.parents.iter().map(|&each| network.nodes[each].name.as_str()).collect();
        let _ = writeln!(
            text,
            "<cpt id=\"{}\">{states}<parents>{}</parents><probabilities>{}</probabilities></cpt>",
            node.name,
            parents.join(" "),
            all_rows(node)
        );
    }
    text + "</nodes></smile>\n"
}

fn net(network: &Network) -> String {
    let mut text = String::from("net { node_size = (50 50); }\n");
    for node in &network.nodes {
        let states: Vec<String> = node.states.iter().map(|state| format!("\"{state}\"")).collect();
        let _ = writeln!(text, "node {} {{ states = ( {} ); }} % a node", node.name, states.join(" "));
    }
    for node in &network.nodes {
        let parents: Vec<&str> = node.parents.iter().map(|&each| network.nodes[each].name.as_str()).collect();
        let rows: String = all_rows(node).lines().map(|row| format!("({row})")).collect();
        let _ = writeln!(text, "potential ( {} | {} ) {{ data = ({rows}); }}", node.name, parents.join(" "));
    }
    text
}
