//! Inputs: symbolic data with the names and types of the source, and the objects that pointer inputs point to.

use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use crate::engine::value::Value;
use crate::exploration::finish::{LARGEST_TEST, filled};
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::symbol_types::converted;
use crate::inputs::taken::Made;
use crate::memory::extent::Assumed;
use crate::memory::{Byte, Memory, Object, ObjectInfo, ObjectKind, Slot};
use crate::result::InputOrigin;
use incise_ir::DebugTypeId;
use incise_solver::{ExprId, Model, SymbolKind};
use std::rc::Rc;

/// What the names of padding have in them, and no other name.
pub(crate) const PADDING: &str = "<padding ";

/// A data structure has no more parts than this.
const MOST_OBJECTS: usize = 400;

/// An input on a path.
#[derive(Clone)]
pub struct InputObject {
    /// As in the source.
    pub name: String,
    /// Where it comes from.
    pub origin: InputOrigin,
    /// How its bytes are read.
    pub shape: Shape,
    /// How many bytes were made.
    pub size: u64,
    /// The expressions that its bytes are made of, in order of their offsets.
    pub leaves: Vec<Leaf>,
    /// The object that holds it, if it lives in memory.
    pub slot: Option<Slot>,
    /// The number of its elements, if that is an input as well.
    pub count: Option<Counted>,
    /// What leads to these elements: a pointer, or a flexible array member.
    pub(crate) counted_name: Option<String>,
}

/// The elements of an input object of which there may be any number.
#[derive(Copy, Clone)]
pub struct Counted {
    /// How many there are.
    pub count: ExprId,
    /// The bytes before them.
    pub(crate) header: u64,
    /// The bytes of each.
    pub(crate) element: u64,
    /// Whether something tells how many there are.
    pub(crate) told: bool,
}

impl Counted {
    /// How many elements so many bytes are.
    pub fn elements_in(&self, bytes: usize) -> u64 {
        (bytes as u64).saturating_sub(self.header) / self.element.max(1)
    }
}

/// A scalar of an input.
#[derive(Copy, Clone)]
pub struct Leaf {
    /// Where it lies.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u32,
    /// Its value.
    pub expr: ExprId,
}

impl InputObject {
    /// An input of so many bytes.
    pub(crate) fn plain(
        name: String,
        origin: InputOrigin,
        shape: Shape,
        size: u64,
        leaves: Vec<Leaf>,
        slot: Option<Slot>,
    ) -> Self {
        Self { name, origin, shape, size, leaves, slot, count: None, counted_name: None }
    }

    /// A scalar input of a known shape.
    pub(crate) fn scalar_of_shape(
        maker: &mut InputMaker<'_>,
        name: String,
        origin: InputOrigin,
        width: u32,
        shape: Shape,
    ) -> (Self, Value) {
        let kind = match &shape {
            Shape::Scalar { kind, .. } => symbol_kind(kind),
            _ => SymbolKind::Signed,
        };
        let expr = maker.leaf_symbol(&path_root(&name), width, kind);
        let bytes = width.div_ceil(8);
        let whole = maker.exprs.zext(expr, bytes * 8);
        let leaves = vec![Leaf { offset: 0, bytes, expr: whole }];
        let size = shape.size().max(u64::from(bytes));
        let object = Self::plain(name, origin, shape, size, leaves, None);
        (object, Value::from_expr(maker.exprs, expr))
    }
}

/// A name that no input of this path has yet: with a number behind if need be, as KLEE does it.
///
/// Symbols are told apart by their names alone, so that two inputs of one name would be one and the same.
pub(crate) fn unique_name(state: &State, name: &str) -> String {
    // Of another thread than the first, so that it does not depend on which was faster.
    let of_thread = match state.thread.id {
        ThreadId::FIRST => None,
        ThreadId(number) => Some(format!("{name}@{number}")),
    };
    let name = of_thread.as_deref().unwrap_or(name);
    let taken = |candidate: &str| state.inputs.iter_newest_first().any(|input| input.name == candidate);
    if !taken(name) {
        return name.to_string();
    }
    // The number of inputs that begin with the name is close to the number that is free, which matters in loops.
    let begins = |input: &InputObject| input.name.starts_with(name);
    let mut number = state.inputs.iter_newest_first().filter(|input| begins(input)).count();
    while taken(&format!("{name}_{number}")) {
        number += 1;
    }
    format!("{name}_{number}")
}

/// How the names of an input's parts begin. A name that is no plain identifier is quoted: `a[0]` as a name must not
/// meet element 0 of `a`.
pub(crate) fn path_root(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '#' | '$' | ':' | ' ');
    if name.chars().all(plain) { name.to_string() } else { format!("{name:?}") }
}

