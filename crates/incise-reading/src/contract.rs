//! Contracts: what the user says of inputs, on the command line or in a file that a repository can carry.
//!
//! A file has a table for each function, with the names of the options of the command line for keys:
//!
//! ```toml
//! [function.check]
//! string = ["name"]
//! length = ["frame=length", "to=room:bytes"]
//! range = ["n=0..100"]
//! ```

use crate::model::{Evidence, Source, Taken, Unit, What};
use crate::product;
use std::collections::BTreeMap;
use thiserror::Error;

/// The kinds of contracts, as options and keys.
const KINDS: [&str; 8] = ["string", "nonnull", "length", "range", "size", "same", "overlap", "member"];

/// What the user says of inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// Of the entry, whatever it is.
    entry: Vec<Taken>,
    /// Of functions by their names.
    functions: BTreeMap<String, Vec<Taken>>,
}

/// What is wrong with a contract.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ContractError {
    /// A value that does not have the form of its kind.
    #[error("expected {expected}, found '{found}'")]
    Form {
        /// The form.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// A range that holds nothing.
    #[error("the range {low}..{high} is empty: the first number must not be above the second")]
    Empty {
        /// The smallest.
        low: i128,
        /// The largest.
        high: i128,
    },
    /// A key that is no kind of contract.
    #[error("'{key}' of function '{function}' is no kind of contract{}", suggestion(key))]
    Key {
        /// The key.
        key: String,
        /// The function whose table it is in.
        function: String,
    },
    /// A value of the wrong type.
    #[error("'{key}' of function '{function}' must be a text or a list of texts")]
    Type {
        /// The key.
        key: String,
        /// The function whose table it is in.
        function: String,
    },
    /// A contract of a file that is wrong.
    #[error("{key} of function '{function}': {why}")]
    In {
        /// The key.
        key: String,
        /// The function whose table it is in.
        function: String,
        /// What is wrong.
        why: Box<ContractError>,
    },
    /// A table that is not about functions.
    #[error("'{0}' is not known here: contracts are in tables [function.NAME]")]
    Table(String),
    /// Not TOML.
    #[error("{0}")]
    Toml(String),
}

fn suggestion(key: &str) -> String {
    let near =
        KINDS.iter().find(|kind| kind.starts_with(key) || key.starts_with(*kind) || apart(kind, key) <= 2);
    match near {
        Some(kind) => format!(": did you mean '{kind}'?"),
        None => format!(": expected one of {}", KINDS.join(", ")),
    }
}

/// How many letters of two words do not agree, place by place and in their lengths.
fn apart(one: &str, other: &str) -> usize {
    one.chars().zip(other.chars()).filter(|(one, other)| one != other).count()
        + one.len().abs_diff(other.len())
}

impl Contracts {
    /// Reads a file of contracts.
    pub fn parse(text: &str) -> Result<Self, ContractError> {
        let document: toml::Table =
            text.parse().map_err(|error: toml::de::Error| ContractError::Toml(error.to_string()))?;
        let mut contracts = Self::default();
        for (name, value) in &document {
            let (true, Some(functions)) = (name == "function", value.as_table()) else {
                return Err(ContractError::Table(name.clone()));
            };
            for (function, table) in functions {
                let table =
                    table.as_table().ok_or_else(|| ContractError::Table(format!("function.{function}")))?;
                let facts = contracts.functions.entry(function.clone()).or_default();
                for (key, value) in table {
                    let (key, function) = (key.clone(), function.clone());
                    if !KINDS.contains(&key.as_str()) {
                        return Err(ContractError::Key { key, function });
                    }
                    let texts: Option<Vec<&str>> = match value {
                        toml::Value::String(text) => Some(vec![text]),
                        toml::Value::Array(values) => values.iter().map(toml::Value::as_str).collect(),
                        _ => None,
                    };
                    let texts = texts.ok_or_else(|| ContractError::Type {
                        key: key.clone(),
                        function: function.clone(),
                    })?;
                    for text in texts {
                        let found = facts_of(&key, text).map_err(|why| ContractError::In {
                            key: key.clone(),
                            function: function.clone(),
                            why: Box::new(why),
                        })?;
                        facts.extend(found);
                    }
                }
            }
        }
        Ok(contracts)
    }

