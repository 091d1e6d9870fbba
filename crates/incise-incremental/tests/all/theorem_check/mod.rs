//! What directed exploration guarantees, checked for one program in one scope: of the sequences that full exploration
//! finds, it reports each that meets the change exactly once and no other; and every input on which native runs of the
//! versions differ takes a reported sequence.
mod follow;

pub(crate) use follow::positions;
use follow::{Follower, Lines, alike};
use incise_change::{Impact, Scope, StatementGraph};
use incise_exec::{Config, Detail, ErrorKind, Outcome};
use incise_incremental::{ChangedPath, Directed, Kind, Statement, Subject, explore_change};
use incise_ir::{FunctionId, Program};
use incise_testing::judge::{Run, Trace};
use incise_testing::{Batch, Features, Input, Pair, batch, function_lines, hooks_with, program_in};
use std::collections::BTreeSet;
use std::path::Path;

/// A program with more paths than this is left out: it says nothing that a smaller one does not.
const MOST_PATHS: u64 = 1000;

pub(crate) fn explore(program: &Program, subject: &Subject<'_>, config: &Config, kind: Kind) -> Directed {
    let hooks = hooks_with(Detail::First(0));
    let mut config = config.clone();
    config.limits.time = std::time::Duration::from_secs(120);
    config.limits.paths = MOST_PATHS;
    explore_change(program, &config, &hooks, subject, kind, false).expect("it is explored")
}

/// What makes a reported path one of its own: the affected statements, and how the last of them fails.
pub(crate) type Key = (Vec<Statement>, Option<ErrorKind>);

pub(crate) fn key(path: &ChangedPath) -> Key {
    let kind = match &path.path.outcome {
        Outcome::Error(error) if path.fails => Some(error.kind),
        _ => None,
    };
    (path.sequence.clone(), kind)
}

/// What both versions of a program do natively on an input.
pub(crate) type Runs = Vec<(Input, Run, Run)>;

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    pub(crate) recursive: usize,
    pub(crate) unchanged: usize,
    pub(crate) large: usize,
    /// How often a line was split into statements that native runs do not tell apart.
    pub(crate) split: usize,
    pub(crate) affected: usize,
    pub(crate) paths: [usize; 2],
    pub(crate) states: [u64; 2],
    pub(crate) queries: [u64; 2],
    pub(crate) different_inputs: usize,
    pub(crate) paper_lost: usize,
    pub(crate) paper_twice: usize,
}

impl Tally {
    fn count(&mut self, full: &Directed, exact: &Directed) {
        for (index, found) in [exact, full].into_iter().enumerate() {
            self.paths[index] += found.paths.len();
            self.states[index] += found.exploration.counters.states;
            self.queries[index] += found.exploration.counters.queries;
        }
    }

    /// Prints what was counted, and checks that directed exploration was worth something.
    pub(crate) fn summary(&self) {
        let Self { programs, recursive, unchanged, large, split, affected, paths, states, queries, .. } =
            self;
        println!(
            "{programs} programs ({recursive} of them recursive), {unchanged} unchanged, {large} too large, {split} split, {affected} affected; \
             paths {paths:?}, states {states:?}, queries {queries:?} of all; {} different inputs; Figure 6 loses in {}, repeats in {}",
            self.different_inputs, self.paper_lost, self.paper_twice
        );
        assert!((large + split) * 20 < *programs, "few programs are left out");
        assert!(paths[0] < paths[1], "directed exploration leaves something out");
        assert!(states[0] < states[1], "directed exploration does less");
    }
}

/// Two versions of a file of random programs.
pub(crate) struct Check<'a> {
    pub(crate) seed: u64,
    pub(crate) old: &'a Program,
    pub(crate) new: &'a Program,
    lines: (Lines<'a>, Lines<'a>),
}

/// Checks the programs of a seed: what `work` does with each of them and with its native runs.
pub(crate) fn check_batch(
    features: &Features,
    seed: u64,
    (programs, inputs): (usize, usize),
    work: impl FnOnce(&Check<'_>, &Batch, &[Runs]),
) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let batch = batch(features, seed, programs);
    let runs = runs(folder.path(), &batch, inputs).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let old = program_in(folder.path(), "old", &batch.old);
    let new = program_in(folder.path(), "new", &batch.new);
    let lines = (function_lines(&batch.old), function_lines(&batch.new));
    work(&Check { seed, old: &old, new: &new, lines }, &batch, &runs);
}

