//! How far an access may go.
//!
//! Most objects have so many bytes, and what goes beyond is an error of the program. The object that a pointer input
//! leads to is another matter: how large it is nobody said. It has as many bytes as the engine made, and what goes
//! beyond them ends the path at a limit, with the input's name: an input that was taken to be too small is not an error
//! of the program, and not nothing either.
//!
//! Where inputs tell how large an object is (its length is another input, it is a string), that number is an
//! expression, and going beyond it is an error like any other. It may be larger than what the engine made; only what is
//! touched there is cut.

use crate::decisions::decider::Decider;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::sizes::Need;
use crate::inputs::unions;
use crate::memory::access::MemoryAccess;
use crate::memory::access::{Access, Offset, bounds_error, bounds_message};
use crate::memory::{AddressTarget, Byte, Object, ObjectKind, Slot};
use crate::outcome::{ErrorKind, LimitKind, Outcome, ProgramError};
use incise_ir::{Op, Type};
use incise_reading::{Source, Taken, What};
use incise_solver::{BinaryOp, CompareOp, ExprId};
use std::collections::BTreeSet;

/// No object has more bytes than this, whatever inputs tell: so sums of sizes and offsets do not overflow.
pub(crate) const MOST_BYTES: u64 = 1 << 40;

/// Of an object whose size the engine chose: what it belongs to.
#[derive(Debug)]
pub struct Assumed {
    /// The pointer input that leads to it, as a C expression; of a flexible array member that member.
    pub(crate) input: String,
    /// The bytes before the elements.
    pub(crate) header: u64,
    /// The bytes of an element.
    pub(crate) element: u64,
    /// What is before the element that a pointer points to.
    pub(crate) before: Before,
    /// The elements that were made.
    pub(crate) made: u64,
    /// Whether there are as many as anybody asks for, and nobody knows what is in them.
    pub(crate) endless: bool,
}

/// What is before the element that a pointer points to: more elements, or what the element is a part of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Before {
    /// So many bytes, if there are pointers in elements, and none if there is nothing to be told apart.
    pub(crate) bytes: u64,
    /// The words among them, by their distance from the element, that are no pointers.
    pub(crate) numbers: BTreeSet<u64>,
}

impl Before {
    const WORD: u64 = 8;

    /// The distance of the word that an access uses as a number, or a part of, if nobody knew that it is no pointer.
    fn new_number(&self, offset: u64, size: u64, used: Option<UsedAs>) -> Option<u64> {
        let distance = self.bytes.checked_sub(offset)?.next_multiple_of(Self::WORD);
        let number = size < Self::WORD || used == Some(UsedAs::Number);
        (distance > 0 && number && !self.numbers.contains(&distance)).then_some(distance)
    }

    /// Whether what would be a pointer at an offset is known to be none.
    pub(crate) fn is_number(&self, offset: u64) -> bool {
        self.bytes.checked_sub(offset).is_some_and(|distance| self.numbers.contains(&distance))
    }
}

/// What the instruction that accesses memory takes it for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum UsedAs {
    Number,
    Pointer,
}

impl Assumed {
    /// Whether an offset is not in the element that the type of the pointer tells of: what is there is a guess.
    fn is_guessed(&self, offset: u64) -> bool {
        !(self.header..self.header.saturating_add(self.element)).contains(&offset)
    }

    /// The elements that an access needs which ends so many bytes into the object.
    fn needed(&self, end: u64) -> u64 {
        end.saturating_sub(self.header).div_ceil(self.element.max(1))
    }
}

impl Decider<'_> {
    /// Notes that an input was too small for a path, with the elements that it would have needed if that is known.
    fn too_small(&mut self, assumed: &Assumed, needed: u64) -> Outcome {
        self.sink.needs.add(&assumed.input, Need { made: assumed.made, needed, element: assumed.element });
        Outcome::Limit(LimitKind::InputSize)
    }

    /// Notes that a path went before the element that an input points to.
    pub(crate) fn too_early(&mut self, assumed: &Assumed) -> Outcome {
        self.sink.needs.before.insert(assumed.input.clone());
        Outcome::Limit(LimitKind::InputSize)
    }
}

