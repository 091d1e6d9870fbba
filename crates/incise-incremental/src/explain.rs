//! Why an input behaves differently in two versions: the conditions at which their paths part.
//!
//! The search is that of DARWIN (Qi, Roychoudhury, Liang, Vaswani, "DARWIN: An Approach for Debugging Evolving Programs", ESEC/FSE 2009) as section IV-B of Rungta, Person and Branchaud, "A Change Impact
//! Analysis to Characterize Evolving Program Behaviors" (ICSM 2012), tells it. An input takes a path with the condition F in OLD and one with the condition f0 && f1 && ... in NEW. Where
//! F && f0 && ... && !fi has a solution, there is an input that OLD treats like the failing one and NEW does not: the place of fi is a candidate cause. The paper's *DeltaDebug* looks only at the
//! fi that come from affected statements.
//!
//! Where we differ:
//! - The paper drops unaffected constraints altogether. Here they are not asked about, but stay in the formula: a nearby input then differs from the failing one in nothing else.
//! - Both directions are searched: conditions of OLD that do not hold on NEW's path show a check that was removed, which no condition of NEW can. Affected statements of OLD are those of the
//!   reverse change. Two candidates for one statement are one.
//! - The paper reports locations. A candidate here has a nearby input: the solution of the formula that is nearest to the failing one. It is traced in both versions, and candidates for which both
//!   do the same come first: there the condition tells good from bad. If the nearest one behaves differently, one that behaves the same is asked for by comparing results as expressions.
//! - The paper's i stops before the last condition, which is often the assertion itself; it is looked at like the others.
//! - Where paths do not part, the cause is a value and not a condition: the changed statements on both paths are reported.
//!
//! Not covered: a cause that no single condition shows; inputs whose type changed between the versions, which are two inputs for the solver (a candidate whose inputs do not agree is left out
//! and counted as undecided).

use crate::behaviour::{Difference, differences, is_conclusive, pairs, same_inputs};
use crate::record::Record;
use crate::subject::{Statement, Subject};
use incise_change::{Impact, Rules};
use incise_exec::{
    Assignment, ChangedElement, Condition, Config, Conjunction, Constraint, ExploreError, FullExploration,
    Given, Hooks, Outcome, Satisfiable, Session, Trace,
};
use incise_ir::{Program, SourcePosition};
use std::time::Instant;

/// Which version something belongs to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Version {
    /// The new one.
    New,
    /// The old one.
    Old,
}

/// What to explain, and how.
pub struct Question<'a> {
    /// The old version.
    pub old: &'a Program,
    /// The new version.
    pub new: &'a Program,
    /// The entry, limits and solver; the entry has the same name in both versions.
    pub config: &'a Config,
    /// The input.
    pub given: Given,
    /// Whether all constraints are looked at, and not only those of affected statements.
    pub all: bool,
}

/// An input on both versions.
#[derive(Clone, Debug)]
pub struct Both {
    /// What the old version does.
    pub old: Trace,
    /// What the new version does.
    pub new: Trace,
    /// In what they differ.
    pub differences: Vec<Difference>,
}

impl Both {
    /// Whether both came to their end, so that they can be compared.
    pub fn is_conclusive(&self) -> bool {
        is_conclusive(&self.old) && is_conclusive(&self.new)
    }

    /// Whether both do the same.
    pub fn is_same(&self) -> bool {
        self.is_conclusive() && self.differences.is_empty()
    }
}

/// A condition at which the paths part.
#[derive(Clone, Debug)]
pub struct Cause {
    /// Whose condition it is.
    pub version: Version,
    /// The condition as it holds for the failing input.
    pub constraint: Constraint,
    /// Which one of its path's conditions it is, from 0.
    pub index: usize,
    /// At how many points of the path the same statement is a candidate.
    pub occurrences: usize,
    /// A nearby input for which it does not hold, on both versions.
    pub nearby: Both,
    /// The input elements that have other values there.
    pub changed: Vec<ChangedElement>,
    /// The statement that it comes from, as one of the new version if that has it.
    statement: Option<(Version, Statement)>,
}

