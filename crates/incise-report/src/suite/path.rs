//! A path of a program as a short text: the decisions that it makes, in order.
//!
//! `mid+1T +2F` is: in `mid`, one line below its first, the condition holds; on the next line it does not. Lines are
//! counted from where the function begins, so that the text stays the same when code is moved or changed elsewhere. A
//! function is named only where it is another one than before. `*4` behind a step stands for four of it in a row. `=2`
//! is the third of several alternatives: of a switch, or of what a pointer may point to.

use std::fmt;
use std::sync::Arc;

/// A path: its decisions in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DecisionPath {
    /// The decisions.
    pub steps: Vec<PathStep>,
}

/// One decision.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
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
            text.push(encoded(&step.function), step.line, step.side, 1);
        }
        f.write_str(&text.text())
    }
}

/// Puts the texts of paths together, decision by decision. A path often begins as another: it can be gone back to where
/// they part. Functions are as [`encoded`] has them.
pub struct PathText<F> {
    /// All but how often the last decision is made in a row.
    text: String,
    decisions: Vec<Put<F>>,
}

/// What was put down.
struct Put<F> {
    function: F,
    line: Option<i64>,
    side: Side,
    /// How often it was made in a row until then.
    count: usize,
    /// The length of the text.
    length: usize,
}

impl<F> Default for PathText<F> {
    fn default() -> Self {
        Self { text: String::new(), decisions: Vec::new() }
    }
}

impl<F: AsRef<str>> PathText<F> {
    /// Adds a decision that is made so many times in a row: its function, the line counted from the first of the
    /// function, and the way that it goes.
    pub fn push(&mut self, function: F, line: Option<i64>, side: Side, count: usize) {
        let last = self.decisions.last();
        let known = last.map_or(NOBODY, |last| last.function.as_ref());
        let same_function = known == function.as_ref();
        if let Some(last) = last
            && same_function
            && (last.line, last.side) == (line, side)
        {
            let (count, length) = (last.count + count, last.length);
            self.decisions.push(Put { function, line, side, count, length });
            return;
        }
        if let Some(last) = last {
            push_count(last.count, &mut self.text);
            self.text.push(' ');
        }
        if !same_function {
            self.text.push_str(function.as_ref());
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
        let length = self.text.len();
        self.decisions.push(Put { function, line, side, count, length });
    }

    /// Goes back to where so many were added.
    pub fn truncate(&mut self, pushed: usize) {
        self.decisions.truncate(pushed);
        self.text.truncate(self.decisions.last().map_or(0, |last| last.length));
    }

    /// The text.
    pub fn text(&self) -> String {
        // Room for how often the last one is made.
        let mut text = String::with_capacity(self.text.len() + 9);
        self.write(&mut text);
        text
    }

    /// Adds the text to another.
    pub fn write(&self, text: &mut String) {
        text.push_str(&self.text);
        push_count(self.decisions.last().map_or(1, |last| last.count), text);
    }
}

fn push_count(count: usize, text: &mut String) {
    if count > 1 {
        text.push('*');
        push_number(count as u64, text);
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
        let mut steps: Vec<PathStep> = Vec::new();
        for each in written(text) {
            let each = each?;
            let function = match steps.last() {
                Some(before) if each.function.is_empty() => Arc::clone(&before.function),
                // Those that cannot be decoded are none.
                _ => decoded(each.function).unwrap_or_default().into(),
            };
            let step = PathStep { function, line: each.line, side: each.side };
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
pub fn written(text: &str) -> WrittenPath<'_> {
    WrittenPath { rest: text, total: 0 }
}

/// The decisions of a text, one after the other.
pub struct WrittenPath<'a> {
    rest: &'a str,
    total: usize,
}

impl<'a> WrittenPath<'a> {
    /// What comes behind the last decision.
    pub fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for WrittenPath<'a> {
    type Item = Result<Written<'a>, NoPath>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(more) = self.rest.strip_prefix(' ') {
            self.rest = more;
        }
        if self.rest.is_empty() {
            return None;
        }
        let rest = self.rest;
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
        self.rest = after;
        self.total += found.map_or(0, |each| each.count);
        let found = found.filter(|_| self.total <= MOST_IN_A_ROW);
        if found.is_none() {
            // Nothing can be said of what follows.
            self.rest = "";
        }
        Some(found.ok_or_else(|| NoPath(word.to_owned())))
    }
}

/// Finds out whether texts are paths, one after the other. They are in the order of a search: what a path begins with
/// was mostly seen in the one before.
#[derive(Default)]
pub struct PathCheck<'a> {
    before: &'a str,
    /// At least as many decisions as the one before has.
    decisions: usize,
}

impl<'a> PathCheck<'a> {
    /// Whether a text is a path; if not, why.
    pub fn check(&mut self, text: &'a str) -> Result<(), NoPath> {
        let mut steps = written(&text[shared_words(self.before, text)..]);
        let decisions = steps.try_fold(self.decisions, |sum, step| Ok(sum + step?.count))?;
        self.decisions = match decisions <= MOST_IN_A_ROW {
            true => decisions,
            // That may be too many, but not all of them need to be in this one.
            false => written(text).try_fold(0, |sum, step| Ok(sum + step?.count))?,
        };
        self.before = text;
        Ok(())
    }
}