impl MemoryAccess<'_, '_> {
    /// Checks an access of `size` bytes at a known offset.
    pub(crate) fn check_bounds(
        &mut self,
        state: &mut State,
        object: &Object,
        offset: i64,
        size: u64,
        access: Access,
    ) -> Result<(), Exit> {
        if object.is_endless()
            && self.decider.endless_arrays().endless_access(object, Offset::Concrete(offset as u64))?
        {
            return Ok(());
        }
        let error = || bounds_error(object, Some(offset), size, access);
        let open = object.assumed.as_deref();
        if offset < 0 {
            return match (open, object.symbolic_size) {
                (Some(assumed), None) => Err(Exit::End(self.decider.too_early(assumed))),
                _ => Err(error()),
            };
        }
        if let Some(assumed) = open
            && assumed.is_guessed(offset as u64)
            && (object.symbolic_size.is_none() || self.only_seen(assumed))
        {
            self.check_guess(state, object, assumed, offset as u64, size)?;
        }
        let end = (offset as u64).saturating_add(size);
        if end > object.size && open.is_none() {
            return Err(error());
        }
        if let Some(limit) = object.symbolic_size {
            let last = self.decider.exprs.constant(u128::from(end), 64);
            let valid = self.decider.exprs.compare(CompareOp::Ule, last, limit);
            self.require_in_bounds(state, valid, object, Some(offset), size, access)?;
        }
        match open {
            Some(assumed) if end > object.size => {
                let needed = assumed.needed(end);
                Err(Exit::End(self.decider.too_small(assumed, needed)))
            }
            _ => Ok(()),
        }
    }

    /// Checks an access where nothing but its neighbours tells what an object holds: a number is not to be taken for an
    /// address, nor an address for a number.
    fn check_guess(
        &mut self,
        state: &State,
        object: &Object,
        assumed: &Assumed,
        offset: u64,
        size: u64,
    ) -> Result<(), Exit> {
        let used = self.used_as(state);
        if let Some(distance) = assumed.before.new_number(offset, size, used) {
            self.decider.sink.needs.numbers.insert((assumed.input.clone(), distance));
            return Err(Exit::End(Outcome::Limit(LimitKind::InputSize)));
        }
        // What is beyond the object is cut, whatever would be there.
        if offset.saturating_add(size) > object.size {
            return Ok(());
        }
        let holds_address = self.holds_address(object, offset);
        let fits = match used {
            Some(UsedAs::Number) => !holds_address,
            Some(UsedAs::Pointer) => holds_address || object.written,
            None => true,
        };
        if fits {
            return Ok(());
        }
        self.decider.sink.needs.negative.insert(assumed.input.clone());
        Err(Exit::End(Outcome::Limit(LimitKind::InputSize)))
    }

    /// Whether all that tells how many elements there are is how far the function reaches.
    fn only_seen(&self, assumed: &Assumed) -> bool {
        let reading = &self.decider.config.inputs.reading;
        let mut told = reading.facts(&assumed.input).into_iter().filter(|taken| taken.what.tells_size());
        let first = told.next();
        let seen = |taken: &Taken| {
            taken.evidence.source == Source::Use && matches!(taken.what, What::Elements { .. })
        };
        first.is_none_or(|first| seen(&first) && told.all(|taken| seen(&taken)))
    }

    /// What the instruction that is executed takes memory for, if it loads or stores a scalar of the program.
    fn used_as(&self, state: &State) -> Option<UsedAs> {
        let frame = &state.thread.frame;
        if frame.code.model {
            return None;
        }
        let function = &self.decider.program.functions[frame.code.function];
        let at = *frame.code.origins.get((frame.pc as usize).checked_sub(1)?)?;
        let ty = match &function.instructions[at].op {
            Op::Load { ty, .. } => *ty,
            Op::Store { value, .. } => self.decider.program.operand_type(function, *value),
            _ => return None,
        };
        match self.decider.program.types.get(ty) {
            Type::Pointer => Some(UsedAs::Pointer),
            Type::Integer(_) | Type::Float(_) => Some(UsedAs::Number),
            _ => None,
        }
    }

    /// Whether the word at an offset is an address, or null.
    fn holds_address(&mut self, object: &Object, offset: u64) -> bool {
        let start = offset - offset % Before::WORD;
        let Byte::Part { expr, .. } = object.read_byte(&mut self.decider.exprs, start) else { return false };
        self.leads_to_object(expr)
    }

