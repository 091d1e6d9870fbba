//! Reading and writing memory: resolving pointers, and the errors on the way.

use crate::decisions::decider::Decider;
use crate::engine::code::{AllocaCode, Register, Source};
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::{Value, mask64, sign_extend64};
use crate::memory::load;
use crate::memory::{AddressTarget, Memory, Object, ObjectInfo, ObjectKind, Slot};
use crate::outcome::{ErrorKind, LimitKind, Outcome, ProgramError};
use incise_ir::AtomicOrdering;
use incise_solver::{BinaryOp, CompareOp, ExprId};
use std::rc::Rc;

/// The most objects that a pointer without a base is compared with.
const REACHABLE_OBJECTS: usize = 256;

/// What an access does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// It reads.
    Read,
    /// It writes.
    Write,
    /// It reads and writes in one step.
    Update,
}

/// What an access wants.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// What it does.
    pub kind: AccessKind,
    /// How it is ordered among those of other threads, if it is atomic.
    pub ordering: Option<AtomicOrdering>,
}

impl Access {
    /// Reads, not atomically.
    pub(crate) const READ: Self = Self { kind: AccessKind::Read, ordering: None };
    /// Writes, not atomically.
    pub(crate) const WRITE: Self = Self { kind: AccessKind::Write, ordering: None };

    pub(crate) fn writes(self) -> bool {
        self.kind != AccessKind::Read
    }

    fn verb(self) -> &'static str {
        if self.writes() { "write" } else { "read" }
    }
}

/// A place in an object that an access may touch.
#[derive(Copy, Clone, Debug)]
pub struct ObjectPlace {
    /// The object.
    pub slot: Slot,
    /// How far into it.
    pub offset: Offset,
}

/// How far into the object.
#[derive(Copy, Clone, Debug)]
pub enum Offset {
    /// So many bytes.
    Concrete(u64),
    /// As many as the expression says.
    Symbolic(ExprId),
}

fn error(kind: ErrorKind, message: String) -> Exit {
    Exit::End(Outcome::Error(ProgramError { kind, message }))
}

/// The part of the machine that reads and writes memory.
pub(crate) struct MemoryAccess<'m, 'a> {
    /// Who says where pointers can lead.
    pub(crate) decider: &'m mut Decider<'a>,
}

impl MemoryAccess<'_, '_> {
    pub(crate) fn advance(&mut self, place: ObjectPlace, bytes: u64) -> ObjectPlace {
        let offset = match place.offset {
            Offset::Concrete(offset) => Offset::Concrete(offset + bytes),
            Offset::Symbolic(offset) => {
                let bytes = self.decider.exprs.constant(u128::from(bytes), 64);
                Offset::Symbolic(self.decider.exprs.binary(BinaryOp::Add, offset, bytes))
            }
        };
        ObjectPlace { slot: place.slot, offset }
    }

    /// The fast way to load: a concrete address inside a live object whose bytes are concrete.
    #[inline]
    pub(crate) fn load_word(&self, memory: &Memory, address: u64, width: u32) -> Option<u64> {
        let bytes = u64::from(width.div_ceil(8));
        let AddressTarget::Live(_, object, offset) = memory.target(address) else { return None };
        if bytes > 8
            || offset < 0
            || offset as u64 + bytes > object.size
            || object.symbolic_size.is_some()
            || object.is_endless()
            || memory.is_watched()
        {
            return None;
        }
        Some(object.read_word(offset as u64, bytes)? & mask64(width))
    }

    /// The fast way to store: a concrete address inside a live, writable object.
    #[inline]
    pub(crate) fn store_word(&self, memory: &mut Memory, address: u64, width: u32, word: u64) -> bool {
        let bytes = u64::from(width.div_ceil(8));
        let AddressTarget::Live(slot, object, offset) = memory.target(address) else { return false };
        if bytes > 8
            || offset < 0
            || offset as u64 + bytes > object.size
            || object.symbolic_size.is_some()
            || object.is_endless()
            || object.info.read_only
            || memory.is_watched()
            || memory.has_noted_writes()
        {
            return false;
        }
        memory.object_mut(slot).is_some_and(|object| object.write_word(offset as u64, bytes, word))
    }

