//! Verdicts as JUnit XML: a suite for each unit, a test for each function. What makes the check fail is a failure if
//! the function differs and an error if nothing is known; what is no reason to fail and not the same either is skipped,
//! with words. There are no times in it, so that the same result gives the same bytes.

use super::model::{ChangeReport, Finding, Gate, JudgedFunction};
use crate::repository::Trouble;
use crate::repository::text::word;
use incise_markup::xml;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What a test is.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Test {
    Passed,
    Failure,
    Error,
    Skipped,
}

/// Writes the report as XML.
pub fn render(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    let mut units: BTreeMap<&str, Vec<&JudgedFunction>> = BTreeMap::new();
    for function in &report.functions {
        units.entry(&function.unit).or_default().push(function);
    }
    let mut all: Vec<Test> = report.functions.iter().map(test).collect();
    all.extend(report.not_compared.iter().map(|_| open(report)));
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"incise\" {}>", counts(&all))?;
    for (unit, functions) in units {
        let tests: Vec<Test> = functions.iter().map(|function| test(function)).collect();
        writeln!(out, "  <testsuite name=\"{}\" {}>", xml::attribute(unit), counts(&tests))?;
        for function in functions {
            case(function, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    not_compared(report, out)?;
    writeln!(out, "</testsuites>")
}

fn counts(tests: &[Test]) -> String {
    let of = |wanted: Test| tests.iter().filter(|each| **each == wanted).count();
    let (all, skipped) = (tests.len(), of(Test::Skipped));
    let (failures, errors) = (of(Test::Failure), of(Test::Error));
    format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

fn test(function: &JudgedFunction) -> Test {
    match (function.gate, function.trouble) {
        (Gate::Fails, _) => Test::Failure,
        (Gate::Open, _) => Test::Error,
        (Gate::Passes, Trouble::Same | Trouble::WithinBounds) => Test::Passed,
        (Gate::Passes, _) => Test::Skipped,
    }
}

/// What something is that was not compared.
fn open(report: &ChangeReport) -> Test {
    if report.not_compared_gate == Gate::Passes { Test::Skipped } else { Test::Error }
}

fn case(function: &JudgedFunction, out: &mut dyn Write) -> io::Result<()> {
    let (unit, name) = (xml::attribute(&function.unit), xml::attribute(&function.name));
    let start = format!(
        "    <testcase classname=\"{unit}\" name=\"{name}\" file=\"{}\"",
        xml::attribute(&function.place.file)
    );
    let said = xml::attribute(&format!("{}: {}", word(function.trouble), function.why));
    let kind = function.trouble.name();
    let element = match test(function) {
        Test::Passed => return writeln!(out, "{start}/>"),
        Test::Skipped => {
            return writeln!(out, "{start}>\n      <skipped message=\"{said}\"/>\n    </testcase>");
        }
        Test::Failure => "failure",
        Test::Error => "error",
    };
    writeln!(out, "{start}>\n      <{element} type=\"{kind}\" message=\"{said}\">")?;
    for line in lines(function) {
        writeln!(out, "{}", xml::text(&line))?;
    }
    writeln!(out, "      </{element}>\n    </testcase>")
}

/// What there is to say of a function.
fn lines(function: &JudgedFunction) -> Vec<String> {
    let verdict = std::iter::once(function.verdict.clone());
    let fixed = function.fixed.iter().map(|error| format!("fixed: {error}"));
    let notes = function.notes.iter().map(|note| format!("note: {note}"));
    verdict.chain(function.findings.iter().map(line)).chain(fixed).chain(notes).collect()
}

fn line(finding: &Finding) -> String {
    format!("{}: {}", finding.place, finding.with_remarks())
}

fn not_compared(report: &ChangeReport, out: &mut dyn Write) -> io::Result<()> {
    if report.not_compared.is_empty() {
        return Ok(());
    }
    let tests = vec![open(report); report.not_compared.len()];
    writeln!(out, "  <testsuite name=\"not compared\" {}>", counts(&tests))?;
    for each in &report.not_compared {
        let words = xml::attribute(&each.words);
        let element = match open(report) {
            Test::Error => format!("<error type=\"not-compared\" message=\"{words}\"/>"),
            _ => format!("<skipped message=\"{words}\"/>"),
        };
        writeln!(
            out,
            "    <testcase classname=\"not compared\" name=\"{words}\">\n      {element}\n    </testcase>"
        )?;
    }
    writeln!(out, "  </testsuite>")
}
