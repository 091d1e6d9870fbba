//! Brings the tests of a suite over to another version: what becomes of each, and the tests that the new suite has.

use crate::decision_lines::DecisionLines;
use crate::error::SuiteError;
use crate::expectation::still_holds;
use crate::ordered_tests::{OrderedTests, PathOrder};
use crate::path_names::{Functions, identity, names};
use crate::path_test::{ending, expectation, test_of, without_places};
use crate::stored_suite::StoredSuite;
use incise_exec::{Exploration, LimitKind, Outcome, Path};
use incise_ir::Program;
use incise_report::suite::update::{SuiteUpdate, TestClass, UpdatedTest};
use incise_report::suite::{SuiteEntry, TestOrigin, UnsolvedPath};
use incise_report::{FoundPath, OutcomeKind, SharedText, TestCase};
use incise_seeds::Seeded;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// What exploring the new version with the old tests found.
pub(crate) struct SeededTests {
    pub seeded: Seeded,
    /// For each seed, the test of the old suite.
    pub tests: Vec<usize>,
    /// The tests that could not be seeds, and why.
    pub unfit: BTreeMap<usize, String>,
}

/// A test of the new suite.
pub struct UpdatedFile {
    /// Its line in the manifest, but for the hash of a new file.
    pub entry: SuiteEntry,
    /// Its file.
    pub content: FileContent,
}

/// The file of a test of the new suite.
pub enum FileContent {
    /// As it is.
    Old,
    /// Written anew.
    New(Box<TestCase>),
}

/// The new suite, and what to tell about it.
pub struct UpdatedTests {
    /// Its tests, in the order of their paths.
    pub tests: Vec<UpdatedFile>,
    /// What became of each.
    pub update: SuiteUpdate,
}

/// Brings tests over.
pub(crate) struct TestClassifier<'a> {
    pub suite: &'a StoredSuite,
    pub program: &'a Program,
    pub lines: DecisionLines<'a>,
    /// Whether new outcomes are written.
    pub accept: bool,
    /// Whether a path met the change.
    pub met: fn(u64) -> bool,
    /// What a test does now, for one that was not executed.
    pub observe: &'a dyn Fn(&TestCase) -> Result<Option<Path>, SuiteError>,
}

/// Which way a path went at each of its decisions, as numbers.
fn ways(path: &Path) -> impl Iterator<Item = u32> {
    path.decisions.iter().map(|decision| decision.number())
}

/// The old tests that take a path, in order.
struct PathTakers {
    all: Vec<usize>,
    /// The first with which everything is known to be as expected.
    as_expected: Option<usize>,
    /// Those before it of which more has to be known, and the first if there is none, with what happens.
    described: Vec<(usize, Path)>,
    /// Whether something is known to be different with the first.
    different: bool,
}

impl<'a> TestClassifier<'a> {
    /// What becomes of the tests. Without an exploration nothing changed that the tests could meet.
    pub(crate) fn classify(mut self, found: Option<SeededTests>) -> Result<UpdatedTests, SuiteError> {
        let executed = found.is_some();
        let found = found.unwrap_or_else(|| SeededTests {
            seeded: Seeded { untouched: (0..self.suite.len() as u32).collect(), ..Seeded::default() },
            tests: (0..self.suite.len()).collect(),
            unfit: BTreeMap::new(),
        });
        let SeededTests {
            seeded: Seeded { exploration, takers, also, untouched, unusable, lost },
            tests,
            unfit,
        } = found;
        let mut update = SuiteUpdate::default();
        let mut gone: BTreeMap<usize, UpdatedTest> = BTreeMap::new();
        let mut obsolete = |suite: &StoredSuite, index: usize, reason: String| {
            let told = told(&suite.manifest.tests[index], None, TestClass::Obsolete);
            gone.insert(index, UpdatedTest { reason: Some(reason.into()), ..told });
        };
        unfit.into_iter().for_each(|(index, why)| obsolete(self.suite, index, why));
        unusable.into_iter().for_each(|(seed, why)| obsolete(self.suite, tests[seed as usize], why));
        let cut = exploration.abandoned_states > 0;
        for seed in lost {
            let why = match cut {
                true => "its path was not reached within the limits",
                false => "an assumption of the program does not hold for it",
            };
            obsolete(self.suite, tests[seed as usize], why.to_owned());
        }
        let mut placed = OrderedTests::with_capacity(untouched.len() + exploration.paths.len());
        for &seed in &untouched {
            self.left_alone(tests[seed as usize], &mut placed)?;
        }
        let mut endings = placed.tests.iter().map(|each| each.entry.ending());
        let cut_before = endings.clone().any(|ending| ending == Some(OutcomeKind::Limit));
        let conclusive = |ending: Option<OutcomeKind>| ending.is_some_and(OutcomeKind::is_conclusive);
        update.complete = exploration.complete() && endings.all(conclusive);
        update.limits = exploration.limits.iter().copied().collect();
        if cut_before {
            update.limits.extend(&self.suite.manifest.limits);
            put_in_order(&mut update.limits);
        }
        let before = self.suite.manifest.limits.iter().copied();
        let hidden_before = before
            .filter(|limit| LimitKind::HIDING.contains(limit) && !untouched.is_empty())
            .collect::<Vec<_>>();
        let hiding: Vec<LimitKind> = exploration.needs.hiding().chain(hidden_before).collect();
        if !hiding.is_empty() {
            update.complete = false;
            update.limits.extend(hiding);
            put_in_order(&mut update.limits);
        }
        if !executed {
            self.carry_over(&mut update)?;
        }
        let counters = &exploration.counters;
        (update.states, update.queries, update.solved) =
            (counters.states, counters.queries, counters.solved());
        update.paths = untouched.len() + exploration.paths.len();
        self.explored((exploration, takers), also, &tests, &mut placed, &mut gone, &mut update);
        placed.sort();
        self.name(&mut placed);
        update.tests = placed.told;
        update.tests.extend(gone.into_values());
        update.find_ranges();
        Ok(UpdatedTests { tests: placed.tests, update })
    }

