//! Numbers as sums: `2 * i + n - 1`, and the conditions between them that hold in a block.

use crate::flow::{Flow, Origins};
use crate::locals::LocalNode;
use crate::places::{InputPlace, PlaceId, composite, pointee};
use incise_ir::{BinaryOp, BlockId, Callee, CastOp, IntegerPredicate, IntrinsicKind, Op, Operand, Type};
use std::rc::Rc;

/// What a sum is made of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Key {
    /// The value of an input.
    InputPlace(PlaceId),
    /// The product of two inputs, in order.
    Product(PlaceId, PlaceId),
    /// Another value.
    LocalNode(LocalNode),
}

/// A sum of values, each some times, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Sum {
    /// The values and how often they count, in order, never zero times.
    pub(crate) terms: Vec<(Key, i64)>,
    pub(crate) add: i64,
}

impl Sum {
    pub(crate) fn number(add: i64) -> Self {
        Self { terms: Vec::new(), add }
    }

    pub(crate) fn key(key: Key) -> Self {
        Self { terms: vec![(key, 1)], add: 0 }
    }

    /// The constant, if there is nothing else.
    pub(crate) fn constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.add)
    }

    /// The only value, if it counts once.
    pub(crate) fn single(&self) -> Option<Key> {
        match self.terms.as_slice() {
            [(key, 1)] => Some(*key),
            _ => None,
        }
    }

    /// The product of two sums, if each is an input and a constant one of them may have beside it.
    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        let (&[(Key::InputPlace(one), count)], &[(Key::InputPlace(two), by)]) =
            (self.terms.as_slice(), other.terms.as_slice())
        else {
            return None;
        };
        if other.add != 0 {
            return (self.add == 0).then(|| other.times(self))?;
        }
        let product = Self::key(Key::Product(one.min(two), one.max(two)));
        let whole = Self::default().plus(&product, count.wrapping_mul(by));
        Some(whole.plus(&Self::key(Key::InputPlace(two)), self.add.wrapping_mul(by)))
    }

    /// The sum of this and `times` another one.
    pub(crate) fn plus(&self, other: &Self, times: i64) -> Self {
        let mut sum = self.clone();
        sum.add = sum.add.wrapping_add(other.add.wrapping_mul(times));
        for &(key, count) in &other.terms {
            let count = count.wrapping_mul(times);
            match sum.terms.binary_search_by_key(&key, |term| term.0) {
                Ok(at) => {
                    sum.terms[at].1 = sum.terms[at].1.wrapping_add(count);
                    if sum.terms[at].1 == 0 {
                        sum.terms.remove(at);
                    }
                }
                Err(at) if count != 0 => sum.terms.insert(at, (key, count)),
                Err(_) => {}
            }
        }
        sum
    }
}

/// A comparison that holds.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) predicate: IntegerPredicate,
    pub(crate) left: Sum,
    pub(crate) right: Sum,
    pub(crate) pointers: bool,
}

/// How deep values and conditions are taken apart.
const DEPTH: u32 = 8;
/// The most conditions that are looked at for a block.
const MOST: usize = 64;

