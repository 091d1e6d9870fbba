//! From the state at the end of a path to plain data: what a report says of it.

use crate::decisions::decider::Decider;
use crate::engine::machine::mentions_made_up;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::exploration::distinct::{Candidates, ModelChooser};
use crate::exploration::finish::{decided, evaluate, filled};
use crate::exploration::heap::Holder;
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::Shape;
use crate::inputs::start::STRING_LITERAL;
use crate::memory::access::describe;
use crate::memory::{AddressTarget, Byte, Memory, Object, ObjectKind};
use crate::outcome::{Outcome, StackFrame};
use crate::result::{
    Constraint, FinalValue, Input, InputOrigin, InputValue, Path, PointerAt, PointerTarget, ResultBytes,
};
use incise_ir::{ConstantKind, FloatKind, Global, Program, SourcePosition};
use incise_solver::{ExprId, Exprs, Model, Unknown};
use std::borrow::Cow;
use std::rc::Rc;

/// What of a machine it takes to describe paths.
pub struct Describer<'m> {
    pub(crate) inputs: InputMaker<'m>,
    candidates: &'m mut Candidates,
}

/// A variable or an object as a path leaves it.
pub(crate) struct FinalObject {
    pub(crate) object: Rc<Object>,
    pub(crate) shape: Shape,
    pub(crate) value: FinalValue,
}

impl Decider<'_> {
    /// The part that describes paths.
    pub fn describer(&mut self) -> Describer<'_> {
        let (inputs, candidates) = self.inputs_and_candidates();
        Describer { inputs, candidates }
    }
}

