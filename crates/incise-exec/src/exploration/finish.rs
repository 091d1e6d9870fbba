//! The end of a path: from a state to plain data.

use crate::decisions::strategy::{End, Note, Stack};
use crate::engine::machine::{Machine, mentions_made_up};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::ended::Ended;
use crate::inputs::shape::Shape;
use crate::inputs::start::STRING_LITERAL;
use crate::memory::access::describe;
use crate::memory::{Byte, Memory, Object, ObjectKind, Target};
use crate::outcome::{LimitKind, Outcome, StackFrame};
use crate::result::{
    Constraint, Counters, Decided, Decision, FinalValue, Input, InputOrigin, InputValue, Path, PointerAt,
    PointerTarget, ResultBytes,
};
use incise_ir::{ConstantKind, FloatKind, SourcePosition};
use incise_solver::{ExprId, Exprs, Model, Unknown};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

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
    pub(crate) paths: Vec<Path>,
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
    /// States that could not be brought to a decision again.
    pub diverged: u64,
    pub(crate) detail: Detail,
    /// Detailed paths of the current job that are neither errors nor cut.
    pub(crate) detailed: usize,
    texts: FxHashMap<ExprId, String>,
}

impl Sink {
    /// Nothing yet.
    pub fn new(detail: Detail) -> Self {
        Self {
            paths: Vec::new(),
            counters: Counters::default(),
            limits: BTreeSet::new(),
            concretised: BTreeSet::new(),
            recorded: BTreeSet::new(),
            needs: Default::default(),
            abandoned: 0,
            errors: 0,
            diverged: 0,
            detail,
            detailed: 0,
            texts: FxHashMap::default(),
        }
    }
}

