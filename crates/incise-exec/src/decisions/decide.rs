//! The ways of a path: sides of conditions, alternatives, requirements and assumptions.
//!
//! Every decision is one of four. [`Decider::branch`] goes two ways, each with its own continuation;
//! [`Decider::choose`] goes several, and forks repeat the instruction; [`Decider::require`] goes on where something
//! holds, and ends in an error where it does not; [`Decider::assume`] goes on where it holds, and nowhere else.
//!
//! An instruction that needs several decisions (a copy through two symbolic pointers) makes them all before it changes
//! anything. A fork repeats its instruction from the start with the decisions already made.

use super::ask::describe_unknown;
use super::oracle::OracleAnswer;
use super::strategy::{Origin, Stack};
use crate::decisions::decider::Decider;
use crate::engine::machine::{Exit, mentions_made_up};
use crate::engine::state::{PathConstraint, Replay, State, Turning};
use crate::outcome::{LimitKind, Outcome, ProgramError};
use crate::result::Decision;
use incise_solver::{Answer, ExprId, Model};

const TRUE_SIDE: Decision = Decision::Side { holds: true };
const FALSE_SIDE: Decision = Decision::Side { holds: false };

/// Which sides of a branch are worth asking for.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Ways {
    Both,
    /// This one; the other is of no interest.
    Only(bool),
    None,
    /// The way of the model, without asking.
    Follow,
}