impl Describer<'_> {
    fn models(&mut self) -> ModelChooser<'_> {
        ModelChooser::new(self.inputs.exprs, self.inputs.solver, self.candidates)
    }

    /// Describes a path for these values of the inputs, or for those of the canonical model.
    pub fn describe_path(&mut self, state: &mut State, path: &mut Path, values: Option<Model>) {
        path.described = true;
        path.stack = stack(self.inputs.program, state);
        path.condition = self.condition(state);
        path.decided = decided(state);
        if matches!(path.outcome, Outcome::Undecided(_)) {
            return;
        }
        let Ok(model) = values.map_or_else(|| self.reported_model(state), Ok) else { return };
        if let Outcome::Exited { status } = &mut path.outcome {
            *status = self.exit_status(state, &model);
        }
        let mut inputs = self.described_inputs(state, &model);
        inputs.extend(self.outside_inputs(state, &model));
        path.inputs = Some(inputs);
        if let Some((word, shape)) = self.returned_word(state, &model) {
            let program = self.inputs.program;
            let value = shape.value(&word.to_le_bytes(), &|address| name_of(program, state, address));
            path.result = Some(result_bytes(program, state, (word, &shape), &value));
            path.returned = Some(value);
            let returned = Holder { name: String::new(), shape, bytes: word.to_le_bytes().to_vec() };
            path.finals = self.finals(state, &model, Some(returned));
        } else {
            path.finals = self.finals(state, &model, None);
        }
        // Who leaves the program tells nobody an error number.
        if path.outcome != Outcome::Returned || self.inputs.config.entry == "main" {
            path.finals.retain(|each| !is_errno(&each.origin));
        }
        (path.stdout, path.stderr) = self.output(state, &model);
    }

    /// Inputs with which a path comes to a state.
    pub(crate) fn inputs_of(&mut self, state: &State) -> Option<Vec<Input>> {
        let model = self.reported_model(state).ok()?;
        let mut inputs = self.described_inputs(state, &model);
        inputs.extend(self.outside_inputs(state, &model));
        Some(inputs)
    }

    /// What a path wrote to standard output and standard error.
    pub fn output(&mut self, state: &State, model: &Model) -> (Vec<u8>, Vec<u8>) {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        for output in state.outputs.to_vec() {
            let stream = if output.stream == 2 { &mut stderr } else { &mut stdout };
            for piece in output.pieces.iter() {
                let (exprs, solver) = (&self.inputs.exprs, &mut self.inputs.solver);
                crate::native::render(piece, stream, &mut |value| evaluate(exprs, solver, value, model));
            }
        }
        (stdout, stderr)
    }

    /// The values that are reported: of a traced path those it was given.
    pub(crate) fn reported_model(&mut self, state: &State) -> Result<Model, Unknown> {
        if self.inputs.tracing.is_some() {
            return Ok(state.model.clone());
        }
        let model = match self.inputs.solver.canonical_model(self.inputs.exprs, &state.constraints) {
            // Where the values of library functions decide, the path's own model may be the only one to be found.
            Err(Unknown::Unsupported(_)) => state.model.clone(),
            model => model?,
        };
        if !self.inputs.config.distinct_inputs {
            return Ok(model);
        }
        let model = self.models().smaller(state, model);
        Ok(self.models().distinct(state, model))
    }

    /// The status that a path exits with.
    pub fn exit_status(&mut self, state: &State, model: &Model) -> i32 {
        let Some(exiting) = &state.exiting else { return 0 };
        (evaluate(self.inputs.exprs, self.inputs.solver, &exiting.status, model) & 0xff) as i32
    }

    /// The path condition.
    fn condition(&mut self, state: &State) -> Vec<Constraint> {
        let mut constraints = Vec::with_capacity(state.path.len());
        for constraint in state.path.iter_newest_first() {
            let text = match self.inputs.sink.texts.get(&constraint.condition) {
                Some(text) => text.clone(),
                None => {
                    let address = |address| address_in_c(state, address);
                    let (text, named) = self.inputs.exprs.display_c_with(constraint.condition, &address);
                    // On another path another object may lie there.
                    if !named {
                        self.inputs.sink.texts.insert(constraint.condition, text.clone());
                    }
                    text
                }
            };
            let position: Option<SourcePosition> =
                constraint.location.map(|location| self.inputs.program.position(location));
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

    fn described_inputs(&mut self, state: &State, model: &Model) -> Vec<Input> {
        let mut inputs = Vec::with_capacity(state.inputs.len());
        for object in state.inputs.to_vec() {
            let bytes = self.inputs.bytes_of_input(object, model);
            let there = bytes.len() as u64;
            let shape = match &object.shape {
                Shape::Array { element, .. } if there > object.size => Cow::Owned(Shape::Array {
                    element: element.clone(),
                    count: there / element.size().max(1),
                }),
                shape => shape.cut_to(there),
            };
            let program = self.inputs.program;
            let value = shape.value(&bytes, &|address| name_of(program, state, address));
            let pointers = leading(state, pointers_in(program, state, &shape, &bytes), &bytes);
            let (name, origin) = (object.name.clone(), object.origin.clone());
            inputs.push(Input { name, origin, bytes, pointers, value });
        }
        crate::inputs::world::trim(&mut inputs);
        inputs
    }

    pub(crate) fn returned(&mut self, state: &State, model: &Model) -> Option<InputValue> {
        let (word, shape) = self.returned_word(state, model)?;
        let program = self.inputs.program;
        Some(shape.value(&word.to_le_bytes(), &|address| name_of(program, state, address)))
    }

    /// What the entry returned, and how its bytes are read.
    fn returned_word(&mut self, state: &State, model: &Model) -> Option<(u128, Shape)> {
        let value = state.returned.as_ref()?;
        let function = &self.inputs.program.functions[state.thread.frame.code.function];
        self.inputs.program.types.scalar_bits(function.result)?;
        if matches!(value, Value::Aggregate(_) | Value::Undefined) {
            return None;
        }
        let word = evaluate(self.inputs.exprs, self.inputs.solver, value, model);
        let shape = function
            .debug_signature
            .first()
            .copied()
            .flatten()
            .and_then(|ty| Shape::of_debug_type(self.inputs.program, ty))
            .filter(|shape| matches!(shape, Shape::Scalar { .. } | Shape::Pointer { .. }))
            .unwrap_or_else(|| Shape::of_type(self.inputs.program, function.result));
        Some((word, shape))
    }

    /// The globals that the path wrote, what its pointer inputs point to, and what is on the heap behind these and
    /// behind the result.
    fn finals(&mut self, state: &mut State, model: &Model, returned: Option<Holder>) -> Vec<FinalValue> {
        let mut finals = Vec::new();
        let mut holders: Vec<Holder> = returned.into_iter().filter(Holder::has_pointers).collect();
        for FinalObject { shape, value, .. } in self.final_objects(state, model, 0) {
            if !value.pointers.is_empty() {
                let (name, bytes) = (value.name.clone(), value.bytes.clone());
                holders.push(Holder { name, shape, bytes });
            }
            finals.push(value);
        }
        if !holders.is_empty() {
            self.final_heap(state, model, holders, &mut finals);
        }
        finals.extend(self.inputs.final_files(state, model));
        finals.extend(self.inputs.final_streams(state, model));
        finals.extend(self.final_devices(state, model));
        finals
    }

    /// The same with the objects, and with globals up to a size that the path did not write.
    pub(crate) fn final_objects(
        &mut self,
        state: &mut State,
        model: &Model,
        unwritten: u64,
    ) -> Vec<FinalObject> {
        let mut finals = Vec::new();
        for (id, global) in self.inputs.program.globals.iter() {
            let slot = self.inputs.constants.globals[incise_ir::Id::index(id)];
            let Some(object) = state.memory.object(slot).cloned() else { continue };
            let wanted = object.written || object.size <= unwritten;
            // In a variable that is only declared, of unknown size, there is nothing to look at.
            if global.model || global.constant || !wanted || object.size == 0 {
                continue;
            }
            let shape = Shape::of_global(self.inputs.program, global);
            let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let origin = InputOrigin::Global { symbol: global.name.clone() };
            let value = self.final_value(state, (name, origin), &shape, &object, model);
            finals.push(FinalObject { object, shape, value });
        }
        for input in state.inputs.to_vec() {
            let (InputOrigin::Pointee { .. }, Some(slot)) = (&input.origin, input.slot) else { continue };
            let Some(object) = state.memory.object(slot).cloned() else { continue };
            let (name, origin) = (input.name.clone(), input.origin.clone());
            let value = self.final_value(state, (name, origin), &input.shape, &object, model);
            finals.push(FinalObject { object, shape: input.shape.clone(), value });
        }
        finals
    }

    /// Addresses are others natively, whatever the type says: a union may hold one where its shape has a number.
    fn leave_out_addresses(&self, state: &State, bytes: &[u8], comparable: &mut [bool]) {
        for (word, comparable) in bytes.chunks_exact(8).zip(comparable.chunks_exact_mut(8)) {
            let address = word.iter().rev().fold(0, |address, &byte| address << 8 | u64::from(byte));
            let function = Memory::function_at(address, self.inputs.program.functions.len());
            // A number may look like the address of a function; one whose address is never used is not meant.
            let is_used = |function| {
                let kind = ConstantKind::Function(function);
                self.inputs.program.constants.iter().any(|(_, constant)| constant.kind == kind)
            };
            let leads_somewhere = function.is_some_and(is_used)
                || match state.memory.target(address) {
                    AddressTarget::Live(_, object, offset) => (0..=object.size as i64).contains(&offset),
                    AddressTarget::Dead(_) => state.memory.base_of(address) == Some(address),
                    AddressTarget::Null | AddressTarget::Nothing => false,
                };
            if leads_somewhere {
                comparable.fill(false);
            }
        }
    }

    pub(super) fn final_value(
        &mut self,
        state: &State,
        (name, origin): (String, InputOrigin),
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
            bytes[offset] = match object.read_byte(self.inputs.exprs, offset as u64) {
                Byte::Concrete(byte) => byte,
                Byte::Part { expr, byte } => {
                    let made_up = state.made_up > 0 && mentions_made_up(self.inputs.exprs, expr);
                    comparable[offset] &= !(is_address(self.inputs.exprs, expr) || made_up);
                    (self.inputs.solver.evaluate(self.inputs.exprs, expr, model) >> (8 * u32::from(byte)))
                        as u8
                }
                Byte::Uninitialised => {
                    comparable[offset] = false;
                    0
                }
            };
        }
        self.leave_out_addresses(state, &bytes, &mut comparable);
        let program = self.inputs.program;
        let value = shape.value(&bytes, &|address| name_of(program, state, address));
        let pointers = pointers_in(program, state, shape, &bytes);
        FinalValue { name, origin, bytes, comparable, pointers, value }
    }

    /// The bytes of an object that are there for these values of the inputs.
    pub(super) fn bytes_there(&mut self, object: &Object, model: &Model) -> u64 {
        match (object.symbolic_size, &object.assumed) {
            (Some(size), assumed) if assumed.is_some() || object.info.kind == ObjectKind::Heap => {
                (self.inputs.solver.evaluate(self.inputs.exprs, size, model) as u64).min(object.size)
            }
            _ => object.size,
        }
    }
}

