//! What a change does to a program with threads: the sets of outcomes of both versions, compared for every input.
//!
//! Section 'Outcomes' of Conc-iSE as we have it: with threads a program has a set of outcomes for each input, and two
//! versions do the same if for every input the sets are equal. Both versions are explored on the same symbols, one
//! execution for each order of events that matters (see [`incise_relate::Outcomes`]). For an outcome `i` of one version
//! with the condition `pc_i`, the other version cannot end that way on an input that satisfies `pc_i` and, for each of
//! its outcomes `j`, `not (pc_j and same outcome)`. Executions are finitely many, so no quantifier is needed. The
//! question is asked in both directions.
//!
//! An answer is only a candidate: both versions are explored once more on its input alone, with nothing symbolic and
//! larger limits. What one set has there and the other has not is a difference, with the schedule that leads to it;
//! that the other version cannot end that way is proved by that exploration, which has to be complete for it. So a
//! version that was not explored to its end can make the verdict undecided, and never makes a difference that is none.
//!
//! The paper asks only whether an error can be reached; it has no verdict.

mod confirm;
mod met;
mod places;
mod races;

use super::open_reason::CutEnd;
use super::{DEEPEST, FoundError, Judgement, LONGEST, OpenReason, PairCounts, Question, Witness};
use confirm::Shown;
use incise_exec::{
    Assignment, Condition, Config, ErrorKind, ExploreError, Hooks, LimitKind, Outcome, Race, Satisfiable,
    Session, StackFrame,
};
use incise_ir::SourcePosition;
use incise_relate::{Execution, OutcomeGroup, Outcomes, Party, Relation};
use met::Meeting;
use places::Places;
use std::collections::{BTreeMap, BTreeSet};

/// One of the versions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Version {
    /// The old one.
    Old,
    /// The new one.
    New,
}

/// That only one version can end in some way on an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Only {
    /// Which.
    pub version: Version,
    /// How many executions the other version has on that input: all of them were explored, and none ends that way.
    pub executions: u64,
    /// In how many ways these end.
    pub outcomes: u64,
}

/// What was found of threads.
#[derive(Clone, Debug, Default)]
pub struct ThreadsFound {
    /// The executions of the old and of the new version: one for each order of events that matters.
    pub executions: (u64, u64),
    /// The ways in which these end.
    pub outcomes: (u64, u64),
    /// Data races that only the new version has.
    pub introduced: Vec<Race>,
    /// Data races that only the old version has.
    pub fixed: Vec<Race>,
    /// Data races of both.
    pub preexisting: Vec<Race>,
}

/// One way to differ: who, how it ends, and what is not the same.
type Way = (Version, String, BTreeSet<String>);

/// So many ways to differ are told apart.
const MOST_WAYS: usize = 32;

struct ThreadJudge<'q> {
    question: &'q Question<'q>,
    hooks: &'q Hooks<'q>,
    places: Places<'q>,
    witnesses: BTreeMap<Way, Witness>,
    introduced: BTreeMap<(String, Option<SourcePosition>), FoundError>,
    fixed: BTreeMap<(String, Option<SourcePosition>), FoundError>,
    preexisting: BTreeMap<(String, Option<SourcePosition>), FoundError>,
    bounds: BTreeSet<LimitKind>,
    /// What only one version has and writes.
    one_sided: BTreeSet<String>,
    undecided: BTreeSet<OpenReason>,
    notes: BTreeSet<String>,
    pairs: PairCounts,
    partial: bool,
    /// The endings of which an input was looked at: more of them are more of the same.
    seen: BTreeSet<(Version, String)>,
}

