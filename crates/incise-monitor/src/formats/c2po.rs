//! Specifications of R2U2, for its compiler C2PO: signals of `INPUT`, what `DEFINE` and `ATOMIC` name, and the formulas
//! of `FTSPEC` and `PTSPEC`. A formula is a node that hangs on the signals and names that it speaks of.

use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, assembled};
use crate::scanner::{Comments, Scanner};
use std::collections::BTreeSet;

type Result<T> = std::result::Result<T, Complaint>;

/// The sections of a specification.
const SECTIONS: [&str; 7] = ["STRUCT", "ENUM", "INPUT", "DEFINE", "ATOMIC", "FTSPEC", "PTSPEC"];

/// A statement of a section: its text without comments, and its line.
struct Statement {
    text: String,
    line: u32,
}

pub(super) fn read(text: &str) -> Result<Network> {
    let mut scanner = Scanner::new(text, Comments::Dashes);
    let mut nodes: Vec<Declared> = Vec::new();
    let mut known = BTreeSet::new();
    let mut section = "";
    let mut formulas = 0;
    while !scanner.at_end() {
        let place = scanner.place();
        let word = scanner.word(":;,()[]{}");
        if let Some(found) = SECTIONS.into_iter().find(|each| *each == word) {
            section = found;
            continue;
        }
        scanner.go_to(place);
        if section.is_empty() {
            return Err(scanner.expected("a section: INPUT, DEFINE, ATOMIC, FTSPEC or PTSPEC"));
        }
        let statement = statement(&mut scanner)?;
        match section {
            "STRUCT" | "ENUM" => {}
            "INPUT" => signals(&statement, &mut nodes)?,
            "DEFINE" | "ATOMIC" => nodes.push(definition(&statement, &known)?),
            _ => {
                formulas += 1;
                nodes.push(formula(&statement, formulas, &known));
            }
        }
        known.extend(nodes.iter().map(|each| each.node.name.clone()));
    }
    assembled(String::new(), Format::C2po, nodes, Vec::new())
}

/// Everything up to `;` outside of braces.
fn statement(scanner: &mut Scanner<'_>) -> Result<Statement> {
    let line = scanner.line();
    let (mut text, mut depth) = (String::new(), 0_u32);
    loop {
        let blank = scanner.place();
        let Some(next) = scanner.peek() else {
            return Err(Complaint::at(
                line,
                "expected `;` at the end of what begins here, found the end of the file",
            ));
        };
        if scanner.place() > blank {
            text.push(' ');
        }
        scanner.advance(next.len_utf8());
        match next {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ';' if depth == 0 => return Ok(Statement { text, line }),
            _ => {}
        }
        text.push(next);
    }
}

/// `a, b: bool`
fn signals(statement: &Statement, nodes: &mut Vec<Declared>) -> Result<()> {
    let Some((names, ty)) = statement.text.split_once(':') else {
        let message = format!("expected `names: type;` in INPUT, found `{}`", statement.text.trim());
        return Err(Complaint::at(statement.line, message));
    };
    for name in names.split(',').map(str::trim) {
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(Complaint::at(
                statement.line,
                format!("expected the name of a signal, found `{name}`"),
            ));
        }
        let mut declared = Declared::new(name.to_owned(), NodeClass::Signal, statement.line);
        if ty.trim() == "bool" {
            declared.node.states = vec!["false".to_owned(), "true".to_owned()];
        }
        nodes.push(declared);
    }
    Ok(())
}

/// `name := expression`
fn definition(statement: &Statement, known: &BTreeSet<String>) -> Result<Declared> {
    let found = statement.text.split_once(":=").map(|(name, value)| (name.trim(), value));
    let Some((name, value)) = found.filter(|(name, _)| !name.is_empty() && name.chars().all(is_name)) else {
        let message = format!("expected `name := expression;`, found `{}`", statement.text.trim());
        return Err(Complaint::at(statement.line, message));
    };
    Ok(spoken_of(Declared::new(name.to_owned(), NodeClass::Formula, statement.line), value, known))
}

/// `label: formula`, or a formula without a label.
fn formula(statement: &Statement, number: usize, known: &BTreeSet<String>) -> Declared {
    let labelled = statement.text.split_once(':').map(|(label, formula)| (label.trim(), formula));
    let labelled = labelled.filter(|(label, _)| !label.is_empty() && label.chars().all(is_name));
    let (name, formula) = match labelled {
        Some((label, formula)) => (label.to_owned(), formula),
        None => (format!("formula {number}"), statement.text.as_str()),
    };
    let mut declared = Declared::new(name, NodeClass::Formula, statement.line);
    declared.node.label = Some(formula.split_whitespace().collect::<Vec<_>>().join(" "));
    declared.node.states = vec!["false".to_owned(), "true".to_owned()];
    spoken_of(declared, formula, known)
}

/// The known names in an expression are what it hangs on.
fn spoken_of(mut declared: Declared, expression: &str, known: &BTreeSet<String>) -> Declared {
    let mut found = Vec::new();
    let mut before = None;
    for (start, word) in words(expression) {
        // What stands behind a dot is a member of something.
        let member = expression[..start].trim_end().ends_with('.') && before.is_some();
        before = Some(word);
        if !member && known.contains(word) && word != declared.node.name && !found.contains(&word) {
            found.push(word);
        }
    }
    declared.parents = found.into_iter().map(|name| (name.to_owned(), declared.node.line)).collect();
    declared
}

/// The names and numbers in an expression, and where they begin.
fn words(expression: &str) -> impl Iterator<Item = (usize, &str)> {
    let pieces = expression.split(|each: char| !is_name(each));
    let start = |piece: &str| piece.as_ptr() as usize - expression.as_ptr() as usize;
    pieces.filter(|piece| !piece.is_empty()).map(move |piece| (start(piece), piece))
}

fn is_name(each: char) -> bool {
    each.is_alphanumeric() || each == '_'
}
