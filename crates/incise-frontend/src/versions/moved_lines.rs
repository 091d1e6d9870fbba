//! Lines that moved: the text of OLD with `#line` directives, so that every line that NEW has as well is numbered as
//! it is there.
//!
//! A comment that was added above a function changes `__LINE__` in it, and with that the arguments of `assert` and of
//! functions that log. Such a change is none of the program's. It is not enough to leave `__LINE__` out of the
//! comparison: programs return it, or branch on it, and two failures that are told apart by their lines must stay
//! apart. So OLD is taken as it would be had its lines been moved to where NEW has them: no two lines get the same
//! number, and what is not in NEW gets a number that NEW does not have.
//!
//! A directive can stand only between two tokens that belong to no call of a macro, so that lines inside of
//! parentheses, comments and continued lines are numbered along with those before them.

use incise_change::align_sequences;
use std::collections::{BTreeMap, BTreeSet};

/// Where a stretch of lines may begin.
type Choice<'c> = dyn Fn(&std::ops::Range<usize>) -> Option<usize> + 'c;

/// The text of OLD numbered as NEW is, and which of its lines have another number; `None` if there are none.
pub(crate) fn renumbered(old: &str, new: &str) -> Option<(String, BTreeSet<u64>)> {
    let (lines, others): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let numbered = |line: &&str| {
        directive(line).is_some_and(|rest| rest.starts_with(|c: char| c == 'l' || c.is_ascii_digit()))
    };
    // Generated code says itself which lines it comes from.
    if lines.iter().any(&numbered) || others.iter().any(numbered) {
        return None;
    }
    let units: Vec<std::ops::Range<usize>> = units(&lines).into_iter().map(|unit| unit.lines).collect();
    let starts = starts(&units, &counterparts(&lines, &others), others.len());
    let mut text = String::with_capacity(old.len() + 64);
    let (mut moved, mut next) = (BTreeSet::new(), 1);
    for (unit, start) in units.iter().zip(starts) {
        // What is left out by a condition of the preprocessor may hold a directive that does not count.
        let after_condition = unit.start > 0 && is_condition(lines[unit.start - 1]);
        if start != next || after_condition {
            text.push_str(&format!("#line {start}\n"));
        }
        for at in unit.clone() {
            let number = start + at - unit.start;
            if number != at + 1 {
                moved.insert(at as u64 + 1);
            }
            text.push_str(lines[at]);
            text.push('\n');
        }
        next = start + unit.len();
    }
    (!moved.is_empty()).then_some((text, moved))
}

/// What follows the `#` of a directive.
fn directive(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix('#').map(str::trim_start)
}

fn is_condition(line: &str) -> bool {
    directive(line)
        .is_some_and(|rest| rest.starts_with("if") || rest.starts_with("el") || rest.starts_with("endif"))
}

/// The line of NEW that each line of OLD is, by position: the same text, or else what stands in its place.
fn counterparts(old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let trimmed =
        |lines: &[&str]| -> Vec<String> { lines.iter().map(|line| line.trim().to_owned()).collect() };
    let (old, new) = (trimmed(old), trimmed(new));
    let (left, right): (Vec<&str>, Vec<&str>) =
        (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
    let mut found: Vec<Option<usize>> = vec![None; left.len()];
    let mut taken = vec![false; right.len()];
    for (at, to) in align_sequences(&left, &right) {
        found[at] = Some(to);
        taken[to] = true;
    }
    pair_moved(&left, &right, &mut found, &mut taken);
    // In a stretch that was rewritten, lines stand for each other in their order.
    let mut at = 0;
    while at < found.len() {
        if found[at].is_some() {
            at += 1;
            continue;
        }
        let mut to = at.checked_sub(1).and_then(|before| found[before]).map_or(0, |before| before + 1);
        while at < found.len() && found[at].is_none() {
            if taken.get(to) == Some(&false) {
                found[at] = Some(to);
                taken[to] = true;
                to += 1;
            }
            at += 1;
        }
    }
    found
}

/// Functions that moved to another place of the file: from a line that occurs once on either side, as far as the lines
/// around it are the same.
fn pair_moved(left: &[&str], right: &[&str], found: &mut [Option<usize>], taken: &mut [bool]) {
    let mut places: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, line) in left.iter().enumerate().filter(|(at, _)| found[*at].is_none()) {
        places.entry(line).or_default().0.push(at);
    }
    for (to, line) in right.iter().enumerate().filter(|(to, _)| !taken[*to]) {
        places.entry(line).or_default().1.push(to);
    }
    for (olds, news) in places.values() {
        let (&[at], &[to]) = (olds.as_slice(), news.as_slice()) else { continue };
        for backwards in [false, true] {
            let step =
                |from: usize, by: usize| if backwards { from.checked_sub(by) } else { Some(from + by) };
            for by in usize::from(backwards).. {
                let (Some(at), Some(to)) = (step(at, by), step(to, by)) else { break };
                let same = at < left.len() && to < right.len() && left[at] == right[to];
                if !same || found[at].is_some() || taken[to] {
                    break;
                }
                found[at] = Some(to);
                taken[to] = true;
            }
        }
    }
}

