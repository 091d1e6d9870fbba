//! Compares an exploration with the tests of the old version with a full one.

use incise_change::Versions;
use incise_exec::{
    Assignment, Config, Decision, Exploration, FinalValue, FullExploration, Given, Input, InputOrigin,
    InputValue, LimitKind, Outcome, Path, Session, explore,
};
use incise_incremental::explore_update;
use incise_ir::Program;
use incise_seeds::{Finding, LeftBehind, Seed, SeedEnd, Seeded, Seeds};
use incise_testing::hooks;
pub(crate) use incise_testing::program_in as program;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// What was done and spared.
#[derive(Default, Debug)]
pub(crate) struct Tally {
    pub(crate) pairs: usize,
    pub(crate) unchanged: usize,
    pub(crate) paths: usize,
    pub(crate) untouched: usize,
    pub(crate) kept: usize,
    pub(crate) added: usize,
    pub(crate) collapsed: usize,
    pub(crate) queries_full: u64,
    pub(crate) queries: u64,
    pub(crate) queries_without_rules: u64,
    /// Of pairs for which the solver found out something about the old version that is of use: how many, and the
    /// queries without and with it.
    pub(crate) noted: usize,
    pub(crate) queries_not_noted: u64,
    pub(crate) queries_noted: u64,
    pub(crate) left_out: usize,
    pub(crate) shared: usize,
    pub(crate) as_expected: usize,
    pub(crate) different: usize,
}

/// Of so many pairs, one is explored by several workers too.
const SHARED: usize = 8;

/// The test of a path.
fn seed(path: &Path, renumbered: bool) -> Option<Seed<'_>> {
    let inputs = path.inputs.as_ref()?;
    let end = match path.outcome {
        Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_) => SeedEnd::Ended,
        _ => SeedEnd::Cut,
    };
    let inputs = inputs.iter().map(|input| (input.name.as_str(), input.bytes.as_slice())).collect();
    let renumbered =
        renumbered && path.decisions.iter().any(|decision| !matches!(decision, Decision::Side { .. }));
    Some(Seed { inputs, pointers: Vec::new(), end, renumbered })
}

/// What tells a path: the ways that it goes, its condition, and how it ends.
type Key = (Vec<Decision>, Vec<String>, String);

fn key(path: &Path) -> Key {
    let condition = path.condition.iter().map(|constraint| without_addresses(&constraint.text)).collect();
    (path.decisions.clone(), condition, ending(path))
}

/// The text of a condition; one over a table of functions has their addresses in it, which differ from version to
/// version.
fn without_addresses(text: &str) -> String {
    if text.contains('{') { "a table".to_owned() } else { text.to_owned() }
}

/// How a path ends, without what differs from input to input and what local variables are called.
fn ending(path: &Path) -> String {
    match &path.outcome {
        Outcome::Exited { .. } => "exited".to_owned(),
        Outcome::Error(error) => format!("{:?}", error.kind),
        other => format!("{other:?}"),
    }
}

fn keys<'a>(paths: impl IntoIterator<Item = &'a Path>, context: &str) -> BTreeSet<Key> {
    let mut found = BTreeSet::new();
    for path in paths {
        let key = key(path);
        assert!(found.insert(key.clone()), "twice: {key:?}\n{context}");
    }
    found
}

fn differences(found: &BTreeSet<Key>, full: &BTreeSet<Key>) -> String {
    format!(
        "lost {:#?}\ninvented {:#?}",
        full.difference(found).collect::<Vec<_>>(),
        found.difference(full).collect::<Vec<_>>()
    )
}

/// What a path leaves behind, by name: the order is that of the globals in a version.
fn finals(path: &Path) -> BTreeMap<&str, &FinalValue> {
    path.finals.iter().map(|each| (each.name.as_str(), each)).collect()
}

/// Whether a path leaves the same in variables as the old one, judged where it ends.
fn judged(old: &Path, left: &mut dyn LeftBehind) -> Finding {
    if old.indeterminate || left.is_indeterminate() {
        return Finding::Unclear;
    }
    old.finals.iter().fold(Finding::AsExpected, |finding, each| {
        let mask: Vec<u8> = each.comparable.iter().map(|&counts| u8::from(counts)).collect();
        finding.and(match &each.origin {
            _ if matches!(each.value, InputValue::Pointer(_)) => Finding::Unclear,
            InputOrigin::Global { symbol } => {
                // One that is not written is in no description.
                left.global_holds(symbol, &each.bytes, &mask).unwrap_or(Finding::Unclear)
            }
            InputOrigin::Pointee { pointer } => left.pointee_holds(pointer, &each.bytes, &mask),
            _ => Finding::Unclear,
        })
    })
}

