//! A graph of and, exclusive-or, multiplexer and majority gates, hash-consed and simplified as it is built.
//!
//! Majority is there because carries and comparisons are chains of it: a 32-bit comparison takes 32 gates.
//! The operands of a gate are never constants and always of different nodes, which the SAT solver relies on.

use crate::work::{self, Effort};
use rustc_hash::FxHashMap;

/// A node of the graph: the constant, an input, or a gate. Operands have smaller numbers than the gates that
/// use them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct GateNode(u32);

/// A node or its negation, as twice the node's number plus the sign.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Bit(u32);

impl GateNode {
    /// Where the node's data is kept in arrays by node.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The node with this number.
    pub(crate) fn from_index(index: usize) -> GateNode {
        GateNode(index as u32)
    }

    /// The bit that is true when the node has `value`.
    pub(crate) fn bit(self, value: bool) -> Bit {
        Bit(self.0 * 2 + u32::from(!value))
    }
}

impl Bit {
    pub(crate) const FALSE: Bit = Bit(0);
    pub(crate) const TRUE: Bit = Bit(1);

    #[inline]
    pub(crate) fn node(self) -> GateNode {
        GateNode(self.0 >> 1)
    }

    /// Where the bit's data is kept in arrays by bit.
    #[inline]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    #[inline]
    pub(crate) fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(crate) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    pub(crate) fn as_constant(self) -> Option<bool> {
        if self.0 < 2 { Some(self == Bit::TRUE) } else { None }
    }

    /// The bit itself, or its negation if `negate`.
    pub(crate) fn negated_if(self, negate: bool) -> Bit {
        Bit(self.0 ^ u32::from(negate))
    }

    /// The bit of the same node without negation, and whether there was one.
    fn split_sign(self) -> (Bit, bool) {
        (Bit(self.0 & !1), self.0 & 1 == 1)
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;
    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// What a node computes.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// The constant false, only of node 0.
    Constant,
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// If the first then the second else the third.
    Mux(Bit, Bit, Bit),
    Majority(Bit, Bit, Bit),
}

impl Gate {
    /// The operands, as many as there are.
    pub(crate) fn operands(&self) -> ([Bit; 3], usize) {
        match *self {
            Gate::Constant | Gate::Input => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
        }
    }
}

/// The graph. It only grows.
pub(crate) struct Gates {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, GateNode>,
}

impl Gates {
    pub(crate) fn new() -> Self {
        Gates { gates: vec![Gate::Constant], known: FxHashMap::default() }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, node: GateNode) -> Gate {
        self.gates[node.index()]
    }

    pub(crate) fn input(&mut self) -> Bit {
        self.push(Gate::Input).bit(true)
    }

    fn push(&mut self, gate: Gate) -> GateNode {
        let node = GateNode(self.gates.len() as u32);
        self.gates.push(gate);
        node
    }

    fn intern(&mut self, gate: Gate) -> Bit {
        work::count(Effort::Gate, 1);
        let next = GateNode(self.gates.len() as u32);
        let node = *self.known.entry(gate).or_insert(next);
        if node == next {
            self.gates.push(gate);
        }
        node.bit(true)
    }

    pub(crate) fn and(&mut self, mut a: Bit, mut b: Bit) -> Bit {
        loop {
            (a, b) = (a.min(b), a.max(b));
            if a == Bit::FALSE || a == !b {
                return Bit::FALSE;
            }
            if a == Bit::TRUE || a == b {
                return b;
            }
            match self.and_with_operand(a, b).or_else(|| self.and_with_operand(b, a)) {
                Some(Absorbed::Is(result)) => return result,
                // The new operands are parts of the old ones, hence older: this ends.
                Some(Absorbed::Smaller(x, y)) => (a, b) = (x, y),
                None => return self.intern(Gate::And(a, b)),
            }
        }
    }

    /// Simplifies `x and y` where `y` is itself an and-gate (or the negation of one) with operand `x` or its
    /// negation.
    fn and_with_operand(&self, x: Bit, y: Bit) -> Option<Absorbed> {
        let Gate::And(p, q) = self.gate(y.node()) else { return None };
        if y.is_positive() {
            if p == x || q == x {
                return Some(Absorbed::Is(y));
            }
            return (p == !x || q == !x).then_some(Absorbed::Is(Bit::FALSE));
        }
        if p == !x || q == !x {
            return Some(Absorbed::Is(x));
        }
        if p == x {
            return Some(Absorbed::Smaller(x, !q));
        }
        (q == x).then_some(Absorbed::Smaller(x, !p))
    }