impl Machine<'_> {
    /// Records the end of the path of a state that is used up.
    pub(crate) fn finish(&mut self, mut state: State, outcome: Outcome) {
        self.finish_in_place(&mut state, outcome);
    }

    /// Records the end of a path.
    pub(crate) fn finish_in_place(&mut self, state: &mut State, outcome: Outcome) {
        self.cover(state);
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
                self.describe_path(state, &mut path, None);
            }
        } else if let Outcome::Exited { status } = &mut path.outcome {
            // The status of a path without details is that of the state's own model.
            let model = state.model.clone();
            *status = self.exit_status(state, &model);
        }
        self.sink.paths.push(path);
    }

    /// The path of a state that was kept, for these values of the inputs.
    pub fn described(&mut self, ended: &mut Ended, model: &Model) -> Path {
        let position = self.location(&ended.state).map(|location| self.program.position(location));
        let mut path = bare_path(&self.exprs, &ended.state, ended.outcome.clone(), position, ended.note);
        self.describe_path(&mut ended.state, &mut path, Some(model.clone()));
        path
    }

    fn cover(&mut self, state: &State) {
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        // A deep recursion is the same few functions over and over.
        for frame in frames.take(1000) {
            self.coverage.until(&frame.code, frame.pc);
        }
    }

    /// Describes a path for these values of the inputs, or for those of the canonical model.
    pub fn describe_path(&mut self, state: &mut State, path: &mut Path, values: Option<Model>) {
        path.described = true;
        path.stack = self.stack(state);
        path.condition = self.condition(state);
        path.decided = decided(state);
        if matches!(path.outcome, Outcome::Undecided(_)) {
            return;
        }
        let Ok(model) = values.map_or_else(|| self.reported_model(state), Ok) else { return };
        if let Outcome::Exited { status } = &mut path.outcome {
            *status = self.exit_status(state, &model);
        }
        let mut inputs = self.inputs(state, &model);
        inputs.extend(self.outside_inputs(state, &model));
        path.inputs = Some(inputs);
        if let Some((word, shape)) = self.returned_word(state, &model) {
            let value = shape.value(&word.to_le_bytes(), &|address| self.name_of(state, address));
            path.result = Some(self.result_bytes(state, (word, &shape), &value));
            path.returned = Some(value);
        }
        path.finals = self.finals(state, &model);
        (path.stdout, path.stderr) = self.output(state, &model);
    }

    /// What a path wrote to standard output and standard error.
    pub fn output(&mut self, state: &State, model: &Model) -> (Vec<u8>, Vec<u8>) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        for output in state.outputs.to_vec() {
            let stream = if output.stream == 2 { &mut stderr } else { &mut stdout };
            for piece in output.pieces.iter() {
                let (exprs, solver) = (&self.exprs, &mut self.solver);
                crate::native::render(piece, stream, &mut |value| evaluate(exprs, solver, value, model));
            }
        }
        (stdout, stderr)
    }

    /// The values that are reported: of a traced path those it was given.
    pub(crate) fn reported_model(&mut self, state: &State) -> Result<Model, Unknown> {
        if self.tracing.is_some() {
            return Ok(state.model.clone());
        }
        let model = match self.solver.canonical_model(&mut self.exprs, &state.constraints) {
            // Where the values of library functions decide, the path's own model may be the only one to be found.
            Err(Unknown::Unsupported(_)) => state.model.clone(),
            model => model?,
        };
        if !self.config.distinct_inputs {
            return Ok(model);
        }
        let model = self.smaller(state, model);
        Ok(self.distinct(state, model))
    }

    /// The status that a path exits with.
    pub fn exit_status(&mut self, state: &State, model: &Model) -> i32 {
        let Some(exiting) = &state.exiting else { return 0 };
        (evaluate(&self.exprs, &mut self.solver, &exiting.status, model) & 0xff) as i32
    }

    /// The active functions, innermost first, without library models.
    pub fn stack(&self, state: &State) -> Vec<StackFrame> {
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        frames
            .filter(|frame| !frame.code.model && !frame.code.instructions.is_empty())
            .take(100)
            .map(|frame| {
                let function = &self.program.functions[frame.code.function];
                let location = frame.code.location(function, frame.pc.saturating_sub(1));
                StackFrame {
                    function: function.name.clone(),
                    position: location.map(|location| self.program.position(location)),
                }
            })
            .collect()
    }

    /// The path condition.
    fn condition(&mut self, state: &State) -> Vec<Constraint> {
        let mut constraints = Vec::with_capacity(state.path.len());
        for constraint in state.path.iter_newest_first() {
            let text = match self.sink.texts.get(&constraint.condition) {
                Some(text) => text.clone(),
                None => {
                    let text = self.exprs.display_c(constraint.condition);
                    self.sink.texts.insert(constraint.condition, text.clone());
                    text
                }
            };
            let position: Option<SourcePosition> =
                constraint.location.map(|location| self.program.position(location));
            constraints.push(Constraint {
                text,
                position,
                origin: constraint.origin,
                marked: constraint.marked,
            });
        }
        constraints.reverse();
        constraints
    }

    fn inputs(&mut self, state: &State, model: &Model) -> Vec<Input> {
        let mut inputs = Vec::with_capacity(state.inputs.len());
        for object in state.inputs.to_vec() {
            let bytes = self.bytes_of_input(object, model);
            let there = bytes.len() as u64;
            let shape = match &object.shape {
                Shape::Array { element, .. } if there > object.size => Cow::Owned(Shape::Array {
                    element: element.clone(),
                    count: there / element.size().max(1),
                }),
                shape => shape.cut_to(there),
            };
            let value = shape.value(&bytes, &|address| self.name_of(state, address));
            let pointers = self.pointers_in(state, &shape, &bytes);
            let (name, origin) = (object.name.clone(), object.origin.clone());
            inputs.push(Input { name, origin, bytes, pointers, value });
        }
        crate::inputs::world::trim(&mut inputs);
        inputs
    }

    /// The bytes of an input for these values.
    pub(crate) fn bytes_of_input(
        &mut self,
        object: &crate::inputs::input::InputObject,
        model: &Model,
    ) -> Vec<u8> {
        let there = self.input_bytes(object, model);
        let mut bytes = filled(there as usize, 0u8);
        for leaf in &object.leaves {
            let bits = self.solver.evaluate(&self.exprs, leaf.expr, model);
            for byte in 0..leaf.bytes {
                if let Some(target) = bytes.get_mut(leaf.offset as usize + byte as usize) {
                    *target = (bits >> (8 * byte)) as u8;
                }
            }
        }
        bytes
    }

    /// How many bytes of an input are there for these values.
    fn input_bytes(&mut self, input: &crate::inputs::input::InputObject, model: &Model) -> u64 {
        let Some(counted) = input.count else { return input.size };
        let count = self.solver.evaluate(&self.exprs, counted.count, model) as u64;
        // What was not made is not looked at. A test that is read again tells all the same that it is there.
        let most = if self.config.distinct_inputs { input.size.max(LARGEST_TEST) } else { input.size };
        counted.header.saturating_add(count.saturating_mul(counted.element)).min(most)
    }

    /// What people call an address.
    pub fn name_of(&self, state: &State, address: u64) -> String {
        self.target_of(state, address).text()
    }

    /// Where an address leads.
    pub(crate) fn target_of(&self, state: &State, address: u64) -> PointerTarget {
        if let Some(function) = Memory::function_at(address, self.function_count()) {
            return PointerTarget { name: self.program.functions[function].name.clone(), addend: 0 };
        }
        match state.memory.target(address) {
            Target::Live(_, object, offset) => {
                let name = match object.info.kind {
                    ObjectKind::Heap => describe(&object.info),
                    ObjectKind::Global if object.info.name == STRING_LITERAL => literal(object),
                    _ => object.info.name.clone(),
                };
                match u64::try_from(offset) {
                    Ok(addend) => PointerTarget { name, addend },
                    // In front of it nobody has a pointer that could be given.
                    Err(_) => PointerTarget { name: format!("{name}+{offset}"), addend: 0 },
                }
            }
            // An input that the path freed was there when it began.
            Target::Dead(info) if info.kind == ObjectKind::Input => {
                let addend = address - state.memory.base_of(address).unwrap_or(address);
                PointerTarget { name: info.name.clone(), addend }
            }
            _ => PointerTarget { name: format!("{address:#x}"), addend: 0 },
        }
    }

    /// The pointers in bytes of a shape.
    pub(crate) fn pointers_in(&self, state: &State, shape: &Shape, bytes: &[u8]) -> Vec<PointerAt> {
        let at = |(offset, address): (u64, u64)| PointerAt {
            offset,
            target: (address != 0).then(|| self.target_of(state, address)),
        };
        shape.pointers(bytes).into_iter().map(at).collect()
    }

    pub(crate) fn returned(&mut self, state: &State, model: &Model) -> Option<InputValue> {
        let (word, shape) = self.returned_word(state, model)?;
        Some(shape.value(&word.to_le_bytes(), &|address| self.name_of(state, address)))
    }

    /// The same as bytes in memory.
    fn result_bytes(&self, state: &State, (word, shape): (u128, &Shape), value: &InputValue) -> ResultBytes {
        let function = &self.program.functions[state.thread.frame.code.function];
        let size = self.program.types.store_size(function.result) as usize;
        let (number, bits) = number_in_memory(value, 8 * size);
        let mut bytes = number.to_le_bytes().to_vec();
        bytes.resize(size, 0);
        let comparable = (0..size).map(|at| 8 * (at + 1) <= bits).collect();
        ResultBytes { bytes, comparable, pointers: self.pointers_in(state, shape, &word.to_le_bytes()) }
    }

    /// What the entry returned, and how its bytes are read.
    fn returned_word(&mut self, state: &State, model: &Model) -> Option<(u128, Shape)> {
        let value = state.returned.as_ref()?;
        let function = &self.program.functions[state.thread.frame.code.function];
        self.program.types.scalar_bits(function.result)?;
        if matches!(value, Value::Aggregate(_) | Value::Undefined) {
            return None;
        }
        let word = evaluate(&self.exprs, &mut self.solver, value, model);
        let shape = function
            .debug_signature
            .first()
            .copied()
            .flatten()
            .and_then(|ty| Shape::of_debug_type(self.program, ty))
            .filter(|shape| matches!(shape, Shape::Scalar { .. } | Shape::Pointer { .. }))
            .unwrap_or_else(|| Shape::of_type(self.program, function.result));
        Some((word, shape))
    }

    /// The globals that the path wrote, and what its pointer inputs point to.
    fn finals(&mut self, state: &mut State, model: &Model) -> Vec<FinalValue> {
        let mut finals: Vec<FinalValue> =
            self.final_objects(state, model, 0).into_iter().map(|(_, value)| value).collect();
        finals.extend(self.final_files(state, model));
        finals.extend(self.final_streams(state, model));
        finals
    }

    /// The same with the objects, and with globals up to a size that the path did not write.
    pub(crate) fn final_objects(
        &mut self,
        state: &mut State,
        model: &Model,
        unwritten: u64,
    ) -> Vec<(Rc<Object>, FinalValue)> {
        let mut finals = Vec::new();
        for (id, global) in self.program.globals.iter() {
            let slot = self.constants.globals[incise_ir::Id::index(id)];
            let Some(object) = state.memory.object(slot).cloned() else { continue };
            let wanted = object.written || object.size <= unwritten;
            // In a variable that is only declared, of unknown size, there is nothing to look at.
            if global.model || global.constant || !wanted || object.size == 0 {
                continue;
            }
            let shape = Shape::of_global(self.program, global);
            let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let origin = InputOrigin::Global { symbol: global.name.clone() };
            let value = self.final_value(state, name, origin, &shape, &object, model);
            finals.push((object, value));
        }
        for input in state.inputs.to_vec() {
            let (InputOrigin::Pointee { .. }, Some(slot)) = (&input.origin, input.slot) else { continue };
            let Some(object) = state.memory.object(slot).cloned() else { continue };
            let (name, origin) = (input.name.clone(), input.origin.clone());
            let value = self.final_value(state, name, origin, &input.shape, &object, model);
            finals.push((object, value));
        }
        finals
    }

    /// Addresses are others natively, whatever the type says: a union may hold one where its shape has a number.
    fn leave_out_addresses(&self, state: &State, bytes: &[u8], comparable: &mut [bool]) {
        for (word, comparable) in bytes.chunks_exact(8).zip(comparable.chunks_exact_mut(8)) {
            let address = word.iter().rev().fold(0, |address, &byte| address << 8 | u64::from(byte));
            let function = Memory::function_at(address, self.function_count());
            // A number may look like the address of a function; one whose address is never used is not meant.
            let is_used = |function| {
                let kind = ConstantKind::Function(function);
                self.program.constants.iter().any(|(_, constant)| constant.kind == kind)
            };
            let leads_somewhere = function.is_some_and(is_used)
                || match state.memory.target(address) {
                    Target::Live(_, object, offset) => (0..=object.size as i64).contains(&offset),
                    Target::Dead(_) => state.memory.base_of(address) == Some(address),
                    Target::Null | Target::Nothing => false,
                };
            if leads_somewhere {
                comparable.fill(false);
            }
        }
    }

    fn final_value(
        &mut self,
        state: &State,
        name: String,
        origin: InputOrigin,
        shape: &Shape,
        object: &Object,
        model: &Model,
    ) -> FinalValue {
        let size = self.bytes_there(object, model) as usize;
        let shape = &*shape.cut_to(size as u64);
        let mut comparable = filled(size, false);
        shape.mark_comparable(0, &mut comparable);
        let mut bytes = filled(size, 0u8);
        for offset in 0..size {
            bytes[offset] = match object.read_byte(&mut self.exprs, offset as u64) {
                Byte::Concrete(byte) => byte,
                Byte::Part { expr, byte } => {
                    let made_up = state.made_up > 0 && mentions_made_up(&self.exprs, expr);
                    comparable[offset] &= !(is_address(&mut self.exprs, expr) || made_up);
                    (self.solver.evaluate(&self.exprs, expr, model) >> (8 * u32::from(byte))) as u8
                }
                Byte::Uninitialised => {
                    comparable[offset] = false;
                    0
                }
            };
        }
        self.leave_out_addresses(state, &bytes, &mut comparable);
        let value = shape.value(&bytes, &|address| self.name_of(state, address));
        let pointers = self.pointers_in(state, shape, &bytes);
        FinalValue { name, origin, bytes, comparable, pointers, value }
    }
}

