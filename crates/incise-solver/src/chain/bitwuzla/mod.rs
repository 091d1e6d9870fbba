//! The stage of Bitwuzla: everything that the cheaper stages decline, floats above all.
//!
//! Incremental: each condition has its own level, and levels of the prefix that two queries share stay. A
//! solver that lives long becomes slow, so that it is made anew from time to time, terms included.

mod floats;
mod math;
mod translate;

pub(crate) use math::Point;

use super::query::{Decide, Query, Unknown, Values, Verdict};
use crate::expr::{ExprId, Exprs};
use crate::work::{self, Effort};
use incise_bitwuzla::{Answer, Error, Solver, SolverOptions, Stop, Term};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use translate::{Task, Translator};

/// A session is given up after this many queries, or when it has this many terms.
const QUERIES_PER_SESSION: usize = 200;
const TERMS_PER_SESSION: usize = 50_000;

/// The stage.
pub(crate) struct Bitwuzla {
    interrupt: Arc<AtomicBool>,
    session: Option<Session>,
}

/// A solver and the conditions that are asserted in it, one on each level.
struct Session {
    translator: Translator,
    solver: Solver,
    asserted: Vec<ExprId>,
    queries: usize,
}

impl Bitwuzla {
    pub(crate) fn new(interrupt: Arc<AtomicBool>) -> Self {
        Bitwuzla { interrupt, session: None }
    }

    /// Decides with a solver of its own that knows nothing of earlier queries. Without levels, preprocessing
    /// sees all conditions at once, which is worth the trouble for products and quotients.
    pub(crate) fn decide_afresh(interrupt: &Arc<AtomicBool>, exprs: &Exprs, query: &Query) -> Verdict {
        let result = Session::new(Some(interrupt.clone())).and_then(|mut session| {
            session.assert_all(exprs, query)?;
            session.answer(exprs, query)
        });
        result.unwrap_or_else(|error| fault(&error))
    }

    /// A solver of its own for conditions with library functions, which can be told more about them.
    pub(crate) fn refine(
        interrupt: &Arc<AtomicBool>,
        exprs: &Exprs,
        query: &Query,
    ) -> Result<Refinement, Verdict> {
        let mut refinement = Session::new(Some(interrupt.clone()))
            .map(|session| Refinement { session })
            .map_err(|error| fault(&error))?;
        let result = refinement.session.assert_all(exprs, query);
        result.map(|()| refinement).map_err(|error| fault(&error))
    }

    /// The conditions as a script in SMT-LIB, for another solver.
    pub(crate) fn script(exprs: &Exprs, conditions: &[ExprId]) -> Result<String, Error> {
        let mut session = Session::new(None)?;
        for &condition in conditions {
            let term = session.translator.condition(exprs, condition)?;
            session.solver.assert(term)?;
        }
        let script = session.solver.smt2()?;
        // Bitwuzla names the logic without the theories that only occur below; others take that at its word.
        Ok(script
            .lines()
            .filter(|line| !line.starts_with("(set-logic"))
            .fold(String::new(), |text, line| text + line + "\n"))
    }
}

impl Session {
    fn new(interrupt: Option<Arc<AtomicBool>>) -> Result<Self, Error> {
        work::count(Effort::Session, 1);
        let translator = Translator::new(interrupt.clone())?;
        let solver =
            Solver::new(&translator.manager, SolverOptions { interrupt, ..SolverOptions::default() })?;
        Ok(Session { translator, solver, asserted: Vec::new(), queries: 0 })
    }

    /// Asserts conditions without levels.
    fn assert_all(&mut self, exprs: &Exprs, query: &Query) -> Result<(), Error> {
        self.translator.end = query.deadline;
        for &condition in &query.conditions {
            let term = self.translator.condition(exprs, condition)?;
            self.solver.assert(term)?;
        }
        Ok(())
    }

    fn is_old(&self) -> bool {
        self.queries >= QUERIES_PER_SESSION || self.translator.len() >= TERMS_PER_SESSION
    }

    fn check(&mut self, exprs: &Exprs, query: &Query) -> Result<Verdict, Error> {
        self.queries += 1;
        self.translator.end = query.deadline;
        let shared = self.asserted.iter().zip(&query.conditions).take_while(|(old, new)| old == new).count();
        while self.asserted.len() > shared {
            self.solver.pop()?;
            self.asserted.pop();
        }
        for &condition in &query.conditions[shared..] {
            let term = self.translator.condition(exprs, condition)?;
            self.solver.push()?;
            self.asserted.push(condition);
            self.solver.assert(term)?;
        }
        self.answer(exprs, query)
    }