/// The length of the decisions that two texts begin with. What follows in both begins with a space.
pub fn shared_words(one: &str, other: &str) -> usize {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let words = one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0);
    let start = 8 * words.take_while(|(one, other)| one == other).count();
    let more = one[start..].iter().zip(&other[start..]).take_while(|(one, other)| one == other).count();
    one[..start + more].iter().rposition(|&byte| byte == b' ').unwrap_or(0)
}

/// The function of a name as it is written.
pub fn function_of(written: &str) -> String {
    decoded(written).unwrap_or_default()
}

/// A decision in its most usual form at the start of a text: its length, where its line begins, the line, and the side.
/// What is read here, [`any`] reads in the same way.
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

/// A function's name without the characters that mean something here: names in IR may hold anything.
pub fn encoded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for byte in name.bytes() {
        match byte {
            b'_' | b'.' | b'$' => text.push(byte as char),
            _ if byte.is_ascii_alphanumeric() => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
    if text.is_empty() { NOBODY.to_owned() } else { text }
}

/// How a function without a name is written. A path begins there.
pub const NOBODY: &str = "%";

fn decoded(text: &str) -> Option<String> {
    if text == NOBODY {
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

    fn step_at(function: &str, line: i64, side: Side) -> PathStep {
        PathStep { function: function.into(), line: Some(line), side }
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
            PathStep { function: Arc::default(), line: None, side: Side::True },
        ];
        let path = DecisionPath { steps };
        let text = "mid+1T +2F next%20one+12=2 mid+2F*2 -3T %?T";
        assert_eq!(path.to_string(), text);
        assert_eq!(text.parse(), Ok(path.clone()));
        assert_eq!(path.choices().collect::<Vec<_>>(), [0, 1, 2, 1, 1, 0, 0]);
        assert_eq!("".parse(), Ok(DecisionPath::default()));
        assert_eq!(DecisionPath::default().to_string(), "");
        // A path whose place nobody knows at all.
        let unknown = DecisionPath {
            steps: vec![PathStep { function: Arc::default(), line: None, side: Side::False }],
        };
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
        assert!(written("+1T*16777215 +2T").all(|step| step.is_ok()));
        assert_eq!(written("+1T*16777215 +2T +3T").last(), Some(Err(NoPath("+3T".to_owned()))));
    }

    #[test]
    fn texts_are_put_together_from_where_they_part() {
        let [f, g, nobody] = ["f", "g", NOBODY];
        let sides = [Side::True, Side::False, Side::Case(12)];
        let all: Vec<_> = [(nobody, None), (f, Some(1)), (f, Some(-20)), (g, Some(1))]
            .into_iter()
            .flat_map(|(function, line)| sides.map(|side| (function, line, side)))
            .collect();
        // Any decisions, some of them in a row.
        let mut state = 1_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (state >> 16) as usize % below
        };
        let mut text = PathText::default();
        let mut path: Vec<(&str, Option<i64>, Side)> = Vec::new();
        let mut pushed: Vec<usize> = Vec::new();
        for _ in 0..2000 {
            let keep = next(pushed.len() + 1);
            pushed.truncate(keep);
            text.truncate(keep);
            path.truncate(pushed.last().copied().unwrap_or(0));
            for _ in 0..next(6) {
                let (one, count) = (all[next(all.len())], 1 + next(3) / 2);
                path.extend(std::iter::repeat_n(one, count));
                pushed.push(path.len());
                text.push(one.0, one.1, one.2, count);
            }
            let steps = path.iter().map(|&(function, line, side)| PathStep {
                function: function_of(function).into(),
                line,
                side,
            });
            let wanted = DecisionPath { steps: steps.collect() };
            assert_eq!(text.text().parse(), Ok(wanted.clone()));
            assert_eq!(text.text(), wanted.to_string());
        }
    }

    #[test]
    fn paths_are_checked_one_after_the_other() {
        for (one, other, shared) in [
            ("", "", 0),
            ("f+1T", "f+1T", 0),
            ("f+1T +2T", "f+1T +2T", 4),
            ("f+1T +2T", "f+1T +2F", 4),
            ("f+1T +2T +3T +4T", "f+1T +2T +3T +4T +5T", 12),
            ("f+1T +2T +3T +4T", "f+1T +2T", 4),
            ("f+1T +2T ", "f+1T +2T x", 8),
            ("g+1T", "f+1T", 0),
        ] {
            assert_eq!(shared_words(one, other), shared, "{one} {other}");
            assert_eq!(shared_words(other, one), shared, "{one} {other}");
        }
        let mut check = PathCheck::default();
        let texts = [
            "f+1T +2T",
            "f+1T +2T +3T",
            "f+1T +2T +3X",
            "f+1T +2T*16777214",
            "f+1T +2T*16777214 +3T",
            "f+1T +2T*16777214 +3T +4T",
            "f+1T +2",
        ];
        for text in texts.into_iter().chain(texts).chain(texts.into_iter().rev()) {
            let wanted = written(text).try_for_each(|step| step.map(|_| ()));
            assert_eq!(check.check(text), wanted, "{text}");
        }
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