/// The number that stands for a value in memory of so many bits, and how many of them tell something.
fn number_in_memory(value: &InputValue, bits: usize) -> (u128, usize) {
    match value {
        InputValue::Signed(number) | InputValue::Enumerator(_, number) => (*number as u128, bits),
        InputValue::Unsigned(number) => (*number, bits),
        InputValue::Character(byte) => (u128::from(*byte), bits.min(8)),
        InputValue::Boolean(truth) => (u128::from(*truth), bits.min(8)),
        InputValue::Float { format, bits: number } => (*number, bits.min(float_bits(*format))),
        InputValue::Pointer(None) => (0, bits.min(64)),
        // Addresses differ from run to run, and of anything else not a single number is returned.
        _ => (0, 0),
    }
}

fn float_bits(format: FloatKind) -> usize {
    match format {
        FloatKind::Half | FloatKind::BFloat => 16,
        FloatKind::Single => 32,
        FloatKind::Double => 64,
        FloatKind::X87 => 80,
        FloatKind::Quad => 128,
    }
}

/// A string literal as the source has it: two of them are told apart by what they say.
fn literal(object: &Object) -> String {
    let mut bytes: Vec<u8> = (0..object.size).map(|at| object.read_word(at, 1).unwrap_or(0) as u8).collect();
    if bytes.last() == Some(&0) {
        bytes.pop();
    }
    format!("\"{}\"", bytes.escape_ascii())
}

/// Whether an expression is the address of an object, or a choice with one.
fn is_address(exprs: &mut Exprs, expr: ExprId) -> bool {
    if exprs.width(expr) != 64 {
        return false;
    }
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        if exprs.split_base(expr).is_some() {
            return true;
        }
        if let Some((_, then, otherwise)) = exprs.split_ite(expr) {
            work.extend([then, otherwise]);
        }
    }
    false
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
    }
}

/// A small vector for each of thousands of paths. Asking for memory that is zero already takes several times longer than zeroing it.
fn filled<T: Copy>(length: usize, value: T) -> Vec<T> {
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
