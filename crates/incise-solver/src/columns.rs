//! Whether a condition holds under each of many models.
//!
//! The nodes of the condition are listed once, operands first, and then each is computed for a few dozen models at a
//! time: a column of values. So the graph is walked once and not once for each model. The meaning of operations is that
//! of [`crate::concrete`] and [`compute`], as for a single model. Both sides of an if-then-else are computed, which is
//! harmless because all operations are total.
//!
//! Conditions with parts of more than 64 bits and large ones are left to the [`Evaluator`](crate::evaluate::Evaluator).

use crate::concrete::{self, mask64};
use crate::evaluate::{compute, select};
use crate::expr::{ArrayId, ArrayKind, BinaryOp, ExprId, ExprKind, Exprs, Relation};
use crate::model::Model;
use crate::work::{self, Effort};

/// So many models are computed at a time: their columns stay in the nearest cache.
const LANES: usize = 64;
/// Conditions with more nodes are left to the evaluator, which computes only the sides that are taken.
const MOST_NODES: usize = 512;

/// Computes conditions of one arena for many models.
#[derive(Default)]
pub(crate) struct Columns {
    generation: u32,
    /// For each expression, when it was listed last, and its place in the list.
    places: Vec<(u32, u32)>,
    /// The nodes of the condition, operands first.
    nodes: Vec<ExprId>,
    /// A column for each node.
    values: Vec<u64>,
}

impl Columns {
    /// Appends whether a condition holds under each of the models. Returns false, and does nothing, if it is one that
    /// is left to the evaluator.
    pub(crate) fn hold<'m>(
        &mut self,
        exprs: &Exprs,
        condition: ExprId,
        count: usize,
        model: impl Fn(usize) -> &'m Model,
        holds: &mut Vec<bool>,
    ) -> bool {
        if !self.list(exprs, condition) {
            return false;
        }
        let needed = self.nodes.len() * LANES;
        if self.values.len() < needed {
            self.values.resize(needed, 0);
        }
        holds.reserve(count);
        work::count(Effort::Evaluation, (self.nodes.len() + self.nodes.len() * count / LANES) as u64);
        for start in (0..count).step_by(LANES) {
            let lanes = LANES.min(count - start);
            for place in 0..self.nodes.len() {
                match *exprs.kind(self.nodes[place]) {
                    ExprKind::Symbol(symbol) => {
                        let mask = mask64(exprs.width(self.nodes[place]));
                        let column = &mut self.values[place * LANES..][..lanes];
                        for (number, value) in (start..).zip(column) {
                            *value = model(number).low_value(symbol) & mask;
                        }
                    }
                    kind => self.compute(exprs, place, kind, lanes),
                }
            }
            let last = (self.nodes.len() - 1) * LANES;
            holds.extend(self.values[last..last + lanes].iter().map(|&value| value != 0));
        }
        true
    }

    /// Lists the nodes of a condition. Returns false if they are too many or too wide.
    fn list(&mut self, exprs: &Exprs, condition: ExprId) -> bool {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.places.fill((0, 0));
            self.generation = 1;
        }
        if self.places.len() < exprs.node_count() {
            // Growing by half more than is needed keeps the cost of a growing arena linear.
            self.places.resize(exprs.node_count() + exprs.node_count() / 2, (0, 0));
        }
        self.nodes.clear();
        self.add(condition);
        let mut next = 0;
        while let Some(&node) = self.nodes.get(next) {
            next += 1;
            if exprs.width(node) > 64 || self.nodes.len() > MOST_NODES {
                return false;
            }
            let kind = exprs.kind(node);
            kind.operands().iter().for_each(|&operand| self.add(operand));
            if let ExprKind::Select(array, _) = *kind
                && !self.add_parts(exprs, array)
            {
                return false;
            }
        }
        // Operands have smaller ids.
        self.nodes.sort_unstable();
        for (place, node) in self.nodes.iter().enumerate() {
            self.places[node.index()].1 = place as u32;
        }
        true
    }

    fn add(&mut self, node: ExprId) {
        let place = &mut self.places[node.index()];
        if place.0 != self.generation {
            place.0 = self.generation;
            self.nodes.push(node);
        }
    }

    /// Adds what an array is made of. Returns false if that is too much.
    fn add_parts(&mut self, exprs: &Exprs, array: ArrayId) -> bool {
        let mut current = array;
        for _ in 0..MOST_NODES {
            match exprs.array_kind(current) {
                ArrayKind::Bytes(_) => return true,
                ArrayKind::Cells(cells) => {
                    let few = cells.len() <= MOST_NODES;
                    cells.iter().filter(|_| few).for_each(|&cell| self.add(cell));
                    return few;
                }
                ArrayKind::Store { array: before, index, value } => {
                    self.add(index);
                    self.add(value);
                    current = before;
                }
            }
        }
        false
    }

    /// Computes the column of a node that is no symbol, for at most [`LANES`] models. The columns of its operands are
    /// there.
    fn compute(&mut self, exprs: &Exprs, place: usize, kind: ExprKind, count: usize) {
        let width = exprs.width(self.nodes[place]);
        let (before, from_here) = self.values.split_at_mut(place * LANES);
        let out = &mut from_here[..count];
        let places = &self.places;
        let column = |operand: ExprId| {
            let start = places[operand.index()].1 as usize * LANES;
            &before[start..start + count]
        };
        match kind {
            ExprKind::Constant(value) | ExprKind::Base(value) => out.fill(value),
            ExprKind::Binary(op, a, b) => binary(op, column(a), column(b), width, out),
            ExprKind::Compare(relation, a, b) => {
                compare(relation, column(a), column(b), exprs.width(a), out);
            }
            ExprKind::Not(a) => each(column(a), out, |value| !value & mask64(width)),
            ExprKind::ZeroExtend(a) => out.copy_from_slice(column(a)),
            ExprKind::SignExtend(a) => {
                let from = exprs.width(a);
                each(column(a), out, |value| concrete::sign_extend(value.into(), from, width) as u64);
            }
            ExprKind::Extract { of, low } => {
                each(column(of), out, |value| concrete::extract(value.into(), low, width) as u64);
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let sides = column(then).iter().zip(column(otherwise));
                for ((out, &holds), (&then, &otherwise)) in out.iter_mut().zip(column(condition)).zip(sides) {
                    *out = if holds != 0 { then } else { otherwise };
                }
            }
            ExprKind::Select(array, index) => {
                for (lane, (out, &index)) in out.iter_mut().zip(column(index)).enumerate() {
                    let byte = select(exprs, array, index, |part| Some(column(part)[lane]));
                    *out = byte.map_or(0, u64::from);
                }
            }
            kind => {
                for (lane, out) in out.iter_mut().enumerate() {
                    *out = compute(exprs, &kind, width, |operand| column(operand)[lane].into()) as u64;
                }
            }
        }
    }
}

