//! What became of the tests of a suite when the program changed, as text and as JSON (schemas `incise-suite-update/1`
//! and `incise-suite-select/1`).

use crate::style::Style;
use crate::suite::UnsolvedPath;
use crate::text::{TextOptions, counted};
use crate::verdict::TakenInput;
use crate::verdict_text::taken_words;
use crate::{Program, SharedText};
use serde_json::{Value as Json, json};
use std::io::{self, Write};

/// The name and version of the schema of an update.
pub const SUITE_UPDATE_SCHEMA: &str = "incise-suite-update/1";
/// The name and version of the schema of a selection.
pub const SUITE_SELECT_SCHEMA: &str = "incise-suite-select/1";

/// What became of the tests of a suite.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SuiteUpdate {
    /// The version that the suite was made for.
    pub old: Program,
    /// The version that it was brought over to.
    pub new: Program,
    /// Where the suite was written, as the user calls it.
    pub place: String,
    /// Whether new outcomes of changed tests were written.
    pub accepted: bool,
    /// The tests: those of the new suite in its order, then those that are not in it, in the order of the old one.
    pub tests: Vec<UpdatedTest>,
    /// The paths between tests that are still valid, in order.
    pub ranges: Vec<Range>,
    /// The paths of the new version, those included that were not executed.
    pub paths: usize,
    /// What the inputs were taken to be.
    pub taken: Vec<TakenInput>,
    /// Whether there is a test for every path: nothing was cut, unsupported, undecided or made concrete. On inputs as
    /// they were taken to be, if that leaves some out.
    pub complete: bool,
    /// The limits that cut something.
    pub limits: Vec<String>,
    /// What was made concrete.
    pub concretised: Vec<String>,
    /// Paths without a test.
    pub unsolved: Vec<UnsolvedPath>,
    /// Why everything was asked for again, if the old suite did not show what is impossible.
    pub asked_again: Option<String>,
    /// Questions put to the solver.
    pub queries: u64,
    /// Those of them that neither a model at hand nor an earlier answer decided.
    pub solved: u64,
    /// States made.
    pub states: u64,
    /// The time that the analysis and the exploration took.
    pub time_ms: f64,
}

/// One test and what became of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdatedTest {
    /// Its name.
    pub name: SharedText,
    /// Its path in the new version; `None` if it is not in the new suite.
    pub path: Option<SharedText>,
    /// What became of it.
    pub class: TestClass,
    /// Whether its path meets the change, as far as it was executed.
    pub met: bool,
    /// What it expects, or expected, in words.
    pub before: SharedText,
    /// What happens now, if that is something else.
    pub after: Option<SharedText>,
    /// Why: the test that stands for its path, or why it no longer runs.
    pub reason: Option<SharedText>,
}

/// What became of a test.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TestClass {
    /// Same inputs, same outcome: its file stays as it is.
    Kept,
    /// It still stands for a path, but the outcome is another one.
    Changed,
    /// Another test stands for its path.
    Redundant,
    /// It no longer runs.
    Obsolete,
    /// It is new.
    Added,
}

impl TestClass {
    /// All.
    pub const ALL: [Self; 5] = [Self::Kept, Self::Changed, Self::Redundant, Self::Obsolete, Self::Added];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Changed => "changed",
            Self::Redundant => "redundant",
            Self::Obsolete => "obsolete",
            Self::Added => "added",
        }
    }
}

/// Paths in a row without a test that is still valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The last valid test before them; `None` if they are the first.
    pub after: Option<SharedText>,
    /// The first valid test behind them; `None` if they are the last.
    pub before: Option<SharedText>,
    /// How many paths.
    pub paths: usize,
}

impl SuiteUpdate {
    /// Whether inputs are left out because of what they are taken to be.
    pub fn is_as_taken(&self) -> bool {
        self.taken.iter().any(|taken| taken.restricts)
    }

    /// How many tests are of a class.
    pub fn count(&self, class: TestClass) -> usize {
        self.tests.iter().filter(|test| test.class == class).count()
    }

    /// The tests that a change makes worth running again: those whose path meets it, or that no longer run.
    pub fn selected(&self) -> impl Iterator<Item = &UpdatedTest> {
        self.tests.iter().filter(|test| test.class != TestClass::Added && test.is_selected())
    }

    /// The other tests.
    pub fn unselected(&self) -> impl Iterator<Item = &UpdatedTest> {
        self.tests.iter().filter(|test| test.class != TestClass::Added && !test.is_selected())
    }

