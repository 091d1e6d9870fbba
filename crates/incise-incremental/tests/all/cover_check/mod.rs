//! Compares what directed exploration covers with what full exploration does, for each criterion.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part of this")]

use incise_change::{Effects, Impact, Rules, Scope};
use incise_exec::{Config, Detail, Exploration, Hooks, Strategy, explore_with};
use incise_incremental::cover::{BLURRED, Fragments, Goals};
use incise_incremental::{
    ChangedPath, Covered, Criterion, Kind, Obligation, ObligationStatus, Plan, Statement, Subject,
};
use incise_incremental::{explore_change, explore_cover};
use incise_ir::FunctionId;
pub(crate) use incise_testing::program_in as program;
use incise_testing::{Pair, hooks_with};
use std::collections::BTreeSet;

/// A program with more paths than this is left out: it says nothing that a smaller one does not.
const MOST_PATHS: u64 = 200;

pub fn hooks() -> Hooks<'static> {
    hooks_with(Detail::First(0))
}

/// What was found and what it took, by criterion.
#[derive(Default, Debug)]
pub struct Tally {
    subjects: usize,
    obligations: [usize; 5],
    covered: [usize; 5],
    certain: usize,
    paths: [usize; 5],
    states: [u64; 5],
    queries: [u64; 5],
    full_paths: usize,
    full_states: u64,
    full_queries: u64,
}

struct Check<'a> {
    config: &'a Config,
    subject: &'a Subject<'a>,
    effects: &'a Effects,
    context: &'a dyn Fn() -> String,
}

impl Check<'_> {
    fn full(&self, strategy: &mut dyn Strategy) -> Exploration {
        explore_with(self.subject.program, self.config, &hooks(), strategy).expect("it is explored")
    }

    fn all(&self, tally: &mut Tally) {
        let full =
            explore_change(self.subject.program, self.config, &hooks(), self.subject, Kind::Full, false)
                .expect("it is explored");
        if full.paths.len() as u64 >= MOST_PATHS {
            return;
        }
        tally.subjects += 1;
        tally.full_paths += full.paths.len();
        tally.full_states += full.exploration.counters.states;
        tally.full_queries += full.exploration.counters.queries;
        let executed: BTreeSet<Statement> =
            full.paths.iter().flat_map(|path| path.sequence.iter().copied()).collect();
        let combinations = self.combinations();
        for (number, criterion) in Criterion::ALL.into_iter().enumerate() {
            let plan = Plan::new(self.subject, self.effects, criterion);
            let expected = match criterion {
                Criterion::PathFragment => combinations.iter().cloned().map(Obligation::Fragments).collect(),
                _ => self.expected(&plan),
            };
            self.cross_check(&plan, &expected, &executed, &combinations);
            let found =
                explore_cover(self.config, &hooks(), &plan, &BTreeSet::new()).expect("it is explored");
            self.compare(&found, &expected);
            assert!(
                found.directed.exploration.counters.states <= full.exploration.counters.states,
                "{} takes {} states, full exploration {}\n{}",
                criterion.name(),
                found.directed.exploration.counters.states,
                full.exploration.counters.states,
                (self.context)()
            );
            tally.obligations[number] += found.obligations.len();
            tally.covered[number] += expected.len();
            tally.certain += expected
                .iter()
                .filter(|each| matches!(each, Obligation::DataFlow(flow) if flow.certain))
                .count();
            tally.paths[number] += found.directed.paths.len();
            tally.states[number] += found.directed.exploration.counters.states;
            tally.queries[number] += found.directed.exploration.counters.queries;
        }
    }

    /// The combinations of all paths, those without a fragment aside.
    fn combinations(&self) -> BTreeSet<Vec<(Statement, usize)>> {
        let mut fragments = Fragments::new(self.subject);
        let paths = self.full(&mut fragments).paths;
        paths.iter().map(|path| fragments.taken(path.note)).filter(|taken| !taken.is_empty()).collect()
    }

    /// What all paths together cover.
    fn expected(&self, plan: &Plan<'_>) -> BTreeSet<Obligation> {
        let mut looking = Goals::looking_on(plan);
        let paths = self.full(&mut looking).paths;
        let covered = paths.iter().flat_map(|path| looking.covered_by(path.note));
        covered.map(|&index| plan.obligations()[index as usize].clone()).collect()
    }

    /// What looking on says is what the strategies of other techniques say.
    fn cross_check(
        &self,
        plan: &Plan<'_>,
        covered: &BTreeSet<Obligation>,
        executed: &BTreeSet<Statement>,
        combinations: &BTreeSet<Vec<(Statement, usize)>>,
    ) {
        let sides: BTreeSet<(Statement, usize)> = combinations.iter().flatten().copied().collect();
        for obligation in plan.obligations() {
            let expected = match obligation {
                Obligation::Statement(statement) => executed.contains(statement),
                Obligation::Block(function, block, _) => {
                    let graph = &self.subject.scope.facts(*function).graph;
                    let here =
                        |(other, node): &Statement| other == function && graph.node(*node).block == *block;
                    executed.iter().any(here)
                }
                Obligation::Side(statement, side) => sides.contains(&(*statement, *side)),
                _ => continue,
            };
            assert_eq!(covered.contains(obligation), expected, "{obligation:?}\n{}", (self.context)());
        }
    }

    fn compare(&self, found: &Covered, expected: &BTreeSet<Obligation>) {
        let name = found.criterion.name();
        let mut covered = BTreeSet::new();
        for (obligation, status) in &found.obligations {
            match status {
                ObligationStatus::Covered(path) => {
                    let path = path.and_then(|path| found.directed.paths.get(path));
                    assert!(path.is_some(), "{name}: by no path\n{}", (self.context)());
                    assert!(
                        covered.insert(obligation.clone()),
                        "{name}: twice {obligation:?}\n{}",
                        (self.context)()
                    );
                }
                ObligationStatus::Unreachable
                | ObligationStatus::Infeasible
                | ObligationStatus::NotAsTaken(_) => {}
                ObligationStatus::NotReached(why) if why.len() == 1 && why.contains(BLURRED) => {}
                ObligationStatus::NotReached(why) => {
                    panic!("{name}: {obligation:?} {why:?}\n{}", (self.context)())
                }
            }
        }
        let lost: Vec<_> = expected.difference(&covered).collect();
        let more: Vec<_> = covered.difference(expected).collect();
        assert!(
            lost.is_empty() && more.is_empty(),
            "{name}: lost {lost:?}, more {more:?}\n{}",
            (self.context)()
        );
        assert!(
            found.open.is_empty() && found.directed.complete,
            "{name}: not complete\n{}",
            (self.context)()
        );
        assert_eq!(found.directed.exploration.diverged, 0, "{name}: diverged\n{}", (self.context)());
        for (path, covers) in found.by_path().iter().enumerate() {
            assert!(!covers.is_empty(), "{name}: path {path} covers nothing new\n{}", (self.context)());
        }
    }
}