    /// Whether a value that was loaded is no part of a word that may be a pointer: a number that is known, or all of an
    /// input that is smaller than an address.
    #[inline]
    pub(crate) fn is_plain(&self, value: &Value) -> bool {
        let exprs = &self.decider.exprs;
        match value {
            Value::Word(_) => true,
            Value::Symbolic(expr) => exprs.as_symbol(*expr).is_some() && u64::from(exprs.width(*expr)) < 64,
            _ => false,
        }
    }

    /// The value of a load where a union holds a pointer or a number, as the load takes it; `None` if nothing is
    /// special there. Who reads the pointer of an input as a number may mean a member of a union that is not known: the
    /// engine only made the pointer, and what a number would do is not looked at.
    pub(crate) fn load_reinterpreted(
        &mut self,
        state: &mut State,
        slot: Slot,
        offset: u64,
        width: u32,
    ) -> Result<Option<Value>, Exit> {
        let Some(object) = state.memory.object(slot) else { return Ok(None) };
        let start = offset - offset % Before::WORD;
        let Byte::Part { expr, byte } = object.read_byte(&mut self.decider.exprs, offset) else {
            return Ok(None);
        };
        let (low, fits) =
            (u32::from(byte) * 8, offset % Before::WORD + u64::from(width.div_ceil(8)) <= Before::WORD);
        if fits && unions::word_of_union(&self.decider.exprs, expr).is_some() {
            return self.load_of_union(state, expr, low, width);
        }
        // Who goes over bytes one by one copies or compares them.
        if width <= 8 {
            return Ok(None);
        }
        let Some(object) = state.memory.object(slot) else { return Ok(None) };
        let Byte::Part { expr, .. } = object.read_byte(&mut self.decider.exprs, start) else {
            return Ok(None);
        };
        let Some(input) = self.input_behind(state, expr) else { return Ok(None) };
        if self.used_as(state) != Some(UsedAs::Number) {
            return Ok(None);
        }
        self.decider.sink.needs.reinterpreted.insert(input);
        Err(Exit::End(Outcome::Limit(LimitKind::Reinterpreted)))
    }

    /// Loads a part of a word that is a pointer or a number. A byte is a number only if the union has a number of one
    /// byte there: others copy or compare.
    fn load_of_union(
        &mut self,
        state: &mut State,
        word: ExprId,
        low: u32,
        width: u32,
    ) -> Result<Option<Value>, Exit> {
        let Some(used) = self.used_as(state) else { return Ok(None) };
        if width <= 8 {
            let Some((_, _, number)) = unions::word_of_union(&self.decider.exprs, word) else {
                return Ok(None);
            };
            let byte = self.decider.exprs.extract(number, low, width);
            if self.decider.exprs.as_symbol(byte).is_none() {
                return Ok(None);
            }
        }
        let Some(value) = self.decider.word_as_used(state, word, used)? else { return Ok(None) };
        let value = self.decider.exprs.extract(value, low, width);
        Ok(Some(Value::from_expr(&self.decider.exprs, value)))
    }

    /// The input whose object an address is that of, or can be.
    fn input_behind(&mut self, state: &State, address: ExprId) -> Option<String> {
        let mut work = vec![address];
        while let Some(address) = work.pop() {
            if let Some((base, _)) = self.decider.exprs.split_base(address) {
                if let AddressTarget::Live(_, object, _) = state.memory.target(base)
                    && object.info.kind == ObjectKind::Input
                {
                    let chosen = object.assumed.as_ref().map(|assumed| assumed.input.clone());
                    return Some(chosen.unwrap_or_else(|| object.info.name.clone()));
                }
            } else if let Some((_, then, otherwise)) = self.decider.exprs.split_ite(address) {
                work.extend([then, otherwise]);
            }
        }
        None
    }

