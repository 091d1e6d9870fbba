//! R2U2's map of signals: which place of the monitor's input each signal of a specification is read from.
//!
//! C2PO takes it as a map file with lines `SYMBOL : NUMBER`, or as the header of a trace, `# a, b, c`. A program puts
//! values into these places by number, with `r2u2_load_int_signal(&monitor, 2, pressure)` and its like: the argument
//! says which variable a signal stands for.

use crate::map::MapError;
use std::collections::BTreeMap;

/// What the functions that give a signal its value begin and end with.
const LOADER: (&str, &str) = ("r2u2_load_", "_signal");

/// The places of signals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signals {
    /// By the name of the signal; an element of an array is called `name[2]`.
    pub places: BTreeMap<String, u64>,
}

impl Signals {
    /// Reads a map of signals, or the header of a trace.
    pub fn parse(text: &str) -> Result<Self, MapError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut signals = Self::default();
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).peekable();
        if let Some((line, header)) =
            lines.peek().and_then(|(line, text)| Some((*line, text.strip_prefix('#')?)))
        {
            for (place, name) in (0..).zip(header.split(',')) {
                signals.add(line, name.trim(), place)?;
            }
            return Ok(signals);
        }
        for (line, text) in lines {
            signals.entry(line, text)?;
        }
        match signals.places.is_empty() {
            false => Ok(signals),
            true => Err(MapError {
                line: None,
                message: "expected lines `SYMBOL : NUMBER`, found none".to_owned(),
            }),
        }
    }

    /// `name : number`, or `name[0..2] : number` for the elements of an array one after the other.
    fn entry(&mut self, line: u32, text: &str) -> Result<(), MapError> {
        let parsed = text.rsplit_once(':').map(|(name, place)| (name.trim(), place.trim().parse::<u64>()));
        let Some((name, Ok(place))) = parsed else {
            let message =
                format!("expected `SYMBOL : NUMBER`, or a header `# a, b, c`, found `{}`", text.trim());
            return Err(MapError { line: Some(line), message });
        };
        let range = name.strip_suffix(']').and_then(|name| name.split_once('['));
        let range = range.and_then(|(name, range)| Some((name.trim(), range.split_once("..")?)));
        let Some((name, (first, last))) = range else { return self.add(line, name, place) };
        match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
            (Ok(first), Ok(last)) if first <= last && last - first < 65_536 => {
                for index in first..=last {
                    let place = place.saturating_add(index - first);
                    self.add(line, &format!("{name}[{index}]"), place)?;
                }
                Ok(())
            }
            _ => {
                let message =
                    format!("expected a range such as `[0..2]` behind `{name}`, found `[{first}..{last}]`");
                Err(MapError { line: Some(line), message })
            }
        }
    }

    fn add(&mut self, line: u32, name: &str, place: u64) -> Result<(), MapError> {
        let error = |message: String| Err(MapError { line: Some(line), message });
        if name.is_empty() || !name.chars().all(|each| each.is_alphanumeric() || "_.[]".contains(each)) {
            return error(format!("expected the name of a signal, found `{name}`"));
        }
        if let Some((other, _)) = self.places.iter().find(|(_, known)| **known == place) {
            return error(format!(
                "`{other}` and `{name}` have the same place {place}; expected one signal for each"
            ));
        }
        match self.places.insert(name.to_owned(), place) {
            None => Ok(()),
            Some(before) => error(format!("`{name}` has the places {before} and {place}; expected one")),
        }
    }
}

/// Whether a function gives a signal its value.
pub fn loads_signal(function: &str) -> bool {
    let (start, end) = LOADER;
    function.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
}

/// The value that a call in C gives a signal, as it is written there without casts: the third argument. `None` if the
/// text does not begin with such a call.
pub fn loaded_value(text: &str) -> Option<String> {
    let open = text.find('(')?;
    if !loads_signal(text[..open].trim()) {
        return None;
    }
    let (mut depth, mut argument, mut start) = (0_u32, 0, open + 1);
    for (at, each) in text.char_indices().skip_while(|(at, _)| *at <= open) {
        match each {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 && argument == 2 => return Some(without_casts(&text[start..at])),
            ')' | ']' | '}' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => (argument, start) = (argument + 1, at + 1),
            // Comments, texts and preprocessor lines are not looked into.
            '"' | '\'' | '#' | ';' => return None,
            _ => {}
        }
    }
    None
}

/// An expression without the casts that it begins with, blanks as one.
fn without_casts(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = words.as_str();
    while let Some((inner, behind)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let is_type = inner.chars().all(|each| each.is_alphanumeric() || "_ *".contains(each));
        let casts =
            behind.trim_start().starts_with(|each: char| each.is_alphanumeric() || "_(*".contains(each));
        if !is_type || !casts {
            break;
        }
        rest = behind.trim_start();
    }
    // Parentheses around the whole say nothing.
    while let Some(inner) = rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
        && !inner.contains(['(', ')'])
    {
        rest = inner.trim();
    }
    rest.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_and_headers_are_read() {
        let places =
            |text: &str| Signals::parse(text).map(|signals| signals.places.into_iter().collect::<Vec<_>>());
        let named =
            |pairs: &[(&str, u64)]| pairs.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect();
        assert_eq!(places("a:0\n\n b : 12\r\n"), Ok(named(&[("a", 0), ("b", 12)])));
        assert_eq!(places("arr[0..2]:3"), Ok(named(&[("arr[0]", 3), ("arr[1]", 4), ("arr[2]", 5)])));
        assert_eq!(places("# x, y\n0,1\n"), Ok(named(&[("x", 0), ("y", 1)])));
        for wrong in [
            "",
            "a",
            "a: b",
            "a:0\na:1",
            "a:0\nb:0",
            "a[2..1]:0",
            "a[0..x]:0",
            ":3",
            "# a,,b",
            "#include <a.h>",
            "a[0..9999999]:1",
        ] {
            assert!(places(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_call_loads_is_read_from_its_text() {
        let value = |text: &str| loaded_value(text).unwrap_or_default();
        assert_eq!(
            value("r2u2_load_int_signal(&monitor, 2, (int32_t) (r2u2_port_level)); // x"),
            "r2u2_port_level"
        );
        assert_eq!(value("r2u2_load_bool_signal(\n    &m.monitor, F(1, 2),\n    brake.open)"), "brake.open");
        assert_eq!(value("r2u2_load_float_signal(m, 0, (r2u2_float)a[i] - (b))"), "a[i] - (b)");
        assert_eq!(value("r2u2_load_int_signal(m, 0, (a) + b)"), "(a) + b");
        assert_eq!(value("LOAD(m, 0, a)"), "");
        assert_eq!(value("r2u2_load_int_signal(m, 0"), "");
    }
}
