//! The interchange format of Bayesian networks, as bnlearn, pgmpy and pyAgrum write it.
//!
//! Between names and numbers commas and bars are blanks: `( A | B, C )` is `( A B C )`. Names of states may hold nearly
//! everything, with or without quotes (`<5`, `12+`, `[0,5[`), so that rows are read by the names that are declared.
//! `table` of a node with parents has the node's own state slowest, unlike rows. What stands in properties is skipped.

use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, Table, assembled};
use crate::scanner::{Comments, Scanner, number};
use std::collections::{BTreeMap, BTreeSet};

/// What ends a name that is not in quotes.
const ENDS: &str = "{}()[];,|\"";

type Result<T> = std::result::Result<T, Complaint>;

pub(super) fn read(text: &str) -> Result<Network> {
    let mut reader = Reader {
        scanner: Scanner::new(text, Comments::C),
        name: String::new(),
        nodes: Vec::new(),
        numbers: BTreeMap::new(),
        given: BTreeSet::new(),
    };
    // Probabilities may come before the variables that they speak of.
    let mut later = Vec::new();
    while !reader.scanner.at_end() {
        let word = reader.scanner.word(ENDS);
        match word {
            "network" => reader.network()?,
            "variable" | "node" => reader.variable()?,
            "probability" => later.push(reader.probability_head()?),
            "property" => reader.scanner.skip_behind(';', "at the end of a property")?,
            _ => {
                let message = match word {
                    "" => return Err(reader.scanner.expected("`network`, `variable` or `probability`")),
                    word => format!("expected `network`, `variable` or `probability`, found `{word}`"),
                };
                return Err(Complaint::at(reader.scanner.line(), message));
            }
        }
    }
    for (body, names, line) in later {
        reader.scanner.go_to(body);
        reader.probability(&names, line)?;
    }
    let missing = reader.nodes.iter().filter(|each| !reader.given.contains(&each.node.name));
    let warnings = missing.map(|each| (each.node.line, format!("`{}` has no probabilities", each.node.name)));
    let warnings = warnings.collect();
    assembled(reader.name, Format::Bif, reader.nodes, warnings)
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    name: String,
    nodes: Vec<Declared>,
    numbers: BTreeMap<String, usize>,
    /// The nodes whose probabilities are there.
    given: BTreeSet<String>,
}

