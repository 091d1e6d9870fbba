//! Reading, comparing and generalising values of states.

use crate::ring;
use incise_exec::Session;
use incise_exec::inside::{Byte, Memory, Object, ScalarKind, Shape, State, Value, float_format, mask};
use incise_exec::inside::{PartKind, ShapePart, expression, parts};
use incise_ir::promotable;
use incise_ir::{FunctionId, Id, Op, Program, Type, ValueId};
use incise_solver::{
    Answer, ArrayId, BinaryOp, CompareOp, Constraints, ExprId, ExprKind, Exprs, FloatBinary, FloatFormat,
    Model, SymbolId, SymbolKind,
};
use rustc_hash::FxHashSet;

/// Expressions with more nodes are taken to hold an address.
const MOST_NODES: usize = 20_000;

/// Makes symbols that were never used before.
#[derive(Default)]
pub(super) struct Fresh {
    count: u64,
    /// Those that are no number.
    nans: FxHashSet<ExprId>,
    /// The symbols of inputs that are there from the start: they stand for one value, in whatever turn.
    constant: FxHashSet<SymbolId>,
}

impl Fresh {
    /// The inputs of a state are there from the start.
    pub(super) fn begins_with(&mut self, exprs: &Exprs, state: &State) {
        for input in state.inputs.to_vec() {
            self.constant.extend(input.leaves.iter().flat_map(|leaf| exprs.symbols_of(leaf.expr)));
        }
    }

    /// Whether an expression is the same in every turn of a loop.
    pub(super) fn is_constant(&self, exprs: &Exprs, expr: ExprId) -> bool {
        exprs.symbols_of(expr).all(|symbol| self.constant.contains(&symbol))
    }

    pub(super) fn symbol(&mut self, exprs: &mut Exprs, width: u32) -> ExprId {
        self.count += 1;
        exprs.symbol(&format!("loop#{}", self.count), width, SymbolKind::Unsigned)
    }

    /// A number of writes that no array had before, with room for more of them.
    pub(super) fn epoch(&mut self) -> u64 {
        self.count += 1;
        self.count << 32
    }

    /// A symbol that is assumed to be no number, by whoever uses it.
    pub(super) fn nan(&mut self, exprs: &mut Exprs, width: u32) -> ExprId {
        let symbol = self.symbol(exprs, width);
        self.nans.insert(symbol);
        symbol
    }

    /// Whether an expression is no number because of what it is computed from: a solver would have to look into the
    /// arithmetic.
    fn is_nan(&self, exprs: &Exprs, expr: ExprId) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![expr];
        while let Some(expr) = work.pop() {
            if self.nans.contains(&expr) {
                return true;
            }
            let arithmetic = matches!(
                exprs.kind(expr),
                ExprKind::FloatBinary(
                    FloatBinary::Add | FloatBinary::Sub | FloatBinary::Mul | FloatBinary::Div,
                    ..
                ) | ExprKind::FloatToFloat { .. }
            );
            let operands = exprs.kind(expr).operands();
            if arithmetic && seen.len() < MOST_NODES {
                work.extend(operands.iter().copied().filter(|&operand| seen.insert(operand)));
            }
        }
        false
    }
}

/// Asks whether things are equal, given what is known where two states are.
pub(super) struct Ask<'s> {
    pub(super) session: &'s mut Session,
    pub(super) constraints: &'s Constraints,
    pub(super) model: &'s Model,
    pub(super) fresh: &'s mut Fresh,
}

