//! A question to a deciding stage, and what it may answer.

use super::independence::{Digest, merged};
use crate::expr::{ExprId, Exprs, SymbolId};
use crate::model::Model;
use crate::work::{Deadline, Passed};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unknown {
    /// The time for one query was over.
    #[error("the solver's time limit was reached")]
    Timeout,
    /// The work that the query is worth was done.
    #[error("the question was too hard for what it is worth")]
    Work,
    /// Only an easy question was to be answered, and this is not one.
    #[error("the question is not easy")]
    Hard,
    /// The caller's interrupt flag was set.
    #[error("the solver was interrupted")]
    Interrupted,
    /// No stage can decide such a question.
    #[error("the solver cannot decide this: {0}")]
    Unsupported(String),
    /// A solver contradicted itself or another one, or failed. This is an error in Incise or in a solver,
    /// never in the program.
    #[error("fault of the solver: {0}")]
    Fault(String),
}

impl From<Passed> for Unknown {
    fn from(passed: Passed) -> Self {
        match passed {
            Passed::Time => Unknown::Timeout,
            Passed::Work => Unknown::Work,
        }
    }
}

/// Values of the symbols of a query, in the order of ids.
pub(crate) type Values = Vec<(SymbolId, u128)>;

/// What a deciding stage found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Sat(Values),
    Unsat,
    Unknown(Unknown),
}

/// Conditions that are to hold together: those of a slice in the order of the path, and last the one in
/// question.
pub(crate) struct Query {
    pub(crate) conditions: Vec<ExprId>,
    /// All symbols that the conditions mention, in the order of ids.
    pub(crate) symbols: Vec<SymbolId>,
    /// When to give up.
    pub(crate) deadline: Deadline,
    /// A model of all conditions but the last, if one is known: a good place to begin.
    pub(crate) hint: Option<Model>,
}

impl Query {
    /// The same question, for which there is no more time or work than this.
    pub(crate) fn within(&self, deadline: Deadline) -> Self {
        Query {
            conditions: self.conditions.clone(),
            symbols: self.symbols.clone(),
            deadline: self.deadline.or(deadline),
            hint: self.hint.clone(),
        }
    }

    /// Whether its time is over.
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.time_left().is_some_and(|left| left.is_zero())
    }

    pub(crate) fn new(exprs: &Exprs, conditions: Vec<ExprId>, deadline: Deadline) -> Self {
        let mut symbols: Vec<SymbolId> = Vec::new();
        let mut last = None;
        for &condition in &conditions {
            let set = exprs.symbol_set(condition);
            if last != Some(set) {
                symbols.extend(exprs.symbols_in(set));
                last = Some(set);
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
        Query { conditions, symbols, deadline, hint: None }
    }

    /// The question whether a condition holds together with a slice of which `hint` is a model.
    pub(crate) fn about(
        exprs: &Exprs,
        digest: &Digest,
        condition: ExprId,
        deadline: Deadline,
        hint: &Model,
    ) -> Self {
        let mut conditions = Vec::with_capacity(digest.conditions.len() + 1);
        conditions.extend_from_slice(&digest.conditions);
        conditions.push(condition);
        Query {
            conditions,
            symbols: merged(&digest.symbols, exprs.symbols_of(condition)),
            deadline,
            hint: Some(hint.clone()),
        }
    }

    /// The values that a model has for the query's symbols.
    pub(crate) fn values(&self, model: &Model) -> Values {
        self.symbols.iter().map(|symbol| (*symbol, model.value(*symbol))).collect()
    }
}

/// A stage that can find out whether conditions hold together.
pub(crate) trait Decide {
    fn decide(&mut self, exprs: &Exprs, query: &Query) -> Verdict;
}
