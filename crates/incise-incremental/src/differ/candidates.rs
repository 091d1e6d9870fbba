//! From pairs of paths to witnesses: who asks, who tries, who confirms.

mod judgement;
mod parts;
mod shorter;
mod tries;

use super::changes::{CameBy, NUMBER, set_of};
use super::open_reason::{CutEnd, NOT_SEEN};
use super::{DifferingValue, FoundError, OpenReason, PairCounts, Question, Witness, assumed_away};
use super::{longer, special};
use incise_exec::{
    Assignment, Config, ErrorKind, ExploreError, Given, Hooks, LimitKind, Note, Outcome, Path, Session, Work,
};
use incise_ir::SourcePosition;
use incise_relate::{Concerned, Pair, Relation, Seen};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// So many pairs of paths that were cut are traced to their ends.
const MOST_OPEN: usize = 24;
/// The instructions of a traced path: one that is still running then is taken to be endless.
const TRACED: u64 = 20_000_000;
/// After so many pairs of paths without a difference other paths are tried than those next to each other.
const LOST: u64 = 64;
/// Where a difference is known and not all ways to differ are looked for: after so many pairs of paths without a new
/// one the search ends, and not before so many times the pairs that it took to find the last.
const PATIENCE: (u64, u64) = (256, 4);
/// Where a question was too hard, so that nothing but a difference can settle it any more, others are worth so much.
const HOPING: Work = Work::about_milliseconds(5_000);
/// Each of them is worth so much: what is equal and hard to prove need not be proved any more.
const HOPING_EACH: (Duration, Work) = (Duration::from_secs(2), Work::about_milliseconds(1_000));
/// And so many of them that are too hard are enough.
const MOST_UNANSWERED: u32 = 4;
/// A path that is traced is worth so much.
const TRACING: Work = Work::about_milliseconds(20_000);

/// One way to differ.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum WayToDiffer {
    /// They end otherwise: the old and the new ending.
    Ending(String, String),
    /// They leave these behind differently.
    Values(BTreeSet<(Seen, String)>),
}

/// A way to differ, and the change that is met first.
type Group = (u32, WayToDiffer);

/// An error: kind, place.
type Bucket = BTreeMap<(String, Option<SourcePosition>), (Note, FoundError)>;

/// A pair of paths that was cut.
struct OpenPair {
    note: Note,
    inputs: Assignment,
    /// Whether one version came to its end where the other was still going on.
    one_ended: bool,
}

pub(super) struct PairJudge<'q> {
    question: &'q Question<'q>,
    hooks: &'q Hooks<'q>,
    /// What the change can concern.
    concerned: Concerned,
    /// The limits for inputs that are traced.
    generous: (Config, Config),
    witnesses: BTreeMap<Group, (Note, Witness)>,
    /// What is known to differ, by the change that is met first.
    differing: BTreeSet<(u32, Seen, String)>,
    /// The same, where nothing is known but a difference that needs special numbers.
    specially: BTreeSet<(u32, Seen, String)>,
    introduced: Bucket,
    fixed: Bucket,
    preexisting: Bucket,
    bounds: BTreeSet<LimitKind>,
    /// What only one version has and writes.
    one_sided: BTreeSet<String>,
    undecided: BTreeSet<OpenReason>,
    notes: BTreeSet<String>,
    /// Where the old version itself goes wrong in memory: such inputs are not compared.
    invalid: Bucket,
    /// Pairs of paths on valid inputs that came to their ends.
    valid: u64,
    open: Vec<OpenPair>,
    /// The inputs of paths that were cut.
    cut: Vec<Given>,
    /// The changes that paths of the old and of the new version came by.
    came_by: (CameBy, CameBy),
    pairs: PairCounts,
    /// Whether one version came to its end where the other was still going round a loop, and it is not known that this
    /// one ever does.
    one_ended: bool,
    /// Whether inputs were left out.
    partial: bool,
    /// Pairs that were looked at, and how many these were when something new was found last.
    looked: (u64, u64),
    settled_early: bool,
    /// What was done when a question turned out to be too hard.
    too_hard: Option<Work>,
    /// How many questions were too hard.
    unanswered: u32,
    /// Whether the time is shorter than was asked for, because a difference is known.
    hurried: bool,
    /// Watched parts that could not be decided, and why.
    open_parts: BTreeMap<String, String>,
    /// How many pairs of paths were looked at on inputs that were drawn.
    sampled: u32,
}

