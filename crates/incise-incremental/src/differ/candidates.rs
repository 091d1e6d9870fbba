//! From pairs of paths to witnesses: who asks, who tries, who confirms.

use super::changes::{CameBy, NUMBER, set_of};
use super::{
    DifferingValue, FoundError, Judgement, OpenReason, PairCounts, Question, Sameness, Witness, assumed_away,
};
use super::{longer, special};
use incise_exec::{
    Assignment, Condition, Config, Conjunction, ExploreError, FullExploration, Given, Hooks, LimitKind, Note,
    Outcome, Path, Satisfiable, Session, Work,
};
use incise_ir::SourcePosition;
use incise_relate::{Concerned, Effort, Pair, Party, Relation, Seen};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// So many ways to differ are told apart.
const MOST_GROUPS: usize = 64;
/// So many pairs of paths that were cut are traced to their ends.
const MOST_OPEN: usize = 24;
/// So many inputs are tried before the solver is asked, and where it could not tell.
const TRIES: (u64, u64) = (48, 4000);
/// Up to so many values all are tried before the solver is asked, and where it could not tell.
const ALL: (u64, u64) = (1 << 12, 1 << 20);
/// So many inputs are traced where something is open.
const RANDOM: u64 = 48;
/// That is worth so much work.
const SEARCHING: Work = Work::about_milliseconds(4_000);
/// The instructions of a traced path: one that is still running then is taken to be endless.
const TRACED: u64 = 20_000_000;
/// After so many pairs of paths without a difference other paths are tried than those next to each other.
const LOST: u64 = 64;
/// Where a difference is known and not all ways to differ are looked for: after so many pairs of paths without a new
/// one the search ends, and not before so many times the pairs that it took to find the last.
const PATIENCE: (u64, u64) = (256, 4);
/// Where a question was too hard, so that nothing but a difference can settle it any more, others are worth so much.
const HOPING: Work = Work::about_milliseconds(8_000);
/// The lengths of inputs that are tried before longer ones are shown.
const SHORT: [u64; 6] = [1, 2, 3, 4, 6, 12];
/// It is worth so much to bring an input near to zero.
const NEARING: Work = Work::about_milliseconds(1_500);
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

