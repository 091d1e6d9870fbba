//! Compares an exploration with the tests of the old version with a full one.

use incise_change::{Impact, Rules, Versions};
use incise_exec::{
    Assignment, Config, Detail, Exploration, FinalValue, FullExploration, Given, Hooks, LimitKind, Outcome,
    Path, Seed, SeedEnd, Seeded, Session, explore,
};
use incise_incremental::{Subject, explore_update};
use incise_ir::Program;
use incise_llvm::{Clang, CompileOptions, InputKind, ModuleText};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn program(folder: &std::path::Path, name: &str, text: &str) -> Program {
    let search_path: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let clang = Clang::find(None, &search_path).expect("clang is there");
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, text).expect("the source");
    let compiled = clang
        .compile(&file, InputKind::C, &CompileOptions::default(), &AtomicBool::new(false))
        .expect("it compiles");
    incise_llvm::link(&[ModuleText { name: "update.c", text: &compiled.text }]).expect("it links")
}

pub(crate) fn hooks() -> Hooks<'static> {
    Hooks {
        interrupt: Arc::new(AtomicBool::new(false)),
        progress: None,
        memory_used: None,
        detail: Detail::All,
    }
}

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
    pub(crate) left_out: usize,
}

/// The test of a path.
fn seed(path: &Path, renumbered: bool) -> Option<Seed> {
    let inputs = path.inputs.as_ref()?;
    let end = match path.outcome {
        Outcome::Returned => SeedEnd::Returned,
        Outcome::Exited { .. } | Outcome::Error(_) => SeedEnd::Stopped,
        _ => SeedEnd::Cut,
    };
    let bytes = inputs.iter().map(|input| (input.name.clone(), input.bytes.clone())).collect();
    let renumbered = renumbered && path.decided.iter().any(|decided| decided.many);
    Some(Seed { bytes, end, renumbered })
}

/// What tells a path: the ways that it goes, its condition, and how it ends.
type Key = (Vec<u32>, Vec<String>, String);

fn key(path: &Path) -> Key {
    let condition = path.condition.iter().map(|constraint| without_addresses(&constraint.text)).collect();
    (path.decisions.clone(), condition, ending(path))
}

/// The text of a condition; one over a table of functions has their addresses in it, which differ from version to version.
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

/// The names of functions and variables, in order: alternatives of pointers are numbered by that.
fn symbols(program: &Program) -> Vec<&str> {
    let functions = program.functions.iter().map(|(_, function)| function.name.as_str());
    functions.chain(program.globals.iter().map(|(_, global)| global.name.as_str())).collect()
}

pub(crate) struct Check<'a> {
    pub(crate) old: &'a Program,
    pub(crate) new: &'a Program,
    pub(crate) config: &'a Config,
    pub(crate) context: &'a str,
}

impl Check<'_> {
    /// Explores the new version in full and with the tests of the old one, and compares.
    pub(crate) fn run(&self, tally: &mut Tally) {
        let explore = |program| explore(program, self.config, &hooks()).expect("it is explored");
        let (before, full) = (explore(self.old), explore(self.new));
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
        let versions = Versions::compare(self.old, self.new);
        let entry = self.new.function_named(&self.config.entry).expect("the entry");
        let old_entry = versions.old_of(entry).expect("the entry of the old version");
        let entries = (&[old_entry][..], &[entry][..]);
        let (impact, mirrored) =
            Impact::both_ways(self.old, self.new, versions, entries, Rules::Closed, false);
        let (Some(effects), Some(old_effects)) = (&impact.effects, &mirrored.effects) else {
            tally.unchanged += 1;
            let (before, after) = (keys(&before.paths, self.context), keys(&full.paths, self.context));
            assert!(before == after, "called unchanged\n{}\n{}", differences(&before, &after), self.context);
            return;
        };
        let mut scope = impact.below(&[entry], effects, Rules::Closed);
        let root = scope.root(entry);
        let new = Subject::new(&scope, root);
        let mut old_scope = mirrored.below(&[old_entry], old_effects, Rules::Closed);
        let old_root = old_scope.root(old_entry);
        let old = Subject::new(&old_scope, old_root);
        let moved = symbols(self.old) != symbols(self.new);
        let seeds: Vec<Seed> = before.paths.iter().filter_map(|path| seed(path, moved)).collect();
        let update = |exhaustive| {
            explore_update(self.config, &hooks(), (&old, &new), &impact, &seeds, exhaustive)
                .expect("it is explored")
        };
        let all = keys(&full.paths, self.context);
        let found = update(true);
        self.compare(&before, &found, &all);
        self.trace(&before, &full, &found, &seeds);
        tally.queries += found.exploration.counters.queries;
        tally.untouched += found.untouched.len();
        tally.kept += found.exploration.paths.iter().filter(|path| !path.seeds.is_empty()).count();
        tally.added += found.exploration.paths.iter().filter(|path| path.seeds.is_empty()).count();
        tally.collapsed += found.also.len();
        // The same where the tests are not known to be all there are.
        let asked = update(false);
        assert!(asked.untouched.is_empty());
        self.compare(&before, &asked, &all);
        tally.queries_without_rules += asked.exploration.counters.queries;
    }

    fn compare(&self, before: &Exploration, found: &Seeded, all: &BTreeSet<Key>) {
        assert!(found.unusable.is_empty(), "unusable: {:?}\n{}", found.unusable, self.context);
        assert!(found.lost.is_empty(), "lost: {:?}\n{}", found.lost, self.context);
        let untouched = found.untouched.iter().map(|&seed| &before.paths[seed as usize]);
        let found = keys(found.exploration.paths.iter().chain(untouched), self.context);
        assert!(found == *all, "{}\n{}", differences(&found, all), self.context);
    }

    /// Each old test, executed alone, does what it was found to do.
    fn trace(&self, before: &Exploration, full: &Exploration, found: &Seeded, seeds: &[Seed]) {
        let full: BTreeMap<&[u32], &Path> =
            full.paths.iter().map(|path| (path.decisions.as_slice(), path)).collect();
        let mut session = Session::new(self.config, &Arc::new(AtomicBool::new(false)));
        let mut check = |seed: u32, path: &Path| {
            if path.indeterminate {
                return;
            }
            let bytes = seeds[seed as usize].bytes.clone();
            let inputs = Assignment::given(Given { bytes, ..Given::default() });
            let trace = session
                .trace(self.new, self.config, &hooks(), &mut FullExploration, &inputs)
                .expect("it runs");
            let traced = trace.path.expect("it ends");
            assert_eq!(ending(&traced), ending(path), "seed {seed}\n{}", self.context);
            assert_eq!(traced.returned, path.returned, "seed {seed}\n{}", self.context);
            assert_eq!(finals(&traced), finals(path), "seed {seed}\n{}", self.context);
            let condition: BTreeSet<&String> = traced.condition.iter().map(|each| &each.text).collect();
            let expected = &full[path.decisions.as_slice()].condition;
            let missing = expected.iter().find(|each| !condition.contains(&each.text));
            assert!(missing.is_none(), "seed {seed} does not decide {missing:?}\n{}", self.context);
        };
        for &seed in &found.untouched {
            check(seed, &before.paths[seed as usize]);
        }
        for path in &found.exploration.paths {
            path.seeds.iter().take(1).for_each(|&seed| check(seed, path));
        }
        found.also.iter().for_each(|(seed, path)| check(*seed, path));
    }
}