impl<'q> PairJudge<'q> {
    pub(super) fn new(question: &'q Question<'q>, hooks: &'q Hooks<'q>, concerned: Concerned) -> Self {
        let generous = |config: &Config| {
            let mut config = config.clone();
            config.limits.loop_iterations = u64::MAX;
            config.limits.depth = u64::MAX;
            config.limits.instructions = TRACED;
            config.limits.give_up_after(TRACING);
            config
        };
        Self {
            question,
            hooks,
            concerned,
            generous: {
                let (mut old, mut new) = (generous(question.old.1), generous(question.new.1));
                new.checks.note_indices = true;
                old.checks.note_overflow = true;
                old.checks.note_indices = true;
                (old, new)
            },
            witnesses: BTreeMap::new(),
            differing: BTreeSet::new(),
            specially: BTreeSet::new(),
            introduced: Bucket::new(),
            fixed: Bucket::new(),
            preexisting: Bucket::new(),
            bounds: BTreeSet::new(),
            one_sided: BTreeSet::new(),
            undecided: BTreeSet::new(),
            notes: BTreeSet::new(),
            invalid: Bucket::new(),
            valid: 0,
            open: Vec::new(),
            cut: Vec::new(),
            came_by: Default::default(),
            pairs: PairCounts::default(),
            one_ended: false,
            partial: false,
            looked: (0, 0),
            settled_early: false,
            too_hard: None,
            unanswered: 0,
            hurried: false,
            open_parts: BTreeMap::new(),
            sampled: 0,
        }
    }

    /// Looks at a pair of paths.
    pub(super) fn pair(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        pair: Pair,
    ) -> Result<(), ExploreError> {
        let before = self.findings();
        self.compare(session, relation, pair)?;
        self.looked.0 += 1;
        if self.too_hard.is_none() && !self.undecided.is_empty() {
            self.too_hard = Some(Work::done());
            if !self.question.all_ways && self.question.watched.is_none() {
                let (time, work) = HOPING_EACH;
                session.solver.limit_questions(time, self.question.new.1.limits.worth(work));
            }
        }
        if self.findings() > before {
            self.looked.1 = self.looked.0;
        }
        Ok(())
    }

    /// Tries inputs before anything is explored; says whether one of them differs. `change` is the note of paths that
    /// meet the change, if there is only one.
    pub(super) fn guess(
        &mut self,
        session: &mut Session,
        guesses: &[Given],
        change: Option<Note>,
    ) -> Result<bool, ExploreError> {
        for guess in guesses {
            if self.stopped()
                || session.solver.is_late()
                || self.shows(session, change.unwrap_or(0), &Assignment::given(guess.clone()))?
            {
                break;
            }
        }
        self.hurried = self.knows_a_difference() && !self.question.all_ways;
        Ok(self.knows_a_difference())
    }

    pub(super) fn knows_a_difference(&self) -> bool {
        !self.witnesses.is_empty()
    }

    /// Ways to differ, and errors.
    fn findings(&self) -> usize {
        self.witnesses.len() + self.introduced.len() + self.fixed.len() + self.preexisting.len()
    }

    /// Whether enough paths that were cut are known: what is behind them is looked for by other inputs.
    pub(super) fn knows_cuts(&self) -> bool {
        self.open.len() >= MOST_OPEN && !self.question.all_ways
    }

    /// Notes how paths of the new version ended that were not looked at further.
    pub(super) fn left_alone(&mut self, (outcomes, count): (&[Outcome], u64)) {
        self.pairs.open += count;
        outcomes.iter().for_each(|outcome| self.cut(outcome));
    }

    /// The changes that paths of the old and of the new version came by.
    pub(super) fn came_by(&self) -> (&CameBy, &CameBy) {
        (&self.came_by.0, &self.came_by.1)
    }

    /// Whether many pairs were looked at, and no difference was found.
    pub(super) fn is_lost(&self) -> bool {
        self.witnesses.is_empty() && self.looked.0 >= LOST
    }

    /// Whether the versions differ, and nothing new was found for long.
    pub(super) fn is_settled(&self) -> bool {
        let (all, last) = self.looked;
        !self.witnesses.is_empty() && all - last >= PATIENCE.0.max(PATIENCE.1 * last)
    }

    /// Whether a question was too hard for a proof, and no difference was found for long after it.
    pub(super) fn is_hopeless(&self) -> bool {
        let most = self.question.new.1.limits.worth(HOPING);
        let long = self.too_hard.is_some_and(|since| Work::since(since) > most);
        self.witnesses.is_empty() && (long || self.unanswered >= MOST_UNANSWERED)
    }

