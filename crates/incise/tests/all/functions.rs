//! Functions in the style of real libraries: with default options a harmless change is found to be harmless on inputs
//! that are large enough, and a harmful one is found with a natural input.
//!
//! A function is a folder of `tests/functions`: `base.c`, `harmless.c`, `harmful.c`, and `inputs.c`, whose first lines
//! say what the inputs are. `scripts/function_labels.py` checks these labels natively. `INCISE_FUNCTIONS=name` looks
//! only at the functions whose name contains that.

use crate::common::{Said, incise, root};
use incise_testing::{in_parallel, shorter};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// An input that was cut must have had at least so many elements.
const LEAST_ELEMENTS: u64 = 16;
/// A data structure that was cut must have been followed at least so many steps.
const LEAST_STEPS: usize = 4;

/// A function and what is known of its inputs.
struct Function {
    name: String,
    folder: PathBuf,
    /// What the inputs are, in the words of the label.
    facts: Vec<Fact>,
}

/// A fact about an input that is easily checked in a document; others are not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Fact {
    NotNull(String),
    Text(String),
    Room(String, String),
    EndOf(String, String),
}

impl Fact {
    fn parse(words: &str) -> Option<Self> {
        let (input, rest) = words.split_once(' ')?;
        let input = input.to_owned();
        if rest == "is not null" {
            return Some(Self::NotNull(input));
        }
        if rest == "is a string" {
            return Some(Self::Text(input));
        }
        if let Some(begin) = rest.strip_prefix("is the end of ") {
            return Some(Self::EndOf(input, begin.to_owned()));
        }
        let number = rest.strip_prefix("has room for `")?.split_once('`')?.0;
        let plain = number.chars().all(|c| c.is_alphanumeric() || c == '_');
        plain.then(|| Self::Room(input, number.to_owned()))
    }

    /// What is wrong with the inputs of a witness, if this fact must hold.
    fn violated(&self, inputs: &Value) -> Option<String> {
        match self {
            Self::NotNull(input) => inputs.get(input)?.is_null().then(|| format!("{input} is null")),
            Self::Text(input) => match (inputs.get(input), content(inputs, input)) {
                (Some(Value::Null), _) => Some(format!("{input} is null")),
                (_, Some(bytes)) if !bytes.contains(&0) => Some(format!("{input} does not end")),
                _ => None,
            },
            Self::Room(input, number) => {
                let number = inputs.get(number)?;
                let wanted = number.as_u64().or_else(|| number.as_str()?.parse().ok())?;
                let length = match inputs.get(input)? {
                    Value::Null => 0,
                    _ => content(inputs, input)?.len() as u64,
                };
                (length < wanted).then(|| format!("{input} has {length} elements, and not {wanted}"))
            }
            Self::EndOf(input, begin) => {
                let (one, other) = (inputs.get(input)?, inputs.get(begin)?);
                (one.is_null() != other.is_null()).then(|| format!("{input} or {begin} is null, not both"))
            }
        }
    }
}

/// The elements that a pointer input leads to, as far as it matters whether they are zero.
fn content(inputs: &Value, pointer: &str) -> Option<Vec<u64>> {
    match inputs.get(format!("*{pointer}"))? {
        Value::String(text) => Some(text.chars().map(u64::from).collect()),
        Value::Array(elements) => {
            Some(elements.iter().map(|element| element.as_i64().map_or(1, i64::unsigned_abs)).collect())
        }
        Value::Number(number) => Some(vec![number.as_i64().map_or(1, i64::unsigned_abs)]),
        _ => None,
    }
}