/// What a run of both versions on one input told.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Tried {
    /// Something differs.
    Differs,
    /// Nothing does, or the input is of no interest.
    Nothing,
    /// One of them did not come to its end.
    Cut,
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
    /// Whether the time is shorter than was asked for, because a difference is known.
    hurried: bool,
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
                let (mut old, new) = (generous(question.old.1), generous(question.new.1));
                old.checks.note_overflow = true;
                (old, new)
            },
            witnesses: BTreeMap::new(),
            differing: BTreeSet::new(),
            specially: BTreeSet::new(),
            introduced: Bucket::new(),
            fixed: Bucket::new(),
            preexisting: Bucket::new(),
            bounds: BTreeSet::new(),
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
            hurried: false,
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
        self.witnesses.is_empty() && self.too_hard.is_some_and(|since| Work::since(since) > most)
    }

    /// The search ended with so many states left, because nothing moved any more.
    pub(super) fn gave_up(&mut self, left: u64) {
        if left > 0 {
            self.undecided.insert(OpenReason::GaveUp { left });
        }
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
            self.invalid(session, relation, &old, pair);
            return Ok(());
        }
        if new.is_cut() || old.is_cut() {
            self.leave_open(session, relation, (&old, &new), pair);
            return Ok(());
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
    fn leave_open(
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
        let (note, number) = (pair.leading.note, number(pair.leading.note));
        let compared = relation.compare(session, &mut pair, self.question.visible, &self.concerned);
        self.undecided.extend(compared.unsure.into_iter().map(OpenReason::from));
        self.notes.extend(compared.unmatched.iter().map(|name| only_in_one(name)));
        if pair.indeterminate {
            self.undecided.insert("what was never initialised is read".into());
        }
        if compared.leaves.is_empty() {
            self.pairs.identical += 1;
            return Ok(());
        }
        let oddities = pair.oddities(session);
        let (mut asked, mut plainly) = (Vec::new(), Vec::new());
        for leaf in &compared.leaves {
            let key = (number, leaf.seen, plain(&leaf.name));
            if self.differing.contains(&key) {
                continue;
            }
            plainly.push(leaf.plainly);
            asked.push(match self.specially.contains(&key) {
                true => special::without(session, leaf.plainly, &oddities),
                false => leaf.differs,
            });
        }
        if asked.is_empty() {
            self.pairs.unasked += 1;
            return Ok(());
        }
        let any = session.any(&asked);
        match can_hold(session, &pair, any) {
            Satisfiable::No => self.pairs.proved += 1,
            Satisfiable::Unknown(reason) => {
                self.pairs.open += 1;
                self.undecided.insert(format!("whether results are equal: {reason}").into());
            }
            Satisfiable::Yes(found) => {
                self.pairs.differing += 1;
                let plainly = session.any(&plainly);
                let seeming = special::ordinary(session, &pair.conditions, plainly, &oddities, &found);
                let (differs, found) = seeming.unwrap_or((any, found));
                let mut conditions = pair.conditions;
                session.add(&mut conditions, differs);
                if !self.confirm(session, note, relation, conditions, &found)? {
                    self.unconfirmed("a result");
                }
            }
        }
        Ok(())
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
        let reason =
            format!("a difference in {what} was predicted, and not seen when both versions ran on its input");
        self.undecided.insert(reason.into());
    }

    /// A path that the program did not bring to its end.
    fn cut(&mut self, outcome: &Outcome) {
        use LimitKind::{CopySize, Depth, InputSize, Instructions, Loop, ObjectSize, PointerDepth, Stack};
        let reason = match outcome {
            Outcome::Limit(
                limit @ (Loop | Depth | Instructions | Stack | PointerDepth | InputSize | ObjectSize
                | CopySize),
            ) => {
                self.bounds.insert(*limit);
                return;
            }
            Outcome::Limit(limit) => OpenReason::Stopped { limit: *limit, left: None },
            Outcome::Unsupported(what) => format!("not supported: {what}").into(),
            Outcome::External { function } => {
                format!("{function} is called, and has neither a body nor a model").into()
            }
            Outcome::Undecided(reason) => format!("whether a path is possible: {reason}").into(),
            _ => return,
        };
        self.undecided.insert(reason);
    }

    /// Makes a candidate readable, runs both versions on it, and keeps what differs. Whether something does.
    fn confirm(
        &mut self,
        session: &mut Session,
        note: Note,
        relation: &Relation<'_>,
        mut conditions: Conjunction,
        found: &Assignment,
    ) -> Result<bool, ExploreError> {
        if self.witnesses.len() >= MOST_GROUPS {
            self.notes.insert(format!("more than {MOST_GROUPS} ways to differ: not all are shown"));
            return Ok(true);
        }
        // Inputs that can be shown as a whole are better than those that go on beyond what was looked at.
        let mut found = found.clone();
        let whole = relation.whole();
        let shown = match session.holds(whole, &found) {
            true => Some(found.clone()),
            false => match session.satisfiable(&conditions, whole, &found) {
                Satisfiable::Yes(better) => Some(better),
                Satisfiable::No | Satisfiable::Unknown(_) => None,
            },
        };
        if let Some(better) = shown {
            session.add(&mut conditions, whole);
            found = better;
            // Short ones are better still.
            for most in SHORT {
                let short = relation.short(session, most);
                if let Satisfiable::Yes(shorter) = session.satisfiable(&conditions, short, &found) {
                    session.add(&mut conditions, short);
                    found = shorter;
                    break;
                }
            }
        }
        let found = &found;
        let simple = session.simplified(&conditions, found);
        let zeros = Assignment::given(Default::default());
        let until = self.question.new.1.limits.deadline_after(NEARING);
        let near = session.nearest(&conditions, &zeros, &simple, until);
        let near = session.simplified(&conditions, &near);
        Ok(self.shows(session, note, &near)? || self.shows(session, note, found)?)
    }

    /// Whether both versions differ on an input.
    fn shows(
        &mut self,
        session: &mut Session,
        note: Note,
        inputs: &Assignment,
    ) -> Result<bool, ExploreError> {
        Ok(self.try_input(session, note, inputs)? == Tried::Differs)
    }

    /// Runs both versions on an input, and keeps what differs.
    fn try_input(
        &mut self,
        session: &mut Session,
        note: Note,
        inputs: &Assignment,
    ) -> Result<Tried, ExploreError> {
        let (mut leading, mut following) = (FullExploration, FullExploration);
        let new = Party { program: self.question.new.0, config: &self.generous.1, strategy: &mut leading };
        let old = Party { program: self.question.old.0, config: &self.generous.0, strategy: &mut following };
        let (mut relation, pair) = Relation::trace(session, new, old, self.hooks, inputs)?;
        let Some(mut pair) = pair else {
            // A run that was stopped on its way has no end.
            let stopped = !relation.effort().limits.is_empty();
            return Ok(if stopped { Tried::Cut } else { Tried::Nothing });
        };
        if self.question.new.1.inputs.failures_alike && pair.fails_apart(session) {
            return Ok(Tried::Nothing);
        }
        let (new_outcome, old_outcome) = (pair.leading.outcome.clone(), pair.following.outcome.clone());
        let still =
            |outcome: &Outcome| matches!(outcome, Outcome::Limit(LimitKind::Instructions | LimitKind::Stack));
        let endless =
            still(&new_outcome) && !old_outcome.is_cut() || still(&old_outcome) && !new_outcome.is_cut();
        if old_outcome == Outcome::Discarded {
            return Ok(Tried::Nothing);
        }
        if !endless && (new_outcome.is_cut() || old_outcome.is_cut()) {
            return Ok(Tried::Cut);
        }
        if old_outcome.is_memory_error() && matches!(new_outcome, Outcome::Error(_)) {
            return Ok(Tried::Nothing);
        }
        let ends_alike = !endless && old_outcome.ends_like(&new_outcome);
        let (mut values, mut leaves) = (Vec::new(), Vec::new());
        if ends_alike {
            let compared =
                relation.compare(session, &mut pair, self.question.visible, &Concerned::everything());
            for leaf in compared.leaves {
                if session.holds(leaf.differs, &pair.assignment) && leaf.leading != leaf.following {
                    leaves.push(leaf.clone());
                    let (name, seen, old, new) = (leaf.name, leaf.seen, leaf.following, leaf.leading);
                    values.push(DifferingValue { name, seen, old, new });
                }
            }
            if values.is_empty() {
                return Ok(Tried::Nothing);
            }
        }
        let (new, old) = relation.describe(session, &mut pair);
        let place = relation.leading_end(&pair);
        let old_place = relation.following_end(&pair);
        drop(relation);
        let mut found = witness(old, new, values, pair.indeterminate);
        found.endless = endless;
        let oddities = pair.oddities(session);
        found.special = special::of(session, &oddities, &pair.assignment, &leaves);
        let way = match ends_alike {
            true => {
                WayToDiffer::Values(found.values.iter().map(|each| (each.seen, plain(&each.name))).collect())
            }
            false => WayToDiffer::Ending(ending(&old_outcome), ending(&new_outcome)),
        };
        for value in &found.values {
            let known = if found.special.is_some() { &mut self.specially } else { &mut self.differing };
            known.insert((number(note), value.seen, plain(&value.name)));
        }
        if !ends_alike {
            for (bucket, outcome, (position, stack)) in
                [(&mut self.introduced, &new_outcome, place), (&mut self.fixed, &old_outcome, old_place)]
            {
                if let Outcome::Error(error) = outcome {
                    let key = (error.kind.name().to_owned(), position.clone());
                    let (kind, message) = (error.kind, error.message.clone());
                    let witness = found.clone();
                    let found = FoundError { kind, message, position, stack, witness };
                    if bucket.get(&key).is_none_or(|(_, known)| is_better(&found.witness, &known.witness)) {
                        bucket.insert(key, (note, found));
                    }
                }
            }
        }
        let key = (number(note), way);
        if self.witnesses.get(&key).is_none_or(|(_, known)| is_better(&found, known)) {
            self.witnesses.insert(key, (note, found));
        }
        Ok(Tried::Differs)
    }

    /// Where something is open, inputs are run that may still show a difference.
    pub(super) fn search_on(&mut self, session: &mut Session) -> Result<(), ExploreError> {
        let until = self.question.new.1.limits.deadline_after(SEARCHING);
        let mut open = std::mem::take(&mut self.open);
        open.sort_by_key(|pair| !pair.one_ended);
        self.one_ended = open.first().is_some_and(|pair| pair.one_ended);
        for OpenPair { note, inputs, one_ended } in open {
            // A path that does not end takes as long as a path may take.
            if self.stopped() || until.passed().is_some() {
                break;
            }
            let simple = session.simplified(&session.conjunction([]), &inputs);
            let mut cut = false;
            for inputs in [&inputs, &simple] {
                cut |= self.stopped() || self.try_input(session, note, inputs)? == Tried::Cut;
            }
            if one_ended {
                self.one_ended = cut;
            }
            if cut && one_ended {
                break;
            }
        }
        let open = !self.undecided.is_empty() || !self.bounds.is_empty();
        for seed in 0..RANDOM {
            if !open || !self.witnesses.is_empty() || self.stopped() || until.passed().is_some() {
                break;
            }
            let inputs = session.random(seed);
            self.try_input(session, 0, &inputs)?;
        }
        Ok(())
    }

    fn stopped(&self) -> bool {
        self.hooks.interrupt.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// What was found. `met` tells where the change is that a path met first.
    pub(super) fn judgement(
        self,
        session: &Session,
        effort: Effort,
        unlike: &[String],
        met: impl Fn(Note) -> (u32, Option<SourcePosition>),
    ) -> Judgement {
        let mut undecided = self.undecided;
        let mut settled_early = self.settled_early;
        for limit in &effort.limits {
            if self.hurried && *limit == LimitKind::Work {
                settled_early = true;
                undecided.insert(OpenReason::ShortTime { left: effort.abandoned });
                continue;
            }
            let cut = [LimitKind::Time, LimitKind::Memory, LimitKind::Paths, LimitKind::Interrupt];
            if cut.contains(limit) {
                undecided.insert(OpenReason::Stopped { limit: *limit, left: Some(effort.abandoned) });
            }
            if *limit == LimitKind::Work {
                undecided.insert(OpenReason::GaveUp { left: effort.abandoned });
            }
        }
        let mut bounds = self.bounds;
        // That two inputs are not one and the same, or that something is not there, was not looked at otherwise.
        bounds.extend(effort.needs.hiding());
        let nothing_found = self.witnesses.is_empty() && self.introduced.is_empty() && self.fixed.is_empty();
        if self.valid == 0 && nothing_found && !(bounds.is_empty() && self.invalid.is_empty()) {
            undecided.insert(match bounds.is_empty() {
                true => {
                    "on all inputs that meet the change the old version itself goes wrong in memory".into()
                }
                false => OpenReason::NothingMeets { too_small: effort.needs.bounds() },
            });
        }
        if self.one_ended && nothing_found {
            let reason =
                "one version ends where the other still goes round a loop, and was not seen to end there";
            undecided.insert(reason.into());
        }
        if effort.diverged > 0 {
            undecided.insert("a branch that was left out had an influence after all".into());
        }
        undecided.extend(effort.concretised.iter().cloned().map(OpenReason::from));
        let mut notes = self.notes;
        notes.extend(
            unlike.iter().map(|name| format!("{name} is of another type, and taken to be independent")),
        );
        // What was guessed and then found on a path is one way to differ.
        let known: BTreeSet<WayToDiffer> =
            self.witnesses.keys().filter(|(number, _)| *number > 0).map(|(_, way)| way.clone()).collect();
        let mut witnesses = self.witnesses;
        witnesses.retain(|(number, way), _| *number > 0 || !known.contains(way));
        let mut witnesses: Vec<(Note, Witness)> = witnesses.into_values().collect();
        // What needs special numbers comes after the others.
        witnesses.sort_by_key(|(_, witness)| witness.special);
        let placed = |note: Note, mut witness: Witness| {
            witness.location = met(note).1;
            witness
        };
        let bucket = |bucket: Bucket| {
            let mut errors: Vec<(Note, FoundError)> = bucket.into_values().collect();
            errors.sort_by_key(|(_, error)| error.witness.special);
            errors
                .into_iter()
                .map(|(note, error)| FoundError { witness: placed(note, error.witness.clone()), ..error })
                .collect()
        };
        let mut judgement = Judgement {
            verdict: Sameness::Same,
            witnesses: witnesses.into_iter().map(|(note, witness)| placed(note, witness)).collect(),
            introduced: bucket(self.introduced),
            fixed: bucket(self.fixed),
            preexisting: bucket(self.preexisting),
            invalid: bucket(self.invalid),
            valid: self.valid,
            loops: 0,
            bounds,
            undecided,
            notes,
            pairs: self.pairs,
            effort,
            queries: session.queries(),
            composed: Vec::new(),
            partial: self.partial || !unlike.is_empty(),
            settled_early,
            unmet: None,
            cut: self.cut,
        };
        judgement.settle();
        judgement
    }
}

fn witness(old: Path, new: Path, values: Vec<DifferingValue>, indeterminate: bool) -> Witness {
    Witness { old, new, values, location: None, endless: false, indeterminate, special: None }
}

/// Whether a witness needs no special numbers, and another one of its kind does.
fn is_better(witness: &Witness, known: &Witness) -> bool {
    witness.special.is_none() && known.special.is_some()
}

/// The number of the change that a path met first.
fn number(note: Note) -> u32 {
    (note >> NUMBER) as u32
}

/// A name without its indices: elements of one array are one thing.
fn plain(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        match character {
            '[' => inside = true,
            ']' => inside = false,
            _ if inside => continue,
            _ => {}
        }
        plain.push(character);
    }
    plain
}

