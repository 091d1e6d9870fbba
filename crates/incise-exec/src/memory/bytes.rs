//! Copying, moving and filling runs of bytes.

use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::access::MemoryAccess;
use crate::memory::access::{Access, ObjectPlace, Offset};
use crate::memory::{AddressTarget, Byte};
use crate::outcome::{LimitKind, Outcome};
use incise_solver::{CompareOp, ExprId};

/// So many times as much may be copied where only a place is symbolic.
const KNOWN_LENGTH: u64 = 16;

/// Where the bytes come from.
#[derive(Clone)]
pub(crate) enum Fill {
    From(Value),
    Byte(Value),
}

/// Whether so many bytes after a known place is behind the last byte of its object.
fn is_beyond(state: &State, place: ObjectPlace, bytes: u64) -> bool {
    let size = state.memory.object(place.slot).map_or(0, |object| object.size);
    matches!(place.offset, Offset::Concrete(offset) if offset.saturating_add(bytes) >= size)
}

impl MemoryAccess<'_, '_> {
    /// `memcpy`, `memmove`, `memset`: all pointers are checked before anything is written.
    pub(crate) fn fill_bytes(
        &mut self,
        state: &mut State,
        target: &Value,
        fill: &Fill,
        length: &Value,
        length_width: u32,
    ) -> Result<(), Exit> {
        match length.as_concrete() {
            Some(0) => Ok(()),
            Some(length) => self.fill_concrete(state, target, fill, length.min(u128::from(u64::MAX)) as u64),
            None => {
                let length = self.decider.expr(state, length, length_width);
                let length = self.decider.exprs.zext(length, 64);
                self.fill_symbolic(state, target, fill, length)
            }
        }
    }

    fn fill_concrete(
        &mut self,
        state: &mut State,
        target: &Value,
        fill: &Fill,
        length: u64,
    ) -> Result<(), Exit> {
        let source = match fill {
            Fill::From(source) => Some(self.resolve(state, source, length, Access::READ)?),
            Fill::Byte(_) => None,
        };
        let target = self.resolve(state, target, length, Access::WRITE)?;
        if length > self.decider.config.limits.symbolic_copy * KNOWN_LENGTH
            && (matches!(target.offset, Offset::Symbolic(_))
                || source.is_some_and(|source| matches!(source.offset, Offset::Symbolic(_))))
        {
            return Err(Exit::End(Outcome::Limit(LimitKind::CopySize)));
        }
        match (source, fill) {
            (Some(source), _) => self.copy_bytes(state, target, source, length),
            (None, Fill::Byte(byte)) => self.set_bytes(state, target, byte, length),
            (None, Fill::From(_)) => {}
        }
        Ok(())
    }

    /// A run whose length is symbolic: each byte is the new or the old one, depending on the length.
    fn fill_symbolic(
        &mut self,
        state: &mut State,
        target: &Value,
        fill: &Fill,
        length: ExprId,
    ) -> Result<(), Exit> {
        let zero = self.decider.exprs.constant(0, 64);
        let source_pointer = match fill {
            Fill::From(source) => Some(source.clone()),
            Fill::Byte(_) => None,
        };
        let all_live = self.is_live(state, target)
            && source_pointer.as_ref().is_none_or(|source| self.is_live(state, source));
        if !all_live {
            // A null pointer with length zero is fine in practice: the two cases part here.
            let empty = self.decider.exprs.compare(CompareOp::Eq, length, zero);
            let some = self.decider.exprs.not(empty);
            if self.decider.choose(state, &[empty, some])? == 0 {
                return Ok(());
            }
        }
        let source = match &source_pointer {
            Some(source) => Some(self.resolve_run(state, source, length, Access::READ)?),
            None => None,
        };
        let target = self.resolve_run(state, target, length, Access::WRITE)?;
        let longest = self.decider.config.limits.symbolic_copy;
        let most = self.upper_bound(state, length, longest + 1)?;
        if most > longest {
            let limit = self.decider.exprs.constant(u128::from(longest), 64);
            let fits = self.decider.exprs.compare(CompareOp::Ule, length, limit);
            self.decider.require_or(state, fits, |_, _| Outcome::Limit(LimitKind::CopySize))?;
        }
        let mut bytes = Vec::new();
        for index in 0..most.min(longest) {
            // The run ends within its objects, which was checked: it may be known to be shorter than its length tells.
            let beyond = |place: ObjectPlace| is_beyond(state, place, index);
            if beyond(target) || source.is_some_and(beyond) {
                break;
            }
            let new = match (source, fill) {
                (Some(source), _) => {
                    let place = self.advance(source, index);
                    self.read_scalar(state, place, 8)
                }
                (None, Fill::Byte(byte)) => byte.clone(),
                (None, Fill::From(_)) => Value::Undefined,
            };
            let place = self.advance(target, index);
            let old = self.read_scalar(state, place, 8);
            let position = self.decider.exprs.constant(u128::from(index), 64);
            let inside = self.decider.exprs.compare(CompareOp::Ult, position, length);
            bytes.push((place, self.decider.select_values(state, 8, inside, &new, &old)));
        }
        for (place, byte) in bytes {
            self.write_scalar(state, place, 8, &byte);
        }
        Ok(())
    }

    fn is_live(&self, state: &State, pointer: &Value) -> bool {
        matches!(pointer, Value::Word(address)
            if matches!(state.memory.target(*address), AddressTarget::Live(_, object, offset)
                if offset >= 0 && offset as u64 <= object.size))
    }

