//! From expressions to Bitwuzla's terms: each expression, array and float once for a term manager, without
//! recursion.
//!
//! An expression of width 1 becomes a Boolean, all others bit-vectors; where one is needed as the other it is
//! converted on the spot. Floats are in `floats`: Bitwuzla computes on numbers, while our expressions are
//! their bits.

use super::floats::Definition;
use crate::expr::{
    ArrayId, ArrayKind, BinaryOp, ExprId, ExprKind, Exprs, FloatFormat, MathFunction, Relation, SymbolId,
};
use crate::work::Deadline;
use incise_bitwuzla::{Error, Kind, Sort, Stop, Term, TermManager};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The width of the index of an array.
const INDEX_WIDTH: u32 = 64;

/// One thing to translate.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(super) enum Task {
    /// An expression as its bits, or a Boolean if its width is 1.
    Bits(ExprId),
    /// An expression as a number of Bitwuzla.
    Float(ExprId, FloatFormat),
    Array(ArrayId),
}

/// The translator, with all terms made so far.
pub(super) struct Translator {
    pub(super) manager: TermManager,
    terms: FxHashMap<Task, Term>,
    /// Conditions with all definitions that they need.
    conditions: FxHashMap<ExprId, Term>,
    /// What the bits of float results are defined by, and what is known of the results of library functions: asserted
    /// with every condition that uses them.
    pub(super) definitions: FxHashMap<ExprId, Term>,
    /// Functions of the C library, as arrays of which nothing is known.
    pub(super) functions: FxHashMap<(MathFunction, FloatFormat), Term>,
    /// When to give up, and who says so.
    pub(super) end: Deadline,
    interrupt: Option<Arc<AtomicBool>>,
}

/// After so many terms it is time to look whether to go on.
const TERMS_BETWEEN_LOOKS: usize = 1 << 12;

impl Translator {
    pub(super) fn new(interrupt: Option<Arc<AtomicBool>>) -> Result<Self, Error> {
        Ok(Translator {
            manager: TermManager::new()?,
            terms: FxHashMap::default(),
            conditions: FxHashMap::default(),
            definitions: FxHashMap::default(),
            functions: FxHashMap::default(),
            end: Deadline::default(),
            interrupt,
        })
    }

