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
use crate::inputs::given::Tracing;
use crate::memory::{Object, ObjectInfo, PAGE, Page};
use crate::native::Natives;
use crate::outcome::Outcome;
use incise_ir::{FunctionId, Id, LocationId, Program};
use incise_solver::{ExprId, Exprs, Solver, SymbolKind, Z3Process};
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
    /// The number of elements before the first named one of the array that is filled next.
    pub(crate) first_index: u64,
    /// The objects that pointer inputs lead to.
    pub(crate) pointees: FxHashMap<String, crate::memory::Slot>,
    /// Whether the inputs of the first state are being made.
    pub(crate) starting: bool,
    /// The streams among the inputs.
    pub streams: Vec<crate::inputs::streams::Stream>,
    /// What is known of arrays without an end.
    pub endless: crate::memory::endless::Endless,
    /// Pointer inputs that are the ends of what others begin.
    pub(crate) ends_made: Vec<(String, String)>,
    /// Pointer inputs that may lead into what others lead to.
    pub(crate) overlaps_made: Vec<(String, String)>,
    /// Whether inputs that are given are not what inputs are taken to be.
    pub unnatural: bool,
    /// The global variables that other code can name, once it was asked for them.
    pub(crate) nameable: Option<Rc<[incise_ir::GlobalId]>>,
    /// The calls of functions that depend on their arguments alone, of a session.
    pub constant_calls: crate::externals::ConstantCalls,
    pub(crate) memo: Memo,
    pub(crate) candidates: Candidates,
    pub(crate) negations: Negations,
    uninitialised_pages: FxHashMap<u64, Rc<Page>>,
    zero_pages: FxHashMap<u64, Rc<Page>>,
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
            first_index: 0,
            pointees: FxHashMap::default(),
            starting: false,
            streams: Vec::new(),
            endless: Default::default(),
            ends_made: Vec::new(),
            overlaps_made: Vec::new(),
            unnatural: false,
            nameable: None,
            constant_calls: Default::default(),
            memo: Memo::new(),
            candidates: Candidates::default(),
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
        let name = state.thread.next_made_up();
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
}

/// The solver chain as it is configured.
pub(crate) fn solver(config: &Config, interrupt: &Arc<AtomicBool>) -> Solver {
    let mut solver = Solver::new(config.solver.clone(), interrupt.clone());
    if let Some(program) = &config.second_opinion {
        solver.set_second_opinion(Box::new(Z3Process::new(program, interrupt.clone())));
    }
    solver
}