    #[inline]
    pub(crate) fn load(&mut self, state: &mut State, width: u32, pointer: Source) -> Result<Value, Exit> {
        let pointer = state.get(pointer).clone();
        self.load_at(state, &pointer, width)
    }

    /// Reads a scalar of `width` bits.
    pub(crate) fn load_at(&mut self, state: &mut State, pointer: &Value, width: u32) -> Result<Value, Exit> {
        self.load_with(state, pointer, width, Access::READ)
    }

    /// The same, atomically or not.
    #[inline]
    pub(crate) fn load_with(
        &mut self,
        state: &mut State,
        pointer: &Value,
        width: u32,
        access: Access,
    ) -> Result<Value, Exit> {
        let place = self.resolve_any(state, pointer, u64::from(width.div_ceil(8)), access)?;
        if crate::memory::endless::is_endless(state, place) {
            return self.decider.endless_arrays().read_endless(state, place, width);
        }
        let mut value = self.read_scalar(state, place, width);
        if let Offset::Concrete(offset) = place.offset
            && !self.is_plain(&value)
            && let Some(special) = self.load_reinterpreted(state, place.slot, offset, width)?
        {
            value = special;
        }
        if state.memory.is_watched() {
            self.decider.noted(state, place, &value);
        }
        Ok(value)
    }

    pub(crate) fn store(
        &mut self,
        state: &mut State,
        width: u32,
        pointer: Source,
        value: Source,
    ) -> Result<(), Exit> {
        let (pointer, value) = (state.get(pointer).clone(), state.get(value).clone());
        self.store_at(state, &pointer, width, &value)
    }

    /// Writes a scalar of `width` bits.
    pub(crate) fn store_at(
        &mut self,
        state: &mut State,
        pointer: &Value,
        width: u32,
        value: &Value,
    ) -> Result<(), Exit> {
        self.store_with(state, pointer, width, value, Access::WRITE)
    }

    /// The same, atomically or not.
    pub(crate) fn store_with(
        &mut self,
        state: &mut State,
        pointer: &Value,
        width: u32,
        value: &Value,
        access: Access,
    ) -> Result<(), Exit> {
        let place = self.resolve_any(state, pointer, u64::from(width.div_ceil(8)), access)?;
        if crate::memory::endless::is_endless(state, place) {
            return self.decider.endless_arrays().write_endless(state, place, width, value);
        }
        self.write_scalar(state, place, width, value);
        if state.memory.is_watched() {
            self.decider.noted(state, place, value);
        }
        Ok(())
    }

    /// The place that a pointer points to, after all checks for an access of `size` bytes. Forks where it can be
    /// several objects.
    pub(crate) fn resolve(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        let place = self.resolve_any(state, pointer, size, access)?;
        self.decider.endless_arrays().refuse_endless(state, place, access)?;
        Ok(place)
    }

    /// The same, also in arrays that have no bytes. Every access of the program comes through here, but for plain ones
    /// of the step loop, which come here as soon as somebody watches.
    #[inline]
    fn resolve_any(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        let mut place = self.find_place(state, pointer, size, access)?;
        if state.memory.has_noted_writes() && access.kind != AccessKind::Read {
            self.decider.written_apart(state, place.slot);
        }
        if state.memory.is_watched() {
            self.decider.accessed(state, place, size, access)?;
        }
        if let (Offset::Symbolic(offset), Some(_)) = (place.offset, &state.concurrency)
            && let Some(only) = self.decider.unique_value(state, offset)?
        {
            // Which lock it is was decided before: where what is beside it is, is known too, and the bytes of other
            // locks stay what they are. To the scheduler it is an access of the whole object still.
            place.offset = Offset::Concrete(only as u64);
        }
        Ok(place)
    }

