//! Impacted coverage: what tests of a change have to cover, and paths that cover it.
//!
//! Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012),
//! section IV-A, define five criteria. An *obligation* is one thing to cover:
//! - *statement* (IV.1): each affected statement;
//! - *block* (IV.2): each basic block with an affected statement;
//! - *branch* (IV.3): each side of each affected condition, cases of a `switch` included, and the start and each return
//!   of every function in which something is affected. C has no exception handlers;
//! - *path-fragment* (IV.4): each combination of sides taken at the affected conditions of a path. Which there are is
//!   found by exploring;
//! - *data-flow* (IV.5): each use of a variable that is defined at an affected write. A use in a condition counts once
//!   for each side, as is usual (Rapps and Weyuker, "Selecting Software Test Data Using Data Flow Information", 1985)
//!   and as the paper's Figure 4(c) has it.
//!
//! What is affected depends on the calling context: an obligation belongs to a function and a statement, and is covered
//! where the statement is affected.
//!
//! A use is covered by a path that executes the definition and later the use, and nothing in between that may write the
//! same place. Where an address does not show which place it is (an array element, a pointer) two accesses may still go
//! to different ones: such a pair is not *certain*, and says so. In the same way a write in between may overwrite the
//! definition or not: then it is not said that no input covers the use. What a call passes to parameters is used at the
//! call, and what it returns is defined there.
//!
//! How the paths are found (`goals.rs`): a state goes on while an obligation that no path covered yet lies ahead, up
//! the call stack and in what it calls; else it is followed to its end, if it covered something new, or pruned before
//! the solver is asked. Branches that have no influence on the obligations are not explored (`slice.rs`). Combinations
//! of path fragments are sequences, and found as such (`dise.rs`).

mod accesses;
mod ahead;
mod bits;
mod data_flow;
mod fragments;
mod goals;
mod growth;
mod plan;

pub use fragments::Fragments;
pub use goals::Goals;
pub use growth::{explore_cover_grown, explore_other_inputs};
pub use plan::Plan;

use crate::dise::{Ending, Exact, FAILS, MET, ending};
use crate::run::{ChangedPath, Directed};
use crate::subject::{Statement, Subject};
use incise_change::NodeId;
use incise_exec::{Config, Exploration, ExploreError, Hooks, LimitKind, Note, Outcome, explore_with};
use incise_ir::{BlockId, FunctionId};
pub use incise_vocabulary::Criterion;
use std::collections::{BTreeMap, BTreeSet};

/// One thing to cover.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Obligation {
    /// A statement.
    Statement(Statement),
    /// A basic block, shown by its first affected statement.
    Block(FunctionId, BlockId, NodeId),
    /// The start of a function.
    Entry(FunctionId),
    /// A side of a condition.
    Side(Statement, usize),
    /// A return statement; without one, the end of a function that returns nothing.
    Exit(FunctionId, Option<NodeId>),
    /// A combination of path fragments: affected conditions and the sides taken, in order.
    Fragments(Vec<(Statement, usize)>),
    /// A use of what a statement defines.
    DataFlow(DataFlow),
}

/// A definition and a use of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DataFlow {
    /// The affected statement that writes.
    pub definition: Statement,
    /// The statement that reads.
    pub usage: Statement,
    /// The side that the reading condition takes.
    pub side: Option<usize>,
    /// The variable, if it has a name.
    pub variable: Option<String>,
    /// Whether both certainly go to the same place.
    pub certain: bool,
}

/// What became of an obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObligationStatus {
    /// A path covers it: which one of those reported; `None` if it was known to be covered before.
    Covered(Option<usize>),
    /// No way leads there from the entry.
    Unreachable,
    /// All paths were looked at, and none covers it.
    Infeasible,
    /// No input as it is taken to be covers it. Another one may: one of those paths in [`Covered::others`], if one is
    /// known.
    NotAsTaken(Option<usize>),
    /// No path that was looked at covers it, and some were not looked at, for these reasons.
    NotReached(BTreeSet<String>),
}

/// Why a use may be covered without our knowing.
pub const BLURRED: &str = "a write in between may go there or elsewhere";

