//! Reading a byte of an array at an index: a tree of multiplexers over the index bits for what is at constant
//! places, one comparison for each byte written at a symbolic place.

use super::gates::{Bit, Gates};
use super::{Blaster, NotBlasted, words};
use crate::expr::{ArrayId, ArrayKind, ExprId, Exprs};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

const BYTE: usize = 8;
/// Roughly the gates of one leaf of a tree of multiplexers, or of one comparison of indices.
const GATES_PER_ELEMENT: usize = 4;

type Byte = [Bit; BYTE];

/// The reads made so far: reading an array that was written to again goes no further than to the last array
/// that was read.
#[derive(Default)]
pub(super) struct Reads {
    known: FxHashMap<(ArrayId, ExprId), Byte>,
}

/// A step from an array to the one it was made of.
enum Layer {
    /// Bytes at constant indices, in order, over the rest.
    Run(Vec<(u64, Byte)>),
    /// One byte at a symbolic index over the rest.
    One { index: Vec<Bit>, value: Byte },
}

impl Reads {
    /// The expressions that reading needs beside the index: what was written where, as far as no earlier read
    /// knows.
    pub(super) fn each_part(
        &self,
        exprs: &Exprs,
        array: ArrayId,
        index: ExprId,
        mut visit: impl FnMut(ExprId),
    ) {
        let mut current = array;
        while !self.known.contains_key(&(current, index)) {
            match exprs.array_kind(current) {
                ArrayKind::Bytes(_) => return,
                ArrayKind::Cells(cells) => {
                    cells.iter().for_each(|cell| visit(*cell));
                    return;
                }
                ArrayKind::Store { array, index, value } => {
                    visit(index);
                    visit(value);
                    current = array;
                }
            }
        }
    }
}

impl Blaster {
    /// The gates of reading an array at an index, all of whose parts are translated.
    pub(super) fn read(
        &mut self,
        exprs: &Exprs,
        array: ArrayId,
        index: ExprId,
    ) -> Result<Vec<Bit>, NotBlasted> {
        let index_bits = self.bits(exprs, index).to_vec();
        let mut layers: Vec<(ArrayId, Layer)> = Vec::new();
        let mut current = array;
        let mut run = BTreeMap::new();
        let mut run_top = array;
        let mut size = 0;
        let mut result = loop {
            if let Some(known) = self.reads.known.get(&(current, index)) {
                break *known;
            }
            match exprs.array_kind(current) {
                ArrayKind::Store { array, index: place, value } => {
                    let place = self.bits(exprs, place);
                    let value = byte(self.bits(exprs, value));
                    match words::as_constant(place) {
                        Some(place) => {
                            if run.is_empty() {
                                run_top = current;
                            }
                            // What was written last comes first.
                            run.entry(place as u64).or_insert(value);
                        }
                        None => {
                            let place = place.to_vec();
                            if !run.is_empty() {
                                layers.push((
                                    run_top,
                                    Layer::Run(std::mem::take(&mut run).into_iter().collect()),
                                ));
                            }
                            layers.push((current, Layer::One { index: place, value }));
                        }
                    }
                    size += 1;
                    current = array;
                }
                base => break self.read_base(exprs, base, &index_bits)?,
            }
            if size * GATES_PER_ELEMENT > self.operation_limit {
                return Err(NotBlasted::TooLarge);
            }
        };
        self.reads.known.insert((current, index), result);
        if !run.is_empty() {
            layers.push((run_top, Layer::Run(run.into_iter().collect())));
        }
        for (array, layer) in layers.into_iter().rev() {
            result = match layer {
                Layer::Run(run) => tree(&mut self.gates, &run, &index_bits, result),
                Layer::One { index: place, value } => {
                    let hit = words::equal(&mut self.gates, &place, &index_bits);
                    mux(&mut self.gates, hit, value, result)
                }
            };
            self.reads.known.insert((array, index), result);
        }
        Ok(result.to_vec())
    }

    fn read_base(&mut self, exprs: &Exprs, base: ArrayKind<'_>, index: &[Bit]) -> Result<Byte, NotBlasted> {
        let zero = [Bit::FALSE; BYTE];
        let elements: Vec<(u64, Byte)> = match base {
            ArrayKind::Bytes(bytes) => places(index, bytes.len(), self.operation_limit)?
                .map(|place| (place, byte(&words::constant(bytes[place as usize].into(), BYTE))))
                .collect(),
            ArrayKind::Cells(cells) => places(index, cells.len(), self.operation_limit)?
                .map(|place| (place, byte(self.bits(exprs, cells[place as usize]))))
                .collect(),
            ArrayKind::Store { .. } => Vec::new(),
        };
        Ok(if elements.is_empty() { zero } else { tree(&mut self.gates, &elements, index, zero) })
    }
}

/// The places below `len` that an index can have, by its bits that are constant.
fn places(index: &[Bit], len: usize, limit: usize) -> Result<impl Iterator<Item = u64> + use<>, NotBlasted> {
    let mut fixed = 0u64;
    let mut value = 0u64;
    for (position, bit) in index.iter().enumerate() {
        if let Some(one) = bit.as_constant() {
            fixed |= 1 << position;
            value |= u64::from(one) << position;
        }
    }
    let matching = move |place: &u64| place & fixed == value;
    let count = if len <= limit { 0 } else { (0..len as u64).filter(matching).count() };
    if count * GATES_PER_ELEMENT > limit || (fixed == 0 && len * GATES_PER_ELEMENT > limit) {
        return Err(NotBlasted::TooLarge);
    }
    Ok((0..len as u64).filter(matching))
}

fn byte(bits: &[Bit]) -> Byte {
    std::array::from_fn(|position| bits.get(position).copied().unwrap_or(Bit::FALSE))
}

fn mux(gates: &mut Gates, condition: Bit, then: Byte, otherwise: Byte) -> Byte {
    std::array::from_fn(|position| gates.mux(condition, then[position], otherwise[position]))
}

/// The element at the index if there is one, else `rest`. The elements are sorted by place and not empty.
fn tree(gates: &mut Gates, elements: &[(u64, Byte)], index: &[Bit], rest: Byte) -> Byte {
    subtree(gates, elements, index, index.len(), rest)
}

/// As [`tree`], where the bits of the index from `height` on are known to agree with all elements. The
/// recursion is as deep as the index has bits.
fn subtree(gates: &mut Gates, elements: &[(u64, Byte)], index: &[Bit], height: usize, rest: Byte) -> Byte {
    let (Some(first), Some(last)) = (elements.first(), elements.last()) else { return rest };
    let differing = (u64::BITS - (first.0 ^ last.0).leading_zeros()) as usize;
    let found = match differing.checked_sub(1) {
        None => first.1,
        Some(top) => {
            let middle = elements.partition_point(|element| element.0 >> top & 1 == 0);
            let low = subtree(gates, &elements[..middle], index, top, rest);
            let high = subtree(gates, &elements[middle..], index, top, rest);
            mux(gates, index[top], high, low)
        }
    };
    let mut same: Vec<Bit> = (differing..height)
        .map(|position| index[position].negated_if(first.0 >> position & 1 == 0))
        .collect();
    let hit = words::conjunction(gates, &mut same);
    mux(gates, hit, found, rest)
}