    /// The same, without telling of it.
    pub(crate) fn locate(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        let place = self.find_place(state, pointer, size, access)?;
        self.decider.endless_arrays().refuse_endless(state, place, access)?;
        Ok(place)
    }

    #[inline]
    fn find_place(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        let mut pointer = match pointer {
            Value::Word(address) => return self.resolve_concrete(state, *address, size, access),
            other => self.decider.expr(state, other, 64),
        };
        loop {
            if let Some(address) = self.decider.exprs.as_constant(pointer) {
                return self.resolve_concrete(state, address as u64, size, access);
            }
            if let Some((base, offset)) = self.decider.exprs.split_base(pointer) {
                return self.resolve_based(state, base, offset, size, access);
            }
            if let Some((condition, then, otherwise)) = self.decider.exprs.split_ite(pointer) {
                let negated = self.decider.exprs.not(condition);
                pointer =
                    if self.decider.choose(state, &[condition, negated])? == 0 { then } else { otherwise };
                continue;
            }
            if let Some(pushed) = self.push_into_ite(pointer) {
                self.require_no_distance_from_null(state, pointer, access)?;
                pointer = pushed;
                continue;
            }
            return self.resolve_unknown(state, pointer, size, access);
        }
    }

    /// `(c ? p : q) + offset` as `c ? p + offset : q + offset`.
    pub(crate) fn push_into_ite(&mut self, pointer: ExprId) -> Option<ExprId> {
        let (left, right) = split_add(&self.decider.exprs, pointer)?;
        let (choice, other) = match (self.decider.exprs.split_ite(left), self.decider.exprs.split_ite(right))
        {
            (Some(choice), _) => (choice, right),
            (None, Some(choice)) => (choice, left),
            (None, None) => return None,
        };
        let (condition, then, otherwise) = choice;
        let then = self.decider.exprs.binary(BinaryOp::Add, then, other);
        let otherwise = self.decider.exprs.binary(BinaryOp::Add, otherwise, other);
        let pushed = self.decider.exprs.ite(condition, then, otherwise);
        (self.decider.exprs.split_ite(pushed).is_some()).then_some(pushed)
    }

    /// Nothing is at a distance from null, whatever the distance: without this a pointer that may be null and an index
    /// would be taken for any address.
    fn require_no_distance_from_null(
        &mut self,
        state: &mut State,
        pointer: ExprId,
        access: Access,
    ) -> Result<(), Exit> {
        let Some((left, right)) = split_add(&self.decider.exprs, pointer) else { return Ok(()) };
        let (choice, other) =
            if self.decider.exprs.split_ite(left).is_some() { (left, right) } else { (right, left) };
        let Some((condition, then, otherwise)) = self.decider.exprs.split_ite(choice) else { return Ok(()) };
        // A constant distance tells that the address is near null by itself.
        if self.decider.exprs.as_constant(other).is_some() || self.leads_to_object(other) {
            return Ok(());
        }
        let not_null = match [then, otherwise].map(|side| self.decider.exprs.as_constant(side) == Some(0)) {
            [false, true] if self.leads_to_object(then) => condition,
            [true, false] if self.leads_to_object(otherwise) => self.decider.exprs.not(condition),
            _ => return Ok(()),
        };
        self.decider.require(state, not_null, |_, _| ProgramError {
            kind: ErrorKind::NullPointer,
            message: format!("{} through a null pointer", access.verb()),
        })
    }

    /// Whether an address is that of an object, or a choice with one.
    pub(crate) fn leads_to_object(&mut self, address: ExprId) -> bool {
        let mut work = vec![address];
        while let Some(address) = work.pop() {
            if self.decider.exprs.split_base(address).is_some() {
                return true;
            }
            if let Some((_, then, otherwise)) = self.decider.exprs.split_ite(address) {
                work.extend([then, otherwise]);
            }
        }
        false
    }