/// What an exploration for a criterion found.
#[derive(Clone, Debug)]
pub struct Covered {
    /// The criterion.
    pub criterion: Criterion,
    /// The obligations, in the order of the program, each with what became of it.
    pub obligations: Vec<(Obligation, ObligationStatus)>,
    /// The paths, each of which covers something that no earlier one does.
    pub directed: Directed,
    /// Paths that inputs take which are not what they are taken to be, for what no others cover.
    pub others: Vec<ChangedPath>,
    /// Why there may be more obligations than those listed: combinations of path fragments are known only as far as
    /// paths are.
    pub open: BTreeSet<String>,
}

impl Covered {
    /// For each path, the obligations that it is the first to cover.
    pub fn by_path(&self) -> Vec<Vec<usize>> {
        let mut found = vec![Vec::new(); self.directed.paths.len()];
        for (index, (_, status)) in self.obligations.iter().enumerate() {
            if let ObligationStatus::Covered(Some(path)) = status {
                found[*path].push(index);
            }
        }
        found
    }
}

/// Finds paths that cover all obligations of a plan which can be covered, those in `known` aside.
pub fn explore_cover(
    config: &Config,
    hooks: &Hooks<'_>,
    plan: &Plan<'_>,
    known: &BTreeSet<usize>,
) -> Result<Covered, ExploreError> {
    if plan.criterion() == Criterion::PathFragment {
        return explore_fragments(config, hooks, plan.subject());
    }
    let mut goals = Goals::directed(plan, known);
    let mut exploration = Exploration::default();
    if goals.has_something_to_do() {
        exploration = explore_with(plan.subject().program, config, hooks, &mut goals)?;
        if exploration.diverged > 0 {
            // A branch that was left out had an influence after all: nothing is left out then.
            goals = Goals::directed(plan, known).without_slice();
            exploration = explore_with(plan.subject().program, config, hooks, &mut goals)?;
        }
    }
    let everywhere = stopped_for(&exploration);
    let complete = exploration.complete() && goals.cuts().is_empty();
    let mut paths = std::mem::take(&mut exploration.paths);
    let covers: Vec<&[u32]> = paths.iter().map(|path| goals.covered_by(path.note)).collect();
    let needed = needed(&covers, known);
    let mut needed = needed.into_iter();
    paths.retain(|_| needed.next().unwrap_or(true));
    let mut first: BTreeMap<u32, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (index, path) in paths.into_iter().enumerate() {
        for &obligation in goals.covered_by(path.note) {
            first.entry(obligation).or_insert(index);
        }
        let affected = path.condition.iter().map(|constraint| constraint.marked).collect();
        found.push(ChangedPath {
            sequence: goals.sequence(path.note),
            met: goals.met(path.note),
            fails: path.note & FAILS != 0,
            affected,
            path,
        });
    }
    let status = |index: usize| {
        if known.contains(&index) {
            return ObligationStatus::Covered(None);
        }
        if let Some(&path) = first.get(&(index as u32)) {
            return ObligationStatus::Covered(Some(path));
        }
        if !plan.is_reachable(index) && !plan.is_blurred(index) {
            return ObligationStatus::Unreachable;
        }
        let mut reasons = everywhere.clone();
        reasons.extend(goals.cuts().get(&(index as u32)).into_iter().flatten().cloned());
        reasons.extend(plan.is_blurred(index).then(|| BLURRED.to_owned()));
        if reasons.is_empty() { ObligationStatus::Infeasible } else { ObligationStatus::NotReached(reasons) }
    };
    let obligations =
        plan.obligations().iter().cloned().enumerate().map(|(index, each)| (each, status(index))).collect();
    let directed = Directed { exploration, complete, paths: found, rows: Vec::new() };
    Ok(Covered {
        criterion: plan.criterion(),
        obligations,
        directed,
        others: Vec::new(),
        open: BTreeSet::new(),
    })
}

