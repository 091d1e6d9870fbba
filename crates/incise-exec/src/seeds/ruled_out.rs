//! What the paths of the program that the seeds were made for rule out.
//!
//! Every input takes one path of that program, and everything that is decided on this path holds for it, be it by choice or because there was no other way. So if each of these paths decides the contrary of a condition, or
//! the contrary of a constraint of the state, no input of the state satisfies the condition. This is a matter of logic: it does not depend on what changed between the programs, only on their having decisions in common. Expressions are
//! shared, so that a decision that both have is one expression.
//!
//! What is decided is found out by executing that program with the seeds once more, which needs no solver: a side that no seed goes to is impossible. A path that read what was never initialised, and one that would need the solver otherwise,
//! is left there; what was decided until then counts. As this takes about the time of an easy question for each seed, it is done when the solver found as many conditions to be impossible as there are seeds, or before it is asked hard questions that would take as long.
//!
//! What was decided is kept as a tree (`decided.rs`), and looked through from the place on where the paths are that a state does not rule out: mostly few of them are left.

use super::decided::{Decided, Deciding};
use super::{Seeding, Seeds, SetId};
use crate::config::Config;
use crate::decisions::strategy::{End, Note, Stack, Strategy, Visit, Watches};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::exploration::explore::{Hooks, Shared, run_jobs};
use crate::exploration::finish::{Detail, Sink};
use incise_solver::{ExprId, Exprs};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A hard question takes about the time of so many easy ones.
const HARD: usize = 1 << 12;

/// What is known of the paths of the other program.
#[derive(Default)]
pub(super) struct RuledOut {
    /// How many conditions the solver found to be impossible. What it told before is at hand, and costs little.
    asked: usize,
    /// `None` until it is known.
    decided: Option<Decided>,
    /// The contraries of the constraints of the state that was looked at last.
    contraries: FxHashSet<ExprId>,
}

impl<'a> Machine<'a> {
    /// Whether no input of a state satisfies a condition, because of what the paths of the other program decide.
    pub(super) fn is_ruled_out(&mut self, state: &mut State, condition: ExprId) -> bool {
        self.learn_in_time();
        let Some(seeding) = &mut self.seeding else { return false };
        let RuledOut { decided: Some(decided), contraries, .. } = &mut seeding.ruled_out else {
            return false;
        };
        contraries.clear();
        contraries.extend(state.path.iter_newest_first().map(|each| self.exprs.not(each.condition)));
        state.followers.left = decided.narrow(state.followers.left, contraries);
        contraries.insert(self.exprs.not(condition));
        decided.rules_out(state.followers.left, contraries)
    }

    /// The solver found a condition to be impossible.
    pub(super) fn found_impossible(&mut self) {
        if let Some(seeding) = &mut self.seeding {
            seeding.ruled_out.asked += 1;
        }
    }

    /// Whether what the other program decides could be found out, and was not yet.
    pub(crate) fn can_learn(&self) -> bool {
        self.seeding.as_ref().is_some_and(|seeding| {
            seeding.is_exhaustive() && seeding.learning.is_none() && seeding.ruled_out.decided.is_none()
        })
    }

    /// The same as [`Self::is_ruled_out`] for a condition that the solver found hard to decide: this may be the time to find out what the other program decides.
    pub(crate) fn is_hard_and_ruled_out(&mut self, state: &mut State, condition: ExprId) -> bool {
        if !self.can_learn() {
            return false;
        }
        if let Some(seeding) = &mut self.seeding {
            seeding.ruled_out.asked += HARD;
        }
        self.is_ruled_out(state, condition)
    }

    /// Finds out what the other program decides, if that is worthwhile by now.
    fn learn_in_time(&mut self) {
        if self.can_learn()
            && let Some(seeding) = &self.seeding
            && seeding.ruled_out.asked >= seeding.given.len()
        {
            let decided = self.learn();
            if let Some(seeding) = &mut self.seeding {
                seeding.ruled_out.decided = Some(decided);
            }
        }
    }

    /// Executes the program of the seeds with the seeds.
    fn learn(&mut self) -> Decided {
        let nothing = Decided::nothing();
        let Some(seeding) = &self.seeding else { return nothing };
        let seeds = Seeds { all: seeding.given, paths_of: seeding.paths_of, judge: None };
        let Some(program) = seeds.paths_of else { return nothing };
        let Some(entry) = self.entry_of(program) else { return nothing };
        let exprs = std::mem::replace(&mut self.exprs, Exprs::new());
        let fresh = crate::engine::machine::solver(self.config, &self.stop.interrupt);
        let solver = std::mem::replace(&mut self.solver, fresh);
        let config = Config { workers: 1, ..self.config.clone() };
        let hooks = Hooks {
            interrupt: Arc::clone(&self.stop.interrupt),
            progress: None,
            memory_used: None,
            detail: Detail::First(0),
        };
        let mut strategy = Retrace;
        let (stop, sink) = (self.stop.clone(), Sink::new(hooks.detail));
        let mut machine = Machine::with(program, &config, &mut strategy, stop, sink, (exprs, solver));
        let mut seeding = Seeding::new(&seeds);
        seeding.learning = Some(Deciding::default());
        machine.seeding = Some(Box::new(seeding));
        // That it was cut does no harm, and nothing else can go wrong that did not when the seeds were made.
        let _ = run_jobs(&mut machine, entry, &Shared::new(&config), &hooks, true);
        let Machine { exprs, solver, seeding, .. } = machine;
        (self.exprs, self.solver) = (exprs, solver);
        let Some(seeding) = seeding else { return nothing };
        let Seeding { learning, sets, .. } = *seeding;
        learning.unwrap_or_default().finish(&sets)
    }

    /// Whether the program of the seeds is executed, to see what it decides.
    pub(crate) fn is_learning(&self) -> bool {
        self.seeding.as_ref().is_some_and(|seeding| seeding.learning.is_some())
    }

    /// A condition was decided on the path of a state, by choice or because there was no other way.
    pub(crate) fn learn_condition(&mut self, state: &State, condition: ExprId) {
        if let Some(seeding) = &mut self.seeding
            && let Some(learning) = &mut seeding.learning
        {
            learning.condition(state.followers.seeds, condition);
        }
    }

    /// A state decided for some of its seeds.
    pub(super) fn learn_part(&mut self, of: SetId, seeds: SetId) {
        if let Some(seeding) = &mut self.seeding
            && let Some(learning) = &mut seeding.learning
        {
            learning.part(of, seeds);
        }
    }

    /// Of several alternatives one was decided for, so that the others do not hold.
    pub(crate) fn learn_alternative(&mut self, state: &State, conditions: &[ExprId], taken: usize) {
        if !self.is_learning() {
            return;
        }
        for (index, &condition) in conditions.iter().enumerate() {
            let holds = if index == taken { condition } else { self.exprs.not(condition) };
            self.learn_condition(state, holds);
        }
    }
}

/// Goes down the tree of paths and reports nothing.
struct Retrace;

impl Strategy for Retrace {
    fn watches(&self) -> Watches {
        Watches::new()
    }

    fn reached(&mut self, _note: &mut Note, _point: u32, _stack: &Stack<'_>) -> Visit {
        Visit::Continue
    }

    fn departed(&self, _note: Note) -> bool {
        false
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        false
    }
}
