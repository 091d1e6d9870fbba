//! The command line of `incise explain`, as it is typed.

use crate::arguments::values::{name_and_value, parse_integer};
use crate::arguments::{
    CompileArguments, EngineArguments, NoNativeArgument, OutputArguments, VersionArguments,
};
use clap::Args;
use incise_exec::GivenValue;
use std::path::PathBuf;

pub(crate) const EXPLAIN_HELP: &str = "\
For a test that passes on OLD and fails, or does something else, on NEW: the conditions at which the paths part, likeliest cause first. Each has a nearby
input that goes another way there; it is run natively on both versions before it is shown. Conditions for which both versions treat
the nearby input alike come first, then those that take the fewest changes to the input. Only conditions of statements that the change affects are looked at.

Inputs:
  A test is what `incise run --tests DIR` or `incise diff --tests DIR` writes: DIR/test000003, or its .json. Values on the command line are named as in reports: x,
  list->key, text[3], *p. They are numbers (42, -1, 0x2a, 1.5), characters ('a'), NULL, true, false, or a string for an array of char. What
  is not given is zero, and a pointer is null unless something is given that it leads to. Nearby inputs are what inputs are taken to be (`taken:`), as far as
  the input itself is; --inputs any takes nothing.

Examples:
  incise run old.c --entry update --tests t     write tests of OLD,
  incise explain old.c new.c --test t/test000003   then ask about one that NEW breaks
  incise explain old.c new.c --entry update --input PedalPos=-1 --input PedalCmd=1
  incise explain old.c new.c --entry parse --input 'text=\"a=1\"' --format json | jq '.causes[0]'

Exit status: 0 both do the same on the input, 1 they differ and causes are shown, 2 the run failed, 3 undecided.";

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    #[command(flatten)]
    pub(crate) versions: VersionArguments,
    /// The test, as `incise run --tests` writes it: DIR/test000003 or its .json
    #[arg(long, value_name = "TEST", required_unless_present = "input")]
    pub(crate) test: Option<PathBuf>,
    /// The value of an input (may be repeated); with --test it replaces the test's
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_input, allow_hyphen_values = true)]
    pub(crate) input: Vec<GivenInput>,
    /// The function to call [default: the test's, main, or the only function]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) entry: Option<String>,
    /// Look at all conditions, and not only at those of affected statements
    #[arg(long)]
    pub(crate) all_conditions: bool,
    #[command(flatten)]
    pub(crate) native: NoNativeArgument,
    /// Do not replay what is found; nothing else runs natively here
    #[arg(long, hide = true)]
    pub(crate) no_replay: bool,

    #[command(flatten)]
    pub(crate) engine: EngineArguments,
    #[command(flatten)]
    pub(crate) compile: CompileArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

/// A value that was given for an input, element by element.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GivenInput {
    /// The name as it was typed.
    pub(crate) name: String,
    pub(crate) elements: Vec<(String, GivenValue)>,
}

fn parse_input(text: &str) -> Result<GivenInput, String> {
    let (name, value) = name_and_value(text)?;
    let named = |elements| GivenInput { name: name.to_owned(), elements };
    if let Some(string) = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        // A string ends in a zero byte, as in C.
        let bytes = unescaped(string)?.into_iter().chain([0]).enumerate();
        let element =
            |(index, byte): (usize, u8)| (format!("{name}[{index}]"), GivenValue::Integer(i128::from(byte)));
        return Ok(named(bytes.map(element).collect()));
    }
    let value = parse_value(value).ok_or_else(|| {
        format!("{value:?} is no value; write it as 42, -1, 0x2a, 1.5, 'a', NULL, true, false or \"text\"")
    })?;
    Ok(named(vec![(name.to_owned(), value)]))
}

fn parse_value(text: &str) -> Option<GivenValue> {
    match text {
        "NULL" | "false" => return Some(GivenValue::Integer(0)),
        "true" => return Some(GivenValue::Integer(1)),
        _ => {}
    }
    if let Some(number) = parse_integer(text) {
        return Some(GivenValue::Integer(number));
    }
    // Rust reads "inf", "NaN" and their like as well, in any case.
    let digits = text.trim_start_matches('-');
    let plain = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    (plain || matches!(digits, "inf" | "nan")).then(|| text.parse().ok().map(GivenValue::Float))?
}

/// The bytes of a string with C's common escapes.
fn unescaped(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            bytes.extend(character.to_string().bytes());
            continue;
        }
        bytes.push(match characters.next() {
            Some('n') => b'\n',
            Some('t') => b'\t',
            Some('r') => b'\r',
            Some('0') => 0,
            Some(same @ ('\\' | '"' | '\'')) => same as u8,
            other => {
                let shown = other.map(String::from).unwrap_or_default();
                return Err(format!(
                    "\\{shown} is no escape of a string; there are \\n, \\t, \\r, \\0, \\\\, \\\""
                ));
            }
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_c_writes_them() {
        let cases = [
            ("x=-3", GivenValue::Integer(-3)),
            ("x = 0x10", GivenValue::Integer(16)),
            ("x='a'", GivenValue::Integer(97)),
            ("x=NULL", GivenValue::Integer(0)),
            ("x=true", GivenValue::Integer(1)),
            ("x=-1.5e3", GivenValue::Float(-1500.0)),
            ("x=inf", GivenValue::Float(f64::INFINITY)),
        ];
        for (text, value) in cases {
            assert_eq!(parse_input(text).unwrap().elements, [("x".to_owned(), value)], "{text}");
        }
        for text in ["x", "=1", "x=", "x=one", "x=Infinity", "x=\"\\q\"", "x=1.2.3"] {
            assert!(parse_input(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_string_is_its_characters_and_a_zero() {
        let GivenInput { name, elements } = parse_input("s=\"a\\n\"").unwrap();
        let numbers: Vec<_> = elements.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let integer = GivenValue::Integer;
        assert_eq!(
            (name.as_str(), numbers),
            ("s", vec![("s[0]", integer(97)), ("s[1]", integer(10)), ("s[2]", integer(0))])
        );
    }
}
