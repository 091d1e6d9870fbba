//! Hugin's NET: `node`, `decision`, `utility`, `function` and `continuous node` blocks, and `potential` with the
//! parents. A table is what stands in `data`, the first parent slowest; how its parentheses nest says nothing that the
//! order does not. Classes of object-oriented networks are read as one network; instances of classes are not.

use crate::error::Complaint;
use crate::network::{Declared, Format, Network, NodeClass, Table, assembled};
use crate::scanner::{Comments, Scanner, number};
use crate::suggest::did_you_mean;
use std::collections::BTreeMap;

/// What ends a name that is not in quotes.
const ENDS: &str = "{}()=;,|\":";

type Result<T> = std::result::Result<T, Complaint>;

pub(super) fn read(text: &str) -> Result<Network> {
    let mut reader = Reader {
        scanner: Scanner::new(text, Comments::Percent),
        name: String::new(),
        nodes: Vec::new(),
        known: BTreeMap::new(),
        warnings: Vec::new(),
    };
    let mut potentials = Vec::new();
    let mut open = 0_u32;
    while !reader.scanner.at_end() {
        // The end of a class.
        if open > 0 && reader.scanner.eat('}') {
            open -= 1;
            continue;
        }
        let (line, place) = (reader.scanner.line(), reader.scanner.place());
        let word = reader.scanner.word(ENDS);
        match word {
            "net" => reader.attributes(None)?,
            "class" | "object_class" => {
                reader.name = reader.scanner.word(ENDS).to_owned();
                reader.scanner.expect('{', "behind the name of a class")?;
                open += 1;
            }
            "discrete" | "continuous" | "chance" => reader.kind_words(word, line)?,
            "node" => reader.node(NodeClass::Chance, line)?,
            "decision" => reader.node(NodeClass::Decision, line)?,
            "utility" => reader.node(NodeClass::Utility, line)?,
            "function" => reader.node(NodeClass::Function, line)?,
            "potential" => potentials.push(reader.potential(line)?),
            "instance" => {
                return Err(Complaint::at(
                    line,
                    "instances of classes are not read: save the network unfolded",
                ));
            }
            "" if !reader.scanner.rest().starts_with('=') => {
                return Err(reader.scanner.expected("`net`, `node` or `potential`"));
            }
            // An attribute of a class.
            _ if open > 0 && reader.scanner.eat('=') => {
                reader.scanner.skip_behind(';', "at the end of an attribute")?;
            }
            _ => {
                reader.scanner.go_to(place);
                return Err(reader.scanner.expected("`net`, `node` or `potential`"));
            }
        }
    }
    for potential in potentials {
        reader.apply(potential)?;
    }
    assembled(reader.name, Format::Net, reader.nodes, reader.warnings)
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    name: String,
    nodes: Vec<Declared>,
    known: BTreeMap<String, usize>,
    warnings: Vec<(u32, String)>,
}

/// What a `potential` block says.
struct Potential {
    line: u32,
    children: Vec<String>,
    parents: Vec<String>,
    numbers: Option<Vec<f64>>,
}

