//! The chain of solvers: from cheap to dear, each stage answers what it can and leaves the rest to the next.
//!
//! | stage | answers | file |
//! |---|---|---|
//! | constant | conditions that folding decided | here |
//! | model | conditions that hold in the state's own model | here |
//! | cache | what was asked before, by slices of independent constraints | `cache` |
//! | contradiction | conditions that the constraints rule out by themselves, by their order, or by bounds | `order`, `bounds` |
//! | repair | what a change of the state's model in a few places satisfies, or a common value of floats | `repair` |
//! | gates | what a few thousand gates and a few hundred conflicts suffice for, also with products and quotients told loosely | `gates` |
//! | bitwuzla | everything else; functions of the C library with the help of their values | `bitwuzla`, `math` |
//! | second opinion | contradictions that Bitwuzla does not find soon, or ran out of time for | `second` |
//!
//! Independence comes from [`Constraints`], which keeps a path's constraints apart by the symbols that they
//! share, and `independence`, which leaves out what is implied. Answers are found for a slice; the model of
//! the whole is the state's own with the values of the slice put in. Reported inputs come from `canonical` or, where
//! they shall resemble others, from `near`, and `validate` checks all of it.

mod bitwuzla;
mod bounds;
mod cache;
mod canonical;
mod gates;
mod independence;
#[cfg(test)]
mod loose_tests;
mod math;
mod near;
mod noted;
mod order;
mod query;
mod repair;
mod second;
mod stats;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod validate;

use crate::columns::Columns;
use crate::constraints::Constraints;
use crate::evaluate::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::model::Model;
use crate::work::{Deadline, Work};
use bitwuzla::Bitwuzla;
use bounds::BoundsCheck;
use cache::{Cache, CacheKey, KnownAnswer};
use canonical::Canonical;
use gates::{GateLimits, Gates};
use independence::Digests;
use near::Near;
use order::Order;
use query::{Decide, Query, Verdict};
use repair::Repair;
use stats::StageOutcome;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use validate::{Others, Validator};

pub use noted::Contradictions;
pub use query::Unknown;
pub use second::{Opinion, SecondOpinion, Z3Process};
pub use stats::{SolverStats, Stage, StageCounters};

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The constraints and the condition hold together, for example in this model.
    Sat(Model),
    /// They cannot hold together.
    Unsat,
    /// Not known, and why.
    Unknown(Unknown),
}

/// Whether answers are checked by other means. This is for tests: it takes many times longer.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Validate {
    /// Answers are not checked.
    #[default]
    Off,
    /// Each answer is compared with that of a fresh Bitwuzla on all constraints, each model is evaluated.
    Bitwuzla,
    /// The same, and a sample is compared with the second opinion.
    BitwuzlaAndZ3Sample,
}

/// What a solver is told once.
#[derive(Clone, Debug)]
pub struct SolverConfig {
    /// How long one query may take.
    pub timeout: Duration,
    /// How much work one query is worth; any if none is said.
    pub work: Option<Work>,
    /// Whether answers are checked by other means.
    pub validate: Validate,
    /// After how many conflicts our own SAT solver leaves a query to Bitwuzla.
    pub conflict_limit: u64,
    /// The same for queries with products or quotients of two unknown words of 16 bits or more.
    pub hard_conflict_limit: u64,
    /// Whether products and quotients of two unknown words are told loosely first: that finds contradictions which do
    /// not depend on them.
    pub loosely: bool,
    /// How many gates a query may depend on; larger ones are left to Bitwuzla.
    pub cone_limit: usize,
    /// How many gates all queries together may have before the circuit is started anew.
    pub circuit_limit: usize,
    /// How many values the cache may hold before it starts anew.
    pub cache_limit: usize,
    /// What other runs found to be impossible.
    pub noted: Option<Arc<Contradictions>>,
    /// Whether what is found to be impossible is of use to other runs.
    pub notes: bool,
}