fn runs(folder: &Path, batch: &Batch, most: usize) -> Result<Vec<Runs>, String> {
    let old = Trace::build(folder, "old", batch, &batch.old)?;
    let new = Trace::build(folder, "new", batch, &batch.new)?;
    let each = batch.pairs.iter().enumerate().map(|(number, pair)| {
        let calls: Vec<_> = pair.inputs(most).into_iter().map(|input| (number, input)).collect();
        let both = old.run(&calls)?.into_iter().zip(new.run(&calls)?);
        Ok(calls.into_iter().zip(both).map(|((_, input), (old, new))| (input, old, new)).collect())
    });
    each.collect()
}

impl Check<'_> {
    pub(crate) fn context(&self, pair: &Pair) -> String {
        format!("seed {}, {}", self.seed, pair.texts())
    }

    /// What is called unchanged does the same.
    pub(crate) fn unchanged(&self, pair: &Pair, runs: &Runs, tally: &mut Tally) {
        tally.unchanged += 1;
        for (input, old, new) in runs {
            assert!(
                old.same_behaviour(new),
                "called unchanged, differs on {input:?}\nold {old:?}\nnew {new:?}\n{}",
                self.context(pair)
            );
        }
    }

    /// Checks a program in a scope; `differ` says of two runs whether a path for them has to be reported. All sequences
    /// that meet the change, unless there are too many paths.
    pub(crate) fn scope(
        &self,
        impact: &Impact<'_>,
        (scope, entry): (&mut Scope<'_>, FunctionId),
        (pair, runs): (&Pair, &Runs),
        differ: &dyn Fn(&Run, &Run) -> bool,
        tally: &mut Tally,
    ) -> Option<BTreeSet<Key>> {
        let root = scope.root(entry);
        let subject = Subject::new(scope, root);
        let full = explore(self.new, &subject, &pair.config(), Kind::Full);
        if full.paths.len() as u64 >= MOST_PATHS {
            tally.large += 1;
            return None;
        }
        let exact = explore(self.new, &subject, &pair.config(), Kind::Exact);
        assert!(full.complete && exact.complete, "not complete\n{}", self.context(pair));
        assert_eq!(exact.exploration.diverged, 0, "diverged\n{}", self.context(pair));
        let feasible: BTreeSet<Key> = full.paths.iter().filter(|path| path.met).map(key).collect();
        let mut reported = BTreeSet::new();
        for path in &exact.paths {
            let key = key(path);
            assert!(feasible.contains(&key), "reported, but not feasible: {key:?}\n{}", self.context(pair));
            assert!(reported.insert(key.clone()), "reported twice: {key:?}\n{}", self.context(pair));
        }
        let lost: Vec<&Key> = feasible.difference(&reported).collect();
        assert!(lost.is_empty(), "lost: {lost:?}\nreported {reported:?}\n{}", self.context(pair));
        if self.has_split(&subject) {
            tally.split += 1;
        } else {
            self.native(impact, &subject, (pair, runs), &reported, differ, tally);
        }
        tally.affected += usize::from(!reported.is_empty());
        tally.count(&full, &exact);
        Some(feasible)
    }

    /// Whether statements were split because the other version has a part of one as a statement of its own.
    fn has_split(&self, subject: &Subject<'_>) -> bool {
        let mut functions = subject.scope.functions.iter();
        functions.any(|(&id, facts)| facts.graph.nodes.len() != StatementGraph::new(self.new, id).nodes.len())
    }

    /// No input on which the versions differ is called unaffected, and no statement that differs.
    fn native(
        &self,
        impact: &Impact<'_>,
        subject: &Subject<'_>,
        (pair, runs): (&Pair, &Runs),
        reported: &BTreeSet<Key>,
        differ: &dyn Fn(&Run, &Run) -> bool,
        tally: &mut Tally,
    ) {
        let sequences: BTreeSet<&[Statement]> = reported.iter().map(|(sequence, _)| &sequence[..]).collect();
        let in_old = Follower::of_old(subject, &self.lines.0, impact);
        let in_new = Follower::of_new(subject, &self.lines.1);
        for (input, old, new) in runs {
            let (before, after) = (in_old.follow(old), in_new.follow(new));
            assert!(
                alike((old, &before), (new, &after)),
                "unaffected statements differ: {input:?}\nold {:?}\nnew {:?}\n{}",
                before.unaffected,
                after.unaffected,
                self.context(pair)
            );
            if !differ(old, new) {
                continue;
            }
            tally.different_inputs += 1;
            assert!(
                sequences.contains(&after.affected[..]),
                "called unaffected: {input:?} takes {:?}\nold {old:?}\nnew {new:?}\nreported {reported:?}\n{}",
                after.affected,
                self.context(pair)
            );
        }
    }
}
