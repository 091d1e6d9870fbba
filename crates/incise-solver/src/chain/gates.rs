//! The stage of gates: conditions become assumptions about one circuit that grows over the whole run (see
//! `blast`), and our own SAT solver, which stays within their cone, decides (see `sat`).
//!
//! It declines what has too large a cone, and gives up after a number of conflicts: fewer if a product or a
//! quotient of two unknown words is involved, which Bitwuzla handles better. Before that such a question is asked with
//! products and quotients told loosely (see `blast::divide`): `(head + count) % size`, where that is at most once the
//! size, needs no division.

use super::query::{Decide, Query, Unknown, Values, Verdict};
use crate::blast::gates::Bit;
use crate::blast::{Blaster, NotBlasted};
use crate::expr::Exprs;
use crate::model::Model;
use crate::sat::{ConeTooLarge, Limits, Sat, SatCounters, SatOutcome};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much the stage may do for one query.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct GateLimits {
    pub(crate) conflicts: u64,
    /// For queries with products or quotients of two unknown words.
    pub(crate) hard_conflicts: u64,
    pub(crate) cone: usize,
    /// The circuit of all queries together is thrown away when it has more gates than this.
    pub(crate) circuit: usize,
}

/// The stage, with its circuit.
pub(crate) struct Gates {
    blaster: Blaster,
    sat: Sat,
    limits: GateLimits,
    interrupt: Arc<AtomicBool>,
    assumptions: Vec<Bit>,
    /// Whether products and quotients of unknowns are told loosely.
    loosely: bool,
    hard: bool,
    floats: bool,
    /// What solvers before the present one did.
    retired: SatCounters,
}

impl Gates {
    pub(crate) fn new(limits: GateLimits, interrupt: Arc<AtomicBool>) -> Self {
        Gates {
            blaster: Blaster::new(limits.cone),
            sat: Sat::new(),
            limits,
            interrupt,
            assumptions: Vec::new(),
            loosely: false,
            hard: false,
            floats: false,
            retired: SatCounters::default(),
        }
    }

    /// A stage for contradictions that do not depend on what products and quotients of unknowns are: other answers of
    /// it mean nothing.
    pub(crate) fn loose(limits: GateLimits, interrupt: Arc<AtomicBool>) -> Self {
        Gates { blaster: Blaster::loose(limits.cone), loosely: true, ..Gates::new(limits, interrupt) }
    }

    /// Whether the last query had products or quotients of two unknown words.
    pub(crate) fn was_hard(&self) -> bool {
        self.hard
    }

    /// Whether the last query was declined for its float operations.
    pub(crate) fn had_floats(&self) -> bool {
        self.floats
    }

    pub(crate) fn counters(&self) -> SatCounters {
        self.retired + self.sat.counters()
    }

    /// Starts anew when the circuit is large: gates are never taken away one by one.
    fn keep_small(&mut self) {
        if self.blaster.gates().len() > self.limits.circuit {
            self.retired = self.counters();
            self.blaster = match self.loosely {
                true => Blaster::loose(self.limits.cone),
                false => Blaster::new(self.limits.cone),
            };
            self.sat = Sat::new();
        }
    }

    /// Collects the assumptions. False if one of them is the constant false.
    fn collect(&mut self, exprs: &Exprs, query: &Query) -> Result<bool, NotBlasted> {
        self.assumptions.clear();
        (self.hard, self.floats) = (false, false);
        let (interrupt, deadline) = (Arc::clone(&self.interrupt), query.deadline);
        let must_stop =
            || interrupt.load(Ordering::Relaxed) || deadline.time_left().is_some_and(|left| left.is_zero());
        for &condition in &query.conditions {
            let bit = self.blaster.condition(exprs, condition, &must_stop)?;
            self.hard |= self.blaster.is_hard(condition);
            match bit.as_constant() {
                Some(false) => return Ok(false),
                Some(true) => {}
                None => self.assumptions.push(bit),
            }
        }
        Ok(true)
    }

    /// Lets the solver begin near a model.
    fn prefer(&mut self, exprs: &Exprs, query: &Query, hint: &Model) {
        for &symbol in &query.symbols {
            let value = hint.value(symbol);
            for (position, bit) in self.blaster.bits(exprs, exprs.symbol_expr(symbol)).iter().enumerate() {
                self.sat.prefer(bit.node(), value >> position & 1 == 1);
            }
        }
    }

    fn values(&self, exprs: &Exprs, query: &Query) -> Values {
        let value = |symbol| {
            let bits = self.blaster.bits(exprs, exprs.symbol_expr(symbol));
            bits.iter().enumerate().fold(0, |value, (position, bit)| {
                value | u128::from(self.sat.value(bit.node()) == Some(true)) << position
            })
        };
        query.symbols.iter().map(|&symbol| (symbol, value(symbol))).collect()
    }
}

impl Decide for Gates {
    fn decide(&mut self, exprs: &Exprs, query: &Query) -> Verdict {
        self.keep_small();
        match self.collect(exprs, query) {
            Ok(true) => {}
            Ok(false) => return Verdict::Unsat,
            Err(NotBlasted::Float) => {
                self.floats = true;
                return declined("float operations");
            }
            Err(NotBlasted::Stopped) if self.interrupt.load(Ordering::Relaxed) => {
                return Verdict::Unknown(Unknown::Interrupted);
            }
            Err(NotBlasted::Stopped) => return Verdict::Unknown(Unknown::Timeout),
            Err(NotBlasted::TooLarge) => {
                self.hard = true;
                return declined("an operation of too many gates");
            }
        }
        if let Err(ConeTooLarge) = self.sat.assume(self.blaster.gates(), &self.assumptions, self.limits.cone)
        {
            return declined("too many gates");
        }
        if let Some(hint) = &query.hint {
            self.prefer(exprs, query, hint);
        }
        let limits = Limits {
            conflicts: if self.hard { self.limits.hard_conflicts } else { self.limits.conflicts },
            deadline: query.deadline,
            interrupt: Some(&self.interrupt),
        };
        match self.sat.solve(self.blaster.gates(), &limits) {
            SatOutcome::Satisfiable => Verdict::Sat(self.values(exprs, query)),
            SatOutcome::Unsatisfiable => Verdict::Unsat,
            SatOutcome::TooHard => declined("too many conflicts"),
            SatOutcome::DeadlinePassed(passed) => Verdict::Unknown(passed.into()),
            SatOutcome::Interrupted => Verdict::Unknown(Unknown::Interrupted),
        }
    }
}

fn declined(why: &str) -> Verdict {
    Verdict::Unknown(Unknown::Unsupported(why.to_string()))
}