    pub(crate) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let ((a, s), (b, t)) = (a.split_sign(), b.split_sign());
        let negate = s != t;
        if a == b {
            return Bit::constant(negate);
        }
        let (a, b) = (a.min(b), a.max(b));
        if a == Bit::FALSE {
            return b.negated_if(negate);
        }
        self.intern(Gate::Xor(a, b)).negated_if(negate)
    }

    /// If `condition` then `then` else `otherwise`.
    pub(crate) fn mux(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        let (condition, then, otherwise) = if condition.is_positive() {
            (condition, then, otherwise)
        } else {
            (!condition, otherwise, then)
        };
        if then == otherwise {
            return then;
        }
        if condition == Bit::FALSE {
            return otherwise;
        }
        if then == !otherwise {
            return self.xor(condition, otherwise);
        }
        if then == Bit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Bit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Bit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        if otherwise == Bit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        let (then, negate) = then.split_sign();
        self.intern(Gate::Mux(condition, then, otherwise.negated_if(negate))).negated_if(negate)
    }

    /// True when at least two of the three are.
    pub(crate) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut operands = [a, b, c];
        operands.sort_unstable();
        let [a, b, c] = operands;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        match a.as_constant() {
            Some(false) => self.and(b, c),
            Some(true) => self.or(b, c),
            None => {
                // Majority is its own dual, so the sign of one operand can go outside.
                let (a, negate) = a.split_sign();
                let gate = Gate::Majority(a, b.negated_if(negate), c.negated_if(negate));
                self.intern(gate).negated_if(negate)
            }
        }
    }
}

/// The outcome of simplifying an and-gate into one of its operands.
enum Absorbed {
    Is(Bit),
    Smaller(Bit, Bit),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a bit when the inputs, which are nodes 1, 2, 3..., have the bits of `assignment`.
    fn evaluate(gates: &Gates, bit: Bit, assignment: u32) -> bool {
        let mut values: Vec<bool> = Vec::new();
        let of = |values: &[bool], bit: Bit| values[bit.node().index()] == bit.is_positive();
        for index in 0..gates.len() {
            let value = match gates.gate(GateNode::from_index(index)) {
                Gate::Constant => false,
                Gate::Input => assignment >> (index - 1) & 1 == 1,
                Gate::And(a, b) => of(&values, a) && of(&values, b),
                Gate::Xor(a, b) => of(&values, a) != of(&values, b),
                Gate::Mux(c, t, e) => {
                    if of(&values, c) {
                        of(&values, t)
                    } else {
                        of(&values, e)
                    }
                }
                Gate::Majority(a, b, c) => {
                    [a, b, c].iter().filter(|operand| of(&values, **operand)).count() >= 2
                }
            };
            values.push(value);
        }
        of(&values, bit)
    }

    #[test]
    fn gates_compute_what_their_names_say_over_all_small_operands() {
        let mut gates = Gates::new();
        let inputs: Vec<Bit> = (0..3).map(|_| gates.input()).collect();
        let mut operands = vec![Bit::FALSE, Bit::TRUE];
        for &input in &inputs {
            operands.extend([input, !input]);
        }
        let nested = [gates.and(inputs[0], inputs[1]), gates.and(!inputs[0], inputs[2])];
        operands.extend(nested.iter().flat_map(|bit| [*bit, !*bit]));
        for &a in &operands {
            for &b in &operands {
                for &c in &operands {
                    let results =
                        [gates.and(a, b), gates.xor(a, b), gates.mux(a, b, c), gates.majority(a, b, c)];
                    for assignment in 0..8 {
                        let [x, y, z] = [a, b, c].map(|bit| evaluate(&gates, bit, assignment));
                        let got = results.map(|bit| evaluate(&gates, bit, assignment));
                        let majority = u8::from(x) + u8::from(y) + u8::from(z) >= 2;
                        assert_eq!(
                            got,
                            [x && y, x != y, if x { y } else { z }, majority],
                            "{a:?} {b:?} {c:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn equal_gates_are_one_node_and_operands_are_distinct_nodes() {
        let mut gates = Gates::new();
        let (a, b, c) = (gates.input(), gates.input(), gates.input());
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.xor(!a, b), !gates.xor(a, b));
        assert_eq!(gates.majority(!a, !b, !c), !gates.majority(c, b, a));
        assert_eq!(gates.mux(!a, b, c), gates.mux(a, c, b));
        for index in 0..gates.len() {
            let (operands, count) = gates.gate(GateNode::from_index(index)).operands();
            for i in 0..count {
                assert!(operands[i].as_constant().is_none());
                assert!((0..i).all(|j| operands[i].node() != operands[j].node()));
            }
        }
    }
}
