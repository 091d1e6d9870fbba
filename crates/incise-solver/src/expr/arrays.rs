//! Byte arrays: constant bytes, cells that are expressions, and stores on top of either; all interned.

use hashbrown::HashTable;

use super::arena::Exprs;
use super::hash::{self, mix};
use super::kind::{ArrayId, ArrayKind, ExprId, ExprKind, SymbolSetId};
use super::symbols::SymbolSets;

#[derive(Copy, Clone)]
enum ArrayNode {
    Bytes { start: u32, length: u32 },
    Cells { start: u32, length: u32 },
    Store { array: ArrayId, index: ExprId, value: ExprId },
}

struct ArrayInfo {
    node: ArrayNode,
    hash: u64,
    symbols: SymbolSetId,
    /// Bits that are zero in every byte.
    zeros: u8,
}

/// The arrays of an arena.
#[derive(Default)]
pub(super) struct Arrays {
    list: Vec<ArrayInfo>,
    bytes: Vec<u8>,
    cells: Vec<ExprId>,
    table: HashTable<u32>,
}

impl Arrays {
    pub(super) fn kind(&self, array: ArrayId) -> ArrayKind<'_> {
        match self.list[array.index()].node {
            ArrayNode::Bytes { start, length } => {
                ArrayKind::Bytes(&self.bytes[start as usize..][..length as usize])
            }
            ArrayNode::Cells { start, length } => {
                ArrayKind::Cells(&self.cells[start as usize..][..length as usize])
            }
            ArrayNode::Store { array, index, value } => ArrayKind::Store { array, index, value },
        }
    }

    pub(super) fn hash(&self, array: ArrayId) -> u64 {
        self.list[array.index()].hash
    }

    pub(super) fn symbols(&self, array: ArrayId) -> SymbolSetId {
        self.list[array.index()].symbols
    }

    pub(super) fn common_zeros(&self, array: ArrayId) -> u8 {
        self.list[array.index()].zeros
    }

    fn find(&self, hash: u64, kind: ArrayKind<'_>) -> Option<ArrayId> {
        self.table.find(hash, |&id| self.kind(ArrayId(id)) == kind).map(|&id| ArrayId(id))
    }

    fn add(&mut self, info: ArrayInfo) -> ArrayId {
        let (id, hash) = (self.list.len() as u32, info.hash);
        self.list.push(info);
        let list = &self.list;
        self.table.insert_unique(hash, id, |&id| list[id as usize].hash);
        ArrayId(id)
    }
}

impl Exprs {
    /// An array of constant bytes; past its end it is zero.
    pub fn array_of_bytes(&mut self, bytes: &[u8]) -> ArrayId {
        let hash = hash::bytes(1, bytes);
        if let Some(found) = self.arrays.find(hash, ArrayKind::Bytes(bytes)) {
            return found;
        }
        let node = ArrayNode::Bytes { start: self.arrays.bytes.len() as u32, length: bytes.len() as u32 };
        self.arrays.bytes.extend_from_slice(bytes);
        let zeros = !bytes.iter().fold(0, |all, byte| all | byte);
        self.arrays.add(ArrayInfo { node, hash, symbols: SymbolSets::EMPTY, zeros })
    }

    /// An array of expressions of width 8; past its end it is zero.
    pub fn array_of_cells(&mut self, cells: &[ExprId]) -> ArrayId {
        debug_assert!(cells.iter().all(|&cell| self.width(cell) == 8));
        if let Some(bytes) = cells
            .iter()
            .map(|&cell| self.as_constant(cell).map(|value| value as u8))
            .collect::<Option<Vec<u8>>>()
        {
            return self.array_of_bytes(&bytes);
        }
        let hash = cells
            .iter()
            .fold(mix(2, cells.len() as u64), |hash, &cell| mix(hash, self.structural_hash(cell)));
        if let Some(found) = self.arrays.find(hash, ArrayKind::Cells(cells)) {
            return found;
        }
        let mut symbols = SymbolSets::EMPTY;
        let mut zeros = u8::MAX;
        for &cell in cells {
            symbols = self.sets.union(symbols, self.symbol_set(cell));
            zeros &= self.known_bits(cell).zeros as u8;
        }
        let node = ArrayNode::Cells { start: self.arrays.cells.len() as u32, length: cells.len() as u32 };
        self.arrays.cells.extend_from_slice(cells);
        self.arrays.add(ArrayInfo { node, hash, symbols, zeros })
    }

    /// The array with the byte at a 64-bit index replaced.
    pub fn array_store(&mut self, array: ArrayId, index: ExprId, value: ExprId) -> ArrayId {
        debug_assert!(self.width(index) == 64 && self.width(value) == 8);
        let array = self.store_target(array, index);
        if self.is_stored_already(array, index, value) {
            return array;
        }
        let hash = mix(
            mix(mix(3, self.arrays.hash(array)), self.structural_hash(index)),
            self.structural_hash(value),
        );
        if let Some(found) = self.arrays.find(hash, ArrayKind::Store { array, index, value }) {
            return found;
        }
        let symbols = self.sets.union(self.symbols_of_array(array), self.symbol_set(index));
        let symbols = self.sets.union(symbols, self.symbol_set(value));
        let zeros = self.arrays.common_zeros(array) & self.known_bits(value).zeros as u8;
        self.arrays.add(ArrayInfo { node: ArrayNode::Store { array, index, value }, hash, symbols, zeros })
    }

    /// A store that is overwritten at once is dropped.
    fn store_target(&self, array: ArrayId, index: ExprId) -> ArrayId {
        match self.arrays.kind(array) {
            ArrayKind::Store { array: before, index: same, .. }
                if same == index && self.rewriter.is_enabled() =>
            {
                before
            }
            _ => array,
        }
    }

    /// Writing back what was read from the same place changes nothing.
    fn is_stored_already(&self, array: ArrayId, index: ExprId, value: ExprId) -> bool {
        self.rewriter.is_enabled() && *self.kind(value) == ExprKind::Select(array, index)
    }

    /// The byte at a 64-bit index, of width 8.
    pub fn select(&mut self, array: ArrayId, index: ExprId) -> ExprId {
        debug_assert_eq!(self.width(index), 64);
        self.build(ExprKind::Select(array, index), 8)
    }

    /// What an array is made of.
    pub fn array_kind(&self, array: ArrayId) -> ArrayKind<'_> {
        self.arrays.kind(array)
    }

    /// The symbols in an array's cells, stores and indices.
    pub fn array_symbols(&self, array: ArrayId) -> SymbolSetId {
        self.arrays.symbols(array)
    }
}
