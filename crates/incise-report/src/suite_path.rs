//! A path of a program as a short text: the decisions that it makes, in order.
//!
//! `mid+1T +2F` is: in `mid`, one line below its first, the condition holds; on the next line it does not. Lines are counted from where the function begins, so that the text
//! stays the same when code is moved or changed elsewhere. A function is named only where it is another one than before. `*4` behind a step stands for four of
//! it in a row. `=2` is the third of several alternatives: of a switch, or of what a pointer may point to.

use std::fmt;
use std::sync::Arc;

/// A path: its decisions in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecisionPath {
    /// The decisions.
    pub steps: Vec<Step>,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The function that makes it; empty if that is not known.
    pub function: Arc<str>,
    /// Its line, counted from the first of the function; `None` without debug information.
    pub line: Option<i64>,
    /// Which way it goes.
    pub side: Side,
}

/// Which way a decision goes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// The condition holds.
    True,
    /// It does not.
    False,
    /// One of several alternatives, from 0.
    Case(u32),
}

impl Side {
    /// The side of a condition that a choice of the engine stands for.
    pub fn of_condition(choice: u32) -> Self {
        if choice == 0 { Self::True } else { Self::False }
    }

    /// The choice of the engine: 0 is the true side, or the first alternative.
    pub fn choice(self) -> u32 {
        match self {
            Self::True => 0,
            Self::False => 1,
            Self::Case(number) => number,
        }
    }
}

impl DecisionPath {
    /// The choices of the engine, which tell one path of a program from another.
    pub fn choices(&self) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().map(|step| step.side.choice())
    }
}

impl fmt::Display for DecisionPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut function = "";
        let mut rest = self.steps.as_slice();
        while let Some(step) = rest.first() {
            if rest.len() < self.steps.len() {
                f.write_str(" ")?;
            }
            if *step.function != *function {
                function = &step.function;
                f.write_str(&encoded(function))?;
            }
            match step.line {
                Some(line) => write!(f, "{line:+}")?,
                None => f.write_str("?")?,
            }
            match step.side {
                Side::True => f.write_str("T")?,
                Side::False => f.write_str("F")?,
                Side::Case(number) => write!(f, "={number}")?,
            }
            let count = rest.iter().take_while(|each| *each == step).count();
            if count > 1 {
                write!(f, "*{count}")?;
            }
            rest = &rest[count..];
        }
        Ok(())
    }
}

/// Why a text is no path.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no decision")]
pub struct NoPath(pub String);

/// More decisions in a row than any path has: a text that says so was not written by us.
const MOST_IN_A_ROW: usize = 1 << 24;

impl std::str::FromStr for DecisionPath {
    type Err = NoPath;

    fn from_str(text: &str) -> Result<Self, NoPath> {
        let mut steps: Vec<Step> = Vec::new();
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let before = steps.last().map(|step: &Step| &step.function);
            let (step, count) = step(word, before).ok_or_else(|| NoPath(word.to_owned()))?;
            if steps.len() + count > MOST_IN_A_ROW {
                return Err(NoPath(word.to_owned()));
            }
            steps.extend(std::iter::repeat_n(step, count));
        }
        Ok(Self { steps })
    }
}

fn step(word: &str, before: Option<&Arc<str>>) -> Option<(Step, usize)> {
    let (word, count) = match word.split_once('*') {
        Some((word, count)) => (word, count.parse().ok().filter(|&count| count > 1)?),
        None => (word, 1),
    };
    let start = word.find(['+', '-', '?'])?;
    let (function, rest) = word.split_at(start);
    let function = match before {
        Some(before) if function.is_empty() => Arc::clone(before),
        None if function.is_empty() => Arc::default(),
        _ => decoded(function)?.into(),
    };
    let end = rest.find(['T', 'F', '='])?;
    let (line, side) = rest.split_at(end);
    let line = if line == "?" { None } else { Some(line.parse().ok()?) };
    let side = match side {
        "T" => Side::True,
        "F" => Side::False,
        case => Side::Case(case.strip_prefix('=')?.parse().ok()?),
    };
    Some((Step { function, line, side }, count))
}

/// A function's name without the characters that mean something here: names in IR may hold anything.
fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'_' | b'.' | b'$' => text.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
    // Nobody is called nothing.
    if text.is_empty() { "%".to_owned() } else { text }
}

fn decoded(text: &str) -> Option<String> {
    if text == "%" {
        return Some(String::new());
    }
    let mut bytes = Vec::new();
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next()?.as_bytes());
    for part in parts {
        let digits = part.get(..2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step_at(function: &str, line: i64, side: Side) -> Step {
        Step { function: function.into(), line: Some(line), side }
    }

    #[test]
    fn paths_survive_both_ways() {
        let steps = vec![
            step_at("mid", 1, Side::True),
            step_at("mid", 2, Side::False),
            step_at("next one", 12, Side::Case(2)),
            step_at("mid", 2, Side::False),
            step_at("mid", 2, Side::False),
            step_at("mid", -3, Side::True),
            Step { function: Arc::default(), line: None, side: Side::True },
        ];
        let path = DecisionPath { steps };
        let text = "mid+1T +2F next%20one+12=2 mid+2F*2 -3T %?T";
        assert_eq!(path.to_string(), text);
        assert_eq!(text.parse(), Ok(path.clone()));
        assert_eq!(path.choices().collect::<Vec<_>>(), [0, 1, 2, 1, 1, 0, 0]);
        assert_eq!("".parse(), Ok(DecisionPath::default()));
        assert_eq!(DecisionPath::default().to_string(), "");
        // A path whose place nobody knows at all.
        let unknown =
            DecisionPath { steps: vec![Step { function: Arc::default(), line: None, side: Side::False }] };
        assert_eq!(unknown.to_string(), "?F");
        assert_eq!("?F".parse(), Ok(unknown));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "mid",
            "mid+1",
            "+1X",
            "mid+xT",
            "+1T*1",
            "+1T*0",
            "+1T*99999999999",
            "+1=",
            "a%2+1T",
            "+1T\u{e9}",
        ] {
            assert_eq!(text.parse::<DecisionPath>(), Err(NoPath(text.to_owned())), "{text}");
        }
    }
}