impl Decider<'_> {
    /// The negation of a condition.
    fn negated(&mut self, condition: ExprId) -> ExprId {
        if let Some(negated) = self.negations.get(condition) {
            return negated;
        }
        let negated = self.exprs.not(condition);
        self.negations.put(condition, negated);
        negated
    }

    /// The instruction that is being executed by the innermost active function that the strategy watches, and whether
    /// the strategy is about what is decided there.
    fn origin(&self, state: &State) -> (Option<Origin>, bool) {
        if self.watches.is_empty() {
            return (None, false);
        }
        let stack = Stack::new(state, &self.watches);
        (stack.frames().next(), self.strategy.marks(&stack))
    }

    /// Adds a conjunct to the path condition.
    pub(crate) fn constrain(&mut self, state: &mut State, condition: ExprId) {
        self.note_indeterminate(state, condition);
        let location = self.location(state);
        let (origin, marked) = self.origin(state);
        if let Some(relevant) = &mut state.relevant {
            relevant.push(&self.exprs, condition);
        }
        state.constraints.push(&self.exprs, condition);
        state.path.push(PathConstraint { condition, location, origin, marked });
        self.oracle_sees_constraint(state, condition);
    }

    /// Copying what was never initialised is no harm; deciding by it is.
    fn note_indeterminate(&self, state: &mut State, condition: ExprId) {
        if state.made_up > 0 && !state.indeterminate {
            state.indeterminate = mentions_made_up(&self.exprs, condition);
        }
    }

    /// Adds a conjunct that the state's model satisfies and that nobody asked for.
    fn constrain_followed(&mut self, state: &mut State, condition: ExprId) {
        if self.exprs.as_constant(condition).is_some() || state.constraints.lately_has(&self.exprs, condition)
        {
            return;
        }
        // On a traced path nothing is given up again.
        if self.tracing.is_some() {
            return self.constrain(state, condition);
        }
        self.note_indeterminate(state, condition);
        let location = self.location(state);
        let (origin, marked) = self.origin(state);
        if state.relevant.is_none() {
            state.relevant = Some(state.constraints.clone());
        }
        state.constraints.push(&self.exprs, condition);
        state.path.push(PathConstraint { condition, location, origin, marked });
    }

    /// Keeps the first state, if a strategy may want to begin again with it.
    pub fn keep_start(&mut self, state: &State) {
        if !self.watches.is_empty() {
            self.first = Some(Box::new(state.fork()));
        }
    }

    /// A decision that cannot go this way because of branches that were merely followed: another state goes there from
    /// the start, with a model that satisfies everything else, and follows them where that leads.
    fn begin_again(&mut self, state: &State, way: Option<Decision>, model: Model) {
        let Some(first) = &self.first else { return };
        let mut fresh = Box::new(first.fork());
        let mut decisions: Vec<Turning> = state.decisions.iter_newest_first().copied().collect();
        decisions.reverse();
        decisions.extend(way.map(|way| Turning::of(state, way)));
        fresh.model = model;
        if !decisions.is_empty() {
            fresh.replay = Some(Box::new(Replay { decisions, next: 0 }));
        }
        self.add_fork(fresh);
    }

    /// Looks for a way to `condition` that gives up followed branches; says whether there may be one.
    fn ask_again(&mut self, state: &State, way: Option<Decision>, condition: ExprId) -> Result<bool, Exit> {
        let Some(relevant) = &state.relevant else { return Ok(false) };
        match self.solver.check(&mut self.exprs, relevant, condition, &state.model) {
            Answer::Sat(model) => self.begin_again(state, way, model),
            Answer::Unsat => return Ok(false),
            Answer::Unknown(unknown) => {
                if self.stop.check_clock() {
                    return Err(Exit::Stop);
                }
                self.undecided(state, condition, way.unwrap_or(TRUE_SIDE), &describe_unknown(&unknown));
            }
        }
        Ok(true)
    }

    /// Decides a two-way branch for `state`. Where both sides are possible, `fork` gets a copy that goes to the false
    /// side.
    pub(crate) fn branch(
        &mut self,
        state: &mut State,
        condition: ExprId,
        ways: Ways,
        fork: impl FnOnce(&mut Self, &mut State),
    ) -> Result<bool, Exit> {
        if state.following || matches!(ways, Ways::Follow) {
            let side = self.solver.evaluate(&self.exprs, condition, &state.model) != 0;
            let taken = if side { condition } else { self.negated(condition) };
            self.constrain_followed(state, taken);
            return Ok(side);
        }
        match self.replayed(state) {
            Some(Some(choice)) => {
                let taken = if choice == 0 { condition } else { self.negated(condition) };
                self.check_replayed(state, taken)?;
                self.constrain(state, taken);
                return Ok(choice == 0);
            }
            // A forced decision goes the way of the model, which satisfies all that follows.
            Some(None) => return Ok(self.solver.evaluate(&self.exprs, condition, &state.model) != 0),
            None => {}
        }
        let negated = self.negated(condition);
        let model_side = self.solver.evaluate(&self.exprs, condition, &state.model) != 0;
        let (taken, other) = if model_side { (condition, negated) } else { (negated, condition) };
        // The same condition again, as loops over data have it: nothing to ask.
        if state.deciding().lately_has(&self.exprs, taken) {
            state.decide(Decision::Side { holds: model_side }, true);
            return Ok(model_side);
        }
        match ways {
            Ways::Only(side) => return self.take_only(state, side, condition, negated, model_side),
            Ways::None => return Err(Exit::End(Outcome::Pruned)),
            Ways::Both | Ways::Follow => {}
        }
        match self.decide(state, other)? {
            Ok(None) => {
                let open = self.ask_again(state, Some(Decision::Side { holds: !model_side }), other)?;
                state.decide(Decision::Side { holds: model_side }, !open);
                match open {
                    true => self.constrain(state, taken),
                    false => self.oracle_sees_forced(state, taken),
                }
                Ok(model_side)
            }
            Ok(Some(model)) => {
                self.check_depth(state)?;
                let (true_model, false_model) =
                    if model_side { (state.model.clone(), model) } else { (model, state.model.clone()) };
                let mut forked = Box::new(state.fork());
                forked.model = false_model;
                forked.decide(FALSE_SIDE, false);
                self.constrain(&mut forked, negated);
                fork(self, &mut forked);
                self.add_fork(forked);
                state.model = true_model;
                state.decide(TRUE_SIDE, false);
                self.constrain(state, condition);
                Ok(true)
            }
            Err(reason) => {
                self.undecided(state, other, Decision::Side { holds: !model_side }, &reason);
                state.decide(Decision::Side { holds: model_side }, false);
                self.constrain(state, taken);
                Ok(model_side)
            }
        }
    }

    /// Goes to the one side of a branch that the strategy wants, if it is possible. The other is not asked for.
    fn take_only(
        &mut self,
        state: &mut State,
        side: bool,
        condition: ExprId,
        negated: ExprId,
        model_side: bool,
    ) -> Result<bool, Exit> {
        let wanted = if side { condition } else { negated };
        let way = Decision::Side { holds: side };
        if side != model_side {
            match self.ask(state, wanted)? {
                Ok(Some(model)) => state.model = model,
                Ok(None) => {
                    self.ask_again(state, Some(way), wanted)?;
                    return Err(Exit::End(Outcome::Pruned));
                }
                Err(reason) => {
                    self.undecided(state, wanted, way, &reason);
                    return Err(Exit::End(Outcome::Pruned));
                }
            }
        }
        self.check_depth(state)?;
        state.decide(way, false);
        self.constrain(state, wanted);
        Ok(side)
    }

    /// Decides between conditions of which exactly one holds. The state takes the first that is possible, forks take
    /// the others and repeat the instruction.
    pub(crate) fn choose(&mut self, state: &mut State, conditions: &[ExprId]) -> Result<usize, Exit> {
        // What is constant is no choice: it was not remembered, and must not be taken for one that was.
        if let Some(index) = conditions.iter().position(|&c| self.exprs.as_constant(c) == Some(1)) {
            return Ok(index);
        }
        if let Some(choice) = self.repeated(state) {
            return Ok(choice);
        }
        if state.following {
            return self.follow_choice(state, conditions);
        }
        match self.replayed(state) {
            Some(Some(choice)) => {
                let taken = conditions.get(choice as usize).copied();
                let taken = taken.unwrap_or_else(|| self.exprs.constant(0, 1));
                self.check_replayed(state, taken)?;
                self.constrain(state, taken);
                self.remember(state, choice);
                return Ok(choice as usize);
            }
            Some(None) => {
                let holds = |machine: &mut Self, condition: &ExprId| {
                    machine.solver.evaluate(&machine.exprs, *condition, &state.model) != 0
                };
                let choice = conditions.iter().position(|condition| holds(self, condition)).unwrap_or(0);
                self.remember(state, choice as u32);
                return Ok(choice);
            }
            None => {}
        }
        let mut possible: Vec<(usize, Model)> = Vec::new();
        let mut unknown = Vec::new();
        let mut open = false;
        for (index, &condition) in conditions.iter().enumerate() {
            if self.solver.evaluate(&self.exprs, condition, &state.model) != 0 {
                possible.push((index, state.model.clone()));
                continue;
            }
            match self.decide(state, condition)? {
                Ok(Some(model)) => possible.push((index, model)),
                Ok(None) => {
                    open |= self.ask_again(state, Some(Decision::Alternative(index as u32)), condition)?
                }
                Err(reason) => unknown.push((index, reason)),
            }
        }
        let forced = possible.len() == 1 && unknown.is_empty() && !open;
        for (index, reason) in unknown {
            self.undecided(state, conditions[index], Decision::Alternative(index as u32), &reason);
        }
        let mut possible = possible.into_iter();
        let Some((first, model)) = possible.next() else {
            // The model satisfies none: the conditions were not exhaustive, which is a fault of ours.
            return Err(Exit::End(Outcome::Undecided("internal: no alternative holds".into())));
        };
        if forced {
            state.decide(Decision::Alternative(first as u32), true);
            self.oracle_sees_choice(state, conditions, first);
            self.remember(state, first as u32);
            return Ok(first);
        }
        self.check_depth(state)?;
        for (index, model) in possible {
            let mut forked = Box::new(state.fork());
            forked.model = model;
            forked.decide(Decision::Alternative(index as u32), false);
            self.constrain(&mut forked, conditions[index]);
            self.oracle_sees_choice(&forked, conditions, index);
            forked.choices.push(index as u32);
            forked.thread.frame.pc -= 1;
            self.add_fork(forked);
        }
        state.model = model;
        state.decide(Decision::Alternative(first as u32), false);
        self.constrain(state, conditions[first]);
        self.oracle_sees_choice(state, conditions, first);
        self.remember(state, first as u32);
        Ok(first)
    }

    /// Decides between so many threads, without a condition.
    pub(crate) fn choose_freely(&mut self, state: &mut State, count: usize) -> Result<usize, Exit> {
        if count <= 1 {
            return Ok(0);
        }
        if let Some(choice) = self.repeated(state) {
            return Ok(choice);
        }
        for choice in 1..count as u32 {
            let mut forked = Box::new(state.fork());
            forked.decide(Decision::Schedule(choice), false);
            forked.concurrency_mut().ways.push(choice);
            forked.choices.push(choice);
            forked.thread.frame.pc -= 1;
            self.add_fork(forked);
        }
        state.decide(Decision::Schedule(0), false);
        state.concurrency_mut().ways.push(0);
        self.remember(state, 0);
        Ok(0)
    }

    /// Takes the alternative that the model says.
    pub(crate) fn follow_choice(&mut self, state: &mut State, conditions: &[ExprId]) -> Result<usize, Exit> {
        for (index, &condition) in conditions.iter().enumerate() {
            if self.solver.evaluate(&self.exprs, condition, &state.model) != 0 {
                self.constrain_followed(state, condition);
                self.remember(state, index as u32);
                return Ok(index);
            }
        }
        Err(Exit::End(Outcome::Undecided("internal: no alternative holds".into())))
    }

    /// Goes on where `valid` holds; where it does not, that is an error path of its own, which ends here.
    pub(crate) fn require(
        &mut self,
        state: &mut State,
        valid: ExprId,
        error: impl FnOnce(&mut Self, &State) -> ProgramError,
    ) -> Result<(), Exit> {
        self.require_or(state, valid, |machine, state| Outcome::Error(error(machine, state)))
    }

    /// Goes on where `valid` holds; where it does not, the path ends with the outcome.
    pub(crate) fn require_or(
        &mut self,
        state: &mut State,
        valid: ExprId,
        outcome: impl FnOnce(&mut Self, &State) -> Outcome,
    ) -> Result<(), Exit> {
        match self.exprs.as_constant(valid) {
            Some(0) => {
                let outcome = outcome(self, state);
                return Err(Exit::End(outcome));
            }
            Some(_) => return Ok(()),
            None => {}
        }
        if self.repeated(state).is_some() {
            return Ok(());
        }
        if state.following {
            let holds = self.solver.evaluate(&self.exprs, valid, &state.model) != 0;
            let taken = if holds { valid } else { self.exprs.not(valid) };
            self.constrain_followed(state, taken);
            if !holds {
                let outcome = outcome(self, state);
                return Err(Exit::End(outcome));
            }
            self.remember(state, 0);
            return Ok(());
        }
        if let Some(choice) = self.replayed(state) {
            match choice {
                None => {}
                Some(0) => {
                    self.check_replayed(state, valid)?;
                    self.constrain(state, valid);
                }
                // Only a state that begins again comes here: the other side ends at once.
                Some(_) => {
                    let invalid = self.exprs.not(valid);
                    self.check_replayed(state, invalid)?;
                    self.constrain(state, invalid);
                    let outcome = outcome(self, state);
                    return Err(Exit::End(outcome));
                }
            }
            self.remember(state, 0);
            return Ok(());
        }
        let invalid = self.exprs.not(valid);
        let model_valid = self.solver.evaluate(&self.exprs, valid, &state.model) != 0;
        let other = if model_valid { invalid } else { valid };
        match (model_valid, self.decide(state, other)?) {
            (true, Ok(None)) => {
                let open = self.ask_again(state, Some(FALSE_SIDE), invalid)?;
                state.decide(TRUE_SIDE, !open);
                match open {
                    true => self.constrain(state, valid),
                    false => self.oracle_sees_forced(state, valid),
                }
            }
            (false, Ok(None)) => {
                let open = self.ask_again(state, Some(TRUE_SIDE), valid)?;
                state.decide(FALSE_SIDE, !open);
                match open {
                    true => self.constrain(state, invalid),
                    false => self.oracle_sees_forced(state, invalid),
                }
                let outcome = outcome(self, state);
                return Err(Exit::End(outcome));
            }
            (_, Ok(Some(model))) => {
                let (valid_model, invalid_model) =
                    if model_valid { (state.model.clone(), model) } else { (model, state.model.clone()) };
                let mut failing = state.fork();
                failing.model = invalid_model;
                failing.decide(FALSE_SIDE, false);
                self.constrain(&mut failing, invalid);
                let outcome = outcome(self, &failing);
                self.sink.counters.states += 1;
                self.finish(failing, outcome);
                state.model = valid_model;
                state.decide(TRUE_SIDE, false);
                self.constrain(state, valid);
            }
            (true, Err(reason)) => {
                self.undecided(state, invalid, FALSE_SIDE, &reason);
                state.decide(TRUE_SIDE, false);
                self.constrain(state, valid);
            }
            (false, Err(reason)) => {
                self.undecided(state, valid, TRUE_SIDE, &reason);
                state.decide(FALSE_SIDE, false);
                self.constrain(state, invalid);
                let outcome = outcome(self, state);
                return Err(Exit::End(outcome));
            }
        }
        self.remember(state, 0);
        Ok(())
    }

    /// Goes on only where `condition` holds: an assumption, not a decision.
    pub(crate) fn assume(&mut self, state: &mut State, condition: ExprId) -> Result<(), Exit> {
        match self.exprs.as_constant(condition) {
            Some(0) => return Err(Exit::End(Outcome::Discarded)),
            Some(_) => return Ok(()),
            None => {}
        }
        if self.ends.is_some() && self.tracing.is_none() {
            self.end_outside(state, condition)?;
        }
        if self.solver.evaluate(&self.exprs, condition, &state.model) == 0 {
            if self.tracing.is_some() {
                return Err(Exit::End(Outcome::Discarded));
            }
            let answer = match self.oracle_tells(state, condition) {
                OracleAnswer::Possible(model) => Ok(Some(model)),
                // What was assumed away left no path that an oracle could know.
                OracleAnswer::Impossible | OracleAnswer::Nothing => {
                    self.without_solver()?;
                    self.ask(state, condition)?
                }
            };
            match answer {
                Ok(Some(model)) => state.model = model,
                Ok(None) => {
                    self.ask_again(state, None, condition)?;
                    return Err(Exit::End(Outcome::Discarded));
                }
                Err(reason) => return Err(Exit::End(Outcome::Undecided(reason))),
            }
        }
        self.constrain(state, condition);
        Ok(())
    }

    /// Goes on where a condition holds that is a fact: there are no inputs for which it does not.
    pub(crate) fn grant(&mut self, state: &mut State, condition: ExprId) -> Result<(), Exit> {
        match self.exprs.as_constant(condition) {
            Some(0) => return Err(Exit::End(Outcome::Pruned)),
            Some(_) => return Ok(()),
            None => {}
        }
        if self.solver.evaluate(&self.exprs, condition, &state.model) == 0 {
            if self.tracing.is_some() {
                return Err(Exit::End(Outcome::Pruned));
            }
            match self.ask(state, condition)? {
                Ok(Some(model)) => state.model = model,
                Ok(None) => {
                    self.ask_again(state, None, condition)?;
                    return Err(Exit::End(Outcome::Pruned));
                }
                Err(reason) => return Err(Exit::End(Outcome::Undecided(reason))),
            }
        }
        self.constrain(state, condition);
        Ok(())
    }

    /// Whoever goes on from the ends of paths gets the inputs that are assumed away, too: they end here.
    fn end_outside(&mut self, state: &State, condition: ExprId) -> Result<(), Exit> {
        let excluded = self.negated(condition);
        let mut other = state.fork();
        if self.solver.evaluate(&self.exprs, excluded, &state.model) == 0 {
            match self.ask(state, excluded)? {
                Ok(Some(model)) => other.model = model,
                Ok(None) => {
                    // Branches that were merely followed may be why there are none here: then they matter.
                    if let Some(relevant) = &state.relevant {
                        let answer = self.solver.check(&mut self.exprs, relevant, excluded, &state.model);
                        self.sink.diverged += u64::from(!matches!(answer, Answer::Unsat));
                    }
                    return Ok(());
                }
                Err(reason) => {
                    self.finish(other, Outcome::Undecided(reason));
                    return Ok(());
                }
            }
        }
        self.constrain(&mut other, excluded);
        self.finish(other, Outcome::Discarded);
        Ok(())
    }

    pub(crate) fn add_fork(&mut self, state: Box<State>) {
        self.sink.counters.forks += 1;
        self.sink.counters.states += 1;
        self.forked.push(state);
    }

    fn undecided(&mut self, state: &State, condition: ExprId, way: Decision, reason: &str) {
        let mut other = state.fork();
        other.decide(way, false);
        // The state's model does not satisfy this side; the path has no input to show.
        self.constrain(&mut other, condition);
        self.sink.counters.states += 1;
        self.finish(other, Outcome::Undecided(reason.to_string()));
    }

    fn check_depth(&mut self, state: &State) -> Result<(), Exit> {
        if u64::from(state.depth) >= self.config.limits.depth {
            return Err(Exit::End(Outcome::Limit(LimitKind::Depth)));
        }
        if self.stop.check() {
            return Err(Exit::Stop);
        }
        Ok(())
    }

    /// A state that follows decisions again must come to the same conditions.
    fn check_replayed(&mut self, state: &State, taken: ExprId) -> Result<(), Exit> {
        if self.solver.evaluate(&self.exprs, taken, &state.model) != 0 {
            return Ok(());
        }
        self.sink.diverged += 1;
        Err(Exit::End(Outcome::Pruned))
    }

    /// What a state that follows another worker's decisions does at this one: the choice, or `None` if there was none.
    fn replayed(&mut self, state: &mut State) -> Option<Option<u32>> {
        let replay = state.replay.as_mut()?;
        let turning = replay.decisions[replay.next];
        if turning.number != state.decided {
            state.decided += 1;
            return Some(None);
        }
        replay.next += 1;
        if replay.next == replay.decisions.len() {
            state.replay = None;
        }
        state.decide(turning.decision, false);
        Some(Some(turning.decision.number()))
    }

    /// The choice that the fork of an instruction repeats.
    fn repeated(&mut self, state: &mut State) -> Option<usize> {
        let choice = *state.choices.get(state.next_choice)?;
        state.next_choice += 1;
        Some(choice as usize)
    }

    fn remember(&mut self, state: &mut State, choice: u32) {
        state.choices.push(choice);
        state.next_choice = state.choices.len();
    }
}