    /// Whether a question was too hard, and no difference is known.
    pub(super) fn is_stuck(&self) -> bool {
        self.witnesses.is_empty() && self.unanswered > 0
    }

    /// The search ended with so many states left, because nothing moved any more.
    pub(super) fn gave_up(&mut self, left: u64) {
        if left > 0 {
            self.undecided.insert(OpenReason::GaveUp { left });
        }
    }

    /// The search ended with so many states left, because it would not have come to its end.
    pub(super) fn was_too_slow(&mut self, percent: u32, left: u64) {
        self.undecided.insert(OpenReason::TooSlow { percent, left });
    }

    /// The search ended with so many states left, because it is settled that the versions differ.
    pub(super) fn ended_early(&mut self, left: u64) {
        if left > 0 {
            self.settled_early = true;
            let since = self.looked.0 - self.looked.1;
            self.undecided.insert(OpenReason::NothingNew { pairs: since, left });
        }
    }

    fn compare(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        mut pair: Pair,
    ) -> Result<(), ExploreError> {
        let note = pair.leading.note;
        let (new, old) = (pair.leading.outcome.clone(), pair.following.outcome.clone());
        if let Some(both) = assumed_away(&pair) {
            if !both {
                let which = if old == Outcome::Discarded { "old" } else { "new" };
                self.notes
                    .insert(format!("inputs that only the {which} version assumes away are not compared"));
                self.partial = true;
            }
            return Ok(());
        }
        if self.question.new.1.inputs.failures_alike && pair.fails_apart(session) {
            return Ok(());
        }
        if old.is_memory_error() && (new.is_cut() || matches!(new, Outcome::Error(_))) {
            self.came_by.0.invalid.insert(set_of(pair.following.note));
            self.came_by.1.invalid.insert(set_of(note));
            self.pairs.wild += u64::from(!ends_at_null(&old) || !ends_at_null(&new));
            self.invalid(session, relation, &old, pair);
            return Ok(());
        }
        if new.is_cut() || old.is_cut() {
            self.leave_pair_open(session, relation, (&old, &new), pair);
            return Ok(());
        }
        if pair.accesses_devices() {
            self.notes.insert(
                "devices are taken to give the same in both versions where they are accessed alike, and to leave memory \
                 alone"
                    .into(),
            );
        }
        self.valid += 1;
        self.came_by.0.compared.insert(set_of(pair.following.note));
        self.came_by.1.compared.insert(set_of(note));
        if !old.ends_like(&new) {
            return self.compare_ends(session, relation, (&old, &new), pair);
        }
        if let Outcome::Error(error) = &new {
            let (position, stack) = relation.leading_end(&pair);
            let key = (error.kind.name().to_owned(), position.clone());
            if let Entry::Vacant(entry) = self.preexisting.entry(key) {
                let (new, old) = relation.describe(session, &mut pair);
                let (kind, message) = (error.kind, error.message.clone());
                let witness = witness(old, new, Vec::new(), pair.indeterminate);
                let found = FoundError { kind, message, position, stack, witness };
                entry.insert((note, found));
            }
        }
        self.compare_results(session, relation, pair)
    }

    /// One of the two was cut: nothing is known of the pair. Its inputs are kept, and may be traced to their ends.
    fn leave_pair_open(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (old, new): (&Outcome, &Outcome),
        mut pair: Pair,
    ) {
        self.pairs.open += 1;
        self.came_by.0.open.insert(set_of(pair.following.note));
        self.came_by.1.open.insert(set_of(pair.leading.note));
        for outcome in [new, old] {
            self.cut(outcome);
        }
        let undecided = [new, old].iter().any(|outcome| matches!(outcome, Outcome::Undecided(_)));
        if self.open.len() < MOST_OPEN && !undecided {
            let (path, _) = relation.describe(session, &mut pair);
            self.cut.push(longer::given(&path));
            let one_ended = goes_on(new) && !old.is_cut() || goes_on(old) && !new.is_cut();
            self.open.push(OpenPair { note: pair.leading.note, inputs: pair.assignment, one_ended });
        }
    }

