//! Arrays without an end: for proofs that do not depend on how many elements an input has.
//!
//! In a proof by induction over the turns of loops, an array that a pointer input leads to has no bytes. What is read there is a value that nobody knows, the same for the same array, offset and history of writes;
//! what is written there is noted. Two programs that made the same writes in the same order hold the same in the array, so that a read at the same offset gives both the same. That offsets which look different may be
//! the same is not known here: it makes for fewer proofs, not for wrong ones.
//!
//! There are no bounds either. Instead, what is touched is noted: if the new program touches nothing that the old one does not touch in the same turn, it does not leave an object that the old one keeps to.

use crate::access::{Access, Offset, Place};
use crate::machine::{Exit, Machine};
use crate::memory::Object;
use crate::outcome::Outcome;
use crate::state::State;
use crate::value::Value;
use incise_solver::{ExprKind, SymbolKind};

/// An access to an array without an end.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    /// The pointer input that leads to it.
    pub(crate) input: String,
    /// Where.
    pub(crate) offset: Value,
    /// How many bytes.
    pub(crate) bytes: u32,
    /// What is written there, if something is.
    pub(crate) written: Option<Value>,
}

fn unsupported(what: &str) -> Exit {
    Exit::End(Outcome::Unsupported(format!("{what} of an array without an end")))
}

impl Machine<'_> {
    /// Whether a place is in an array without an end, behind what comes before its elements.
    pub(crate) fn is_endless(&self, state: &State, place: Place) -> bool {
        let Some(object) = state.memory.object(place.slot) else { return false };
        let header = object.assumed.as_ref().map_or(0, |assumed| assumed.header);
        object.is_endless() && !matches!(place.offset, Offset::Concrete(offset) if offset < header)
    }

    /// Whether an access is one to the elements of an array without an end; what comes before them is ordinary.
    pub(crate) fn endless_access(&mut self, object: &Object, offset: Offset) -> Result<bool, Exit> {
        if !object.is_endless() {
            return Ok(false);
        }
        let header = object.assumed.as_ref().map_or(0, |assumed| assumed.header);
        match offset {
            Offset::Concrete(offset) if offset as i64 >= 0 => Ok(offset >= header),
            Offset::Symbolic(_) if header == 0 => Ok(true),
            // The offset may be that of a member.
            _ => Err(unsupported("an unclear part")),
        }
    }

    /// Reads from an array without an end.
    pub(crate) fn read_endless(
        &mut self,
        state: &mut State,
        place: Place,
        width: u32,
    ) -> Result<Value, Exit> {
        let touch = self.touch(state, place, width, None)?;
        let version = state.memory.object(place.slot).map_or(0, |object| object.version);
        let at = match touch.offset {
            Value::Symbolic(expr) => format!("e{}", expr.index()),
            ref other => other.as_concrete().unwrap_or(0).to_string(),
        };
        let name = format!("{}@{version}[{at}]:{width}", touch.input);
        let value = self.exprs.symbol(&name, width, SymbolKind::Unsigned);
        Ok(Value::Symbolic(value))
    }

    /// Writes to an array without an end.
    pub(crate) fn write_endless(
        &mut self,
        state: &mut State,
        place: Place,
        width: u32,
        value: &Value,
    ) -> Result<(), Exit> {
        // What an address stands for is another matter in another program.
        let pointer = match value {
            Value::Symbolic(expr) => {
                self.exprs.split_base(*expr).is_some() || matches!(self.exprs.kind(*expr), ExprKind::Ite(..))
            }
            Value::Word(word) => matches!(state.memory.target(*word), crate::memory::Target::Live(..)),
            Value::Wide(_) => false,
            Value::Aggregate(_) | Value::Undefined => true,
        };
        if pointer {
            return Err(unsupported("a write of an address to an element"));
        }
        self.touch(state, place, width, Some(value.clone()))?;
        if let Some(object) = state.memory.object_mut(place.slot) {
            object.version += 1;
        }
        Ok(())
    }

    fn touch(
        &mut self,
        state: &mut State,
        place: Place,
        width: u32,
        written: Option<Value>,
    ) -> Result<Touch, Exit> {
        let object = state.memory.object(place.slot).and_then(|object| object.assumed.clone());
        let Some(assumed) = object else { return Err(unsupported("an access")) };
        let offset = match place.offset {
            Offset::Concrete(offset) => Value::Word(offset),
            Offset::Symbolic(expr) => Value::Symbolic(expr),
        };
        let touch = Touch { input: assumed.input.clone(), offset, bytes: width.div_ceil(8), written };
        state.touched.push(touch.clone());
        Ok(touch)
    }

    /// Other accesses than those of scalars are not made there.
    pub(crate) fn refuse_endless(&self, state: &State, place: Place, access: Access) -> Result<(), Exit> {
        match self.is_endless(state, place) {
            true if access == Access::Read => Err(unsupported("a copy")),
            true => Err(unsupported("an overwriting")),
            false => Ok(()),
        }
    }
}
