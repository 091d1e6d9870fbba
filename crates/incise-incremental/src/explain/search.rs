//! The search itself: traces, formulas, nearby inputs.

use super::{Both, Cause, Explanation, Looked, Question, Version};
use crate::behaviour::{differences, pairs, same_inputs};
use crate::record::Record;
use crate::subject::{Statement, Subject};
use incise_change::Impact;
use incise_exec::{
    Assignment, ChangedElement, Condition, Conjunction, Constraint, Deadline, ExploreError, FullExploration,
    Hooks, Outcome, Satisfiable, Session, Trace,
};
use incise_ir::SourcePosition;
use std::time::Instant;

/// So many occurrences of one statement are candidates, and so many are turned around together.
const OCCURRENCES: usize = 16;

/// A nearby input: what both versions do on it, and what of the failing input is another.
type Nearby = (Both, Vec<ChangedElement>);

/// Which conditions of the other version a nearby input keeps to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Other {
    /// All of its path.
    Kept,
    /// None.
    GivenUp,
}

/// A condition of a version and the statement that it comes from.
struct Candidate<'c> {
    version: Version,
    index: usize,
    condition: Condition,
    statement: Option<(Version, Statement)>,
    /// What comes before it, and what of the other version is kept.
    before: &'c Conjunction,
    /// What of the other version is kept.
    kept: &'c [Condition],
    /// Whether no other condition of the statement is a candidate yet.
    first: bool,
}

pub(super) struct Search<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) hooks: &'a Hooks<'a>,
    pub(super) session: Session,
    pub(super) old_subject: Option<&'a Subject<'a>>,
    pub(super) new_subject: Option<&'a Subject<'a>>,
    /// From old to new.
    pub(super) forward: &'a Impact<'a>,
    pub(super) undecided: Vec<String>,
    /// How many conditions of the new and of the old version the solver was asked about.
    pub(super) asked: [usize; 2],
    /// What nearby inputs keep to in any case: that inputs whose type changed are the same in both versions, and what
    /// inputs are taken to be.
    pub(super) links: Vec<Condition>,
    pub(super) until: Instant,
}

