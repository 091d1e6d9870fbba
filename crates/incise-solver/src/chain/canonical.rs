//! Canonical models: values for reported inputs that depend on a path's constraints alone.
//!
//! Two workers, or two runs with other seeds, must report the same inputs for the same path. So each
//! independent slice is solved afresh, its conditions ordered by structure, never by the order in which
//! expressions happened to be made: first by repairing zeros, then by gates of its own, then by a Bitwuzla of
//! its own. No limit here but the last resort's is one of time. Results are kept by slice; being functions of
//! the slice's set of conditions, it does not matter when they were found. Models near a given one (`near`) are
//! found in the same way.

use super::bitwuzla::Bitwuzla;
use super::bounds;
use super::cache::{Cache, CacheKey, KnownAnswer};
use super::gates::{GateLimits, Gates};
use super::math;
use super::query::{Decide, Query, Unknown, Values, Verdict};
use super::repair::Repair;
use super::{SEARCH_ATTEMPTS, SEARCH_STEPS};
use crate::constraints::{Constraints, Slice};
use crate::expr::{ExprId, Exprs};
use crate::model::Model;
use crate::work::{Deadline, Work};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Generous limits, as there is no second chance but Bitwuzla's.
const LIMITS: GateLimits =
    GateLimits { conflicts: 20_000, hard_conflicts: 50, cone: 40_000, circuit: usize::MAX };

/// What there is for a model when time is over.
const LAST_TIME: Duration = Duration::from_millis(500);
const LAST_WORK: Work = Work::about_milliseconds(500);

/// Finds canonical models, and remembers those of slices.
pub(crate) struct Canonical {
    cache: Cache,
    repair: Repair,
    interrupt: Arc<AtomicBool>,
    /// What a slice is worth.
    limits: (Duration, Option<Work>),
    /// When all questions end.
    end: Deadline,
}

/// The conditions of a slice in the order of their structure, without those that others imply.
pub(super) fn ordered(exprs: &Exprs, slice: &Slice) -> Vec<ExprId> {
    let mut conditions: Vec<ExprId> = slice.to_vec();
    conditions.sort_by_cached_key(|condition| exprs.structural_hash(*condition));
    conditions.dedup();
    bounds::drop_implied(exprs, &mut conditions);
    conditions
}

impl Canonical {
    pub(crate) fn new(
        cache_limit: usize,
        limits: (Duration, Option<Work>),
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        Canonical {
            cache: Cache::new(cache_limit),
            repair: Repair::default(),
            interrupt,
            limits,
            end: Deadline::default(),
        }
    }

    /// When to give up on a slice. What was found when time is over still gets its inputs, if that is not hard.
    fn deadline(&self) -> Deadline {
        Deadline::after(self.limits.0, self.limits.1).or(self.end.at_least(LAST_TIME, LAST_WORK))
    }

    pub(crate) fn end_at(&mut self, end: Deadline) {
        self.end = end;
    }

    pub(crate) fn model(&mut self, exprs: &Exprs, constraints: &Constraints) -> Result<Model, Unknown> {
        let mut all = Values::new();
        for slice in constraints.slices(exprs) {
            let key = CacheKey::new(&slice, None);
            match self.cache.get(&key) {
                Some(KnownAnswer::Sat(values)) => all.extend(values.iter()),
                _ => all.extend(self.solve_and_keep(exprs, &slice, key)?),
            }
        }
        Ok(Model::new().with(all))
    }

    /// The values of a slice.
    pub(super) fn values(&mut self, exprs: &Exprs, slice: &Slice) -> Result<Values, Unknown> {
        let key = CacheKey::new(slice, None);
        match self.cache.get(&key) {
            Some(KnownAnswer::Sat(values)) => Ok(values.to_vec()),
            _ => self.solve_and_keep(exprs, slice, key),
        }
    }

    /// A model of conditions near another one, if it is found in a few steps.
    pub(super) fn repaired(&mut self, exprs: &Exprs, conditions: &[ExprId], model: &Model) -> Option<Model> {
        let steps = 20 + 4 * conditions.len().min(500);
        self.repair.run(exprs, conditions, model, steps)
    }

    fn solve_and_keep(&mut self, exprs: &Exprs, slice: &Slice, key: CacheKey) -> Result<Values, Unknown> {
        let values = self.solve(exprs, slice)?;
        self.cache.insert(key, &Verdict::Sat(values.clone()));
        Ok(values)
    }

    fn solve(&mut self, exprs: &Exprs, slice: &Slice) -> Result<Values, Unknown> {
        let conditions = ordered(exprs, slice);
        let repaired = self.repaired(exprs, &conditions, &Model::new());
        let query = Query::new(exprs, conditions, self.deadline());
        if let Some(model) = repaired {
            return Ok(query.values(&model));
        }
        let mut gates = Gates::new(LIMITS, self.interrupt.clone());
        let mut verdict = gates.decide(exprs, &query);
        if let Verdict::Unknown(Unknown::Unsupported(_)) = verdict {
            if gates.was_hard()
                && let Some(model) =
                    self.repair.search(exprs, &query, &Model::new(), SEARCH_ATTEMPTS, SEARCH_STEPS)
            {
                return Ok(query.values(&model));
            }
            let calls = math::calls(exprs, &query.conditions);
            if calls.is_empty() {
                verdict = Bitwuzla::decide_afresh(&self.interrupt, exprs, &query);
            } else if let Some(model) = self.repair.try_common_values(exprs, &query, &Model::new()) {
                return Ok(query.values(&model));
            } else {
                verdict = math::decide(&self.interrupt, exprs, &query, &calls, &mut self.repair);
            }
        }
        match verdict {
            Verdict::Sat(values) => Ok(values),
            Verdict::Unsat => {
                Err(Unknown::Fault("the constraints of a path contradict each other".to_string()))
            }
            Verdict::Unknown(why) => Err(why),
        }
    }
}