    /// Checks an access of `size` bytes at an offset that inputs decide.
    pub(crate) fn check_symbolic_bounds(
        &mut self,
        state: &mut State,
        object: &Object,
        offset: ExprId,
        size: u64,
        access: Access,
    ) -> Result<(), Exit> {
        if object.is_endless()
            && self.decider.endless_arrays().endless_access(object, Offset::Symbolic(offset))?
        {
            return Ok(());
        }
        let made = self.within_made(object, offset, size);
        let Some(assumed) = object.assumed.clone() else {
            let valid = self.within(object, offset, size);
            return self.require_in_bounds(state, valid, object, None, size, access);
        };
        if let Some(limit) = object.symbolic_size {
            let near = self.decider.exprs.constant(u128::from(MOST_BYTES), 64);
            let near = self.decider.exprs.compare(CompareOp::Ule, offset, near);
            let size_expr = self.decider.exprs.constant(u128::from(size), 64);
            let end = self.decider.exprs.binary(BinaryOp::Add, offset, size_expr);
            let fits = self.decider.exprs.compare(CompareOp::Ule, end, limit);
            let valid = self.decider.exprs.and(near, fits);
            self.require_in_bounds(state, valid, object, None, size, access)?;
        }
        // Both ends may be left: a negative offset is a very large one.
        let zero = self.decider.exprs.constant(0, 64);
        let before = self.decider.exprs.compare(CompareOp::Slt, offset, zero);
        if object.symbolic_size.is_none() && self.decider.exprs.as_constant(before) != Some(0) {
            let after = self.decider.exprs.not(before);
            self.decider.require_or(state, after, |decider, _| {
                decider.sink.needs.negative.insert(assumed.input.clone());
                Outcome::Limit(LimitKind::InputSize)
            })?;
        }
        self.decider.require_or(state, made, |decider, _| decider.too_small(&assumed, 0))
    }

    /// Checks an access to a number of bytes that inputs decide, from an offset on that is within the object.
    pub(crate) fn check_run(
        &mut self,
        state: &mut State,
        object: &Object,
        offset: ExprId,
        length: ExprId,
        access: Access,
    ) -> Result<(), Exit> {
        let made = self.decider.exprs.constant(u128::from(object.size), 64);
        let room = |access: &mut Self, size: ExprId| {
            let room = access.decider.exprs.binary(BinaryOp::Sub, size, offset);
            access.decider.exprs.compare(CompareOp::Ule, length, room)
        };
        let told = object.symbolic_size.or(object.assumed.is_none().then_some(made));
        if let Some(size) = told {
            let valid = room(self, size);
            let name = crate::memory::access::describe(&object.info);
            self.decider.require(state, valid, |_, _| ProgramError {
                kind: ErrorKind::OutOfBounds,
                message: format!(
                    "{} of a symbolic number of bytes beyond the end of {name}",
                    if !access.writes() { "read" } else { "write" },
                ),
            })?;
        }
        match object.assumed.clone() {
            Some(assumed) => {
                let fits = room(self, made);
                self.decider.require_or(state, fits, |decider, _| decider.too_small(&assumed, 0))
            }
            None => Ok(()),
        }
    }

    /// Goes on where a string ends within its object. `open` is the condition that no zero is among the bytes that the
    /// engine made, `outside` that a byte is read where inputs tell that there is none.
    pub(crate) fn check_string(
        &mut self,
        state: &mut State,
        object: &Object,
        open: ExprId,
        outside: ExprId,
    ) -> Result<(), Exit> {
        let message =
            format!("read of a string beyond the end of {}", crate::memory::access::describe(&object.info));
        let error = |message: String| ProgramError { kind: ErrorKind::OutOfBounds, message };
        match object.assumed.clone() {
            None => {
                let ends = self.decider.exprs.not(open);
                self.decider.require(state, ends, |_, _| error(message))
            }
            Some(assumed) => {
                let inside = self.decider.exprs.not(outside);
                self.decider.require(state, inside, |_, _| error(message))?;
                let ends = self.decider.exprs.not(open);
                self.decider.require_or(state, ends, |decider, _| decider.too_small(&assumed, 0))
            }
        }
    }

    fn require_in_bounds(
        &mut self,
        state: &mut State,
        valid: ExprId,
        object: &Object,
        offset: Option<i64>,
        size: u64,
        access: Access,
    ) -> Result<(), Exit> {
        self.decider.require(state, valid, |_, _| ProgramError {
            kind: ErrorKind::OutOfBounds,
            message: bounds_message(object, offset, size, access),
        })
    }
}
