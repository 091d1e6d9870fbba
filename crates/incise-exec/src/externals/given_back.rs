//! Whether what outsiders give a pointer to is an object that they know already: a function may return the same buffer
//! each time, what it was given, a part of that, or a variable that it can name.
//!
//! At first what they give is taken to be new. That is no loss as long as the program only reads: both hold any values.
//! Where it writes to one of two objects that may be one and the same, the pair is noted among what was taken apart, as
//! pointers are that were compared; then the pointer is made to lead to either. Objects are called by the ways to them,
//! so that both programs speak of the same.
//!
//! Not looked at: that a pointer leads into the middle of data that has another type there.

use super::reach::{Sight, bases, shape_of};
use crate::decisions::decider::Decider;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::{AddressTarget, Memory, ObjectKind, Slot};
use incise_ir::Program;
use incise_solver::{BinaryOp, CompareOp, ExprId, Exprs, SymbolKind};
use std::rc::Rc;

/// So many places of one object are looked at.
const MOST_PLACES: usize = 8;
/// So many pairs of objects are told apart on a path.
const MOST_APART: usize = 256;

/// An object that outsiders know when they are called, and what it is called.
#[derive(Clone)]
pub(crate) struct KnownBefore {
    slot: Slot,
    words: String,
}

/// Two objects that were taken not to be one: a pointer that outsiders gave, and what it might have been.
#[derive(Clone)]
pub(crate) struct TakenApart {
    slots: [Slot; 2],
    pair: (String, String),
}

/// A place in an object, or several at the same distance.
struct Room {
    offset: u64,
    stride: u64,
    count: u64,
}

/// What a call can give back.
pub(super) fn known_before(sight: &Sight) -> Rc<[KnownBefore]> {
    let reached = sight.reached.iter().filter(|reached| {
        let object = sight.memory.object(reached.slot);
        object.is_some_and(|object| !object.info.read_only && object.size > 0)
    });
    reached.map(|reached| KnownBefore { slot: reached.slot, words: words(&reached.way) }).collect()
}

/// Words that say that a function makes what it returns a pointer to.
const MAKERS: [&str; 6] = ["new", "create", "dup", "strdup", "clone", "make"];

/// Whether the name of a function says that it makes what it returns a pointer to: `xmalloc`, `node_new`.
pub fn is_maker(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("alloc") || name.split('_').any(|word| MAKERS.contains(&word) || word.ends_with("strdup"))
}

/// The objects from a slot on that a value leads to, with the ways there.
pub(super) fn objects_of(
    exprs: &Exprs,
    state: &State,
    value: &Value,
    first: Slot,
    way: &str,
) -> Vec<(Slot, String)> {
    let slot = |address| match state.memory.target(address) {
        AddressTarget::Live(slot, ..) if slot >= first => Some((slot, way.to_owned())),
        _ => None,
    };
    match value {
        Value::Word(address) => slot(*address).into_iter().collect(),
        Value::Symbolic(expr) => bases(exprs, *expr).into_iter().filter_map(slot).collect(),
        Value::Aggregate(elements) => {
            let each = elements.iter().enumerate();
            let of = |(at, element)| objects_of(exprs, state, element, first, &format!("{way}.{at}"));
            each.flat_map(of).collect()
        }
        Value::Wide(_) | Value::Undefined => Vec::new(),
    }
}

/// A way to an object, for people.
fn words(way: &str) -> String {
    if let Some(global) = way.strip_prefix('@') {
        return format!("the variable {global}");
    }
    let (when, what) = match way.strip_prefix('#').and_then(|way| way.split_once(':')) {
        Some((number, what)) => (format!(" of call {number}"), what),
        None => (String::new(), way),
    };
    match (what.strip_prefix("arg"), what.strip_prefix(super::RESULT)) {
        (Some(argument), _) => format!("argument {argument}{when}"),
        (_, Some(rest)) => format!("the result{rest}{when}"),
        _ => format!("{what}{when}"),
    }
}

impl Decider<'_> {
    /// Notes the objects that outsiders gave from a slot on, and those that each might be instead.
    pub(super) fn take_apart(&mut self, state: &mut State, first: Slot, known: &[KnownBefore]) {
        let mut apart = Vec::new();
        for slot in first..state.memory.slots() {
            let Some((path, element)) = given(self.program, state, slot) else { continue };
            for other in known {
                let pair = (path.clone(), other.words.clone());
                let looked_at = self.config.inputs.sizes.is_given_back(&path, &other.words);
                if !looked_at && !self.rooms(state, other.slot, &element).is_empty() {
                    apart.push(TakenApart { slots: [slot, other.slot], pair });
                }
            }
        }
        if apart.is_empty() {
            return;
        }
        state.memory.note_writes();
        let room = MOST_APART.saturating_sub(state.outside.apart.len());
        apart.truncate(room);
        state.outside.apart = state.outside.apart.iter().cloned().chain(apart).collect();
    }

    /// The program writes to an object: whether it is another one matters now.
    pub(crate) fn written_apart(&mut self, state: &State, slot: Slot) {
        let needs = &mut self.sink.needs.given_back;
        for apart in state.outside.apart.iter().filter(|apart| apart.slots.contains(&slot)) {
            if !needs.contains(&apart.pair) {
                needs.insert(apart.pair.clone());
            }
        }
        // There may be more than were told apart.
        if state.outside.apart.len() >= MOST_APART {
            needs.insert(("what functions without a body gave".to_owned(), "what they knew".to_owned()));
        }
    }

    /// Where in an object something of that shape lies.
    fn rooms(&self, state: &State, slot: Slot, element: &Shape) -> Vec<Room> {
        let Some(object) = state.memory.object(slot) else { return Vec::new() };
        let mut found = Vec::new();
        rooms_in(&shape_of(self.program, state, object), element, 0, &mut found);
        found
    }
}