    /// Decides about what is asserted.
    fn answer(&mut self, exprs: &Exprs, query: &Query) -> Result<Verdict, Error> {
        self.answer_assuming(exprs, query, &[], 1)
    }

    fn answer_assuming(
        &mut self,
        exprs: &Exprs,
        query: &Query,
        assumptions: &[Term],
        share: u32,
    ) -> Result<Verdict, Error> {
        self.solver.set_time_limit(query.deadline.time_left().map(|time| time / share));
        let polls = query.deadline.work_left().map(|work| work.part(share).efforts(Effort::Poll));
        self.solver.set_poll_limit(polls);
        let answer = self.solver.check_assuming(assumptions);
        work::count(Effort::Poll, self.solver.polls());
        Ok(match answer? {
            Answer::Sat => Verdict::Sat(self.values(exprs, query)?),
            Answer::Unsat => Verdict::Unsat,
            Answer::Unknown(stop) => stopped(stop),
        })
    }

    fn values(&mut self, exprs: &Exprs, query: &Query) -> Result<Values, Error> {
        let mut values = Values::with_capacity(query.symbols.len());
        for &symbol in &query.symbols {
            let value = match self.translator.symbol(exprs, symbol) {
                Some(term) => self.solver.value(term)?,
                None => 0,
            };
            values.push((symbol, value));
        }
        Ok(values)
    }
}

/// A solver for one question, which is told more and asked again.
pub(crate) struct Refinement {
    session: Session,
}

/// The part of the time left that a question with assumptions may take.
const SHARE_OF_TIME: u32 = 4;

impl Refinement {
    /// Decides with what was told so far.
    pub(crate) fn decide(&mut self, exprs: &Exprs, query: &Query) -> Verdict {
        self.session.answer(exprs, query).unwrap_or_else(|error| fault(&error))
    }

    /// The value of a call, which a condition contains, in the model just found.
    pub(crate) fn value(&mut self, call: ExprId) -> Result<u128, Verdict> {
        let session = &mut self.session;
        let value = session.translator.term(Task::Bits(call)).and_then(|term| session.solver.value(term));
        value.map_err(|error| fault(&error))
    }

    /// Tells the value of a function at a point.
    pub(crate) fn learn(&mut self, point: &Point) -> Result<(), Verdict> {
        let session = &mut self.session;
        let result = session.translator.point(point).and_then(|term| session.solver.assert(term));
        result.map_err(|error| fault(&error))
    }

    /// Decides where each call is at one of its points, in part of the time that is left.
    pub(crate) fn decide_at(
        &mut self,
        exprs: &Exprs,
        query: &Query,
        places: &[(ExprId, Vec<Point>)],
    ) -> Verdict {
        let session = &mut self.session;
        let assumptions: Result<Vec<Term>, Error> =
            places.iter().map(|(call, points)| session.translator.at_one_of(exprs, *call, points)).collect();
        assumptions
            .and_then(|assumptions| session.answer_assuming(exprs, query, &assumptions, SHARE_OF_TIME))
            .unwrap_or_else(|error| fault(&error))
    }
}

impl Decide for Bitwuzla {
    fn decide(&mut self, exprs: &Exprs, query: &Query) -> Verdict {
        let mut session = match self.session.take().filter(|session| !session.is_old()) {
            Some(session) => session,
            None => match Session::new(Some(self.interrupt.clone())) {
                Ok(session) => session,
                Err(error) => return fault(&error),
            },
        };
        match session.check(exprs, query) {
            Ok(verdict) => {
                // Levels of a query that was stopped are sound, but may be what made it slow.
                if !matches!(verdict, Verdict::Unknown(_)) {
                    self.session = Some(session);
                }
                verdict
            }
            Err(error) => fault(&error),
        }
    }
}

fn fault(error: &Error) -> Verdict {
    match error {
        Error::Stopped(stop) => stopped(*stop),
        _ => Verdict::Unknown(Unknown::Fault(error.to_string())),
    }
}

fn stopped(stop: Stop) -> Verdict {
    Verdict::Unknown(match stop {
        Stop::TimeLimit => Unknown::Timeout,
        Stop::PollLimit => Unknown::Work,
        Stop::Interrupted => Unknown::Interrupted,
        Stop::GaveUp => Unknown::Unsupported("Bitwuzla gave up".to_string()),
    })
}

#[cfg(test)]
mod tests;