    /// The ranges of paths without a valid test, from the tests of the new suite.
    pub fn find_ranges(&mut self) {
        let mut ranges: Vec<Range> = Vec::new();
        let mut last: Option<&SharedText> = None;
        let mut open = false;
        for test in self.tests.iter().filter(|test| test.path.is_some()) {
            if test.class == TestClass::Kept {
                if open && let Some(range) = ranges.last_mut() {
                    range.before = Some(test.name.clone());
                }
                (open, last) = (false, Some(&test.name));
                continue;
            }
            if !open {
                ranges.push(Range { after: last.cloned(), before: None, paths: 0 });
                open = true;
            }
            if let Some(range) = ranges.last_mut() {
                range.paths += 1;
            }
        }
        self.ranges = ranges;
    }
}

impl UpdatedTest {
    fn is_selected(&self) -> bool {
        self.met || self.class != TestClass::Kept
    }
}

/// Writes what became of the tests, as text.
pub fn render_text(update: &SuiteUpdate, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = Style { color: options.color };
    if !options.quiet {
        for test in &update.tests {
            test_text(test, update.accepted, style, out)?;
        }
        for range in &update.ranges {
            writeln!(out, "{} {}", style.bold(&counted(range.paths, "path")), between(range))?;
        }
    }
    let counts: Vec<String> =
        TestClass::ALL.iter().map(|&class| format!("{} {}", update.count(class), class.name())).collect();
    let tests = update.tests.iter().filter(|test| test.path.is_some()).count();
    writeln!(
        out,
        "{} of {} in {}: {}",
        style.bold(&counted(tests, "test")),
        update.new.entry,
        update.place,
        counts.join(", ")
    )?;
    conclusion(update, options, style, out)
}

fn test_text(test: &UpdatedTest, accepted: bool, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let path = || match &test.path {
        Some(path) if !path.is_empty() => format!("  ({path})"),
        _ => String::new(),
    };
    match test.class {
        TestClass::Kept => Ok(()),
        TestClass::Changed => {
            writeln!(out, "{} {}{}", style.yellow("changed:"), test.name, path())?;
            writeln!(out, "  {} {}", style.bold("was"), test.before)?;
            writeln!(out, "  {} {}", style.bold("is"), test.after.as_deref().unwrap_or("something else"))?;
            match accepted {
                true => Ok(()),
                false => writeln!(out, "  the test still expects what was; --accept writes what is"),
            }
        }
        TestClass::Redundant => {
            let by = test.reason.as_deref().unwrap_or("another test");
            writeln!(out, "{} {}: {by} stands for its path", style.yellow("redundant:"), test.name)
        }
        TestClass::Obsolete => {
            let why = test.reason.as_deref().unwrap_or("it no longer runs");
            writeln!(out, "{} {}: {why}", style.yellow("obsolete:"), test.name)
        }
        TestClass::Added => {
            writeln!(out, "{} {}{}  {}", style.green("added:"), test.name, path(), test.before)
        }
    }
}

fn between(range: &Range) -> String {
    match (&range.after, &range.before) {
        (Some(after), Some(before)) => format!("between {after} and {before}, which are still valid"),
        (Some(after), None) => format!("after {after}, which is still valid"),
        (None, Some(before)) => format!("before {before}, which is still valid"),
        (None, None) => "without a test that is still valid".to_owned(),
    }
}

fn conclusion(
    update: &SuiteUpdate,
    options: TextOptions,
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    if options.quiet {
        return Ok(());
    }
    if !update.taken.is_empty() {
        writeln!(out, "  taken: {}", taken_words(&update.taken))?;
    }
    let queries =
        if update.queries == 1 { "1 query".to_owned() } else { format!("{} queries", update.queries) };
    writeln!(out, "{queries} of the solver")?;
    if let Some(why) = &update.asked_again {
        writeln!(out, "the solver was asked for every side without a test: {why}")?;
    }
    for unsolved in &update.unsolved {
        writeln!(out, "{} the path {}: {}", style.yellow("no test for"), unsolved.path, unsolved.reason)?;
    }
    if update.complete {
        let of = if update.is_as_taken() { " on inputs as taken" } else { "" };
        return writeln!(out, "{}: there is a test for every path{of}", style.green("complete"));
    }
    let mut reasons: Vec<String> = update.limits.clone();
    reasons.extend(update.concretised.iter().map(|what| format!("made concrete: {what}")));
    if reasons.is_empty() {
        reasons.push("some paths could not be followed to their end".to_owned());
    }
    writeln!(out, "{}: {}", style.yellow("not complete"), reasons.join("; "))
}