    fn resolve_concrete(
        &mut self,
        state: &mut State,
        address: u64,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        match state.memory.target(address) {
            AddressTarget::Live(slot, object, offset) => {
                let object = object.clone();
                self.check_object(&object, access)?;
                self.check_bounds(state, &object, offset, size, access)?;
                Ok(ObjectPlace { slot, offset: Offset::Concrete(offset as u64) })
            }
            AddressTarget::Dead(info) => Err(dead(info, access)),
            AddressTarget::Null => Err(error(
                ErrorKind::NullPointer,
                match address {
                    0 => format!("{} through a null pointer", access.verb()),
                    offset => {
                        format!("{} through a null pointer, at offset {}", access.verb(), offset as i64)
                    }
                },
            )),
            AddressTarget::Nothing => Err(error(
                ErrorKind::OutOfBounds,
                format!("{} at address {address:#x}, where there is no object", access.verb()),
            )),
        }
    }

    fn check_object(&mut self, object: &Object, access: Access) -> Result<(), Exit> {
        if object.info.kind == ObjectKind::Callback {
            return Err(Exit::End(Outcome::Limit(LimitKind::PointerDepth)));
        }
        if object.info.kind == ObjectKind::BeyondDepth {
            // A stream that cannot be made is not there with deeper inputs either.
            if let Some(path) = object.info.name.strip_prefix('*') {
                self.decider.sink.needs.deeper.insert(path.to_owned());
            }
            return Err(Exit::End(Outcome::Limit(LimitKind::PointerDepth)));
        }
        if access.writes() && object.info.read_only {
            return Err(error(
                ErrorKind::ReadOnly,
                format!("write to {}, which is constant", describe(&object.info)),
            ));
        }
        Ok(())
    }

    fn resolve_based(
        &mut self,
        state: &mut State,
        base: u64,
        offset: ExprId,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        if let Some(offset) = self.decider.exprs.as_constant(offset) {
            return self.resolve_concrete(state, base.wrapping_add(offset as u64), size, access);
        }
        let (slot, object) = match state.memory.target(base) {
            AddressTarget::Live(slot, object, _) => (slot, object.clone()),
            AddressTarget::Dead(info) => return Err(dead(info, access)),
            _ => return Err(error(ErrorKind::OutOfBounds, "access to an object that is not there".into())),
        };
        self.check_object(&object, access)?;
        self.check_symbolic_bounds(state, &object, offset, size, access)?;
        Ok(ObjectPlace { slot, offset: Offset::Symbolic(offset) })
    }

    /// Whether `size` bytes at `offset` lie within an object.
    pub(crate) fn within(&mut self, object: &Object, offset: ExprId, size: u64) -> ExprId {
        let mut valid = self.within_made(object, offset, size);
        if let Some(limit) = object.symbolic_size {
            let size = self.decider.exprs.constant(u128::from(size), 64);
            let end = self.decider.exprs.binary(BinaryOp::Add, offset, size);
            let fits = self.decider.exprs.compare(CompareOp::Ule, end, limit);
            valid = self.decider.exprs.and(valid, fits);
        }
        valid
    }

    /// Whether `size` bytes at `offset` lie within what was made of an object.
    pub(crate) fn within_made(&mut self, object: &Object, offset: ExprId, size: u64) -> ExprId {
        if size > object.size {
            return self.decider.exprs.constant(0, 1);
        }
        let last = self.decider.exprs.constant(u128::from(object.size - size), 64);
        self.decider.exprs.compare(CompareOp::Ule, offset, last)
    }

