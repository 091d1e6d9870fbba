//! Tracing: executes the one path that an input takes, and keeps its conditions and results as expressions.
//!
//! A [`Session`] lends one expression arena and one solver to any number of programs, one after the other. Inputs of
//! one name and width are one symbol in all of them, so that conditions of several programs can be asked about
//! together, and what they compute can be compared. Expressions stay inside: [`Condition`] and [`Observation`] are
//! handles that only a session can open, and only the one they come from. Nothing is explored and the solver is asked
//! only where an address or a size is not plain.
//!
//! What the program never initialised is an arbitrary value of its own, but the same in all programs, in the order of
//! the reads; the path says that it is indeterminate.

use crate::config::Config;
use crate::decisions::ask::describe_unknown;
use crate::decisions::decider::Decider;
use crate::decisions::strategy::Strategy;
use crate::engine::machine::{Machine, solver};
use crate::engine::state::State;
use crate::engine::step::Stop;
use crate::engine::value::Value;
use crate::exploration::describe::FinalObject;
use crate::exploration::explore::{ExploreError, Hooks, find_entry, stop_signal};
use crate::exploration::finish::{Detail, Sink};
use crate::inputs::given_values::{Given, Tracing, Values};
use crate::memory::Byte;
use crate::outcome::{LimitKind, Outcome};
use crate::result::{FinalValue, InputValue, Path};
use incise_ir::Program;
use incise_solver::{Answer, CompareOp, Constraints, ExprId, Exprs, Solver, SymbolId, SymbolKind, Work};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Objects that a path did not write are observed up to this size: they hold what they held at the start.
const UNWRITTEN_LIMIT: u64 = 1 << 16;

/// A condition over inputs.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Condition(pub ExprId);

/// Conditions that hold together.
#[derive(Clone)]
pub struct Conjunction(pub Constraints);

/// Values for all inputs.
#[derive(Clone, Debug)]
pub struct Assignment(pub Values);

impl Assignment {
    /// What is given, and zeros.
    pub fn given(given: Given) -> Self {
        Self(Values { model: Default::default(), known: 0, given: Arc::new(given) })
    }
}

/// Whether conditions can hold together.
#[derive(Clone, Debug)]
pub enum Satisfiable {
    /// They can: for these inputs.
    Yes(Assignment),
    /// They cannot.
    No,
    /// The solver could not tell; why.
    Unknown(String),
}

/// What an observation looks at.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Observed {
    /// What the entry returned.
    Result,
    /// A global variable at the end.
    Global,
    /// An input object at the end.
    Object,
}

/// Something that a path leaves behind: as expressions over the inputs, and for the input that took it.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Its name; empty for the result.
    pub name: String,
    /// What it is.
    pub what: Observed,
    /// Its bytes for that input.
    pub bytes: Vec<u8>,
    /// Which bytes can be compared: not padding, not pointers, not what was never initialised.
    pub comparable: Vec<bool>,
    /// The same, typed.
    pub value: InputValue,
    cells: Vec<Cell>,
}

/// A byte of an observation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Cell {
    Concrete(u8),
    Part { expr: ExprId, byte: u8 },
    Uninitialised,
}

/// The path that an input takes.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The path; `None` if it ends where an assumption of the program does not hold.
    pub path: Option<Path>,
    /// Its condition as handles, in the order of [`Path::condition`].
    pub conditions: Vec<Condition>,
    /// What holds of inputs that are what they are taken to be, whether or not it does of this one.
    pub taken: Vec<Condition>,
    /// What it leaves behind: the result, then globals in the order of the program, then input objects.
    pub observations: Vec<Observation>,
    /// The values that all inputs had.
    pub assignment: Assignment,
    /// The given names that it did not come to use.
    pub unused: Vec<String>,
    /// The inputs for which nothing was given, in the order of their names.
    pub missing: Vec<String>,
    /// Values that were made concrete although others were possible: conditions that follow from the trace are narrower
    /// than they need be.
    pub concretised: BTreeSet<String>,
}

/// For so long the solver may be asked after the time is over.
const AFTERWARDS: Duration = Duration::from_secs(1);
const AFTERWARDS_WORK: Work = Work::about_milliseconds(1000);