impl Default for SolverConfig {
    fn default() -> Self {
        SolverConfig {
            timeout: Duration::from_secs(10),
            work: None,
            validate: Validate::Off,
            conflict_limit: 400,
            hard_conflict_limit: 50,
            loosely: false,
            cone_limit: 8000,
            circuit_limit: 1_000_000,
            cache_limit: 4_000_000,
            noted: None,
            notes: false,
        }
    }
}

impl SolverConfig {
    /// What a query that begins now may take if all ends then.
    fn left(&self, end: Deadline) -> (Duration, Option<Work>) {
        let deadline = self.deadline().or(end);
        (deadline.time_left().unwrap_or(self.timeout), deadline.work_left())
    }

    /// When to give up on a query that begins now.
    fn deadline(&self) -> Deadline {
        Deadline::after(self.timeout, self.work)
    }
}

/// A model is repaired in at most this many steps before gates are tried.
const REPAIR_STEPS: usize = 10;
/// So many random models are repaired before Bitwuzla is given a product or a quotient of two unknown words.
const SEARCH_ATTEMPTS: u64 = 3000;
/// Short repairs are enough there: what does not work out soon goes in circles.
const SEARCH_STEPS: usize = 4;

/// So many conflicts and gates are a question worth in which products and quotients of unknowns are told loosely: a
/// place in a ring of 64 bits takes some ten thousand, and less than a tenth of a second.
const LOOSE_CONFLICTS: u64 = 16_000;
const LOOSE_CONE: usize = 20_000;

/// Bitwuzla is worth so much work before the second opinion is heard, which is worth more because it has to be started,
/// and Bitwuzla goes on: what is hard for one of them is easy for the other more often than not.
const SOON: Work = Work::about_milliseconds(200);
const SOON_SECOND: Work = Work::about_milliseconds(500);
/// So much time the second opinion has then: on a busy machine counted work takes longer.
const SOON_TIME: Duration = Duration::from_secs(3);

/// Decides whether conditions can hold. One for each worker and arena: expressions of another arena must not
/// be mixed in.
pub struct Solver {
    config: SolverConfig,
    evaluator: Evaluator,
    columns: Columns,
    cache: Cache,
    digests: Digests,
    order: Order,
    bounds: BoundsCheck,
    repair: Repair,
    gates: Gates,
    /// Gates that tell products and quotients loosely.
    loose: Gates,
    bitwuzla: Bitwuzla,
    canonical: Canonical,
    near: Near,
    second: Option<Box<dyn SecondOpinion>>,
    validator: Validator,
    interrupt: Arc<AtomicBool>,
    stats: SolverStats,
    /// What was found to be impossible and is of use to other runs.
    contradictions: Contradictions,
    /// When all questions end.
    end: Deadline,
    /// Whether the question has less time than usual.
    hurried: bool,
    /// Whether only what our own stages can answer is to be answered.
    easily: bool,
}

impl Solver {
    /// A solver that gives up on a query when `interrupt` becomes true.
    pub fn new(config: SolverConfig, interrupt: Arc<AtomicBool>) -> Self {
        let limits = GateLimits {
            conflicts: config.conflict_limit,
            hard_conflicts: config.hard_conflict_limit,
            cone: config.cone_limit,
            circuit: config.circuit_limit,
        };
        Solver {
            evaluator: Evaluator::new(),
            columns: Columns::default(),
            cache: Cache::new(config.cache_limit),
            digests: Digests::new(),
            order: Order::default(),
            bounds: BoundsCheck::default(),
            repair: Repair::default(),
            gates: Gates::new(limits, interrupt.clone()),
            loose: Gates::loose(
                GateLimits { conflicts: LOOSE_CONFLICTS, cone: LOOSE_CONE, ..limits },
                interrupt.clone(),
            ),
            bitwuzla: Bitwuzla::new(interrupt.clone()),
            canonical: Canonical::new(config.cache_limit, (config.timeout, config.work), interrupt.clone()),
            near: Near::new(config.cache_limit),
            second: None,
            validator: Validator::new(interrupt.clone()),
            interrupt,
            stats: SolverStats::default(),
            contradictions: Contradictions::default(),
            end: Deadline::default(),
            hurried: false,
            easily: false,
            config,
        }
    }