impl Ask<'_> {
    /// Whether a condition is impossible, as far as can be told.
    pub(super) fn never(&mut self, condition: ExprId) -> bool {
        let Session { exprs, solver, .. } = &mut *self.session;
        matches!(solver.check(exprs, self.constraints, condition, self.model), Answer::Unsat)
    }

    /// Whether two expressions are equal, as far as can be told.
    pub(super) fn equal(&mut self, one: ExprId, other: ExprId) -> bool {
        if one == other {
            return true;
        }
        let exprs = &mut self.session.exprs;
        if exprs.width(one) != exprs.width(other) {
            return false;
        }
        if ring::same(exprs, one, other) {
            return true;
        }
        let (one, other) = ring::without_common(exprs, one, other).unwrap_or((one, other));
        let differ = exprs.compare(CompareOp::Ne, one, other);
        self.never(differ)
    }

    /// Whether two floats are the same number, or both none.
    pub(super) fn same_float(&mut self, format: FloatFormat, one: ExprId, other: ExprId) -> bool {
        let exprs = &mut self.session.exprs;
        if self.fresh.is_nan(exprs, one) && self.fresh.is_nan(exprs, other) {
            return true;
        }
        let same = exprs.float_same(format, one, other);
        let differ = exprs.not(same);
        self.never(differ)
    }

    /// Whether two objects hold the same bytes.
    pub(super) fn same_contents(&mut self, one: &Object, other: &Object) -> bool {
        if one.size != other.size {
            return false;
        }
        if let Some(offsets) = one.differing(other) {
            return self.same_bytes(one, other, &offsets);
        }
        let exprs = &mut self.session.exprs;
        let (Some(mine), Some(theirs)) = (array(exprs, one), array(exprs, other)) else { return false };
        if mine == theirs {
            return true;
        }
        let index = self.fresh.symbol(exprs, 64);
        let size = exprs.constant(u128::from(one.size), 64);
        let inside = exprs.compare(CompareOp::Ult, index, size);
        let (mine, theirs) = (exprs.select(mine, index), exprs.select(theirs, index));
        let unlike = exprs.compare(CompareOp::Ne, mine, theirs);
        let differ = exprs.and(inside, unlike);
        self.never(differ)
    }

    fn same_bytes(&mut self, one: &Object, other: &Object, offsets: &[u64]) -> bool {
        let exprs = &mut self.session.exprs;
        let mut differ = exprs.boolean(false);
        let mut seen = 0;
        for &offset in offsets.iter() {
            if offset < seen {
                continue;
            }
            let bytes = stored_word(exprs, one, offset)
                .filter(|&bytes| stored_word(exprs, other, offset) == Some(bytes));
            let bytes = bytes.unwrap_or(1);
            let (Some(mine), Some(theirs)) =
                (word(exprs, one, offset, bytes), word(exprs, other, offset, bytes))
            else {
                return false;
            };
            let unlike = exprs.compare(CompareOp::Ne, mine, theirs);
            differ = exprs.or(differ, unlike);
            seen = offset + u64::from(bytes);
        }
        self.never(differ)
    }
}

/// A multiple of an expression.
pub(super) fn times(exprs: &mut Exprs, factor: i128, expr: ExprId) -> ExprId {
    let width = exprs.width(expr);
    let factor = exprs.constant(factor as u128 & mask(width), width);
    exprs.binary(BinaryOp::Mul, expr, factor)
}

/// The contents of an object as an array; `None` if something of it was never written.
fn array(exprs: &mut Exprs, object: &Object) -> Option<ArrayId> {
    if let Some(array) = object.array_contents() {
        return Some(array);
    }
    if (0..object.size).any(|offset| object.read_byte(exprs, offset) == Byte::Uninitialised) {
        return None;
    }
    // Nothing is uninitialised, so that nothing is made up.
    Some(object.clone().as_array(exprs, |exprs, _| exprs.constant(0, 8)))
}

/// The expression of so many bytes of an object; `None` if one of them was never written.
pub(super) fn word(exprs: &mut Exprs, object: &Object, offset: u64, bytes: u32) -> Option<ExprId> {
    let end = offset.checked_add(u64::from(bytes)).filter(|&end| end <= object.size)?;
    let cells: Vec<Byte> = (offset..end).map(|at| object.read_byte(exprs, at)).collect();
    let kind = PartKind::Number(ScalarKind::Unsigned);
    expression(exprs, &cells, &ShapePart { name: String::new(), offset_bits: 0, bits: bytes * 8, kind })
}

/// The bytes of the word that was stored at an offset, if one begins there.
fn stored_word(exprs: &mut Exprs, object: &Object, offset: u64) -> Option<u32> {
    let Byte::Part { expr, byte: 0 } = object.read_byte(exprs, offset) else { return None };
    let bytes = exprs.width(expr).div_ceil(8);
    let same = |exprs: &mut Exprs, index: u32| {
        object.read_byte(exprs, offset + u64::from(index)) == Byte::Part { expr, byte: index as u8 }
    };
    let whole = exprs.width(expr).is_multiple_of(8) && offset + u64::from(bytes) <= object.size;
    (whole && (0..bytes).all(|index| same(exprs, index))).then_some(bytes)
}

