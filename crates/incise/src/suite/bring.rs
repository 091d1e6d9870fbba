//! Brings the tests of a suite over to another version: what becomes of each, and the tests that the new suite has.

use super::judge::still_holds;
use super::lines::Lines;
use super::paths::{Functions, identity, names};
use super::store::{APART, ending, expectation, is_apart, test_of, without_places};
use super::stored::StoredSuite;
use anyhow::Result;
use incise_exec::{Exploration, LimitKind, Outcome as Ended, Path};
use incise_ir::{FunctionId, Program};
use incise_report::suite::{SuiteEntry, TestOrigin, UnsolvedPath};
use incise_report::suite_update::{SuiteUpdate, TestClass, UpdatedTest};
use incise_report::{Outcome, Path as FoundPath, SharedText, TestCase};
use incise_seeds::Seeded;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::ops::Range;

/// What exploring the new version with the old tests found.
pub(crate) struct Found {
    pub(crate) seeded: Seeded,
    /// For each seed, the test of the old suite.
    pub(crate) tests: Vec<usize>,
    /// The tests that could not be seeds, and why.
    pub(crate) unfit: BTreeMap<usize, String>,
}

/// A test of the new suite.
pub(crate) struct BroughtTest {
    /// Its line in the manifest, but for the hash of a new file.
    pub(crate) entry: SuiteEntry,
    pub(crate) content: Content,
}

/// The file of a test of the new suite.
pub(crate) enum Content {
    /// As it is.
    Old,
    New(Box<TestCase>),
}

/// The new suite, and what to tell about it.
pub(crate) struct Brought {
    pub(crate) tests: Vec<BroughtTest>,
    pub(crate) update: SuiteUpdate,
}

/// The tests of the new suite, in any order, and what is told of each.
#[derive(Default)]
struct Placed {
    tests: Vec<BroughtTest>,
    told: Vec<UpdatedTest>,
    places: Vec<Place>,
    /// The choices of their paths, one after the other.
    choices: Vec<u32>,
}

/// The place of a test among the paths.
struct Place {
    /// The choices of its path, among those of all.
    choices: Range<usize>,
    /// What names it, if it has no name yet.
    identity: Option<u64>,
}

/// Brings tests over.
pub(crate) struct Bringer<'a> {
    pub(crate) suite: &'a StoredSuite,
    pub(crate) program: &'a Program,
    pub(crate) entry: FunctionId,
    pub(crate) lines: Lines<'a>,
    /// Whether new outcomes are written.
    pub(crate) accept: bool,
    /// Whether a path met the change.
    pub(crate) met: fn(u64) -> bool,
    /// What a test does now, for one that was not executed.
    pub(crate) observe: &'a dyn Fn(&TestCase) -> Result<Option<Path>>,
}

/// Which way a path went at each of its decisions, as numbers.
fn ways(path: &Path) -> impl Iterator<Item = u32> {
    path.decisions.iter().map(|decision| decision.number())
}

/// The old tests that take a path, in order.
struct Takers {
    all: Vec<usize>,
    /// The first with which everything is known to be as expected.
    as_expected: Option<usize>,
    /// Those before it of which more has to be known, and the first if there is none, with what happens.
    described: Vec<(usize, Path)>,
    /// Whether something is known to be different with the first.
    different: bool,
}