    /// A pointer that no longer tells which object it is of: it is compared with all that there are.
    fn resolve_unknown(
        &mut self,
        state: &mut State,
        pointer: ExprId,
        size: u64,
        access: Access,
    ) -> Result<ObjectPlace, Exit> {
        if let Some(address) = self.decider.unique_value(state, pointer)? {
            return self.resolve_concrete(state, address as u64, size, access);
        }
        let objects: Vec<(Slot, Rc<Object>)> = state
            .memory
            .live()
            .filter(|(_, object)| object.size >= size)
            .map(|(slot, object)| (slot, object.clone()))
            .collect();
        if objects.len() > REACHABLE_OBJECTS {
            return Err(Exit::End(Outcome::Unsupported(format!(
                "a symbolic address that could be in any of {} objects",
                objects.len()
            ))));
        }
        let mut conditions = Vec::with_capacity(objects.len() + 1);
        let mut nowhere = self.decider.exprs.constant(1, 1);
        for (slot, object) in &objects {
            let start = self.decider.exprs.constant(u128::from(Memory::address(*slot)), 64);
            let offset = self.decider.exprs.binary(BinaryOp::Sub, pointer, start);
            let inside = self.within(object, offset, size);
            let outside = self.decider.exprs.not(inside);
            nowhere = self.decider.exprs.and(nowhere, outside);
            conditions.push(inside);
        }
        let somewhere = self.decider.exprs.not(nowhere);
        self.decider.require(state, somewhere, |_, _| ProgramError {
            kind: ErrorKind::OutOfBounds,
            message: format!("{} at a symbolic address where there need not be an object", access.verb()),
        })?;
        let choice = self.decider.choose(state, &conditions)?;
        let (slot, object) = &objects[choice];
        self.check_object(object, access)?;
        let start = self.decider.exprs.constant(u128::from(Memory::address(*slot)), 64);
        let offset = self.decider.exprs.binary(BinaryOp::Sub, pointer, start);
        Ok(ObjectPlace {
            slot: *slot,
            offset: match self.decider.exprs.as_constant(offset) {
                Some(offset) => Offset::Concrete(offset as u64),
                None => Offset::Symbolic(offset),
            },
        })
    }

    /// Reads a scalar from a place that was resolved.
    pub(crate) fn read_scalar(&mut self, state: &mut State, place: ObjectPlace, width: u32) -> Value {
        match place.offset {
            Offset::Concrete(offset) => self.read_concrete(state, place.slot, offset, width),
            Offset::Symbolic(offset) => {
                let array = self.array_of(state, place.slot);
                let bytes = width.div_ceil(8);
                let mut value = self.decider.exprs.select(array, offset);
                for index in 1..bytes {
                    let step = self.decider.exprs.constant(u128::from(index), 64);
                    let at = self.decider.exprs.binary(BinaryOp::Add, offset, step);
                    let byte = self.decider.exprs.select(array, at);
                    value = self.decider.exprs.concat(byte, value);
                }
                let value = self.decider.exprs.trunc(value, width);
                Value::from_expr(&self.decider.exprs, value)
            }
        }
    }

    /// The contents of an object as an array expression.
    pub(crate) fn array_of(&mut self, state: &mut State, slot: Slot) -> incise_solver::ArrayId {
        let State { memory, made_up, thread, .. } = state;
        let Some(object) = memory.object_mut(slot) else { return self.decider.exprs.array_of_bytes(&[]) };
        object.as_array(&mut self.decider.exprs, |exprs, _| {
            *made_up += 1;
            exprs.symbol(&thread.next_made_up(), 8, incise_solver::SymbolKind::Unsigned)
        })
    }

    /// Reads a scalar at a concrete offset inside a live object.
    pub(crate) fn read_concrete(&mut self, state: &mut State, slot: Slot, offset: u64, width: u32) -> Value {
        load::scalar(&mut self.decider.exprs, state, slot, offset, width)
    }

    /// Writes a scalar to a place that was resolved.
    pub(crate) fn write_scalar(&mut self, state: &mut State, place: ObjectPlace, width: u32, value: &Value) {
        match place.offset {
            Offset::Concrete(offset) => {
                if let Some(object) = state.memory.object_mut(place.slot) {
                    object.write_scalar(&mut self.decider.exprs, offset, width, value);
                }
            }
            Offset::Symbolic(offset) => {
                let whole = width.div_ceil(8) * 8;
                let value = self.decider.expr(state, value, width);
                let value = self.decider.exprs.zext(value, whole);
                let mut array = self.array_of(state, place.slot);
                for index in 0..whole / 8 {
                    let step = self.decider.exprs.constant(u128::from(index), 64);
                    let at = self.decider.exprs.binary(BinaryOp::Add, offset, step);
                    let byte = self.decider.exprs.extract(value, index * 8, 8);
                    array = self.decider.exprs.array_store(array, at, byte);
                }
                if let Some(object) = state.memory.object_mut(place.slot) {
                    object.set_array(array);
                }
            }
        }
    }

