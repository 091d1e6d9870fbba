//! The storage of expressions: one array of 32-byte nodes and a table of their ids.

use hashbrown::HashTable;
use rustc_hash::FxHashMap;

use super::arrays::Arrays;
use super::hash::mix;
use super::kind::{
    ArrayId, ExprId, ExprKind, FloatFormat, Symbol, SymbolId, SymbolKind, SymbolSetId, WideId,
};
use super::known::{self, KnownBits, KnownTable};
use super::symbols::{SymbolIter, SymbolSets, SymbolTable};
use crate::concrete::mask;
use crate::rewrite::Rewriter;
use crate::work::{self, Effort};

/// A node with what is kept beside its kind, in half a cache line.
#[derive(Copy, Clone)]
#[repr(align(32))]
struct ExprNode {
    kind: ExprKind,
    hash: u64,
    facts: Facts,
}

/// The width of a node, its known bits and its symbols (both interned), and whether it has been through all rules,
/// which left it as it is, and by how much nesting.
#[derive(Copy, Clone)]
struct Facts(u64);

impl Facts {
    const WIDTH_BITS: u32 = 8;
    const HEIGHT_SHIFT: u32 = Self::WIDTH_BITS;
    const HEIGHT_BITS: u32 = 5;
    const SETTLED: u64 = 1 << (Self::HEIGHT_SHIFT + Self::HEIGHT_BITS);
    const KNOWN_SHIFT: u32 = Self::HEIGHT_SHIFT + Self::HEIGHT_BITS + 1;
    const SYMBOLS_SHIFT: u32 = Self::KNOWN_SHIFT + KnownTable::ID_BITS;

    fn new(width: u32, known: u32, symbols: SymbolSetId) -> Self {
        Facts(width as u64 | (known as u64) << Self::KNOWN_SHIFT | (symbols.0 as u64) << Self::SYMBOLS_SHIFT)
    }

    #[inline]
    fn width(self) -> u32 {
        (self.0 & ((1 << Self::WIDTH_BITS) - 1)) as u32
    }

    #[inline]
    fn known(self) -> u32 {
        (self.0 >> Self::KNOWN_SHIFT) as u32 & ((1 << KnownTable::ID_BITS) - 1)
    }

    #[inline]
    fn symbols(self) -> SymbolSetId {
        SymbolSetId((self.0 >> Self::SYMBOLS_SHIFT) as u32)
    }

    /// The nesting after which the rules left the node alone, if they did.
    #[inline]
    fn settled(self) -> Option<u8> {
        let height = (self.0 >> Self::HEIGHT_SHIFT) as u8 & ((1 << Self::HEIGHT_BITS) - 1);
        (self.0 & Self::SETTLED != 0).then_some(height)
    }

    fn settle(&mut self, height: u8) {
        self.0 |= Self::SETTLED | (height as u64) << Self::HEIGHT_SHIFT;
    }
}

/// The expression arena. Nodes are never removed, equal nodes have equal ids, and every constructor simplifies what it
/// builds.
pub struct Exprs {
    nodes: Vec<ExprNode>,
    table: HashTable<u32>,
    wide: Vec<u128>,
    wide_index: FxHashMap<u128, u32>,
    symbols: SymbolTable,
    pub(super) sets: SymbolSets,
    known: KnownTable,
    pub(super) arrays: Arrays,
    pub(crate) rewriter: Rewriter,
    /// Whether any node is a function of the C library, so that most programs never look for one.
    has_math: bool,
    /// How many nodes were looked up and not yet counted as work.
    looked_up: u64,
    /// The forms of floats as numbers, see `numbers.rs`.
    pub(super) numbers: FxHashMap<(ExprId, FloatFormat), ExprId>,
}

impl Default for Exprs {
    fn default() -> Self {
        Self::new()
    }
}

impl Exprs {
    /// The constant zero of width 1.
    pub const FALSE: ExprId = ExprId(0);
    /// The constant one of width 1.
    pub const TRUE: ExprId = ExprId(1);

    /// An empty arena.
    pub fn new() -> Self {
        Self::with_rewriter(Rewriter::new())
    }

    /// An arena that keeps every node as it is asked for. Tests compare what it builds with what [`Exprs::new`] builds.
    pub fn without_rewriting() -> Self {
        Self::with_rewriter(Rewriter::disabled())
    }

