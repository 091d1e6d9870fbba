//! The end of a path: from a state to plain data.

use crate::decisions::decider::Decider;
use crate::decisions::strategy::{End, Note, Stack};
use crate::engine::state::State;
use crate::engine::thread::Thread;
use crate::engine::value::Value;
use crate::exploration::ended::Ended;
use crate::exploration::explore::Hooks;
use crate::exploration::found::FoundPaths;
use crate::outcome::{LimitKind, Outcome};
use crate::result::{Counters, Decided, Decision, Path};
use incise_ir::SourcePosition;
use incise_solver::{ExprId, Exprs, Model};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An object that inputs say to be larger than it was made is written in full up to so many bytes.
pub const LARGEST_TEST: u64 = 4096;

/// Of which paths everything is kept: the others have their decisions, outcome and position only.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Of all.
    All,
    /// Of errors, of what could not be explored, and of so many others from the first on.
    First(usize),
}

/// Where a worker puts what it finds.
pub struct Sink {
    pub(crate) paths: FoundPaths,
    /// The effort.
    pub counters: Counters,
    /// The limits that were hit.
    pub limits: BTreeSet<LimitKind>,
    /// Values that were made concrete although others were possible.
    pub concretised: BTreeSet<String>,
    /// The functions with neither body nor model whose calls were noted.
    pub recorded: BTreeSet<String>,
    /// The inputs that were too small or not deep enough for some path.
    pub needs: crate::inputs::sizes::Needs,
    /// States that were given up.
    pub abandoned: u64,
    pub(crate) errors: u64,
    /// What was found of threads.
    pub(crate) threads: u32,
    pub(crate) blocked: u64,
    /// Executions that came to a state from which everything was explored.
    pub(crate) summarised: u64,
    /// Paths that came to no end of the program.
    pub(crate) cut: u64,
    /// Whether a thread went to sleep at a condition variable.
    pub(crate) slept: bool,
    pub(crate) races: crate::threads::Found,
    /// States that could not be brought to a decision again.
    pub diverged: u64,
    pub(crate) detail: Detail,
    /// Detailed paths of the current job that are neither errors nor cut.
    pub(crate) detailed: usize,
    /// The conditions of paths as C, which many of them share.
    pub(crate) texts: FxHashMap<ExprId, String>,
}

impl Sink {
    /// Nothing yet; what comes is found while it is explored.
    pub(crate) fn of(hooks: &Hooks<'_>) -> Self {
        let sink = Self::new(hooks.detail);
        if let Some(found) = hooks.found {
            found.add(&sink.paths);
        }
        sink
    }

    /// Nothing yet.
    pub fn new(detail: Detail) -> Self {
        Self {
            paths: FoundPaths::default(),
            counters: Counters::default(),
            limits: BTreeSet::new(),
            concretised: BTreeSet::new(),
            recorded: BTreeSet::new(),
            needs: Default::default(),
            abandoned: 0,
            errors: 0,
            threads: 0,
            blocked: 0,
            summarised: 0,
            cut: 0,
            slept: false,
            races: Default::default(),
            diverged: 0,
            detail,
            detailed: 0,
            texts: FxHashMap::default(),
        }
    }
}