/// Writes which tests are worth running again, as text.
pub fn render_selection_text(
    update: &SuiteUpdate,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let style = Style { color: options.color };
    for test in update.selected() {
        match options.quiet {
            true => writeln!(out, "{}", test.name)?,
            false => {
                let why = match test.class {
                    TestClass::Kept => "meets the change, same outcome".to_owned(),
                    TestClass::Changed => {
                        format!(
                            "was {}, is {}",
                            test.before,
                            test.after.as_deref().unwrap_or("something else")
                        )
                    }
                    TestClass::Redundant => {
                        format!("takes the path of {} now", test.reason.as_deref().unwrap_or("another"))
                    }
                    _ => test.reason.as_deref().unwrap_or("it no longer runs").to_owned(),
                };
                writeln!(out, "{} {}: {why}", style.yellow("selected"), test.name)?;
            }
        }
    }
    if options.quiet {
        return Ok(());
    }
    let (selected, rest) = (update.selected().count(), update.unselected().count());
    let added = counted(update.count(TestClass::Added), "path");
    writeln!(
        out,
        "{} selected, {rest} need not run again; `incise suite update` would add tests for {added}",
        style.bold(&format!("{selected} of {}", counted(selected + rest, "test")))
    )
}

/// Writes what became of the tests, as JSON.
pub fn render_json(update: &SuiteUpdate, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(update))?;
    out.write_all(b"\n")
}

/// Writes which tests are worth running again, as JSON.
pub fn render_selection_json(update: &SuiteUpdate, out: &mut dyn Write) -> io::Result<()> {
    let names = |tests: &mut dyn Iterator<Item = &UpdatedTest>| -> Vec<Json> {
        tests
            .map(|test| json!({"name": test.name, "class": test.class.name(), "meets_change": test.met}))
            .collect()
    };
    let (selected, rest) = (names(&mut update.selected()), names(&mut update.unselected()));
    let document = json!({
        "schema": SUITE_SELECT_SCHEMA,
        "old": program(&update.old),
        "new": program(&update.new),
        "summary": {"tests": selected.len() + rest.len(), "selected": selected.len(), "unselected": rest.len(),
                    "added": update.count(TestClass::Added), "paths": update.paths, "queries": update.queries, "solved": update.solved,
                    "time_ms": update.time_ms},
        "complete": update.complete,
        "as_taken": update.is_as_taken(),
        "selected": selected,
        "unselected": rest,
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn program(program: &Program) -> Json {
    json!({"files": program.files, "flags": program.flags, "entry": program.entry, "hash": program.hash})
}

fn document(update: &SuiteUpdate) -> Json {
    let mut summary = serde_json::Map::new();
    let tests = update.tests.iter().filter(|test| test.path.is_some()).count();
    summary.insert("tests".to_owned(), json!(tests));
    for class in TestClass::ALL {
        summary.insert(class.name().to_owned(), json!(update.count(class)));
    }
    summary.insert("paths".to_owned(), json!(update.paths));
    summary.insert("states".to_owned(), json!(update.states));
    summary.insert("queries".to_owned(), json!(update.queries));
    summary.insert("solved".to_owned(), json!(update.solved));
    summary.insert("time_ms".to_owned(), json!(update.time_ms));
    let tests = update.tests.iter().map(|test| {
        json!({"name": test.name, "path": test.path, "class": test.class.name(), "meets_change": test.met,
               "before": test.before, "after": test.after, "reason": test.reason})
    });
    let ranges = update
        .ranges
        .iter()
        .map(|range| json!({"after": range.after, "before": range.before, "paths": range.paths}));
    json!({
        "schema": SUITE_UPDATE_SCHEMA,
        "old": program(&update.old),
        "new": program(&update.new),
        "suite": update.place,
        "accepted": update.accepted,
        "summary": summary,
        "complete": update.complete,
        "as_taken": update.is_as_taken(),
        "taken": crate::verdict_json::taken(&update.taken),
        "limits": update.limits,
        "concretised": update.concretised,
        "unsolved": update.unsolved,
        "asked_again": update.asked_again,
        "ranges": ranges.collect::<Vec<_>>(),
        "tests": tests.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lie_between_valid_tests() {
        let test = |name: &str, class| UpdatedTest {
            name: name.into(),
            path: Some(SharedText::default()),
            class,
            met: false,
            before: SharedText::default(),
            after: None,
            reason: None,
        };
        use TestClass::{Added, Changed, Kept};
        let classes = [("a", Added), ("b", Kept), ("c", Changed), ("d", Added), ("e", Kept), ("f", Changed)];
        let mut update = SuiteUpdate {
            tests: classes.map(|(name, class)| test(name, class)).to_vec(),
            ..SuiteUpdate::default()
        };
        update.find_ranges();
        let range = |after: Option<&str>, before: Option<&str>, paths| Range {
            after: after.map(SharedText::from),
            before: before.map(SharedText::from),
            paths,
        };
        let expected = [range(None, Some("b"), 1), range(Some("b"), Some("e"), 2), range(Some("e"), None, 1)];
        assert_eq!(update.ranges, expected);
        assert_eq!(document(&update)["summary"]["added"], 2);
    }
}