/// How the solver prints a symbol.
pub(crate) fn symbol_kind(kind: &ScalarKind) -> SymbolKind {
    match kind {
        ScalarKind::Signed => SymbolKind::Signed,
        ScalarKind::Enumeration { signed, .. } if *signed => SymbolKind::Signed,
        ScalarKind::Unsigned | ScalarKind::Enumeration { .. } => SymbolKind::Unsigned,
        ScalarKind::Character => SymbolKind::Char,
        ScalarKind::Boolean => SymbolKind::Bool,
        ScalarKind::Float(kind) => SymbolKind::Float(crate::engine::code::float_format(*kind)),
    }
}

/// Fills an input's bytes with symbols, walking its shape.
pub(super) struct Filler<'m, 'a, 's> {
    pub(super) maker: &'m mut InputMaker<'a>,
    state: &'s mut State,
    pub(super) leaves: Vec<Leaf>,
    /// The bytes that have a leaf.
    covered: Vec<bool>,
    /// How many pointers led here.
    depth: u32,
    /// Addresses that function pointers keep, by offset.
    initial: Option<Rc<Object>>,
    /// The part that a pointer leads to which has its own name, and the pointer.
    member: Option<(String, String)>,
}

impl InputMaker<'_> {
    /// A symbol, or the constant that `--concrete` gives it.
    pub(crate) fn leaf_symbol(&mut self, name: &str, width: u32, kind: SymbolKind) -> ExprId {
        if let Some((_, value)) = self.config.inputs.concrete.iter().find(|(known, _)| known == name) {
            return self.exprs.constant(*value as u128, width);
        }
        let own = (width, kind);
        let (width, kind) = self.config.inputs.symbol_types.of_input(name).unwrap_or(own);
        let mut expr = self.exprs.symbol(name, width, kind);
        if let (Some(tracing), Some(symbol)) = (self.tracing.as_deref_mut(), self.exprs.as_symbol(expr)) {
            tracing.made(name, symbol, width, kind);
            if tracing.concrete {
                let value = tracing.value_of(symbol);
                expr = self.exprs.constant(value, width);
            }
        }
        if own == (width, kind) { expr } else { converted(self.exprs, expr, (width, kind), own) }
    }

    /// The number of elements that `--array` gives a pointer or array.
    pub(crate) fn array_length(&self, name: &str) -> Option<u64> {
        self.config.inputs.arrays.iter().find(|(known, _)| known == name).map(|(_, count)| *count)
    }

    /// Makes a part of an object symbolic and records it as an input.
    pub(crate) fn make_symbolic(&mut self, state: &mut State, new: NewInput<'_>) {
        self.make_counted(state, new, None);
    }

    /// The same, with a number of elements that is an input.
    pub(crate) fn make_counted(
        &mut self,
        state: &mut State,
        new: NewInput<'_>,
        counted: Option<(Counted, String)>,
    ) {
        let NewInput { name, path, origin, shape, place: (slot, offset, size), depth } = new;
        let initial = state.memory.object(slot).cloned();
        let member = self.made.member.take();
        let mut filler = Filler {
            member,
            maker: self,
            state,
            leaves: Vec::new(),
            covered: vec![false; size as usize],
            depth,
            initial: initial.clone(),
        };
        // The record comes before those of what its pointers lead to.
        let place = filler.state.inputs.len();
        if shape.is_large() {
            filler.bytes(path, 0, size);
        } else {
            filler.fill(path, &shape, 0);
        }
        filler.padding(path);
        let mut leaves = std::mem::take(&mut filler.leaves);
        leaves.sort_by_key(|leaf| leaf.offset);
        if let Some(object) = &initial {
            self.locks_begin_free(object, offset, &mut leaves);
        }
        for leaf in &leaves {
            let object = state.memory.object_mut(slot);
            if let Some(object) = object {
                for byte in 0..leaf.bytes {
                    let at = offset + leaf.offset + u64::from(byte);
                    let part = match self.exprs.as_constant(leaf.expr) {
                        Some(bits) => Byte::Concrete((bits >> (8 * byte)) as u8),
                        None => Byte::Part { expr: leaf.expr, byte: byte as u8 },
                    };
                    object.write_byte(self.exprs, at, part);
                }
                object.written = false;
            }
        }
        let mut input = InputObject::plain(name, origin, shape, size, leaves, Some(slot));
        if let Some((counted, name)) = counted {
            (input.count, input.counted_name) = (Some(counted), Some(name));
        }
        let input = Rc::new(input);
        self.give(state, &input, initial.as_deref());
        insert_at(&mut state.inputs, place, input);
    }

    /// A pointer input: null or the address of a fresh symbolic object, which is recorded as an input too. `path` is
    /// its C expression.
    pub(crate) fn pointer_input(
        &mut self,
        state: &mut State,
        path: &str,
        target: Option<DebugTypeId>,
        function: bool,
        depth: u32,
    ) -> ExprId {
        if function {
            let address = self.callback_input(state, path, target);
            if self.is_never_null(path) {
                return address;
            }
            let present = self.leaf_symbol(path, 1, SymbolKind::Pointer);
            let null = self.exprs.constant(0, 64);
            return self.exprs.ite(present, address, null);
        }
        if let Some(end) = self.end_pointer(state, path) {
            return end;
        }
        let shallow = depth < self.config.inputs.pointer_depth || self.config.inputs.sizes.is_opened(path);
        let no_stream = self.is_unmade_stream(target);
        let address = if !shallow || no_stream || state.inputs.len() > MOST_OBJECTS {
            let info = ObjectInfo {
                kind: ObjectKind::BeyondDepth,
                name: if no_stream { format!("the stream {path}") } else { format!("*{path}") },
                ty: None,
                debug_type: None,
                read_only: false,
                private: false,
            };
            let object = self.zeroed_object(Rc::new(info), 1);
            let slot = state.memory.add(object);
            self.exprs.base(Memory::address(slot))
        } else {
            match self.stream_input(state, path, target, depth) {
                Some(stream) => stream,
                None => self.pointee(state, path, target, depth),
            }
        };
        let address = self.may_be_same(state, path, address);
        if self.is_never_null(path) {
            return address;
        }
        let present = self.leaf_symbol(path, 1, SymbolKind::Pointer);
        let null = self.exprs.constant(0, 64);
        self.exprs.ite(present, address, null)
    }

    /// The address of the fresh object that a pointer input points to.
    fn pointee(&mut self, state: &mut State, path: &str, target: Option<DebugTypeId>, depth: u32) -> ExprId {
        if let Some(address) = self.member_address(state, path, depth) {
            return address;
        }
        let element = target
            .and_then(|target| Shape::of_debug_type(self.program, target))
            .filter(|shape| shape.size() > 0)
            .unwrap_or(Shape::Scalar { bits: 8, kind: ScalarKind::Unsigned });
        let pointed = Pointed { input: path, path: path.to_owned(), target, offset: 0, member: None };
        self.object_behind(state, pointed, element, depth)
    }

    /// Makes the object that a pointer input leads to, and gives the address in it that the pointer has.
    pub(crate) fn object_behind(
        &mut self,
        state: &mut State,
        pointed: Pointed<'_>,
        element: Shape,
        depth: u32,
    ) -> ExprId {
        let Pointed { input, path, target, offset, member } = pointed;
        let stride = element.size();
        let Made { shape, before, assumed, count } = self.made(input, &path, element);
        let size = shape.size();
        let name = format!("*{path}");
        let info = ObjectInfo {
            kind: ObjectKind::Input,
            name: name.clone(),
            ty: None,
            debug_type: target,
            read_only: false,
            private: false,
        };
        let mut object = self.zeroed_object(Rc::new(info), size);
        let mut counted = None;
        if let Some(assumed) = assumed {
            if let Some(count) = count {
                object.symbolic_size = Some(self.size_of_count(&assumed, count));
                let Assumed { header, element, ref input, .. } = assumed;
                let told = self.tells_size(input) && !self.is_only_compared(input);
                counted = Some((Counted { count, header, element, told }, input.clone()));
            }
            object.assumed = Some(Rc::new(assumed));
        }
        // A number of elements that is given is one that lengths have to fit.
        if let (None, None, Shape::Array { count, .. }) = (&counted, &object.assumed, &shape) {
            let count = self.exprs.constant(u128::from(*count), 64);
            counted = Some((Counted { count, header: 0, element: stride, told: true }, input.to_owned()));
        }
        let slot = state.memory.add(object);
        let address = self.exprs.base(Memory::address(slot));
        let address = self.moved(address, before * stride + offset);
        self.made.pointees.insert(input.to_owned(), slot);
        self.made.addresses.insert(input.to_owned(), address);
        // `*p` of a scalar, `p->x` of a struct, `p[i]` of an array.
        let root = match &shape {
            Shape::Scalar { .. } | Shape::Pointer { .. } | Shape::Bytes(_) => format!("*{path}"),
            Shape::Struct { .. } => format!("{path}->"),
            Shape::Array { .. } => path.clone(),
        };
        let origin = InputOrigin::Pointee { pointer: path.clone() };
        self.made.first_index = before;
        // Of several structs it is a member of the first.
        let member = member.map(|member| match &shape {
            Shape::Array { .. } => member.replacen(&format!("{path}->"), &format!("{path}[0]."), 1),
            _ => member,
        });
        self.made.member = member.map(|member| (member, input.to_owned()));
        let place = (slot, 0, size);
        let new = NewInput { name, path: &root, origin, shape, place, depth: depth + 1 };
        self.make_counted(state, new, counted);
        address
    }
}