    fn with_rewriter(rewriter: Rewriter) -> Self {
        let mut exprs = Exprs {
            nodes: Vec::new(),
            table: HashTable::new(),
            wide: Vec::new(),
            wide_index: FxHashMap::default(),
            symbols: SymbolTable::default(),
            sets: SymbolSets::new(),
            known: KnownTable::new(),
            arrays: Arrays::default(),
            rewriter,
            has_math: false,
            looked_up: 0,
            numbers: FxHashMap::default(),
        };
        exprs.constant(0, 1);
        exprs.constant(1, 1);
        exprs
    }

    /// The symbol of a name and width: the same expression for the same pair. The kind of the first call stays.
    pub fn symbol(&mut self, name: &str, width: u32, kind: SymbolKind) -> ExprId {
        debug_assert!((1..=128).contains(&width), "symbol `{name}` has width {width}");
        self.looked_up += 1;
        if let Some(existing) = self.symbols.find(name, width) {
            return existing;
        }
        let id = self.symbols.next();
        let hash = mix(2, SymbolTable::hash(name, width));
        let expression = ExprId(self.nodes.len() as u32);
        self.symbols.add(name, width, kind, expression);
        self.insert(hash, ExprKind::Symbol(id), width)
    }

    /// The name, width and kind of a symbol.
    pub fn symbol_info(&self, symbol: SymbolId) -> &Symbol {
        self.symbols.get(symbol)
    }

    /// The expression that is a symbol.
    pub fn symbol_expr(&self, symbol: SymbolId) -> ExprId {
        self.symbols.expression(symbol)
    }

    /// All symbols, in the order in which they were made.
    pub fn symbol_ids(&self) -> impl Iterator<Item = SymbolId> + use<> {
        (0..self.symbols.len() as u32).map(SymbolId)
    }

    /// How many symbols there are.
    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    /// A constant; bits of the value above the width are dropped.
    #[inline]
    pub fn constant(&mut self, value: u128, width: u32) -> ExprId {
        debug_assert!((1..=128).contains(&width), "constant of width {width}");
        let value = value & mask(width);
        let kind = if width <= 64 {
            ExprKind::Constant(value as u64)
        } else {
            ExprKind::WideConstant(self.wide_id(value))
        };
        let hash = self.hash_of(&kind, width);
        self.intern(hash, kind, width)
    }

    /// A truth value as a constant of width 1.
    #[inline]
    pub fn boolean(&self, value: bool) -> ExprId {
        if value { Self::TRUE } else { Self::FALSE }
    }

    fn wide_id(&mut self, value: u128) -> WideId {
        let next = self.wide.len() as u32;
        let id = *self.wide_index.entry(value).or_insert(next);
        if id == next {
            self.wide.push(value);
        }
        WideId(id)
    }

    /// A 64-bit constant that folding leaves alone: the address of an object, so that a pointer with a symbolic offset
    /// still tells which object it is of.
    pub fn base(&mut self, address: u64) -> ExprId {
        let kind = ExprKind::Base(address);
        let hash = self.hash_of(&kind, 64);
        self.intern(hash, kind, 64)
    }

    /// The width in bits.
    #[inline]
    pub fn width(&self, e: ExprId) -> u32 {
        self.nodes[e.index()].facts.width()
    }

    /// The node.
    #[inline]
    pub fn kind(&self, e: ExprId) -> &ExprKind {
        &self.nodes[e.index()].kind
    }

    /// The value of a constant. A base is none.
    #[inline]
    pub fn as_constant(&self, e: ExprId) -> Option<u128> {
        match self.nodes[e.index()].kind {
            ExprKind::Constant(value) => Some(value as u128),
            ExprKind::WideConstant(id) => Some(self.wide[id.index()]),
            _ => None,
        }
    }

    /// The value of a constant of more than 64 bits.
    #[inline]
    pub fn wide_constant(&self, id: WideId) -> u128 {
        self.wide[id.index()]
    }

    /// The symbol, if the expression is one.
    #[inline]
    pub fn as_symbol(&self, e: ExprId) -> Option<SymbolId> {
        match self.nodes[e.index()].kind {
            ExprKind::Symbol(id) => Some(id),
            _ => None,
        }
    }

    /// Condition, then and else, if the expression is an if-then-else.
    pub fn split_ite(&self, e: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        match self.nodes[e.index()].kind {
            ExprKind::Ite(condition, then, otherwise) => Some((condition, then, otherwise)),
            _ => None,
        }
    }

    /// The nodes of the arena. Ids are below this number.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Whether any expression contains a function of the C library.
    pub(crate) fn has_math(&self) -> bool {
        self.has_math
    }

    /// A hash that depends on structure and symbol names only, never on what was built before.
    #[inline]
    pub fn structural_hash(&self, e: ExprId) -> u64 {
        self.nodes[e.index()].hash
    }