/// Expressions and a solver that several programs share.
pub struct Session {
    /// All expressions.
    pub exprs: Exprs,
    /// Who is asked what can hold.
    pub solver: Solver,
    /// The symbols of elements of inputs, by name: more than one if programs have them in different widths.
    names: BTreeMap<String, Vec<SymbolId>>,
    interrupt: Arc<AtomicBool>,
    /// The calls of functions that depend on their arguments alone.
    pub constant_calls: crate::externals::ConstantCalls,
}

impl Session {
    /// With the solver as it is configured.
    pub fn new(config: &Config, interrupt: &Arc<AtomicBool>) -> Self {
        let (exprs, solver) = (Exprs::new(), solver(config, interrupt));
        let (names, interrupt) = (BTreeMap::new(), Arc::clone(interrupt));
        Self { exprs, solver, names, interrupt, constant_calls: Default::default() }
    }

    /// Questions end when the time of a configuration is over, but for a moment in which what was found is made
    /// readable.
    pub fn with_time_of(mut self, config: &Config) -> Self {
        self.solver.end_at(config.limits.deadline().later(AFTERWARDS, AFTERWARDS_WORK));
        self
    }

    /// Executes the path of an input. The strategy is told of what it watches and marks constraints; it must not prune.
    pub fn trace(
        &mut self,
        program: &Program,
        config: &Config,
        hooks: &Hooks<'_>,
        strategy: &mut dyn Strategy,
        inputs: &Assignment,
    ) -> Result<Trace, ExploreError> {
        let entry = find_entry(program, config)?;
        let stop = stop_signal(config, hooks, Instant::now());
        // What stands in for the solver meanwhile is never asked.
        let stand_in = Solver::new(config.solver.clone(), Arc::clone(&self.interrupt));
        let parts = (std::mem::take(&mut self.exprs), std::mem::replace(&mut self.solver, stand_in));
        let mut machine = Machine::with(program, config, strategy, stop, Sink::new(Detail::All), parts);
        machine.decider.tracing = Some(Box::new(Tracing::new(inputs.0.clone())));
        let trace = machine.start(entry).map(|mut state| {
            if let Stop::Stopped | Stop::Forked = machine.run(&mut state, false) {
                let reason = machine.decider.stop.reason.unwrap_or(LimitKind::Interrupt);
                machine.decider.finish_in_place(&mut state, Outcome::Limit(reason));
            }
            machine.decider.traced(&mut state, inputs)
        });
        let symbols = machine.decider.tracing.take().map(|tracing| tracing.symbols).unwrap_or_default();
        let Decider { exprs, solver, .. } = machine.decider;
        (self.exprs, self.solver) = (exprs, solver);
        for (name, symbol) in symbols {
            let known = self.names.entry(name).or_default();
            if !known.contains(&symbol) {
                known.push(symbol);
            }
        }
        trace
    }

    /// That inputs of one name whose type changed from program to program have the same number in all of them, as far
    /// as that holds for these inputs.
    pub fn links(&mut self, inputs: &Assignment) -> Vec<Condition> {
        let several = self.names.values().filter(|symbols| symbols.len() > 1);
        let pairs: Vec<(SymbolId, SymbolId)> =
            several.flat_map(|symbols| symbols[1..].iter().map(|&other| (symbols[0], other))).collect();
        let mut links = Vec::new();
        for (one, other) in pairs {
            let width = |symbol| self.exprs.symbol_info(symbol).width;
            let (narrow, wide) = if width(one) < width(other) { (one, other) } else { (other, one) };
            let (kind, width) = (self.exprs.symbol_info(narrow).kind, width(wide));
            let (narrow, wide) = (self.exprs.symbol_expr(narrow), self.exprs.symbol_expr(wide));
            let extended = match kind {
                SymbolKind::Signed | SymbolKind::Char => self.exprs.sext(narrow, width),
                SymbolKind::Unsigned | SymbolKind::Bool | SymbolKind::Bytes => self.exprs.zext(narrow, width),
                SymbolKind::Pointer | SymbolKind::Float(_) => continue,
            };
            let link = Condition(self.exprs.eq(extended, wide));
            if self.holds(link, inputs) {
                links.push(link);
            }
        }
        links
    }

    /// How many questions were put to the solver chain.
    pub fn queries(&self) -> u64 {
        self.solver.stats().queries()
    }

