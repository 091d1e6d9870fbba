//! Where the pointers of a seed lead, as the symbols that say so.
//!
//! A pointer input is null or leads to an object of its own, and its bytes tell which. Where it may lead into the
//! object of another input, or be one of several functions, its bytes are addresses of another run: then it takes the
//! name of what it leads to.

use super::Seed;
use incise_solver::{ExprId, Exprs, Model, Solver, SymbolId};
use rustc_hash::FxHashMap;

/// So many ways of one pointer are looked at.
const MOST_WAYS: usize = 32;

/// What inputs and functions are called, and where they are.
pub(super) type Addresses = FxHashMap<String, u64>;

/// The ways that a pointer can go.
pub(super) struct Ways(Vec<Way>);

/// A way that a pointer can go, and what symbols have to be for that.
struct Way {
    symbols: Vec<(SymbolId, u128)>,
    place: WayPlace,
}

enum WayPlace {
    Null,
    /// An object and how far into it: a constant, and for each one of a symbol so many more.
    Object {
        address: u64,
        offset: u64,
        symbol: Option<(SymbolId, u64)>,
    },
}

impl Ways {
    /// The ways of an expression; `None` if it is no pointer input.
    pub(super) fn of(exprs: &mut Exprs, solver: &mut Solver, pointer: ExprId) -> Option<Self> {
        if exprs.width(pointer) != 64 || exprs.as_symbol(pointer).is_some() {
            return None;
        }
        let mut ways = Vec::new();
        let mut open = vec![(pointer, Vec::new())];
        while let Some((expr, symbols)) = open.pop() {
            if ways.len() + open.len() > MOST_WAYS {
                return None;
            }
            if let Some((condition, then, otherwise)) = exprs.split_ite(expr) {
                let symbol = exprs.as_symbol(condition)?;
                let with = |value| [&symbols[..], &[(symbol, value)]].concat();
                open.push((otherwise, with(0)));
                open.push((then, with(1)));
                continue;
            }
            let place = place(exprs, solver, expr)?;
            ways.push(Way { symbols, place });
        }
        Some(Self(ways))
    }

    /// Appends what the symbols are for a seed. Returns what is wrong with it.
    pub(super) fn read(
        &self,
        (bits, offset): (u128, u64),
        (seed, input): (&Seed<'_>, &str),
        addresses: &Addresses,
        values: &mut Vec<(SymbolId, u128)>,
    ) -> Option<String> {
        let is_null = |way: &&Way| matches!(way.place, WayPlace::Null);
        let mut others = self.0.iter().filter(|way| !is_null(way));
        let found = match (bits, others.next(), others.next()) {
            (0, ..) => self.0.iter().find(is_null).map(|way| (way, None)),
            (_, Some(only @ Way { place: WayPlace::Object { symbol: None, .. }, .. }), None) => {
                Some((only, None))
            }
            _ => self.named(seed.pointer(input, offset), addresses),
        };
        let Some((way, further)) = found else {
            return Some(match bits {
                0 => format!("a pointer in {input} is null"),
                _ => format!("a pointer in {input} leads elsewhere"),
            });
        };
        values.extend(way.symbols.iter().copied().chain(further));
        None
    }

    /// The way to an object that was not made, where a data structure ends.
    fn nowhere(&self, addresses: &Addresses) -> Option<&Way> {
        let made = |wanted: u64| addresses.values().any(|&address| address == wanted);
        let mut unmade = self.0.iter().filter(|way| match way.place {
            WayPlace::Object { address, offset: 0, symbol: None } => !made(address),
            _ => false,
        });
        unmade.next().filter(|_| unmade.next().is_none())
    }

    /// The way to something by its name.
    fn named(
        &self,
        target: Option<(&str, u64)>,
        addresses: &Addresses,
    ) -> Option<(&Way, Option<(SymbolId, u128)>)> {
        let (name, addend) = target?;
        let Some(&wanted) = addresses.get(name) else {
            return self.nowhere(addresses).map(|way| (way, None)).filter(|_| addend == 0);
        };
        self.0.iter().find_map(|way| match way.place {
            WayPlace::Object { address, offset, symbol } if address == wanted => match symbol {
                None => (offset == addend).then_some((way, None)),
                Some((symbol, step)) => {
                    let further = addend.checked_sub(offset)?;
                    (further % step == 0).then(|| (way, Some((symbol, u128::from(further / step)))))
                }
            },
            _ => None,
        })
    }
}

/// Where an expression without alternatives leads to.
fn place(exprs: &mut Exprs, solver: &mut Solver, expr: ExprId) -> Option<WayPlace> {
    if let Some(address) = exprs.as_constant(expr) {
        let address = address as u64;
        return Some(match address {
            0 => WayPlace::Null,
            _ => WayPlace::Object { address, offset: 0, symbol: None },
        });
    }
    let (address, distance) = exprs.split_base(expr)?;
    let mut symbols: Vec<SymbolId> = exprs.symbols_of(distance).collect();
    symbols.dedup();
    let mut at = |model: &Model| solver.evaluate(exprs, distance, model) as u64;
    let offset = at(&Model::new());
    let symbol = match symbols[..] {
        [] => None,
        [symbol] => {
            // Distances are counted in elements.
            let step = at(&Model::new().with([(symbol, 1)])).wrapping_sub(offset);
            if step == 0 || step > u64::from(u32::MAX) {
                return None;
            }
            Some((symbol, step))
        }
        _ => return None,
    };
    Some(WayPlace::Object { address, offset, symbol })
}