/// An input that is to be made of a part of an object.
pub(crate) struct NewInput<'a> {
    pub(crate) name: String,
    /// The C expression that its leaves are named by.
    pub(crate) path: &'a str,
    pub(crate) origin: InputOrigin,
    pub(crate) shape: Shape,
    /// The object, where the part begins in it, and how large it is.
    pub(crate) place: (Slot, u64, u64),
    /// How many pointers led to it.
    pub(crate) depth: u32,
}

/// What a pointer input leads to.
pub(crate) struct Pointed<'a> {
    /// The pointer.
    pub(crate) input: &'a str,
    /// The pointer to the object: the same, unless it leads into a larger one.
    pub(crate) path: String,
    /// The type of the object.
    pub(crate) target: Option<DebugTypeId>,
    /// The bytes from its start to where the pointer leads.
    pub(crate) offset: u64,
    /// The member that the pointer leads to, if it leads into a larger object.
    pub(crate) member: Option<String>,
}

impl InputMaker<'_> {
    /// The bytes of an input for these values.
    pub(crate) fn bytes_of_input(&mut self, object: &InputObject, model: &Model) -> Vec<u8> {
        let there = self.input_bytes(object, model);
        let mut bytes = filled(there as usize, 0u8);
        for leaf in &object.leaves {
            let bits = self.solver.evaluate(self.exprs, leaf.expr, model);
            for byte in 0..leaf.bytes {
                if let Some(target) = bytes.get_mut(leaf.offset as usize + byte as usize) {
                    *target = (bits >> (8 * byte)) as u8;
                }
            }
        }
        bytes
    }

    /// How many bytes of an input are there for these values.
    pub(crate) fn input_bytes(&mut self, input: &InputObject, model: &Model) -> u64 {
        let Some(counted) = input.count else { return input.size };
        let count = self.solver.evaluate(self.exprs, counted.count, model) as u64;
        // What was not made is not looked at. A test that is read again tells all the same that it is there.
        let most = if self.config.distinct_inputs { input.size.max(LARGEST_TEST) } else { input.size };
        counted.header.saturating_add(count.saturating_mul(counted.element)).min(most)
    }
}