    /// Conditions that hold together.
    pub fn conjunction(&self, conditions: impl IntoIterator<Item = Condition>) -> Conjunction {
        let mut all = Conjunction(Constraints::new());
        conditions.into_iter().for_each(|condition| self.add(&mut all, condition));
        all
    }

    /// Adds a condition.
    pub fn add(&self, conjunction: &mut Conjunction, condition: Condition) {
        if self.exprs.as_constant(condition.0) != Some(1) {
            conjunction.0.push(&self.exprs, condition.0);
        }
    }

    /// The opposite of a condition.
    pub fn negation(&mut self, condition: Condition) -> Condition {
        Condition(self.exprs.not(condition.0))
    }

    /// Whether a condition holds for inputs.
    pub fn holds(&mut self, condition: Condition, inputs: &Assignment) -> bool {
        self.solver.evaluate(&self.exprs, condition.0, &inputs.0.model) != 0
    }

    /// Whether a condition can hold beside others, which hold for the inputs `hint`.
    pub fn satisfiable(
        &mut self,
        others: &Conjunction,
        condition: Condition,
        hint: &Assignment,
    ) -> Satisfiable {
        match self.solver.check(&mut self.exprs, &others.0, condition.0, &hint.0.model) {
            Answer::Sat(model) => {
                let known = self.exprs.symbol_count();
                Satisfiable::Yes(Assignment(Values { model, known, given: Arc::clone(&hint.0.given) }))
            }
            Answer::Unsat => Satisfiable::No,
            Answer::Unknown(unknown) => Satisfiable::Unknown(describe_unknown(&unknown)),
        }
    }

    /// The condition on which two observations differ in what can be compared of both. It never holds if they are the
    /// same expressions.
    pub fn differ(&mut self, left: &Observation, right: &Observation) -> Condition {
        let mut differ = self.exprs.boolean(left.cells.len() != right.cells.len());
        let mut at = 0;
        while at < left.cells.len().min(right.cells.len()) {
            let comparable = left.comparable[at] && right.comparable[at];
            if !comparable || left.cells[at] == right.cells[at] {
                at += 1;
                continue;
            }
            let (one, other, bytes) = match self.whole(left, right, at) {
                Some(words) => words,
                None => (self.byte(left.cells[at]), self.byte(right.cells[at]), 1),
            };
            let here = self.exprs.compare(CompareOp::Ne, one, other);
            differ = self.exprs.or(differ, here);
            at += bytes;
        }
        Condition(differ)
    }

    /// The condition on which an observation has these bytes.
    pub fn has_bytes(&mut self, observation: &Observation, bytes: &[u8]) -> Condition {
        let cells = bytes.iter().map(|&byte| Cell::Concrete(byte)).collect();
        let constant = Observation { cells, comparable: vec![true; bytes.len()], ..observation.clone() };
        let differ = self.differ(observation, &constant);
        self.negation(differ)
    }

    /// The words that begin at a byte of both, if all of their bytes are there and can be compared.
    fn whole(
        &mut self,
        left: &Observation,
        right: &Observation,
        at: usize,
    ) -> Option<(ExprId, ExprId, usize)> {
        let size = [left.cells[at], right.cells[at]].into_iter().find_map(|cell| match cell {
            Cell::Part { expr, byte: 0 } if self.exprs.width(expr).is_multiple_of(8) => {
                Some(self.exprs.width(expr) as usize / 8)
            }
            _ => None,
        })?;
        let end = at + size;
        let comparable = left.comparable.get(at..end)?.iter().chain(right.comparable.get(at..end)?);
        if !comparable.into_iter().all(|&comparable| comparable) {
            return None;
        }
        let one = self.word(left.cells.get(at..end)?)?;
        let other = self.word(right.cells.get(at..end)?)?;
        Some((one, other, size))
    }

    /// The expression that bytes make up, if it is one word or concrete.
    fn word(&mut self, cells: &[Cell]) -> Option<ExprId> {
        let width = cells.len() as u32 * 8;
        if let Cell::Part { expr, byte: 0 } = cells[0]
            && self.exprs.width(expr) == width
        {
            let part = |(index, cell): (usize, &Cell)| *cell == Cell::Part { expr, byte: index as u8 };
            return cells.iter().enumerate().all(part).then_some(expr);
        }
        let mut bits = 0u128;
        for (index, cell) in cells.iter().enumerate() {
            let Cell::Concrete(byte) = cell else { return None };
            bits |= u128::from(*byte) << (8 * index);
        }
        Some(self.exprs.constant(bits, width))
    }

