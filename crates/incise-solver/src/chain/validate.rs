//! Validation: each answer is checked by other means, independent of slices, caches, repairs and gates.
//!
//! A model is evaluated on all constraints and the condition. All answers are compared with a fresh Bitwuzla
//! that is given all constraints, and a sample with a second opinion, contradictions above all. A
//! disagreement is a fault of ours or of a solver: it is counted, and the answer becomes [`Unknown::Fault`],
//! so that no result rests on it.

use super::bitwuzla::Bitwuzla;
use super::math;
use super::query::{Query, Unknown, Verdict};
use super::repair::Repair;
use super::second::{self, Opinion, SecondOpinion};
use super::stats::SolverStats;
use super::{Answer, SolverConfig, Validate};
use crate::constraints::Constraints;
use crate::evaluate::Evaluator;
use crate::expr::{ExprId, Exprs};
use crate::model::Model;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Of so many contradictions, or so many other answers, one is compared with the second opinion.
const UNSAT_SAMPLE: u64 = 4;
const SAT_SAMPLE: u64 = 32;

/// Checks answers.
pub(crate) struct Validator {
    evaluator: Evaluator,
    interrupt: Arc<AtomicBool>,
}

/// What answers are checked with, and where that is counted.
pub(crate) struct Others<'a> {
    pub(crate) config: &'a SolverConfig,
    pub(crate) second: Option<&'a mut (dyn SecondOpinion + 'static)>,
    pub(crate) stats: &'a mut SolverStats,
}

impl Validator {
    pub(crate) fn new(interrupt: Arc<AtomicBool>) -> Self {
        Validator { evaluator: Evaluator::new(), interrupt }
    }

    /// The answer, or a fault if it is wrong.
    pub(crate) fn check(
        &mut self,
        exprs: &Exprs,
        constraints: &Constraints,
        query: ExprId,
        answer: Answer,
        mut others: Others<'_>,
    ) -> Answer {
        let mut conditions = constraints.iter_in_order();
        conditions.push(query);
        let problem = match &answer {
            Answer::Unknown(_) => return answer,
            Answer::Sat(model) => self
                .violated(exprs, &conditions, model)
                .or_else(|| self.compare(exprs, &conditions, true, &mut others)),
            Answer::Unsat => self.compare(exprs, &conditions, false, &mut others),
        };
        match problem {
            None => answer,
            Some(problem) => {
                others.stats.faults += 1;
                Answer::Unknown(Unknown::Fault(problem))
            }
        }
    }

    /// What a model that was given out does not satisfy.
    pub(crate) fn violated(&mut self, exprs: &Exprs, conditions: &[ExprId], model: &Model) -> Option<String> {
        let broken = conditions.iter().find(|condition| !self.evaluator.holds(exprs, **condition, model))?;
        Some(format!("a model does not satisfy {}", exprs.display_c(*broken)))
    }

    fn compare(
        &self,
        exprs: &Exprs,
        conditions: &[ExprId],
        satisfiable: bool,
        others: &mut Others<'_>,
    ) -> Option<String> {
        let Others { config, second, stats } = others;
        stats.validated += 1;
        let query = Query::new(exprs, conditions.to_vec(), config.deadline());
        let calls = math::calls(exprs, conditions);
        let verdict = if calls.is_empty() {
            Bitwuzla::decide_afresh(&self.interrupt, exprs, &query)
        } else {
            math::decide(&self.interrupt, exprs, &query, &calls, &mut Repair::default())
        };
        let other = match verdict {
            Verdict::Sat(_) => Some(true),
            Verdict::Unsat => Some(false),
            Verdict::Unknown(_) => None,
        };
        let words = if satisfiable { "satisfiable" } else { "contradictory" };
        let last = || conditions.last().map_or_else(String::new, |query| exprs.display_c(*query));
        if other == Some(!satisfiable) {
            return Some(format!("the chain finds {} {words}, Bitwuzla does not", last()));
        }
        let second = second.as_deref_mut().filter(|_| config.validate == Validate::BitwuzlaAndZ3Sample)?;
        let sample = if satisfiable { SAT_SAMPLE } else { UNSAT_SAMPLE };
        // By structure rather than by a counter, so that the sample does not depend on the order of questions.
        let hash = conditions.iter().fold(0, |hash: u64, c| hash.rotate_left(5) ^ exprs.structural_hash(*c));
        if hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & (sample - 1) != 0 {
            return None;
        }
        stats.second_opinions += 1;
        let agrees = match second::ask(second, exprs, conditions, config.timeout, None) {
            // A script does not say what the values of library functions are.
            Opinion::Sat => satisfiable || !calls.is_empty(),
            Opinion::Unsat => !satisfiable,
            Opinion::None => true,
        };
        (!agrees).then(|| format!("the chain finds {} {words}, the second opinion does not", last()))
    }
}
