//! Two paths become one again: states at the same place that differ only in what they hold.
//!
//! A loop with a branch in its body has twice as many paths with each turn; merged where the loop begins again it has
//! as many states as its variables have combinations of concrete values. What the two hold differently becomes a choice
//! by the condition under which the first of them is there, and the path condition says that one of the two holds
//! (Kuznetsov, Kinder, Bucur, Candea, "Efficient State Merging in Symbolic Execution", PLDI 2012). Here nothing is
//! estimated: variables that hold different numbers in the two are kept apart, because they count, or lead somewhere,
//! and an exploration is the faster the more of those are concrete. Bytes among others that are unknown are merged.
//!
//! States are merged only if their conditions exclude each other: else what one of them does would be lost.

use crate::engine::list::SharedList;
use crate::engine::state::{Frame, PathConstraint, State};
use crate::engine::value::Value;
use crate::memory::{Byte, Object};
use incise_solver::work::{self, Effort};
use incise_solver::{Answer, Constraints, ExprId, Exprs, Model, Solver};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Numbers from here on may be addresses of objects.
const ADDRESSES: u128 = 0x10_0000_0000;
/// Bytes that lie in one such word are one number, if all of them are known.
const WORD: u64 = 4;

/// Whether two states may become one: they are at the same place, or at an end where that does not matter, and their
/// variables hold the same numbers. A quick look.
pub fn may_merge(one: &State, other: &State, ended: bool) -> bool {
    let frames = (&one.thread.frame, &other.thread.frame);
    work::count(Effort::Part, 1 + frames.0.registers.len() as u64 / 4);
    is_alike(one, other) && (ended || is_same_place(frames.0, frames.1) && !counts_apart(frames.0, frames.1))
}

/// Whether two states have everything in common but what they hold, and what they were decided by.
fn is_alike(one: &State, other: &State) -> bool {
    let plain = |state: &State| {
        state.parked.is_empty()
            && state.concurrency.is_none()
            && state.relevant.is_none()
            && state.choices.is_empty()
            && state.replay.is_none()
            && !state.following
            && state.exiting.is_none()
    };
    plain(one)
        && plain(other)
        && one.inputs.is_shared_with(&other.inputs)
        && one.outputs.is_shared_with(&other.outputs)
        && one.calls.is_shared_with(&other.calls)
        && one.touched.is_shared_with(&other.touched)
        && one.exit_handlers.is_shared_with(&other.exit_handlers)
        && one.outside.constant.is_shared_with(&other.outside.constant)
        && one.outside.calls == other.outside.calls
        && Rc::ptr_eq(&one.outside.known, &other.outside.known)
        && Rc::ptr_eq(&one.outside.registers, &other.outside.registers)
        && (one.threads, one.allocations, one.made_up) == (other.threads, other.allocations, other.made_up)
        && (one.constructor, one.destructor) == (other.constructor, other.destructor)
        && one.turn == other.turn
}

/// Whether variables hold different numbers: a quick look.
fn counts_apart(one: &Frame, other: &Frame) -> bool {
    let apart =
        |(one, other): (&Value, &Value)| matches!((one, other), (Value::Word(a), Value::Word(b)) if a != b);
    one.registers.iter().zip(&other.registers).any(apart)
}

/// How far a state has come, as far as that shows in the numbers that its variables hold: what is merged is equally
/// far, and who goes over a buffer gets farther.
pub fn advance(state: &State) -> i64 {
    let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
    let values = frames.flat_map(|frame| &frame.registers);
    values.map(|value| if let Value::Word(word) = value { offset(*word) } else { 0 }).sum()
}

/// A small number as it is, of an address the offset in its object, and nothing of other numbers.
fn offset(word: u64) -> i64 {
    const NEAR: u64 = 1 << 24;
    match word {
        0..NEAR => word as i64,
        _ if word > u64::MAX - NEAR => word as i64,
        _ if (u64::from(u32::MAX) - NEAR..=u64::from(u32::MAX)).contains(&word) => {
            i64::from(word as u32 as i32)
        }
        _ if u128::from(word) >= ADDRESSES => (word % NEAR) as i64,
        _ => 0,
    }
}

