//! XMLBIF 0.3: rows of a table one after the other, the first `GIVEN` slowest, the node's own state fastest.

use super::xml::{Xml, children, numbers, text_of};
use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, Table, assembled};
use crate::suggest::did_you_mean;
use roxmltree::Node;
use std::collections::BTreeMap;

pub(super) fn read(text: &str) -> Result<Network, Complaint> {
    let xml = Xml::new(text)?;
    let root = xml.document.root_element();
    let Some(network) =
        root.descendants().find(|each| each.tag_name().name().eq_ignore_ascii_case("network"))
    else {
        let message = format!("expected <NETWORK> in <BIF>, found <{}>", root.tag_name().name());
        return Err(Complaint::at(xml.line(root), message));
    };
    let name = children(network, "name").next().map(text_of).unwrap_or_default().trim().to_owned();
    let mut nodes: Vec<Declared> = Vec::new();
    let mut known = BTreeMap::new();
    for element in children(network, "variable") {
        let declared = variable(&xml, element)?;
        known.insert(declared.node.name.clone(), nodes.len());
        nodes.push(declared);
    }
    let definitions = children(network, "definition").chain(children(network, "probability"));
    for element in definitions {
        definition(&xml, element, &known, &mut nodes)?;
    }
    assembled(name, Format::XmlBif, nodes, Vec::new())
}

/// The text of a child that has to be there.
fn named(xml: &Xml<'_>, element: Node<'_, '_>, child: &'static str) -> Result<String, Complaint> {
    let found = children(element, child).next().map(|each| text_of(each).trim().to_owned());
    found.filter(|name| !name.is_empty()).ok_or_else(|| {
        let message =
            format!("expected <{}> with a name in <{}>", child.to_uppercase(), element.tag_name().name());
        Complaint::at(xml.line(element), message)
    })
}

fn variable(xml: &Xml<'_>, element: Node<'_, '_>) -> Result<Declared, Complaint> {
    let class = match element.attribute("TYPE").unwrap_or("nature").trim() {
        "decision" => NodeClass::Decision,
        "utility" => NodeClass::Utility,
        _ => NodeClass::Chance,
    };
    let mut declared = Declared::new(named(xml, element, "name")?, class, xml.line(element));
    let outcomes = children(element, "outcome").chain(children(element, "value"));
    declared.node.states = outcomes.map(|each| text_of(each).trim().to_owned()).collect();
    if declared.node.states.is_empty() && class != NodeClass::Utility {
        let message = format!("expected <OUTCOME> for each state of `{}`", declared.node.name);
        return Err(Complaint::at(declared.node.line, message));
    }
    Ok(declared)
}

fn definition(
    xml: &Xml<'_>,
    element: Node<'_, '_>,
    known: &BTreeMap<String, usize>,
    nodes: &mut [Declared],
) -> Result<(), Complaint> {
    let line = xml.line(element);
    let name = named(xml, element, "for")?;
    let Some(&at) = known.get(&name) else {
        let hint = did_you_mean(&name, known.keys().map(String::as_str));
        return Err(Complaint::at(line, format!("<FOR> names `{name}`, which is no variable{hint}")));
    };
    if nodes[at].node.table.is_some() || !nodes[at].parents.is_empty() {
        return Err(Complaint::at(line, format!("`{name}` is defined twice; expected one <DEFINITION>")));
    }
    let parents = children(element, "given").map(|each| (text_of(each).trim().to_owned(), xml.line(each)));
    nodes[at].parents = parents.collect();
    if let Some(table) = children(element, "table").next() {
        let numbers = numbers(&text_of(table), xml.line(table), &name)?;
        nodes[at].node.table = Some(Table::of_rows(&numbers, nodes[at].node.states.len()));
    }
    Ok(())
}
