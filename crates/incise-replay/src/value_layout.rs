//! What debug information tells of data in memory: the bytes of a value, the pointers inside of an input.

use incise_ir::c_types::size_of_debug_type;
use incise_ir::parameters::parameter_type;
use incise_ir::{DebugType, DebugTypeId, Function, FunctionId, Program, Type};
use incise_report::{Final, Input, Observed, Origin, PointerTo, Value};
use std::collections::BTreeMap;

/// Types nest no deeper than this here; what is deeper is left out.
const DEEPEST: u32 = 64;

/// Fills in where the inputs hold pointers to each other or to globals. Inputs come before those that they point to.
pub fn find_pointers(program: &Program, entry: FunctionId, inputs: &mut [Input]) {
    let mut finder = Finder { program, types: BTreeMap::new(), found: Vec::new() };
    finder.inputs(entry, inputs, |input, found| input.pointers = named_pointers(&found));
}

/// The pointers in what a path leaves behind: for each final value their offsets, and what they lead to unless they are null.
pub fn left_pointers(
    program: &Program,
    entry: FunctionId,
    inputs: &[Input],
    finals: &[&Final],
) -> Vec<Vec<(u64, Option<String>)>> {
    let mut finder = Finder { program, types: BTreeMap::new(), found: Vec::new() };
    finder.inputs(entry, &mut inputs.to_vec(), |_, _| {});
    let mut all = Vec::new();
    for each in finals {
        let ty = match &each.origin {
            Origin::Global(symbol) => {
                program.global_named(symbol).and_then(|id| program.globals[id].debug_type)
            }
            _ => finder.types.get(&each.name).copied(),
        };
        finder.walk(ty, &each.observed.value, 0, DEEPEST);
        all.push(std::mem::take(&mut finder.found));
    }
    all
}

/// Pointers by their offsets, with what they lead to as the engine names it.
pub fn named_pointers(pointers: &[(u64, Option<String>)]) -> Vec<PointerTo> {
    let found = pointers.iter().filter_map(|(offset, target)| {
        let (target, addend) = target_and_offset(target.as_ref()?);
        Some(PointerTo { offset: *offset, target: target.to_owned(), addend })
    });
    found.collect()
}

struct Finder<'a> {
    program: &'a Program,
    /// The types of objects that pointers were found to lead to, by name.
    types: BTreeMap<String, DebugTypeId>,
    /// Where pointers are, and what they lead to unless they are null.
    found: Vec<(u64, Option<String>)>,
}

impl Finder<'_> {
    /// Walks over inputs and hands out the pointers of each. Inputs come before those that they point to.
    fn inputs(
        &mut self,
        entry: FunctionId,
        inputs: &mut [Input],
        give: impl Fn(&mut Input, Vec<(u64, Option<String>)>),
    ) {
        // Most inputs are numbers.
        let may_point =
            |value: &Value| matches!(value, Value::Pointer(_) | Value::Struct(_) | Value::Array(_));
        // What the engine tells itself is known.
        let is_open =
            |input: &Input| !matches!(input.origin, Origin::Written { .. }) && may_point(&input.value);
        for input in inputs.iter_mut().filter(|input| is_open(input)) {
            let ty = self.type_of(&self.program.functions[entry], input);
            self.walk(ty, &input.value, 0, DEEPEST);
            let mut found = std::mem::take(&mut self.found);
            found.sort_by_key(|pointer| pointer.0);
            give(input, found);
        }
    }

    fn type_of(&self, entry: &Function, input: &Input) -> Option<DebugTypeId> {
        match &input.origin {
            Origin::Parameter(number) => parameter_type(entry, *number),
            Origin::Global(symbol) => self.program.globals[self.program.global_named(symbol)?].debug_type,
            Origin::Pointee(_) => self.types.get(&input.name).copied(),
            _ => None,
        }
    }

    fn walk(&mut self, ty: Option<DebugTypeId>, value: &Value, offset: u64, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let resolved = ty.and_then(|ty| self.program.resolve_debug_type(ty));
        let known = resolved.map(|id| &self.program.debug_types[id]);
        match (value, known) {
            (Value::Pointer(None), _) => self.found.push((offset, None)),
            (Value::Pointer(Some(target)), _) => {
                self.found.push((offset, Some(target.clone())));
                let (target, addend) = target_and_offset(target);
                if let (Some(DebugType::Pointer(Some(pointee))), 0) = (known, addend) {
                    self.types.insert(target.to_owned(), *pointee);
                }
            }
            (Value::Struct(values), Some(DebugType::Composite { members, union, .. })) => {
                let chosen: Vec<_> = chosen_members(members, *union).collect();
                for (member, (_, value)) in chosen.into_iter().zip(values) {
                    self.walk(Some(member.ty), value, offset + member.offset_bits / 8, depth);
                }
            }
            (Value::Array(values), Some(DebugType::Array { element, counts })) => {
                let Some(size) = size_of_debug_type(self.program, *element) else { return };
                self.elements(*element, size, counts, values, offset, depth);
            }
            // `--array` makes several elements of what a pointer points to.
            (Value::Array(values), Some(_)) => {
                let Some(size) = ty.and_then(|ty| size_of_debug_type(self.program, ty)) else { return };
                for (index, value) in values.iter().enumerate() {
                    self.walk(ty, value, offset + index as u64 * size, depth);
                }
            }
            // Without a type the words of an array of pointers still follow each other.
            (Value::Array(values), None) => {
                for (index, value) in values.iter().enumerate() {
                    if matches!(value, Value::Pointer(_)) {
                        self.walk(None, value, offset + index as u64 * 8, depth);
                    }
                }
            }
            _ => {}
        }
    }

    /// The elements of an array of one or more dimensions.
    fn elements(
        &mut self,
        element: DebugTypeId,
        size: u64,
        counts: &[Option<u64>],
        values: &[Value],
        offset: u64,
        depth: u32,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let inner: u64 = counts.iter().skip(1).map(|count| count.unwrap_or(0)).product();
        for (index, value) in values.iter().enumerate() {
            let at = offset + index as u64 * size * inner;
            match value {
                Value::Array(nested) if counts.len() > 1 => {
                    self.elements(element, size, &counts[1..], nested, at, depth);
                }
                _ => self.walk(Some(element), value, at, depth),
            }
        }
    }
}