/// Compares two versions of which one at least starts threads.
pub(super) fn compared(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Judgement, ExploreError> {
    let [old_config, new_config] = [question.old.1, question.new.1].map(bounded);
    let mut session = Session::new(question.new.1, &hooks.interrupt).with_time_of(question.new.1);
    let places = Places::new(question.old.0, question.new.0);
    let (mut leading, mut following) = Meeting::both(&places);
    let new_party = Party { program: question.new.0, config: &new_config, strategy: &mut leading };
    let old_party = Party { program: question.old.0, config: &old_config, strategy: &mut following };
    let mut relation = Relation::new(&mut session, new_party, old_party, hooks)?;
    let (new, old) = relation.outcomes(&mut session, &question.visible);
    let mut judge = ThreadJudge::new(question, hooks, places);
    judge.limits(&new);
    judge.limits(&old);
    judge.domains(&mut session, &relation, (&new, &old));
    for version in [Version::New, Version::Old] {
        judge.direction(&mut session, &mut relation, (&new, &old), version)?;
    }
    judge.pairs.identical += u64::from(judge.pairs == PairCounts::default());
    relation.count_pairs(judge.pairs.identical + judge.pairs.proved + judge.pairs.differing);
    let mut found = ThreadsFound {
        executions: (old.executions, new.executions),
        outcomes: (old.groups.len() as u64, new.groups.len() as u64),
        ..ThreadsFound::default()
    };
    let races = (old.races.clone(), new.races.clone());
    judge.races(&mut found, races, (old.stopped, new.stopped));
    let effort = relation.effort();
    let unlike = relation.unlike().to_vec();
    drop(relation);
    for (outcomes, meeting) in [(&new, &leading), (&old, &following)] {
        judge.missed(outcomes, meeting, &effort);
    }
    Ok(judge.judgement(&session, effort, &unlike, found))
}

/// The limits of an exploration.
fn bounded(config: &Config) -> Config {
    let mut config = config.clone();
    config.limits.instructions = config.limits.instructions.min(LONGEST);
    config.limits.stack = config.limits.stack.min(DEEPEST);
    config
}

impl<'q> ThreadJudge<'q> {
    fn new(question: &'q Question<'q>, hooks: &'q Hooks<'q>, places: Places<'q>) -> Self {
        Self {
            question,
            hooks,
            places,
            witnesses: BTreeMap::new(),
            introduced: BTreeMap::new(),
            fixed: BTreeMap::new(),
            preexisting: BTreeMap::new(),
            bounds: BTreeSet::new(),
            one_sided: BTreeSet::new(),
            undecided: BTreeSet::new(),
            notes: BTreeSet::new(),
            pairs: PairCounts::default(),
            partial: false,
            seen: BTreeSet::new(),
        }
    }

    /// Notes what cut executions.
    fn limits(&mut self, outcomes: &Outcomes) {
        if outcomes.sleeps {
            self.bounds.insert(LimitKind::Wakeups);
        }
        if outcomes.stopped {
            self.undecided.insert("not all executions were explored".into());
        }
        for (outcome, _) in &outcomes.cut {
            self.pairs.open += 1;
            match CutEnd::of(outcome, "an execution") {
                CutEnd::Bound(limit) => drop(self.bounds.insert(limit)),
                CutEnd::Open(reason) => drop(self.undecided.insert(reason)),
                CutEnd::Whole => {
                    self.undecided.insert(format!("an execution was cut: {}", outcome.name()).into());
                }
            }
        }
    }

    /// Where executions were cut, those that were compared must have come by all of the change.
    fn missed(&mut self, outcomes: &Outcomes, meeting: &Meeting, effort: &incise_relate::Effort) {
        // That it was stopped says more than what it missed.
        if outcomes.cut.is_empty() || outcomes.stopped {
            return;
        }
        if outcomes.groups.is_empty() {
            self.undecided.insert(OpenReason::NothingMeets { too_small: effort.needs.bounds() });
            return;
        }
        let bounds: Vec<LimitKind> = self.bounds.iter().copied().collect();
        for place in meeting.missed(&outcomes.notes) {
            let bounds = bounds.clone();
            self.undecided.insert(OpenReason::Missed { place, too_small: Vec::new(), bounds });
        }
    }

    /// Inputs that only one version assumes away are not compared.
    fn domains(
        &mut self,
        session: &mut Session,
        relation: &Relation<'_>,
        (new, old): (&Outcomes, &Outcomes),
    ) {
        if !new.assumes && !old.assumes {
            return;
        }
        for (mine, theirs, which) in [(new, old, "old"), (old, new, "new")] {
            let (inside, here) = (domain(session, mine), domain(session, theirs));
            let outside = session.negation(here);
            let all = [relation.base(), inside, outside];
            if theirs.stopped || !matches!(ask(session, &all), Satisfiable::No) {
                let note = format!("inputs that only the {which} version assumes away are not compared");
                self.notes.insert(note);
                self.partial = true;
            }
        }
    }

    /// Looks for what one version can do and the other cannot.
    fn direction(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (new, old): (&Outcomes, &Outcomes),
        version: Version,
    ) -> Result<(), ExploreError> {
        let (mine, theirs) = match version {
            Version::New => (new, old),
            Version::Old => (old, new),
        };
        for group in &mine.groups {
            if group.executions.iter().any(|one| one.is_indeterminate(session)) {
                self.undecided.insert("what was never initialised is read".into());
            }
            let mut unsure = BTreeSet::new();
            let found = self.alone(session, relation, (group, theirs), version, &mut unsure);
            match found {
                Alone::Nothing { asked: false } => self.pairs.identical += 1,
                Alone::Nothing { asked: true } => self.pairs.proved += 1,
                Alone::Unknown(why) => {
                    self.pairs.open += 1;
                    self.undecided.insert(format!("whether only one version can end so: {why}").into());
                }
                Alone::Candidate(inputs, certain) => {
                    self.candidate(session, relation, (group, version), &inputs, (certain, &unsure))?;
                }
            }
            if version == Version::New
                && let Outcome::Error(_) = group.first().outcome()
            {
                self.known_error(session, relation, group, theirs);
            }
        }
        Ok(())
    }

    /// Inputs on which the other version cannot end as a group of executions does.
    fn alone(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (group, theirs): (&OutcomeGroup, &Outcomes),
        version: Version,
        unsure: &mut BTreeSet<String>,
    ) -> Alone {
        let mut all = vec![relation.base(), group.condition];
        let mut asked = false;
        if theirs.assumes {
            all.push(domain(session, theirs));
        }
        // What leaves the same behind at a glance mostly settles it.
        for like in [true, false] {
            for other in theirs.groups.iter().filter(|other| group.looks_like(other) == like) {
                let never = self.differs_from(session, relation, (group, other), version, unsure);
                all.push(never);
            }
            match ask_asked(session, &all, &mut asked) {
                Satisfiable::No => return Alone::Nothing { asked },
                Satisfiable::Unknown(why) if !like => return Alone::Unknown(why),
                _ => {}
            }
        }
        let sure = all.len();
        // Where the other version was cut it may do the same for all that is known.
        for (_, cut) in &theirs.cut {
            all.push(session.negation(*cut));
        }
        let within = ask_asked(session, &all, &mut asked);
        if let Satisfiable::Yes(inputs) = within {
            let inputs = near(session, &all, &inputs, self.question.new.1);
            return Alone::Candidate(inputs, true);
        }
        all.truncate(sure);
        match ask_asked(session, &all, &mut asked) {
            Satisfiable::Yes(inputs) => {
                let inputs = near(session, &all, &inputs, self.question.new.1);
                Alone::Candidate(inputs, false)
            }
            Satisfiable::No => Alone::Nothing { asked },
            Satisfiable::Unknown(why) => Alone::Unknown(why),
        }
    }

    /// When none of the executions of another group is possible that leaves the same behind.
    fn differs_from(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (group, other): (&OutcomeGroup, &OutcomeGroup),
        version: Version,
        unsure: &mut BTreeSet<String>,
    ) -> Condition {
        let (one, two) = (group.first(), other.first());
        let pair = match version {
            Version::New => (one, two),
            Version::Old => (two, one),
        };
        if !self.places.end_alike(pair) {
            return session.conjunct(&[]);
        }
        let inputs = one.inputs(session);
        let same = relation.same_when(session, pair, self.question.visible, &inputs);
        unsure.extend(same.unsure);
        self.notes.extend(same.unmatched.iter().map(|name| super::candidates::only_in_one(name)));
        self.one_sided.extend(same.one_sided);
        let both = session.conjunct(&[other.condition, same.condition]);
        session.negation(both)
    }

    /// Looks at an input on which one version seems to do what the other cannot.
    fn candidate(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        (group, version): (&OutcomeGroup, Version),
        inputs: &Assignment,
        (certain, unsure): (bool, &BTreeSet<String>),
    ) -> Result<(), ExploreError> {
        let position = match version {
            Version::New => relation.end_of_leading(group.first()).0,
            Version::Old => relation.end_of_following(group.first()).0,
        };
        let ending = (version, format!("{} {position:?}", ending(group.first().outcome())));
        if self.seen.contains(&ending) {
            self.pairs.unasked += 1;
            return Ok(());
        }
        match self.shows(session, inputs)? {
            Shown::Differs => {
                self.pairs.differing += 1;
                self.seen.insert(ending);
            }
            // Beyond the limits nothing was promised.
            Shown::Cut if !certain => {
                self.pairs.open += 1;
            }
            Shown::Cut => {
                self.pairs.open += 1;
                let reason =
                    "on an input on which the versions seem to differ not all executions could be explored";
                self.undecided.insert(reason.into());
            }
            Shown::Nothing if !certain && unsure.is_empty() => {
                self.pairs.open += 1;
            }
            Shown::Nothing => {
                self.pairs.open += 1;
                self.undecided.extend(unsure.iter().cloned().map(OpenReason::from));
                if unsure.is_empty() {
                    let reason = "a difference was predicted, and not seen when both versions were explored on its input";
                    self.undecided.insert(reason.into());
                }
            }
        }
        Ok(())
    }

    /// An error that both versions have.
    fn known_error(
        &mut self,
        session: &mut Session,
        relation: &mut Relation<'_>,
        group: &OutcomeGroup,
        theirs: &Outcomes,
    ) {
        let Outcome::Error(error) = group.first().outcome() else { return };
        let alike = |other: &&OutcomeGroup| self.places.end_alike((group.first(), other.first()));
        let Some(other) = theirs.groups.iter().find(alike) else { return };
        let (position, stack) = relation.end_of_leading(group.first());
        let key = (error.kind.name().to_owned(), position.clone());
        if self.preexisting.contains_key(&key) || self.introduced.contains_key(&key) {
            return;
        }
        let inputs = group.first().inputs(session);
        let holds = |one: &&Execution, session: &mut Session| session.holds(one.condition, &inputs);
        let same = other.executions.iter().find(|one| holds(one, session)).unwrap_or(other.first());
        let new = relation.describe_leading(session, group.first(), &inputs);
        let its = if session.holds(same.condition, &inputs) { inputs.clone() } else { same.inputs(session) };
        let old = relation.describe_following(session, same, &its);
        let indeterminate = group.first().is_indeterminate(session);
        let witness = super::candidates::witness(old, new, Vec::new(), indeterminate);
        let found = found_error((error.kind, error.message.clone()), (position, stack), witness);
        self.preexisting.insert(key, found);
    }

    fn judgement(
        mut self,
        session: &Session,
        mut effort: incise_relate::Effort,
        unlike: &[String],
        found: ThreadsFound,
    ) -> Judgement {
        use LimitKind::{Interrupt, Memory, Paths, Preemptions, Threads, Time, Work};
        for &limit in &effort.limits {
            match limit {
                Time | Memory | Paths | Interrupt | Threads => {
                    let left = Some(effort.abandoned);
                    self.undecided.insert(OpenReason::Stopped { limit, left });
                }
                Work => drop(self.undecided.insert(OpenReason::GaveUp { left: effort.abandoned })),
                Preemptions | LimitKind::WeakMemory => drop(self.bounds.insert(limit)),
                // The executions that they cut are known.
                _ => {}
            }
        }
        if !found.preexisting.is_empty() {
            // What such accesses do is for each compiler and machine to say.
            self.bounds.insert(LimitKind::WeakMemory);
            let note =
                "both versions have data races: they are compared as if memory were sequentially consistent";
            self.notes.insert(note.to_owned());
        }
        self.bounds.extend(effort.needs.hiding());
        self.undecided.extend(effort.concretised.iter().cloned().map(OpenReason::from));
        if !self.one_sided.is_empty() {
            self.bounds.insert(LimitKind::OneSided);
            effort.needs.one_sided.append(&mut self.one_sided);
        }
        let unlike = unlike.iter();
        let independent = |name: &String| format!("{name} is of another type, and taken to be independent");
        self.partial |= unlike.len() > 0;
        self.notes.extend(unlike.map(independent));
        let mut judgement = Judgement {
            witnesses: self.witnesses.into_values().collect(),
            introduced: self.introduced.into_values().collect(),
            fixed: self.fixed.into_values().collect(),
            preexisting: self.preexisting.into_values().collect(),
            valid: found.executions.0.min(found.executions.1),
            bounds: self.bounds,
            undecided: self.undecided,
            notes: self.notes,
            pairs: self.pairs,
            effort,
            queries: session.queries(),
            partial: self.partial,
            threads: Some(found),
            ..Judgement::same()
        };
        judgement.settle();
        judgement
    }
}

/// What was found out about a group of executions.
enum Alone {
    /// The other version can end so wherever it does.
    Nothing {
        /// Whether the solver was asked.
        asked: bool,
    },
    /// Inputs on which the other version seems not to end so, and whether it was explored to its ends there.
    Candidate(Assignment, bool),
    /// Nobody knows.
    Unknown(String),
}

/// When a version has an execution at all.
fn domain(session: &mut Session, outcomes: &Outcomes) -> Condition {
    let groups = outcomes.groups.iter().map(|group| group.condition);
    let all: Vec<Condition> = groups.chain(outcomes.cut.iter().map(|(_, cut)| *cut)).collect();
    session.any(&all)
}

/// Whether conditions can hold together.
fn ask(session: &mut Session, all: &[Condition]) -> Satisfiable {
    let whole = session.conjunct(all);
    let nothing = session.conjunction([]);
    session.satisfiable(&nothing, whole, &Assignment::given(Default::default()))
}

/// The same, and notes if it took a question.
fn ask_asked(session: &mut Session, all: &[Condition], asked: &mut bool) -> Satisfiable {
    let before = session.queries();
    let answer = ask(session, all);
    *asked |= session.queries() > before;
    answer
}

/// Inputs that satisfy conditions as these do, and read better.
fn near(session: &mut Session, all: &[Condition], found: &Assignment, config: &Config) -> Assignment {
    let conditions = session.conjunction(all.iter().copied());
    let simple = session.simplified(&conditions, found);
    let zeros = Assignment::given(Default::default());
    let until = config.limits.deadline_after(NEARING);
    let near = session.nearest(&conditions, &zeros, &simple, until);
    session.simplified(&conditions, &near)
}

/// It is worth so much to bring an input near to zero.
const NEARING: incise_exec::Work = incise_exec::Work::about_milliseconds(1_500);

fn ending(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Error(error) => error.kind.name().to_owned(),
        other => other.name().to_owned(),
    }
}

fn found_error(
    (kind, message): (ErrorKind, String),
    (position, stack): (Option<SourcePosition>, Vec<StackFrame>),
    witness: Witness,
) -> FoundError {
    FoundError { kind, message, position, stack, witness }
}
