//! Labelled pairs of versions: `incise diff` proves what is the same, shows what differs, and is never wrong about
//! either.
//!
//! A pair is a file of `tests/equivalence` with the functions `old_NAME` and `new_NAME`, or a folder with `old.c` and
//! `new.c`. The first lines say what is known of it:
//!
//! ```c
//! // verdict: same | same-within-bounds | differs
//! // entry: NAME
//! // kind: refactoring | bug
//! // loops: none | lockstep | other
//! // domain: int | float | math
//! // options: more arguments of the command, if it needs them
//! // takes: long, if proving it is most of the time of all pairs: left to `INCISE_LONG=1`
//! ```
//!
//! The verdict is the least that is expected of an equivalent pair: what is proved without bounds though the label
//! allows them is better still. `INCISE_EQUIVALENCE=name` looks only at the pairs whose name contains that; without it
//! and without `INCISE_LONG=1` every fourth is compared.

use crate::common::{Said, incise};
use incise_testing::{in_parallel, is_long};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// What can be said of two versions. What comes later says more, if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    Undecided,
    SameWithinBounds,
    Same,
    Differs,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Same, Self::SameWithinBounds, Self::Differs, Self::Undecided];

    fn word(self) -> &'static str {
        match self {
            Self::Undecided => "undecided",
            Self::SameWithinBounds => "same-within-bounds",
            Self::Same => "same",
            Self::Differs => "differs",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }
}

/// A pair and what is known of it.
struct Pair {
    name: String,
    path: PathBuf,
    verdict: Verdict,
    entry: String,
    kind: String,
    loops: String,
    domain: String,
    options: Vec<String>,
    takes_long: bool,
}

impl Pair {
    /// The file with the label.
    fn labelled(path: &Path) -> PathBuf {
        if path.is_dir() { path.join("old.c") } else { path.to_owned() }
    }

    fn read(path: PathBuf) -> Self {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(Self::labelled(&path)).expect("a pair can be read");
        let mut label: BTreeMap<&str, &str> = BTreeMap::new();
        let lines = text.lines().map_while(|line| line.strip_prefix("// "));
        label.extend(lines.map_while(|line| line.split_once(": ")).take_while(|(key, _)| !key.contains(' ')));
        let mut take = |key: &str, choices: &[&str]| {
            let value = label.remove(key).unwrap_or_else(|| panic!("{name}: there is no {key}"));
            assert!(choices.is_empty() || choices.contains(&value), "{name}: {key} is {value:?}");
            value.to_owned()
        };
        let verdict = take("verdict", &["same", "same-within-bounds", "differs"]);
        let (entry, kind) = (take("entry", &[]), take("kind", &["refactoring", "bug"]));
        let loops = take("loops", &["none", "lockstep", "other"]);
        let domain = take("domain", &["int", "float", "math"]);
        let options = label.remove("options").unwrap_or_default();
        let options = options.split_whitespace().map(str::to_owned).collect();
        let takes_long = match label.remove("takes") {
            None => false,
            Some(word) => {
                assert_eq!(word, "long", "{name}: what does it take?");
                true
            }
        };
        assert!(label.is_empty(), "{name}: {label:?} mean nothing");
        let verdict = Verdict::parse(&verdict).expect("it is one of the choices");
        assert_eq!(kind == "bug", verdict == Verdict::Differs, "{name}: a bug shows, a refactoring does not");
        Self { name, path, verdict, entry, kind, loops, domain, options, takes_long }
    }

    /// What a comparison with default options is judged to be. A machine that is busy with other tests must not make a
    /// verdict weaker, and some differences need more time: what does not say enough is looked at again.
    fn judged(&self) -> Result<Verdict, String> {
        let document = self.compare(&[])?;
        match self.judge(&document) {
            Err(_) if document["verdict"] == "undecided" || document["verdict"] == "same-within-bounds" => {
                self.judge(&self.compare(&["--max-time", "10m", "--solver-timeout", "2m"])?)
            }
            judged => judged,
        }
    }

    /// Compares the versions as a user would.
    fn compare(&self, patience: &[&str]) -> Result<Value, String> {
        let mut command = incise();
        command.arg("diff");
        if self.path.is_dir() {
            command.args([self.path.join("old.c"), self.path.join("new.c")]).args(["--entry", &self.entry]);
        } else {
            let (old, new) = (format!("old_{}", self.entry), format!("new_{}", self.entry));
            command.arg(&self.path).args(["--entry", &old, "--with", &new]);
        }
        command.args(&self.options).args(patience).args(["--verdict-only", "--format", "json"]);
        let said = Said::by(&mut command);
        if said.status == 2 {
            return Err(format!("it fails: {}", said.stderr));
        }
        said.json()
    }

