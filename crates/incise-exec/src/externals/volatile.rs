//! Volatile variables that others change: an interrupt, a signal handler, another processor.
//!
//! When they do so nobody knows. What is assumed is what is assumed of devices: what is read is an unknown function of
//! all accesses so far. So a read gives any value, which the variable holds from then on; reads and writes are events,
//! compared in their order with those of the other program. A local variable whose address goes nowhere is nobody
//! else's, and memory like any other (`private.rs` of `incise-ir`).

use super::device::{access, register_type};
use crate::config::Volatile;
use crate::engine::code::Code;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{DeviceAccess, State};
use crate::engine::value::Value;
use crate::exploration::describe::name_of;
use crate::memory::access::{Access, ObjectPlace, Offset};
use crate::memory::{AddressTarget, Memory, ObjectKind};
use crate::outcome::Outcome;
use crate::result::InputOrigin;
use incise_ir::{Operand, Type, TypeId, variable_number};

impl Machine<'_> {
    /// Whether volatile variables that this code accesses may be changed by others.
    pub(crate) fn others_change(&self, code: &Code) -> bool {
        self.config.volatile == Volatile::Changing && !code.model
    }

    /// Reads a volatile variable: any value, which it holds from then on.
    pub(crate) fn volatile_read(
        &mut self,
        state: &mut State,
        (operand, pointer): (Operand, &Value),
        ty: TypeId,
    ) -> Result<Value, Exit> {
        let place = self.volatile_object(state, pointer, ty, Access::READ)?;
        if matches!(self.program.types.get(ty), Type::Pointer) {
            let what = "a volatile pointer that others may change".to_owned();
            return Err(Exit::End(Outcome::Unsupported(what)));
        }
        let name = variable(self, state, place);
        let name = format!("*(volatile {} *)&{name}", register_type(self.program, ty));
        let value = self.value_read(state, (name, InputOrigin::Volatile), ty)?;
        let width = self.decider.scalar_width(ty)?;
        self.memory().write_scalar(state, place, width, &value);
        let arguments = [address(place, pointer), Value::Word(self.program.types.store_size(ty))];
        let (result, kind) = (Some(value.clone()), self.kind(false, operand));
        state.calls.push(access("a volatile variable is read", &arguments, result, kind));
        Ok(value)
    }

    /// Writes a volatile variable.
    pub(crate) fn volatile_write(
        &mut self,
        state: &mut State,
        (operand, pointer): (Operand, &Value),
        ty: TypeId,
        value: &Value,
    ) -> Result<(), Exit> {
        let place = self.volatile_object(state, pointer, ty, Access::WRITE)?;
        let written = self.written_value(state, ty, value)?;
        let width = self.decider.scalar_width(ty)?;
        self.memory().write_scalar(state, place, width, value);
        let arguments = [address(place, pointer), Value::Word(self.program.types.store_size(ty)), written];
        let kind = self.kind(true, operand);
        state.calls.push(access("a volatile variable is written", &arguments, None, kind));
        Ok(())
    }

    fn kind(&self, writes: bool, operand: Operand) -> DeviceAccess {
        DeviceAccess { writes, variable: Some(variable_number(self.program, operand)) }
    }

    fn volatile_object(
        &mut self,
        state: &mut State,
        pointer: &Value,
        ty: TypeId,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        if self.program.types.scalar_bits(ty).is_none_or(|bits| bits > 64) {
            let what = "an access of a whole volatile object that others may change".to_owned();
            return Err(Exit::End(Outcome::Unsupported(what)));
        }
        self.note_device(state)?;
        let size = self.program.types.store_size(ty);
        self.memory().resolve(state, pointer, size, access)
    }

    /// Refuses a copy of a whole volatile object that others may change.
    pub(crate) fn require_unshared(
        &self,
        state: &State,
        volatile: &Value,
        places: &[&Value],
    ) -> Result<(), Exit> {
        if self.config.volatile != Volatile::Changing || volatile.as_concrete() == Some(0) {
            return Ok(());
        }
        let own = |place: &&Value| match place {
            Value::Word(address) => match state.memory.target(*address) {
                // The text of an initialiser has a name that no variable can have.
                AddressTarget::Live(_, object, _) => {
                    object.info.kind == ObjectKind::Stack || object.info.name.starts_with("__const.")
                }
                _ => false,
            },
            _ => false,
        };
        match places.iter().all(own) {
            true => Ok(()),
            false => {
                let what = "a copy of a whole volatile object that others may change".to_owned();
                Err(Exit::End(Outcome::Unsupported(what)))
            }
        }
    }
}

/// What people call a place.
fn variable(machine: &Machine<'_>, state: &State, place: ObjectPlace) -> String {
    let base = Memory::address(place.slot);
    match place.offset {
        Offset::Concrete(offset) => name_of(machine.program, state, base + offset),
        // Two programs may compute one place in different words.
        Offset::Symbolic(_) => format!("{}[...]", name_of(machine.program, state, base)),
    }
}

/// The address of a place, by which two programs are compared.
fn address(place: ObjectPlace, pointer: &Value) -> Value {
    match place.offset {
        Offset::Concrete(offset) => Value::Word(Memory::address(place.slot) + offset),
        Offset::Symbolic(_) => pointer.clone(),
    }
}