    /// The symbols that the expression depends on, in the order of their ids.
    #[inline]
    pub fn symbols_of(&self, e: ExprId) -> SymbolIter<'_> {
        self.sets.iter(self.symbol_set(e))
    }

    /// The interned set of those symbols.
    #[inline]
    pub fn symbol_set(&self, e: ExprId) -> SymbolSetId {
        self.nodes[e.index()].facts.symbols()
    }

    /// The symbols of an interned set, in the order of their ids.
    pub fn symbols_in(&self, set: SymbolSetId) -> SymbolIter<'_> {
        self.sets.iter(set)
    }

    /// Whether two sets have a symbol in common.
    pub fn sets_intersect(&self, a: SymbolSetId, b: SymbolSetId) -> bool {
        self.sets.intersect(a, b)
    }

    /// The union of two sets.
    pub fn set_union(&mut self, a: SymbolSetId, b: SymbolSetId) -> SymbolSetId {
        self.sets.union(a, b)
    }

    /// The bits that are the same for all values of the symbols.
    #[inline]
    pub fn known_bits(&self, e: ExprId) -> KnownBits {
        match self.as_constant(e) {
            Some(value) => KnownBits::of_value(value, self.width(e)),
            None => self.known.get(self.nodes[e.index()].facts.known()),
        }
    }

    /// Finds or makes a node after trying the rules on it.
    ///
    /// What the rules made of a node is remembered with the nesting that it took. A result is taken from memory only
    /// where that nesting is allowed, so that it is the same as without memory, and does not depend on what was built
    /// before.
    #[inline]
    pub(crate) fn build(&mut self, kind: ExprKind, width: u32) -> ExprId {
        let hash = self.hash_of(&kind, width);
        if let Some(found) = self.find(hash, &kind, width) {
            if let Some(height) = self.nodes[found.index()].facts.settled()
                && self.rewriter.admits(height)
            {
                return found;
            }
        } else if let Some(result) = self.rewriter.remembered(hash, &kind, width) {
            return result;
        }
        self.build_new(hash, kind, width)
    }

    fn build_new(&mut self, hash: u64, kind: ExprKind, width: u32) -> ExprId {
        if !self.rewriter.is_enabled() {
            return self.intern(hash, kind, width);
        }
        let (result, height) = crate::rewrite::apply(self, &kind, width);
        if let Some(result) = result {
            debug_assert_eq!(self.width(result), width, "a rule changed the width of {kind:?}");
            if let Some(height) = height {
                self.rewriter.remember(hash, kind, width, result, height);
            }
            return result;
        }
        let e = self.intern(hash, kind, width);
        if let Some(height) = height {
            self.nodes[e.index()].facts.settle(height);
        }
        e
    }

    /// A node as it is, whatever the rules say.
    #[cfg(test)]
    pub(crate) fn raw(&mut self, kind: ExprKind, width: u32) -> ExprId {
        let hash = self.hash_of(&kind, width);
        self.intern(hash, kind, width)
    }

    #[inline]
    fn find(&self, hash: u64, kind: &ExprKind, width: u32) -> Option<ExprId> {
        let same = |&id: &u32| {
            let node = &self.nodes[id as usize];
            node.kind == *kind && node.facts.width() == width
        };
        self.table.find(hash, same).map(|&id| ExprId(id))
    }

    /// Counts as work what was looked up since this was called last.
    pub fn count_work(&mut self) {
        work::count(Effort::Expression, std::mem::take(&mut self.looked_up));
    }

    /// Finds or makes a node as it is.
    pub(super) fn intern(&mut self, hash: u64, kind: ExprKind, width: u32) -> ExprId {
        self.looked_up += 1;
        match self.find(hash, &kind, width) {
            Some(found) => found,
            None => self.insert(hash, kind, width),
        }
    }

    fn insert(&mut self, hash: u64, kind: ExprKind, width: u32) -> ExprId {
        let symbols = self.symbols_of_kind(&kind);
        let known = self.known_bits_of_kind(&kind, width);
        let known = self.known.intern(known);
        self.has_math |= matches!(kind, ExprKind::Math(..));
        let id = u32::try_from(self.nodes.len()).expect("an arena holds at most 2^32 nodes");
        self.nodes.push(ExprNode { kind, hash, facts: Facts::new(width, known, symbols) });
        let nodes = &self.nodes;
        self.table.insert_unique(hash, id, |&id| nodes[id as usize].hash);
        ExprId(id)
    }

    fn symbols_of_kind(&mut self, kind: &ExprKind) -> SymbolSetId {
        let mut set = match *kind {
            ExprKind::Symbol(symbol) => return self.sets.single(symbol),
            ExprKind::Select(array, _) => self.arrays.symbols(array),
            _ => SymbolSets::EMPTY,
        };
        for &operand in kind.operands().iter() {
            set = self.sets.union(set, self.nodes[operand.index()].facts.symbols());
        }
        set
    }

    pub(crate) fn known_bits_of_kind(&self, kind: &ExprKind, width: u32) -> KnownBits {
        match *kind {
            // The value of a constant is in the node; entries for each would only fill the table.
            ExprKind::Constant(_) | ExprKind::WideConstant(_) => KnownBits::NOTHING,
            ExprKind::Select(array, _) => {
                KnownBits { zeros: self.arrays.common_zeros(array) as u128, ones: 0 }
            }
            // Of what is made of unknown operands nothing is known.
            ExprKind::Binary(_, a, b) if self.nothing_known(a) && self.nothing_known(b) => KnownBits::NOTHING,
            ExprKind::Compare(..) => KnownBits::NOTHING,
            _ => {
                let operands = kind.operands();
                known::of_kind(kind, width, |i| (self.known_bits(operands[i]), self.width(operands[i])))
            }
        }
    }

    #[inline]
    fn nothing_known(&self, e: ExprId) -> bool {
        self.nodes[e.index()].facts.known() == 0 && self.as_constant(e).is_none()
    }

    pub(super) fn symbols_of_array(&self, array: ArrayId) -> SymbolSetId {
        self.arrays.symbols(array)
    }

    /// The structural hash of a node that may not exist yet.
    #[inline]
    pub(crate) fn hash_of(&self, kind: &ExprKind, width: u32) -> u64 {
        let of = |e: ExprId| self.nodes[e.index()].hash;
        let tagged = |tag: u64, detail: u64| tag | detail << 8 | (width as u64) << 32;
        match *kind {
            ExprKind::Constant(value) => mix(tagged(1, 0), value),
            ExprKind::WideConstant(id) => {
                let value = self.wide[id.index()];
                mix(mix(tagged(1, 1), value as u64), (value >> 64) as u64)
            }
            ExprKind::Symbol(id) => {
                let symbol = self.symbols.get(id);
                mix(2, SymbolTable::hash(&symbol.name, symbol.width))
            }
            ExprKind::Base(address) => mix(tagged(3, 0), address),
            ExprKind::Binary(op, a, b) => mix(mix(tagged(4, op as u64), of(a)), of(b)),
            ExprKind::Compare(relation, a, b) => mix(mix(tagged(5, relation as u64), of(a)), of(b)),
            ExprKind::Not(a) => mix(tagged(6, 0), of(a)),
            ExprKind::ZeroExtend(a) => mix(tagged(7, 0), of(a)),
            ExprKind::SignExtend(a) => mix(tagged(8, 0), of(a)),
            ExprKind::Extract { of: a, low } => mix(tagged(9, low as u64), of(a)),
            ExprKind::Concat(a, b) => mix(mix(tagged(10, 0), of(a)), of(b)),
            ExprKind::Ite(a, b, c) => mix(mix(mix(tagged(11, 0), of(a)), of(b)), of(c)),
            ExprKind::Select(array, index) => mix(mix(tagged(12, 0), self.arrays.hash(array)), of(index)),
            ExprKind::FloatBinary(op, format, a, b) => {
                mix(mix(tagged(13, op as u64 | (format as u64) << 8), of(a)), of(b))
            }
            ExprKind::FloatUnary(op, format, a) => mix(tagged(14, op as u64 | (format as u64) << 8), of(a)),
            ExprKind::FloatFma(format, a, b, c) => {
                mix(mix(mix(tagged(15, format as u64), of(a)), of(b)), of(c))
            }
            ExprKind::FloatCompare(op, format, a, b) => {
                mix(mix(tagged(16, op as u64 | (format as u64) << 8), of(a)), of(b))
            }
            ExprKind::FloatToFloat { from, to, of: a } => {
                mix(tagged(17, from as u64 | (to as u64) << 8), of(a))
            }
            ExprKind::FloatToInt { from, signed, of: a } => {
                mix(tagged(18, from as u64 | (signed as u64) << 8), of(a))
            }
            ExprKind::IntToFloat { signed, to, of: a } => {
                mix(tagged(19, to as u64 | (signed as u64) << 8), of(a))
            }
            ExprKind::Math(function, format, a, b) => {
                mix(mix(tagged(20, function as u64 | (format as u64) << 8), of(a)), of(b))
            }
        }
    }
}