/// Which paths are needed: one that was found first may cover nothing that later ones do not.
fn needed(covers: &[&[u32]], known: &BTreeSet<usize>) -> Vec<bool> {
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    for &obligation in covers.iter().flat_map(|covers| covers.iter()) {
        *times.entry(obligation).or_default() += 1;
    }
    let needed = |covers: &&[u32]| {
        let needed = covers.iter().any(|each| !known.contains(&(*each as usize)) && times[each] == 1);
        if !needed {
            covers.iter().for_each(|each| *times.entry(*each).or_default() -= 1);
        }
        needed
    };
    covers.iter().map(needed).collect()
}

/// Why parts of an exploration were given up wherever they were.
fn stopped_for(exploration: &Exploration) -> BTreeSet<String> {
    let global = |limit: &&LimitKind| {
        matches!(
            limit,
            LimitKind::Time | LimitKind::Work | LimitKind::Memory | LimitKind::Paths | LimitKind::Interrupt
        )
    };
    let mut reasons: BTreeSet<String> =
        exploration.limits.iter().filter(global).map(|limit| limit.name().to_owned()).collect();
    if exploration.abandoned_states > 0 && reasons.is_empty() {
        reasons.insert("abandoned".to_owned());
    }
    reasons.extend(exploration.concretised.iter().map(|what| format!("made concrete: {what}")));
    // Nothing was cut then, but a side of a comparison was not looked at.
    let needs = &exploration.needs;
    let apart = needs.same.iter().chain(&needs.ordered).chain(&needs.given_back);
    reasons.extend(apart.map(|(one, other)| format!("{one} and {other} taken to be different objects")));
    reasons.extend(exploration.needs.absent.iter().map(|what| format!("{what} taken not to be there")));
    reasons.extend(exploration.needs.ended.iter().map(|input| format!("{input} taken to be no longer")));
    reasons
}

/// Why a path ended before its end; `None` if it did not.
pub(crate) fn cut_for(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Returned | Outcome::Exited { .. } | Outcome::Error(_) => None,
        Outcome::Limit(limit) => Some(limit.name().to_owned()),
        Outcome::Unsupported(what) => Some(format!("unsupported: {what}")),
        Outcome::External { function } => Some(format!("{function} has no body")),
        Outcome::Undecided(why) => Some(why.clone()),
        Outcome::Discarded | Outcome::Pruned => Some("not explored".to_owned()),
    }
}

/// Finds all combinations of impacted path fragments.
fn explore_fragments(
    config: &Config,
    hooks: &Hooks<'_>,
    subject: &Subject<'_>,
) -> Result<Covered, ExploreError> {
    let criterion = Criterion::PathFragment;
    let mut strategy = Exact::fragments(subject);
    let mut exploration = Exploration::default();
    if strategy.has_fragments() {
        exploration = explore_with(subject.program, config, hooks, &mut strategy)?;
        if exploration.diverged > 0 {
            strategy = Exact::fragments(subject).without_slice();
            exploration = explore_with(subject.program, config, hooks, &mut strategy)?;
        }
    }
    let complete = exploration.complete();
    let mut open = stopped_for(&exploration);
    open.extend(exploration.limits.iter().map(|limit| limit.name().to_owned()));
    let mut paths = Vec::new();
    let mut obligations = Vec::new();
    for path in std::mem::take(&mut exploration.paths) {
        // What was cut is the beginning of combinations that are not known.
        if let Some(reason) = cut_for(&path.outcome) {
            open.insert(reason);
            continue;
        }
        let taken = strategy.taken(path.note);
        obligations.push((Obligation::Fragments(taken), ObligationStatus::Covered(Some(paths.len()))));
        let affected = path.condition.iter().map(|constraint| constraint.marked).collect();
        paths.push(ChangedPath {
            sequence: strategy.sequence(path.note),
            met: path.note & MET != 0,
            fails: path.note & FAILS != 0,
            affected,
            path,
        });
    }
    let directed = Directed { exploration, complete, paths, rows: Vec::new() };
    Ok(Covered { criterion, obligations, directed, others: Vec::new(), open })
}

/// The mark of a path whose last statement, an affected one, fails.
fn failing(subject: &Subject<'_>, end: &incise_exec::End<'_>) -> Note {
    if matches!(ending(subject, end), Ending::Fails(_)) { FAILS } else { 0 }
}
