//! The values that seeds have for the symbols of an input.
//!
//! An input is looked at once, and then the bytes of tens of thousands of seeds are read: most of its leaves are plain
//! symbols.

use super::Seed;
use super::ways::{Addresses, Ways};
use incise_exec::inside::{Counted, InputObject, LARGEST_TEST, Leaf, bits_at, invert, mask};
use incise_solver::{ExprId, ExprKind, Exprs, Solver, SymbolId};

/// How the bytes of an input tell the values of its symbols.
pub(super) struct SeedReader<'a> {
    input: &'a InputObject,
    /// What it holds if nobody sets it.
    initial: Option<&'a [u8]>,
    /// About the place of the input among those of a seed.
    near: usize,
    leaves: Vec<(Leaf, Kind)>,
    /// The number of elements, if that is an input as well.
    count: Option<(SymbolId, Counted)>,
}

/// How the bytes of a leaf are read.
enum Kind {
    Plain(Plain),
    Pointer(Ways),
    Other,
}

/// A leaf that is a symbol, with zeros before it or without.
#[derive(Copy, Clone)]
struct Plain {
    symbol: SymbolId,
    /// The bits that the symbol has.
    mask: u128,
}

impl<'a> SeedReader<'a> {
    pub(super) fn new(
        exprs: &mut Exprs,
        solver: &mut Solver,
        input: &'a InputObject,
        initial: Option<&'a [u8]>,
        near: usize,
    ) -> Self {
        let mut kind = |&leaf: &Leaf| match plain(exprs, leaf) {
            Some(plain) => (leaf, Kind::Plain(plain)),
            None => (leaf, Ways::of(exprs, solver, leaf.expr).map_or(Kind::Other, Kind::Pointer)),
        };
        let leaves: Vec<_> = input.leaves.iter().map(&mut kind).collect();
        let count = input.count.and_then(|counted| Some((exprs.as_symbol(counted.count)?, counted)));
        Self { input, initial, near, leaves, count }
    }

    /// Whether so many bytes are among the sizes that the input can have.
    fn fits(&self, bytes: usize) -> bool {
        self.count.is_some() && bytes as u64 <= self.input.size.max(LARGEST_TEST)
    }

    /// Appends the values of a seed. Returns what is wrong with them.
    pub(super) fn read(
        &self,
        exprs: &Exprs,
        seed: &Seed<'_>,
        addresses: &Addresses,
        values: &mut Vec<(SymbolId, u128)>,
    ) -> Option<String> {
        let of = (seed, addresses);
        match seed.bytes(&self.input.name, self.near) {
            Some(bytes) if bytes.len() as u64 == self.input.size || self.fits(bytes.len()) => {
                let fault = self.read_bytes(exprs, bytes, of, values);
                if let Some((symbol, counted)) = self.count {
                    values.push((symbol, u128::from(counted.elements_in(bytes.len()))));
                }
                fault
            }
            other => self.read_unusual(exprs, other, of, values),
        }
    }

    /// The values for a seed that has too few or too many bytes for the input, or none.
    #[cold]
    fn read_unusual(
        &self,
        exprs: &Exprs,
        bytes: Option<&[u8]>,
        of: (&Seed<'_>, &Addresses),
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
        let unread = self.read_bytes(exprs, bytes, of, values);
        // What nobody sets leads where it leads.
        if self.initial.is_some() { fault } else { fault.or(unread) }
    }

    /// Appends the values that bytes tell. Returns what is wrong with the pointers in them.
    fn read_bytes(
        &self,
        exprs: &Exprs,
        bytes: &[u8],
        (seed, addresses): (&Seed<'_>, &Addresses),
        values: &mut Vec<(SymbolId, u128)>,
    ) -> Option<String> {
        let mut fault = None;
        for (Leaf { offset, bytes: count, expr }, kind) in &self.leaves {
            // Elements that are not there are not looked at.
            if *offset >= bytes.len() as u64 && self.count.is_some() {
                continue;
            }
            let bits = bits_at(bytes, *offset, *count, false);
            match kind {
                Kind::Plain(Plain { symbol, mask }) => {
                    values.push((*symbol, bits & mask));
                    debug_assert!(follows(exprs, *expr, bits, (*symbol, bits & mask)));
                }
                Kind::Pointer(ways) => {
                    let wrong = ways.read((bits, *offset), (seed, &self.input.name), addresses, values);
                    fault = fault.or(wrong);
                }
                Kind::Other => invert(exprs, *expr, bits, values),
            }
        }
        fault
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
