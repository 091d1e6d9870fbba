//! Devices: volatile accesses at addresses that are numbers, as drivers have them.
//!
//! Nobody knows what a register does. What is assumed is what is assumed of functions that nobody can see into: the
//! device is an unknown function of all accesses so far. So a read gives any value, named after its place among those
//! of its register, so that both programs have the same symbol; and each access is noted, to be compared in its order
//! with the other program's. Native runs hand the values out in the same order, and write the accesses down.
//!
//! Not covered: that a device reads or writes memory of the program by itself, or raises an interrupt.

use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{DeviceAccess, ExternalCall, State};
use crate::engine::thread::ThreadId;
use crate::engine::value::Value;
use crate::exploration::describe::{Describer, name_of};
use crate::exploration::finish::evaluate;
use crate::inputs::input::{InputObject, Leaf, symbol_kind};
use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::{AddressTarget, Memory, NULL_ZONE};
use crate::outcome::{ErrorKind, LimitKind, Outcome, ProgramError};
use crate::result::{FinalValue, InputOrigin, InputValue};
use incise_ir::{CastOp, ConstantId, ConstantKind, FloatKind, Operand, Program, Type, TypeId};
use incise_solver::{CompareOp, Model};
use std::rc::Rc;

/// Registers whose address is computed lie below: the address space of the machines that have them.
const END: u64 = 1 << 32;

/// An input that is tried, or was given, is not followed beyond so many accesses: a loop that waits goes on for ever.
const MOST_TRACED: usize = 512;

/// What accesses of devices are called among the final values.
const ACCESSES: &str = "accesses of devices";

const READ: DeviceAccess = DeviceAccess { writes: false, variable: None };
const WRITE: DeviceAccess = DeviceAccess { writes: true, variable: None };

/// What is added to what tells reads from writes in native runs, for a variable.
const VARIABLE: u64 = 2;

/// Where a volatile access leads.
pub(crate) enum VolatilePlace {
    /// To a device, at this address.
    Device(Value),
    /// To memory, by this pointer.
    Memory(Value),
}