impl InputMaker<'_> {
    /// The address of an object that outsiders know instead of a pointer's own, where a symbol says so.
    pub(crate) fn may_be_given_back(&mut self, state: &State, path: &str, own: ExprId) -> ExprId {
        let known = self.made.known_before.clone();
        let mut address = own;
        for KnownBefore { slot, words } in known.iter() {
            if !self.config.inputs.sizes.is_given_back(path, words) {
                continue;
            }
            let own_slot = self.made.pointees.get(path).copied();
            let Some((_, element)) = own_slot.and_then(|slot| given(self.program, state, slot)) else {
                continue;
            };
            let Some(object) = state.memory.object(*slot).cloned() else { continue };
            let mut found = Vec::new();
            rooms_in(&shape_of(self.program, state, &object), &element, 0, &mut found);
            for (number, room) in found.iter().enumerate() {
                let name = match number {
                    0 => format!("{path} is {words}"),
                    _ => format!("{path} is {words}, part {number}"),
                };
                let mut is = self.leaf_symbol(&name, 1, SymbolKind::Bool);
                let mut offset = self.exprs.constant(u128::from(room.offset), 64);
                if room.count > 1 {
                    let index = self.leaf_symbol(&format!("{name}, at"), 64, SymbolKind::Unsigned);
                    let count = self.exprs.constant(u128::from(room.count), 64);
                    let inside = self.exprs.compare(CompareOp::Ult, index, count);
                    let stride = self.exprs.constant(u128::from(room.stride), 64);
                    let moved = self.exprs.binary(BinaryOp::Mul, index, stride);
                    offset = self.exprs.binary(BinaryOp::Add, offset, moved);
                    is = self.exprs.and(is, inside);
                }
                if let Some(size) = object.symbolic_size {
                    let inside = self.exprs.compare(CompareOp::Ult, offset, size);
                    is = self.exprs.and(is, inside);
                }
                let base = self.exprs.base(Memory::address(*slot));
                let theirs = self.exprs.binary(BinaryOp::Add, base, offset);
                address = self.exprs.ite(is, theirs, address);
            }
        }
        address
    }
}

/// The pointer that leads to an input object, and the shape of what it points to, if that can be written through it.
fn given(program: &Program, state: &State, slot: Slot) -> Option<(String, Shape)> {
    let object = state.memory.object(slot)?;
    if object.info.kind != ObjectKind::Input {
        return None;
    }
    // Nobody writes through a pointer to a type that is not complete.
    let is_hidden = |ty| Shape::of_debug_type(program, ty).is_none_or(|shape| shape.size() == 0);
    if object.info.debug_type.is_some_and(is_hidden) {
        return None;
    }
    let path = object.info.name.strip_prefix('*')?.to_owned();
    let input = state.inputs.iter_newest_first().find(|input| input.slot == Some(slot))?;
    let element = match &input.shape {
        Shape::Array { element, .. } => (**element).clone(),
        whole => whole.clone(),
    };
    Some((path, element))
}

/// Where in data something of another shape lies. Shapes nest only as deep as types may.
fn rooms_in(shape: &Shape, like: &Shape, offset: u64, found: &mut Vec<Room>) {
    if found.len() >= MOST_PLACES {
        return;
    }
    if is_alike(shape, like) {
        return found.push(Room { offset, stride: 0, count: 1 });
    }
    match shape {
        Shape::Array { element, count } if is_alike(element, like) => {
            found.push(Room { offset, stride: element.size(), count: *count });
        }
        Shape::Array { element, count } => {
            for index in 0..(*count).min(MOST_PLACES as u64) {
                rooms_in(element, like, offset + index * element.size(), found);
            }
        }
        Shape::Struct { members, .. } => {
            for member in members.iter().filter(|member| !member.bit_field) {
                rooms_in(&member.shape, like, offset + member.offset_bits / 8, found);
            }
        }
        Shape::Bytes(size) if *size >= like.size() => {
            let stride = like.size().max(1);
            found.push(Room { offset, stride, count: size / stride });
        }
        _ => {}
    }
}

/// Whether a pointer to the one may be one to the other.
fn is_alike(one: &Shape, other: &Shape) -> bool {
    match (one, other) {
        (Shape::Scalar { bits, kind }, Shape::Scalar { bits: others, kind: as_other }) => {
            let float = |kind: &ScalarKind| matches!(kind, ScalarKind::Float(_));
            bits == others && float(kind) == float(as_other)
        }
        (Shape::Pointer { .. }, Shape::Pointer { .. }) => true,
        (Shape::Struct { bytes, members, .. }, Shape::Struct { bytes: size, members: others, .. }) => {
            let names = members.iter().map(|member| &member.name);
            bytes == size && names.eq(others.iter().map(|member| &member.name))
        }
        _ => false,
    }
}