    /// Adds a contract for the entry, as an option of the command line says it.
    pub fn add_flag(&mut self, kind: &str, text: &str) -> Result<(), ContractError> {
        self.entry.extend(facts_of(kind, text)?);
        Ok(())
    }

    /// What is said of the inputs of a function.
    pub fn of(&self, function: &str) -> Vec<Taken> {
        let named = self.functions.get(function).into_iter().flatten();
        self.entry.iter().chain(named).cloned().collect()
    }
}

/// The facts of one contract.
fn facts_of(kind: &str, text: &str) -> Result<Vec<Taken>, ContractError> {
    let said = |input: &str, what: What| Taken {
        input: input.trim().to_owned(),
        what,
        evidence: Evidence { source: Source::Contract, words: "a contract says so".to_owned(), place: None },
    };
    let form = |expected: &'static str| ContractError::Form { expected, found: text.to_owned() };
    if text.trim().is_empty() {
        return Err(form("the name of an input"));
    }
    Ok(match kind {
        "string" => vec![said(text, What::Text), said(text, What::NotNull)],
        "nonnull" => vec![said(text, What::NotNull)],
        "length" => {
            let (input, number) = text.split_once('=').ok_or_else(|| form("NAME=NUMBER, as in to=room"))?;
            let (number, unit) = match number.rsplit_once(':') {
                Some((number, "bytes")) => (number, Unit::Bytes),
                Some((number, "elements")) => (number, Unit::Elements),
                Some(_) => return Err(form("NAME=NUMBER:bytes or NAME=NUMBER:elements")),
                None => (number, Unit::Elements),
            };
            let (number, more) = plus(number.trim());
            let number = product::parse(number).ok_or_else(|| {
                form("a number of elements: an input, or a product of one or two inputs and a small number")
            })?;
            vec![said(input, What::Room { number, unit, more })]
        }
        "range" => {
            let (input, low, high) = range(text).ok_or_else(|| form("NAME=LOW..HIGH, as in n=0..100"))?;
            if low > high {
                return Err(ContractError::Empty { low, high });
            }
            vec![said(input, What::Range { low, high })]
        }
        "size" => {
            let (input, low, high) = range(text).ok_or_else(|| form("NAME=LOW..HIGH, as in frame=0..256"))?;
            let (Ok(least), Ok(most)) = (u64::try_from(low), u64::try_from(high)) else {
                return Err(form("NAME=LOW..HIGH with numbers of elements"));
            };
            if low > high {
                return Err(ContractError::Empty { low, high });
            }
            vec![said(input, What::Elements { least, most: Some(most) })]
        }
        "same" | "overlap" => {
            let (one, other) = two_names(text).ok_or_else(|| form("two names with a comma, as in a,b"))?;
            let earlier = one.trim().to_owned();
            let what = match kind {
                "same" => What::MaySame { other: earlier },
                _ => What::MayOverlap { other: earlier },
            };
            vec![said(other, what)]
        }
        "member" => {
            let (input, what) =
                member_of(text).ok_or_else(|| form("NAME=STRUCT.MEMBER, as in l=item.link"))?;
            vec![said(input, what)]
        }
        _ => return Err(ContractError::Key { key: kind.to_owned(), function: String::new() }),
    })
}

/// Two names with a comma between them that is in neither.
fn two_names(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let comma = text.bytes().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        byte == b',' && depth == 0
    })?;
    Some((&text[..comma], &text[comma + 1..]))
}

/// A pointer and what it is a member of: `l=struct item.link`.
fn member_of(text: &str) -> Option<(&str, What)> {
    let (input, member) = text.rsplit_once('=')?;
    let (whole, member) = member.split_once('.')?;
    let (whole, member) = (whole.trim(), member.trim());
    if whole.is_empty() || member.is_empty() {
        return None;
    }
    Some((input, What::MemberOf { whole: whole.to_owned(), member: member.to_owned() }))
}