    /// Adds another solver, which is asked when Bitwuzla runs out of time, and in validation.
    pub fn set_second_opinion(&mut self, second: Box<dyn SecondOpinion>) {
        self.second = Some(second);
    }

    /// From now on every question ends then at the latest.
    pub fn end_at(&mut self, end: Deadline) {
        self.end = end;
        self.canonical.end_at(end);
    }

    /// From now on a question is worth so much time and work at most.
    pub fn limit_questions(&mut self, time: Duration, most: Work) {
        self.config.timeout = self.config.timeout.min(time);
        self.config.work = Some(self.config.work.map_or(most, |usual| usual.min(most)));
    }

    /// Whether there is no time left for questions.
    pub fn is_late(&self) -> bool {
        self.end.passed().is_some()
    }

    /// What was done so far.
    pub fn stats(&self) -> &SolverStats {
        &self.stats
    }

    /// What was found to be impossible since this was asked for last, and is of use to other runs. What these had told
    /// is not among it.
    pub fn take_contradictions(&mut self) -> Contradictions {
        std::mem::take(&mut self.contradictions)
    }

    /// The value of an expression under a model. Values are remembered while the model stays the same.
    pub fn evaluate(&mut self, exprs: &Exprs, e: ExprId, model: &Model) -> u128 {
        self.evaluator.evaluate(exprs, e, model)
    }

