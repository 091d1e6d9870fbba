//! What code that nobody can see leaves in memory: any values, in all that it can get at and may write.
//!
//! One symbol of a call says whether it writes anything at all; where it does not, memory is as it was. That adds
//! nothing to what is possible, but then an input that shows something is one on which the function may simply return.
//! What was never initialised is what it is called for: that it fills.

use super::Outsider;
use super::reach::{Reached, Sight};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::exploration::describe::{Describer, name_of, target_of};
use crate::inputs::input::{Leaf, symbol_kind};
use crate::inputs::parts::{PartKind, ShapePart, expression as part_expression, parts_of};
use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::{Byte, Object, Slot};
use crate::result::{Input, InputOrigin, PointerAt};
use incise_solver::{ExprId, Model, SymbolKind};

/// What one call may have written to one object.
#[derive(Clone)]
pub struct Wrote {
    /// What it is called.
    name: String,
    function: String,
    call: u32,
    way: String,
    shape: Shape,
    size: u64,
    leaves: Vec<Leaf>,
    /// The pointers among the leaves, by offset.
    pointers: Vec<u64>,
    /// When anything was written.
    when: ExprId,
}

impl Machine<'_> {
    /// Lets a call leave any values in what it may write.
    pub(super) fn written_outside(
        &mut self,
        state: &mut State,
        who: &Outsider,
        number: u32,
        sight: &Sight,
    ) -> Vec<Wrote> {
        let writes = format!("{}#{number} writes", who.results);
        let mut written = Vec::new();
        for reached in sight.reached.iter().filter(|reached| reached.writable) {
            let Some(object) = sight.memory.object(reached.slot).cloned() else { continue };
            if object.size > 0 {
                let when = self.decider.inputs().leaf_symbol(&writes, 1, SymbolKind::Bool);
                written.push(self.write_outside(state, (who, number), when, reached, &object));
            }
        }
        written
    }

    fn write_outside(
        &mut self,
        state: &mut State,
        (who, call): (&Outsider, u32),
        when: ExprId,
        reached: &Reached,
        object: &Object,
    ) -> Wrote {
        let shape = super::reach::shape_of(self.program, state, object);
        let name = format!("{}#{call}:{}", who.results, reached.way);
        let bytes: Vec<Byte> =
            (0..object.size).map(|offset| object.read_byte(&mut self.decider.exprs, offset)).collect();
        let (mut leaves, mut pointers, mut always) = (Vec::new(), Vec::new(), false);
        for part in whole_parts(&name, &shape, object.size) {
            let fresh = self.any_part(state, &part);
            let expr = match part_expression(&mut self.decider.exprs, &bytes, &part) {
                Some(before) => self.decider.exprs.ite(when, fresh, before),
                None => {
                    always = true;
                    fresh
                }
            };
            let offset = part.offset_bits / 8;
            if matches!(part.kind, PartKind::Pointer { .. }) {
                pointers.push(offset);
            }
            leaves.push(Leaf { offset, bytes: part.bits / 8, expr });
        }
        self.put_leaves(state, reached.slot, &bytes, &leaves);
        let when = if always { self.decider.exprs.boolean(true) } else { when };
        let (function, way, size) = (who.name.clone(), reached.way.clone(), object.size);
        Wrote { name, function, call, way, shape, size, leaves, pointers, when }
    }

    /// Any value for a part of an object.
    fn any_part(&mut self, state: &mut State, part: &ShapePart) -> ExprId {
        match &part.kind {
            PartKind::Pointer { target, function } => {
                // One pointer further: each that is read leads to data that nobody knows.
                let depth = self.config.inputs.pointer_depth.saturating_sub(1);
                self.decider.inputs().pointer_input(state, &part.name, *target, *function, depth)
            }
            PartKind::Number(ScalarKind::Boolean) => {
                let bit = self.decider.inputs().leaf_symbol(&part.name, 1, SymbolKind::Bool);
                self.decider.exprs.zext(bit, part.bits)
            }
            PartKind::Number(kind) => {
                self.decider.inputs().leaf_symbol(&part.name, part.bits, symbol_kind(kind))
            }
        }
    }

    /// Puts expressions into an object.
    fn put_leaves(&mut self, state: &mut State, slot: Slot, before: &[Byte], leaves: &[Leaf]) {
        let Some(object) = state.memory.object(slot).cloned() else { return };
        if object.array_contents().is_some() {
            // It is no array any more: every byte is known by itself.
            let mut plain = self.decider.uninitialised_object(object.info.clone(), object.size);
            plain.symbolic_size = object.symbolic_size;
            for (offset, &byte) in before.iter().enumerate() {
                plain.write_byte(&mut self.decider.exprs, offset as u64, byte);
            }
            if let Some(object) = state.memory.object_mut(slot) {
                *object = plain;
            }
        }
        let Some(object) = state.memory.object_mut(slot) else { return };
        for leaf in leaves {
            for byte in 0..leaf.bytes {
                let part = match self.decider.exprs.as_constant(leaf.expr) {
                    Some(bits) => Byte::Concrete((bits >> (8 * byte)) as u8),
                    None => Byte::Part { expr: leaf.expr, byte: byte as u8 },
                };
                object.write_byte(&mut self.decider.exprs, leaf.offset + u64::from(byte), part);
            }
        }
    }
}