/// How many constraints a path has, and how many of them were looked at.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Looked {
    /// All constraints.
    pub all: usize,
    /// Those of affected statements.
    pub affected: usize,
    /// Those that the solver was asked about.
    pub asked: usize,
}

/// Why an input behaves differently in two versions.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The input on both versions.
    pub test: Both,
    /// The conditions at which the paths part, likeliest cause first.
    pub causes: Vec<Cause>,
    /// The statements on the old path that are no longer there as they were.
    pub changed_old: Vec<SourcePosition>,
    /// The statements on the new path that are new or changed.
    pub changed_new: Vec<SourcePosition>,
    /// The constraints of the old path.
    pub looked_old: Looked,
    /// The constraints of the new path.
    pub looked_new: Looked,
    /// Why a constraint that was looked at could not be decided, each time.
    pub undecided: Vec<String>,
}

/// Explains what an input does in two versions.
pub fn explain(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Explanation, ExploreError> {
    let Question { old, new, config, .. } = *question;
    let overflow = config.checks.overflow;
    let forward = Impact::new(old, new, Rules::Closed, overflow);
    let backward = Impact::new(new, old, Rules::Closed, overflow);
    let (mut old_scope, mut new_scope) = (scope(&backward, config), scope(&forward, config));
    let old_subject = subject(&mut old_scope);
    let new_subject = subject(&mut new_scope);
    let mut search = Search {
        question,
        hooks,
        session: Session::new(config, &hooks.interrupt),
        old_subject: old_subject.as_ref(),
        new_subject: new_subject.as_ref(),
        forward: &forward,
        undecided: Vec::new(),
        until: Instant::now() + config.limits.time,
    };
    search.run()
}

type ScopeAndRoot<'a> = Option<(incise_change::Scope<'a>, incise_change::ActivationId)>;

/// What the entry of an impact's new version leads to; `None` if nothing changed.
fn scope<'a>(impact: &Impact<'a>, config: &Config) -> ScopeAndRoot<'a> {
    let effects = impact.effects.as_ref()?;
    let entry = impact.new.function_named(&config.entry)?;
    if !impact.new.functions[entry].is_definition() {
        return None;
    }
    let mut scope = impact.below(&[entry], effects, Rules::Closed);
    let root = scope.root(entry);
    Some((scope, root))
}

fn subject<'a>(scope: &'a mut ScopeAndRoot<'a>) -> Option<Subject<'a>> {
    scope.as_ref().map(|(scope, root)| Subject::new(scope, *root))
}