    fn byte(&mut self, cell: Cell) -> ExprId {
        match cell {
            Cell::Concrete(byte) => self.exprs.constant(u128::from(byte), 8),
            Cell::Part { expr, byte } => {
                let (low, width) = (u32::from(byte) * 8, self.exprs.width(expr));
                let part = self.exprs.extract(expr, low, 8.min(width - low));
                self.exprs.zext(part, 8)
            }
            Cell::Uninitialised => self.exprs.constant(0, 8),
        }
    }
}

impl Decider<'_> {
    /// What is kept of a state that came to its end.
    fn traced(&mut self, state: &mut State, inputs: &Assignment) -> Trace {
        let observations = self.observations(state);
        let path = self.sink.paths.pop();
        let conditions = match &path {
            Some(_) => state.path.to_vec().iter().map(|each| Condition(each.condition)).collect(),
            None => Vec::new(),
        };
        let tracing = self.tracing.as_mut();
        let taken = tracing.as_ref().map_or_else(Vec::new, |tracing| tracing.taken.clone());
        let (used, missing) = tracing
            .map(|tracing| (std::mem::take(&mut tracing.used), std::mem::take(&mut tracing.missing)))
            .unwrap_or_default();
        let given = &inputs.0.given;
        let names = given.bytes.keys().chain(given.elements.keys());
        let values =
            Values { model: state.model.clone(), known: self.exprs.symbol_count(), given: Arc::clone(given) };
        Trace {
            path,
            conditions,
            taken: taken.into_iter().map(Condition).collect(),
            observations,
            assignment: Assignment(values),
            unused: names.filter(|name| !used.contains(*name)).cloned().collect(),
            missing: missing.into_iter().collect(),
            concretised: std::mem::take(&mut self.sink.concretised),
        }
    }

    fn observations(&mut self, state: &mut State) -> Vec<Observation> {
        let mut all: Vec<Observation> = self.observed_result(state).into_iter().collect();
        let model = state.model.clone();
        for left in self.describer().final_objects(state, &model, UNWRITTEN_LIMIT) {
            let FinalObject { object, value, .. } = left;
            let FinalValue { name, origin, bytes, comparable, value, .. } = value;
            let what = match origin {
                crate::result::InputOrigin::Global { .. } => Observed::Global,
                _ => Observed::Object,
            };
            let mut cells = Vec::with_capacity(bytes.len());
            for offset in 0..bytes.len() as u64 {
                cells.push(match object.read_byte(&mut self.exprs, offset) {
                    Byte::Concrete(byte) => Cell::Concrete(byte),
                    Byte::Part { expr, byte } => Cell::Part { expr, byte },
                    Byte::Uninitialised => Cell::Uninitialised,
                });
            }
            all.push(Observation { name, what, bytes, comparable, value, cells });
        }
        all
    }

    fn observed_result(&mut self, state: &mut State) -> Option<Observation> {
        let model = state.model.clone();
        let value = self.describer().returned(state, &model)?;
        let function = &self.program.functions[state.thread.frame.code.function];
        let width = self.program.types.scalar_bits(function.result)?;
        let size = width.div_ceil(8);
        let bits = crate::exploration::finish::evaluate(
            &self.exprs,
            &mut self.solver,
            state.returned.as_ref()?,
            &model,
        );
        let cell = |byte: u32| match state.returned {
            Some(Value::Symbolic(expr)) => Cell::Part { expr, byte: byte as u8 },
            _ => Cell::Concrete((bits >> (8 * byte)) as u8),
        };
        let pointer = matches!(value, InputValue::Pointer(_));
        Some(Observation {
            name: String::new(),
            what: Observed::Result,
            bytes: bits.to_le_bytes()[..size.min(16) as usize].to_vec(),
            comparable: vec![!pointer; size.min(16) as usize],
            cells: (0..size.min(16)).map(cell).collect(),
            value,
        })
    }
}