impl Describer<'_> {
    /// What calls wrote, as inputs: that is what it is for the program.
    pub(crate) fn outside_inputs(&mut self, state: &State, model: &Model) -> Vec<Input> {
        let mut inputs = Vec::new();
        let calls: Vec<_> = state.calls.to_vec().into_iter().map(|call| call.wrote.clone()).collect();
        for wrote in calls.iter().flat_map(|all| all.iter()) {
            if self.inputs.solver.evaluate(self.inputs.exprs, wrote.when, model) == 0 {
                continue;
            }
            let mut bytes = vec![0u8; wrote.size as usize];
            let mut pointers = Vec::new();
            for leaf in &wrote.leaves {
                let bits = self.inputs.solver.evaluate(self.inputs.exprs, leaf.expr, model);
                for byte in 0..leaf.bytes {
                    if let Some(target) = bytes.get_mut(leaf.offset as usize + byte as usize) {
                        *target = (bits >> (8 * byte)) as u8;
                    }
                }
                if wrote.pointers.contains(&leaf.offset) {
                    let target = (bits != 0).then(|| target_of(self.inputs.program, state, bits as u64));
                    pointers.push(PointerAt { offset: leaf.offset, target });
                }
            }
            let (function, call, way) = (wrote.function.clone(), wrote.call, wrote.way.clone());
            let origin = InputOrigin::Written { function, call, way };
            let value = wrote.shape.value(&bytes, &|address| name_of(self.inputs.program, state, address));
            inputs.push(Input { name: wrote.name.clone(), origin, bytes, pointers, value });
        }
        inputs
    }
}

/// The parts of an object that are whole bytes, and the bytes of those that are not. Padding is left alone.
fn whole_parts(name: &str, shape: &Shape, size: u64) -> Vec<ShapePart> {
    let byte = |offset: u64| ShapePart {
        name: format!("{name}[{offset}]"),
        offset_bits: offset * 8,
        bits: 8,
        kind: PartKind::Number(ScalarKind::Unsigned),
    };
    if shape.is_large() {
        return (0..size).map(byte).collect();
    }
    let mut found: Vec<ShapePart> = Vec::new();
    let mut end = 0;
    for part in parts_of(name, shape) {
        let bytes = part.bytes();
        if bytes.end as u64 > size {
            continue;
        }
        if part.offset_bits.is_multiple_of(8) && part.bits.is_multiple_of(8) {
            end = bytes.end;
            found.push(part);
            continue;
        }
        // Bit-fields share bytes.
        for offset in bytes.start.max(end)..bytes.end {
            found.push(byte(offset as u64));
        }
        end = end.max(bytes.end);
    }
    found
}