/// The number of the first line of each unit: no number is given twice.
fn starts(units: &[std::ops::Range<usize>], counterparts: &[Option<usize>], count: usize) -> Vec<usize> {
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    let mut starts: Vec<Option<usize>> = vec![None; units.len()];
    let first_of = |unit: &std::ops::Range<usize>, at: usize| {
        (counterparts[at]? + 1).checked_sub(at - unit.start).filter(|&start| start > 0)
    };
    // What is all the same comes first. Of the others the last line counts: that is where a macro says that it is.
    let clean = |unit: &std::ops::Range<usize>| {
        let start = first_of(unit, unit.start)?;
        unit.clone().all(|at| first_of(unit, at) == Some(start)).then_some(start)
    };
    let changed =
        |unit: &std::ops::Range<usize>| first_of(unit, unit.end - 1).or_else(|| first_of(unit, unit.start));
    let choices: [&Choice<'_>; 2] = [&clean, &changed];
    for choose in choices {
        for (unit, start) in units.iter().zip(&mut starts).filter(|(_, start)| start.is_none()) {
            let Some(chosen) = choose(unit) else { continue };
            let numbers = chosen..chosen + unit.len();
            if taken.range(numbers.clone()).next().is_none() {
                taken.extend(numbers);
                *start = Some(chosen);
            }
        }
    }
    let mut free = count.max(taken.last().copied().unwrap_or(0)) + 1;
    let fresh = |(unit, start): (&std::ops::Range<usize>, Option<usize>)| {
        start.unwrap_or_else(|| {
            free += unit.len();
            free - unit.len()
        })
    };
    units.iter().zip(starts).map(fresh).collect()
}

/// Whether a character says something: a macro that stands for nothing leaves semicolons and braces.
pub(super) fn tells(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '"')
}

/// Lines between which no directive can stand.
pub(super) struct Unit {
    pub(super) lines: std::ops::Range<usize>,
    /// Whether there is more in them than comments, directives and marks.
    pub(super) code: bool,
}

/// The units of a text, in their order.
pub(super) fn units(lines: &[&str]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut lexer = Lexer::default();
    for (at, line) in lines.iter().enumerate() {
        match units.last_mut() {
            Some(unit) if !lexer.between_tokens(line) => unit.lines.end = at + 1,
            _ => units.push(Unit { lines: at..at + 1, code: false }),
        }
        let code = lexer.line(line);
        if let Some(unit) = units.last_mut() {
            unit.code |= code;
        }
    }
    units
}

/// As much of C as it takes to know where a line begins.
#[derive(Default)]
struct Lexer {
    in_comment: bool,
    /// Whether the line before ends with a backslash.
    continued: bool,
    in_directive: bool,
    parentheses: usize,
}

impl Lexer {
    /// Whether a directive can stand before this line.
    fn between_tokens(&mut self, line: &str) -> bool {
        // Both sides of a condition may open the same parenthesis: at the end of a function none is open.
        if line.starts_with('}') && !self.in_comment && !self.continued {
            self.parentheses = 0;
        }
        !self.in_comment && !self.continued && self.parentheses == 0
    }

