//! The machine: what all states of a worker share.

use crate::config::Config;
use crate::decisions::oracle::Oracle;
use crate::decisions::strategy::{Strategy, Watches};
use crate::engine::code::Code;
use crate::engine::constants::Constants;
use crate::engine::memo::{Memo, Negations};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::coverage::CoverageRecorder;
use crate::exploration::distinct::Candidates;
use crate::exploration::finish::Sink;
use crate::exploration::schedule::{RunToEnd, Scheduler};
use crate::exploration::stop::StopSignal;
use crate::inputs::given_values::Tracing;
use crate::inputs::maker::MadeInputs;
use crate::memory::pages::BlankPages;
use crate::memory::{Object, ObjectInfo};
use crate::native::Natives;
use crate::outcome::Outcome;
use incise_ir::{FunctionId, Id, LocationId, Program};
use incise_solver::{ExprId, Exprs, Solver, Z3Process};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How the names of values begin that stand for what the program never initialised.
pub(crate) const MADE_UP: &str = "uninitialised#";

/// Whether a symbol of that name stands for what the program never initialised.
pub(crate) fn is_made_up(name: &str) -> bool {
    name.starts_with(MADE_UP)
}

/// Whether an expression depends on what the program never initialised.
pub(crate) fn mentions_made_up(exprs: &Exprs, expr: ExprId) -> bool {
    exprs.symbols_of(expr).any(|symbol| is_made_up(&exprs.symbol_info(symbol).name))
}

/// Why the step loop leaves an instruction.
#[derive(Debug)]
pub(crate) enum Exit {
    /// The path ends.
    End(Outcome),
    /// Another frame is on top.
    Switch,
    /// The exploration stops: the state is given up.
    Stop,
    /// Whoever runs the state asked to have it back here.
    Pause,
}

/// What all states of a worker share.
pub struct Machine<'a> {
    /// What is executed.
    pub program: &'a Program,
    pub(crate) config: &'a Config,
    /// All expressions.
    pub exprs: Exprs,
    /// Who is asked what can hold.
    pub solver: Solver,
    /// Constants as values, and where globals are.
    pub constants: Constants,
    codes: Vec<Option<Rc<Code>>>,
    /// What the engine does by itself.
    pub natives: Natives,
    /// States that the current one forked off, in the order of their choices.
    pub forked: Vec<Box<State>>,
    /// What was found.
    pub sink: Sink,
    pub(crate) coverage: CoverageRecorder,
    pub(crate) strategy: &'a mut dyn Strategy,
    pub(crate) watches: Watches,
    /// The first state, for strategies that follow branches: to begin again with another model.
    pub(crate) first: Option<Box<State>>,
    /// When to stop.
    pub stop: StopSignal,
    /// The inputs of the one path that is followed, if none is explored.
    pub tracing: Option<Box<Tracing>>,
    /// The ends of paths as states, if somebody goes on from there and wants no descriptions.
    pub ends: Option<Vec<crate::exploration::ended::Ended>>,
    /// Who says which thread goes on.
    pub(crate) scheduler: Box<dyn Scheduler>,
    /// Who knows something of paths beforehand.
    pub(crate) oracle: Option<&'a mut (dyn Oracle + 'a)>,
    /// The functions that are not looked into, with the names that their calls are noted under.
    pub(crate) opaque: FxHashMap<FunctionId, String>,
    /// The inputs that were made.
    pub made: MadeInputs,
    /// What is known of arrays without an end.
    pub endless: crate::memory::endless::Endless,
    /// The global variables that other code can name, once it was asked for them.
    pub(crate) nameable: Option<Rc<[incise_ir::GlobalId]>>,
    /// The calls of functions that depend on their arguments alone, of a session.
    pub constant_calls: crate::externals::ConstantCalls,
    pub(crate) memo: Memo,
    pub(crate) candidates: Candidates,
    pub(crate) negations: Negations,
    pub(crate) pages: BlankPages,
    /// The instructions that were counted as work.
    pub(crate) counted: u64,
}

impl<'a> Machine<'a> {
    /// With an arena and a solver of its own.
    pub fn new(
        program: &'a Program,
        config: &'a Config,
        strategy: &'a mut dyn Strategy,
        stop: StopSignal,
        sink: Sink,
    ) -> Self {
        let solver = solver(config, &stop.interrupt);
        Self::with(program, config, strategy, stop, sink, (Exprs::new(), solver))
    }

    /// With expressions that were made before, and the solver that knows them.
    pub fn with(
        program: &'a Program,
        config: &'a Config,
        strategy: &'a mut dyn Strategy,
        stop: StopSignal,
        sink: Sink,
        (exprs, mut solver): (Exprs, Solver),
    ) -> Self {
        solver.end_at(stop.deadline);
        let watches = strategy.watches();
        Self {
            program,
            config,
            exprs,
            solver,
            constants: Constants::new(program, Vec::new()),
            codes: vec![None; program.functions.len()],
            natives: Natives::new(program),
            forked: Vec::new(),
            sink,
            coverage: CoverageRecorder::new(program),
            strategy,
            watches,
            first: None,
            stop,
            tracing: None,
            ends: None,
            scheduler: Box::new(RunToEnd),
            oracle: None,
            opaque: config
                .opaque
                .iter()
                .filter_map(|(name, common)| Some((program.function_named(name)?, common.clone())))
                .collect(),
            made: MadeInputs::default(),
            endless: Default::default(),
            nameable: None,
            constant_calls: Default::default(),
            memo: Memo::new(),
            candidates: Candidates::default(),
            negations: Negations::new(),
            pages: BlankPages::default(),
            counted: 0,
        }
    }

    /// The decoded form of a function that has a body.
    pub(crate) fn code(&mut self, function: FunctionId) -> Rc<Code> {
        if let Some(code) = &self.codes[function.index()] {
            return code.clone();
        }
        let overflow = self.config.checks.overflow || self.config.checks.note_overflow;
        let code = Rc::new(crate::engine::decode::decode(
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
    pub fn location(&self, state: &State) -> Option<LocationId> {
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
        self.pages.uninitialised_object(info, size)
    }

    /// An object of `size` zero bytes.
    pub(crate) fn zeroed_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        self.pages.zeroed_object(info, size)
    }

    /// An arbitrary value of `width` bits, for what the program never initialised.
    pub(crate) fn arbitrary(&mut self, state: &mut State, width: u32) -> ExprId {
        state.arbitrary(&mut self.exprs, width)
    }

    /// A scalar value as an expression; one that was never initialised gets an arbitrary value.
    pub(crate) fn expr(&mut self, state: &mut State, value: &Value, width: u32) -> ExprId {
        value.expression(&mut self.exprs, state, width)
    }
}

/// The solver chain as it is configured.
pub(crate) fn solver(config: &Config, interrupt: &Arc<AtomicBool>) -> Solver {
    let mut solver = Solver::new(config.solver.clone(), interrupt.clone());
    if let Some(program) = &config.second_opinion {
        let second = Z3Process::new(program, interrupt.clone()).with_memory(config.limits.memory);
        solver.set_second_opinion(Box::new(second));
    }
    solver
}