    /// Gives up if nobody waits any more, once in a while.
    fn look(&self) -> Result<(), Error> {
        if !self.terms.len().is_multiple_of(TERMS_BETWEEN_LOOKS) {
            return Ok(());
        }
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Stopped(Stop::Interrupted));
        }
        match self.end.time_left() {
            Some(Duration::ZERO) => Err(Error::Stopped(Stop::TimeLimit)),
            _ => Ok(()),
        }
    }

    /// The number of expressions, floats and arrays translated.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// A Boolean that says that a condition, an expression of width 1, holds.
    pub(super) fn condition(&mut self, exprs: &Exprs, condition: ExprId) -> Result<Term, Error> {
        if let Some(term) = self.conditions.get(&condition) {
            return Ok(*term);
        }
        self.translate(exprs, Task::Bits(condition))?;
        let mut term = self.boolean(exprs, condition)?;
        for definition in self.definitions_below(exprs, condition) {
            term = self.make(Kind::And, &[term, definition])?;
        }
        self.conditions.insert(condition, term);
        Ok(term)
    }

    /// The term of a symbol, if it occurs in what was translated.
    pub(super) fn symbol(&self, exprs: &Exprs, symbol: SymbolId) -> Option<Term> {
        self.terms.get(&Task::Bits(exprs.symbol_expr(symbol))).copied()
    }

    /// What is to be asserted of all float results that a condition depends on, in an order that depends on its
    /// structure alone.
    fn definitions_below(&self, exprs: &Exprs, condition: ExprId) -> Vec<Term> {
        if self.definitions.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = vec![Task::Bits(condition)];
        while let Some(task) = stack.pop() {
            if seen.insert(task) {
                if let Task::Bits(expr) = task {
                    found.extend(self.definitions.get(&expr));
                }
                each_part(exprs, task, |part| stack.push(part));
            }
        }
        found
    }

    fn translate(&mut self, exprs: &Exprs, root: Task) -> Result<(), Error> {
        let mut stack = vec![root];
        while let Some(&task) = stack.last() {
            if self.terms.contains_key(&task) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            each_part(exprs, task, |part| {
                if !self.terms.contains_key(&part) {
                    stack.push(part);
                }
            });
            if stack.len() == before {
                let term = self.build(exprs, task)?;
                self.terms.insert(task, term);
                self.look()?;
            }
        }
        Ok(())
    }

    fn build(&mut self, exprs: &Exprs, task: Task) -> Result<Term, Error> {
        match task {
            Task::Array(array) => self.build_array(exprs, array),
            Task::Float(expr, format) => self.build_float(exprs, expr, format),
            Task::Bits(expr) if has_float_result(exprs.kind(expr)) => {
                let Definition { bits, definition } = self.bits_of_float(exprs, expr)?;
                self.definitions.insert(expr, definition);
                Ok(bits)
            }
            Task::Bits(expr) => match *exprs.kind(expr) {
                ExprKind::Math(function, format, a, b) => {
                    let Definition { bits, definition } =
                        self.application(exprs, function, format, [a, b])?;
                    self.definitions.insert(expr, definition);
                    Ok(bits)
                }
                _ => self.build_bits(exprs, expr),
            },
        }
    }

    fn build_bits(&mut self, exprs: &Exprs, expr: ExprId) -> Result<Term, Error> {
        let width = exprs.width(expr);
        match *exprs.kind(expr) {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) | ExprKind::Base(_) => {
                let value = match *exprs.kind(expr) {
                    ExprKind::Base(address) => address.into(),
                    _ => exprs.as_constant(expr).unwrap_or(0),
                };
                if width == 1 {
                    self.manager.boolean(value == 1)
                } else {
                    self.manager.bit_vector(value, width)
                }
            }
            ExprKind::Symbol(symbol) => {
                let sort = if width == 1 { Sort::Boolean } else { Sort::BitVector(width) };
                // Symbols of one name and different widths are different symbols, and must be so in a printed
                // script.
                let name = exprs.symbol_info(symbol).name.replace(['\0', '|', '\\'], "?");
                self.manager.constant(sort, &format!("{name}:{width}"))
            }
            ExprKind::Binary(op, a, b) if width == 1 => self.binary_of_booleans(exprs, op, a, b),
            ExprKind::Binary(op, a, b) => {
                let operands = [self.bits(exprs, a)?, self.bits(exprs, b)?];
                self.make(binary_kind(op), &operands)
            }
            ExprKind::Compare(relation, a, b) => self.compare(exprs, relation, a, b),
            ExprKind::Not(a) if width == 1 => {
                let a = self.boolean(exprs, a)?;
                self.make(Kind::Not, &[a])
            }
            ExprKind::Not(a) => {
                let a = self.bits(exprs, a)?;
                self.make(Kind::BvNot, &[a])
            }
            ExprKind::ZeroExtend(a) => self.extend(exprs, Kind::BvZeroExtend, a, width),
            ExprKind::SignExtend(a) => self.extend(exprs, Kind::BvSignExtend, a, width),
            ExprKind::Extract { of, low } => {
                let of = self.bits(exprs, of)?;
                let part = self.extract(of, low, width)?;
                self.narrow(part)
            }
            ExprKind::Concat(high, low) => {
                let operands = [self.bits(exprs, high)?, self.bits(exprs, low)?];
                self.make(Kind::BvConcat, &operands)
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = self.boolean(exprs, condition)?;
                let (then, otherwise) = (self.term(Task::Bits(then))?, self.term(Task::Bits(otherwise))?);
                self.make(Kind::Ite, &[condition, then, otherwise])
            }
            ExprKind::Select(array, index) => {
                let operands = [self.term(Task::Array(array))?, self.bits(exprs, index)?];
                self.make(Kind::ArraySelect, &operands)
            }
            ExprKind::FloatCompare(op, format, a, b) => self.float_compare(op, format, a, b),
            ExprKind::FloatToInt { from, signed, of } => {
                let bits = self.float_to_int(from, signed, width, of)?;
                self.narrow(bits)
            }
            // These have float results, which `build` takes care of.
            ExprKind::Math(function, format, a, b) => {
                self.application(exprs, function, format, [a, b]).map(|definition| definition.bits)
            }
            ExprKind::FloatBinary(..)
            | ExprKind::FloatUnary(..)
            | ExprKind::FloatFma(..)
            | ExprKind::FloatToFloat { .. }
            | ExprKind::IntToFloat { .. } => {
                self.bits_of_float(exprs, expr).map(|definition| definition.bits)
            }
        }
    }

    fn binary_of_booleans(
        &mut self,
        exprs: &Exprs,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> Result<Term, Error> {
        let kind = match op {
            BinaryOp::And | BinaryOp::Mul => Kind::And,
            BinaryOp::Or => Kind::Or,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Kind::Xor,
            _ => {
                let operands = [self.bits(exprs, a)?, self.bits(exprs, b)?];
                let result = self.make(binary_kind(op), &operands)?;
                return self.narrow(result);
            }
        };
        let operands = [self.boolean(exprs, a)?, self.boolean(exprs, b)?];
        self.make(kind, &operands)
    }

    fn compare(&mut self, exprs: &Exprs, relation: Relation, a: ExprId, b: ExprId) -> Result<Term, Error> {
        if relation == Relation::Eq {
            let operands = [self.term(Task::Bits(a))?, self.term(Task::Bits(b))?];
            return self.make(Kind::Equal, &operands);
        }
        let kind = if relation == Relation::Ult { Kind::BvUlt } else { Kind::BvSlt };
        let operands = [self.bits(exprs, a)?, self.bits(exprs, b)?];
        self.make(kind, &operands)
    }

    fn extend(&mut self, exprs: &Exprs, kind: Kind, of: ExprId, width: u32) -> Result<Term, Error> {
        let added = u64::from(width - exprs.width(of));
        let of = self.bits(exprs, of)?;
        self.manager.mk_term(kind, &[of], &[added])
    }

    fn build_array(&mut self, exprs: &Exprs, array: ArrayId) -> Result<Term, Error> {
        let zero = self.manager.bit_vector(0, 8)?;
        let mut result = self.manager.constant_array(INDEX_WIDTH, zero)?;
        match exprs.array_kind(array) {
            ArrayKind::Bytes(bytes) => {
                for (place, byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                    let value = self.manager.bit_vector((*byte).into(), 8)?;
                    result = self.store(result, place, value)?;
                }
                Ok(result)
            }
            ArrayKind::Cells(cells) => {
                for (place, cell) in cells.iter().enumerate() {
                    if exprs.as_constant(*cell) != Some(0) {
                        let value = self.bits(exprs, *cell)?;
                        result = self.store(result, place, value)?;
                    }
                }
                Ok(result)
            }
            ArrayKind::Store { array, index, value } => {
                let operands =
                    [self.term(Task::Array(array))?, self.bits(exprs, index)?, self.bits(exprs, value)?];
                self.make(Kind::ArrayStore, &operands)
            }
        }
    }

    fn store(&mut self, array: Term, place: usize, value: Term) -> Result<Term, Error> {
        let place = self.manager.bit_vector(place as u128, INDEX_WIDTH)?;
        self.make(Kind::ArrayStore, &[array, place, value])
    }

    /// What a task that is done gave.
    pub(super) fn term(&self, task: Task) -> Result<Term, Error> {
        // Parts are translated before what is made of them; were one missing, that would be an error of ours,
        // not a reason to panic.
        self.terms.get(&task).copied().ok_or(Error::ForeignTerm)
    }

    /// An expression as a bit-vector, also if its width is 1.
    pub(super) fn bits(&self, exprs: &Exprs, expr: ExprId) -> Result<Term, Error> {
        let term = self.term(Task::Bits(expr))?;
        if exprs.width(expr) > 1 {
            return Ok(term);
        }
        let (one, zero) = (self.manager.bit_vector(1, 1)?, self.manager.bit_vector(0, 1)?);
        self.make(Kind::Ite, &[term, one, zero])
    }

    /// An expression of width 1 as a Boolean.
    fn boolean(&self, exprs: &Exprs, expr: ExprId) -> Result<Term, Error> {
        debug_assert_eq!(exprs.width(expr), 1);
        self.term(Task::Bits(expr))
    }

    /// A bit-vector as the term of an expression: a Boolean if it has one bit.
    fn narrow(&self, bits: Term) -> Result<Term, Error> {
        if bits.sort() != Sort::BitVector(1) {
            return Ok(bits);
        }
        let one = self.manager.bit_vector(1, 1)?;
        self.make(Kind::Equal, &[bits, one])
    }

    pub(super) fn extract(&self, of: Term, low: u32, width: u32) -> Result<Term, Error> {
        self.manager.mk_term(Kind::BvExtract, &[of], &[u64::from(low + width - 1), u64::from(low)])
    }

    pub(super) fn make(&self, kind: Kind, arguments: &[Term]) -> Result<Term, Error> {
        self.manager.mk_term(kind, arguments, &[])
    }
}