impl Flow<'_> {
    /// A value without conversions.
    pub(crate) fn stripped(&self, mut node: LocalNode) -> LocalNode {
        for _ in 0..DEPTH {
            node = match self.definition(node) {
                Some(Op::Cast { op: CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend, value }) => {
                    self.node(*value)
                }
                Some(Op::Freeze(value)) => self.node(*value),
                Some(Op::Call(call)) => match &call.callee {
                    Callee::Intrinsic(it)
                        if matches!(
                            it.kind,
                            IntrinsicKind::Expect | IntrinsicKind::ExpectWithProbability
                        ) =>
                    {
                        match call.arguments.first() {
                            Some(&value) => self.node(value),
                            None => return node,
                        }
                    }
                    _ => return node,
                },
                _ => return node,
            };
        }
        node
    }

    /// A number as a sum; a pointer as a sum in bytes.
    pub(crate) fn sum(&mut self, node: LocalNode) -> Sum {
        self.sum_below(node, 0)
    }

    pub(crate) fn operand_sum(&mut self, operand: Operand) -> Sum {
        self.sum(self.node(operand))
    }

    fn sum_below(&mut self, node: LocalNode, depth: u32) -> Sum {
        let node = self.stripped(node);
        if depth < DEPTH
            && let Some(Op::ElementPointer { base, offset, terms, .. }) = self.definition(node)
        {
            let mut sum = self.sum_below(self.node(*base), depth + 1);
            sum.add = sum.add.wrapping_add(*offset);
            for &(index, stride) in terms {
                sum = sum.plus(&self.sum_below(self.node(index), depth + 1), stride);
            }
            return sum;
        }
        if let Some(number) = self.constant(node) {
            return Sum::number(number);
        }
        if depth < DEPTH
            && let Some((op, left, right)) = self.binary(node)
        {
            match op {
                BinaryOp::Add => {
                    let left = self.sum_below(left, depth + 1);
                    return left.plus(&self.sum_below(right, depth + 1), 1);
                }
                BinaryOp::Sub => {
                    let left = self.sum_below(left, depth + 1);
                    return left.plus(&self.sum_below(right, depth + 1), -1);
                }
                BinaryOp::Mul => {
                    let (left, right) = (self.sum_below(left, depth + 1), self.sum_below(right, depth + 1));
                    match (left.constant(), right.constant()) {
                        (_, Some(times)) => return Sum::default().plus(&left, times),
                        (Some(times), _) => return Sum::default().plus(&right, times),
                        _ => {}
                    }
                    if let Some(product) = left.times(&right) {
                        return product;
                    }
                }
                BinaryOp::Shl => {
                    if let Some(bits @ 0..=31) = self.constant(self.stripped(right)) {
                        return Sum::default().plus(&self.sum_below(left, depth + 1), 1 << bits);
                    }
                }
                _ => {}
            }
        }
        Sum::key(self.key(node))
    }

    /// A value, or the input that it is: two loads of one member are one.
    pub(crate) fn key(&mut self, node: LocalNode) -> Key {
        match self.origins(node).single_exact() {
            Some(place) if self.is_steady(place) => Key::InputPlace(place),
            _ => Key::LocalNode(self.numbered(node)),
        }
    }

    /// The first value that was made of the same by the same operation: `n / 2` is `n / 2`, however often it is
    /// written.
    fn numbered(&mut self, node: LocalNode) -> LocalNode {
        let Some((op, left, right)) = self.binary(node) else { return node };
        let small = |flow: &Self, node: LocalNode| match flow.stripped(node) {
            LocalNode::Constant(_) | LocalNode::Join(_) => true,
            other => flow.origins_ref(other).and_then(Origins::single_exact).is_some(),
        };
        if !small(self, left) || !small(self, right) {
            return node;
        }
        let sides = (self.sum(left), self.sum(right));
        *self.numbers.entry((op as u8, sides.0, sides.1)).or_insert(node)
    }

    /// Whether a place means one value: an element of an array is one of many, unless a struct that it is a member of
    /// tells which.
    fn is_steady(&self, place: PlaceId) -> bool {
        match self.places.info(place).place {
            InputPlace::Content { of, element: true, .. } => {
                let ty = self.places.info(of).ty;
                self.places.is_input(place) && composite(self.program, pointee(self.program, ty)).is_some()
            }
            InputPlace::Global(_) | InputPlace::Struct(_) => true,
            _ => self.places.is_input(place),
        }
    }

    /// The conditions that hold in a block, the nearest first.
    pub(crate) fn conditions(&mut self, block: BlockId) -> Rc<Vec<Condition>> {
        if let Some(known) = self.known_conditions.get(&block) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut at = block;
        while let Some(above) = self.dominators.immediate(at)
            && found.len() < MOST
        {
            // The branch decides only if its block is the only way in.
            if self.cfg.predecessors(at) == [above] {
                self.conditions_of_edge(above, at, &mut found, 0);
            }
            at = above;
        }
        let found = Rc::new(found);
        self.known_conditions.insert(block, found.clone());
        found
    }

    pub(crate) fn conditions_of_edge(
        &mut self,
        from: BlockId,
        to: BlockId,
        found: &mut Vec<Condition>,
        depth: u32,
    ) {
        let terminator = self.function.terminator(from);
        match &self.function.instructions[terminator].op {
            Op::ConditionalBranch { condition, then, otherwise } if then != otherwise => {
                let condition = self.node(*condition);
                self.condition(condition, *then == to, found, depth);
            }
            Op::Switch { value, default, cases } if *default != to => {
                let node = self.node(*value);
                let mut values = cases.iter().filter(|case| case.1 == to);
                if let (Some(&(number, _)), None) = (values.next(), values.next()) {
                    let left = self.sum(node);
                    found.push(Condition {
                        predicate: IntegerPredicate::Equal,
                        left,
                        right: Sum::number(number as i64),
                        pointers: false,
                    });
                }
            }
            _ => {}
        }
    }

    /// What holds if a condition is true, or if it is false.
    pub(crate) fn condition(&mut self, node: LocalNode, truth: bool, found: &mut Vec<Condition>, depth: u32) {
        if depth > DEPTH {
            return;
        }
        let node = self.stripped(node);
        match self.definition(node) {
            Some(Op::IntegerCompare { predicate, left, right }) => {
                self.comparison(*predicate, *left, *right, truth, found, depth);
            }
            Some(Op::Binary { op: BinaryOp::Xor, left, right, .. }) => {
                let right = self.node(*right);
                if self.constant(right).is_some_and(|number| number & 1 == 1) {
                    let left = self.node(*left);
                    self.condition(left, !truth, found, depth + 1);
                }
            }
            Some(Op::Phi(incoming)) => {
                let block = self.defining_block(node);
                self.short_circuit(incoming, block, truth, found, depth);
            }
            _ => {}
        }
    }

    fn comparison(
        &mut self,
        predicate: IntegerPredicate,
        left: Operand,
        right: Operand,
        truth: bool,
        found: &mut Vec<Condition>,
        depth: u32,
    ) {
        use IntegerPredicate::{Equal, NotEqual};
        let ty = self.program.operand_type(self.function, left);
        let pointers = matches!(self.program.types.get(ty), Type::Pointer);
        let (left, right) = (self.node(left), self.node(right));
        let predicate = if truth { predicate } else { negated(predicate) };
        // `!(a < b)` compares the outcome of a comparison with zero.
        if !pointers && self.constant(right) == Some(0) && matches!(predicate, Equal | NotEqual) {
            let inner = self.stripped(left);
            let is_truth = match self.definition(inner) {
                Some(Op::IntegerCompare { .. } | Op::FloatCompare { .. }) => true,
                Some(Op::Phi(_)) => match inner {
                    LocalNode::Value(value) => {
                        self.program.types.scalar_bits(self.function.values[value].ty) == Some(1)
                    }
                    _ => false,
                },
                _ => false,
            };
            if is_truth {
                return self.condition(inner, predicate == NotEqual, found, depth + 1);
            }
        }
        let (first, second) = (self.sum(left), self.sum(right));
        found.push(Condition { predicate, left: first, right: second, pointers });
    }

    /// `a && b` is a choice between false and b; if it is true, the way led through b.
    fn short_circuit(
        &mut self,
        incoming: &[(BlockId, Operand)],
        block: Option<BlockId>,
        truth: bool,
        found: &mut Vec<Condition>,
        depth: u32,
    ) {
        let mut open = incoming.iter().filter(|&&(_, operand)| {
            let constant = self.constant(self.node(operand));
            constant.is_none_or(|number| (number & 1 == 1) == truth)
        });
        let (Some(&(from, operand)), None) = (open.next(), open.next()) else { return };
        let node = self.node(operand);
        self.condition(node, truth, found, depth + 1);
        if let Some(block) = block {
            self.conditions_of_edge(from, block, found, depth + 1);
        }
        // What holds before both is found from the block itself.
        let before = block.and_then(|block| self.dominators.immediate(block));
        let mut at = from;
        while let Some(above) = self.dominators.immediate(at)
            && Some(at) != before
        {
            if self.cfg.predecessors(at) == [above] {
                self.conditions_of_edge(above, at, found, depth + 1);
            }
            at = above;
        }
    }
}

/// The comparison that holds if another one does not.
fn negated(predicate: IntegerPredicate) -> IntegerPredicate {
    use IntegerPredicate::*;
    match predicate {
        Equal => NotEqual,
        NotEqual => Equal,
        UnsignedGreater => UnsignedLessEqual,
        UnsignedGreaterEqual => UnsignedLess,
        UnsignedLess => UnsignedGreaterEqual,
        UnsignedLessEqual => UnsignedGreater,
        SignedGreater => SignedLessEqual,
        SignedGreaterEqual => SignedLess,
        SignedLess => SignedGreaterEqual,
        SignedLessEqual => SignedGreater,
    }
}