impl Function {
    fn read(folder: PathBuf) -> Self {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join("inputs.c")).expect("a label can be read");
        let label: BTreeMap<&str, &str> = text
            .lines()
            .map_while(|line| line.strip_prefix("// "))
            .filter_map(|line| line.split_once(": "))
            .collect();
        for key in ["entry", "harmless", "harmful", "taken"] {
            assert!(label.contains_key(key), "{name}: there is no {key}");
        }
        let facts = label["taken"].split("; ").filter_map(Fact::parse).collect();
        Self { name, folder, facts }
    }

    /// Compares the base version with another one as a user would.
    fn compare(&self, version: Version) -> Result<Value, String> {
        let mut command = incise();
        command.arg("diff").arg(self.folder.join("base.c")).arg(self.folder.join(version.file()));
        let said = Said::by(command.args(["--verdict-only", "--format", "json"]));
        match said.status {
            2 => Err(format!("it fails: {}", said.stderr)),
            _ => said.json(),
        }
    }

    /// The verdict, and whether it is what it should be.
    fn judge(&self, version: Version, document: &Value) -> (String, Result<(), String>) {
        let verdict = document["verdict"].as_str().unwrap_or("none").to_owned();
        let judged = match (version, verdict.as_str()) {
            (Version::Harmless, "same") => Self::met(document),
            (Version::Harmless, "same-within-bounds") => {
                Self::met(document).and_then(|()| large_enough(document))
            }
            (Version::Harmful, "differs") => self.natural(document),
            (_, "undecided") => Err("undecided".to_owned()),
            (Version::Harmless, _) => Err("a FALSE ALARM".to_owned()),
            (Version::Harmful, _) => Err("FALSE COMFORT".to_owned()),
        };
        (verdict, judged.map_err(|why| format!("{why}; {}", summary(document))))
    }

    /// The change was met in what was compared: the function, or a helper of it that is all that changed. Where every
    /// statement has its counterpart there is nothing to meet.
    fn met(document: &Value) -> Result<(), String> {
        let entries = document["entries"].as_array().map_or(&[][..], Vec::as_slice);
        let met = |entry: &Value| {
            entry["compared"]["pairs"].as_u64().is_some_and(|pairs| pairs > 0)
                || !entry["composed_of"].is_null()
                || entry["unchanged"] == true
        };
        match entries.iter().any(met) {
            true => Ok(()),
            false => Err("the change was not met".to_owned()),
        }
    }

    /// The first difference is one on a natural input, and was seen natively.
    fn natural(&self, document: &Value) -> Result<(), String> {
        let first = document["differences"].get(0).ok_or("there is no difference")?;
        if first["replayed"] != true {
            return Err(format!("the first difference was not replayed: {first}"));
        }
        let violated = self.facts.iter().find_map(|fact| fact.violated(&first["inputs"]));
        match violated {
            Some(why) => Err(format!("the first input is not natural: {why}: {}", first["inputs"])),
            None => Ok(()),
        }
    }
}

/// Every bound that cut something leaves enough.
fn large_enough(document: &Value) -> Result<(), String> {
    for bound in document["bounds"].as_array().map_or(&[][..], Vec::as_slice) {
        let steps = bound["input"].as_str().map_or(0, |input| input.matches("->").count());
        let enough = match bound["limit"].as_str() {
            Some("pointer-depth") if steps > 0 => steps >= LEAST_STEPS,
            Some("apart") => true,
            _ => bound["value"].as_u64().is_some_and(|value| value >= LEAST_ELEMENTS),
        };
        if !enough {
            return Err(format!("a small bound: {bound}"));
        }
    }
    Ok(())
}

/// What a document says about how it came to its verdict.
fn summary(document: &Value) -> String {
    let mut parts: Vec<String> = Vec::new();
    for key in ["reasons", "bounds"] {
        parts.push(format!("{key}: {}", document[key]));
    }
    for entry in document["entries"].as_array().map_or(&[][..], Vec::as_slice) {
        let taken = entry["taken"].as_array().map_or(&[][..], Vec::as_slice);
        let words: Vec<&str> = taken.iter().filter_map(|taken| taken["words"].as_str()).collect();
        parts.push(format!("taken: {}", words.join("; ")));
    }
    if let Some(first) = document["differences"].get(0) {
        parts.push(format!("given {}", first["inputs"]));
    }
    parts.join(", ")
}

/// One of the two changes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Version {
    Harmless,
    Harmful,
}