    /// Without an exploration, what the suite lacks is what it lacked.
    fn carry_over(&mut self, update: &mut SuiteUpdate) -> Result<(), SuiteError> {
        let manifest = &self.suite.manifest;
        update.complete = manifest.complete;
        update.limits.clone_from(&manifest.limits);
        update.concretised.clone_from(&manifest.concretised);
        for unsolved in &manifest.unsolved {
            let path = self.lines.walk(&unsolved.path)?.text();
            update.unsolved.push(UnsolvedPath { path, reason: unsolved.reason.clone() });
        }
        Ok(())
    }

    /// A test whose path the new version has as it was. One whose new outcome was not accepted so far still has
    /// another.
    fn left_alone(&mut self, index: usize, placed: &mut OrderedTests) -> Result<(), SuiteError> {
        let old = &self.suite.manifest.tests[index];
        let mut entry = old.clone();
        let walked = self.lines.walk(&old.path)?;
        if walked.is_moved() {
            entry.path = walked.text().into();
        }
        let choices = placed.add_choices(walked.choices().iter().copied());
        let mut content = FileContent::Old;
        let mut told = told(old, Some(entry.path.clone()), TestClass::Kept);
        if old.pending
            && let Ok(test) = self.suite.case(index)
            && let Some(now) = (self.observe)(&test)?
        {
            let now = self.converted(now);
            let outcome = now.outcome.clone();
            if let Some(now) = test_of(now, &old.name) {
                told.class = TestClass::Changed;
                told.after = Some(expectation(&now, &outcome).into());
                if self.accept {
                    (entry, content) = accepted(entry, now, told.after.clone());
                }
            }
        }
        placed.add(PathOrder { choices, identity: None }, UpdatedFile { entry, content }, told);
        Ok(())
    }

    /// The paths that were executed.
    fn explored(
        &mut self,
        (mut exploration, takers): (Exploration, Vec<incise_seeds::Takers>),
        also: Vec<(u32, Path)>,
        tests: &[usize],
        placed: &mut OrderedTests,
        gone: &mut BTreeMap<usize, UpdatedTest>,
        update: &mut SuiteUpdate,
    ) {
        // A path that an assumption cut is no path of the program.
        let paths = std::mem::take(&mut exploration.paths).into_iter().zip(takers);
        let paths = paths.filter(|(path, _)| path.outcome != Outcome::Discarded);
        update.concretised.extend(exploration.concretised.iter().map(|what| without_places(what)));
        let mut others: BTreeMap<Vec<u32>, Vec<(u32, Path)>> = BTreeMap::new();
        for (seed, path) in also {
            others.entry(ways(&path).collect()).or_default().push((seed, path));
        }
        let mut functions = Functions::of(self.program);
        for (path, of_path) in paths {
            let decisions = functions.decisions(&path);
            let choices = placed.add_choices(ways(&path));
            let met = (self.met)(path.note);
            if let Some(&first) = of_path.seeds.first() {
                let mut takers = PathTakers {
                    all: of_path.seeds.iter().map(|&seed| tests[seed as usize]).collect(),
                    as_expected: of_path.as_expected.map(|seed| tests[seed as usize]),
                    described: Vec::new(),
                    different: of_path.different,
                };
                if path.described {
                    takers.described.push((tests[first as usize], path));
                }
                if let Some(more) = others.remove(&placed.choices[choices.clone()]) {
                    let more = more.into_iter().map(|(seed, path)| (tests[seed as usize], path));
                    takers.described.extend(more);
                }
                let (test, told) = self.taken(takers, decisions, met, gone);
                placed.add(PathOrder { choices, identity: None }, test, told);
                continue;
            }
            let identity = identity(&path);
            let found = self.converted(path);
            let outcome = found.outcome.clone();
            match test_of(found, "") {
                Some(test) => {
                    let entry = added(&test, &outcome, decisions);
                    let told =
                        UpdatedTest { met, ..told(&entry, Some(entry.path.clone()), TestClass::Added) };
                    let test = UpdatedFile { entry, content: FileContent::New(Box::new(test)) };
                    placed.add(PathOrder { choices, identity: Some(identity) }, test, told);
                }
                None => {
                    let path = decisions.to_owned();
                    update.unsolved.push(UnsolvedPath { path, reason: ending(&outcome) });
                }
            }
        }
    }