struct Search<'a> {
    question: &'a Question<'a>,
    hooks: &'a Hooks<'a>,
    session: Session,
    old_subject: Option<&'a Subject<'a>>,
    new_subject: Option<&'a Subject<'a>>,
    /// From old to new.
    forward: &'a Impact<'a>,
    undecided: Vec<String>,
    until: Instant,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Explanation, ExploreError> {
        let test = Assignment::given(self.question.given.clone());
        let (old, changed_old) = self.trace(Version::Old, &test)?;
        // With the values of the old version's inputs, so that what comes out knows the inputs of both.
        let (new, changed_new) = self.trace(Version::New, &old.assignment)?;
        let differences = differences(&old, &new);
        let mut found = Explanation {
            looked_old: self.looked(&old),
            looked_new: self.looked(&new),
            test: Both { old, new, differences },
            causes: Vec::new(),
            changed_old,
            changed_new,
            undecided: Vec::new(),
        };
        let comparable = found.test.old.path.is_some() && found.test.new.path.is_some();
        if !found.test.is_conclusive() || found.test.is_same() || !comparable {
            return Ok(found);
        }
        for version in [Version::New, Version::Old] {
            let causes = self.causes(version, &found.test)?;
            found.causes.extend(causes);
        }
        found.causes = ranked(found.causes);
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

    fn looked(&self, trace: &Trace) -> Looked {
        let constraints = trace.path.as_ref().map_or(&[][..], |path| &path.condition);
        let affected = constraints.iter().filter(|each| each.marked).count();
        let asked = if self.question.all { constraints.len() } else { affected };
        Looked { all: constraints.len(), affected, asked }
    }

    /// The candidates among the conditions of one version: with the path of the other kept, and what comes before on its own.
    fn causes(&mut self, version: Version, test: &Both) -> Result<Vec<Cause>, ExploreError> {
        let (own, other) = match version {
            Version::New => (&test.new, &test.old),
            Version::Old => (&test.old, &test.new),
        };
        let Some(path) = &own.path else { return Ok(Vec::new()) };
        let failing = &test.new.assignment;
        let mut before = self.session.conjunction(other.conditions.iter().copied());
        let mut found: Vec<Cause> = Vec::new();
        for (index, (&condition, constraint)) in own.conditions.iter().zip(&path.condition).enumerate() {
            if constraint.marked || self.question.all {
                if Instant::now() >= self.until {
                    self.undecided.push("the time is up".to_owned());
                } else if let Some((nearby, changed)) = self.nearby(&before, condition, failing, test)? {
                    found.push(Cause {
                        version,
                        constraint: constraint.clone(),
                        index,
                        occurrences: 1,
                        nearby,
                        changed,
                        statement: self.statement(version, constraint),
                    });
                }
            }
            self.session.add(&mut before, condition);
        }
        Ok(found)
    }

    /// A nearby input that goes another way at a condition, if there is one that the other version treats alike.
    fn nearby(
        &mut self,
        before: &Conjunction,
        condition: Condition,
        failing: &Assignment,
        test: &Both,
    ) -> Result<Option<(Both, Vec<ChangedElement>)>, ExploreError> {
        let otherwise = self.session.negation(condition);
        let found = match self.session.satisfiable(before, otherwise, failing) {
            Satisfiable::Yes(found) => found,
            Satisfiable::No => return Ok(None),
            Satisfiable::Unknown(why) => {
                self.undecided.push(why);
                return Ok(None);
            }
        };
        let mut all = before.clone();
        self.session.add(&mut all, otherwise);
        let near = self.session.nearest(&all, failing, &found, self.until);
        let mut both = self.both(&near)?;
        let mut inputs = near;
        if !both.is_same()
            && let Some((better, behaviour)) = self.that_agrees(&all, &both, failing)?
        {
            (inputs, both) = (better, behaviour);
        }
        // An input that the program assumes away shows nothing.
        if both.old.path.is_none() || both.new.path.is_none() {
            return Ok(None);
        }
        if !same_inputs(&both.old, &both.new) {
            self.undecided.push("an input has another type in the other version".to_owned());
            return Ok(None);
        }
        let changed = self.session.changed(&test.new.assignment, &inputs);
        if changed.iter().any(|element| element.made_up) {
            self.undecided.push("it depends on a value that the program never initialised".to_owned());
            return Ok(None);
        }
        Ok(Some((both, changed)))
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
        // The inputs of both satisfy all of that, and what follows one by one.
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
        let nearest = self.session.nearest(&all, failing, &inputs, self.until);
        let both = self.both(&nearest)?;
        Ok(both.is_same().then_some((nearest, both)))
    }

    /// The statement that a constraint comes from: the new version's if that has it.
    fn statement(&self, version: Version, constraint: &Constraint) -> Option<(Version, Statement)> {
        let origin = constraint.origin?;
        let subject = match version {
            Version::New => self.new_subject?,
            Version::Old => self.old_subject?,
        };
        let node = subject.owner(origin.function, origin.instruction)?;
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

/// The causes in order: where the nearby input behaves the same, then by how few values it takes, then by their place on the path. Of several for one statement the first stays.
fn ranked(mut causes: Vec<Cause>) -> Vec<Cause> {
    causes.sort_by_key(|cause| (!cause.nearby.is_same(), cause.changed.len(), cause.version, cause.index));
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