impl<'a> Bringer<'a> {
    /// What becomes of the tests. Without an exploration nothing changed that the tests could meet.
    pub(crate) fn bring(mut self, found: Option<Found>) -> Result<Brought> {
        let executed = found.is_some();
        let found = found.unwrap_or_else(|| Found {
            seeded: Seeded { untouched: (0..self.suite.len() as u32).collect(), ..Seeded::default() },
            tests: (0..self.suite.len()).collect(),
            unfit: BTreeMap::new(),
        });
        let Found { seeded: Seeded { exploration, takers, also, untouched, unusable, lost }, tests, unfit } =
            found;
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
        let mut placed = Placed::with_capacity(untouched.len() + exploration.paths.len());
        for &seed in &untouched {
            self.left_alone(tests[seed as usize], &mut placed)?;
        }
        let mut outcomes = placed.tests.iter().map(|each| each.entry.outcome.as_str());
        let cut_before = outcomes.clone().any(|outcome| outcome == "limit");
        let conclusive = ["returned", "exited", "error"];
        update.complete = exploration.complete() && outcomes.all(|outcome| conclusive.contains(&outcome));
        update.limits = exploration.limits.iter().map(|limit: &LimitKind| limit.name().to_owned()).collect();
        if cut_before {
            update.limits.extend(self.suite.manifest.limits.iter().cloned());
            update.limits.sort();
            update.limits.dedup();
        }
        let apart = self.suite.manifest.limits.iter().any(|limit| limit == APART);
        if is_apart(&exploration.needs) || apart && !untouched.is_empty() {
            update.complete = false;
            update.limits.push(APART.to_owned());
            update.limits.sort();
            update.limits.dedup();
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
        Ok(Brought { tests: placed.tests, update })
    }

    /// Without an exploration, what the suite lacks is what it lacked.
    fn carry_over(&mut self, update: &mut SuiteUpdate) -> Result<()> {
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

    /// A test whose path the new version has as it was. One whose new outcome was not accepted so far still has another.
    fn left_alone(&mut self, index: usize, placed: &mut Placed) -> Result<()> {
        let old = &self.suite.manifest.tests[index];
        let mut entry = old.clone();
        let walked = self.lines.walk(&old.path)?;
        if walked.is_moved() {
            entry.path = walked.text().into();
        }
        let choices = placed.add_choices(walked.choices().iter().copied());
        let mut content = Content::Old;
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
        placed.add(Place { choices, identity: None }, BroughtTest { entry, content }, told);
        Ok(())
    }

    /// The paths that were executed.
    fn explored(
        &mut self,
        (mut exploration, takers): (Exploration, Vec<incise_seeds::Takers>),
        also: Vec<(u32, Path)>,
        tests: &[usize],
        placed: &mut Placed,
        gone: &mut BTreeMap<usize, UpdatedTest>,
        update: &mut SuiteUpdate,
    ) {
        // A path that an assumption cut is no path of the program.
        let paths = std::mem::take(&mut exploration.paths).into_iter().zip(takers);
        let paths = paths.filter(|(path, _)| path.outcome != Ended::Discarded);
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
                let mut takers = Takers {
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
                placed.add(Place { choices, identity: None }, test, told);
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
                    let test = BroughtTest { entry, content: Content::New(Box::new(test)) };
                    placed.add(Place { choices, identity: Some(identity) }, test, told);
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
        takers: Takers,
        decisions: &str,
        met: bool,
        gone: &mut BTreeMap<usize, UpdatedTest>,
    ) -> (BroughtTest, UpdatedTest) {
        let Takers { all, as_expected, mut described, different } = takers;
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
            // What was judged where the path ended is what its description says; then the file need not be read once more.
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
        let mut content = Content::Old;
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
        (BroughtTest { entry, content }, told)
    }

    fn converted(&self, path: Path) -> FoundPath {
        crate::convert::path(self.program, self.entry, path, 1)
    }

    /// Gives names to the tests that have none: those of tests that stay are taken.
    fn name(&self, placed: &mut Placed) {
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
            if let Content::New(test) = &mut test.content {
                test.name = name;
            }
        }
    }
}

impl Placed {
    fn with_capacity(count: usize) -> Self {
        Self {
            tests: Vec::with_capacity(count),
            told: Vec::with_capacity(count),
            places: Vec::with_capacity(count),
            choices: Vec::new(),
        }
    }

    /// Keeps the choices of a path; tells where.
    fn add_choices(&mut self, choices: impl IntoIterator<Item = u32>) -> Range<usize> {
        let start = self.choices.len();
        self.choices.extend(choices);
        start..self.choices.len()
    }

    fn add(&mut self, place: Place, test: BroughtTest, told: UpdatedTest) {
        self.places.push(place);
        self.tests.push(test);
        self.told.push(told);
    }

    /// Brings the tests into the order of their paths, which is mostly the one that they are in.
    fn sort(&mut self) {
        let choices = |at: &usize| &self.choices[self.places[*at].choices.clone()];
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by(|left, right| choices(left).cmp(choices(right)));
        let mut targets = vec![0; order.len()];
        order.iter().enumerate().for_each(|(target, &from)| targets[from] = target);
        for at in 0..targets.len() {
            while targets[at] != at {
                let target = targets[at];
                self.places.swap(at, target);
                self.tests.swap(at, target);
                self.told.swap(at, target);
                targets.swap(at, target);
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
fn accepted(entry: SuiteEntry, now: TestCase, expected: Option<SharedText>) -> (SuiteEntry, Content) {
    let expected = expected.unwrap_or_default();
    (SuiteEntry { expected, pending: false, ..entry }, Content::New(Box::new(now)))
}

fn told(entry: &SuiteEntry, path: Option<SharedText>, class: TestClass) -> UpdatedTest {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_come_into_the_order_of_their_paths() {
        let mut state = 1_u32;
        let mut next = |below: usize| {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12345);
            (state >> 16) as usize % below
        };
        for count in 0..200 {
            let mut placed = Placed::default();
            let mut wanted = Vec::new();
            for number in 0..count {
                // Some are alike, and then stay in the order that they came in.
                let path: Vec<u32> = (0..next(6)).map(|_| next(3) as u32).collect();
                let choices = placed.add_choices(path.iter().copied());
                let entry = SuiteEntry {
                    name: number.to_string().into(),
                    path: SharedText::default(),
                    outcome: SharedText::default(),
                    expected: SharedText::default(),
                    origin: TestOrigin::Kept,
                    hash: SharedText::default(),
                    pending: false,
                };
                let told = told(&entry, None, TestClass::Kept);
                let place = Place { choices, identity: Some(number as u64) };
                placed.add(place, BroughtTest { entry, content: Content::Old }, told);
                wanted.push((path, number));
            }
            placed.sort();
            wanted.sort();
            assert_eq!(placed.tests.len(), count);
            for (at, (path, number)) in wanted.into_iter().enumerate() {
                let Place { choices, identity } = &placed.places[at];
                let name = number.to_string();
                assert_eq!((&placed.choices[choices.clone()], *identity), (&path[..], Some(number as u64)));
                assert_eq!((&*placed.tests[at].entry.name, &*placed.told[at].name), (&*name, &*name));
            }
        }
    }
}
