//! What a path leaves on the heap: objects that it allocated, behind its result, and behind pointers in variables and
//! input objects. Each is known by the first way to it, so that it can be looked for natively.
//!
//! Not covered: whether two ways lead to one object, and objects beyond the limits below.

use crate::engine::state::State;
use crate::exploration::describe::Describer;
use crate::inputs::parts::{PartKind, fitted, parts};
use crate::inputs::shape::Shape;
use crate::memory::{AddressTarget, ObjectKind};
use crate::result::{FinalValue, InputOrigin};
use incise_ir::{DebugTypeId, Program};
use incise_solver::Model;
use std::collections::{BTreeSet, VecDeque};

/// So many objects are told.
const MOST_OBJECTS: usize = 64;
/// An object of more bytes is not.
const MOST_BYTES: u64 = 4096;

/// Something in which pointers may lie: its name (empty for the result), its shape, and what is in it.
pub(super) struct Holder {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) bytes: Vec<u8>,
}

/// A pointer in a holder: what it is called, the bytes before it, what it points to, and the address.
struct HeldPointer {
    name: String,
    offset: u64,
    target: Option<DebugTypeId>,
    address: u64,
}

impl HeldPointer {
    /// What the object is called. The one that an input pointed to before may have the plain name.
    fn target_name(&self, taken: &BTreeSet<String>) -> String {
        let name = format!("*{}", self.name);
        if taken.contains(&name) { format!("*({})", self.name) } else { name }
    }

    /// The shape of an object of so many bytes. What lies before a pointer into the middle is nobody's type.
    fn target_shape(&self, program: &Program, addend: u64, bytes: u64) -> Shape {
        let element = self.target.filter(|_| addend == 0).and_then(|ty| Shape::of_debug_type(program, ty));
        element.map_or(Shape::Bytes(bytes), |element| fitted(element, bytes))
    }
}

impl Holder {
    pub(super) fn has_pointers(&self) -> bool {
        !self.shape.pointers(&self.bytes).is_empty()
    }

    fn pointers(&self) -> Vec<HeldPointer> {
        let shape = self.shape.cut_to(self.bytes.len() as u64);
        let pointer = |part: crate::inputs::parts::ShapePart| {
            let PartKind::Pointer { target, function: false } = part.kind else { return None };
            let offset = part.offset_bits / 8;
            let word = self.bytes.get(offset as usize..)?.first_chunk::<8>()?;
            let name = if part.name.is_empty() { "result".to_owned() } else { part.name };
            Some(HeldPointer { name, offset, target, address: u64::from_le_bytes(*word) })
        };
        parts(&self.name, &shape).into_iter().filter_map(pointer).collect()
    }
}

impl Describer<'_> {
    /// Adds the objects on the heap that pointers in `holders` lead to, those nearest first.
    pub(super) fn final_heap(
        &mut self,
        state: &State,
        model: &Model,
        holders: Vec<Holder>,
        finals: &mut Vec<FinalValue>,
    ) {
        let mut names: BTreeSet<String> = finals.iter().map(|each| each.name.clone()).collect();
        let mut known = BTreeSet::new();
        let mut left = VecDeque::from(holders);
        while let Some(holder) = left.pop_front() {
            for pointer in holder.pointers() {
                let AddressTarget::Live(slot, object, addend) = state.memory.target(pointer.address) else {
                    continue;
                };
                let (heap, Ok(addend)) = (object.info.kind == ObjectKind::Heap, u64::try_from(addend)) else {
                    continue;
                };
                // What the C library keeps in a stream is its own matter.
                let stream = self.inputs.is_stream(pointer.target);
                if !heap
                    || stream
                    || object.size > MOST_BYTES
                    || known.len() >= MOST_OBJECTS
                    || !known.insert(slot)
                {
                    continue;
                }
                let object = object.clone();
                let name = pointer.target_name(&names);
                names.insert(name.clone());
                let there = self.bytes_there(&object, model);
                let shape = pointer.target_shape(self.inputs.program, addend, there);
                let within = holder.name.clone();
                let origin = InputOrigin::Heap { within, offset: pointer.offset, addend };
                let mut value = self.final_value(state, (name.clone(), origin), &shape, &object, model);
                cut_unknown(&mut value);
                if value.bytes.is_empty() {
                    continue;
                }
                left.push_back(Holder { name, shape, bytes: value.bytes.clone() });
                finals.push(value);
            }
        }
    }
}

/// The last bytes that nothing is known of: the C library may have allocated fewer than its model.
fn cut_unknown(value: &mut FinalValue) {
    let known = value.comparable.iter().rposition(|&known| known).map_or(0, |last| last + 1);
    let pointer = value.pointers.iter().map(|pointer| pointer.offset as usize + 8).max().unwrap_or(0);
    let size = known.max(pointer).min(value.bytes.len());
    value.bytes.truncate(size);
    value.comparable.truncate(size);
}