    /// Reads a line; whether there is code in it.
    fn line(&mut self, line: &str) -> bool {
        let mut code = false;
        if !self.continued {
            self.in_directive = !self.in_comment && directive(line).is_some();
        }
        let mut characters = line.chars().peekable();
        let mut quote = None;
        while let Some(character) = characters.next() {
            let next = characters.peek().copied();
            let opens_comment = quote.is_none() && character == '/' && matches!(next, Some('/' | '*'));
            code |= !self.in_comment && !self.in_directive && !opens_comment && tells(character);
            match (self.in_comment, quote, character) {
                (true, _, '*') if next == Some('/') => {
                    self.in_comment = false;
                    characters.next();
                }
                (true, ..) => {}
                (_, Some(_), '\\') => drop(characters.next()),
                (_, Some(open), _) if open == character => quote = None,
                (_, Some(_), _) => {}
                (_, None, '"' | '\'') => quote = Some(character),
                (_, None, '/') if next == Some('/') => break,
                (_, None, '/') if next == Some('*') => {
                    self.in_comment = true;
                    characters.next();
                }
                (_, None, '(') if !self.in_directive => self.parentheses += 1,
                (_, None, ')') if !self.in_directive => self.parentheses = self.parentheses.saturating_sub(1),
                _ => {}
            }
        }
        self.continued = line.ends_with('\\');
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the lines of a text have, as the preprocessor counts.
    fn numbers(text: &str) -> Vec<(usize, String)> {
        let mut next = 1;
        let mut numbered = Vec::new();
        for line in text.lines() {
            match line.strip_prefix("#line ") {
                Some(number) => next = number.parse().expect("a number"),
                None => {
                    numbered.push((next, line.to_owned()));
                    next += 1;
                }
            }
        }
        numbered
    }

    fn check(old: &str, new: &str, expected: &[usize]) {
        let found = renumbered(old, new).map(|(text, _)| text).unwrap_or_else(|| old.to_owned());
        let found = numbers(&found);
        let lines: Vec<&str> = found.iter().map(|(_, line)| line.as_str()).collect();
        assert_eq!(lines, old.lines().collect::<Vec<_>>(), "the text stays");
        let found: Vec<usize> = found.iter().map(|(number, _)| *number).collect();
        assert_eq!(found, expected, "{old:?} as {new:?}");
        let distinct: BTreeSet<usize> = found.iter().copied().collect();
        assert_eq!(distinct.len(), found.len(), "no number is given twice");
    }

    #[test]
    fn a_line_has_the_number_that_it_has_in_the_new_version() {
        check("a;\nb;\nc;\n", "/* new */\na;\nb;\nx;\nc;\n", &[2, 3, 5]);
        check("a;\nb;\nc;\n", "a;\nc;\n", &[1, 3, 2]);
        check("a;\nb;\nc;\n", "a;\nB;\nc;\n", &[1, 2, 3]);
        check("a;\n  b;\n", "x;\na;\n    b;\n", &[2, 3]);
        assert_eq!(renumbered("a;\nb;\n", "a;\nb;\nc;\n"), None);
    }

    #[test]
    fn two_lines_that_became_one_keep_two_numbers() {
        check("if (a) return 1;\nreturn 2;\n", "return 2;\n", &[2, 1]);
    }

    #[test]
    fn a_function_that_moved_is_numbered_where_it_is_now() {
        check("int f;\nf1;\nf2;\nint g;\ng1;\n", "int g;\ng1;\nint f;\nf1;\nf2;\n", &[3, 4, 5, 1, 2]);
    }

    #[test]
    fn no_directive_stands_inside_of_a_call_or_a_comment() {
        check("f(1,\n  2);\nb;\n", "f(1,\n  x,\n  2);\nb;\n", &[2, 3, 4]);
        check("/* a\n b */\nc;\n", "/* a\n x\n b */\nc;\n", &[2, 3, 4]);
        check("#define A \\\n  1\nc;\n", "#define A \\\n  x \\\n  1\nc;\n", &[2, 3, 4]);
        check("s = \"(\";\nb;\n", "x;\ns = \"(\";\nb;\n", &[2, 3]);
    }

    #[test]
    fn what_a_condition_leaves_out_is_numbered_all_the_same() {
        let (text, _) =
            renumbered("#if 0\na;\n#endif\nb;\n", "#if 0\nx;\na;\n#endif\nb;\n").expect("lines moved");
        assert!(text.ends_with("#endif\n#line 5\nb;\n"), "{text}");
    }

    #[test]
    fn generated_code_is_left_alone() {
        assert_eq!(renumbered("#line 3 \"a.y\"\na;\n", "b;\na;\n#line 3 \"a.y\"\n"), None);
        assert_eq!(renumbered("a;\n", "b;\n# 12 \"a.y\"\na;\n"), None);
    }
}
