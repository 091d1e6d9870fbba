//! Symbols of another type than their inputs have.
//!
//! The input gets such a symbol converted as C converts an argument. That is of use to whoever executes several
//! programs on the same inputs.

use incise_solver::{ExprId, Exprs, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// The width and the kind of a symbol.
pub type SymbolType = (u32, SymbolKind);

/// The types of symbols whose inputs have another one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolTypes {
    /// By the name of the input without its indices.
    types: BTreeMap<String, SymbolType>,
    /// The names among them that are functions without a body: each of their results is an input.
    functions: BTreeSet<String>,
}

impl SymbolTypes {
    /// Sets the type for an input, by its name without indices.
    pub fn add(&mut self, name: String, ty: SymbolType) {
        self.types.insert(name, ty);
    }

    /// Says that a name is that of a function without a body.
    pub fn add_function(&mut self, name: &str) {
        self.functions.insert(name.to_owned());
    }

    /// Whether every symbol has the type of its input.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The type of the symbol for an input, if it is not its own.
    pub fn of_input(&self, name: &str) -> Option<SymbolType> {
        if self.types.is_empty() {
            return None;
        }
        let result = || {
            let (function, number) = name.rsplit_once('_')?;
            let numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            self.types.get(function).filter(|_| numbered && self.functions.contains(function))
        };
        self.types.get(&without_indices(name)).or_else(result).copied()
    }
}

/// A symbol of one type as a value of another one. What an integer does not hold is cut off.
pub(crate) fn converted(exprs: &mut Exprs, expr: ExprId, from: SymbolType, to: SymbolType) -> ExprId {
    match (from.1, to.1) {
        (SymbolKind::Float(from), SymbolKind::Float(to)) if from == to => expr,
        (SymbolKind::Float(from), SymbolKind::Float(to)) => exprs.float_to_float(from, to, expr),
        (kind, SymbolKind::Float(to)) => exprs.int_to_float(is_signed(kind), to, expr),
        (_, SymbolKind::Bool) if to.0 < from.0 => {
            let zero = exprs.constant(0, from.0);
            let zero = exprs.eq(expr, zero);
            let other = exprs.not(zero);
            exprs.zext(other, to.0)
        }
        _ if to.0 < from.0 => exprs.trunc(expr, to.0),
        (kind, _) if is_signed(kind) => exprs.sext(expr, to.0),
        _ => exprs.zext(expr, to.0),
    }
}

fn is_signed(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Signed | SymbolKind::Char | SymbolKind::Float(_))
}

/// A name without its indices: the elements of an array have one type.
pub fn without_indices(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut inside = false;
    for character in name.chars() {
        inside = inside && character != ']' || character == '[';
        if !inside || character == '[' {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_an_array_have_one_type() {
        assert_eq!(without_indices("p[3].list[12]->key"), "p[].list[]->key");
    }
}
