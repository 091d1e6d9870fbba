//! Cuts LLVM IR text as clang prints it into one piece for each symbol, and says which
//! symbols each piece mentions.
//!
//! Attribute groups and loop metadata are dropped, so that a piece needs nothing but the pieces that it
//! mentions and the named types.

use std::{collections::BTreeMap, fmt::Write};

/// The parts of one module.
pub(crate) struct Module {
    /// Target lines and named types, which every selection starts with.
    preamble: String,
    /// Definitions and declarations by symbol.
    pieces: BTreeMap<String, Piece>,
}

struct Piece {
    text: String,
    exported: bool,
}

impl Module {
    /// Reads a whole module.
    pub(crate) fn parse(text: &str) -> Result<Module, String> {
        let mut module = Module { preamble: String::new(), pieces: BTreeMap::new() };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("define ") {
                let mut body = without_attributes(line);
                for line in lines.by_ref() {
                    body.push('\n');
                    body.push_str(&without_attributes(line));
                    if line == "}" {
                        break;
                    }
                }
                module.add(line, body)?;
            } else if line.starts_with("declare ") || line.starts_with('@') {
                module.add(line, without_attributes(line))?;
            } else if line.starts_with("target ") || line.starts_with('%') {
                module.preamble.push_str(line);
                module.preamble.push('\n');
            }
        }
        Ok(module)
    }

    fn add(&mut self, first_line: &str, text: String) -> Result<(), String> {
        let name = symbols(first_line).next().ok_or_else(|| format!("no symbol in: {first_line}"))?;
        let declared = first_line.starts_with("declare ");
        let hidden = first_line.contains(" internal ") || first_line.contains(" private ");
        self.pieces.insert(name.to_owned(), Piece { text, exported: !declared && !hidden });
        Ok(())
    }

    /// The module without what was dropped.
    pub(crate) fn text(&self) -> String {
        let mut text = self.preamble.clone();
        for piece in self.pieces.values() {
            text.push_str(&piece.text);
            text.push('\n');
        }
        text
    }

    /// The source of the tables that `src/select.rs` includes.
    pub(crate) fn rust_tables(&self) -> String {
        let index: BTreeMap<&str, usize> = self.pieces.keys().map(String::as_str).zip(0..).collect();
        let mut source = format!("const PREAMBLE: &str = {:?};\n", self.preamble);
        source.push_str("static PIECES: &[Piece] = &[\n");
        for (name, piece) in &self.pieces {
            let mut mentions: Vec<usize> = symbols(&piece.text)
                .filter(|other| other != name)
                .filter_map(|other| index.get(other))
                .copied()
                .collect();
            mentions.sort_unstable();
            mentions.dedup();
            let _ = writeln!(
                source,
                "    Piece {{ name: {name:?}, exported: {}, mentions: &{mentions:?}, text: {:?}, declaration: {:?} }},",
                piece.exported,
                piece.text,
                declaration(&piece.text)
            );
        }
        source.push_str("];\n");
        source
    }
}

/// How a function is declared that is defined by this text; nothing for what is no definition of a function.
fn declaration(text: &str) -> String {
    let Some(head) = text.lines().next().and_then(|line| line.strip_prefix("define ")) else {
        return String::new();
    };
    let head = head.strip_suffix(" {").unwrap_or(head);
    let words = head.replace(',', " ,").replace(')', " )");
    let kept: Vec<&str> = words.split(' ').filter(|word| !word.starts_with('%')).collect();
    format!("declare {}", kept.join(" "))
}

/// Drops ` #12` at the end of a line (also before ` {`) and a `, !llvm.loop !3`.
fn without_attributes(line: &str) -> String {
    let line = line.split(", !llvm.loop ").next().unwrap_or(line);
    let (head, brace) = line.strip_suffix(" {").map_or((line, ""), |head| (head, " {"));
    if let Some((before, number)) = head.rsplit_once(" #")
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        return format!("{before}{brace}");
    }
    line.to_owned()
}

/// The global symbols that a text mentions, in order.
fn symbols(text: &str) -> impl Iterator<Item = &str> {
    text.split('@').skip(1).filter_map(|rest| {
        let end = rest
            .find(|character: char| !(character.is_ascii_alphanumeric() || "_.$-".contains(character)))
            .unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    })
}
