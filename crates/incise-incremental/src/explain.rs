//! Why an input behaves differently in two versions: the conditions at which their paths part.
//!
//! The search is that of DARWIN (Qi, Roychoudhury, Liang, Vaswani, "DARWIN: An Approach for Debugging Evolving
//! Programs", ESEC/FSE 2009) as section IV-B of Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize
//! Evolving Program Behaviors" (ICSM 2012), tells it. An input takes a path with the condition F in OLD and one with
//! the condition f0 && f1 && ... in NEW. Where F && f0 && ... && !fi has a solution, there is an input that OLD treats
//! like the failing one and NEW does not: the place of fi is a candidate cause. The paper's *DeltaDebug* looks only at
//! the fi that come from affected statements.
//!
//! Where we differ:
//! - The paper drops unaffected constraints altogether. Here they are not asked about, but stay in the formula: a
//!   nearby input then differs from the failing one in nothing else.
//! - Both directions are searched: conditions of OLD that do not hold on NEW's path show a check that was removed,
//!   which no condition of NEW can. Affected statements of OLD are those of the reverse change. Two candidates for one
//!   statement are one.
//! - The paper reports locations. A candidate here has a nearby input: the solution of the formula that is nearest to
//!   the failing one. It is traced in both versions, and candidates for which both do the same come first: there the
//!   condition tells good from bad. If the nearest one behaves differently, one that behaves the same is asked for by
//!   comparing results as expressions.
//! - The paper's i stops before the last condition, which is often the assertion itself; it is looked at like the
//!   others.
//! - Where a statement is executed several times, as in a loop, its later occurrences are turned around as well if it
//!   takes that for both versions to agree.
//! - If no candidate has a nearby input on which both agree, two things are tried. Both paths may be kept: then the
//!   cause is a value and not a condition, and inputs are asked for on which the values are the same; the changed
//!   statements on both paths are reported. Or the other version's path may be given up: a check that was removed in
//!   front of what fails without it (`if (n == 0) return 0; return x / n;`) never parts the paths, because both say
//!   `n == 0`. Of these candidates only those count on whose nearby input both agree.
//!
//! - Objects are as large as the failing input has them. Only where no nearby input of that size is one on which both
//!   agree, larger ones are looked at (`growth.rs`).
//!
//! Not covered: a cause that no single condition shows. An input whose type changed between the versions is two symbols
//! that are tied together; where that cannot be done (pointers, floats), a candidate whose inputs do not agree is left
//! out and counted as undecided.

mod growth;
mod search;

use crate::behaviour::{Difference, is_conclusive};
use crate::subject::{Statement, Subject};
use incise_change::{Impact, Rules, Versions};
use incise_exec::{ChangedElement, Config, Constraint, ExploreError, Given, Hooks, Session, Trace};
use incise_ir::{Program, SourcePosition};
use search::Search;
use std::time::{Duration, Instant};

/// Which version something belongs to; the new one comes first where there is an order.
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
    /// Whether its statement changed, and is not only affected.
    pub changed_statement: bool,
    /// Whether it is a statement of the old version that the new one has no longer.
    pub removed: bool,
    /// Whether the other version takes the same path for the nearby input as for the failing one.
    pub parts: bool,
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
    /// An input on the same two paths on which both versions do the same, if no cause has such an input and there is
    /// one.
    pub agreeing: Option<(Both, Vec<ChangedElement>)>,
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
    /// The elements that nearby inputs have, where the failing one has fewer: pointers, and how many.
    pub grown: Vec<(String, u64)>,
}

impl Explanation {
    /// Whether there is a nearby input on which both versions agree.
    fn agrees_nearby(&self) -> bool {
        self.agreeing.is_some() || self.causes.iter().any(|cause| cause.nearby.is_same())
    }
}

/// Explains what an input does in two versions.
pub fn explain(question: &Question<'_>, hooks: &Hooks<'_>) -> Result<Explanation, ExploreError> {
    let Question { old, new, config, .. } = *question;
    let overflow = config.checks.overflow;
    let entry = |program: &Program| {
        let found = program.function_named(&config.entry);
        found.filter(|&id| program.functions[id].is_definition()).into_iter().collect::<Vec<_>>()
    };
    let (old_entry, new_entry) = (entry(old), entry(new));
    let versions = Versions::compare(old, new);
    let entries = (old_entry.as_slice(), new_entry.as_slice());
    let (forward, backward) = Impact::both_ways(old, new, versions, entries, Rules::Closed, overflow);
    let (mut old_scope, mut new_scope) = (scope(&backward, config), scope(&forward, config));
    let old_subject = subject(&mut old_scope);
    let new_subject = subject(&mut new_scope);
    let until = deadline(config.limits.time);
    let searched = |question: &Question<'_>| {
        let mut search = Search {
            question,
            hooks,
            session: Session::new(config, &hooks.interrupt),
            old_subject: old_subject.as_ref(),
            new_subject: new_subject.as_ref(),
            forward: &forward,
            undecided: Vec::new(),
            asked: [0; 2],
            links: Vec::new(),
            until,
        };
        search.run()
    };
    let found = searched(question)?;
    growth::with_larger(found, &question.given, |given| {
        searched(&Question { given, old, new, config, all: question.all })
    })
}

/// The time so far from now; a limit that no clock can count is a year.
fn deadline(limit: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(limit).unwrap_or(now + Duration::from_secs(365 * 24 * 3600))
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
