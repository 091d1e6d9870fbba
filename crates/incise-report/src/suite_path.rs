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
        let mut text = PathText::default();
        for step in &self.steps {
            text.push(&step.function, step.line, step.side);
        }
        f.write_str(&text.finish())
    }
}

/// Puts the text of a path together, decision by decision.
#[derive(Default)]
pub struct PathText<'a> {
    text: String,
    /// The last decision, which is in the text, and how often it was made in a row.
    last: Option<(&'a str, Option<i64>, Side)>,
    count: usize,
}

impl<'a> PathText<'a> {
    /// With room for about so many decisions.
    pub fn with_capacity(decisions: usize) -> Self {
        Self { text: String::with_capacity(16 + 6 * decisions), ..Self::default() }
    }

    /// Adds a decision: its function, the line counted from the first of the function, and the way that it goes.
    pub fn push(&mut self, function: &'a str, line: Option<i64>, side: Side) {
        let decision = Some((function, line, side));
        if self.last == decision {
            self.count += 1;
            return;
        }
        self.close();
        if self.last.is_some() {
            self.text.push(' ');
        }
        if self.last.map_or("", |(function, ..)| function) != function {
            encode(function, &mut self.text);
        }
        match line {
            Some(line) => {
                self.text.push(if line < 0 { '-' } else { '+' });
                push_number(line.unsigned_abs(), &mut self.text);
            }
            None => self.text.push('?'),
        }
        match side {
            Side::True => self.text.push('T'),
            Side::False => self.text.push('F'),
            Side::Case(number) => {
                self.text.push('=');
                push_number(number.into(), &mut self.text);
            }
        }
        (self.last, self.count) = (decision, 1);
    }

    /// All of it.
    pub fn finish(mut self) -> String {
        self.close();
        self.text
    }

    /// Says how often the last decision was made.
    fn close(&mut self) {
        if self.count > 1 {
            self.text.push('*');
            push_number(self.count as u64, &mut self.text);
        }
    }
}

fn push_number(number: u64, text: &mut String) {
    // Most lines have one to three figures.
    let mut ten = 1;
    while number / ten >= 10 {
        ten *= 10;
    }
    while ten > 0 {
        text.push((b'0' + (number / ten % 10) as u8) as char);
        ten /= 10;
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
        for each in written(text) {
            let each = each?;
            let function = match steps.last() {
                Some(before) if each.function.is_empty() => Arc::clone(&before.function),
                // Those that cannot be decoded are none.
                _ => decoded(each.function).unwrap_or_default().into(),
            };
            let step = Step { function, line: each.line, side: each.side };
            steps.extend(std::iter::repeat_n(step, each.count));
        }
        Ok(Self { steps })
    }
}

/// A decision as a text has it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Written<'a> {
    /// The function as it is written; empty if it is the one before.
    pub function: &'a str,
    /// The line, counted from the first of the function.
    pub line: Option<i64>,
    /// Which way it goes.
    pub side: Side,
    /// How often it is made in a row.
    pub count: usize,
}

/// The decisions that a text has, without what a [`DecisionPath`] takes to keep them.
pub fn written(text: &str) -> impl Iterator<Item = Result<Written<'_>, NoPath>> {
    let mut rest = text;
    let mut total = 0;
    std::iter::from_fn(move || {
        while let Some(more) = rest.strip_prefix(' ') {
            rest = more;
        }
        if rest.is_empty() {
            return None;
        }
        let (length, found) = match usual(rest.as_bytes()) {
            Some((length, start, line, side)) => {
                (length, Some(Written { function: &rest[..start], line, side, count: 1 }))
            }
            None => {
                let length = rest.find(' ').unwrap_or(rest.len());
                (length, any(&rest[..length]))
            }
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        total += found.map_or(0, |each| each.count);
        let found = found.filter(|_| total <= MOST_IN_A_ROW);
        if found.is_none() {
            // Nothing can be said of what follows.
            rest = "";
        }
        Some(found.ok_or_else(|| NoPath(word.to_owned())))
    })
}

/// The function of a name as it is written.
pub fn function_of(written: &str) -> String {
    decoded(written).unwrap_or_default()
}