impl Version {
    fn file(self) -> &'static str {
        match self {
            Self::Harmless => "harmless.c",
            Self::Harmful => "harmful.c",
        }
    }
}

fn functions(folder: &Path) -> Vec<Function> {
    let entries = std::fs::read_dir(folder).expect("the functions are there");
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    folders.into_iter().map(Function::read).collect()
}

/// A line of the table: what was said of a change, and how long it took.
type Row = (String, Version, String, Duration);

fn print(mut rows: Vec<Row>) {
    rows.sort();
    for (name, version, found, time) in &rows {
        println!("{name:<20} {:<10} {found:>28} {:>6.1} s", format!("{version:?}"), time.as_secs_f64());
    }
    let slowest = rows.iter().map(|row| row.3).max().unwrap_or_default();
    let all: Duration = rows.iter().map(|row| row.3).sum();
    println!("{:.1} s in all, {:.1} s the slowest", all.as_secs_f64(), slowest.as_secs_f64());
}

#[test]
fn harmless_changes_are_harmless_and_harmful_ones_are_found() {
    let wanted = std::env::var("INCISE_FUNCTIONS").unwrap_or_default();
    let functions = functions(&root().join("tests/functions"));
    assert!(functions.len() >= 60, "only {} functions", functions.len());
    // What is proved takes long, what is found does not: `INCISE_FUNCTIONS=all` and the long run look at all, `harmful`
    // at all harmful changes and some others, a name at those that contain it, and else some of the changes are looked
    // at.
    let (harmless, harmful) = match wanted.as_str() {
        "" => shorter((18, 6), (1, 1)),
        "harmful" => (9, 1),
        _ => (1, 1),
    };
    let named = |function: &&Function| {
        ["all", "harmful"].contains(&wanted.as_str()) || function.name.contains(&wanted)
    };
    let chosen = functions.iter().filter(named);
    let work: Vec<(&Function, Version)> = [(Version::Harmless, harmless), (Version::Harmful, harmful)]
        .into_iter()
        .flat_map(|(version, every)| chosen.clone().step_by(every).map(move |function| (function, version)))
        .collect();
    let rows = Mutex::new(Vec::new());
    let failures = in_parallel(&work, |&(function, version)| {
        let start = Instant::now();
        let (verdict, judged) = match function.compare(version) {
            Ok(document) => function.judge(version, &document),
            Err(why) => ("fault".to_owned(), Err(why)),
        };
        let mark = if judged.is_ok() { "" } else { "! " };
        let row = (function.name.clone(), version, format!("{mark}{verdict}"), start.elapsed());
        rows.lock().expect("no worker panicked").push(row);
        judged.map_err(|why| format!("{}, {version:?}: {verdict}: {why}", function.name))
    });
    print(rows.into_inner().expect("no worker panicked"));
    let (all, failed) = (work.len(), failures.len());
    println!("{failed} of {all} comparisons are not as they should be:\n{}", failures.join("\n"));
    let fatal = ["FALSE COMFORT", "FALSE ALARM", ": fault: "];
    let worst = |failure: &&String| fatal.iter().any(|word| failure.contains(word));
    let worst: Vec<&String> = failures.iter().filter(worst).collect();
    assert!(worst.is_empty(), "{worst:#?}");
    assert!(failures.is_empty(), "{failed} of {all} comparisons are not as they should be: {failures:#?}");
}

#[test]
fn facts_of_labels_are_checked_in_inputs() {
    let inputs = serde_json::json!({
        "text": "&*text", "*text": "abc", "size": 4, "data": "&*data", "*data": [1, 2, 3], "end": null,
    });
    let violated = |words: &str| Fact::parse(words).expect("it is known").violated(&inputs).is_some();
    assert!(violated("text is a string"), "there is no zero");
    assert!(violated("data has room for `size` bytes"), "there are three of four");
    assert!(violated("end is not null"));
    assert!(violated("end is the end of data"));
    assert!(!violated("text is not null"));
    assert_eq!(Fact::parse("bytes has room for `(limit + 7) / 8` bytes"), None);
}
