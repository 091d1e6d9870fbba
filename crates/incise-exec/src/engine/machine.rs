//! The machine: what all states of a worker share.

use crate::config::Config;
use crate::decisions::decider::Decider;
use crate::decisions::strategy::Strategy;
use crate::engine::arithmetic::Calculator;
use crate::engine::code::Code;
use crate::engine::memo::Memo;
use crate::exploration::finish::Sink;
use crate::exploration::stop::StopSignal;
use crate::memory::access::MemoryAccess;
use crate::outcome::Outcome;
use incise_ir::{FunctionId, Id, Program};
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
    /// Which ways paths go, and how their ends are told.
    pub decider: Decider<'a>,
    codes: Vec<Option<Rc<Code>>>,
    /// The functions that are not looked into, with the names that their calls are noted under.
    pub(crate) opaque: FxHashMap<FunctionId, String>,
    /// The global variables that other code can name, once it was asked for them.
    pub(crate) nameable: Option<Rc<[incise_ir::GlobalId]>>,
    /// The calls of functions that depend on their arguments alone, of a session.
    pub constant_calls: crate::externals::ConstantCalls,
    memo: Memo,
    /// The functions that are done in one step.
    pub(crate) atomic_functions: Vec<FunctionId>,
    /// The numbers of threads, by the thread that starts them and how many it has started before.
    pub(crate) thread_numbers: FxHashMap<(u32, u32), u32>,
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
        parts: (Exprs, Solver),
    ) -> Self {
        Self {
            program,
            config,
            decider: Decider::new(program, config, strategy, stop, sink, parts),
            codes: vec![None; program.functions.len()],
            opaque: config
                .opaque
                .iter()
                .filter_map(|(name, common)| Some((program.function_named(name)?, common.clone())))
                .collect(),
            nameable: None,
            constant_calls: Default::default(),
            memo: Memo::new(),
            atomic_functions: atomic_functions(program),
            thread_numbers: FxHashMap::default(),
            counted: 0,
        }
    }

    /// The part that reads and writes memory.
    #[inline]
    pub(crate) fn memory(&mut self) -> MemoryAccess<'_, 'a> {
        self.decider.memory()
    }

    /// The part that computes with values.
    #[inline]
    pub(crate) fn calculator(&mut self) -> Calculator<'_, 'a> {
        Calculator { decider: &mut self.decider, memo: &mut self.memo }
    }

    /// The decoded form of a function that has a body.
    pub(crate) fn code(&mut self, function: FunctionId) -> Rc<Code> {
        if let Some(code) = &self.codes[function.index()] {
            return code.clone();
        }
        let code = Rc::new(crate::engine::decode::decode(
            self.program,
            &mut self.decider.constants,
            function,
            self.config.checks,
            &self.decider.watches,
        ));
        self.decider.coverage.enter(&code);
        self.codes[function.index()] = Some(code.clone());
        code
    }
}

/// The functions of a program that are done in one step.
fn atomic_functions(program: &Program) -> Vec<FunctionId> {
    let atomic = |name: &str| name.starts_with(crate::threads::native::ATOMIC);
    let all =
        program.functions.iter().filter(|(_, function)| function.is_definition() && atomic(&function.name));
    all.map(|(id, _)| id).collect()
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
