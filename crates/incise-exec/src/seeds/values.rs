//! The values that seeds have for the symbols of an input.
//!
//! An input is looked at once, and then the bytes of tens of thousands of seeds are read: most of its leaves are plain symbols.

use super::Seed;
use crate::given::{bits_at, invert};
use crate::input::{Counted, InputObject, Leaf};
use crate::value::mask;
use incise_solver::{ExprId, ExprKind, Exprs, SymbolId};

/// How the bytes of an input tell the values of its symbols.
pub(super) struct Reader<'a> {
    input: &'a InputObject,
    /// What it holds if nobody sets it.
    initial: Option<&'a [u8]>,
    /// About the place of the input among those of a seed.
    near: usize,
    leaves: Vec<(Leaf, Option<Plain>)>,
    /// The number of elements, if that is an input as well.
    count: Option<(SymbolId, Counted)>,
}

/// A leaf that is a symbol, with zeros before it or without.
#[derive(Copy, Clone)]
struct Plain {
    symbol: SymbolId,
    /// The bits that the symbol has.
    mask: u128,
}

impl<'a> Reader<'a> {
    pub(super) fn new(exprs: &Exprs, input: &'a InputObject, initial: Option<&'a [u8]>, near: usize) -> Self {
        let leaves = input.leaves.iter().map(|&leaf| (leaf, plain(exprs, leaf)));
        let count = input.count.and_then(|counted| Some((exprs.as_symbol(counted.count)?, counted)));
        Self { input, initial, near, leaves: leaves.collect(), count }
    }

    /// Whether so many bytes are among the sizes that the input can have.
    fn fits(&self, bytes: usize) -> bool {
        self.count.is_some() && bytes as u64 <= self.input.size
    }

    /// Appends the values of a seed. Returns what is wrong with them.
    pub(super) fn read(
        &self,
        exprs: &Exprs,
        seed: &Seed<'_>,
        values: &mut Vec<(SymbolId, u128)>,
    ) -> Option<String> {
        match seed.bytes(&self.input.name, self.near) {
            Some(bytes) if bytes.len() as u64 == self.input.size || self.fits(bytes.len()) => {
                self.read_bytes(exprs, bytes, values);
                if let Some((symbol, counted)) = self.count {
                    values.push((symbol, u128::from(counted.elements_in(bytes.len()))));
                }
                None
            }
            other => self.read_unusual(exprs, other, values),
        }
    }

    /// The values for a seed that has too few or too many bytes for the input, or none.
    #[cold]
    fn read_unusual(
        &self,
        exprs: &Exprs,
        bytes: Option<&[u8]>,
        values: &mut Vec<(SymbolId, u128)>,
    ) -> Option<String> {
        let InputObject { name, size, .. } = self.input;
        let (bytes, fault) = match (bytes, self.initial) {
            (Some(bytes), _) => {
                (bytes, Some(format!("{name} has {size} bytes, and {} in the test", bytes.len())))
            }
            (None, Some(initial)) => (initial, None),
            (None, None) => (&[][..], Some(format!("it has no value for {name}"))),
        };
        self.read_bytes(exprs, bytes, values);
        fault
    }

    fn read_bytes(&self, exprs: &Exprs, bytes: &[u8], values: &mut Vec<(SymbolId, u128)>) {
        for &(Leaf { offset, bytes: count, expr }, plain) in &self.leaves {
            let bits = bits_at(bytes, offset, count, false);
            match plain {
                Some(Plain { symbol, mask }) => {
                    values.push((symbol, bits & mask));
                    debug_assert!(follows(exprs, expr, bits, (symbol, bits & mask)));
                }
                None => invert(exprs, expr, bits, values),
            }
        }
    }
}

fn plain(exprs: &Exprs, leaf: Leaf) -> Option<Plain> {
    let expr = match *exprs.kind(leaf.expr) {
        ExprKind::ZeroExtend(inner) => inner,
        _ => leaf.expr,
    };
    exprs.as_symbol(expr).map(|symbol| Plain { symbol, mask: mask(exprs.width(expr)) })
}

/// Whether this value is all that follows from the bits of a leaf.
fn follows(exprs: &Exprs, expr: ExprId, bits: u128, value: (SymbolId, u128)) -> bool {
    let mut values = Vec::new();
    invert(exprs, expr, bits, &mut values);
    values == [value]
}