#[inline(always)]
fn each(values: &[u64], out: &mut [u64], apply: impl Fn(u64) -> u64) {
    for (out, &value) in out.iter_mut().zip(values) {
        *out = apply(value);
    }
}

#[inline(always)]
fn both(left: &[u64], right: &[u64], out: &mut [u64], apply: impl Fn(u64, u64) -> u64) {
    for ((out, &left), &right) in out.iter_mut().zip(left).zip(right) {
        *out = apply(left, right);
    }
}

/// The operator is chosen once for a column, and not once for each value.
fn binary(op: BinaryOp, left: &[u64], right: &[u64], width: u32, out: &mut [u64]) {
    macro_rules! by_operator {
        ($($name:ident)*) => {
            match op {
                $(BinaryOp::$name => both(left, right, out, |left, right| {
                    concrete::binary64(BinaryOp::$name, left, right, width)
                }),)*
            }
        };
    }
    by_operator!(Add Sub Mul UDiv SDiv URem SRem Shl LShr AShr And Or Xor);
}

fn compare(relation: Relation, left: &[u64], right: &[u64], width: u32, out: &mut [u64]) {
    macro_rules! by_relation {
        ($($name:ident)*) => {
            match relation {
                $(Relation::$name => both(left, right, out, |left, right| {
                    concrete::relation64(Relation::$name, left, right, width).into()
                }),)*
            }
        };
    }
    by_relation!(Eq Ult Slt);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluator;
    use crate::expr::SymbolId;
    use crate::rewrite::tests::generate::{Pool, Random};

    /// Values for most of the symbols.
    fn some_values(random: &mut Random, exprs: &Exprs) -> Model {
        let mut values = Vec::new();
        for symbol in (0..exprs.symbol_count() as u32).map(SymbolId) {
            if !random.chance(7) {
                values.push((symbol, random.value(exprs.symbol_info(symbol).width)));
            }
        }
        Model::new().with(values)
    }

    /// Compares on random conditions, with and without rewriting. Returns how many were computed and how many left to
    /// the evaluator.
    fn compare_with_evaluator(floats: bool, widths: &[u32], seeds: std::ops::Range<u64>) -> (usize, usize) {
        let (mut computed, mut left) = (0, 0);
        for seed in seeds {
            let mut random = Random(seed * 91 + u64::from(floats));
            let mut pool = Pool::new(widths, floats);
            for (number, &width) in widths.iter().chain(widths).enumerate() {
                pool.symbol(&format!("s{number}"), width);
            }
            pool.symbol("index", 64);
            for _ in 0..120 {
                pool.step(&mut random);
            }
            let count = 1 + random.below(3 * LANES);
            let models: Vec<Model> = (0..count).map(|_| some_values(&mut random, &pool.arenas[0])).collect();
            for (number, exprs) in pool.arenas.iter().enumerate() {
                let (mut columns, mut evaluator) = (Columns::default(), Evaluator::new());
                let conditions = pool.items.iter().map(|pair| pair[number]);
                for condition in conditions.filter(|&each| exprs.width(each) == 1) {
                    let mut holds = vec![true];
                    if !columns.hold(exprs, condition, models.len(), |number| &models[number], &mut holds) {
                        left += 1;
                        assert_eq!(holds, [true], "what is left alone leaves nothing behind");
                        continue;
                    }
                    computed += 1;
                    let expected = models.iter().map(|model| evaluator.holds(exprs, condition, model));
                    let expected: Vec<bool> = std::iter::once(true).chain(expected).collect();
                    assert_eq!(holds, expected, "seed {seed}: {:?}", exprs.kind(condition));
                }
            }
        }
        (computed, left)
    }

    #[test]
    fn columns_hold_what_the_evaluator_says() {
        let (computed, _) = compare_with_evaluator(false, &[1, 8, 16, 32, 64, 5], 0..300);
        assert!(computed > 1000);
        let (computed, left) = compare_with_evaluator(false, &[1, 8, 32, 64, 80, 128], 300..400);
        assert!(computed > 100 && left > 100, "{computed} {left}");
    }

    #[test]
    fn columns_of_floats_hold_what_the_evaluator_says() {
        let (computed, _) = compare_with_evaluator(true, &[1, 8, 16, 32, 64], 0..200);
        assert!(computed > 1000);
    }
}