impl Taken {
    /// The fact as a line of text, from which [`Taken::of_line`] makes it again. Where one option of the command line
    /// says just that, it is that option's name and value.
    pub fn line(&self) -> String {
        let input = &self.input;
        match &self.what {
            What::NotNull => format!("nonnull {input}"),
            What::Text => format!("text {input}"),
            What::Elements { least, most: Some(most) } => format!("size {input}={least}..{most}"),
            What::Elements { least, most: None } => format!("least {input}={least}"),
            What::Room { number, unit, more } => {
                let unit = match unit {
                    Unit::Elements => "",
                    Unit::Bytes => ":bytes",
                };
                match more {
                    0 => format!("length {input}={number}{unit}"),
                    more => format!("length {input}={number}{more:+}{unit}"),
                }
            }
            What::EndOf { begin } => format!("end {input}={begin}"),
            What::Range { low, high } => format!("range {input}={low}..{high}"),
            What::AtMost { number } => format!("at-most {input}={number}"),
            What::Below { number } => format!("below {input}={number}"),
            What::Enumerator => format!("enumerator {input}"),
            What::MaySame { other } => format!("same {other},{input}"),
            What::MayOverlap { other } => format!("overlap {other},{input}"),
            What::Apart { other } => format!("apart {input}={other}"),
            What::MemberOf { whole, member } => format!("member {input}={whole}.{member}"),
            What::Allocated => format!("allocated {input}"),
            What::Stream { empty: false } => format!("stream {input}"),
            What::Stream { empty: true } => format!("empty-stream {input}"),
            What::Calls { functions, unknown } => {
                let unknown = unknown.then(|| "?".to_owned());
                let all: Vec<String> = functions.iter().cloned().chain(unknown).collect();
                format!("calls {input}={}", all.join(","))
            }
        }
    }

    /// The fact that a line tells, and why it is taken.
    pub fn of_line(line: &str, evidence: Evidence) -> Result<Self, ContractError> {
        let form = |expected: &'static str| ContractError::Form { expected, found: line.to_owned() };
        let (kind, text) = line.split_once(' ').ok_or_else(|| form("a kind of fact and an input"))?;
        let pair = || text.split_once('=').ok_or_else(|| form("NAME=NAME"));
        let (input, what) = match kind {
            "text" => (text, What::Text),
            "enumerator" => (text, What::Enumerator),
            "allocated" => (text, What::Allocated),
            "stream" => (text, What::Stream { empty: false }),
            "empty-stream" => (text, What::Stream { empty: true }),
            "least" => {
                let (input, least) = pair()?;
                let least = least.parse().map_err(|_| form("NAME=NUMBER"))?;
                (input, What::Elements { least, most: None })
            }
            "end" => pair().map(|(input, begin)| (input, What::EndOf { begin: begin.to_owned() }))?,
            "apart" => pair().map(|(input, other)| (input, What::Apart { other: other.to_owned() }))?,
            "at-most" => pair().map(|(input, other)| (input, What::AtMost { number: other.to_owned() }))?,
            "below" => pair().map(|(input, other)| (input, What::Below { number: other.to_owned() }))?,
            "calls" => {
                let (input, all) = pair()?;
                let named = |name: &&str| !name.is_empty() && *name != "?";
                let functions = all.split(',').filter(named).map(str::to_owned).collect();
                (input, What::Calls { functions, unknown: all.split(',').any(|name| name == "?") })
            }
            _ => {
                let fact = facts_of(kind, text)?.into_iter().next();
                let fact = fact.ok_or_else(|| form("a fact about an input"))?;
                return Ok(Self { evidence, ..fact });
            }
        };
        Ok(Self { input: input.to_owned(), what, evidence })
    }
}

impl Source {
    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Contract, Self::Attribute, Self::Type, Self::Use, Self::Caller];
        all.into_iter().find(|each| each.name() == name)
    }
}

/// A number with a constant behind it: `n + 1`.
fn plus(text: &str) -> (&str, i64) {
    let split = text.rfind(['+', '-']).filter(|&at| at > 0 && !text[at..].starts_with("->"));
    match split.and_then(|at| Some((&text[..at], text[at..].replace(' ', "").parse().ok()?))) {
        Some((number, more)) => (number, more),
        None => (text, 0),
    }
}