fn is_same_place(one: &Frame, other: &Frame) -> bool {
    Rc::ptr_eq(&one.code, &other.code)
        && one.pc == other.pc
        && one.return_to == other.return_to
        && one.objects == other.objects
        && match (&one.variable_arguments, &other.variable_arguments) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        }
}

/// The conditions of two states, either of which holds.
pub struct Either {
    /// What holds if the first state is there.
    first: ExprId,
    second: ExprId,
    /// What both have in common.
    common: Constraints,
    /// That, and that one of the two is there.
    whole: Constraints,
    either: ExprId,
    /// Whether the two are seen to exclude each other.
    apart: bool,
}

impl Either {
    /// Of two path conditions; `None` if one of them says nothing that the other does not say.
    pub fn of(exprs: &mut Exprs, one: &Constraints, other: &Constraints) -> Option<Self> {
        let (ones, others) = (one.iter_in_order(), other.iter_in_order());
        // Each is looked up several times.
        work::count(Effort::Part, 8 * (ones.len() + others.len()) as u64);
        let known: FxHashSet<ExprId> = others.iter().copied().collect();
        let (both, mine): (Vec<ExprId>, Vec<ExprId>) =
            ones.into_iter().partition(|constraint| known.contains(constraint));
        let shared: FxHashSet<ExprId> = both.into_iter().collect();
        let mut common = Constraints::new();
        let mut theirs = Vec::new();
        for constraint in others {
            match shared.contains(&constraint) {
                true => common.push(exprs, constraint),
                false => theirs.push(constraint),
            }
        }
        let excluded: FxHashSet<ExprId> = mine.iter().map(|&constraint| exprs.not(constraint)).collect();
        let apart = theirs.iter().any(|constraint| excluded.contains(constraint));
        let mut all = |constraints: &[ExprId]| {
            constraints.iter().fold(Exprs::TRUE, |all, &constraint| exprs.and(all, constraint))
        };
        let (first, second) = (all(&mine), all(&theirs));
        if first == Exprs::TRUE || second == Exprs::TRUE {
            return None;
        }
        let either = exprs.or(first, second);
        let mut whole = common.clone();
        whole.push(exprs, either);
        Some(Self { first, second, common, whole, either, apart })
    }

    /// Whether no input takes both paths. The model is one of either.
    pub fn is_exclusive(&self, exprs: &mut Exprs, solver: &mut Solver, model: &Model) -> bool {
        self.apart || {
            let both = exprs.and(self.first, self.second);
            matches!(solver.check(exprs, &self.common, both, model), Answer::Unsat)
        }
    }

    /// One state for two of these conditions, of which [`may_merge`] is true; `None` if they have to stay apart.
    pub fn state(&self, exprs: &mut Exprs, one: &State, other: &State, ended: bool) -> Option<Box<State>> {
        let parts = one.path.len() + other.path.len() + one.thread.frame.registers.len();
        work::count(Effort::Part, 8 * parts as u64);
        let mut merging = Merging { exprs, first: self.first };
        let mut state = one.fork();
        if !ended {
            state.thread.frame = merging.frame(&one.thread.frame, &other.thread.frame)?;
            state.thread.below = merging.below(&one.thread.below, &other.thread.below)?;
        }
        match (&one.returned, &other.returned) {
            (None, None) => {}
            (Some(one), Some(other)) => {
                if let Some(value) = merging.value(one, other)? {
                    state.returned = Some(value);
                }
            }
            _ => return None,
        }
        state.memory = one.memory.merged(&other.memory, |one, other| merging.object(one, other))?;
        state.path = self.path(one, other);
        state.constraints = self.whole.clone();
        state.depth = one.depth.max(other.depth);
        state.decided = one.decided.max(other.decided);
        state.instructions = one.instructions.max(other.instructions);
        state.indeterminate |= other.indeterminate;
        Some(Box::new(state))
    }

