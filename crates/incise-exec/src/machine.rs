//! The machine: what all states of a worker share, and the two ways in which a path depends on the solver: decisions and assumptions.
//!
//! An instruction that needs several decisions (a copy through two symbolic pointers) makes them all before it changes anything.
//! A fork repeats its instruction from the start with the decisions already made.

use crate::code::Code;
use crate::config::Config;
use crate::constants::Constants;
use crate::coverage::CoverageRecorder;
use crate::finish::Sink;
use crate::memo::{Memo, Negations};
use crate::memory::{Object, ObjectInfo, PAGE, Page};
use crate::native::Natives;
use crate::outcome::{LimitKind, Outcome, ProgramError};
use crate::state::{PathConstraint, State};
use crate::strategy::{Strategy, Watches};
use crate::value::Value;
use incise_ir::{FunctionId, Id, LocationId, Program};
use incise_solver::{Answer, ExprId, Exprs, Model, Solver, SymbolKind, Unknown, Z3Process};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why the step loop leaves an instruction.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The path ends.
    End(Outcome),
    /// Another frame is on top.
    Switch,
    /// The exploration stops: the state is given up.
    Stop,
}

/// What all states of a worker share.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) config: &'a Config,
    pub(crate) exprs: Exprs,
    pub(crate) solver: Solver,
    pub(crate) constants: Constants,
    codes: Vec<Option<Rc<Code>>>,
    pub(crate) natives: Natives,
    /// States that the current one forked off, in the order of their choices.
    pub(crate) forked: Vec<Box<State>>,
    pub(crate) sink: Sink,
    pub(crate) coverage: CoverageRecorder,
    pub(crate) strategy: &'a mut dyn Strategy,
    watches: Watches,
    pub(crate) stop: StopSignal,
    pub(crate) memo: Memo,
    negations: Negations,
    uninitialised_pages: FxHashMap<u64, Rc<Page>>,
    zero_pages: FxHashMap<u64, Rc<Page>>,
}

/// Tells when to stop.
#[derive(Clone)]
pub(crate) struct StopSignal {
    /// Set from outside: Ctrl-C, or another worker found the work done.
    pub(crate) interrupt: Arc<AtomicBool>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) memory_limit: u64,
    pub(crate) memory_used: Option<fn() -> u64>,
    /// Why it stopped, once it did.
    pub(crate) reason: Option<LimitKind>,
    /// The most memory seen.
    pub(crate) peak_memory: u64,
    checks: u32,
}

impl StopSignal {
    pub(crate) fn new(
        interrupt: Arc<AtomicBool>,
        deadline: Option<Instant>,
        memory_limit: u64,
        memory_used: Option<fn() -> u64>,
    ) -> Self {
        Self { interrupt, deadline, memory_limit, memory_used, reason: None, peak_memory: 0, checks: 0 }
    }