/// The engine says `name+8` for what is inside of an object.
pub fn target_and_offset(target: &str) -> (&str, u64) {
    match target.rsplit_once('+').map(|(name, offset)| (name, offset.parse())) {
        Some((name, Ok(offset))) => (name, offset),
        _ => (target, 0),
    }
}

/// Of a union the first of its largest members stands for it, as in the engine.
fn chosen_members(
    members: &[incise_ir::DebugMember],
    union: bool,
) -> impl Iterator<Item = &incise_ir::DebugMember> {
    let largest = members.iter().map(|member| member.bits).max();
    let count = if union { 1 } else { usize::MAX };
    members.iter().filter(move |member| !union || Some(member.bits) == largest).take(count)
}

/// What the entry returned, as bytes that a native run can be compared with; `None` for a value without a known layout.
pub fn result_bytes(program: &Program, entry: FunctionId, value: &Value) -> Option<Observed> {
    let function = &program.functions[entry];
    let ty = function.debug_signature.first().copied().flatten();
    let size = match program.types.get(function.result) {
        // The result is behind a hidden pointer.
        Type::Void => ty.and_then(|ty| size_of_debug_type(program, ty))?,
        _ => program.types.store_size(function.result),
    };
    let mut encoder = Encoder { program, bytes: vec![0; size as usize], known: vec![0; size as usize] };
    encoder.encode(ty, value, 0, size * 8, DEEPEST);
    let comparable = encoder.known.iter().map(|&bits| bits == 0xff).collect();
    Some(Observed { bytes: encoder.bytes, comparable, value: value.clone() })
}

struct Encoder<'a> {
    program: &'a Program,
    bytes: Vec<u8>,
    /// For each byte, which of its bits are known.
    known: Vec<u8>,
}

impl Encoder<'_> {
    fn encode(&mut self, ty: Option<DebugTypeId>, value: &Value, at: u64, bits: u64, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        let known =
            ty.and_then(|ty| self.program.resolve_debug_type(ty)).map(|id| &self.program.debug_types[id]);
        match (value, known) {
            (Value::Signed(number) | Value::Enumerator(_, number), _) => self.put(at, bits, *number as u128),
            (Value::Unsigned(number), _) => self.put(at, bits, *number),
            (Value::Character(byte), _) => self.put(at, bits.min(8), u128::from(*byte)),
            (Value::Boolean(truth), _) => self.put(at, bits.min(8), u128::from(*truth)),
            (Value::Float(format, number), _) => self.put(at, bits.min(float_bits(*format)), *number),
            (Value::Pointer(None), _) => self.put(at, bits.min(64), 0),
            // Addresses differ from run to run.
            (Value::Pointer(Some(_)), _) => {}
            (Value::Text(bytes) | Value::Bytes(bytes), _) => {
                for (index, &byte) in bytes.iter().enumerate() {
                    self.put(at + 8 * index as u64, 8, u128::from(byte));
                }
            }
            (Value::Struct(values), Some(DebugType::Composite { members, union, .. })) => {
                for (member, (_, value)) in chosen_members(members, *union).zip(values) {
                    self.encode(Some(member.ty), value, at + member.offset_bits, member.bits, depth);
                }
            }
            (Value::Array(values), Some(DebugType::Array { element, .. })) => {
                let Some(size) = size_of_debug_type(self.program, *element) else { return };
                for (index, value) in values.iter().enumerate() {
                    // Of several dimensions only the first is walked here; the rest is left out of the comparison.
                    self.encode(Some(*element), value, at + index as u64 * size * 8, size * 8, depth);
                }
            }
            (Value::Struct(_) | Value::Array(_), _) => {}
        }
    }

    fn put(&mut self, at: u64, bits: u64, number: u128) {
        for bit in 0..bits.min(128) {
            let (byte, shift) = (((at + bit) / 8) as usize, (at + bit) % 8);
            let Some(target) = self.bytes.get_mut(byte) else { return };
            *target |= (((number >> bit) & 1) as u8) << shift;
            self.known[byte] |= 1 << shift;
        }
    }
}

fn float_bits(format: incise_report::FloatFormat) -> u64 {
    use incise_report::FloatFormat::{BFloat, Double, Half, Quad, Single, X87};
    match format {
        Half | BFloat => 16,
        Single => 32,
        Double => 64,
        X87 => 80,
        Quad => 128,
    }
}