    /// The path condition of both, told as that of the first where they have it in common.
    fn path(&self, one: &State, other: &State) -> SharedList<PathConstraint> {
        let theirs: FxHashSet<ExprId> =
            other.path.iter_newest_first().map(|constraint| constraint.condition).collect();
        let mut path = SharedList::new();
        for constraint in one.path.to_vec() {
            if theirs.contains(&constraint.condition) {
                path.push(*constraint);
            }
        }
        path.push(PathConstraint { condition: self.either, location: None, origin: None, marked: false });
        path
    }
}

/// Two states on their way to be one.
struct Merging<'e> {
    exprs: &'e mut Exprs,
    /// What holds if the first is there.
    first: ExprId,
}

impl Merging<'_> {
    fn frame(&mut self, one: &Frame, other: &Frame) -> Option<Frame> {
        let mut frame = one.clone();
        for (register, theirs) in frame.registers.iter_mut().zip(&other.registers) {
            if let Some(value) = self.value(register, theirs)? {
                *register = value;
            }
        }
        for &(instruction, count) in &other.branch_counts {
            match frame.branch_counts.iter_mut().find(|known| known.0 == instruction) {
                Some(known) => known.1 = known.1.max(count),
                None => frame.branch_counts.push((instruction, count)),
            }
        }
        Some(frame)
    }

    /// The frames below.
    fn below(&mut self, one: &SharedList<Frame>, other: &SharedList<Frame>) -> Option<SharedList<Frame>> {
        if one.is_shared_with(other) {
            return Some(one.clone());
        }
        if one.len() != other.len() {
            return None;
        }
        let mut merged = SharedList::new();
        for (one, other) in one.to_vec().into_iter().zip(other.to_vec()) {
            if !is_same_place(one, other) {
                return None;
            }
            merged.push(self.frame(one, other)?);
        }
        Some(merged)
    }

    /// What a register holds in both; nothing if the first value stays. `None` if the two have to stay apart.
    fn value(&mut self, one: &Value, other: &Value) -> Option<Option<Value>> {
        match (one, other) {
            (Value::Undefined, Value::Undefined) => Some(None),
            (Value::Aggregate(one), Value::Aggregate(other)) => {
                let same =
                    one.len() == other.len() && one.iter().zip(other.iter()).all(|(a, b)| a.is_same(b));
                same.then_some(None)
            }
            _ if one.is_same(other) => Some(None),
            (Value::Symbolic(one), Value::Symbolic(other)) => Some(Some(self.choice(*one, *other)?)),
            (Value::Symbolic(one), _) => {
                let other = self.constant(other.as_concrete()?, *one)?;
                Some(Some(self.choice(*one, other)?))
            }
            (_, Value::Symbolic(other)) => {
                let one = self.constant(one.as_concrete()?, *other)?;
                Some(Some(self.choice(one, *other)?))
            }
            _ => None,
        }
    }

    /// A number that is none of an address, as wide as an expression.
    fn constant(&mut self, number: u128, like: ExprId) -> Option<ExprId> {
        let width = self.exprs.width(like);
        (width < 64 || number < ADDRESSES).then(|| self.exprs.constant(number, width))
    }

    fn choice(&mut self, one: ExprId, other: ExprId) -> Option<Value> {
        let pointer = [one, other].into_iter().any(|expr| self.exprs.split_base(expr).is_some());
        if self.exprs.width(one) != self.exprs.width(other) || pointer {
            return None;
        }
        let chosen = self.exprs.ite(self.first, one, other);
        Some(Value::from_expr(self.exprs, chosen))
    }

    fn object(&mut self, one: &Rc<Object>, other: &Rc<Object>) -> Option<Object> {
        let assumed = match (&one.assumed, &other.assumed) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        };
        let alike = assumed
            && !one.is_endless()
            && Rc::ptr_eq(&one.info, &other.info)
            && (one.size, one.symbolic_size, one.version) == (other.size, other.symbolic_size, other.version);
        if !alike {
            return None;
        }
        if one.is_same_bytes(other) {
            let mut merged = Object::clone(one);
            merged.written |= other.written;
            return Some(merged);
        }
        work::count(Effort::Part, 4 * one.size);
        let (one, other) = (&one.in_cells(self.exprs)?, &other.in_cells(self.exprs)?);
        let mut merged = one.clone();
        merged.written |= other.written;
        let differing = one.differing(other)?;
        let mut next = 0;
        for offset in differing {
            if offset >= next {
                next = offset + self.bytes(one, other, offset, &mut merged)?;
            }
        }
        Some(merged)
    }

    /// Merges the number of two objects that begins at an offset, or the byte there; tells how many bytes that was.
    fn bytes(&mut self, one: &Object, other: &Object, offset: u64, merged: &mut Object) -> Option<u64> {
        let numbers = [self.number(one, offset), self.number(other, offset)];
        let width = numbers.iter().flatten().map(|&number| self.exprs.width(number)).max().unwrap_or(8);
        let mut read = |object: &Object, number: Option<ExprId>| match number {
            Some(number) if self.exprs.width(number) == width => Some(number),
            Some(_) => None,
            None => known(self.exprs, object, offset, width),
        };
        let whole = read(one, numbers[0]).zip(read(other, numbers[1]));
        if let Some((mine, theirs)) = whole {
            if self.is_counting(one, other, offset) {
                return None;
            }
            let number = |expr| self.exprs.as_constant(expr).is_some_and(|number| number >= ADDRESSES);
            if number(mine) || number(theirs) {
                return None;
            }
            let value = self.choice(mine, theirs)?;
            merged.write_scalar(self.exprs, offset, width, &value);
            return Some(u64::from(width / 8));
        }
        let (mine, theirs) = (byte(self.exprs, one, offset)?, byte(self.exprs, other, offset)?);
        let value = self.choice(mine, theirs)?;
        merged.write_scalar(self.exprs, offset, 8, &value);
        Some(1)
    }

    /// The expression whose lowest byte is at an offset, and the others behind it.
    fn number(&mut self, object: &Object, offset: u64) -> Option<ExprId> {
        let Byte::Part { expr, byte: 0 } = object.read_byte(self.exprs, offset) else { return None };
        let width = self.exprs.width(expr);
        let whole = width.is_multiple_of(8) && offset + u64::from(width / 8) <= object.size;
        let all = whole
            && (0..width / 8).all(|byte| {
                let there = object.read_byte(self.exprs, offset + u64::from(byte));
                there == Byte::Part { expr, byte: byte as u8 }
            });
        all.then_some(expr)
    }

    /// Whether all that lies around an offset is known in both: a number that differs there counts, or leads somewhere.
    fn is_counting(&mut self, one: &Object, other: &Object, offset: u64) -> bool {
        let start = offset / WORD * WORD;
        let end = (start + WORD).min(one.size);
        [one, other].into_iter().all(|object| {
            (start..end).all(|at| matches!(object.read_byte(self.exprs, at), Byte::Concrete(_)))
        })
    }
}

/// The known number of so many bits at an offset.
fn known(exprs: &mut Exprs, object: &Object, offset: u64, width: u32) -> Option<ExprId> {
    let bytes = u64::from(width / 8);
    if offset + bytes > object.size {
        return None;
    }
    let mut number = 0u128;
    for at in (0..bytes).rev() {
        let Byte::Concrete(byte) = object.read_byte(exprs, offset + at) else { return None };
        number = number << 8 | u128::from(byte);
    }
    Some(exprs.constant(number, width))
}

fn byte(exprs: &mut Exprs, object: &Object, offset: u64) -> Option<ExprId> {
    match object.read_byte(exprs, offset) {
        Byte::Concrete(byte) => Some(exprs.constant(u128::from(byte), 8)),
        Byte::Part { expr, byte } => Some(exprs.extract(expr, u32::from(byte) * 8, 8)),
        Byte::Uninitialised => None,
    }
}