    /// Whether it is time to stop; asked every few ten thousand instructions and at each fork.
    pub(crate) fn check(&mut self) -> bool {
        if self.reason.is_some() {
            return true;
        }
        if self.interrupt.load(Ordering::Relaxed) {
            self.reason = Some(LimitKind::Interrupt);
            return true;
        }
        self.checks = self.checks.wrapping_add(1);
        if self.checks % 16 == 1 {
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                self.reason = Some(LimitKind::Time);
            }
            if self.checks % 1024 == 1
                && let Some(used) = self.memory_used
            {
                let used = used();
                self.peak_memory = self.peak_memory.max(used);
                if used > self.memory_limit {
                    self.reason = Some(LimitKind::Memory);
                }
            }
        }
        self.reason.is_some()
    }
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        config: &'a Config,
        strategy: &'a mut dyn Strategy,
        stop: StopSignal,
        sink: Sink,
    ) -> Self {
        let watches = strategy.watches();
        let mut solver = Solver::new(config.solver.clone(), stop.interrupt.clone());
        if let Some(program) = &config.second_opinion {
            solver.set_second_opinion(Box::new(Z3Process::new(program, stop.interrupt.clone())));
        }
        Self {
            program,
            config,
            exprs: Exprs::new(),
            solver,
            constants: Constants::new(program, Vec::new()),
            codes: vec![None; program.functions.len()],
            natives: Natives::new(program),
            forked: Vec::new(),
            sink,
            coverage: CoverageRecorder::new(program),
            strategy,
            watches,
            stop,
            memo: Memo::new(),
            negations: Negations::new(),
            uninitialised_pages: FxHashMap::default(),
            zero_pages: FxHashMap::default(),
        }
    }

    /// The decoded form of a function that has a body.
    pub(crate) fn code(&mut self, function: FunctionId) -> Rc<Code> {
        if let Some(code) = &self.codes[function.index()] {
            return code.clone();
        }
        let overflow = self.config.checks.overflow;
        let code = Rc::new(crate::decode::decode(
            self.program,
            &mut self.constants,
            function,
            overflow,
            &self.watches,
        ));
        self.coverage.enter(&code);
        self.codes[function.index()] = Some(code.clone());
        code
    }

    /// The place of the instruction that is being executed; of the call in user code if it is in a library model.
    pub(crate) fn location(&self, state: &State) -> Option<LocationId> {
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        let mut first = None;
        for frame in frames {
            let code = &frame.code;
            let location = code.location(&self.program.functions[code.function], frame.pc.saturating_sub(1));
            if !code.model && location.is_some() {
                return location;
            }
            first = first.or(location);
        }
        first
    }

    /// An object of `size` bytes that were never written.
    pub(crate) fn uninitialised_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        let page = Self::page_of(&mut self.uninitialised_pages, size.min(PAGE), Page::uninitialised);
        let tail = (size > PAGE && !size.is_multiple_of(PAGE))
            .then(|| Self::page_of(&mut self.uninitialised_pages, size % PAGE, Page::uninitialised));
        Object::filled(info, size, page, tail)
    }

    /// An object of `size` zero bytes.
    pub(crate) fn zeroed_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        let page = Self::page_of(&mut self.zero_pages, size.min(PAGE), Page::zeroed);
        let tail = (size > PAGE && !size.is_multiple_of(PAGE))
            .then(|| Self::page_of(&mut self.zero_pages, size % PAGE, Page::zeroed));
        Object::filled(info, size, page, tail)
    }

    fn page_of(cache: &mut FxHashMap<u64, Rc<Page>>, size: u64, make: fn(usize) -> Page) -> Rc<Page> {
        cache.entry(size).or_insert_with(|| Rc::new(make(size as usize))).clone()
    }

    /// An arbitrary value of `width` bits, for what the program never initialised.
    pub(crate) fn arbitrary(&mut self, state: &mut State, width: u32) -> ExprId {
        state.made_up += 1;
        state.indeterminate = true;
        let name = format!("uninitialised#{}", state.made_up);
        self.exprs.symbol(&name, width, SymbolKind::Unsigned)
    }

    /// A scalar value as an expression; one that was never initialised gets an arbitrary value.
    pub(crate) fn expr(&mut self, state: &mut State, value: &Value, width: u32) -> ExprId {
        match value {
            Value::Word(word) => self.exprs.constant(u128::from(*word), width),
            Value::Wide(wide) => self.exprs.constant(**wide, width),
            Value::Symbolic(expr) => *expr,
            Value::Aggregate(_) | Value::Undefined => self.arbitrary(state, width),
        }
    }

    /// The negation of a condition.
    fn negated(&mut self, condition: ExprId) -> ExprId {
        if let Some(negated) = self.negations.get(condition) {
            return negated;
        }
        let negated = self.exprs.not(condition);
        self.negations.put(condition, negated);
        negated
    }

    /// Adds a conjunct to the path condition.
    pub(crate) fn constrain(&mut self, state: &mut State, condition: ExprId) {
        let location = self.location(state);
        state.constraints.push(&self.exprs, condition);
        state.path.push(PathConstraint { condition, location });
    }

    /// Whether `condition` can hold on this path, by the solver; the model shows how.
    fn ask(&mut self, state: &State, condition: ExprId) -> Result<Result<Option<Model>, String>, Exit> {
        match self.solver.check(&mut self.exprs, &state.constraints, condition, &state.model) {
            Answer::Sat(model) => Ok(Ok(Some(model))),
            Answer::Unsat => Ok(Ok(None)),
            Answer::Unknown(unknown) => {
                if matches!(unknown, Unknown::Interrupted) && self.stop.check() {
                    return Err(Exit::Stop);
                }
                Ok(Err(describe_unknown(&unknown)))
            }
        }
    }

    /// Decides a two-way branch for `state`. Where both sides are possible, `fork` gets a copy that goes to the false side.
    pub(crate) fn branch(
        &mut self,
        state: &mut State,
        condition: ExprId,
        fork: impl FnOnce(&mut Self, &mut State),
    ) -> Result<bool, Exit> {
        match self.replayed(state) {
            Some(Some(choice)) => {
                let taken = if choice == 0 { condition } else { self.negated(condition) };
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
        if state.constraints.lately_has(&self.exprs, taken) {
            state.decide(u32::from(!model_side), true);
            return Ok(model_side);
        }
        match self.ask(state, other)? {
            Ok(None) => {
                state.decide(u32::from(!model_side), true);
                Ok(model_side)
            }
            Ok(Some(model)) => {
                self.check_depth(state)?;
                let (true_model, false_model) =
                    if model_side { (state.model.clone(), model) } else { (model, state.model.clone()) };
                let mut forked = Box::new(state.fork());
                forked.model = false_model;
                forked.decide(1, false);
                self.constrain(&mut forked, negated);
                fork(self, &mut forked);
                self.add_fork(forked);
                state.model = true_model;
                state.decide(0, false);
                self.constrain(state, condition);
                Ok(true)
            }
            Err(reason) => {
                self.undecided(state, other, u32::from(model_side), &reason);
                state.decide(u32::from(!model_side), false);
                self.constrain(state, taken);
                Ok(model_side)
            }
        }
    }

    /// Decides between conditions of which exactly one holds. The state takes the first that is possible, forks take the others and
    /// repeat the instruction.
    pub(crate) fn choose(&mut self, state: &mut State, conditions: &[ExprId]) -> Result<usize, Exit> {
        // What is constant is no choice: it was not remembered, and must not be taken for one that was.
        if let Some(index) = conditions.iter().position(|&c| self.exprs.as_constant(c) == Some(1)) {
            return Ok(index);
        }
        if let Some(choice) = self.repeated(state) {
            return Ok(choice);
        }
        match self.replayed(state) {
            Some(Some(choice)) => {
                self.constrain(state, conditions[choice as usize]);
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
        for (index, &condition) in conditions.iter().enumerate() {
            if self.solver.evaluate(&self.exprs, condition, &state.model) != 0 {
                possible.push((index, state.model.clone()));
                continue;
            }
            match self.ask(state, condition)? {
                Ok(Some(model)) => possible.push((index, model)),
                Ok(None) => {}
                Err(reason) => unknown.push((index, reason)),
            }
        }
        let forced = possible.len() == 1 && unknown.is_empty();
        for (index, reason) in unknown {
            self.undecided(state, conditions[index], index as u32, &reason);
        }
        let mut possible = possible.into_iter();
        let Some((first, model)) = possible.next() else {
            // The model satisfies none: the conditions were not exhaustive, which is a fault of ours.
            return Err(Exit::End(Outcome::Undecided("internal: no alternative holds".into())));
        };
        if forced {
            state.decide(first as u32, true);
            self.remember(state, first as u32);
            return Ok(first);
        }
        self.check_depth(state)?;
        for (index, model) in possible {
            let mut forked = Box::new(state.fork());
            forked.model = model;
            forked.decide(index as u32, false);
            self.constrain(&mut forked, conditions[index]);
            forked.choices.push(index as u32);
            forked.thread.frame.pc -= 1;
            self.add_fork(forked);
        }
        state.model = model;
        state.decide(first as u32, false);
        self.constrain(state, conditions[first]);
        self.remember(state, first as u32);
        Ok(first)
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
        if let Some(choice) = self.replayed(state) {
            // The other side ends at once, so that nobody follows it.
            if choice.is_some() {
                self.constrain(state, valid);
            }
            self.remember(state, 0);
            return Ok(());
        }
        let invalid = self.exprs.not(valid);
        let model_valid = self.solver.evaluate(&self.exprs, valid, &state.model) != 0;
        let other = if model_valid { invalid } else { valid };
        match (model_valid, self.ask(state, other)?) {
            (true, Ok(None)) => state.decide(0, true),
            (false, Ok(None)) => {
                state.decide(1, true);
                let outcome = outcome(self, state);
                return Err(Exit::End(outcome));
            }
            (_, Ok(Some(model))) => {
                let (valid_model, invalid_model) =
                    if model_valid { (state.model.clone(), model) } else { (model, state.model.clone()) };
                let mut failing = state.fork();
                failing.model = invalid_model;
                failing.decide(1, false);
                self.constrain(&mut failing, invalid);
                let outcome = outcome(self, &failing);
                self.sink.counters.states += 1;
                self.finish(failing, outcome);
                state.model = valid_model;
                state.decide(0, false);
                self.constrain(state, valid);
            }
            (true, Err(reason)) => {
                self.undecided(state, invalid, 1, &reason);
                state.decide(0, false);
                self.constrain(state, valid);
            }
            (false, Err(reason)) => {
                self.undecided(state, valid, 0, &reason);
                state.decide(1, false);
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
        if self.solver.evaluate(&self.exprs, condition, &state.model) == 0 {
            match self.ask(state, condition)? {
                Ok(Some(model)) => state.model = model,
                Ok(None) => return Err(Exit::End(Outcome::Discarded)),
                Err(reason) => return Err(Exit::End(Outcome::Undecided(reason))),
            }
        }
        self.constrain(state, condition);
        Ok(())
    }

    /// The one value that `expr` must have on this path, if the solver says so.
    pub(crate) fn unique_value(&mut self, state: &State, expr: ExprId) -> Result<Option<u128>, Exit> {
        let value = self.solver.evaluate(&self.exprs, expr, &state.model);
        let constant = self.exprs.constant(value, self.exprs.width(expr));
        let other = self.exprs.compare(incise_solver::CompareOp::Ne, expr, constant);
        Ok(match self.ask(state, other)? {
            Ok(None) => Some(value),
            _ => None,
        })
    }

    /// Whether `condition` can hold on this path; yes if the solver cannot tell.
    pub(crate) fn possible(&mut self, state: &State, condition: ExprId) -> Result<bool, Exit> {
        Ok(!matches!(self.ask(state, condition)?, Ok(None)))
    }

    fn add_fork(&mut self, state: Box<State>) {
        self.sink.counters.forks += 1;
        self.sink.counters.states += 1;
        self.forked.push(state);
    }

    fn undecided(&mut self, state: &State, condition: ExprId, choice: u32, reason: &str) {
        let mut other = state.fork();
        other.decide(choice, false);
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

    /// What a state that follows another worker's decisions does at this one: the choice, or `None` if there was none.
    fn replayed(&mut self, state: &mut State) -> Option<Option<u32>> {
        let replay = state.replay.as_mut()?;
        let decision = replay.decisions[replay.next];
        if decision.number != state.decided {
            state.decided += 1;
            return Some(None);
        }
        replay.next += 1;
        if replay.next == replay.decisions.len() {
            state.replay = None;
        }
        state.decide(decision.choice, false);
        Some(Some(decision.choice))
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

fn describe_unknown(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Timeout => "the solver ran out of time".into(),
        Unknown::Interrupted => "interrupted".into(),
        other => format!("the solver cannot tell: {other:?}"),
    }
}
