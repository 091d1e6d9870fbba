//! Given inputs: values by the names of the source, for a path that is traced and not explored.
//!
//! A test knows the bytes of whole inputs; people name single elements (`list->key`, `text[3]`). What is not given is
//! zero, and pointers are null.

use crate::engine::state::State;
use crate::inputs::input::InputObject;
use crate::inputs::maker::InputMaker;
use crate::inputs::unions;
use crate::memory::Object;
use incise_reading::container_of;
use incise_solver::concrete::{float_to_float, int_to_float, sign_extend};
use incise_solver::{ExprId, ExprKind, Exprs, FloatFormat, Model, SymbolId, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

/// So many elements a pointer gets at most because one of them is given; a larger index is that of no input.
const MOST_ELEMENTS: u64 = 1 << 16;

/// The value of a scalar input or element.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum GivenValue {
    /// A number without a fraction; of a pointer, zero is null and anything else is the input object it can point to.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
}

/// Values for inputs.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// The bytes of inputs, by name. Of a pointer, zeros are null and anything else is the input object it can point
    /// to.
    pub bytes: BTreeMap<String, Vec<u8>>,
    /// The values of scalar inputs and elements, by name. They count more than bytes.
    pub elements: BTreeMap<String, GivenValue>,
}

impl Given {
    /// How many elements a pointer must point to for all that is given to have room, if it is more than one.
    fn array_length(&self, pointer: &str, element_size: u64) -> Option<u64> {
        let bytes = self.bytes.get(&format!("*{pointer}")).map(|bytes| bytes.len() as u64);
        if let Some(size) = bytes
            && size != element_size
            && element_size > 0
        {
            return Some(size / element_size);
        }
        let beginning = format!("{pointer}[");
        let index = |name: &str| name.strip_prefix(&beginning)?.split_once(']')?.0.parse::<u64>().ok();
        let indices = self.beginning_with(&beginning).filter_map(index);
        indices.filter(|&index| index < MOST_ELEMENTS).max().map(|index| index + 1)
    }

    /// How many bytes are in the file of a stream.
    fn stream_length(&self, pointer: &str) -> Option<u64> {
        let bytes = self.bytes.get(&format!("*{pointer}")).map(|bytes| bytes.len() as u64);
        bytes.or_else(|| self.array_length(pointer, 1))
    }

    /// Whether a pointer of a union is there: something is given that it leads to.
    fn holds(&self, pointer: &str) -> bool {
        self.leads_somewhere(pointer) || self.bytes.contains_key(&format!("*{pointer}"))
    }

    /// The names of elements that begin so. Inputs may be long: they are looked up, not gone through.
    fn beginning_with<'g>(&'g self, beginning: &'g str) -> impl Iterator<Item = &'g str> {
        let from = (Bound::Included(beginning), Bound::Unbounded);
        let names = self.elements.range::<str, _>(from).map(|(name, _)| name.as_str());
        names.take_while(move |name| name.starts_with(beginning))
    }

    /// Whether something is given that a pointer leads to.
    fn leads_somewhere(&self, pointer: &str) -> bool {
        let container = container_of(pointer, "", "");
        let container = container.trim_end_matches([' ', ',', ')']);
        let begins = |beginning: String| self.beginning_with(&beginning).next().is_some();
        self.elements.contains_key(&format!("*{pointer}"))
            || begins(format!("{pointer}->"))
            || begins(format!("{pointer}["))
            || begins(format!("{container},"))
    }
}

/// Values for the inputs of a program: those of a model where the arena knew the symbol when the model was made, else
/// what was given.
#[derive(Clone, Debug)]
pub struct Values {
    /// By symbols.
    pub model: Model,
    /// How many symbols of the arena the model speaks of.
    pub known: usize,
    /// By names.
    pub given: Arc<Given>,
}

/// What a machine that traces a path knows of its inputs.
pub struct Tracing {
    pub(crate) values: Values,
    /// Values of symbols that no input that was recorded has yet.
    pending: Vec<(SymbolId, u128)>,
    /// The same by symbol, the newest of each: inputs may be long.
    by_symbol: FxHashMap<SymbolId, u128>,
    /// The symbols whose elements are given: bytes of the input around them do not count.
    elements: FxHashSet<SymbolId>,
    /// The given names that the program has.
    pub(crate) used: BTreeSet<String>,
    /// The inputs that were not given.
    pub(crate) missing: BTreeSet<String>,
    /// The symbols of elements, by name.
    pub(crate) symbols: Vec<(String, SymbolId)>,
    /// What holds of the inputs if they are what they are taken to be.
    pub(crate) taken: Vec<ExprId>,
    /// Whether inputs are numbers and not symbols: nobody asks for the condition of the path.
    pub concrete: bool,
}