    pub(crate) fn offset(&mut self, state: &mut State, to: Register, base: Source, offset: i64) {
        let base = state.get(base).clone();
        let base = self.decider.expr(state, &base, 64);
        let offset = self.decider.exprs.constant(offset as u128, 64);
        let result = self.decider.exprs.binary(BinaryOp::Add, base, offset);
        state.set(to, Value::from_expr(&self.decider.exprs, result));
    }

    /// `base + offset + sum of index * stride`; each index with its width.
    pub(crate) fn element(
        &mut self,
        state: &mut State,
        to: Register,
        base: Source,
        offset: i64,
        terms: &[(Source, u32, i64)],
    ) {
        let base = state.get(base).clone();
        let terms: Vec<(Value, u32, i64)> =
            terms.iter().map(|&(index, width, stride)| (state.get(index).clone(), width, stride)).collect();
        let value = self.element_values(state, &base, offset, &terms);
        state.set(to, value);
    }

    pub(crate) fn element_values(
        &mut self,
        state: &mut State,
        base: &Value,
        offset: i64,
        terms: &[(Value, u32, i64)],
    ) -> Value {
        let mut bytes = offset;
        let mut symbolic: Option<ExprId> = None;
        for (index, width, stride) in terms {
            match index.as_concrete() {
                Some(index) => {
                    let index = if *width <= 64 { sign_extend64(index as u64, *width) } else { index as i64 };
                    bytes = bytes.wrapping_add(index.wrapping_mul(*stride));
                }
                None => {
                    let index = self.decider.expr(state, index, *width);
                    let index = if *width <= 64 {
                        self.decider.exprs.sext(index, 64)
                    } else {
                        self.decider.exprs.trunc(index, 64)
                    };
                    let stride = self.decider.exprs.constant(*stride as u128, 64);
                    let term = self.decider.exprs.binary(BinaryOp::Mul, index, stride);
                    symbolic = Some(match symbolic {
                        None => term,
                        Some(sum) => self.decider.exprs.binary(BinaryOp::Add, sum, term),
                    });
                }
            }
        }
        let base = match base {
            Value::Word(word) => {
                let address = word.wrapping_add_signed(bytes);
                if symbolic.is_none() {
                    return Value::Word(address);
                }
                match self.decider.based(state, *word) {
                    Some(based) => {
                        let bytes = self.decider.exprs.constant(bytes as u128, 64);
                        self.decider.exprs.binary(BinaryOp::Add, based, bytes)
                    }
                    None => self.decider.exprs.constant(u128::from(address), 64),
                }
            }
            other => {
                let base = self.decider.expr(state, other, 64);
                let bytes = self.decider.exprs.constant(bytes as u128, 64);
                self.decider.exprs.binary(BinaryOp::Add, base, bytes)
            }
        };
        let result = match symbolic {
            Some(symbolic) => self.decider.exprs.binary(BinaryOp::Add, base, symbolic),
            None => base,
        };
        Value::from_expr(&self.decider.exprs, result)
    }

    pub(crate) fn alloca(&mut self, state: &mut State, alloca: &AllocaCode) -> Result<(), Exit> {
        let (size, symbolic_size) = match alloca.count {
            None => (alloca.size, None),
            Some((count, width)) => {
                let count = state.get(count).clone();
                let bytes = match count.as_concrete() {
                    Some(count) => Value::Word((count as u64).wrapping_mul(alloca.size)),
                    None => {
                        let count = self.decider.expr(state, &count, width);
                        let count = self.decider.exprs.zext(count, 64);
                        let size = self.decider.exprs.constant(u128::from(alloca.size), 64);
                        let bytes = self.decider.exprs.binary(BinaryOp::Mul, count, size);
                        Value::from_expr(&self.decider.exprs, bytes)
                    }
                };
                self.object_size(state, &bytes)?
            }
        };
        let mut object = self.decider.uninitialised_object(alloca.info.clone(), size);
        object.symbolic_size = symbolic_size;
        let slot = state.memory.add(object);
        state.thread.frame.objects.push(slot);
        state.set(alloca.to, Value::Word(Memory::address(slot)));
        Ok(())
    }