impl Search<'_> {
    pub(super) fn run(&mut self) -> Result<Explanation, ExploreError> {
        let test = Assignment::given(self.question.given.clone());
        let (old, changed_old) = self.trace(Version::Old, &test)?;
        // With the values of the old version's inputs, so that what comes out knows the inputs of both.
        let (new, changed_new) = self.trace(Version::New, &old.assignment)?;
        let differences = differences(&old, &new);
        let mut found = Explanation {
            looked_old: Self::looked(&old),
            looked_new: Self::looked(&new),
            test: Both { old, new, differences },
            causes: Vec::new(),
            agreeing: None,
            changed_old,
            changed_new,
            undecided: Vec::new(),
            grown: Vec::new(),
        };
        let comparable = found.test.old.path.is_some() && found.test.new.path.is_some();
        if !found.test.is_conclusive() || found.test.is_same() || !comparable {
            return Ok(found);
        }
        let inputs = &found.test.new.assignment;
        self.links = self.session.links(inputs);
        // A nearby input is what inputs are taken to be, as far as the failing one is.
        for &taken in found.test.old.taken.iter().chain(&found.test.new.taken) {
            if self.session.holds(taken, inputs) && !self.links.contains(&taken) {
                self.links.push(taken);
            }
        }
        let mut causes = self.causes(&found.test, Other::Kept)?;
        if !causes.iter().any(|cause| cause.nearby.is_same()) {
            found.agreeing = self.on_the_same_paths(&found.test)?;
            let decisive = self.causes(&found.test, Other::GivenUp)?;
            causes.extend(decisive.into_iter().filter(|cause| cause.nearby.is_same()));
        }
        found.causes = ranked(causes);
        [found.looked_new.asked, found.looked_old.asked] = self.asked;
        found.undecided = std::mem::take(&mut self.undecided);
        Ok(found)
    }

    /// Executes a version, and tells the changed statements on its path.
    fn trace(
        &mut self,
        version: Version,
        inputs: &Assignment,
    ) -> Result<(Trace, Vec<SourcePosition>), ExploreError> {
        let (program, subject) = match version {
            Version::Old => (self.question.old, self.old_subject),
            Version::New => (self.question.new, self.new_subject),
        };
        let mut config = self.question.config.clone();
        config.limits.time = self.until.saturating_duration_since(Instant::now());
        let Some(subject) = subject else {
            let strategy = &mut FullExploration;
            let trace = self.session.trace(program, &config, self.hooks, strategy, inputs)?;
            return Ok((trace, Vec::new()));
        };
        let mut record = Record::new(subject);
        let trace = self.session.trace(program, &config, self.hooks, &mut record, inputs)?;
        let note = trace.path.as_ref().map_or(0, |path| path.note);
        let sequence = record.sequence(note);
        let mut changed: Vec<SourcePosition> = Vec::new();
        for statement in sequence.into_iter().filter(|&statement| subject.is_change(statement)) {
            let location = subject.graph(statement.0).node(statement.1).location;
            let Some(position) = location.map(|location| program.position(location)) else { continue };
            if !changed.contains(&position) {
                changed.push(position);
            }
        }
        Ok((trace, changed))
    }

    fn both(&mut self, inputs: &Assignment) -> Result<Both, ExploreError> {
        let (old, _) = self.trace(Version::Old, inputs)?;
        let (new, _) = self.trace(Version::New, &old.assignment)?;
        let differences = differences(&old, &new);
        Ok(Both { old, new, differences })
    }

    fn looked(trace: &Trace) -> Looked {
        let constraints = trace.path.as_ref().map_or(&[][..], |path| &path.condition);
        let affected = constraints.iter().filter(|each| each.marked).count();
        Looked { all: constraints.len(), affected, asked: 0 }
    }

    /// The candidates among the conditions of both versions.
    fn causes(&mut self, test: &Both, other: Other) -> Result<Vec<Cause>, ExploreError> {
        let mut causes = self.causes_in(Version::New, test, other)?;
        causes.extend(self.causes_in(Version::Old, test, other)?);
        Ok(causes)
    }

    /// The candidates among the conditions of one version, each with what comes before it on its own path.
    fn causes_in(&mut self, version: Version, test: &Both, other: Other) -> Result<Vec<Cause>, ExploreError> {
        let own = of(test, version);
        let kept = match (other, version) {
            (Other::GivenUp, _) => &[][..],
            (Other::Kept, Version::New) => &test.old.conditions,
            (Other::Kept, Version::Old) => &test.new.conditions,
        };
        let Some(path) = &own.path else { return Ok(Vec::new()) };
        let mut before = self.session.conjunction(self.links.iter().chain(kept).copied());
        let mut found: Vec<Cause> = Vec::new();
        for (index, (&condition, constraint)) in own.conditions.iter().zip(&path.condition).enumerate() {
            if constraint.marked || self.question.all {
                let statement = self.statement(version, constraint);
                let known = |cause: &&Cause| statement.is_some() && cause.statement == statement;
                let occurrences = found.iter().filter(known).count();
                if occurrences >= OCCURRENCES {
                    self.session.add(&mut before, condition);
                    continue;
                }
                let first = occurrences == 0;
                let candidate =
                    Candidate { version, index, condition, statement, before: &before, kept, first };
                if other == Other::Kept {
                    self.asked[version as usize] += 1;
                }
                if let Some((nearby, changed)) = self.nearby(&candidate, test)? {
                    found.push(Cause {
                        version,
                        constraint: constraint.clone(),
                        index,
                        occurrences: 1,
                        nearby,
                        changed,
                        changed_statement: self.is_changed(version, constraint),
                        removed: statement.is_some_and(|(version, _)| version == Version::Old),
                        parts: other == Other::Kept,
                        statement,
                    });
                }
            }
            self.session.add(&mut before, condition);
        }
        Ok(found)
    }

    /// A nearby input that goes another way at a condition, if there is one; one on which both versions agree, if that
    /// is found.
    fn nearby(&mut self, candidate: &Candidate<'_>, test: &Both) -> Result<Option<Nearby>, ExploreError> {
        let failing = &test.new.assignment;
        let Some((near, conditions)) =
            self.otherwise(candidate.before, candidate.condition, failing, failing)
        else {
            return Ok(None);
        };
        let both = self.both(&near)?;
        if !both.is_same() {
            if let Some(better) = self.that_agrees(&conditions, &both, failing)? {
                return Ok(self.checked(better.1, &better.0, failing));
            }
            if candidate.first
                && let Some(better) = self.with_later_occurrences(candidate, &both, failing)?
            {
                return Ok(self.checked(better.1, &better.0, failing));
            }
        }
        Ok(self.checked(both, &near, failing))
    }

    /// The nearest input for which a condition does not hold beside others, and all the conditions that it satisfies
    /// then. `hint` satisfies the others.
    fn otherwise(
        &mut self,
        others: &Conjunction,
        condition: Condition,
        failing: &Assignment,
        hint: &Assignment,
    ) -> Option<(Assignment, Conjunction)> {
        if Instant::now() >= self.until {
            self.undecided.push("the time is up".to_owned());
            return None;
        }
        let otherwise = self.session.negation(condition);
        let found = match self.session.satisfiable(others, otherwise, hint) {
            Satisfiable::Yes(found) => found,
            Satisfiable::No => return None,
            Satisfiable::Unknown(why) => {
                self.undecided.push(why);
                return None;
            }
        };
        let mut all = others.clone();
        self.session.add(&mut all, otherwise);
        let near = self.session.nearest(&all, failing, &found, Deadline::at(Some(self.until), None));
        Some((near, all))
    }

    /// A nearby input that shows something: not one that the program assumes away, or that is not the same for both
    /// versions.
    fn checked(&mut self, both: Both, inputs: &Assignment, failing: &Assignment) -> Option<Nearby> {
        if both.old.path.is_none() || both.new.path.is_none() {
            return None;
        }
        if !same_inputs(&both.old, &both.new) {
            self.undecided.push("an input has another type in the other version".to_owned());
            return None;
        }
        let changed = self.session.changed(failing, inputs);
        if changed.iter().any(|element| element.made_up) {
            self.undecided.push("it depends on a value that the program never initialised".to_owned());
            return None;
        }
        Some((both, changed))
    }

    /// Turns the later occurrences of a candidate's statement around as well, one after the other, until both versions
    /// agree.
    fn with_later_occurrences(
        &mut self,
        candidate: &Candidate<'_>,
        both: &Both,
        failing: &Assignment,
    ) -> Result<Option<(Assignment, Both)>, ExploreError> {
        if candidate.statement.is_none() {
            return Ok(None);
        }
        let mut both = both.clone();
        let mut index = candidate.index;
        for _ in 0..OCCURRENCES {
            let own = of(&both, candidate.version);
            let hint = both.new.assignment.clone();
            let Some(path) = &own.path else { return Ok(None) };
            let mut before = self.session.conjunction(self.links.iter().chain(candidate.kept).copied());
            let mut next = None;
            for (at, (&condition, constraint)) in own.conditions.iter().zip(&path.condition).enumerate() {
                if at > index && self.statement(candidate.version, constraint) == candidate.statement {
                    next = self.otherwise(&before, condition, failing, &hint).map(|(near, _)| (at, near));
                    if next.is_some() {
                        break;
                    }
                }
                self.session.add(&mut before, condition);
            }
            let Some((at, near)) = next else { return Ok(None) };
            both = self.both(&near)?;
            if both.is_same() {
                return Ok(Some((near, both)));
            }
            index = at;
        }
        Ok(None)
    }

    /// An input that takes the same path as the failing one in both versions, and on which both do the same.
    fn on_the_same_paths(&mut self, test: &Both) -> Result<Option<Nearby>, ExploreError> {
        let failing = &test.new.assignment;
        let any = self.session.conjunction(self.links.iter().copied());
        let Some((inputs, both)) = self.that_agrees(&any, test, failing)? else { return Ok(None) };
        Ok(self.checked(both, &inputs, failing))
    }

    /// An input that takes the same two paths as another one, but on which both versions do the same.
    fn that_agrees(
        &mut self,
        conditions: &Conjunction,
        both: &Both,
        failing: &Assignment,
    ) -> Result<Option<(Assignment, Both)>, ExploreError> {
        let returned =
            |trace: &Trace| trace.path.as_ref().is_some_and(|path| path.outcome == Outcome::Returned);
        if !returned(&both.old) || !returned(&both.new) || Instant::now() >= self.until {
            return Ok(None);
        }
        let mut all = conditions.clone();
        for &condition in both.old.conditions.iter().chain(&both.new.conditions) {
            self.session.add(&mut all, condition);
        }
        // These inputs satisfy all of that, and then what is added one by one.
        let mut inputs = both.new.assignment.clone();
        for (old, new) in pairs(&both.old, &both.new) {
            let differ = self.session.differ(old, new);
            let same = self.session.negation(differ);
            let Satisfiable::Yes(found) = self.session.satisfiable(&all, same, &inputs) else {
                return Ok(None);
            };
            self.session.add(&mut all, same);
            inputs = found;
        }
        let nearest = self.session.nearest(&all, failing, &inputs, Deadline::at(Some(self.until), None));
        let both = self.both(&nearest)?;
        Ok(both.is_same().then_some((nearest, both)))
    }

    fn subject(&self, version: Version) -> Option<&Subject<'_>> {
        match version {
            Version::New => self.new_subject,
            Version::Old => self.old_subject,
        }
    }

    /// Whether the statement that a constraint comes from changed.
    fn is_changed(&self, version: Version, constraint: &Constraint) -> bool {
        let changed = || {
            let (subject, origin) = (self.subject(version)?, constraint.origin?);
            let node = subject.owner(origin.function, origin.instruction)?;
            Some(subject.is_change((origin.function, node)))
        };
        changed().unwrap_or(false)
    }

    /// The statement that a constraint comes from: the new version's if that has it.
    fn statement(&self, version: Version, constraint: &Constraint) -> Option<(Version, Statement)> {
        let origin = constraint.origin?;
        let node = self.subject(version)?.owner(origin.function, origin.instruction)?;
        if version == Version::New {
            return Some((version, (origin.function, node)));
        }
        let partner = || {
            let pairs = &self.forward.versions.functions;
            let new = pairs.iter().find(|pair| pair.old == Some(origin.function))?.new?;
            let impact = self.forward.functions.iter().find(|each| each.function == new)?;
            Some((Version::New, (new, (*impact.alignment.to_new.get(node.index())?)?)))
        };
        Some(partner().unwrap_or((version, (origin.function, node))))
    }
}

/// One version's part.
fn of(both: &Both, version: Version) -> &Trace {
    match version {
        Version::New => &both.new,
        Version::Old => &both.old,
    }
}

/// The causes in order: where both versions agree on the nearby input, then by how few values that takes, then what
/// changed itself, then by their place on the path. Of several for one statement the first stays.
fn ranked(mut causes: Vec<Cause>) -> Vec<Cause> {
    causes.sort_by_key(|cause| {
        let (disagrees, affected_only) = (!cause.nearby.is_same(), !cause.changed_statement);
        (disagrees, cause.changed.len(), affected_only, cause.version, cause.index)
    });
    let mut kept: Vec<Cause> = Vec::new();
    for cause in causes {
        let same = |known: &&mut Cause| match (&known.statement, &cause.statement) {
            (Some(known), Some(statement)) => known == statement,
            _ => known.version == cause.version && known.constraint.position == cause.constraint.position,
        };
        match kept.iter_mut().find(same) {
            Some(known) => known.occurrences += usize::from(known.version == cause.version),
            None => kept.push(cause),
        }
    }
    kept
}
