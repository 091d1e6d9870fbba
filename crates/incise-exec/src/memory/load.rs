//! Reading a scalar at a place that is known.

use crate::engine::state::State;
use crate::engine::value::{Value, mask64};
use crate::memory::{Byte, Slot};
use incise_solver::{ExprId, Exprs};

/// Reads a scalar at a concrete offset inside a live object.
pub(crate) fn scalar(exprs: &mut Exprs, state: &mut State, slot: Slot, offset: u64, width: u32) -> Value {
    let Some(object) = state.memory.object(slot) else { return Value::Undefined };
    let count = u64::from(width.div_ceil(8));
    if count <= 8
        && let Some(word) = object.read_word(offset, count)
    {
        return Value::Word(word & mask64(width));
    }
    let object = object.clone();
    let first = object.read_byte(exprs, offset);
    if let Byte::Part { expr, byte: 0 } = first
        && count == 1
        && exprs.width(expr) == 8
        && width == 8
    {
        return Value::Symbolic(expr);
    }
    let mut buffer = [Byte::Uninitialised; 16];
    buffer[0] = first;
    for index in 1..count {
        buffer[index as usize] = object.read_byte(exprs, offset + index);
    }
    let bytes = &buffer[..count as usize];
    if bytes.iter().all(|byte| *byte == Byte::Uninitialised) {
        // Remembered, so that a second read sees the same arbitrary value.
        let fresh = state.arbitrary(exprs, count as u32 * 8);
        let written = object.written;
        if let Some(object) = state.memory.object_mut(slot) {
            object.write_scalar(exprs, offset, count as u32 * 8, &Value::Symbolic(fresh));
            object.written = written;
        }
        let value = exprs.trunc(fresh, width);
        return Value::Symbolic(value);
    }
    if let Byte::Part { expr, byte: 0 } = bytes[0]
        && exprs.width(expr) == count as u32 * 8
        && bytes.iter().enumerate().all(|(index, byte)| *byte == Byte::Part { expr, byte: index as u8 })
    {
        let value = exprs.trunc(expr, width);
        return Value::from_expr(exprs, value);
    }
    join_bytes(exprs, state, (slot, offset), bytes, width)
}

/// Puts a value together that was not stored as one.
fn join_bytes(
    exprs: &mut Exprs,
    state: &mut State,
    (slot, offset): (Slot, u64),
    bytes: &[Byte],
    width: u32,
) -> Value {
    let mut value: Option<ExprId> = None;
    for (index, byte) in bytes.iter().enumerate() {
        let byte = match *byte {
            Byte::Concrete(byte) => exprs.constant(u128::from(byte), 8),
            Byte::Part { expr, byte } => exprs.extract(expr, u32::from(byte) * 8, 8),
            Byte::Uninitialised => {
                let fresh = state.arbitrary(exprs, 8);
                if let Some(object) = state.memory.object_mut(slot) {
                    let written = object.written;
                    object.write_byte(exprs, offset + index as u64, Byte::Part { expr: fresh, byte: 0 });
                    object.written = written;
                }
                fresh
            }
        };
        value = Some(match value {
            None => byte,
            Some(low) => exprs.concat(byte, low),
        });
    }
    let Some(value) = value else { return Value::Undefined };
    let value = exprs.trunc(value, width);
    Value::from_expr(exprs, value)
}
