//! An update of a suite as text for people: each test that is no longer as it was, then the counts.

use crate::LimitKind;
use crate::suite::update::{Range, SuiteUpdate, TestClass, UpdatedTest};
use crate::text::{Advice, Style, TextOptions, counted};
use crate::verdict::text::taken_words;
use std::io::{self, Write};

/// Writes what became of the tests, as text.
pub fn render(update: &SuiteUpdate, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
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
                false => {
                    let words = style.advice(Advice::AcceptOutcomes);
                    let words = words.map_or_else(String::new, |words| format!("; {words}"));
                    writeln!(out, "  the test still expects what was{words}")
                }
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
    let mut reasons: Vec<String> = update.limits.iter().map(LimitKind::to_string).collect();
    reasons.extend(update.concretised.iter().map(|what| format!("made concrete: {what}")));
    if reasons.is_empty() {
        reasons.push("some paths could not be followed to their end".to_owned());
    }
    writeln!(out, "{}: {}", style.yellow("not complete"), reasons.join("; "))
}

/// Writes which tests are worth running again, as text.
pub fn render_selection(update: &SuiteUpdate, options: TextOptions, out: &mut dyn Write) -> io::Result<()> {
    let style = options.style();
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
        "{} selected, {rest} need not run again; {} would add tests for {added}",
        style.bold(&format!("{selected} of {}", counted(selected + rest, "test"))),
        style.advice(Advice::SuiteUpdate).unwrap_or("an update")
    )
}