fn is_errno(origin: &InputOrigin) -> bool {
    matches!(origin, InputOrigin::Global { symbol } if symbol == Global::ERRNO)
}

/// The active functions, innermost first, without library models.
pub fn stack(program: &Program, state: &State) -> Vec<StackFrame> {
    let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
    frames
        .filter(|frame| !frame.code.model && !frame.code.instructions.is_empty())
        .take(100)
        .map(|frame| {
            let function = &program.functions[frame.code.function];
            let location = frame.code.location(function, frame.pc.saturating_sub(1));
            StackFrame {
                function: function.name.clone(),
                position: location.map(|location| program.position(location)),
            }
        })
        .collect()
}

/// An address in an object as an expression of C: `p` of what an input points to, `&x` of a variable.
fn address_in_c(state: &State, address: u64) -> Option<String> {
    let AddressTarget::Live(_, object, offset) = state.memory.target(address) else { return None };
    let name = match object.info.kind {
        ObjectKind::Global if object.info.name == STRING_LITERAL => literal(object),
        ObjectKind::Heap => return None,
        _ => match object.info.name.strip_prefix('*') {
            Some(pointer) => pointer.to_owned(),
            None => format!("&{}", object.info.name),
        },
    };
    Some(match offset {
        0 => name,
        _ => format!("((char *){name} {} {})", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs()),
    })
}