impl Tracing {
    /// A path with these values.
    pub fn new(values: Values) -> Self {
        let (used, missing) = (BTreeSet::new(), BTreeSet::new());
        let elements = FxHashSet::default();
        let (pending, symbols, taken) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            values,
            pending,
            by_symbol: FxHashMap::default(),
            elements,
            used,
            missing,
            symbols,
            taken,
            concrete: false,
        }
    }

    /// A symbol was made for an element.
    pub(crate) fn made(&mut self, name: &str, symbol: SymbolId, width: u32, kind: SymbolKind) {
        self.symbols.push((name.to_owned(), symbol));
        let given = &self.values.given;
        let value = match given.elements.get(name) {
            Some(&value) => {
                self.used.insert(name.to_owned());
                bits_of(value, width, kind)
            }
            None if kind == SymbolKind::Pointer && given.leads_somewhere(name) => 1,
            None if unions::held_pointer(name).is_some_and(|pointer| given.holds(pointer)) => 1,
            None => return,
        };
        self.elements.insert(symbol);
        if symbol.index() >= self.values.known {
            self.await_record(symbol, value);
        }
    }

    fn await_record(&mut self, symbol: SymbolId, value: u128) {
        self.pending.push((symbol, value));
        self.by_symbol.insert(symbol, value);
    }

    /// A symbol that nothing may be given for has this value then.
    pub(crate) fn suggest(&mut self, symbol: SymbolId, value: u128) {
        if symbol.index() >= self.values.known && !self.by_symbol.contains_key(&symbol) {
            self.await_record(symbol, value);
        }
    }

    /// The value of a symbol that was just made.
    pub(crate) fn value_of(&self, symbol: SymbolId) -> u128 {
        self.by_symbol.get(&symbol).copied().unwrap_or_else(|| self.values.model.value(symbol))
    }

    /// The number of elements that a pointer points to, by what is given.
    pub(crate) fn array_length(&self, pointer: &str, element_size: u64) -> Option<u64> {
        self.values.given.array_length(pointer, element_size)
    }

    /// The number of bytes in the file of a stream, by what is given.
    pub(crate) fn stream_length(&self, pointer: &str) -> Option<u64> {
        self.values.given.stream_length(pointer)
    }

    /// An input was made: its values, by symbols.
    fn recorded(&mut self, exprs: &Exprs, input: &InputObject) -> Vec<(SymbolId, u128)> {
        let mut values = Vec::new();
        match self.values.given.bytes.get(&input.name) {
            Some(bytes) => {
                self.used.insert(input.name.clone());
                if let Some(counted) = input.count
                    && let Some(symbol) = exprs.as_symbol(counted.count)
                {
                    values.push((symbol, u128::from(counted.elements_in(bytes.len()))));
                }
                for leaf in &input.leaves {
                    let bits = bits_at(bytes, leaf.offset, leaf.bytes, input.leaves.len() == 1);
                    invert(exprs, leaf.expr, bits, &mut values);
                }
            }
            None if self.pending.is_empty() => drop(self.missing.insert(input.name.clone())),
            None => {}
        }
        values.retain(|(symbol, _)| symbol.index() >= self.values.known && !self.elements.contains(symbol));
        values.append(&mut self.pending);
        self.by_symbol.clear();
        values
    }
}

impl InputMaker<'_> {
    /// Tells a traced path, or an oracle, the values of an input that is about to be recorded; `initial` is what it
    /// holds if nobody sets it.
    pub(crate) fn give(&mut self, state: &mut State, input: &InputObject, initial: Option<&Object>) {
        if let Some(oracle) = self.oracle.as_deref_mut() {
            oracle.input((self.exprs, self.solver), state, input, initial);
        }
        if let Some(tracing) = self.tracing.as_deref_mut() {
            let values = tracing.recorded(self.exprs, input);
            state.model = state.model.with(values);
        }
    }
}