    /// The verdict, unless it is wrong, says less than the label, or shows nothing for what it says.
    fn judge(&self, document: &Value) -> Result<Verdict, String> {
        let word = document["verdict"].as_str().ok_or("there is no verdict")?;
        let verdict = Verdict::parse(word).ok_or_else(|| format!("the verdict is {word:?}"))?;
        let differences = document["differences"].as_array().ok_or("there are no differences")?;
        let differs = verdict == Verdict::Differs;
        let label = self.verdict.word();
        if differs != (self.verdict == Verdict::Differs) {
            let fault = if verdict == Verdict::Undecided { "weak" } else { "WRONG" };
            return Err(format!("{fault}: {word}, and the label is {label}; {}", why(document)));
        }
        if verdict < self.verdict {
            return Err(format!("weak: {word}, and the label is {label}; {}", why(document)));
        }
        if differs == differences.is_empty() {
            return Err(format!("{word} with {} differences", differences.len()));
        }
        match differences.iter().find(|difference| difference["replayed"] != true) {
            Some(difference) => Err(format!("this was not replayed: {difference}")),
            None => Ok(verdict),
        }
    }
}

/// What the document says about how it came to its verdict.
fn why(document: &Value) -> String {
    let shown = |key: &str| document.get(key).map(|value| format!("{key}: {value}"));
    let parts: Vec<String> = ["reasons", "bounds", "differences"].into_iter().filter_map(shown).collect();
    parts.join(", ")
}

fn pairs() -> Vec<Pair> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equivalence");
    let entries = std::fs::read_dir(folder).expect("the pairs are there");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    paths.into_iter().map(Pair::read).collect()
}

/// How many pairs of each sort got which verdict.
#[derive(Default)]
struct Table(BTreeMap<[String; 3], BTreeMap<&'static str, usize>>);

impl Table {
    fn count(&mut self, pair: &Pair, found: &'static str) {
        let row = [pair.kind.clone(), pair.domain.clone(), pair.loops.clone()];
        *self.0.entry(row).or_default().entry(found).or_default() += 1;
    }

    fn print(&self) {
        let columns = Verdict::ALL.map(Verdict::word).into_iter().chain(["fault"]);
        let columns: Vec<&str> = columns.collect();
        println!("{:<12} {:<6} {:<9} {}", "kind", "domain", "loops", columns.join("  "));
        for ([kind, domain, loops], counts) in &self.0 {
            let cells = columns
                .iter()
                .map(|column| format!("{:>1$}", counts.get(column).copied().unwrap_or(0), column.len()));
            println!("{kind:<12} {domain:<6} {loops:<9} {}", cells.collect::<Vec<_>>().join("  "));
        }
    }
}

/// One of so many pairs is compared unless all are asked for.
const SAMPLED: usize = 4;

#[test]
fn each_pair_gets_the_verdict_of_its_label() {
    let wanted = std::env::var("INCISE_EQUIVALENCE").unwrap_or_default();
    let pairs: Vec<Pair> = pairs().into_iter().filter(|pair| pair.name.contains(&wanted)).collect();
    assert!(pairs.len() >= 60 || !wanted.is_empty(), "only {} pairs", pairs.len());
    let everything = is_long() || !wanted.is_empty();
    let (pairs, left): (Vec<Pair>, Vec<Pair>) =
        pairs.into_iter().partition(|pair| everything || !pair.takes_long);
    let every = if everything { 1 } else { SAMPLED };
    let (sampled, of) = (pairs.len().div_ceil(every), pairs.len() + left.len());
    println!("{sampled} of {of} pairs are compared");
    let pairs: Vec<Pair> = pairs.into_iter().step_by(every).collect();
    let table = Mutex::new(Table::default());
    let failures = in_parallel(&pairs, |pair| {
        let judged = pair.judged();
        let found = judged.as_ref().map_or("fault", |verdict| verdict.word());
        table.lock().expect("no worker panicked").count(pair, found);
        judged.map(drop).map_err(|why| format!("{}: {why}", pair.name))
    });
    table.into_inner().expect("no worker panicked").print();
    assert!(
        failures.is_empty(),
        "{} of {} pairs fail:\n{}",
        failures.len(),
        pairs.len(),
        failures.join("\n")
    );
}