impl Decider<'_> {
    /// Records the end of the path of a state that is used up.
    pub(crate) fn finish(&mut self, mut state: State, outcome: Outcome) {
        match self.defer_end(&mut state, outcome) {
            Some(outcome) => self.finish_in_place(&mut state, outcome),
            None => self.forked.push(Box::new(state)),
        }
    }

    /// Records the end of a path.
    pub(crate) fn finish_in_place(&mut self, state: &mut State, outcome: Outcome) {
        self.cover(state);
        let ended = |outcome: &Outcome| {
            use Outcome::{Discarded, Error, Exited, Returned};
            matches!(outcome, Returned | Exited { .. } | Error(_) | Discarded)
        };
        self.sink.cut += u64::from(!ended(&outcome));
        match &outcome {
            // Of interest only to whoever goes on from the ends of paths.
            Outcome::Discarded if self.ends.is_none() => return,
            Outcome::Pruned => return,
            Outcome::Limit(kind) => {
                self.sink.limits.insert(*kind);
            }
            Outcome::Error(_) => self.sink.errors += 1,
            _ => {}
        }
        let mut note = state.note;
        let end = End { outcome: &outcome, stack: Stack::new(state, &self.watches) };
        if !self.strategy.finished(&mut note, &end) {
            return;
        }
        if let Some(ends) = &mut self.ends {
            ends.push(Ended { state: Box::new(state.fork()), outcome, note });
            return;
        }
        let plain = matches!(outcome, Outcome::Returned | Outcome::Exited { .. });
        let detailed = match self.sink.detail {
            Detail::All => true,
            Detail::First(count) => !plain || self.sink.detailed < count,
        };
        let position = self.location(state).map(|location| self.program.position(location));
        let mut path = bare_path(&self.exprs, state, outcome, position, note);
        self.sink.detailed += usize::from(detailed && plain);
        let seen_to = self.oracle_sees_end(state, &mut path, detailed);
        if detailed {
            if !seen_to {
                self.describer().describe_path(state, &mut path, None);
            }
        } else if let Outcome::Exited { status } = &mut path.outcome {
            // The status of a path without details is that of the state's own model.
            let model = state.model.clone();
            *status = self.describer().exit_status(state, &model);
        }
        tracing::trace!(outcome = ?path.outcome, decisions = path.decisions.len(), "a path ended");
        self.sink.paths.push(path);
    }

    /// The path of a state that was kept, for these values of the inputs.
    pub fn described(&mut self, ended: &mut Ended, model: &Model) -> Path {
        let position = self.location(&ended.state).map(|location| self.program.position(location));
        let mut path = bare_path(&self.exprs, &ended.state, ended.outcome.clone(), position, ended.note);
        self.describer().describe_path(&mut ended.state, &mut path, Some(model.clone()));
        path
    }

    fn cover(&mut self, state: &State) {
        self.cover_thread(&state.thread);
        state.parked.iter().for_each(|parked| self.cover_thread(parked));
    }

    /// Where a thread was is covered: it goes no further.
    pub(crate) fn cover_thread(&mut self, thread: &Thread) {
        let frames = std::iter::once(&thread.frame).chain(thread.below.iter_newest_first());
        // A deep recursion is the same few functions over and over.
        for frame in frames.take(1000) {
            self.coverage.until(&frame.code, frame.pc);
        }
    }
}

/// A path of which nothing is told but where it went and how it ended.
fn bare_path(
    exprs: &Exprs,
    state: &State,
    outcome: Outcome,
    position: Option<SourcePosition>,
    note: Note,
) -> Path {
    Path {
        decisions: decisions(state),
        decided: Vec::new(),
        outcome,
        position,
        stack: Vec::new(),
        condition: Vec::new(),
        inputs: None,
        returned: None,
        result: None,
        finals: Vec::new(),
        stdout: Vec::new(),
        stderr: Vec::new(),
        indeterminate: state.is_indeterminate(exprs),
        instructions: state.instructions,
        note,
        label: 0,
        described: false,
        schedule: Vec::new(),
        first_threads: Vec::new(),
        left_threads: Vec::new(),
    }
}

/// A small vector for each of thousands of paths. Asking for memory that is zero already takes several times longer
/// than zeroing it.
pub(crate) fn filled<T: Copy>(length: usize, value: T) -> Vec<T> {
    let mut all = Vec::with_capacity(length);
    all.resize(length, value);
    all
}

/// The bits of a scalar under a model; what was never initialised is zero.
pub fn evaluate(
    exprs: &incise_solver::Exprs,
    solver: &mut incise_solver::Solver,
    value: &Value,
    model: &Model,
) -> u128 {
    match value {
        Value::Word(word) => u128::from(*word),
        Value::Wide(wide) => **wide,
        Value::Symbolic(expr) => solver.evaluate(exprs, *expr, model),
        Value::Aggregate(_) | Value::Undefined => 0,
    }
}

/// The decisions of a state where there was more than one way.
pub(crate) fn decisions(state: &State) -> Vec<Decision> {
    let mut decisions = Vec::with_capacity(state.decisions.len());
    decisions.extend(state.decisions.iter_newest_first().map(|turning| turning.decision));
    decisions.reverse();
    decisions
}

/// Where those decisions were made.
pub fn decided(state: &State) -> Vec<Decided> {
    let mut decided = Vec::with_capacity(state.decisions.len());
    let conjuncts = (0..state.path.len() as u32).rev().zip(state.path.iter_newest_first());
    let mut conjuncts = conjuncts.peekable();
    for turning in state.decisions.iter_newest_first() {
        let location = turning.conjunct.and_then(|conjunct| {
            while conjuncts.next_if(|(number, _)| *number > conjunct).is_some() {}
            let own = conjuncts.peek().filter(|(number, _)| *number == conjunct);
            own.and_then(|(_, constraint)| constraint.location)
        });
        decided.push(Decided { conjunct: turning.conjunct, location });
    }
    decided.reverse();
    decided
}