/// The tasks that must be done before a task.
fn each_part(exprs: &Exprs, task: Task, mut visit: impl FnMut(Task)) {
    match task {
        Task::Array(array) => match exprs.array_kind(array) {
            ArrayKind::Bytes(_) => {}
            ArrayKind::Cells(cells) => cells.iter().for_each(|cell| visit(Task::Bits(*cell))),
            ArrayKind::Store { array, index, value } => {
                visit(Task::Array(array));
                visit(Task::Bits(index));
                visit(Task::Bits(value));
            }
        },
        Task::Float(expr, format) => match *exprs.kind(expr) {
            ExprKind::FloatBinary(_, own, a, b) if own == format => {
                visit(Task::Float(a, format));
                visit(Task::Float(b, format));
            }
            ExprKind::FloatUnary(_, own, a) if own == format => visit(Task::Float(a, format)),
            ExprKind::FloatFma(own, a, b, c) if own == format => {
                [a, b, c].iter().for_each(|operand| visit(Task::Float(*operand, format)));
            }
            ExprKind::FloatToFloat { from, to, of } if to == format => visit(Task::Float(of, from)),
            ExprKind::IntToFloat { to, of, .. } if to == format => visit(Task::Bits(of)),
            ExprKind::Ite(condition, then, otherwise) => {
                visit(Task::Bits(condition));
                visit(Task::Float(then, format));
                visit(Task::Float(otherwise, format));
            }
            _ => visit(Task::Bits(expr)),
        },
        Task::Bits(expr) => match *exprs.kind(expr) {
            ExprKind::FloatCompare(_, format, a, b) => {
                visit(Task::Float(a, format));
                visit(Task::Float(b, format));
            }
            ExprKind::FloatToInt { from, of, .. } => visit(Task::Float(of, from)),
            // The value depends on the bits of the arguments, what is known of it on the numbers.
            kind @ ExprKind::Math(_, format, ..) => {
                for &operand in kind.operands().iter() {
                    visit(Task::Bits(operand));
                    visit(Task::Float(operand, format));
                }
            }
            kind => {
                if let Some(format) = float_result(&kind) {
                    visit(Task::Float(expr, format));
                }
                // The bits of operands decide about those of a result that is not a number.
                kind.operands().iter().for_each(|operand| visit(Task::Bits(*operand)));
                if let ExprKind::Select(array, _) = kind {
                    visit(Task::Array(array));
                }
            }
        },
    }
}