fn range(text: &str) -> Option<(&str, i128, i128)> {
    let (input, range) = text.split_once('=')?;
    let (low, high) = match range.split_once("..") {
        Some((low, high)) => (low, high),
        None => (range, range),
    };
    Some((input, low.trim().parse().ok()?, high.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_facts() {
        let mut contracts = Contracts::default();
        for (kind, text) in [
            ("string", "name"),
            ("length", "to=room+1:bytes"),
            ("range", "n=-1..100"),
            ("size", "frame=0..256"),
            ("same", "a,b"),
            ("member", "l=struct item.queue.link"),
            ("length", "grid=rows*cols"),
            ("length", "hex=2 * n+1"),
        ] {
            contracts.add_flag(kind, text).unwrap();
        }
        let words: Vec<String> = contracts.of("f").iter().map(ToString::to_string).collect();
        let expected = [
            "name is a string",
            "name is not null",
            "to has room for `room + 1` bytes",
            "n is -1 to 100",
            "frame has 0 to 256 elements",
            "b may be a",
            "l is the member queue.link of a struct item",
            "grid has room for `rows * cols` elements",
            "hex has room for `2 * n + 1` elements",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn facts_survive_as_lines() {
        let room = |unit, more| What::Room { number: "v->n".to_owned(), unit, more };
        let name = || "b".to_owned();
        let calls = |functions: &[&str], unknown| What::Calls {
            functions: functions.iter().map(|&name| name.to_owned()).collect(),
            unknown,
        };
        let all = [
            What::NotNull,
            What::Text,
            What::Elements { least: 2, most: None },
            What::Elements { least: 0, most: Some(9) },
            room(Unit::Bytes, 0),
            room(Unit::Elements, 1),
            room(Unit::Bytes, -2),
            What::Room { number: "2 * v->n * *m".to_owned(), unit: Unit::Elements, more: 1 },
            What::EndOf { begin: name() },
            What::Range { low: -3, high: 7 },
            What::AtMost { number: name() },
            What::Below { number: name() },
            What::Enumerator,
            What::MaySame { other: name() },
            What::MayOverlap { other: name() },
            What::Apart { other: name() },
            What::MemberOf { whole: "struct item".to_owned(), member: "links[1].own".to_owned() },
            What::Allocated,
            What::Stream { empty: false },
            What::Stream { empty: true },
            calls(&[], true),
            calls(&["f", "g"], false),
            calls(&["f"], true),
        ];
        for what in all {
            let evidence = Evidence { source: Source::Use, words: "it is".to_owned(), place: None };
            let taken = Taken { input: "list->data".to_owned(), what, evidence: evidence.clone() };
            assert_eq!(Taken::of_line(&taken.line(), evidence), Ok(taken.clone()), "{}", taken.line());
        }
        assert!(
            Taken::of_line("nothing", Evidence { source: Source::Use, words: String::new(), place: None })
                .is_err()
        );
    }

    #[test]
    fn a_file_has_a_table_for_each_function() {
        let text = "[function.check]\nstring = \"name\"\nlength = [\"frame=length\", \"v->data=v->n\"]\n";
        let contracts = Contracts::parse(text).unwrap();
        assert_eq!((contracts.of("check").len(), contracts.of("other").len()), (4, 0));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong =
            |kind: &str, text: &str| Contracts::default().add_flag(kind, text).unwrap_err().to_string();
        assert_eq!(wrong("length", "to"), "expected NAME=NUMBER, as in to=room, found 'to'");
        assert!(wrong("range", "n=5..1").contains("is empty"));
        let message = Contracts::parse("[function.f]\nlenght = \"a=b\"\n").unwrap_err().to_string();
        assert_eq!(message, "'lenght' of function 'f' is no kind of contract: did you mean 'length'?");
        assert!(Contracts::parse("[functions.f]\n").unwrap_err().to_string().contains("[function.NAME]"));
        assert!(Contracts::parse("x = \n").unwrap_err().to_string().contains("line 1"));
    }
}
