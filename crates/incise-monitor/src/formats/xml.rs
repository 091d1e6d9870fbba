//! What the formats in XML share.

use crate::error::Complaint;
use crate::scanner::number;
use roxmltree::{Document, Node, ParsingOptions};

/// So many elements and texts are read: a file beyond is no network that anybody draws.
const MOST: u32 = 20_000_000;

/// A document, and where its lines begin.
pub(super) struct Xml<'t> {
    pub(super) document: Document<'t>,
    lines: Vec<usize>,
}

impl<'t> Xml<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self, Complaint> {
        let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|error| {
            let line = error.pos().row;
            Complaint { line: Some(line), message: format!("expected well-formed XML: {error}") }
        })?;
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Ok(Self { document, lines })
    }

    /// The line of an element.
    pub(super) fn line(&self, node: Node<'_, '_>) -> u32 {
        let at = node.range().start;
        u32::try_from(self.lines.partition_point(|&start| start <= at)).unwrap_or(u32::MAX)
    }

    /// An attribute that has to be there.
    pub(super) fn attribute(&self, node: Node<'_, '_>, name: &str) -> Result<String, Complaint> {
        let found = node.attribute(name).map(str::trim).filter(|value| !value.is_empty());
        found.map(str::to_owned).ok_or_else(|| {
            let message = format!("expected the attribute `{name}` of <{}>", node.tag_name().name());
            Complaint::at(self.line(node), message)
        })
    }
}

/// All text in an element; what comments split belongs together.
pub(super) fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|each| each.text()).collect::<Vec<_>>().join(" ")
}

/// The children of a name, without regard to case.
pub(super) fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |each| each.is_element() && each.tag_name().name().eq_ignore_ascii_case(name))
}

/// Numbers with blanks between them.
pub(super) fn numbers(text: &str, line: u32, of: &str) -> Result<Vec<f64>, Complaint> {
    let parse = |word: &str| {
        number(word).ok_or_else(|| {
            Complaint::at(line, format!("expected a number in the table of `{of}`, found `{word}`"))
        })
    };
    text.split([' ', '\t', '\n', '\r', ',']).filter(|word| !word.is_empty()).map(parse).collect()
}