/// The word around an offset: as it was stored now or before, or as the type has it; else the byte.
pub(super) fn word_around(
    exprs: &mut Exprs,
    objects: [&Object; 2],
    layout: &[Scalar],
    offset: u64,
) -> (u64, u32) {
    for object in objects {
        if let Byte::Part { byte, .. } = object.read_byte(exprs, offset)
            && let Some(start) = offset.checked_sub(u64::from(byte))
            && let Some(bytes) = stored_word(exprs, object, start)
        {
            return (start, bytes);
        }
    }
    let typed = layout.iter().find(|scalar| (scalar.offset..scalar.end()).contains(&offset));
    typed.map_or((offset, 1), |scalar| (scalar.offset, scalar.bytes))
}

/// A scalar in an object.
#[derive(Copy, Clone, Debug)]
pub(super) struct Scalar {
    pub(super) offset: u64,
    pub(super) bytes: u32,
    /// If it is a float.
    pub(super) format: Option<FloatFormat>,
}

impl Scalar {
    fn byte(offset: u64) -> Self {
        Self { offset, bytes: 1, format: None }
    }

    fn end(&self) -> u64 {
        self.offset + u64::from(self.bytes)
    }
}

/// How an object is made up of scalars, by its type; single bytes where the type does not tell.
pub(super) fn layout(program: &Program, state: &State, slot: u64, object: &Object) -> Vec<Scalar> {
    let input = state.inputs.iter_newest_first().find(|input| input.slot == Some(slot));
    let shape = input.map(|input| input.shape.clone()).or_else(|| {
        let declared = object.info.debug_type.and_then(|ty| Shape::of_debug_type(program, ty));
        declared.or_else(|| object.info.ty.map(|ty| Shape::of_type(program, ty)))
    });
    let shape = incise_exec::inside::fitted(shape.unwrap_or(Shape::Bytes(object.size)), object.size);
    let mut found: Vec<Scalar> = Vec::new();
    let mut at = 0;
    for part in parts("", &shape) {
        let range = part.bytes();
        let (start, bytes) = (range.start as u64, range.len() as u32);
        let plain = part.offset_bits.is_multiple_of(8) && part.bits == bytes * 8 && bytes <= 16;
        if plain && start >= at && start + u64::from(bytes) <= object.size {
            found.extend((at..start).map(Scalar::byte));
            let format = match part.kind {
                PartKind::Number(ScalarKind::Float(kind)) => comparable(float_format(kind)),
                _ => None,
            };
            found.push(Scalar { offset: start, bytes, format });
            at = start + u64::from(bytes);
        }
    }
    found.extend((at..object.size).map(Scalar::byte));
    found
}

/// A format in which equal numbers have equal bits.
fn comparable(format: FloatFormat) -> Option<FloatFormat> {
    (format != FloatFormat::X87).then_some(format)
}

/// A scalar of a register as an expression, addresses of objects as such; `None` if it was never set. An error if it is
/// no scalar.
pub(super) fn scalar(
    exprs: &mut Exprs,
    memory: &Memory,
    value: &Value,
    width: u32,
) -> Result<Option<ExprId>, String> {
    Ok(Some(match value {
        Value::Word(word) => {
            let constant = exprs.constant(u128::from(*word), width);
            addressed(exprs, memory, constant)
        }
        Value::Wide(wide) => exprs.constant(**wide, width),
        Value::Symbolic(expr) if exprs.width(*expr) == width => *expr,
        Value::Symbolic(_) => return Err("a value of another width in a loop".into()),
        Value::Aggregate(_) => return Err("a struct in a register changes in a loop".into()),
        Value::Undefined => return Ok(None),
    }))
}

/// A constant that is the address of an object, as such.
pub(super) fn addressed(exprs: &mut Exprs, memory: &Memory, expr: ExprId) -> ExprId {
    let Some(address) = exprs.as_constant(expr).filter(|_| exprs.width(expr) == 64) else { return expr };
    let Some(base) = memory.base_of(address as u64) else { return expr };
    let start = exprs.base(base);
    let offset = exprs.constant(u128::from((address as u64).wrapping_sub(base)), 64);
    exprs.binary(BinaryOp::Add, start, offset)
}

