//! Proofs of the rules.
//!
//! `proofs` checks every firing of every rule on its own: the node as it was asked for and what the rule made of it are
//! evaluated for all values of their symbols, at widths 1 to 4. `random` builds the same random expressions with and
//! without rewriting at widths up to 128. `memory` checks that values survive being taken apart into bytes, `tables`
//! comparisons of constant tables, `numbers` floats where only the number counts, and `shapes` what common code
//! becomes.

pub(crate) mod generate;
mod memory;
mod numbers;
mod proofs;
mod random;
mod shapes;
mod tables;

use crate::expr::{ExprId, ExprKind};

/// A rule that fired: its number, the node that was asked for, and what it became.
pub(super) struct Firing {
    pub(super) rule: usize,
    pub(super) kind: ExprKind,
    pub(super) width: u32,
    pub(super) result: ExprId,
}