    /// They end otherwise: a difference, if it is confirmed and not one that is known.
    fn compare_ends(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (old, new): (&Outcome, &Outcome),
        mut pair: Pair,
    ) -> Result<(), ExploreError> {
        let (note, number) = (pair.leading.note, number(pair.leading.note));
        self.pairs.differing += 1;
        let way = WayToDiffer::Ending(ending(old), ending(new));
        let place = relation.leading_end(&pair).0.filter(|_| matches!(new, Outcome::Error(_)));
        let known = self.witnesses.contains_key(&(number, way.clone()))
            && self.introduced.keys().all(|(_, known)| *known == place);
        let key = (number, way);
        let special = self.witnesses.get(&key).is_some_and(|(_, known)| known.special.is_some());
        if known && !special && !matches!(new, Outcome::Error(_)) {
            return Ok(());
        }
        let oddities = pair.oddities(session);
        let always = session.any(&[]);
        let always = session.negation(always);
        let seeming = special::ordinary(session, &pair.conditions, always, &oddities, &pair.assignment);
        if let Some((seeming, found)) = seeming {
            session.add(&mut pair.conditions, seeming);
            pair.assignment = found;
        } else if known && !matches!(new, Outcome::Error(_)) {
            return Ok(());
        }
        if !self.confirm(session, note, relation, pair.conditions, &pair.assignment)? {
            self.unconfirmed("how they end");
        }
        Ok(())
    }

    /// They end alike: do they leave the same behind?
    fn compare_results(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        mut pair: Pair,
    ) -> Result<(), ExploreError> {
        let compared = relation.compare(session, &mut pair, self.question.visible, &self.concerned);
        self.undecided.extend(compared.unsure.into_iter().map(OpenReason::from));
        self.notes.extend(compared.unmatched.iter().map(|name| only_in_one(name)));
        self.one_sided.extend(compared.one_sided);
        if pair.indeterminate {
            self.undecided.insert("what was never initialised is read".into());
        }
        if compared.leaves.is_empty() {
            self.pairs.identical += 1;
            return Ok(());
        }
        self.parts(session, relation, pair, compared.leaves)
    }

    /// The old version goes wrong in memory, and the new one does not come to a good end either: the function was not
    /// made for such inputs.
    fn invalid(&mut self, session: &mut Session, relation: &mut Relation<'_>, old: &Outcome, mut pair: Pair) {
        self.pairs.invalid += 1;
        let Outcome::Error(error) = old else { return };
        let (position, stack) = relation.following_end(&pair);
        let key = (error.kind.name().to_owned(), position.clone());
        if let Entry::Vacant(entry) = self.invalid.entry(key) {
            let note = pair.leading.note;
            let (new, old) = relation.describe(session, &mut pair);
            let witness = witness(old, new, Vec::new(), pair.indeterminate);
            let (kind, message) = (error.kind, error.message.clone());
            entry.insert((note, FoundError { kind, message, position, stack, witness }));
        }
    }

    fn unconfirmed(&mut self, what: &str) {
        self.undecided.insert(not_seen(what).into());
    }

    /// A path that the program did not bring to its end.
    fn cut(&mut self, outcome: &Outcome) {
        match CutEnd::of(outcome, "a path") {
            CutEnd::Bound(limit) => drop(self.bounds.insert(limit)),
            CutEnd::Open(reason) => drop(self.undecided.insert(reason)),
            CutEnd::Whole => {}
        }
    }

    fn stopped(&self) -> bool {
        self.hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed)
    }
}

pub(super) fn witness(old: Path, new: Path, values: Vec<DifferingValue>, indeterminate: bool) -> Witness {
    let (location, special, only, ways) = (None, None, None, (None, None));
    Witness { old, new, values, location, endless: false, indeterminate, special, only, ways }
}

/// Whether a path ends with an access through a null pointer.
pub(super) fn ends_at_null(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Error(error) if error.kind == ErrorKind::NullPointer)
}

/// What is said of a difference that was found, and not seen.
fn not_seen(what: &str) -> String {
    format!("a difference in {what} {NOT_SEEN}")
}

/// The number of the change that a path met first.
fn number(note: Note) -> u32 {
    (note >> NUMBER) as u32
}

/// Whether a path was cut while it went round a loop, or deeper into calls.
fn goes_on(outcome: &Outcome) -> bool {
    use LimitKind::{Depth, Instructions, Loop, Stack};
    matches!(outcome, Outcome::Limit(Loop | Stack | Depth | Instructions))
}

/// How a path ends, in a word.
fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Error(error) => error.kind.name().to_owned(),
        Outcome::Returned => "returned".to_owned(),
        Outcome::Exited { .. } => "exited".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What is said of a part that only one version has: the elements of an array are told together.
pub(super) fn only_in_one(name: &str) -> String {
    match name.split_once('[') {
        Some((array, _)) => format!("elements of {array} are in one version only, and not compared"),
        None => format!("{name} is in one version only, and not compared"),
    }
}