/// The bits of a register, and its format if it is a float; `None` if it holds no scalar.
pub(super) fn register_type(
    program: &Program,
    function: FunctionId,
    register: usize,
) -> Option<(u32, Option<FloatFormat>)> {
    let function = &program.functions[function];
    let value = ValueId::from_index(register);
    // A local variable in a register goes by the number of its address.
    let variable = function.instructions.iter().find_map(|(_, instruction)| match &instruction.op {
        Op::Alloca { ty, .. } if instruction.result == Some(value) => Some(*ty),
        _ => None,
    });
    let slot = variable.filter(|_| promotable(program, function)[register]);
    let ty = slot.unwrap_or(function.values[value].ty);
    let format = match program.types.get(ty) {
        Type::Float(kind) => comparable(float_format(*kind)),
        _ => None,
    };
    Some((program.types.scalar_bits(ty)?, format))
}

/// Whether two values are the same without asking.
pub(super) fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Symbolic(one), Value::Symbolic(other)) => one == other,
        (Value::Undefined, Value::Undefined) => true,
        (Value::Aggregate(one), Value::Aggregate(other)) => std::rc::Rc::ptr_eq(one, other),
        _ => one.as_concrete().is_some() && one.as_concrete() == other.as_concrete(),
    }
}

/// By how much a value changed. What holds an address must still be of the same object: an error if that cannot be
/// seen.
pub(super) fn change(exprs: &mut Exprs, before: ExprId, now: ExprId) -> Result<ExprId, String> {
    let width = exprs.width(now);
    if before == now {
        return Ok(exprs.constant(0, width));
    }
    if !has_base(exprs, before) && !has_base(exprs, now) {
        return Ok(exprs.sub(now, before));
    }
    moved(exprs, before, now).ok_or_else(|| "a pointer goes to another object in a loop".into())
}

/// By how much a pointer was moved within its object.
fn moved(exprs: &mut Exprs, before: ExprId, now: ExprId) -> Option<ExprId> {
    if let (Some((one, from)), Some((other, to))) = (exprs.split_base(before), exprs.split_base(now)) {
        let plain = one == other && !has_base(exprs, from) && !has_base(exprs, to);
        return plain.then(|| exprs.sub(to, from));
    }
    if let (Some(from), Some(to)) = (exprs.as_constant(before), exprs.as_constant(now)) {
        let width = exprs.width(now);
        return Some(exprs.constant(to.wrapping_sub(from) & mask(width), width));
    }
    if let (Some((one, then, other)), Some((again, new_then, new_other))) =
        (exprs.split_ite(before), exprs.split_ite(now))
        && one == again
    {
        // Either side is a base, a constant, or a choice in turn: choices nest as the source does.
        let (first, second) = (step(exprs, then, new_then)?, step(exprs, other, new_other)?);
        return (first == second).then_some(first);
    }
    let zero = exprs.constant(0, exprs.width(now));
    let summands = |exprs: &Exprs, expr: ExprId| match *exprs.kind(expr) {
        ExprKind::Binary(BinaryOp::Add, left, right) => (left, right),
        _ => (expr, zero),
    };
    let ((a, b), (c, d)) = (summands(exprs, before), summands(exprs, now));
    for (pointer, from, again, to) in [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)] {
        if pointer == again && !has_base(exprs, from) && !has_base(exprs, to) {
            return Some(exprs.sub(to, from));
        }
    }
    None
}

/// One side of a choice: no choices below it are looked into.
fn step(exprs: &mut Exprs, before: ExprId, now: ExprId) -> Option<ExprId> {
    if before == now {
        return Some(exprs.constant(0, exprs.width(now)));
    }
    if let (Some((one, from)), Some((other, to))) = (exprs.split_base(before), exprs.split_base(now)) {
        return (one == other).then(|| exprs.sub(to, from));
    }
    let (from, to) = (exprs.as_constant(before)?, exprs.as_constant(now)?);
    Some(exprs.constant(to.wrapping_sub(from) & mask(64), exprs.width(now)))
}

/// Whether an expression is made of the address of an object. What is selected from an array is only a number.
pub(super) fn has_base(exprs: &Exprs, expr: ExprId) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        if let ExprKind::Base(_) = exprs.kind(expr) {
            return true;
        }
        if seen.len() > MOST_NODES {
            return true;
        }
        for &operand in exprs.kind(expr).operands().iter() {
            if seen.insert(operand) {
                work.push(operand);
            }
        }
    }
    false
}
