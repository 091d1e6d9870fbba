//! Nearby inputs: of the inputs that satisfy conditions, one that is close to a given input. First few of the values
//! change, then they change by little.
//!
//! The search is greedy: each value that changed is set back if the conditions allow it, then moved as near as they
//! allow. The result cannot be improved by setting back a single value more; that no other choice has fewer changes is
//! not promised.

use crate::engine::machine::is_made_up;
use crate::inputs::input::PADDING;
use crate::result::InputValue;
use crate::session::trace::{Assignment, Condition, Conjunction, Session};
use incise_solver::concrete::signed;
use incise_solver::{Answer, CompareOp, Deadline, ExprId, Model, Symbol, SymbolId, SymbolKind, Work};

/// A wish that takes more to find out about is not worth it: arithmetic on floats can take any time.
const A_WISH: Work = Work::about_milliseconds(1000);
/// So many changed values are looked at.
const LOOKED_AT: usize = 64;

/// An element of an input that has another value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedElement {
    /// Its name.
    pub name: String,
    /// The other value.
    pub value: InputValue,
    /// Whether it is no input but stands for what the program never initialised.
    pub made_up: bool,
}

impl Session {
    /// The elements of inputs that have other values in the second assignment, with those values, in the order in which
    /// they were made. Padding is left out.
    pub fn changed(&self, left: &Assignment, right: &Assignment) -> Vec<ChangedElement> {
        let element = |symbol: SymbolId| {
            let info = self.exprs.symbol_info(symbol);
            let value = element_value(info, right.0.model.value(symbol));
            ChangedElement { name: info.name.clone(), value, made_up: is_made_up(&info.name) }
        };
        let mut all: Vec<ChangedElement> = Vec::new();
        for element in changed(&left.0.model, &right.0.model).into_iter().map(element) {
            // An input whose type changed has a symbol for each, of the same number.
            let known = all.iter().any(|known| known.name == element.name);
            if !known && !element.name.contains(PADDING) {
                all.push(element);
            }
        }
        all
    }

    /// Inputs that satisfy the conditions, as `found` does, but are nearer to `from`.
    pub fn nearest(
        &mut self,
        conditions: &Conjunction,
        from: &Assignment,
        found: &Assignment,
        until: Deadline,
    ) -> Assignment {
        let mut search =
            Nearest { session: self, from: &from.0.model, conditions: conditions.clone(), until };
        let mut best = found.0.model.clone();
        for symbol in changed(&from.0.model, &best).into_iter().take(LOOKED_AT) {
            best = search.set_back(symbol, best);
        }
        for symbol in changed(&from.0.model, &best).into_iter().take(LOOKED_AT) {
            best = search.move_near(symbol, best);
        }
        let mut nearest = found.clone();
        nearest.0.model = best;
        nearest
    }
}

/// The value of a symbol as the source sees it.
fn element_value(info: &Symbol, bits: u128) -> InputValue {
    match info.kind {
        SymbolKind::Signed => InputValue::Signed(signed(bits, info.width)),
        SymbolKind::Unsigned | SymbolKind::Bytes => InputValue::Unsigned(bits),
        SymbolKind::Char => InputValue::Character(bits as u8),
        SymbolKind::Bool => InputValue::Boolean(bits != 0),
        SymbolKind::Pointer => InputValue::Pointer((bits != 0).then(|| format!("*{}", info.name))),
        SymbolKind::Float(format) => {
            InputValue::Float { format: crate::engine::code::float_kind(format), bits }
        }
    }
}

/// The symbols that two models give different values.
fn changed(left: &Model, right: &Model) -> Vec<SymbolId> {
    let mut symbols: Vec<SymbolId> = left.iter().chain(right.iter()).map(|(symbol, _)| symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    symbols.retain(|&symbol| left.value(symbol) != right.value(symbol));
    symbols
}

struct Nearest<'a> {
    session: &'a mut Session,
    from: &'a Model,
    /// The conditions, and what was found out to be possible beside them.
    conditions: Conjunction,
    until: Deadline,
}