/// A decision in its most usual form at the start of a text: its length, where its line begins, the line, and the side. What is read here, [`any`] reads in the same way.
fn usual(text: &[u8]) -> Option<(usize, usize, Option<i64>, Side)> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let mut at = 0;
    while is_plain(*text.get(at)?) {
        at += 1;
    }
    let start = at;
    at += 1;
    let line = match text[start] {
        b'?' => None,
        b'+' => Some(number(text, &mut at)?),
        b'-' => Some(-number(text, &mut at)?),
        _ => return None,
    };
    at += 1;
    let side = match text.get(at - 1)? {
        b'T' => Side::True,
        b'F' => Side::False,
        b'=' => Side::Case(number(text, &mut at)? as u32),
        _ => return None,
    };
    matches!(text.get(at), None | Some(b' ')).then_some((at, start, line, side))
}

/// A number of up to nine figures.
fn number(text: &[u8], at: &mut usize) -> Option<i64> {
    let start = *at;
    let mut number = 0;
    while let Some(figure @ b'0'..=b'9') = text.get(*at) {
        number = 10 * number + i64::from(figure - b'0');
        *at += 1;
        if *at - start > 9 {
            return None;
        }
    }
    (*at > start).then_some(number)
}

/// A decision in any form.
fn any(word: &str) -> Option<Written<'_>> {
    let (word, count) = match word.split_once('*') {
        Some((word, count)) => (word, count.parse().ok().filter(|&count| count > 1)?),
        None => (word, 1),
    };
    let start = word.find(['+', '-', '?'])?;
    let (function, rest) = word.split_at(start);
    decoded(function)?;
    let end = rest.find(['T', 'F', '='])?;
    let (line, side) = rest.split_at(end);
    let line = if line == "?" { None } else { Some(line.parse().ok()?) };
    let side = match side {
        "T" => Side::True,
        "F" => Side::False,
        case => Side::Case(case.strip_prefix('=')?.parse().ok()?),
    };
    Some(Written { function, line, side, count })
}

/// Adds a function's name without the characters that mean something here: names in IR may hold anything.
fn encode(name: &str, text: &mut String) {
    // Nobody is called nothing.
    if name.is_empty() {
        text.push('%');
    }
    for byte in name.bytes() {
        match byte {
            b'_' | b'.' | b'$' => text.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
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

    /// The usual form is a short way, and leads nowhere else.
    #[test]
    fn what_is_usual_is_read_as_anything_else() {
        let alphabet = ["f", "%20", "+", "-", "?", "1", "1234567890", "T", "=", "*2", " "];
        let mut usual_ones = 0;
        for number in 0..alphabet.len().pow(5) {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let text: String = (0..5).map(digit).collect();
            let word = text.split(' ').next().unwrap_or("");
            if let Some((length, start, line, side)) = usual(text.as_bytes()) {
                usual_ones += 1;
                let found = Written { function: &text[..start], line, side, count: 1 };
                assert_eq!((length, Some(found)), (word.len(), any(word)), "{text}");
            }
        }
        assert!(usual_ones > 100, "{usual_ones}");
        for number in [0, 9, 10, 99, 100, 12345, i64::MAX] {
            let mut text = String::new();
            push_number(number as u64, &mut text);
            assert_eq!(text, number.to_string());
        }
        let lines = [0, -1, i64::MAX, i64::MIN];
        let path =
            DecisionPath { steps: lines.map(|line| step_at("f", line, Side::Case(u32::MAX))).to_vec() };
        assert_eq!(path.to_string().parse(), Ok(path));
    }

    #[test]
    fn what_is_written_is_told_without_keeping_it() {
        let all: Vec<_> = written("  f%20+1T +2F*3  ?=7").collect();
        let each = |function, line, side, count| Ok(Written { function, line, side, count });
        let wanted = [
            each("f%20", Some(1), Side::True, 1),
            each("", Some(2), Side::False, 3),
            each("", None, Side::Case(7), 1),
        ];
        assert_eq!(all, wanted);
        assert_eq!(written("+1T g +1T").collect::<Vec<_>>()[1..], [Err(NoPath("g".to_owned()))]);
        assert_eq!(function_of("f%20g"), "f g");
        // However they are spread, there are too many.
        assert!("+1T*16777215 +2T".parse::<DecisionPath>().is_ok());
        assert!("+1T*16777215 +2T +3T".parse::<DecisionPath>().is_err());
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