impl Machine<'_> {
    /// Where a volatile access of `size` bytes leads; forks where the pointer is a choice. `operand` is the pointer in
    /// the program.
    pub(crate) fn volatile_place(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        size: u64,
    ) -> Result<VolatilePlace, Exit> {
        let mut pointer = match pointer {
            Value::Word(address) => return Ok(self.place_at(state, operand, address)),
            other => self.decider.expr(state, &other, 64),
        };
        loop {
            if let Some(address) = self.decider.exprs.as_constant(pointer) {
                return Ok(self.place_at(state, operand, address as u64));
            }
            if self.decider.exprs.split_base(pointer).is_some() {
                return Ok(VolatilePlace::Memory(Value::Symbolic(pointer)));
            }
            if let Some((condition, then, otherwise)) = self.decider.exprs.split_ite(pointer) {
                let negated = self.decider.exprs.not(condition);
                pointer =
                    if self.decider.choose(state, &[condition, negated])? == 0 { then } else { otherwise };
                continue;
            }
            match self.memory().push_into_ite(pointer) {
                Some(pushed) => pointer = pushed,
                None => break,
            }
        }
        let is_object = |&address: &u64| {
            !matches!(state.memory.target(address), AddressTarget::Nothing | AddressTarget::Null)
        };
        if super::bases(&self.decider.exprs, pointer).iter().any(is_object) {
            return Ok(VolatilePlace::Memory(Value::Symbolic(pointer)));
        }
        // A number that is computed: the register lies where registers do.
        let exprs = &mut self.decider.exprs;
        let (first, last) =
            (exprs.constant(u128::from(NULL_ZONE), 64), exprs.constant(u128::from(END - size), 64));
        let above = exprs.compare(CompareOp::Ule, first, pointer);
        let below = exprs.compare(CompareOp::Ule, pointer, last);
        let valid = exprs.and(above, below);
        self.decider.require(state, valid, |_, _| ProgramError {
            kind: ErrorKind::OutOfBounds,
            message: "volatile access at a computed address that need not be one of a device".into(),
        })?;
        let address = match self.decider.unique_value(state, pointer)? {
            Some(address) => Value::Word(address as u64),
            None => Value::Symbolic(pointer),
        };
        Ok(VolatilePlace::Device(address))
    }

    fn place_at(&self, state: &State, operand: Operand, address: u64) -> VolatilePlace {
        let device = match state.memory.target(address) {
            AddressTarget::Nothing => Memory::function_at(address, self.function_count()).is_none(),
            // Small machines have their registers there; whoever writes the number down does not mean null.
            AddressTarget::Null => address < NULL_ZONE && is_written_down(self.program, operand),
            AddressTarget::Live(..) | AddressTarget::Dead(_) => false,
        };
        match device {
            true => VolatilePlace::Device(Value::Word(address)),
            false => VolatilePlace::Memory(Value::Word(address)),
        }
    }

    /// Reads a register: any value.
    pub(crate) fn device_read(
        &mut self,
        state: &mut State,
        address: Value,
        ty: TypeId,
    ) -> Result<Value, Exit> {
        self.note_device(state)?;
        let name = register(self.program, &address, ty);
        let value = self.value_read(state, (name, InputOrigin::Device), ty)?;
        let bytes = self.program.types.store_size(ty);
        let arguments = [address, Value::Word(bytes)];
        state.calls.push(access("a device is read", &arguments, Some(value.clone()), READ));
        Ok(value)
    }

    /// An input that a read gives, named after its place among those of what is read.
    pub(super) fn value_read(
        &mut self,
        state: &mut State,
        (name, origin): (String, InputOrigin),
        ty: TypeId,
    ) -> Result<Value, Exit> {
        let width = self.decider.scalar_width(ty)?;
        let kind = match self.program.types.get(ty) {
            Type::Float(kind) => ScalarKind::Float(*kind),
            _ => ScalarKind::Unsigned,
        };
        let name = numbered(state, name);
        let expr = self.decider.inputs().leaf_symbol(&name, width, symbol_kind(&kind));
        let bytes = width.div_ceil(8);
        let whole = self.decider.exprs.zext(expr, bytes * 8);
        let shape = Shape::Scalar { bits: bytes * 8, kind };
        let leaves = vec![Leaf { offset: 0, bytes, expr: whole }];
        let input = InputObject::plain(name, origin, shape, u64::from(bytes), leaves, None);
        self.decider.inputs().give(state, &input, None);
        state.inputs.push(Rc::new(input));
        Ok(Value::from_expr(&self.decider.exprs, expr))
    }

    /// Writes a register.
    pub(crate) fn device_write(
        &mut self,
        state: &mut State,
        address: Value,
        ty: TypeId,
        value: &Value,
    ) -> Result<(), Exit> {
        self.note_device(state)?;
        let value = self.written_value(state, ty, value)?;
        let arguments = [address, Value::Word(self.program.types.store_size(ty)), value];
        state.calls.push(access("a device is written", &arguments, None, WRITE));
        Ok(())
    }

    /// What is written, in 64 bits.
    pub(super) fn written_value(
        &mut self,
        state: &mut State,
        ty: TypeId,
        value: &Value,
    ) -> Result<Value, Exit> {
        let width = self.decider.scalar_width(ty)?;
        if width > 64 {
            return Err(Exit::End(Outcome::Unsupported(format!("a register of {width} bits"))));
        }
        Ok(match value {
            Value::Word(_) | Value::Undefined => value.clone(),
            other => {
                let expr = self.decider.expr(state, other, width);
                let whole = self.decider.exprs.zext(expr, 64);
                Value::from_expr(&self.decider.exprs, whole)
            }
        })
    }

    /// Before an access: a loop that waits for a device must not go on for as long as another.
    pub(super) fn note_device(&mut self, state: &State) -> Result<(), Exit> {
        if self.decider.stop.check_clock() {
            return Err(Exit::Stop);
        }
        if self.decider.tracing.is_some() && state.calls.len() > MOST_TRACED {
            return Err(Exit::End(Outcome::Limit(LimitKind::Loop)));
        }
        Ok(())
    }
}