/// Whether a path was cut while it went round a loop, or deeper into calls.
fn goes_on(outcome: &Outcome) -> bool {
    use LimitKind::{Depth, Instructions, Loop, Stack};
    matches!(outcome, Outcome::Limit(Loop | Stack | Depth | Instructions))
}

/// Whether something can hold on a pair of paths: tried first, then asked, then tried harder.
fn can_hold(session: &mut Session, pair: &Pair, condition: Condition) -> Satisfiable {
    let (conditions, hint) = (&pair.conditions, &pair.assignment);
    let found = match session.guess(conditions, condition, hint, TRIES.0) {
        Some(found) => Satisfiable::Yes(found),
        None => match session.enumerate(conditions, condition, hint, ALL.0) {
            Some(found) => found,
            None => session.satisfiable(conditions, condition, hint),
        },
    };
    match found {
        Satisfiable::Unknown(reason) => {
            let all = session.enumerate(conditions, condition, hint, ALL.1);
            let guessed = || session.guess(conditions, condition, hint, TRIES.1).map(Satisfiable::Yes);
            all.or_else(guessed).unwrap_or(Satisfiable::Unknown(reason))
        }
        found => found,
    }
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
fn only_in_one(name: &str) -> String {
    match name.split_once('[') {
        Some((array, _)) => format!("elements of {array} are in one version only, and not compared"),
        None => format!("{name} is in one version only, and not compared"),
    }
}
