//! What the renderers of JSON share: the members that several documents have, values, and where lines break.

pub(crate) mod lines;
pub(crate) mod value;

use crate::{FoundPath, LimitKind, Outcome, ProgramError, ProgramIdentity};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use value::unused_key;

/// Writes one member of a document's outermost object.
pub(crate) fn member(out: &mut dyn Write, name: &str, value: &impl Serialize, end: &str) -> io::Result<()> {
    write!(out, "  \"{name}\": ")?;
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out, "{end}")
}

/// What was explored, run or compared.
pub(crate) fn program(program: &ProgramIdentity) -> Json {
    json!({"files": program.files, "flags": program.flags, "entry": program.entry, "hash": program.hash})
}

/// The limits that cut something.
pub(crate) fn limits(limits: &[LimitKind]) -> Json {
    limits.iter().map(|limit| json!(limit.name())).collect()
}

/// A time with three digits behind the point.
pub(crate) fn rounded(time: f64) -> f64 {
    (time * 1000.0).round() / 1000.0
}

/// What is to be said of an outcome beside its name: the member's name and value.
pub(crate) fn outcome_detail(outcome: &Outcome) -> Option<(&'static str, Json)> {
    Some(match outcome {
        Outcome::Error(ProgramError { kind, message }) => {
            ("error", json!({"kind": kind.name(), "message": message}))
        }
        Outcome::Exited { status } => ("exit_status", json!(status)),
        Outcome::External { function } => {
            ("reason", json!(format!("call of {function}, which has neither a body nor a model")))
        }
        Outcome::Unsupported(reason) | Outcome::Undecided(reason) => ("reason", json!(reason)),
        Outcome::Limit(limit) => ("reason", json!(limit.name())),
        Outcome::Returned | Outcome::Discarded | Outcome::Pruned => return None,
    })
}

/// The path condition as one C expression.
pub fn condition(path: &FoundPath) -> String {
    match path.condition.as_slice() {
        [] => "1".to_owned(),
        [only] => only.text.clone(),
        several => {
            let mut text = String::with_capacity(several.iter().map(|each| each.text.len() + 6).sum());
            for (index, each) in several.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { " && " });
                match binds_weaker(&each.text) {
                    true => text.extend(["(", &each.text, ")"]),
                    false => text.push_str(&each.text),
                }
            }
            text
        }
    }
}

/// Operators that bind weaker than `&&` need parentheses.
fn binds_weaker(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Each of them has one of these characters in it, which are seldom.
    let mut places = bytes.iter().enumerate().filter(|(_, byte)| matches!(byte, b'|' | b'?' | b'='));
    places.any(|(at, byte)| match byte {
        b'|' => bytes.get(at + 1) == Some(&b'|'),
        b'?' => true,
        _ => at > 0 && bytes[at - 1] == b' ' && bytes.get(at + 1) == Some(&b' '),
    })
}

pub(crate) fn input_values(inputs: &[crate::Input]) -> Json {
    let mut object = Map::new();
    for input in inputs {
        object.insert(unused_key(&object, input.name.clone()), value::value(&input.value));
    }
    Json::Object(object)
}

/// What the entry returned, or the status that the program exited with.
pub(crate) fn result(path: &FoundPath) -> Json {
    match (&path.result, &path.outcome) {
        (Some(result), _) => value::value(&result.value),
        (None, Outcome::Exited { status }) => json!(status),
        (None, _) => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Constraint;

    #[test]
    fn what_binds_weaker_is_in_parentheses() {
        let path = |texts: &[&str]| FoundPath {
            condition: texts.iter().map(|&text| Constraint { text: text.to_owned(), place: None }).collect(),
            ..FoundPath::default()
        };
        assert_eq!(condition(&path(&[])), "1");
        assert_eq!(condition(&path(&["a || b"])), "a || b");
        let plain = ["a | b", "a == b", "a <= b", "a=b", "=", " =", "= ", "a && b", "a |", "|"];
        let weak = ["a || b", "a ? b : c", "a = b", "||"];
        for text in plain {
            assert_eq!(condition(&path(&[text, "c"])), format!("{text} && c"));
        }
        for text in weak {
            assert_eq!(condition(&path(&["c", text, "d"])), format!("c && ({text}) && d"));
        }
    }
}
