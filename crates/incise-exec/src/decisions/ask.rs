//! What can hold on a path: by the oracle, if there is one, or else by the solver.

use super::oracle::OracleAnswer;
use crate::decisions::decider::Decider;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::outcome::Outcome;
use incise_solver::{Answer, ExprId, Model, Unknown};

impl Decider<'_> {
    /// Whether `condition`, which the state's model does not satisfy, can hold on this path: by the oracle, or else by
    /// the solver.
    pub(crate) fn decide(
        &mut self,
        state: &mut State,
        condition: ExprId,
    ) -> Result<Result<Option<Model>, String>, Exit> {
        match self.oracle_tells(state, condition) {
            OracleAnswer::Possible(model) => return Ok(Ok(Some(model))),
            OracleAnswer::Impossible => return Ok(Ok(None)),
            OracleAnswer::Nothing => self.without_solver()?,
        }
        let answer = match self.ask_easily(state, condition) {
            Some(answer) => self.answered(answer)?,
            None if self.oracle_rules_out(state, condition) => return Ok(Ok(None)),
            None => self.ask(state, condition)?,
        };
        if let Ok(told) = &answer {
            self.oracle_sees_answer(state, condition, told.as_ref());
        }
        Ok(answer)
    }

    /// The solver's answer if it is easy, and if there is somebody else to ask.
    fn ask_easily(&mut self, state: &State, condition: ExprId) -> Option<Answer> {
        match self.oracle.as_ref().is_some_and(|oracle| oracle.may_rule_out()) {
            true => self.solver.check_easily(&mut self.exprs, &state.constraints, condition, &state.model),
            false => None,
        }
    }

    /// A path that is only looked at for what it decides ends where the solver would be needed.
    pub(crate) fn without_solver(&self) -> Result<(), Exit> {
        if self.oracle.as_ref().is_some_and(|oracle| oracle.forbids_solver()) {
            Err(Exit::End(Outcome::Pruned))
        } else {
            Ok(())
        }
    }

    /// Whether `condition` can hold on this path, by the solver; the model shows how.
    pub(crate) fn ask(
        &mut self,
        state: &State,
        condition: ExprId,
    ) -> Result<Result<Option<Model>, String>, Exit> {
        let answer = self.solver.check(&mut self.exprs, &state.constraints, condition, &state.model);
        self.answered(answer)
    }

    fn answered(&mut self, answer: Answer) -> Result<Result<Option<Model>, String>, Exit> {
        match answer {
            Answer::Sat(model) => Ok(Ok(Some(model))),
            Answer::Unsat => Ok(Ok(None)),
            Answer::Unknown(unknown) => {
                // A question that took so long may have been the last for which there was time.
                if self.stop.check_clock() {
                    return Err(Exit::Stop);
                }
                Ok(Err(describe_unknown(&unknown)))
            }
        }
    }

    /// The one value that `expr` must have on this path, if the solver says so.
    pub(crate) fn unique_value(&mut self, state: &State, expr: ExprId) -> Result<Option<u128>, Exit> {
        let value = self.solver.evaluate(&self.exprs, expr, &state.model);
        let constant = self.exprs.constant(value, self.exprs.width(expr));
        let other = self.exprs.compare(incise_solver::CompareOp::Ne, expr, constant);
        Ok(match self.possible(state, other)? {
            true => None,
            false => Some(value),
        })
    }

    /// Whether `condition` can hold on this path; yes if the solver cannot tell.
    pub(crate) fn possible(&mut self, state: &State, condition: ExprId) -> Result<bool, Exit> {
        if self.oracle_says_possible(state, condition) {
            return Ok(true);
        }
        self.without_solver()?;
        match self.solver.check(&mut self.exprs, state.deciding(), condition, &state.model) {
            Answer::Unsat => Ok(false),
            Answer::Unknown(_) if self.stop.check_clock() => Err(Exit::Stop),
            _ => Ok(true),
        }
    }
}

/// Why there is no answer, for people.
pub(crate) fn describe_unknown(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Timeout => "the solver ran out of time".into(),
        Unknown::Work => "the question was too hard for the solver".into(),
        Unknown::Interrupted => "interrupted".into(),
        Unknown::Unsupported(what) => format!("the solver cannot tell: {what}"),
        other => other.to_string(),
    }
}