/// An access among the calls of a path.
pub(super) fn access(
    function: &str,
    arguments: &[Value],
    result: Option<Value>,
    access: DeviceAccess,
) -> ExternalCall {
    ExternalCall {
        function: function.to_owned(),
        arguments: arguments.into(),
        result,
        sight: None,
        wrote: Rc::new([]),
        device: Some(access),
    }
}

/// Whether a pointer is a number of the program's text, or at a distance from one, and not null.
fn is_written_down(program: &Program, operand: Operand) -> bool {
    let Operand::Constant(mut at) = operand else { return false };
    loop {
        at = match &program.constants[at].kind {
            ConstantKind::Offset { base, .. } => *base,
            ConstantKind::Cast { op: CastOp::IntegerToPointer, value } => return !is_zero(program, *value),
            _ => return false,
        };
    }
}

fn is_zero(program: &Program, constant: ConstantId) -> bool {
    matches!(program.constants[constant].kind, ConstantKind::Integer(0) | ConstantKind::Zero)
}

/// The type of a register in C.
pub(super) fn register_type(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Float(FloatKind::Single) => "float".to_owned(),
        Type::Float(_) => "double".to_owned(),
        _ => format!("uint{}_t", program.types.store_size(ty) * 8),
    }
}

/// A register in C.
fn register(program: &Program, address: &Value, ty: TypeId) -> String {
    let ty = register_type(program, ty);
    match address {
        Value::Word(address) => format!("*(volatile {ty} *){address:#x}"),
        // Two programs may compute one address in different words.
        _ => format!("*(volatile {ty} *)..."),
    }
}

/// A name with the number of the read behind, from the second one on.
fn numbered(state: &mut State, name: String) -> String {
    let name = match state.thread.id {
        ThreadId::FIRST => name,
        ThreadId(number) => format!("{name}@{number}"),
    };
    let count = Rc::make_mut(&mut state.outside.registers).entry(name.clone()).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name}#{count}") }
}

impl Describer<'_> {
    /// The accesses of devices, as native runs write them down: for each whether it writes, its bytes, the address and
    /// the value.
    pub(crate) fn final_devices(&mut self, state: &State, model: &Model) -> Option<FinalValue> {
        let (mut bytes, mut texts) = (Vec::new(), Vec::new());
        for call in state.calls.to_vec() {
            let Some(access) = call.device else { continue };
            let (exprs, solver) = (&self.inputs.exprs, &mut self.inputs.solver);
            let mut number = |value: &Value| evaluate(exprs, solver, value, model) as u64;
            let (address, size) = (number(&call.arguments[0]), number(&call.arguments[1]));
            let value = call.result.as_ref().or(call.arguments.get(2)).map_or(0, number);
            let text = access_text(self.inputs.program, state, access, (address, size, value));
            // Where variables lie is no matter of the program.
            let place = access.variable.unwrap_or(address);
            let kind = u64::from(access.writes) + if access.variable.is_some() { VARIABLE } else { 0 };
            for word in [kind, size, place, value] {
                bytes.extend(word.to_le_bytes());
            }
            texts.push(InputValue::Enumerator(Some(text), 0));
        }
        let comparable = vec![true; bytes.len()];
        (!bytes.is_empty()).then(|| FinalValue {
            name: ACCESSES.to_owned(),
            origin: InputOrigin::Device,
            bytes,
            comparable,
            pointers: Vec::new(),
            value: InputValue::Array(texts),
        })
    }
}

/// An access in words: where it leads, how many bytes it has, and which value is read or written.
pub fn access_text(
    program: &Program,
    state: &State,
    access: DeviceAccess,
    (address, size, value): (u64, u64, u64),
) -> String {
    let place = match access.variable {
        Some(_) => format!("&{}", name_of(program, state, address)),
        None => format!("{address:#x}"),
    };
    let register = format!("*(volatile uint{}_t *){place}", size * 8);
    match access.writes {
        false => format!("{register} gives {value:#x}"),
        true => format!("{register} = {value:#x}"),
    }
}
