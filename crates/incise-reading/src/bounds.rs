//! The most that a number can be, in terms of inputs: `i` in a loop below `n` is at most `n - 1`.
//!
//! Each value of a sum that is no input is replaced by what a condition on the way, its definition, or another variable
//! of the same loop says of it, until inputs are left. There may be several answers: below `n` and below `room`.
//! Wrapping around is not thought of: a reading is a guess at what is meant, not a proof.

use crate::flow::Flow;
use crate::locals::LocalNode;
use crate::places::{PlaceId, pointee, size};
use crate::sums::{Condition, Key, Sum};
use incise_ir::{BinaryOp, BlockId, IntegerPredicate, Op};

/// How many replacements are made one after the other.
const DEPTH: u32 = 6;
/// The most answers.
const MOST: usize = 8;

/// Which end of a range.
#[derive(Copy, Clone, PartialEq, Eq)]
enum RangeEnd {
    Upper,
    Lower,
}

impl Flow<'_> {
    /// What a sum is at most where the conditions hold, in terms of inputs only; the best founded first.
    pub(crate) fn at_most(&mut self, sum: &Sum, conditions: &[Condition]) -> Vec<Sum> {
        let mut found = Vec::new();
        self.replace(sum.clone(), conditions, 0, &mut Vec::new(), &mut found);
        found
    }

    fn replace(
        &mut self,
        sum: Sum,
        conditions: &[Condition],
        depth: u32,
        replaced: &mut Vec<Key>,
        found: &mut Vec<Sum>,
    ) {
        if found.len() >= MOST || depth > DEPTH {
            return;
        }
        let open = sum.terms.iter().find(|(key, _)| matches!(key, Key::LocalNode(_)));
        let Some(&(key, count)) = open else {
            self.replace_inputs(&sum, conditions, found, &mut Vec::new());
            if !found.contains(&sum) {
                found.push(sum);
            }
            return;
        };
        if replaced.contains(&key) {
            return;
        }
        let side = if count > 0 { RangeEnd::Upper } else { RangeEnd::Lower };
        let rest = sum.plus(&Sum::key(key), -count);
        replaced.push(key);
        // `2 * (n / 2)` is at most n.
        if let Key::LocalNode(node) = key
            && let Some((left, by)) = self.quotient_of(node)
            && count > 0
            && count % by == 0
            && let left = self.sum(left)
            && left.terms.iter().all(|term| matches!(term.0, Key::InputPlace(_)))
        {
            self.replace(rest.plus(&left, count / by), conditions, depth + 1, replaced, found);
        }
        // `y * width` is at most `height * width - width` where y is below height.
        if let (Key::LocalNode(node), RangeEnd::Upper) = (key, side) {
            for bound in self.product_bounds(node, conditions) {
                self.replace(rest.plus(&bound, count), conditions, depth + 1, replaced, found);
            }
        }
        for bound in self.bounds(key, side, conditions) {
            self.replace(rest.plus(&bound, count), conditions, depth + 1, replaced, found);
        }
        replaced.pop();
    }

    /// The most that a value can be that is so many times an input.
    fn product_bounds(&mut self, node: LocalNode, conditions: &[Condition]) -> Vec<Sum> {
        let Some((BinaryOp::Mul, left, right)) = self.binary(node) else { return Vec::new() };
        let mut found = Vec::new();
        for (times, input) in [(left, right), (right, left)] {
            let input = self.sum(input);
            if !matches!(input.single(), Some(key @ Key::InputPlace(_)) if !self.is_pointer(key)) {
                continue;
            }
            let times = self.sum(times);
            let Some(key @ Key::LocalNode(_)) = times.single() else { continue };
            let bounds = self.condition_bounds(key, RangeEnd::Upper, conditions);
            found.extend(bounds.iter().filter_map(|bound| bound.times(&input)));
        }
        found
    }

    /// An index that is an input may be checked against a size that is one, and that against another one.
    fn replace_inputs(
        &mut self,
        sum: &Sum,
        conditions: &[Condition],
        found: &mut Vec<Sum>,
        replaced: &mut Vec<Key>,
    ) {
        for &(key, count) in &sum.terms {
            if count <= 0 || self.is_pointer(key) {
                continue;
            }
            for bound in self.condition_bounds(key, RangeEnd::Upper, conditions) {
                let inputs = bound.terms.len() == 1 && matches!(bound.terms[0], (Key::InputPlace(_), 1));
                if !inputs || replaced.contains(&bound.terms[0].0) {
                    continue;
                }
                let better = sum.plus(&Sum::key(key), -count).plus(&bound, count);
                if replaced.len() < 2 {
                    replaced.push(key);
                    self.replace_inputs(&better, conditions, found, replaced);
                    replaced.pop();
                }
                if !found.contains(&better) && found.len() < MOST {
                    found.push(better);
                }
            }
        }
    }

    pub(crate) fn is_pointer(&self, key: Key) -> bool {
        match key {
            Key::InputPlace(place) => {
                self.places.info(place).array
                    || matches!(
                        self.places.info(place).place,
                        crate::places::InputPlace::Global(_) | crate::places::InputPlace::Struct(_)
                    )
                    || matches!(
                        self.debug_type(place),
                        Some(incise_ir::DebugType::Pointer(_) | incise_ir::DebugType::Array { .. })
                    )
            }
            Key::Product(..) | Key::LocalNode(_) => false,
        }
    }

    fn bounds(&mut self, key: Key, side: RangeEnd, conditions: &[Condition]) -> Vec<Sum> {
        let mut found = self.condition_bounds(key, side, conditions);
        let Key::LocalNode(node) = key else { return found };
        if let LocalNode::Join(_) = node {
            if side == RangeEnd::Lower
                && let Some(least) = self.least_on_entry(node)
            {
                found.push(Sum::number(least));
            }
            found.extend(self.related_bounds(node, conditions));
            if side == RangeEnd::Lower
                && let Some((start, 1..)) = self.induction(node)
            {
                found.push(start);
            }
            if side == RangeEnd::Upper
                && let Some((start, ..=-1)) = self.induction(node)
            {
                found.push(start);
            }
        }
        if side == RangeEnd::Upper {
            found.extend(self.choice_bounds(node));
        }
        found.extend(self.definition_bounds(node, side, conditions));
        if found.is_empty() && side == RangeEnd::Lower && !self.is_moved_pointer(node) {
            found.push(Sum::number(0));
        }
        found
    }

    fn is_moved_pointer(&self, node: LocalNode) -> bool {
        let ty = match node {
            LocalNode::Value(value) => Some(self.function.values[value].ty),
            _ => None,
        };
        ty.is_some_and(|ty| matches!(self.program.types.get(ty), incise_ir::Type::Pointer))
    }

    /// What the conditions say of a value.
    fn condition_bounds(&mut self, key: Key, side: RangeEnd, conditions: &[Condition]) -> Vec<Sum> {
        use IntegerPredicate::*;
        let mut found = Vec::new();
        for condition in conditions {
            // The comparison as `difference <= 0`.
            let difference = condition.left.plus(&condition.right, -1);
            let Some(&(_, count)) = difference.terms.iter().find(|term| term.0 == key) else { continue };
            if count != 1 && count != -1 {
                continue;
            }
            let step = if condition.pointers { self.step_of(key) } else { 1 };
            let others = Sum::default().plus(&difference.plus(&Sum::key(key), -count), -count);
            // The value compared with `others`: below it, at most it, and so on.
            let (below, strict, both) = match (condition.predicate, count > 0) {
                (UnsignedLess | SignedLess, true) | (UnsignedGreater | SignedGreater, false) => {
                    (true, true, false)
                }
                (UnsignedLessEqual | SignedLessEqual, true)
                | (UnsignedGreaterEqual | SignedGreaterEqual, false) => (true, false, false),
                (UnsignedGreater | SignedGreater, true) | (UnsignedLess | SignedLess, false) => {
                    (false, true, false)
                }
                (UnsignedGreaterEqual | SignedGreaterEqual, true)
                | (UnsignedLessEqual | SignedLessEqual, false) => (false, false, false),
                (Equal, _) => (true, false, true),
                (NotEqual, _) => match self.direction(key, &others) {
                    Some(up) => (up, true, false),
                    None => continue,
                },
            };
            if !both && below != (side == RangeEnd::Upper) {
                continue;
            }
            let mut bound = others;
            if strict {
                bound.add = bound.add.wrapping_add(if below { -step } else { step });
            }
            if !found.contains(&bound) {
                found.push(bound);
            }
        }
        found
    }

    /// The inputs that are at least a constant, with that constant.
    pub(crate) fn least_numbers(&mut self, conditions: &[Condition]) -> Vec<(PlaceId, i64)> {
        let mut found: Vec<(PlaceId, i64)> = Vec::new();
        for condition in conditions {
            let keys: Vec<Key> =
                condition.left.terms.iter().chain(&condition.right.terms).map(|term| term.0).collect();
            for key in keys {
                let Key::InputPlace(place) = key else { continue };
                if self.is_pointer(key) {
                    continue;
                }
                for bound in self.condition_bounds(key, RangeEnd::Lower, std::slice::from_ref(condition)) {
                    let Some(least) = bound.constant() else { continue };
                    match found.iter_mut().find(|known| known.0 == place) {
                        Some(known) => known.1 = known.1.max(least),
                        None => found.push((place, least)),
                    }
                }
            }
        }
        found
    }

    /// The bytes from one element to the next, where a pointer leads.
    fn step_of(&mut self, key: Key) -> i64 {
        let place = match key {
            Key::InputPlace(place) => Some(place),
            Key::LocalNode(node) => self.origins(node).list.first().map(|origin| origin.place),
            Key::Product(..) => None,
        };
        let bytes =
            place.map_or(0, |place| size(self.program, pointee(self.program, self.places.info(place).ty)));
        (bytes as i64).max(1)
    }

    /// Which way a value goes that is compared for being different: up to the other or down to it. A number that is
    /// different from zero is above it; so is a member that is not its limit below it.
    fn direction(&mut self, key: Key, others: &Sum) -> Option<bool> {
        match key {
            Key::LocalNode(node @ LocalNode::Join(_)) => match self.induction(node) {
                Some((_, step)) => Some(step > 0),
                None if others.constant() == Some(0) => Some(false),
                None => None,
            },
            _ if others.constant() == Some(0) => Some(false),
            Key::InputPlace(_) if matches!(others.single(), Some(Key::InputPlace(_))) => Some(true),
            _ => None,
        }
    }

    /// What a variable of a loop starts with, and the constant that is added in each round.
    pub(crate) fn induction(&mut self, node: LocalNode) -> Option<(Sum, i64)> {
        let incoming = self.join(node)?.incoming.clone();
        let mut start: Option<Sum> = None;
        let mut step: Option<i64> = None;
        for (_, value) in incoming {
            let sum = self.sum(value);
            let change = sum.plus(&Sum::key(Key::LocalNode(node)), -1);
            if sum.terms.iter().any(|term| term.0 == Key::LocalNode(node)) {
                let change = change.constant()?;
                // Several steps of one direction are one: `i++` and `i += 2`.
                match step {
                    Some(known) if (known > 0) != (change > 0) => return None,
                    _ if change == 0 => {}
                    Some(known) => step = Some(if known.abs() < change.abs() { known } else { change }),
                    None => step = Some(change),
                }
            } else {
                match &start {
                    Some(known) if *known != sum => return None,
                    _ => start = Some(sum),
                }
            }
        }
        Some((start?, step?))
    }

    /// What a variable is at least on all ways to a join, by the conditions on these ways: `if (n) do ... while (--n);`
    fn least_on_entry(&mut self, node: LocalNode) -> Option<i64> {
        let join = self.join(node)?.clone();
        let mut least: Option<i64> = None;
        for (from, value) in join.incoming {
            let mut conditions = Vec::new();
            self.conditions_of_edge(from, join.block, &mut conditions, 0);
            if conditions.is_empty() {
                conditions = self.conditions(from).to_vec();
            }
            let sum = self.sum(value);
            let bound = match sum.constant() {
                Some(number) => number,
                None => {
                    let bounds = self.condition_bounds(sum.single()?, RangeEnd::Lower, &conditions);
                    bounds.iter().filter_map(Sum::constant).max()?.wrapping_add(sum.add)
                }
            };
            least = Some(least.map_or(bound, |least| least.min(bound)));
        }
        least
    }

    /// A choice between values: `n` or `room`, whichever is smaller. Each is an answer, if all of them are known where
    /// they are chosen.
    fn choice_bounds(&mut self, node: LocalNode) -> Vec<Sum> {
        let (block, incoming) = match (self.join(node), self.definition(node)) {
            (Some(join), _) => (join.block, join.incoming.clone()),
            (None, Some(Op::Phi(incoming))) => {
                let Some(block) = self.defining_block(node) else { return Vec::new() };
                (block, incoming.iter().map(|&(from, value)| (from, self.node(value))).collect())
            }
            _ => return Vec::new(),
        };
        let own = Key::LocalNode(node);
        let mut found = Vec::new();
        for (from, value) in incoming {
            if value == LocalNode::Unset {
                return Vec::new();
            }
            let mut sum = self.sum(value);
            if self.is_not_above(value, node, from, block, 0) {
                continue;
            }
            let open: Vec<Key> =
                sum.terms.iter().map(|term| term.0).filter(|key| matches!(key, Key::LocalNode(_))).collect();
            if !open.is_empty() {
                let Some(bound) = self.bounded_on_edge(&sum, own, from, block) else { return Vec::new() };
                sum = bound;
            }
            if sum.terms.iter().any(|term| matches!(term.0, Key::LocalNode(_))) {
                return Vec::new();
            }
            if sum.constant().is_none() && !found.contains(&sum) {
                found.push(sum);
            }
        }
        found
    }

    /// Whether a value that a round of a loop leaves is at most what it was: it says nothing new then.
    fn is_not_above(
        &mut self,
        value: LocalNode,
        own: LocalNode,
        from: BlockId,
        to: BlockId,
        depth: u32,
    ) -> bool {
        let own_key = Sum::key(Key::LocalNode(own));
        let sum = self.sum(value);
        let smaller = |sum: &Sum| sum.plus(&own_key, -1).constant().is_some_and(|by| by <= 0);
        if smaller(&sum) {
            return true;
        }
        if value != own
            && depth < 3
            && let Some(join) = self.join(value).cloned()
        {
            return join
                .incoming
                .iter()
                .all(|&(before, value)| self.is_not_above(value, own, before, join.block, depth + 1));
        }
        self.bounded_on_edge(&sum, Key::LocalNode(own), from, to).is_some_and(|bound| smaller(&bound))
    }

    /// What a sum is at most where control goes from a block to another one, in terms of inputs and of `own`.
    fn bounded_on_edge(&mut self, sum: &Sum, own: Key, from: BlockId, to: BlockId) -> Option<Sum> {
        let mut conditions = Vec::new();
        self.conditions_of_edge(from, to, &mut conditions, 0);
        conditions.extend(self.conditions(from).iter().cloned());
        let mut sum = sum.clone();
        for _ in 0..3 {
            let open = sum.terms.iter().find(|term| matches!(term.0, Key::LocalNode(_)) && term.0 != own);
            let Some(&(key, count)) = open else { return Some(sum) };
            let (Key::LocalNode(node), 1..) = (key, count) else { return None };
            let mut bounds = match self.quotient_of(node) {
                Some((left, by)) => self.quotient_bounds(left, by, &conditions),
                None => Vec::new(),
            };
            bounds.extend(self.condition_bounds(key, RangeEnd::Upper, &conditions));
            let bound = bounds.into_iter().next()?;
            sum = sum.plus(&Sum::key(key), -count).plus(&bound, count);
        }
        None
    }

    fn definition_bounds(&mut self, node: LocalNode, side: RangeEnd, conditions: &[Condition]) -> Vec<Sum> {
        let mut found = Vec::new();
        if side == RangeEnd::Lower {
            return found;
        }
        if let Some((op, left, right)) = self.binary(node) {
            match op {
                BinaryOp::URem | BinaryOp::SRem => {
                    let mut bound = self.sum(right);
                    bound.add -= 1;
                    found.push(bound);
                }
                BinaryOp::And => {
                    for side in [right, left] {
                        let bound = self.sum(side);
                        let inputs = bound.terms.iter().all(|term| matches!(term.0, Key::InputPlace(_)));
                        if inputs && bound.constant().is_none_or(|number| number >= 0) {
                            found.push(bound);
                        }
                    }
                    if found.is_empty() {
                        found.push(self.sum(left));
                    }
                    // `n & ~3` is at most n.
                    if self.constant(self.stripped(right)).is_some_and(|number| number < 0) {
                        found.push(self.sum(left));
                    }
                }
                _ => {
                    if let Some((left, by)) = self.quotient_of(node) {
                        found.extend(self.quotient_bounds(left, by, conditions));
                    }
                }
            }
        }
        if let Some(Op::Select { then, otherwise, .. }) = self.definition(node) {
            for operand in [*then, *otherwise] {
                found.push(self.operand_sum(operand));
            }
        }
        // A byte as an index: a table with 256 elements.
        if found.is_empty()
            && let LocalNode::Value(value) = node
            && self.program.types.scalar_bits(self.function.values[value].ty) == Some(8)
        {
            found.push(Sum::number(255));
        }
        found
    }

    /// A value divided by a constant, also by a shift.
    fn quotient_of(&self, node: LocalNode) -> Option<(LocalNode, i64)> {
        let (op, left, right) = self.binary(node)?;
        let by = self.constant(self.stripped(right))?;
        match op {
            BinaryOp::UDiv | BinaryOp::SDiv if by > 0 => Some((left, by)),
            BinaryOp::LShr | BinaryOp::AShr if (0..32).contains(&by) => Some((left, 1 << by)),
            _ => None,
        }
    }

    /// A part of a number is at most the number. In the middle between `low` and `high` is at most `high`, where `low`
    /// is not above it.
    fn quotient_bounds(&mut self, left: LocalNode, by: i64, conditions: &[Condition]) -> Vec<Sum> {
        let whole = self.sum(left);
        let mut found = Vec::new();
        if by == 2 {
            for condition in conditions {
                let Some((low, high, strict)) = ordered(condition) else { continue };
                let less = i64::from(strict);
                if whole == high.plus(low, -1) {
                    found.push(whole.plus(&Sum::number(less), -1));
                } else if whole == high.plus(low, 1) {
                    found.push(high.plus(&Sum::number(less), -1));
                }
            }
        }
        found.push(whole);
        found
    }

    /// A variable of a loop in terms of another one of the same loop that a condition is about: `p` and `n` in
    /// `while (n--) *p++` keep `p + n` as it is.
    fn related_bounds(&mut self, node: LocalNode, conditions: &[Condition]) -> Vec<Sum> {
        let mut found = Vec::new();
        let mut tried = Vec::new();
        for condition in conditions {
            let terms: Vec<(Key, i64)> =
                condition.left.terms.iter().chain(&condition.right.terms).copied().collect();
            for (key, _) in terms {
                if let Key::LocalNode(other @ LocalNode::Join(_)) = key
                    && !tried.contains(&other)
                {
                    tried.push(other);
                }
            }
        }
        let block = self.defining_block(node);
        for (number, join) in self.locals.live_joins() {
            if Some(join.block) == block && tried.len() < MOST && !tried.contains(&LocalNode::Join(number)) {
                tried.push(LocalNode::Join(number));
            }
        }
        for other in tried {
            if other != node
                && let Some(sum) = self.related(node, other, None, 0)
                && !found.contains(&sum)
            {
                found.push(sum);
            }
        }
        found
    }

    /// `node` as a sum of `other`, some times, and inputs: what both keep in all rounds.
    fn related(&mut self, node: LocalNode, other: LocalNode, ratio: Option<i64>, depth: u32) -> Option<Sum> {
        let (first, second) = (self.join(node)?, self.join(other)?);
        if first.block != second.block || depth > 3 {
            return None;
        }
        let pairs: Vec<(LocalNode, LocalNode)> = first
            .incoming
            .iter()
            .filter_map(|&(from, value)| {
                let beside = second.incoming.iter().find(|incoming| incoming.0 == from)?;
                Some((value, beside.1))
            })
            .collect();
        let (node_key, other_key) = (Key::LocalNode(node), Key::LocalNode(other));
        let mut ratio = ratio;
        let mut starts = Vec::new();
        for (value, beside) in pairs {
            let (value, beside) = (self.sum(value), self.sum(beside));
            let change = value.plus(&Sum::key(node_key), -1);
            let other_change = beside.plus(&Sum::key(other_key), -1);
            if value.terms.iter().any(|term| term.0 == node_key) {
                if !beside.terms.iter().any(|term| term.0 == other_key) {
                    return None;
                }
                if change.constant() == Some(0) && other_change.constant() == Some(0) {
                    continue;
                }
                let this = quotient(&change, &other_change)?;
                if *ratio.get_or_insert(this) != this {
                    return None;
                }
            } else {
                starts.push((value, beside));
            }
        }
        let ratio = ratio?;
        let mut kept: Option<Sum> = None;
        for (value, beside) in starts {
            let mut start = value.plus(&beside, -ratio);
            // A loop after another one goes on with what that one left.
            if let (
                Some((Key::LocalNode(before @ LocalNode::Join(_)), 1)),
                Some((Key::LocalNode(beside @ LocalNode::Join(_)), _)),
            ) = (
                value.terms.iter().find(|term| matches!(term.0, Key::LocalNode(_))).copied(),
                beside.terms.iter().find(|term| matches!(term.0, Key::LocalNode(_))).copied(),
            ) {
                let earlier = self.related(before, beside, Some(ratio), depth + 1)?;
                start = start.plus(&Sum::key(Key::LocalNode(before)), -1).plus(&earlier, 1);
            }
            if kept.get_or_insert_with(|| start.clone()) != &start {
                return None;
            }
        }
        Some(kept?.plus(&Sum::key(other_key), ratio))
    }
}

/// A comparison as a smaller and a larger side, and whether they differ.
fn ordered(condition: &Condition) -> Option<(&Sum, &Sum, bool)> {
    use IntegerPredicate::*;
    match condition.predicate {
        UnsignedLess | SignedLess => Some((&condition.left, &condition.right, true)),
        UnsignedLessEqual | SignedLessEqual => Some((&condition.left, &condition.right, false)),
        UnsignedGreater | SignedGreater => Some((&condition.right, &condition.left, true)),
        UnsignedGreaterEqual | SignedGreaterEqual => Some((&condition.right, &condition.left, false)),
        _ => None,
    }
}

/// How many times one change is another.
fn quotient(change: &Sum, other: &Sum) -> Option<i64> {
    let ratio = match (change.terms.first(), other.terms.first()) {
        (Some(&(key, count)), Some(&(same, by))) if key == same && by != 0 => count / by,
        (None, None) if other.add != 0 => change.add / other.add,
        _ => return None,
    };
    (ratio != 0 && Sum::default().plus(other, ratio) == *change).then_some(ratio)
}