impl Reader<'_> {
    fn name(&mut self, what: &str) -> Result<String> {
        if let Some(name) = self.scanner.quoted()? {
            return Ok(name);
        }
        match self.scanner.word(ENDS) {
            "" => Err(self.scanner.expected(what)),
            name => Ok(name.to_owned()),
        }
    }

    fn network(&mut self) -> Result<()> {
        if self.scanner.peek() != Some('{') {
            self.name = self.name("the name of the network")?;
        }
        self.scanner.expect('{', "behind the name of the network")?;
        self.properties("network")
    }

    /// What is left of a block that holds nothing but properties.
    fn properties(&mut self, block: &str) -> Result<()> {
        while !self.scanner.eat('}') {
            match self.scanner.word(ENDS) {
                "property" => self.scanner.skip_behind(';', "at the end of a property")?,
                _ => return Err(self.scanner.expected(&format!("`property` or `}}` in `{block}`"))),
            }
        }
        Ok(())
    }

    fn variable(&mut self) -> Result<()> {
        let line = self.scanner.line();
        let name = self.name("the name of a variable")?;
        self.scanner.expect('{', &format!("behind the name of the variable `{name}`"))?;
        let mut declared = Declared::new(name, NodeClass::Chance, line);
        while !self.scanner.eat('}') {
            match self.scanner.word(ENDS) {
                "type" => declared.node.states = self.states(&declared.node.name)?,
                "property" => self.scanner.skip_behind(';', "at the end of a property")?,
                _ => return Err(self.scanner.expected("`type`, `property` or `}` in a variable")),
            }
        }
        if declared.node.states.is_empty() {
            let message =
                format!("expected `type discrete [ N ] {{ ... }}` in the variable `{}`", declared.node.name);
            return Err(Complaint::at(line, message));
        }
        self.numbers.insert(declared.node.name.clone(), self.nodes.len());
        self.nodes.push(declared);
        Ok(())
    }

    /// `discrete [ 2 ] { yes, no };`
    fn states(&mut self, of: &str) -> Result<Vec<String>> {
        let line = self.scanner.line();
        match self.scanner.word(ENDS) {
            "discrete" => {}
            word => {
                let message = format!(
                    "expected `discrete` as the type of `{of}`, found `{word}`: others have no states"
                );
                return Err(Complaint::at(line, message));
            }
        }
        self.scanner.expect('[', "behind `discrete`")?;
        let word = self.scanner.word(ENDS);
        let Ok(count) = word.parse::<usize>() else {
            return Err(Complaint::at(
                line,
                format!("expected the number of states of `{of}`, found `{word}`"),
            ));
        };
        self.scanner.expect(']', "behind the number of states")?;
        self.scanner.expect('{', "before the states")?;
        let states = self.state_names(of, count)?;
        self.scanner.eat(';');
        let distinct: BTreeSet<&String> = states.iter().collect();
        if distinct.len() < states.len() {
            return Err(Complaint::at(
                line,
                format!("two states of `{of}` have one name; expected {count} names"),
            ));
        }
        Ok(states)
    }

    /// The names up to `}`. With a comma in a name there seem to be too many: then what is between brackets is one.
    fn state_names(&mut self, of: &str, count: usize) -> Result<Vec<String>> {
        let line = self.scanner.line();
        let start = self.scanner.place();
        let names = self.names_until_brace(false)?;
        if names.len() == count {
            return Ok(names);
        }
        let end = self.scanner.place();
        self.scanner.go_to(start);
        let joined = self.names_until_brace(true);
        match joined {
            Ok(joined) if joined.len() == count => Ok(joined),
            _ => {
                self.scanner.go_to(end);
                let message =
                    format!("expected {count} states of `{of}`, found {}: {}", names.len(), names.join(" "));
                Err(Complaint::at(line, message))
            }
        }
    }

    fn names_until_brace(&mut self, brackets: bool) -> Result<Vec<String>> {
        let mut names = Vec::new();
        loop {
            match self.scanner.peek() {
                Some(',' | '|') => self.scanner.advance(1),
                Some('}') => {
                    self.scanner.advance(1);
                    return Ok(names);
                }
                Some('"') => names.extend(self.scanner.quoted()?),
                Some('{' | ';') | None => return Err(self.scanner.expected("`}` behind the states")),
                Some(first) => {
                    let interval = brackets && "([]".contains(first);
                    let length = if interval { interval_length(self.scanner.rest()) } else { None };
                    let length = length.unwrap_or_else(|| {
                        let ends = |each: char| each.is_whitespace() || ",|}\"".contains(each);
                        self.scanner.rest().find(ends).unwrap_or(self.scanner.rest().len())
                    });
                    names.push(self.scanner.rest()[..length].to_owned());
                    self.scanner.advance(length);
                }
            }
        }
    }

    /// `probability ( A | B, C ) {`: where its body begins, and the names.
    fn probability_head(&mut self) -> Result<(usize, Vec<String>, u32)> {
        let line = self.scanner.line();
        self.scanner.expect('(', "behind `probability`")?;
        let mut names = Vec::new();
        loop {
            match self.scanner.peek() {
                Some(',' | '|') => self.scanner.advance(1),
                Some(')') => break,
                _ => names.push(self.name("the name of a variable, or `)`")?),
            }
        }
        self.scanner.advance(1);
        self.scanner.expect('{', "behind the variables of `probability`")?;
        if names.is_empty() {
            return Err(Complaint::at(line, "expected the name of a variable in `probability ( )`"));
        }
        let body = self.scanner.place();
        self.scanner.skip_behind('}', "at the end of `probability`")?;
        Ok((body, names, line))
    }

    fn probability(&mut self, names: &[String], line: u32) -> Result<()> {
        let Some(&at) = self.numbers.get(&names[0]) else {
            let hint = crate::suggest::did_you_mean(&names[0], self.numbers.keys().map(String::as_str));
            return Err(Complaint::at(line, format!("`{}` is no variable{hint}", names[0])));
        };
        if !self.given.insert(names[0].clone()) {
            return Err(Complaint::at(
                line,
                format!("`{}` has probabilities twice; expected one block", names[0]),
            ));
        }
        let mut parents = Vec::new();
        for name in &names[1..] {
            let Some(&parent) = self.numbers.get(name) else {
                let hint = crate::suggest::did_you_mean(name, self.numbers.keys().map(String::as_str));
                let message = format!("`{}` hangs on `{name}`, which is no variable{hint}", names[0]);
                return Err(Complaint::at(line, message));
            };
            parents.push(parent);
        }
        let table = self.rows(at, &parents)?;
        self.nodes[at].parents = names[1..].iter().map(|name| (name.clone(), line)).collect();
        self.nodes[at].node.table = Some(table);
        Ok(())
    }

    fn rows(&mut self, at: usize, parents: &[usize]) -> Result<Table> {
        let own = self.nodes[at].node.states.len();
        let mut table = Table::default();
        while !self.scanner.eat('}') {
            let line = self.scanner.line();
            if self.scanner.eat('(') {
                let row = self.row_number(at, parents)?;
                let numbers = self.numbers_of_row()?;
                if numbers.len() != own {
                    let message = format!(
                        "expected {own} numbers in a row of `{}`, found {}",
                        self.nodes[at].node.name,
                        numbers.len()
                    );
                    return Err(Complaint::at(line, message));
                }
                if table.rows.insert(row, numbers).is_some() {
                    let message =
                        format!("a row of `{}` is there twice; expected each once", self.nodes[at].node.name);
                    return Err(Complaint::at(line, message));
                }
                continue;
            }
            match self.scanner.word(ENDS) {
                "table" => table.rows.extend(self.whole_table(at, parents, line)?.rows),
                "default" => table.default = Some(self.numbers_of_row()?),
                "property" => self.scanner.skip_behind(';', "at the end of a property")?,
                _ => {
                    return Err(self
                        .scanner
                        .expected("`table`, `default`, a row `( states ) numbers;` or `}`"));
                }
            }
        }
        Ok(table)
    }

    /// The own state is slowest, then the parents in their order.
    fn whole_table(&mut self, at: usize, parents: &[usize], line: u32) -> Result<Table> {
        let numbers = self.numbers_of_row()?;
        let own = self.nodes[at].node.states.len();
        let sizes = parents.iter().map(|&parent| self.nodes[parent].node.states.len());
        let rows = sizes.into_iter().try_fold(1_usize, usize::checked_mul);
        let expected = rows.and_then(|rows| rows.checked_mul(own));
        if expected != Some(numbers.len()) {
            let expected = expected.map_or("more than can be counted".to_owned(), |count| count.to_string());
            let message = format!(
                "expected {expected} numbers in the table of `{}`, found {}",
                self.nodes[at].node.name,
                numbers.len()
            );
            return Err(Complaint::at(line, message));
        }
        let rows = numbers.len() / own;
        let row = |row: usize| (0..own).map(|state| numbers[state * rows + row]).collect();
        Ok(Table { rows: (0..rows).map(|number| (number as u64, row(number))).collect(), default: None })
    }

    /// The states of the parents up to `)`, as the number of a row.
    fn row_number(&mut self, at: usize, parents: &[usize]) -> Result<u64> {
        let mut row = 0_u64;
        for &parent in parents {
            while matches!(self.scanner.peek(), Some(',' | '|')) {
                self.scanner.advance(1);
            }
            let states = &self.nodes[parent].node.states;
            let (state, length) = match self.scanner.peek() {
                Some('"') => {
                    let name = self.scanner.quoted()?.unwrap_or_default();
                    (states.iter().position(|each| *each == name), 0)
                }
                _ => longest_state(states, self.scanner.rest()),
            };
            let Some(state) = state else {
                let (name, child) = (&self.nodes[parent].node.name, &self.nodes[at].node.name);
                let what = format!("a state of `{name}` ({}) in a row of `{child}`", states.join(", "));
                return Err(self.scanner.expected(&what));
            };
            self.scanner.advance(length);
            let next = row.checked_mul(states.len() as u64).and_then(|row| row.checked_add(state as u64));
            let Some(next) = next else {
                return Err(self.scanner.expected("fewer parents: rows can not be counted"));
            };
            row = next;
        }
        while matches!(self.scanner.peek(), Some(',' | '|')) {
            self.scanner.advance(1);
        }
        self.scanner.expect(')', "behind the states of a row")?;
        Ok(row)
    }

    /// Numbers up to `;`.
    fn numbers_of_row(&mut self) -> Result<Vec<f64>> {
        let mut numbers = Vec::new();
        loop {
            match self.scanner.peek() {
                Some(',' | '|') => self.scanner.advance(1),
                Some(';') => {
                    self.scanner.advance(1);
                    return Ok(numbers);
                }
                _ => {
                    let place = self.scanner.place();
                    match number(self.scanner.word(ENDS)) {
                        Some(each) => numbers.push(each),
                        None => {
                            self.scanner.go_to(place);
                            return Err(self.scanner.expected("a number, or `;` at the end of the row"));
                        }
                    }
                }
            }
        }
    }
}

/// The state whose name stands at the beginning of a text, the longest if several do: which, and how long.
fn longest_state(states: &[String], text: &str) -> (Option<usize>, usize) {
    let stands = |name: &str| {
        let behind = text.strip_prefix(name)?.chars().next();
        behind.is_none_or(|each| each.is_whitespace() || ",|)".contains(each)).then_some(name.len())
    };
    let found = states.iter().enumerate().filter_map(|(state, name)| Some((stands(name)?, state)));
    found.max_by_key(|(length, _)| *length).map_or((None, 0), |(length, state)| (Some(state), length))
}

/// How long an interval is that a text begins with: `[0,5[`, `(1, 2]`.
fn interval_length(text: &str) -> Option<usize> {
    let end = text.char_indices().skip(1).find(|(_, each)| ")[]".contains(*each))?.0 + 1;
    let inside = &text[..end];
    (inside.contains(',') && !inside.contains(['}', '\n'])).then_some(end)
}