    /// Resolves a pointer to a run of a symbolic number of bytes.
    fn resolve_run(
        &mut self,
        state: &mut State,
        pointer: &Value,
        length: ExprId,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        let place = self.resolve(state, pointer, 0, access)?;
        let Some(object) = state.memory.object(place.slot).cloned() else { return Ok(place) };
        let offset = match place.offset {
            Offset::Concrete(offset) => self.decider.exprs.constant(u128::from(offset), 64),
            Offset::Symbolic(offset) => offset,
        };
        // The offset is at most the size, because zero bytes there are within bounds.
        self.check_run(state, &object, offset, length, access)?;
        Ok(place)
    }

    /// Copies bytes between two places that were resolved; they may overlap.
    pub(crate) fn copy_bytes(
        &mut self,
        state: &mut State,
        target: ObjectPlace,
        source: ObjectPlace,
        length: u64,
    ) {
        self.decider.stop.copied(length);
        if let (Offset::Concrete(to), Offset::Concrete(from)) = (target.offset, source.offset) {
            let Some(object) = state.memory.object(source.slot).cloned() else { return };
            let Some(destination) = state.memory.object_mut(target.slot) else { return };
            // The source is a snapshot, so that an overlap does no harm.
            let mut index = 0;
            while index < length {
                let step = if length - index >= 8 { 8 } else { 1 };
                match object.read_word(from + index, step) {
                    Some(word) if destination.write_word(to + index, step, word) => index += step,
                    _ => {
                        let end = (index + 8).min(length);
                        while index < end {
                            let byte = object.read_byte(&mut self.decider.exprs, from + index);
                            destination.write_byte(&mut self.decider.exprs, to + index, byte);
                            index += 1;
                        }
                    }
                }
            }
            return;
        }
        let mut bytes = Vec::with_capacity(length as usize);
        for index in 0..length {
            let place = self.advance(source, index);
            bytes.push(self.read_scalar(state, place, 8));
        }
        for (index, byte) in bytes.iter().enumerate() {
            let place = self.advance(target, index as u64);
            self.write_scalar(state, place, 8, byte);
        }
    }

    fn set_bytes(&mut self, state: &mut State, target: ObjectPlace, byte: &Value, length: u64) {
        if let (Offset::Concrete(to), Some(object)) = (target.offset, state.memory.object_mut(target.slot)) {
            let word = match byte {
                Value::Word(byte) => Some((byte & 0xff) * 0x0101_0101_0101_0101),
                _ => None,
            };
            let mut index = 0;
            while index < length {
                let step = if length - index >= 8 { 8 } else { 1 };
                if let Some(word) = word
                    && object.write_word(to + index, step, word)
                {
                    index += step;
                    continue;
                }
                let part = match byte {
                    Value::Word(byte) => Byte::Concrete(*byte as u8),
                    Value::Symbolic(expr) => Byte::Part { expr: *expr, byte: 0 },
                    _ => Byte::Uninitialised,
                };
                let end = (index + 8).min(length);
                while index < end {
                    object.write_byte(&mut self.decider.exprs, to + index, part);
                    index += 1;
                }
            }
            return;
        }
        for index in 0..length {
            let place = self.advance(target, index);
            self.write_scalar(state, place, 8, byte);
        }
    }

    /// The bytes of a zero-terminated string: concrete up to the first byte that must be zero. A string that may not
    /// end within its object is an error path.
    pub(crate) fn read_string(
        &mut self,
        state: &mut State,
        pointer: &Value,
        limit: Option<u64>,
    ) -> Result<Vec<Value>, Exit> {
        if limit == Some(0) {
            return Ok(Vec::new());
        }
        let start = self.resolve(state, pointer, 1, Access::READ)?;
        let Some(object) = state.memory.object(start.slot).cloned() else { return Ok(Vec::new()) };
        let Offset::Concrete(offset) = start.offset else {
            return Err(Exit::End(Outcome::Unsupported("a string at a symbolic offset".into())));
        };
        let mut bytes = Vec::new();
        let mut unterminated = self.decider.exprs.constant(1, 1);
        let mut outside = self.decider.exprs.constant(0, 1);
        let zero = self.decider.exprs.constant(0, 8);
        for index in 0..limit.unwrap_or(u64::MAX) {
            if offset + index >= object.size {
                self.check_string(state, &object, unterminated, outside)?;
                return Ok(bytes);
            }
            if let (Some(size), true) = (object.symbolic_size, object.assumed.is_some()) {
                let at = self.decider.exprs.constant(u128::from(offset + index), 64);
                let ended = self.decider.exprs.compare(CompareOp::Ule, size, at);
                let read = self.decider.exprs.and(ended, unterminated);
                outside = self.decider.exprs.or(outside, read);
            }
            let byte = self.read_concrete(state, start.slot, offset + index, 8);
            if byte.as_concrete() == Some(0) {
                break;
            }
            let expr = self.decider.expr(state, &byte, 8);
            let more = self.decider.exprs.compare(CompareOp::Ne, expr, zero);
            unterminated = self.decider.exprs.and(unterminated, more);
            bytes.push(byte);
        }
        if object.assumed.is_some() {
            let never = self.decider.exprs.constant(0, 1);
            self.check_string(state, &object, never, outside)?;
        }
        Ok(bytes)
    }

    /// The text of a zero-terminated string whose bytes are all concrete; unsupported otherwise.
    pub(crate) fn concrete_string(
        &mut self,
        state: &mut State,
        pointer: &Value,
        what: &str,
    ) -> Result<Vec<u8>, Exit> {
        self.read_string(state, pointer, None)?
            .iter()
            .map(|byte| match byte.as_concrete() {
                Some(byte) => Ok(byte as u8),
                None => Err(Exit::End(Outcome::Unsupported(format!("{what} that is not concrete")))),
            })
            .collect()
    }
}
