//! The part of the machine that decides and concludes: which ways a path can go, and how it is told when it ends.
//!
//! It owns what all states share for that: expressions and the solver, whoever steers or knows something beforehand,
//! and what was found. It executes nothing: the machine above it does, and memory is accessed through
//! [`MemoryAccess`](crate::memory::access::MemoryAccess), which asks it where a pointer can lead.

use crate::config::Config;
use crate::decisions::oracle::Oracle;
use crate::decisions::strategy::{Strategy, Watches};
use crate::engine::constants::Constants;
use crate::engine::memo::Negations;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::coverage::CoverageRecorder;
use crate::exploration::distinct::Candidates;
use crate::exploration::finish::Sink;
use crate::exploration::stop::StopSignal;
use crate::inputs::given_values::Tracing;
use crate::inputs::maker::MadeInputs;
use crate::memory::access::MemoryAccess;
use crate::memory::pages::BlankPages;
use crate::memory::{Object, ObjectInfo};
use crate::native::Natives;
use incise_ir::{LocationId, Program};
use incise_solver::{ExprId, Exprs, Solver};
use std::rc::Rc;

/// What decides which ways paths go, and tells their ends.
pub struct Decider<'a> {
    /// What is executed.
    pub program: &'a Program,
    pub(crate) config: &'a Config,
    /// All expressions.
    pub exprs: Exprs,
    /// Who is asked what can hold.
    pub solver: Solver,
    /// Constants as values, and where globals are.
    pub constants: Constants,
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
    /// Who knows something of paths beforehand.
    pub(crate) oracle: Option<&'a mut (dyn Oracle + 'a)>,
    /// The inputs that were made.
    pub made: MadeInputs,
    /// What is known of arrays without an end.
    pub endless: crate::memory::endless::Endless,
    pub(crate) candidates: Candidates,
    pub(crate) negations: Negations,
    pub(crate) pages: BlankPages,
}

impl<'a> Decider<'a> {
    /// Nothing is decided yet.
    pub(crate) fn new(
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
            natives: Natives::new(program, config.threads.is_some()),
            forked: Vec::new(),
            sink,
            coverage: CoverageRecorder::new(program),
            strategy,
            watches,
            first: None,
            stop,
            tracing: None,
            ends: None,
            oracle: None,
            made: MadeInputs::default(),
            endless: Default::default(),
            candidates: Candidates::default(),
            negations: Negations::new(),
            pages: BlankPages::default(),
        }
    }

    /// The part that reads and writes memory.
    #[inline]
    pub(crate) fn memory(&mut self) -> MemoryAccess<'_, 'a> {
        MemoryAccess { decider: self }
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