impl Reader<'_> {
    /// `discrete node A`, `continuous chance node B`: the words before the name.
    fn kind_words(&mut self, first: &str, line: u32) -> Result<()> {
        let mut class = if first == "continuous" { NodeClass::Function } else { NodeClass::Chance };
        loop {
            let place = self.scanner.place();
            match self.scanner.word(ENDS) {
                "discrete" | "chance" => {}
                "continuous" => class = NodeClass::Function,
                "node" => return self.node(class, line),
                "decision" => return self.node(NodeClass::Decision, line),
                "utility" => return self.node(NodeClass::Utility, line),
                "function" => return self.node(NodeClass::Function, line),
                _ => {
                    self.scanner.go_to(place);
                    return Err(self.scanner.expected("`node`, `decision`, `utility` or `function`"));
                }
            }
        }
    }

    fn node(&mut self, class: NodeClass, line: u32) -> Result<()> {
        let name = match self.scanner.word(ENDS) {
            "" => return Err(self.scanner.expected("the name of a node")),
            name => name.to_owned(),
        };
        let mut declared = Declared::new(name, class, line);
        self.attributes(Some(&mut declared))?;
        if declared.node.states.is_empty() && matches!(class, NodeClass::Chance | NodeClass::Decision) {
            let message = format!("expected `states = ( ... );` in the node `{}`", declared.node.name);
            return Err(Complaint::at(line, message));
        }
        self.known.insert(declared.node.name.clone(), self.nodes.len());
        self.nodes.push(declared);
        Ok(())
    }

    /// `{ name = value; ... }`: of a node its states and its label, the rest is skipped.
    fn attributes(&mut self, mut of: Option<&mut Declared>) -> Result<()> {
        self.scanner.expect('{', "before attributes")?;
        while !self.scanner.eat('}') {
            let name = match self.scanner.word(ENDS) {
                "" => return Err(self.scanner.expected("the name of an attribute, or `}`")),
                name => name,
            };
            self.scanner.expect('=', "behind the name of an attribute")?;
            match (name, &mut of) {
                ("states", Some(declared)) => {
                    declared.node.states = self.texts()?;
                    self.scanner.expect(';', "behind the states")?;
                }
                ("label", Some(declared)) => {
                    declared.node.label = self.scanner.quoted()?.filter(|label| !label.is_empty());
                    self.scanner.skip_behind(';', "behind the label")?;
                }
                ("name", None) => {
                    self.name = self.scanner.quoted()?.unwrap_or_default();
                    self.scanner.skip_behind(';', "behind the name")?;
                }
                _ => self.scanner.skip_behind(';', "at the end of an attribute")?,
            }
        }
        Ok(())
    }

    /// `("a" "b")`
    fn texts(&mut self) -> Result<Vec<String>> {
        self.scanner.expect('(', "before the states")?;
        let mut texts = Vec::new();
        while !self.scanner.eat(')') {
            match self.scanner.quoted()? {
                Some(text) => texts.push(text),
                None => match self.scanner.word(ENDS) {
                    "" => return Err(self.scanner.expected("a state in quotes, or `)`")),
                    word => texts.push(word.to_owned()),
                },
            }
        }
        Ok(texts)
    }

    fn potential(&mut self, line: u32) -> Result<Potential> {
        self.scanner.expect('(', "behind `potential`")?;
        let (mut children, mut parents) = (Vec::new(), Vec::new());
        let mut behind = false;
        while !self.scanner.eat(')') {
            if self.scanner.eat('|') {
                behind = true;
                continue;
            }
            match self.scanner.word(ENDS) {
                "" => return Err(self.scanner.expected("the name of a node, `|` or `)`")),
                name if behind => parents.push(name.to_owned()),
                name => children.push(name.to_owned()),
            }
        }
        let mut potential = Potential { line, children, parents, numbers: None };
        // Some writers leave out the body of a root.
        if self.scanner.peek() != Some('{') {
            return Ok(potential);
        }
        self.scanner.advance(1);
        while !self.scanner.eat('}') {
            let name = match self.scanner.word(ENDS) {
                "" => return Err(self.scanner.expected("`data = ( ... );` or `}` in a potential")),
                name => name,
            };
            self.scanner.expect('=', "behind the name of an attribute")?;
            match name {
                "data" if self.scanner.peek() == Some('(') => potential.numbers = self.data()?,
                _ => self.scanner.skip_behind(';', "at the end of an attribute")?,
            }
        }
        Ok(potential)
    }

    /// The numbers of `((0.1 0.9)(0.5 0.5));`; none if they are no plain numbers, as those of a density.
    fn data(&mut self) -> Result<Option<Vec<f64>>> {
        let (mut numbers, mut plain) = (Vec::new(), true);
        loop {
            match self.scanner.peek() {
                Some('(' | ')' | ',') => self.scanner.advance(1),
                Some(';') => {
                    self.scanner.advance(1);
                    return Ok(plain.then_some(numbers));
                }
                Some('"') => drop(self.scanner.quoted()?),
                _ => match self.scanner.word(ENDS) {
                    "" => return Err(self.scanner.expected("a number, or `;` behind `data`")),
                    word => match number(word) {
                        Some(each) => numbers.push(each),
                        None => plain = false,
                    },
                },
            }
        }
    }

    fn apply(&mut self, potential: Potential) -> Result<()> {
        let Potential { line, children, parents, numbers } = potential;
        let [child] = children.as_slice() else {
            let message = format!("expected one node before `|` in a potential, found {}", children.len());
            return Err(Complaint::at(line, message));
        };
        let Some(&at) = self.known.get(child) else {
            let hint = did_you_mean(child, self.known.keys().map(String::as_str));
            return Err(Complaint::at(line, format!("the potential of `{child}`, which is no node{hint}")));
        };
        let declared = &mut self.nodes[at];
        if declared.node.table.is_some() || !declared.parents.is_empty() {
            return Err(Complaint::at(line, format!("`{child}` has two potentials; expected one")));
        }
        declared.parents = parents.into_iter().map(|name| (name, line)).collect();
        let with_rows = matches!(declared.node.class, NodeClass::Chance | NodeClass::Decision);
        if let Some(numbers) = numbers.filter(|_| with_rows) {
            declared.node.table = Some(Table::of_rows(&numbers, declared.node.states.len()));
        }
        Ok(())
    }
}