    /// Appends whether a condition (of width 1) holds under each of so many models, known by their numbers.
    pub fn evaluate_all<'m>(
        &mut self,
        exprs: &Exprs,
        condition: ExprId,
        count: usize,
        model: impl Fn(usize) -> &'m Model,
        holds: &mut Vec<bool>,
    ) {
        // What the evaluator remembers is most likely of the model that is the only one.
        if count < 2 || !self.columns.hold(exprs, condition, count, &model, holds) {
            holds.extend((0..count).map(|number| self.evaluator.holds(exprs, condition, model(number))));
        }
    }

    /// Can `constraints` and `query` (of width 1) hold together? `hint` satisfies the constraints.
    pub fn check(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        query: ExprId,
        hint: &Model,
    ) -> Answer {
        if self.config.validate == Validate::Off {
            return self.answer(exprs, constraints, query, hint);
        }
        if let Some(problem) = self.validator.violated(exprs, &constraints.iter_in_order(), hint) {
            self.stats.faults += 1;
            return Answer::Unknown(Unknown::Fault(format!("before the question, {problem}")));
        }
        let answer = self.answer(exprs, constraints, query, hint);
        let second = self.second.as_deref_mut();
        let others = Others { config: &self.config, second, stats: &mut self.stats };
        self.validator.check(exprs, constraints, query, answer, others)
    }

    /// The same with less work than usual, for what would be nice to have. That there was no answer is not remembered:
    /// who needs one shall have all the time there is.
    pub fn check_within(
        &mut self,
        limit: Work,
        exprs: &mut Exprs,
        constraints: &Constraints,
        query: ExprId,
        hint: &Model,
    ) -> Answer {
        let usual = self.config.work;
        self.config.work = Some(usual.map_or(limit, |usual| usual.min(limit)));
        self.hurried = true;
        let answer = self.check(exprs, constraints, query, hint);
        self.hurried = false;
        self.config.work = usual;
        answer
    }

    /// The same if the question is easy, so that it need not be left to Bitwuzla, for who may find the answer to a hard
    /// one elsewhere. It counts as a query only if it was answered, and what was found out on the way is of use if it
    /// is asked again.
    pub fn check_easily(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        query: ExprId,
        hint: &Model,
    ) -> Option<Answer> {
        let stages = self.stats.stages();
        (self.hurried, self.easily) = (true, true);
        let answer = self.check(exprs, constraints, query, hint);
        (self.hurried, self.easily) = (false, false);
        match answer {
            Answer::Unknown(Unknown::Hard) => {
                self.stats.restore(stages);
                None
            }
            answer => Some(answer),
        }
    }

    /// Whether another run found that constraints and a condition cannot hold together. That takes no more than a look,
    /// and counts as no query.
    pub fn is_noted(&self, exprs: &Exprs, constraints: &Constraints, query: ExprId) -> bool {
        match &self.config.noted {
            Some(noted) => noted.contains(constraints.slice(exprs, query).key_with(exprs, query)),
            None => false,
        }
    }

    fn answer(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        query: ExprId,
        hint: &Model,
    ) -> Answer {
        if let Some(value) = exprs.as_constant(query) {
            let holds = value == 1;
            self.stats.record(
                Stage::Constant,
                if holds { StageOutcome::Sat } else { StageOutcome::Unsat },
                Duration::ZERO,
            );
            return if holds { Answer::Sat(hint.clone()) } else { Answer::Unsat };
        }
        self.stats.record(Stage::Constant, StageOutcome::Unknown, Duration::ZERO);
        if self.evaluator.holds(exprs, query, hint) {
            self.stats.record(Stage::Model, StageOutcome::Sat, Duration::ZERO);
            return Answer::Sat(hint.clone());
        }
        self.stats.record(Stage::Model, StageOutcome::Unknown, Duration::ZERO);
        let start = Instant::now();
        exprs.count_work();
        let verdict = self.decide_slice(exprs, constraints, query, hint, start);
        if !matches!(verdict, Verdict::Unknown(Unknown::Hard)) {
            self.stats.record_query(start.elapsed());
        }
        match verdict {
            Verdict::Sat(values) => Answer::Sat(hint.with(values)),
            Verdict::Unsat => Answer::Unsat,
            Verdict::Unknown(why) => Answer::Unknown(why),
        }
    }

    /// A model that depends on the constraints alone, not on what the solver did before: used for reported
    /// inputs.
    pub fn canonical_model(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
    ) -> Result<Model, Unknown> {
        let start = Instant::now();
        let model = self.canonical.model(exprs, constraints);
        self.reported(exprs, constraints, model, start)
    }

    /// A model of the constraints with the values of `given`, but for what the constraints demand otherwise. Like a
    /// canonical one it does not depend on what the solver did before. `failing` are the constraints that `given` does
    /// not satisfy.
    pub fn model_near(
        &mut self,
        exprs: &Exprs,
        constraints: &Constraints,
        failing: &[ExprId],
        given: &Model,
    ) -> Result<Model, Unknown> {
        let start = Instant::now();
        let model = self.near.model(&mut self.canonical, exprs, constraints, failing, given);
        self.reported(exprs, constraints, model, start)
    }

    /// A model that was found for a report since `start`: checked, and counted.
    fn reported(
        &mut self,
        exprs: &Exprs,
        constraints: &Constraints,
        mut model: Result<Model, Unknown>,
        start: Instant,
    ) -> Result<Model, Unknown> {
        if self.config.validate != Validate::Off
            && let Ok(found) = &model
            && let Some(problem) = self.validator.violated(exprs, &constraints.iter_in_order(), found)
        {
            self.stats.faults += 1;
            model = Err(Unknown::Fault(problem));
        }
        self.stats.canonical_models += 1;
        self.stats.canonical_nanoseconds += start.elapsed().as_nanos() as u64;
        model
    }

    fn decide_slice(
        &mut self,
        exprs: &mut Exprs,
        constraints: &Constraints,
        query: ExprId,
        hint: &Model,
        start: Instant,
    ) -> Verdict {
        let slice = constraints.slice(exprs, query);
        let key = CacheKey::new(&slice, Some(query));
        let known = self.cache.get(&key).cloned();
        let time = start.elapsed();
        match known {
            Some(KnownAnswer::Unsat) => {
                self.stats.record(Stage::Cache, StageOutcome::Unsat, time);
                return Verdict::Unsat;
            }
            Some(KnownAnswer::Sat(values)) => {
                self.stats.record(Stage::Cache, StageOutcome::Sat, time);
                return Verdict::Sat(values.to_vec());
            }
            Some(KnownAnswer::Undecided(why)) => {
                self.stats.record(Stage::Cache, StageOutcome::Unknown, time);
                return Verdict::Unknown(why);
            }
            None => self.stats.record(Stage::Cache, StageOutcome::Unknown, time),
        }
        let negation = exprs.not(query);
        let digest = self.digests.digest(exprs, &slice);
        self.digests.expect(exprs, &slice, query);
        self.digests.expect(exprs, &slice, negation);
        let quick = timed(&mut self.stats, Stage::Contradiction, || {
            let contradicts = digest.conditions.contains(&negation)
                || self.order.contradicts(exprs, &digest.conditions, query)
                || self.bounds.contradicts(exprs, &digest.conditions, query);
            if contradicts { Verdict::Unsat } else { Verdict::Unknown(Unknown::Timeout) }
        });
        let verdict = match quick {
            Verdict::Unsat => quick,
            _ if self.is_late() => Verdict::Unknown(Unknown::Timeout),
            _ => {
                let deadline = self.config.deadline().or(self.end);
                let verdict = self.decide(exprs, &Query::about(exprs, &digest, query, deadline, hint), hint);
                if self.config.notes && matches!(verdict, Verdict::Unsat) {
                    self.contradictions.insert(slice.key_with(exprs, query));
                }
                verdict
            }
        };
        // What was not answered because all had to end may be another time.
        let unanswered = matches!(verdict, Verdict::Unknown(_));
        if !(unanswered && (self.hurried || self.is_late())) {
            self.cache.insert(key, &verdict);
        }
        verdict
    }

    /// Both solvers for a while, one after the other; nothing if neither knows, or there is no second opinion.
    fn decide_soon(&mut self, exprs: &Exprs, query: &Query) -> Option<Verdict> {
        let left = query.deadline.work_left().is_none_or(|left| left > SOON.plus(SOON_SECOND));
        let second = self.second.as_mut().filter(|_| left)?;
        let soon = query.within(Deadline::at(None, Some(SOON)));
        let afresh = self.gates.was_hard();
        let verdict = timed(&mut self.stats, Stage::Bitwuzla, || {
            ask_bitwuzla(&mut self.bitwuzla, &self.interrupt, afresh, exprs, &soon)
        });
        if !matches!(verdict, Verdict::Unknown(Unknown::Work)) {
            return Some(verdict).filter(|verdict| !matches!(verdict, Verdict::Unknown(Unknown::Timeout)));
        }
        let time = query.deadline.time_left().map_or(SOON_TIME, |left| left.min(SOON_TIME));
        let verdict = timed(&mut self.stats, Stage::SecondOpinion, || {
            second::decide(second.as_mut(), exprs, query, (time, Some(SOON_SECOND)))
        });
        Some(verdict).filter(|verdict| matches!(verdict, Verdict::Unsat))
    }

    fn decide(&mut self, exprs: &Exprs, query: &Query, hint: &Model) -> Verdict {
        let of_query = |model: Option<Model>| match model {
            Some(model) => Verdict::Sat(query.values(&model)),
            None => Verdict::Unknown(Unknown::Timeout),
        };
        let repaired = timed(&mut self.stats, Stage::Repair, || {
            of_query(self.repair.run(exprs, &query.conditions, hint, REPAIR_STEPS))
        });
        if let Verdict::Sat(_) = repaired {
            return repaired;
        }
        let verdict = timed(&mut self.stats, Stage::Gates, || self.gates.decide(exprs, query));
        let counters = self.gates.counters();
        self.stats.conflicts = counters.conflicts;
        self.stats.decisions = counters.decisions;
        self.stats.propagations = counters.propagations;
        match verdict {
            Verdict::Unknown(Unknown::Unsupported(_)) if self.easily => {
                return Verdict::Unknown(Unknown::Hard);
            }
            Verdict::Unknown(Unknown::Unsupported(_)) => {}
            verdict => return verdict,
        }
        if self.gates.was_hard() {
            let found = timed(&mut self.stats, Stage::Repair, || {
                of_query(self.repair.search(exprs, query, hint, SEARCH_ATTEMPTS, SEARCH_STEPS))
            });
            if let Verdict::Sat(_) = found {
                return found;
            }
        }
        if self.config.loosely && self.gates.was_hard() {
            let found = timed(&mut self.stats, Stage::Gates, || self.loose.decide(exprs, query));
            match found {
                Verdict::Unsat => return found,
                // What it takes products and quotients for may be right.
                Verdict::Sat(values) => {
                    let model = hint.with(values.iter().copied());
                    let holds = |condition: &ExprId| self.evaluator.holds(exprs, *condition, &model);
                    if query.conditions.iter().all(holds) {
                        return Verdict::Sat(values);
                    }
                }
                Verdict::Unknown(_) => {}
            }
        }
        let calls = math::calls(exprs, &query.conditions);
        if self.gates.had_floats() {
            let found = timed(&mut self.stats, Stage::Repair, || {
                of_query(self.repair.try_common_values(exprs, query, hint))
            });
            if let Verdict::Sat(_) = found {
                return found;
            }
        }
        if calls.is_empty()
            && let Some(verdict) = self.decide_soon(exprs, query)
        {
            return verdict;
        }
        let verdict = timed(&mut self.stats, Stage::Bitwuzla, || {
            if !calls.is_empty() {
                math::decide(&self.interrupt, exprs, query, &calls, &mut self.repair)
            } else {
                ask_bitwuzla(&mut self.bitwuzla, &self.interrupt, self.gates.was_hard(), exprs, query)
            }
        });
        let late = self.is_late();
        match (&verdict, &mut self.second) {
            (Verdict::Unknown(Unknown::Timeout | Unknown::Work), Some(second)) if !late => {
                timed(&mut self.stats, Stage::SecondOpinion, || {
                    second::decide(second.as_mut(), exprs, query, self.config.left(self.end))
                })
            }
            _ => verdict,
        }
    }
}

/// A new Bitwuzla for what is hard, else the one that knows earlier queries.
fn ask_bitwuzla(
    bitwuzla: &mut Bitwuzla,
    interrupt: &Arc<AtomicBool>,
    afresh: bool,
    exprs: &Exprs,
    query: &Query,
) -> Verdict {
    match afresh {
        true => Bitwuzla::decide_afresh(interrupt, exprs, query),
        false => bitwuzla.decide(exprs, query),
    }
}

fn timed(stats: &mut SolverStats, stage: Stage, decide: impl FnOnce() -> Verdict) -> Verdict {
    let start = Instant::now();
    let verdict = decide();
    let outcome = match verdict {
        Verdict::Sat(_) => StageOutcome::Sat,
        Verdict::Unsat => StageOutcome::Unsat,
        Verdict::Unknown(_) => StageOutcome::Unknown,
    };
    let time = start.elapsed();
    if matches!(stage, Stage::Bitwuzla | Stage::SecondOpinion) {
        tracing::debug!(?stage, ?outcome, milliseconds = time.as_millis() as u64, "asked another solver");
    }
    stats.record(stage, outcome, time);
    verdict
}
