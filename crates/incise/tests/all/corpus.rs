//! Every program of `tests/corpus`: explored as its comments say, then each of its paths run natively.
//!
//! A program says in comments how it is run and what is expected:
//!
//! ```c
//! // RUN: incise run %s --entry f --array p=4
//! // EXPECT: paths=5 errors=1 complete=true exit=1
//! // ERROR: division-by-zero at 12
//! ```
//!
//! `INCISE_CORPUS=name` runs only the programs whose name contains that; without it and without `INCISE_LONG=1` every
//! sixth runs.

use crate::common::{Said, incise, root};
use incise_testing::{in_parallel, shorter};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

struct Program {
    path: PathBuf,
    arguments: Vec<String>,
    expected: Vec<(String, String)>,
    errors: BTreeSet<(String, u64)>,
}

#[test]
fn every_program_of_the_corpus_does_what_it_says_and_what_the_machine_does() {
    let programs = programs();
    assert!(
        programs.len() >= 80 || std::env::var_os("INCISE_CORPUS").is_some(),
        "only {} programs",
        programs.len()
    );
    // Most of the time goes into building and running each natively.
    let every = if std::env::var_os("INCISE_CORPUS").is_some() { 1 } else { shorter(6, 1) };
    let programs: Vec<Program> = programs.into_iter().step_by(every).collect();
    let failures = in_parallel(&programs, |program| {
        let name = program.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        check(program).map_err(|why| format!("{name}: {why}"))
    });
    assert!(
        failures.is_empty(),
        "{} of {} programs fail:\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}

fn programs() -> Vec<Program> {
    let folder = root().join("tests/corpus");
    let wanted = std::env::var("INCISE_CORPUS").unwrap_or_default();
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .filter(|path| path.to_string_lossy().contains(&wanted))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| read(path)).collect()
}

/// A file may be run more than once: each RUN line starts a new one.
fn read(path: &Path) -> Vec<Program> {
    let text = std::fs::read_to_string(path).expect("a program can be read");
    let mut programs: Vec<Program> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("// RUN:") {
            let words = command.split_whitespace().map(|word| word.replace("%s", &path.to_string_lossy()));
            let arguments: Vec<_> = words.collect();
            assert_eq!(arguments.first().map(String::as_str), Some("incise"), "{}: {line}", path.display());
            programs.push(Program {
                path: path.to_owned(),
                arguments: arguments[1..].to_vec(),
                expected: Vec::new(),
                errors: BTreeSet::new(),
            });
        }
        let Some(program) = programs.last_mut() else { continue };
        if let Some(pairs) = line.strip_prefix("// EXPECT:") {
            for pair in pairs.split_whitespace() {
                let (name, value) =
                    pair.split_once('=').unwrap_or_else(|| panic!("{}: {line}", path.display()));
                program.expected.push((name.to_owned(), value.to_owned()));
            }
        }
        if let Some((kind, at)) = line.strip_prefix("// ERROR:").and_then(|error| error.split_once(" at ")) {
            let at = at.trim().parse().unwrap_or_else(|_| panic!("{}: {line}", path.display()));
            program.errors.insert((kind.trim().to_owned(), at));
        }
    }
    assert!(!programs.is_empty(), "{} has no RUN line", path.display());
    for program in &programs {
        assert!(!program.expected.is_empty(), "{} has no EXPECT line", path.display());
    }
    programs
}

fn check(program: &Program) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tests = folder.path().join("tests");
    // Each answer of the solver chain is checked too; one that is wrong leaves the path undecided.
    let options = ["--validate", "--format", "json", "--tests"];
    // A machine that is busy with other tests must not cut anything.
    let patience = [("--max-time", "10m"), ("--solver-timeout", "2m")];
    let given = |option: &str| program.arguments.iter().any(|word| word.starts_with(option));
    let patience =
        patience.iter().filter(|(option, _)| !given(option)).flat_map(|&(option, time)| [option, time]);
    let said = Said::by(incise().args(&program.arguments).args(patience).args(options).arg(&tests));
    let document = said.json()?;
    let summary = &document["summary"];
    for (name, wanted) in &program.expected {
        let actual = match name.as_str() {
            "exit" => said.status.to_string(),
            _ => summary[name].to_string(),
        };
        if actual != *wanted {
            return Err(format!("{name} is {actual}, expected {wanted}\n{}", outline(&document)));
        }
    }
    let found = errors(&document);
    if found != program.errors {
        return Err(format!("errors are {found:?}, expected {:?}", program.errors));
    }
    replay(&tests)
}

/// Each path in a line, for a failure's message.
fn outline(document: &Value) -> String {
    let paths = document["paths"].as_array().map_or(&[][..], Vec::as_slice);
    let line = |path: &Value| {
        let reason = if path["error"].is_object() { &path["error"]["message"] } else { &path["reason"] };
        format!("    {} {} line {} {reason}", path["id"], path["outcome"], path["location"]["line"])
    };
    let mut lines: Vec<_> = paths.iter().take(30).map(line).collect();
    lines.push(format!(
        "    limits {} concretised {}",
        document["summary"]["limits"], document["summary"]["concretised"]
    ));
    lines.join("\n")
}

fn errors(document: &Value) -> BTreeSet<(String, u64)> {
    let paths = document["paths"].as_array().map_or(&[][..], Vec::as_slice);
    let of_path = |path: &Value| {
        let kind = path["error"]["kind"].as_str()?;
        Some((kind.to_owned(), path["location"]["line"].as_u64().unwrap_or(0)))
    };
    paths.iter().filter_map(of_path).collect()
}

/// Whether the machine confirmed the prediction, or there is none that it can confirm.
fn is_settled(test: &Value) -> bool {
    match test["verdict"].as_str() {
        Some("confirmed" | "indeterminate") => true,
        Some("not-checked") => {
            let inside_library =
                test["notes"][0].as_str().is_some_and(|note| note.contains("of the C library"));
            test["predicted"] == "nothing" || inside_library
        }
        _ => false,
    }
}

/// Every prediction must be confirmed by the machine.
fn replay(tests: &Path) -> Result<(), String> {
    let said = Said::by(incise().arg("replay").arg(tests).args(["--format", "json", "-j", "1"]));
    let document = said.json().map_err(|why| format!("replay: {why}"))?;
    let tests = document["tests"].as_array().ok_or("replay: no tests in the JSON")?;
    let open: Vec<_> = tests.iter().filter(|test| !is_settled(test)).take(5).collect();
    if open.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = open
        .iter()
        .map(|test| {
            format!(
                "    {} {}: predicted {}, actual {}, {}",
                test["name"], test["verdict"], test["predicted"], test["actual"], test["notes"]
            )
        })
        .collect();
    Err(format!("the replay does not confirm all:\n{}", lines.join("\n")))
}