/// The format of the result of a float operation.
pub(super) fn float_result(kind: &ExprKind) -> Option<FloatFormat> {
    match *kind {
        ExprKind::FloatBinary(_, format, ..)
        | ExprKind::FloatUnary(_, format, _)
        | ExprKind::FloatFma(format, ..) => Some(format),
        ExprKind::FloatToFloat { to, .. } | ExprKind::IntToFloat { to, .. } => Some(to),
        _ => None,
    }
}

fn has_float_result(kind: &ExprKind) -> bool {
    float_result(kind).is_some()
}

fn binary_kind(op: BinaryOp) -> Kind {
    match op {
        BinaryOp::Add => Kind::BvAdd,
        BinaryOp::Sub => Kind::BvSub,
        BinaryOp::Mul => Kind::BvMul,
        BinaryOp::UDiv => Kind::BvUdiv,
        BinaryOp::SDiv => Kind::BvSdiv,
        BinaryOp::URem => Kind::BvUrem,
        BinaryOp::SRem => Kind::BvSrem,
        BinaryOp::Shl => Kind::BvShl,
        BinaryOp::LShr => Kind::BvShr,
        BinaryOp::AShr => Kind::BvAshr,
        BinaryOp::And => Kind::BvAnd,
        BinaryOp::Or => Kind::BvOr,
        BinaryOp::Xor => Kind::BvXor,
    }
}
