//! GeNIe's and SMILE's networks: `cpt`, `deterministic`, `noisymax`, `decision`, `utility`, `equation` and whatever
//! else a version of SMILE has, each with an id, states and parents. Tables are rows one after the other, the first
//! parent slowest; aGrUM writes and reads them with the first parent fastest, and says that it wrote them. Noisy nodes
//! have no rows, and are not checked.

use super::xml::{Xml, children, numbers, text_of};
use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, Table, assembled};
use roxmltree::Node;
use std::collections::BTreeMap;

pub(super) fn read(text: &str) -> Result<Network, Complaint> {
    let xml = Xml::new(text)?;
    let root = xml.document.root_element();
    let Some(nodes) = children(root, "nodes").next() else {
        let message = format!("expected <nodes> in <smile>, found none in <{}>", root.tag_name().name());
        return Err(Complaint::at(xml.line(root), message));
    };
    let labels = labels(root);
    let mut declared = Vec::new();
    for element in nodes.children().filter(Node::is_element) {
        let mut each = node(&xml, element)?;
        each.node.label = labels.get(&each.node.name).filter(|label| **label != each.node.name).cloned();
        declared.push(each);
    }
    if is_of_agrum(root) {
        turn_rows(&mut declared);
    }
    let mut warnings = Vec::new();
    if let Some(dynamic) = children(root, "dynamic").next() {
        let what = "what hangs on earlier steps of time is not looked at: <dynamic>".to_owned();
        warnings.push((xml.line(dynamic), what));
    }
    let name = root.attribute("id").unwrap_or_default().to_owned();
    assembled(name, Format::Xdsl, declared, warnings)
}

/// Whether aGrUM wrote the file.
fn is_of_agrum(root: Node<'_, '_>) -> bool {
    let mut genie = children(root, "extensions").flat_map(|each| children(each, "genie"));
    genie.any(|each| each.attribute("app").is_some_and(|app| app.starts_with("aGrUM")))
}

/// Brings rows that have the first parent fastest into the order that has it slowest.
fn turn_rows(nodes: &mut [Declared]) {
    let states: BTreeMap<String, u64> =
        nodes.iter().map(|each| (each.node.name.clone(), each.node.states.len() as u64)).collect();
    for each in nodes.iter_mut() {
        let counts: Option<Vec<u64>> = each
            .parents
            .iter()
            .map(|(name, _)| states.get(name).copied().filter(|count| *count > 0))
            .collect();
        let (Some(counts), Some(table)) = (counts, &mut each.node.table) else { continue };
        let turned = |row: u64| {
            let (mut rest, mut number) = (row, 0_u64);
            // The place of each parent's state in the other order.
            let mut weight: u64 = counts.iter().skip(1).fold(1, |all, count| all.saturating_mul(*count));
            for (at, count) in counts.iter().enumerate() {
                number = number.saturating_add((rest % count).saturating_mul(weight));
                rest /= count;
                weight /= counts.get(at + 1).copied().unwrap_or(1);
            }
            number
        };
        table.rows = std::mem::take(&mut table.rows)
            .into_iter()
            .map(|(row, numbers)| (turned(row), numbers))
            .collect();
    }
}

/// What nodes are called on the screen.
fn labels(root: Node<'_, '_>) -> BTreeMap<String, String> {
    let genie = children(root, "extensions").flat_map(|each| children(each, "genie"));
    let nodes = genie.flat_map(|each| each.descendants().filter(|node| node.tag_name().name() == "node"));
    let label = |node: Node<'_, '_>| {
        let name = children(node, "name").next().map(|each| text_of(each).trim().to_owned())?;
        Some((node.attribute("id")?.to_owned(), name))
    };
    nodes.filter_map(label).collect()
}

fn node(xml: &Xml<'_>, element: Node<'_, '_>) -> Result<Declared, Complaint> {
    let line = xml.line(element);
    let class = match element.tag_name().name() {
        "cpt" | "noisymax" | "noisyadder" | "demorgan" => NodeClass::Chance,
        "deterministic" => NodeClass::Deterministic,
        "decision" => NodeClass::Decision,
        "utility" | "mau" => NodeClass::Utility,
        _ => NodeClass::Function,
    };
    let mut declared = Declared::new(xml.attribute(element, "id")?, class, line);
    for state in children(element, "state") {
        declared.node.states.push(xml.attribute(state, "id")?);
    }
    if let Some(parents) = children(element, "parents").next() {
        let line = xml.line(parents);
        let text = text_of(parents);
        declared.parents = text.split_whitespace().map(|name| (name.to_owned(), line)).collect();
    }
    let of = declared.node.name.clone();
    let states = declared.node.states.len();
    if let Some(table) = children(element, "probabilities").next() {
        let numbers = numbers(&text_of(table), xml.line(table), &of)?;
        declared.node.table = Some(Table::of_rows(&numbers, states));
    }
    if let Some(results) = children(element, "resultingstates").next() {
        declared.node.table = Some(resulting(xml, results, &declared)?);
    }
    Ok(declared)
}

/// The table of a node whose state follows from those of its parents.
fn resulting(xml: &Xml<'_>, results: Node<'_, '_>, declared: &Declared) -> Result<Table, Complaint> {
    let states = &declared.node.states;
    let text = text_of(results);
    let row = |name: &str| {
        let Some(at) = states.iter().position(|each| each == name) else {
            let message = format!(
                "expected a state of `{}` ({}), found `{name}`",
                declared.node.name,
                states.join(", ")
            );
            return Err(Complaint::at(xml.line(results), message));
        };
        Ok((0..states.len()).map(|state| if state == at { 1.0 } else { 0.0 }).collect::<Vec<f64>>())
    };
    let rows: Vec<Vec<f64>> = text.split_whitespace().map(row).collect::<Result<_, _>>()?;
    Ok(Table { rows: (0..).zip(rows).collect(), default: None })
}