pub fn config(entry: &str) -> Config {
    let mut config = Config::new(entry);
    config.limits.time = std::time::Duration::from_secs(120);
    config.limits.paths = MOST_PATHS;
    config
}

/// How a random program is explored.
pub fn limited(pair: &Pair) -> Config {
    Config { inputs: pair.config().inputs, ..config(&pair.entry()) }
}

pub fn with_scope(
    mut scope: Scope<'_>,
    entry: FunctionId,
    effects: &Effects,
    config: &Config,
    context: &dyn Fn() -> String,
    tally: &mut Tally,
) {
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    Check { config, subject: &subject, effects, context }.all(tally);
}

pub fn summary(tally: &Tally) {
    println!("{tally:?}");
    for number in 0..5 {
        assert!(tally.covered[number] > 0 && tally.covered[number] <= tally.obligations[number]);
        assert!(tally.paths[number] < tally.full_paths, "few paths are needed");
        assert!(tally.states[number] < tally.full_states, "directed exploration does less");
    }
    assert!(tally.covered[0] < tally.obligations[0], "some statements cannot be executed");
    assert!(
        tally.paths[0] < tally.paths[2] && tally.paths[0] < tally.paths[3],
        "criteria are of different strength"
    );
}

/// What covers the change from one version to the other in the function `f`, and the conditions of the paths.
pub fn cover(old: &str, new: &str, criterion: Criterion) -> (Covered, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (old, new) = (program(folder.path(), "old", old), program(folder.path(), "new", new));
    let impact = Impact::new(&old, &new, Rules::Closed, false);
    let effects = impact.effects.as_ref().expect("a change");
    let entry = new.function_named("f").expect("the entry");
    let mut scope = impact.below(&[entry], effects, Rules::Closed);
    let root = scope.root(entry);
    let subject = Subject::new(&scope, root);
    let plan = Plan::new(&subject, effects, criterion);
    let hooks = Hooks { detail: Detail::All, ..hooks() };
    let found = explore_cover(&config("f"), &hooks, &plan, &BTreeSet::new()).expect("it is explored");
    let condition = |path: &ChangedPath| {
        let constraints: Vec<&str> = path.path.condition.iter().map(|each| each.text.as_str()).collect();
        constraints.join(" && ")
    };
    let mut conditions: Vec<String> = found.directed.paths.iter().map(condition).collect();
    conditions.sort();
    (found, conditions)
}

/// Whether every obligation is covered.
pub fn all_covered(found: &Covered) -> bool {
    found.obligations.iter().all(|(_, status)| matches!(status, ObligationStatus::Covered(Some(_))))
}
