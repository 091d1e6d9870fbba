//! From expressions to gates. Each expression is translated once for the life of the graph, without recursion.
//!
//! Not translated are float operations (bit operations on floats are), and operations whose circuit alone
//! would be larger than what the caller's solver is good for; both are left to the next stage, and remembered
//! so that asking again costs nothing.
//!
//! One concern a file: `gates` (the graph), `words` and `divide` (arithmetic), `arrays` (reading bytes at
//! symbolic indices).

mod arrays;
mod divide;
pub(crate) mod gates;
#[cfg(test)]
mod tests;
mod words;

use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs, Relation};
use arrays::Reads;
use divide::Divisions;
use gates::{Bit, Gates};
use words::Shift;

/// Why an expression has no gates.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotBlasted {
    /// It contains a float operation.
    Float,
    /// It contains an operation that takes too many gates.
    TooLarge,
    /// Nobody waits for it any more. This is not remembered: another time it may be translated.
    Stopped,
}

/// What is known of the translation of one expression.
#[derive(Copy, Clone, PartialEq, Eq)]
enum State {
    Unvisited,
    /// Where its bits begin in the pool, and whether they depend on a product or quotient of two wide unknowns.
    Done {
        start: u32,
        hard: bool,
    },
    Impossible(NotBlasted),
}

/// A product or quotient of two unknown words of this width or more makes an expression hard for a SAT solver.
const HARD_WIDTH: usize = 16;

/// How many times the limit of one operation the words of one condition may grow.
const GROWTH: usize = 128;

/// The translator, with the graph that it builds.
pub(crate) struct Blaster {
    gates: Gates,
    states: Vec<State>,
    pool: Vec<Bit>,
    divisions: Divisions,
    reads: Reads,
    /// Operations that would take more gates than this are not translated.
    operation_limit: usize,
    /// Whether products and quotients of two wide unknowns, and those that take too many gates, are told loosely.
    loosely: bool,
    stack: Vec<ExprId>,
    /// How many expressions were built.
    built: usize,
}

/// After so many expressions it is time to look whether to go on: one may take thousands of gates.
const BUILT_BETWEEN_LOOKS: usize = 8;

impl Blaster {
    pub(crate) fn new(operation_limit: usize) -> Self {
        Blaster {
            gates: Gates::new(),
            states: Vec::new(),
            pool: Vec::new(),
            divisions: Divisions::default(),
            reads: Reads::default(),
            operation_limit,
            loosely: false,
            stack: Vec::new(),
            built: 0,
        }
    }

    /// One that tells products and quotients of unknowns loosely: what cannot hold in its circuit cannot hold, and
    /// nothing else is to be learned from it.
    pub(crate) fn loose(operation_limit: usize) -> Self {
        Blaster { loosely: true, ..Blaster::new(operation_limit) }
    }

    pub(crate) fn gates(&self) -> &Gates {
        &self.gates
    }

    /// The bit of a condition, an expression of width 1. It is asked from time to time whether to stop.
    pub(crate) fn condition(
        &mut self,
        exprs: &Exprs,
        condition: ExprId,
        must_stop: &dyn Fn() -> bool,
    ) -> Result<Bit, NotBlasted> {
        self.translate(exprs, condition, must_stop)?;
        Ok(self.bits(exprs, condition).first().copied().unwrap_or(Bit::FALSE))
    }

    /// Whether a translated expression depends on a product or quotient of two wide unknowns.
    pub(crate) fn is_hard(&self, expr: ExprId) -> bool {
        matches!(self.states.get(expr.index()), Some(State::Done { hard: true, .. }))
    }

    /// The bits of an expression, the lowest first; none if it was not translated.
    pub(crate) fn bits(&self, exprs: &Exprs, expr: ExprId) -> &[Bit] {
        match self.states.get(expr.index()) {
            Some(&State::Done { start, .. }) => {
                let start = start as usize;
                &self.pool[start..start + exprs.width(expr) as usize]
            }
            _ => &[],
        }
    }