/// Whether a variable holds something else than in the old path, by the description.
fn differs(old: &Path, new: &Path) -> bool {
    let now = |each: &&FinalValue| new.finals.iter().find(|other| other.origin == each.origin);
    let differ = |before: &FinalValue, now: &FinalValue| {
        let counts = |at: &usize| before.comparable[*at] && now.comparable[*at];
        before.bytes.len() != now.bytes.len()
            || (0..now.bytes.len()).filter(counts).any(|at| before.bytes[at] != now.bytes[at])
    };
    old.finals.iter().any(|each| now(&each).is_some_and(|now| differ(each, now)))
}

/// The names of functions and variables, in order: alternatives of pointers are numbered by that.
fn symbols(program: &Program) -> Vec<&str> {
    let functions = program.functions.iter().map(|(_, function)| function.name.as_str());
    functions.chain(program.globals.iter().map(|(_, global)| global.name.as_str())).collect()
}

pub(crate) struct Check<'a> {
    pub(crate) old: &'a Program,
    pub(crate) new: &'a Program,
    pub(crate) versions: &'a Versions,
    pub(crate) config: &'a Config,
    pub(crate) context: &'a str,
}

impl Check<'_> {
    /// Explores the new version in full and with the tests of the old one, and compares.
    pub(crate) fn run(&self, tally: &mut Tally) {
        let explore = |program, config| explore(program, config, &hooks()).expect("it is explored");
        let mut noting = self.config.clone();
        noting.solver.notes = true;
        let (mut before, full) = (explore(self.old, &noting), explore(self.new, self.config));
        let whole = |exploration: &Exploration| {
            !exploration.limits.contains(&LimitKind::Paths)
                && exploration.concretised.is_empty()
                && exploration.paths.iter().all(|path| path.inputs.is_some())
        };
        if !whole(&before) || !whole(&full) {
            tally.left_out += 1;
            return;
        }
        tally.pairs += 1;
        tally.paths += full.paths.len();
        tally.queries_full += full.counters.queries;
        let versions = self.versions;
        if versions.is_unchanged() {
            tally.unchanged += 1;
            let (before, after) = (keys(&before.paths, self.context), keys(&full.paths, self.context));
            assert!(before == after, "called unchanged\n{}\n{}", differences(&before, &after), self.context);
            return;
        }
        let moved = symbols(self.old) != symbols(self.new);
        let mut noted = self.config.clone();
        noted.solver.noted = Some(Arc::new(std::mem::take(&mut before.contradictions)));
        let seeds: Vec<Seed<'_>> = before.paths.iter().filter_map(|path| seed(path, moved)).collect();
        let update = |exhaustive: bool, config: &Config| {
            let seeds = Seeds { all: &seeds, paths_of: exhaustive.then_some(self.old), judge: None };
            explore_update(config, &hooks(), (self.old, self.new), versions, &seeds).expect("it is explored")
        };
        let all = keys(&full.paths, self.context);
        let found = update(true, self.config);
        self.compare(&before, &found, &all);
        self.trace(&before, &full, &found, &seeds);
        tally.queries += found.exploration.counters.queries;
        tally.untouched += found.untouched.len();
        tally.kept += found.takers.iter().filter(|takers| !takers.seeds.is_empty()).count();
        tally.added += found.takers.iter().filter(|takers| takers.seeds.is_empty()).count();
        tally.collapsed += found.also.len();
        if tally.pairs.is_multiple_of(SHARED) {
            self.share(&found, &Seeds { all: &seeds, paths_of: Some(self.old), judge: None }, versions);
            tally.shared += 1;
        }
        self.judge(&before, &found, &seeds, versions, tally);
        // The same where the tests are not known to be all there are.
        let asked = update(false, self.config);
        assert!(asked.untouched.is_empty());
        self.compare(&before, &asked, &all);
        let queries = asked.exploration.counters.queries;
        tally.queries_without_rules += queries;
        // And with what the solver found out about the old version.
        if noted.solver.noted.as_ref().is_some_and(|noted| !noted.is_empty()) {
            for exhaustive in [true, false] {
                let asked = update(exhaustive, &noted);
                self.compare(&before, &asked, &all);
                tally.queries_noted += asked.exploration.counters.queries;
            }
            tally.queries_not_noted += found.exploration.counters.queries + queries;
            tally.noted += 1;
        }
    }

    /// What is judged where a path ends is what its description says, and what is described is the same.
    fn judge(
        &self,
        before: &Exploration,
        found: &Seeded,
        seeds: &[Seed<'_>],
        versions: &Versions,
        tally: &mut Tally,
    ) {
        let verdicts: Mutex<Vec<(u32, Finding)>> = Mutex::default();
        let judge = |seed: u32, left: &mut dyn LeftBehind| {
            let judged = judged(&before.paths[seed as usize], left);
            verdicts.lock().expect("no panic").push((seed, judged));
            judged
        };
        let all = Seeds { all: seeds, paths_of: Some(self.old), judge: Some(&judge) };
        let judging = explore_update(self.config, &hooks(), (self.old, self.new), versions, &all);
        let judging = judging.expect("it is explored");
        let first = found.paths().filter_map(|(path, takers)| Some((*takers.seeds.first()?, path)));
        let further = found.also.iter().map(|(seed, path)| (*seed, path));
        let described: BTreeMap<u32, &Path> = first.chain(further).collect();
        for (seed, judged) in verdicts.into_inner().expect("no panic") {
            let differs = differs(&before.paths[seed as usize], described[&seed]);
            match judged {
                Finding::AsExpected => assert!(!differs, "seed {seed} differs\n{}", self.context),
                Finding::Different => assert!(differs, "seed {seed} does not differ\n{}", self.context),
                Finding::Unclear => {}
            }
            tally.as_expected += usize::from(judged == Finding::AsExpected);
            tally.different += usize::from(judged == Finding::Different);
        }
        for (path, takers) in judging.paths() {
            let inputs = takers.seeds.first().map_or(&path.inputs, |seed| &described[seed].inputs);
            let told = path.inputs.is_some() || takers.as_expected.is_some();
            assert!(told && (path.inputs.is_none() || path.inputs == *inputs), "{}", self.context);
        }
    }

    /// Several workers find the same.
    fn share(&self, alone: &Seeded, seeds: &Seeds<'_>, versions: &Versions) {
        let config = Config { workers: 3, ..self.config.clone() };
        let shared = explore_update(&config, &hooks(), (self.old, self.new), versions, seeds);
        let shared = shared.expect("it is explored");
        let taken = |found: &Seeded| -> Vec<(Key, Vec<u32>, Option<Vec<Input>>)> {
            let paths = found.paths();
            paths.map(|(path, takers)| (key(path), takers.seeds.clone(), path.inputs.clone())).collect()
        };
        let also = |found: &Seeded| -> Vec<(u32, Key)> {
            found.also.iter().map(|(seed, path)| (*seed, key(path))).collect()
        };
        assert_eq!(taken(&shared), taken(alone), "{}", self.context);
        assert_eq!(also(&shared), also(alone), "{}", self.context);
        let others = |found: &Seeded| (found.untouched.clone(), found.lost.clone(), found.unusable.clone());
        assert_eq!(others(&shared), others(alone), "{}", self.context);
    }

    fn compare(&self, before: &Exploration, found: &Seeded, all: &BTreeSet<Key>) {
        assert!(found.unusable.is_empty(), "unusable: {:?}\n{}", found.unusable, self.context);
        assert!(found.lost.is_empty(), "lost: {:?}\n{}", found.lost, self.context);
        let untouched = found.untouched.iter().map(|&seed| &before.paths[seed as usize]);
        let found = keys(found.exploration.paths.iter().chain(untouched), self.context);
        assert!(found == *all, "{}\n{}", differences(&found, all), self.context);
    }

    /// Each old test, executed alone, does what it was found to do, and so does the input of each path that no old test
    /// takes.
    fn trace(&self, before: &Exploration, full: &Exploration, found: &Seeded, seeds: &[Seed<'_>]) {
        let full: BTreeMap<&[Decision], &Path> =
            full.paths.iter().map(|path| (path.decisions.as_slice(), path)).collect();
        let mut session = Session::new(self.config, &Arc::new(AtomicBool::new(false)));
        let mut follow = |test: &dyn Display, bytes: BTreeMap<String, Vec<u8>>, path: &Path| {
            if path.indeterminate {
                return;
            }
            let inputs = Assignment::given(Given { bytes, ..Given::default() });
            let trace = session
                .trace(self.new, self.config, &hooks(), &mut FullExploration, &inputs)
                .expect("it runs");
            let traced = trace.path.expect("it ends");
            assert_eq!(ending(&traced), ending(path), "{test}\n{}", self.context);
            assert_eq!(traced.returned, path.returned, "{test}\n{}", self.context);
            assert_eq!(finals(&traced), finals(path), "{test}\n{}", self.context);
            let condition: BTreeSet<&String> = traced.condition.iter().map(|each| &each.text).collect();
            let expected = &full[path.decisions.as_slice()].condition;
            let missing = expected.iter().find(|each| !condition.contains(&each.text));
            assert!(missing.is_none(), "{test} does not decide {missing:?}\n{}", self.context);
        };
        for (path, _) in found.paths().filter(|(_, takers)| takers.seeds.is_empty()) {
            let given = path.inputs.iter().flatten();
            let bytes = given.map(|input| (input.name.clone(), input.bytes.clone())).collect();
            follow(&"an added test", bytes, path);
        }
        let mut check = |seed: u32, path: &Path| {
            let given = seeds[seed as usize].inputs.iter();
            let bytes = given.map(|(name, bytes)| (name.to_string(), bytes.to_vec())).collect();
            follow(&format_args!("seed {seed}"), bytes, path);
        };
        for &seed in &found.untouched {
            check(seed, &before.paths[seed as usize]);
        }
        for (path, takers) in found.paths() {
            takers.seeds.iter().take(1).for_each(|&seed| check(seed, path));
        }
        found.also.iter().for_each(|(seed, path)| check(*seed, path));
    }
}