impl Filler<'_, '_, '_> {
    fn fill(&mut self, path: &str, shape: &Shape, offset: u64) {
        if let Some((_, pointer)) = self.member.take_if(|(member, _)| member == path) {
            let name = match shape {
                Shape::Scalar { .. } | Shape::Pointer { .. } | Shape::Bytes(_) => format!("*{pointer}"),
                Shape::Struct { .. } => format!("{pointer}->"),
                Shape::Array { .. } => pointer,
            };
            return self.fill(&name, shape, offset);
        }
        match shape {
            Shape::Scalar { bits, kind } => {
                let expr = match kind {
                    // A _Bool holds zero or one.
                    ScalarKind::Boolean => {
                        let bit = self.maker.leaf_symbol(path, 1, SymbolKind::Bool);
                        self.maker.exprs.zext(bit, *bits)
                    }
                    kind => self.maker.leaf_symbol(path, *bits, symbol_kind(kind)),
                };
                self.leaf(offset, bits.div_ceil(8), expr);
            }
            Shape::Pointer { .. } if self.is_number(offset) => self.bytes(path, offset, 8),
            Shape::Pointer { target, function } => {
                if *function && let Some(kept) = self.initial_word(offset) {
                    let expr = self.maker.exprs.constant(u128::from(kept), 64);
                    return self.leaf(offset, 8, expr);
                }
                let expr = self.maker.pointer_input(self.state, path, *target, *function, self.depth);
                self.leaf(offset, 8, expr);
            }
            Shape::Struct { members, other: None, .. } => self.members(path, members, offset),
            Shape::Struct { members, other: Some(other), .. } => self.union(path, members, other, offset),
            Shape::Array { element, count } => {
                // Elements before the one that a pointer points to have negative numbers.
                let before = std::mem::take(&mut self.maker.made.first_index) as i64;
                for index in 0..*count {
                    let name = format!("{path}[{}]", index as i64 - before);
                    self.fill(&name, element, offset + index * element.size());
                }
            }
            Shape::Bytes(count) => self.bytes(path, offset, *count),
        }
    }

    /// Whether there is no pointer before the element of a pointer although there is one in the element.
    fn is_number(&self, offset: u64) -> bool {
        let assumed = self.initial.as_ref().and_then(|object| object.assumed.as_ref());
        assumed.is_some_and(|assumed| assumed.before.is_number(offset))
    }

    /// A function pointer of a global keeps its initial value, if it has one.
    fn initial_word(&self, offset: u64) -> Option<u64> {
        self.initial.as_ref()?.read_word(offset, 8).filter(|&word| word != 0)
    }

    pub(super) fn members(&mut self, path: &str, members: &[crate::inputs::shape::Member], offset: u64) {
        let mut fields = Vec::new();
        for member in members {
            let name = match (member.name.is_empty(), path.ends_with("->")) {
                (true, _) => path.to_string(),
                (false, true) => format!("{path}{}", member.name),
                (false, false) => format!("{path}.{}", member.name),
            };
            if member.bit_field {
                fields.push((name, member));
            } else {
                self.fill(&name, &member.shape, offset + member.offset_bits / 8);
            }
        }
        self.bit_fields(&fields, offset);
    }

    /// Bit-fields share bytes: each run of them becomes one expression, from the lowest bit up.
    fn bit_fields(&mut self, fields: &[(String, &crate::inputs::shape::Member)], offset: u64) {
        let mut index = 0;
        while index < fields.len() {
            let start = fields[index].1.offset_bits / 8 * 8;
            let mut end = start;
            let mut run: Option<ExprId> = None;
            // A run ends at a byte boundary, or at the width of an expression.
            while let Some((name, member)) = fields.get(index) {
                if member.offset_bits > end && member.offset_bits / 8 * 8 > end.next_multiple_of(8) {
                    break;
                }
                if member.offset_bits + member.bits - start > 120 {
                    break;
                }
                if member.offset_bits > end {
                    run = Some(self.append_zeros(run, member.offset_bits - end));
                }
                let kind = match &member.shape {
                    Shape::Scalar { kind, .. } => symbol_kind(kind),
                    _ => SymbolKind::Unsigned,
                };
                let field = self.maker.leaf_symbol(name, member.bits as u32, kind);
                run = Some(match run {
                    None => field,
                    Some(low) => self.maker.exprs.concat(field, low),
                });
                end = member.offset_bits + member.bits;
                index += 1;
                if end.is_multiple_of(8) {
                    break;
                }
            }
            let Some(mut expr) = run else { break };
            if !end.is_multiple_of(8) {
                expr = self.append_zeros(Some(expr), 8 - end % 8);
                end = end.next_multiple_of(8);
            }
            self.leaf(offset + start / 8, ((end - start) / 8) as u32, expr);
        }
    }

    fn append_zeros(&mut self, low: Option<ExprId>, bits: u64) -> ExprId {
        let zeros = self.maker.exprs.constant(0, bits as u32);
        match low {
            None => zeros,
            Some(low) => self.maker.exprs.concat(zeros, low),
        }
    }

    fn leaf(&mut self, offset: u64, bytes: u32, expr: ExprId) {
        for byte in 0..u64::from(bytes) {
            if let Some(covered) = self.covered.get_mut((offset + byte) as usize) {
                *covered = true;
            }
        }
        if offset + u64::from(bytes) <= self.covered.len() as u64 {
            self.leaves.push(Leaf { offset, bytes, expr });
        }
    }

    fn bytes(&mut self, path: &str, offset: u64, count: u64) {
        for index in 0..count {
            let name = format!("{path}[{index}]");
            let expr = self.maker.leaf_symbol(&name, 8, SymbolKind::Unsigned);
            self.leaf(offset + index, 1, expr);
        }
    }

    /// Padding is arbitrary as well.
    fn padding(&mut self, path: &str) {
        for offset in 0..self.covered.len() {
            if !self.covered[offset] {
                let name = format!("{path}{PADDING}{offset}>");
                let expr = self.maker.leaf_symbol(&name, 8, SymbolKind::Unsigned);
                self.leaf(offset as u64, 1, expr);
            }
        }
    }
}

/// Puts an item before those that were added after the list had `place` items.
pub(crate) fn insert_at<T: Clone>(list: &mut crate::engine::list::SharedList<T>, place: usize, item: T) {
    let mut later = Vec::new();
    while list.len() > place {
        if let Some(item) = list.pop() {
            later.push(item);
        }
    }
    list.push(item);
    for item in later.into_iter().rev() {
        list.push(item);
    }
}