/// What people call an address.
pub fn name_of(program: &Program, state: &State, address: u64) -> String {
    target_of(program, state, address).text()
}

/// Where an address leads.
pub(crate) fn target_of(program: &Program, state: &State, address: u64) -> PointerTarget {
    if let Some(function) = Memory::function_at(address, program.functions.len()) {
        return PointerTarget { name: program.functions[function].name.clone(), addend: 0 };
    }
    match state.memory.target(address) {
        AddressTarget::Live(_, object, offset) => {
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
        AddressTarget::Dead(info) if info.kind == ObjectKind::Input => {
            let addend = address - state.memory.base_of(address).unwrap_or(address);
            PointerTarget { name: info.name.clone(), addend }
        }
        AddressTarget::Dead(info) => {
            let name = match info.kind {
                ObjectKind::Stack => "a variable of a function that has returned",
                _ => "a freed object",
            };
            PointerTarget { name: name.to_owned(), addend: 0 }
        }
        _ => PointerTarget { name: format!("{address:#x}"), addend: 0 },
    }
}

/// The pointers in bytes of a shape.
fn pointers_in(program: &Program, state: &State, shape: &Shape, bytes: &[u8]) -> Vec<PointerAt> {
    let at = |(offset, address): (u64, u64)| PointerAt {
        offset,
        target: (address != 0).then(|| target_of(program, state, address)),
    };
    let pointers = shape.pointers(bytes).into_iter();
    // What a union holds is a number unless it leads somewhere.
    let holds =
        |pointer: &PointerAt| pointer.target.as_ref().is_some_and(|target| !target.name.starts_with("0x"));
    let pointers = pointers.map(|(offset, address, sure)| (at((offset, address)), sure));
    pointers.filter(|(pointer, sure)| *sure || holds(pointer)).map(|(pointer, _)| pointer).collect()
}

/// The pointers of an input without those that are numbers: what leads to no object is given as it is.
fn leading(state: &State, pointers: Vec<PointerAt>, bytes: &[u8]) -> Vec<PointerAt> {
    let leads = |pointer: &PointerAt| {
        let word = bytes.get(pointer.offset as usize..).and_then(|rest| rest.first_chunk::<8>());
        let target = word.map(|word| state.memory.target(u64::from_le_bytes(*word)));
        !matches!(target, Some(AddressTarget::Nothing | AddressTarget::Null))
    };
    let keep = |pointer: &PointerAt| pointer.target.is_none() || leads(pointer) || is_function(pointer);
    pointers.into_iter().filter(keep).collect()
}

/// Whether a pointer leads to something by its name, and not to an address.
fn is_function(pointer: &PointerAt) -> bool {
    pointer.target.as_ref().is_some_and(|target| !target.name.starts_with("0x"))
}

/// What the entry returned, as bytes in memory.
fn result_bytes(
    program: &Program,
    state: &State,
    (word, shape): (u128, &Shape),
    value: &InputValue,
) -> ResultBytes {
    let function = &program.functions[state.thread.frame.code.function];
    let size = program.types.store_size(function.result) as usize;
    let (number, bits) = number_in_memory(value, 8 * size);
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.resize(size, 0);
    let comparable = (0..size).map(|at| 8 * (at + 1) <= bits).collect();
    ResultBytes { bytes, comparable, pointers: pointers_in(program, state, shape, &word.to_le_bytes()) }
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