/// The bits of a given value in a symbol of a width and kind.
fn bits_of(value: GivenValue, width: u32, kind: SymbolKind) -> u128 {
    let bits = match (value, kind) {
        (GivenValue::Integer(number), SymbolKind::Pointer | SymbolKind::Bool) => u128::from(number != 0),
        (GivenValue::Integer(number), SymbolKind::Float(format)) => {
            int_to_float(true, format, number as u128, 128)
        }
        (GivenValue::Integer(number), _) => number as u128,
        (GivenValue::Float(number), SymbolKind::Float(format)) => {
            float_to_float(FloatFormat::Double, format, u128::from(number.to_bits()))
        }
        // As C converts it.
        (GivenValue::Float(number), _) => (number as i128) as u128,
    };
    bits & crate::engine::value::mask(width)
}

/// The bits of a part of an input. A scalar that became wider keeps its value as a signed number.
pub fn bits_at(bytes: &[u8], offset: u64, count: u32, whole: bool) -> u128 {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let end = start.saturating_add(count.min(16) as usize).min(bytes.len());
    let bits = match bytes[start..end] {
        [a] => u128::from(a),
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        ref part => part.iter().rev().fold(0, |bits, &byte| bits << 8 | u128::from(byte)),
    };
    let have = bytes.len() as u32;
    if whole && offset == 0 && (1..count.min(16)).contains(&have) {
        return sign_extend(bits, have * 8, count.min(16) * 8);
    }
    bits
}

/// The values that symbols must have for an input's expression to have these bits. The expressions of inputs are
/// symbols, put together without arithmetic.
pub fn invert(exprs: &Exprs, expr: ExprId, bits: u128, values: &mut Vec<(SymbolId, u128)>) {
    let mut work = vec![(expr, bits)];
    while let Some((expr, bits)) = work.pop() {
        let bits = bits & crate::engine::value::mask(exprs.width(expr));
        match *exprs.kind(expr) {
            ExprKind::Symbol(symbol) => values.push((symbol, bits)),
            ExprKind::ZeroExtend(inner) | ExprKind::SignExtend(inner) => work.push((inner, bits)),
            ExprKind::Concat(high, low) => {
                work.push((low, bits));
                work.push((high, bits.checked_shr(exprs.width(low)).unwrap_or(0)));
            }
            // A word of a union is as given whether it is taken for a pointer or for a number.
            ExprKind::Ite(_, pointer, number) if unions::word_of_union(exprs, expr).is_some() => {
                work.extend([(pointer, bits), (number, bits)]);
            }
            // A pointer that may be null.
            ExprKind::Ite(present, _, _) => work.push((present, u128::from(bits != 0))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_the_bits_of_their_type() {
        let bits = |value, width, kind| bits_of(value, width, kind);
        assert_eq!(bits(GivenValue::Integer(-1), 8, SymbolKind::Signed), 0xff);
        assert_eq!(
            bits(GivenValue::Integer(2), 32, SymbolKind::Float(FloatFormat::Single)),
            u128::from(2f32.to_bits())
        );
        assert_eq!(
            bits(GivenValue::Float(-0.5), 64, SymbolKind::Float(FloatFormat::Double)),
            u128::from((-0.5f64).to_bits())
        );
        assert_eq!(bits(GivenValue::Integer(4096), 1, SymbolKind::Pointer), 1);
    }

    #[test]
    fn a_scalar_that_became_wider_keeps_its_value() {
        assert_eq!(bits_at(&[0xfe, 0xff], 0, 4, true), 0xffff_fffe);
        assert_eq!(bits_at(&[0xfe, 0x7f], 0, 4, true), 0x7ffe);
        assert_eq!(bits_at(&[1, 2, 3], 1, 2, false), 0x0302);
        assert_eq!(bits_at(&[1], 4, 2, false), 0);
    }

    #[test]
    fn what_a_pointer_leads_to_says_that_it_is_not_null() {
        let mut given = Given::default();
        given.elements.insert("p->key".into(), GivenValue::Integer(1));
        given.elements.insert("text[7]".into(), GivenValue::Integer(1));
        given.elements.insert("*n".into(), GivenValue::Integer(1));
        assert!(["p", "text", "n"].iter().all(|name| given.leads_somewhere(name)));
        assert!(!given.leads_somewhere("pp") && !given.leads_somewhere("p->key"));
        assert_eq!(given.array_length("text", 1), Some(8));
        assert_eq!(given.array_length("p", 8), None);
        given.elements.insert("text[99999999999999]".into(), GivenValue::Integer(1));
        assert_eq!(given.array_length("text", 1), Some(8));
        given.bytes.insert("*q".into(), vec![0; 12]);
        assert_eq!((given.array_length("q", 4), given.array_length("q", 12)), (Some(3), None));
    }
}