impl Nearest<'_> {
    /// A value as it was, if that is possible without changing more of the others.
    fn set_back(&mut self, symbol: SymbolId, best: Model) -> Model {
        let exprs = &mut self.session.exprs;
        let (expr, width) = (exprs.symbol_expr(symbol), exprs.symbol_info(symbol).width);
        let before = exprs.constant(self.from.value(symbol), width);
        let equal = exprs.eq(expr, before);
        self.improve(equal, best).unwrap_or_else(|best| best)
    }

    /// A value as near to what it was as possible, if it is a number.
    fn move_near(&mut self, symbol: SymbolId, mut best: Model) -> Model {
        let (width, kind) = {
            let info = self.session.exprs.symbol_info(symbol);
            (info.width, info.kind)
        };
        let number = matches!(kind, SymbolKind::Signed | SymbolKind::Unsigned | SymbolKind::Char);
        if !number || width > 64 {
            return best;
        }
        let distance = |model: &Model| {
            let forth =
                model.value(symbol).wrapping_sub(self.from.value(symbol)) & crate::engine::value::mask(width);
            forth.min(forth.wrapping_neg() & crate::engine::value::mask(width))
        };
        // All that is smaller than `low` is impossible.
        let (mut low, mut high) = (1, distance(&best));
        let mut step = 1;
        while low < high {
            let middle = (low - 1 + step).min(low + (high - low) / 2).max(low);
            let near = self.within(symbol, width, middle);
            match self.improve(near, best) {
                Ok(model) => {
                    best = model;
                    high = distance(&best).min(middle);
                    step = 1;
                }
                Err(model) => {
                    best = model;
                    low = middle + 1;
                    step *= 2;
                }
            }
            if self.until.passed().is_some() {
                break;
            }
        }
        self.prefer_positive(symbol, (width, kind), best)
    }

    /// Of two numbers that are equally near, the one that is not negative reads better.
    fn prefer_positive(&mut self, symbol: SymbolId, (width, kind): (u32, SymbolKind), best: Model) -> Model {
        let (before, now) = (signed(self.from.value(symbol), width), signed(best.value(symbol), width));
        let mirrored = 2 * before - now;
        let largest = (1i128 << (width - 1)) - 1;
        if kind != SymbolKind::Signed || now >= 0 || !(0..=largest).contains(&mirrored) {
            return best;
        }
        let exprs = &mut self.session.exprs;
        let value = exprs.constant(mirrored as u128, width);
        let expr = exprs.symbol_expr(symbol);
        let equal = exprs.eq(expr, value);
        // The distance is settled already and leaves only these two.
        self.improve(equal, best).unwrap_or_else(|best| best)
    }

    /// The condition that a symbol is at most so far from its value before, around the end of the numbers if need be.
    fn within(&mut self, symbol: SymbolId, width: u32, distance: u128) -> ExprId {
        let exprs = &mut self.session.exprs;
        let expr = exprs.symbol_expr(symbol);
        let lowest = exprs.constant(self.from.value(symbol).wrapping_sub(distance), width);
        let offset = exprs.sub(expr, lowest);
        let span = exprs.constant((2 * distance).min(crate::engine::value::mask(width)), width);
        exprs.compare(CompareOp::Ule, offset, span)
    }

    /// A model that satisfies the wish as well, which is kept then, or the one that was there.
    fn improve(&mut self, wish: ExprId, best: Model) -> Result<Model, Model> {
        if self.until.passed().is_some() {
            return Err(best);
        }
        let session = &mut *self.session;
        let answer = session.solver.check_within(A_WISH, &mut session.exprs, &self.conditions.0, wish, &best);
        let Answer::Sat(model) = answer else { return Err(best) };
        if changed(self.from, &model).len() > changed(self.from, &best).len() {
            return Err(best);
        }
        session.add(&mut self.conditions, Condition(wish));
        Ok(model)
    }
}