    /// Which of the old tests that take a path stands for it: the first that still holds, or else the first.
    fn taken(
        &self,
        takers: PathTakers,
        decisions: &str,
        met: bool,
        gone: &mut BTreeMap<usize, UpdatedTest>,
    ) -> (UpdatedFile, UpdatedTest) {
        let PathTakers { all, as_expected, mut described, different } = takers;
        described.sort_by_key(|(index, _)| *index);
        // How the path ends for the first of them, and its test.
        let mut first = None;
        let mut valid = None;
        for (number, path) in described {
            let different = different && number == all[0];
            let now = self.converted(path);
            let outcome = now.outcome.clone();
            let now = test_of(now, &self.suite.manifest.tests[number].name);
            let still = || match (self.suite.case(number), &now) {
                (Ok(test), Some(now)) => still_holds(&test, now),
                _ => false,
            };
            // What was judged where the path ended is what its description says; then the file need not be read once
            // more.
            debug_assert!(
                !different || !still(),
                "{} was judged otherwise",
                self.suite.manifest.tests[number].name
            );
            let holds = !different && still();
            if holds {
                valid = Some(number);
                break;
            }
            first.get_or_insert((outcome, now));
        }
        let valid = valid.or(as_expected);
        let number = valid.unwrap_or(all[0]);
        let old = &self.suite.manifest.tests[number];
        for &other in all.iter().filter(|&&other| other != number) {
            let told = told(&self.suite.manifest.tests[other], None, TestClass::Redundant);
            gone.insert(other, UpdatedTest { reason: Some(old.name.clone()), met, ..told });
        }
        let path = if old.path == *decisions { old.path.clone() } else { decisions.into() };
        let mut told = UpdatedTest { met, ..told(old, Some(path.clone()), TestClass::Kept) };
        let mut entry = SuiteEntry { path, pending: false, ..old.clone() };
        let mut content = FileContent::Old;
        if let (None, Some((outcome, now))) = (valid, first) {
            told.class = TestClass::Changed;
            // How the path ends is known, whether or not the test expects it.
            entry.outcome = outcome.name().into();
            entry.pending = true;
            if let Some(now) = now {
                told.after = Some(expectation(&now, &outcome).into());
                if self.accept {
                    (entry, content) = accepted(entry, now, told.after.clone());
                }
            }
        }
        (UpdatedFile { entry, content }, told)
    }

    fn converted(&self, path: Path) -> FoundPath {
        incise_findings::path(path, 1)
    }

    /// Gives names to the tests that have none: those of tests that stay are taken.
    fn name(&self, placed: &mut OrderedTests) {
        let identities: Vec<u64> = placed.places.iter().filter_map(|place| place.identity).collect();
        if identities.is_empty() {
            return;
        }
        let told = placed.told.iter().zip(&placed.places);
        let taken: FxHashSet<&str> =
            told.filter(|(_, place)| place.identity.is_none()).map(|(told, _)| told.name.as_str()).collect();
        let mut names = names(&self.suite.manifest.entry, &identities, &taken).into_iter();
        let tests = placed.tests.iter_mut().zip(&mut placed.told).zip(&placed.places);
        for ((test, told), _) in tests.filter(|(_, place)| place.identity.is_some()) {
            let Some(name) = names.next() else { continue };
            told.name = name.as_str().into();
            test.entry.name = told.name.clone();
            if let FileContent::New(test) = &mut test.content {
                test.name = name;
            }
        }
    }
}

/// The line of a test that is new.
fn added(test: &TestCase, outcome: &Outcome, decisions: &str) -> SuiteEntry {
    SuiteEntry {
        name: SharedText::default(),
        path: decisions.into(),
        outcome: outcome.name().into(),
        expected: expectation(test, outcome).into(),
        origin: TestOrigin::Added,
        hash: SharedText::default(),
        pending: false,
    }
}

/// A test with its new outcome.
fn accepted(entry: SuiteEntry, now: TestCase, expected: Option<SharedText>) -> (SuiteEntry, FileContent) {
    let expected = expected.unwrap_or_default();
    (SuiteEntry { expected, pending: false, ..entry }, FileContent::New(Box::new(now)))
}

pub(crate) fn told(entry: &SuiteEntry, path: Option<SharedText>, class: TestClass) -> UpdatedTest {
    UpdatedTest {
        name: entry.name.clone(),
        path,
        class,
        met: false,
        before: entry.expected.clone(),
        after: None,
        reason: None,
    }
}

/// Each limit once, in the order of their names.
fn put_in_order(limits: &mut Vec<LimitKind>) {
    limits.sort_by_key(|limit| limit.name());
    limits.dedup();
}