    fn translate(
        &mut self,
        exprs: &Exprs,
        root: ExprId,
        must_stop: &dyn Fn() -> bool,
    ) -> Result<(), NotBlasted> {
        if self.states.len() <= root.index() {
            self.states.resize(exprs.node_count(), State::Unvisited);
        }
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(root);
        // What is built counts even where gates fold away: a deep expression must not eat the time of its
        // query.
        let room = self.pool.len() + self.operation_limit * GROWTH;
        while let Some(&expr) = stack.last() {
            let stopped = self.built % BUILT_BETWEEN_LOOKS == BUILT_BETWEEN_LOOKS - 1 && must_stop();
            if self.pool.len() > room || stopped {
                // The parts that are done stay; the next query may go on from them.
                stack.clear();
                self.stack = stack;
                return Err(if stopped { NotBlasted::Stopped } else { NotBlasted::TooLarge });
            }
            if self.states[expr.index()] != State::Unvisited {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let mut impossible = None;
            let mut hard = false;
            self.each_operand(exprs, expr, |states, operand| match states[operand.index()] {
                State::Unvisited => stack.push(operand),
                State::Done { hard: operand_hard, .. } => hard |= operand_hard,
                State::Impossible(why) => impossible = Some(why),
            });
            if let Some(why) = impossible {
                stack.truncate(before);
                self.states[expr.index()] = State::Impossible(why);
            } else if stack.len() == before {
                self.built += 1;
                self.states[expr.index()] = match self.build(exprs, expr) {
                    Ok((word, own_hard)) => self.store(&word, hard || own_hard),
                    Err(why) => State::Impossible(why),
                };
            }
        }
        self.stack = stack;
        match self.states[root.index()] {
            State::Impossible(why) => Err(why),
            _ => Ok(()),
        }
    }

    fn each_operand(&self, exprs: &Exprs, expr: ExprId, mut visit: impl FnMut(&[State], ExprId)) {
        let kind = exprs.kind(expr);
        for &operand in kind.operands().iter() {
            visit(&self.states, operand);
        }
        if let ExprKind::Select(array, index) = *kind {
            self.reads.each_part(exprs, array, index, |part| visit(&self.states, part));
        }
    }

    fn store(&mut self, word: &[Bit], hard: bool) -> State {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(word);
        State::Done { start, hard }
    }

    /// Builds the gates of an expression whose operands are done. Also tells whether the operation itself is
    /// a hard one.
    fn build(&mut self, exprs: &Exprs, expr: ExprId) -> Result<(Vec<Bit>, bool), NotBlasted> {
        let width = exprs.width(expr) as usize;
        let word = |blaster: &Self, operand: ExprId| blaster.bits(exprs, operand).to_vec();
        let easy = |word: Vec<Bit>| Ok((word, false));
        match *exprs.kind(expr) {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) => {
                easy(words::constant(exprs.as_constant(expr).unwrap_or(0), width))
            }
            ExprKind::Base(address) => easy(words::constant(address.into(), width)),
            ExprKind::Symbol(_) => easy((0..width).map(|_| self.gates.input()).collect()),
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (word(self, a), word(self, b));
                self.binary(op, &a, &b)
            }
            ExprKind::Compare(relation, a, b) => {
                let (a, b) = (word(self, a), word(self, b));
                easy(vec![match relation {
                    Relation::Eq => words::equal(&mut self.gates, &a, &b),
                    Relation::Ult => words::less_unsigned(&mut self.gates, &a, &b),
                    Relation::Slt => words::less_signed(&mut self.gates, &a, &b),
                }])
            }
            ExprKind::Not(a) => easy(words::complement(self.bits(exprs, a))),
            ExprKind::ZeroExtend(a) => {
                let mut bits = word(self, a);
                bits.resize(width, Bit::FALSE);
                easy(bits)
            }
            ExprKind::SignExtend(a) => {
                let mut bits = word(self, a);
                bits.resize(width, words::sign(&bits));
                easy(bits)
            }
            ExprKind::Extract { of, low } => {
                let low = low as usize;
                easy(self.bits(exprs, of)[low..low + width].to_vec())
            }
            ExprKind::Concat(high, low) => {
                let mut bits = word(self, low);
                bits.extend_from_slice(self.bits(exprs, high));
                easy(bits)
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = words::sign(self.bits(exprs, condition));
                let (then, otherwise) = (word(self, then), word(self, otherwise));
                easy(words::mux(&mut self.gates, condition, &then, &otherwise))
            }
            ExprKind::Select(array, index) => easy(self.read(exprs, array, index)?),
            ExprKind::FloatBinary(..)
            | ExprKind::FloatUnary(..)
            | ExprKind::FloatFma(..)
            | ExprKind::FloatCompare(..)
            | ExprKind::FloatToFloat { .. }
            | ExprKind::FloatToInt { .. }
            | ExprKind::IntToFloat { .. }
            | ExprKind::Math(..) => Err(NotBlasted::Float),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Result<(Vec<Bit>, bool), NotBlasted> {
        let unknown = |word: &[Bit]| word.iter().filter(|bit| bit.as_constant().is_none()).count();
        let both_unknown = words::as_constant(a).is_none() && words::as_constant(b).is_none();
        let hard = both_unknown && unknown(a).min(unknown(b)) >= HARD_WIDTH;
        let is_division = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
        let cost = match op {
            BinaryOp::Mul if both_unknown => 3 * unknown(a).min(unknown(b)) * a.len(),
            _ if is_division => 4 * a.len() * a.len(),
            _ => 0,
        };
        let loosely = self.loosely && (hard || cost > self.operation_limit);
        if cost > self.operation_limit && !loosely {
            return Err(NotBlasted::TooLarge);
        }
        self.divisions.loosely = loosely;
        let gates = &mut self.gates;
        let word = match op {
            BinaryOp::Add => words::add(gates, a, b, Bit::FALSE).0,
            BinaryOp::Sub => words::subtract(gates, a, b),
            BinaryOp::Mul if loosely => divide::multiply_loosely(gates, a, b),
            BinaryOp::Mul => words::multiply(gates, a, b),
            BinaryOp::UDiv => self.divisions.unsigned(gates, a, b).0,
            BinaryOp::URem => self.divisions.unsigned(gates, a, b).1,
            BinaryOp::SDiv => self.divisions.signed(gates, a, b).0,
            BinaryOp::SRem => self.divisions.signed(gates, a, b).1,
            BinaryOp::Shl => words::shift(gates, Shift::Left, a, b),
            BinaryOp::LShr => words::shift(gates, Shift::Right, a, b),
            BinaryOp::AShr => words::shift(gates, Shift::RightSigned, a, b),
            BinaryOp::And => a.iter().zip(b).map(|(&x, &y)| gates.and(x, y)).collect(),
            BinaryOp::Or => a.iter().zip(b).map(|(&x, &y)| gates.or(x, y)).collect(),
            BinaryOp::Xor => a.iter().zip(b).map(|(&x, &y)| gates.xor(x, y)).collect(),
        };
        Ok((word, (op == BinaryOp::Mul || is_division) && hard && !loosely))
    }
}