    /// The bytes that an object needs: the number, and if it is symbolic the expression it is the bound of.
    pub(crate) fn object_size(
        &mut self,
        state: &mut State,
        bytes: &Value,
    ) -> Result<(u64, Option<ExprId>), Exit> {
        let too_large = || Exit::End(Outcome::Limit(LimitKind::ObjectSize));
        if let Some(size) = bytes.as_concrete() {
            return if size > u128::from(self.decider.config.limits.memory.min(1 << 32)) {
                Err(too_large())
            } else {
                Ok((size as u64, None))
            };
        }
        let bytes = self.decider.expr(state, bytes, 64);
        let bound = self.decider.config.limits.symbolic_object;
        let limit = self.decider.exprs.constant(u128::from(bound), 64);
        let fits = self.decider.exprs.compare(CompareOp::Ule, bytes, limit);
        self.decider.require_or(state, fits, |_, _| Outcome::Limit(LimitKind::ObjectSize))?;
        Ok((self.upper_bound(state, bytes, bound)?, Some(bytes)))
    }

    /// The largest value that `expr` can have on this path, given that it is at most `bound`.
    pub(crate) fn upper_bound(&mut self, state: &State, expr: ExprId, bound: u64) -> Result<u64, Exit> {
        let (mut low, mut high) =
            (self.decider.solver.evaluate(&self.decider.exprs, expr, &state.model) as u64, bound);
        // What the path leaves no choice for is known after one question.
        let mut middle = low;
        while low < high {
            let constant = self.decider.exprs.constant(u128::from(middle), 64);
            let above = self.decider.exprs.compare(CompareOp::Ugt, expr, constant);
            if self.decider.possible(state, above)? {
                low = middle + 1;
            } else {
                high = middle;
            }
            middle = low + (high - low) / 2;
        }
        Ok(low)
    }
}

fn dead(info: &ObjectInfo, access: Access) -> Exit {
    let message = match info.kind {
        ObjectKind::Stack => format!("{} of {} after its function returned", access.verb(), describe(info)),
        _ => format!("{} of {} after it was freed", access.verb(), describe(info)),
    };
    error(ErrorKind::UseAfterFree, message)
}

/// An access that leaves its object.
pub(crate) fn bounds_error(object: &Object, offset: Option<i64>, size: u64, access: Access) -> Exit {
    error(ErrorKind::OutOfBounds, bounds_message(object, offset, size, access))
}

pub(crate) fn bounds_message(object: &Object, offset: Option<i64>, size: u64, access: Access) -> String {
    let bytes = |count: u64| if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") };
    let place = match offset {
        Some(offset) => format!("at offset {offset} of"),
        None => "outside of".to_string(),
    };
    let known = match object.symbolic_size {
        Some(_) if object.assumed.is_some() => "where it has ended".to_string(),
        Some(_) => "whose size is symbolic".to_string(),
        None => format!("which has {}", bytes(object.size)),
    };
    format!("{} of {} {place} {}, {known}", access.verb(), bytes(size), describe(&object.info))
}

/// An object for a message.
pub(crate) fn describe(info: &ObjectInfo) -> String {
    match info.kind {
        _ if info.name.is_empty() => "an unnamed object".into(),
        ObjectKind::Heap => info.name.clone(),
        _ => format!("'{}'", info.name),
    }
}

/// The two sides of an addition.
fn split_add(exprs: &incise_solver::Exprs, expr: ExprId) -> Option<(ExprId, ExprId)> {
    match *exprs.kind(expr) {
        incise_solver::ExprKind::Binary(BinaryOp::Add, left, right) => Some((left, right)),
        _ => None,
    }
}
