//! What the paths of the program that the seeds were made for rule out.
//!
//! Every input takes one path of that program, and everything that is decided on this path holds for it, be it by
//! choice or because there was no other way. So if each of these paths decides the contrary of a condition, or the
//! contrary of a constraint of the state, no input of the state satisfies the condition. This is a matter of logic: it
//! does not depend on what changed between the programs, only on their having decisions in common. Expressions are
//! shared, so that a decision that both have is one expression.
//!
//! What is decided is found out by executing that program with the seeds once more, which needs no solver: a side that
//! no seed goes to is impossible. A path that read what was never initialised, and one that would need the solver
//! otherwise, is left there; what was decided until then counts. As this takes about the time of an easy question for
//! each seed, it is done when the solver found as many conditions to be impossible as there are seeds, or before it is
//! asked hard questions that would take as long.
//!
//! What was decided is kept as a tree (`decided.rs`), and looked through from the place on where the paths are that a
//! state does not rule out: mostly few of them are left.

use super::decided::{Decided, Deciding};
use super::{Followers, Seeding, Seeds, SetId, followers};
use incise_exec::inside::{Decider, State};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use incise_solver::{ExprId, Exprs};
use rustc_hash::FxHashSet;

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

impl Seeding<'_> {
    /// Whether no input of a state satisfies a condition, because of what the paths of the other program decide.
    pub(super) fn is_ruled_out(
        &mut self,
        decider: &mut Decider<'_>,
        state: &mut State,
        condition: ExprId,
    ) -> bool {
        self.learn_in_time(decider);
        let RuledOut { decided: Some(decided), contraries, .. } = &mut self.ruled_out else {
            return false;
        };
        let exprs = &mut decider.exprs;
        contraries.clear();
        contraries.extend(state.path.iter_newest_first().map(|each| exprs.not(each.condition)));
        let there = followers(state);
        let left = decided.narrow(there.left, contraries);
        state.ticket = Followers { left, ..there }.into();
        contraries.insert(exprs.not(condition));
        decided.rules_out(left, contraries)
    }

    /// The solver found a condition to be impossible.
    pub(super) fn found_impossible(&mut self) {
        self.ruled_out.asked += 1;
    }

    /// Whether what the other program decides could be found out, and was not yet.
    pub(super) fn can_learn(&self) -> bool {
        self.is_exhaustive() && self.learning.is_none() && self.ruled_out.decided.is_none()
    }

    /// The same as [`Self::is_ruled_out`] for a condition that the solver found hard to decide: this may be the time to
    /// find out what the other program decides.
    pub(super) fn is_hard_and_ruled_out(
        &mut self,
        decider: &mut Decider<'_>,
        state: &mut State,
        condition: ExprId,
    ) -> bool {
        if !self.can_learn() {
            return false;
        }
        self.ruled_out.asked += HARD;
        self.is_ruled_out(decider, state, condition)
    }

    /// Finds out what the other program decides, if that is worthwhile by now.
    fn learn_in_time(&mut self, decider: &mut Decider<'_>) {
        if self.can_learn() && self.ruled_out.asked >= self.given.len() {
            self.ruled_out.decided = Some(self.learn(decider));
        }
    }

    /// Executes the program of the seeds with the seeds.
    fn learn(&self, decider: &mut Decider<'_>) -> Decided {
        let seeds = Seeds { all: self.given, paths_of: self.paths_of, judge: None };
        let Some(program) = seeds.paths_of else { return Decided::nothing() };
        let mut seeding = Seeding::new(&seeds, |_| false, 0);
        seeding.learning = Some(Deciding::default());
        // Nothing can go wrong that did not when the seeds were made.
        decider.explore_aside(program, &mut Retrace, &mut seeding);
        let Seeding { learning, sets, .. } = seeding;
        learning.unwrap_or_default().finish(&sets)
    }

    /// A condition was decided on the path of a state, by choice or because there was no other way.
    pub(super) fn learn_condition(&mut self, state: &State, condition: ExprId) {
        if let Some(learning) = &mut self.learning {
            learning.condition(followers(state).seeds, condition);
        }
    }

    /// A state decided for some of its seeds.
    pub(super) fn learn_part(&mut self, of: SetId, seeds: SetId) {
        if let Some(learning) = &mut self.learning {
            learning.part(of, seeds);
        }
    }

    /// Of several alternatives one was decided for, so that the others do not hold.
    pub(super) fn learn_alternative(
        &mut self,
        exprs: &mut Exprs,
        state: &State,
        conditions: &[ExprId],
        taken: usize,
    ) {
        if self.learning.is_none() {
            return;
        }
        for (index, &condition) in conditions.iter().enumerate() {
            let holds = if index == taken { condition } else { exprs.not(condition) };
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

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        false
    }
}
