//! What debug information tells of data in memory: the bytes of a value, the pointers inside of an input, C types as text.

use incise_ir::{DebugType, DebugTypeId, Function, FunctionId, Program, Type};
use incise_report::{Final, Input, Observed, Origin, PointerTo, Value};
use std::collections::BTreeMap;

/// Types nest no deeper than this here; what is deeper is left out.
const DEEPEST: u32 = 64;

/// Fills in where the inputs hold pointers to each other or to globals. Inputs come before those that they point to.
pub(crate) fn find_pointers(program: &Program, entry: FunctionId, inputs: &mut [Input]) {
    let mut finder = Finder { program, types: BTreeMap::new(), found: Vec::new() };
    finder.inputs(entry, inputs, |input, found| input.pointers = named_pointers(&found));
}

/// The pointers in what a path leaves behind: for each final value their offsets, and what they lead to unless they are null.
pub(crate) fn left_pointers(
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
pub(crate) fn named_pointers(pointers: &[(u64, Option<String>)]) -> Vec<PointerTo> {
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
                let Some(size) = debug_size(self.program, *element, DEEPEST) else { return };
                self.elements(*element, size, counts, values, offset, depth);
            }
            // `--array` makes several elements of what a pointer points to.
            (Value::Array(values), Some(_)) => {
                let Some(size) = ty.and_then(|ty| debug_size(self.program, ty, DEEPEST)) else { return };
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
pub(crate) fn target_and_offset(target: &str) -> (&str, u64) {
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

/// A parameter of a function in the IR: the parameter of the source that it carries, or a part of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Carried {
    /// The hidden pointer to where the result goes.
    Result,
    /// The bytes of source parameter `number` from `offset` on.
    Part {
        /// The number of the parameter in the source, from 0.
        number: usize,
        /// Where in it.
        offset: u64,
    },
}

/// What each parameter in the IR carries: a small struct travels in one or two of them, which clang names after it.
pub(crate) fn carried_parameters(program: &Program, function: &Function) -> Vec<Carried> {
    let mut carried = Vec::new();
    let mut number = 0;
    while let Some(parameter) = function.parameters.get(carried.len()) {
        if parameter.struct_return {
            carried.push(Carried::Result);
            continue;
        }
        let parts =
            if is_struct(program, function, number) { coerced_parts(function, carried.len()) } else { 1 };
        carried.extend((0..parts.max(1)).map(|part| Carried::Part { number, offset: 8 * part as u64 }));
        number += 1;
    }
    carried
}

fn is_struct(program: &Program, function: &Function, number: usize) -> bool {
    let ty = function.debug_signature.get(number + 1).copied().flatten();
    let resolved = ty.and_then(|ty| program.resolve_debug_type(ty));
    resolved.is_some_and(|id| matches!(program.debug_types[id], DebugType::Composite { .. }))
}

fn coerced_parts(function: &Function, index: usize) -> usize {
    let name = |index: usize| function.parameters.get(index).map_or("", |parameter| parameter.name.as_str());
    match name(index).strip_suffix(".coerce0") {
        Some(stem) if name(index + 1).strip_suffix(".coerce1") == Some(stem) => 2,
        _ => 1,
    }
}

/// The bytes that each parameter of the source takes, as its parts in the IR tell.
pub(crate) fn parameter_sizes(program: &Program, function: &Function) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    for (parameter, carried) in function.parameters.iter().zip(carried_parameters(program, function)) {
        let Carried::Part { number, offset } = carried else { continue };
        let mut end = offset + program.types.size_of(parameter.by_value.unwrap_or(parameter.ty));
        if parameter.by_value.is_none() && is_struct(program, function, number) {
            // The last register of a struct may be narrower than the struct's tail with its padding.
            end = end.next_multiple_of(8);
        }
        if sizes.len() <= number {
            sizes.resize(number + 1, 0);
        }
        sizes[number] = sizes[number].max(end);
    }
    sizes
}

/// What the inputs of a function's parameters are called, in order.
pub(crate) fn parameter_names(program: &Program, function: &Function) -> Vec<String> {
    let mut names = Vec::new();
    for (parameter, carried) in function.parameters.iter().zip(carried_parameters(program, function)) {
        let Carried::Part { number, offset: 0 } = carried else { continue };
        let variable = function.variables.iter().find(|each| each.parameter == Some(number as u32 + 1));
        let name = variable.map_or(parameter.name.as_str(), |each| each.name.as_str());
        let name = name.split(".coerce").next().unwrap_or_default();
        let nameless = name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit());
        names.push(if nameless { format!("arg{number}") } else { name.to_owned() });
    }
    names
}

/// The type of a parameter as text: in the source, or in the IR.
pub(crate) fn parameter_type_name(program: &Program, function: &Function, number: usize) -> String {
    if let Some(ty) = parameter_type(function, number as u32) {
        return type_name(program, ty);
    }
    let carried = carried_parameters(program, function);
    let is_it = |carried: &Carried| *carried == Carried::Part { number, offset: 0 };
    let parameter = carried.iter().position(is_it).and_then(|index| function.parameters.get(index));
    parameter.map_or_else(String::new, |parameter| program.type_text(parameter.ty).to_string())
}

/// Whether a parameter is a number in the source.
pub(crate) fn is_number(program: &Program, function: &Function, number: usize) -> bool {
    let ty = parameter_type(function, number as u32).and_then(|ty| program.resolve_debug_type(ty));
    ty.is_some_and(|ty| {
        matches!(program.debug_types[ty], DebugType::Basic { .. } | DebugType::Enumeration { .. })
    })
}

/// The type in the source of a parameter, from 0: it may be called otherwise in the inputs.
fn parameter_type(entry: &Function, number: u32) -> Option<DebugTypeId> {
    let variable = entry.variables.iter().find(|variable| variable.parameter == Some(number + 1));
    let declared = || entry.debug_signature.get(number as usize + 1).copied().flatten();
    variable.and_then(|variable| variable.ty).or_else(declared)
}

fn debug_size(program: &Program, ty: DebugTypeId, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    Some(match &program.debug_types[program.resolve_debug_type(ty)?] {
        DebugType::Basic { bits, .. }
        | DebugType::Composite { bits, .. }
        | DebugType::Enumeration { bits, .. } => bits.div_ceil(8),
        DebugType::Pointer(_) => 8,
        DebugType::Array { element, counts } => {
            let inner = debug_size(program, *element, depth)?;
            counts.iter().try_fold(inner, |size, count| size.checked_mul((*count)?))?
        }
        _ => return None,
    })
}

/// What the entry returned, as bytes that a native run can be compared with; `None` for a value without a known layout.
pub(crate) fn result_bytes(program: &Program, entry: FunctionId, value: &Value) -> Option<Observed> {
    let function = &program.functions[entry];
    let ty = function.debug_signature.first().copied().flatten();
    let size = match program.types.get(function.result) {
        // The result is behind a hidden pointer.
        Type::Void => ty.and_then(|ty| debug_size(program, ty, DEEPEST))?,
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
                let Some(size) = debug_size(self.program, *element, DEEPEST) else { return };
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

/// The C types of the entry's parameters; `None` if one has no name that a test can write.
pub(crate) fn parameter_types(program: &Program, entry: FunctionId) -> Option<Vec<String>> {
    let signature = program.functions[entry].debug_signature.get(1..)?;
    signature.iter().map(|ty| type_text(program, (*ty)?)).collect()
}

/// Whether the entry returns something, by the source.
pub(crate) fn returns_value(program: &Program, entry: FunctionId) -> bool {
    program.functions[entry].debug_signature.first().is_some_and(Option::is_some)
}

/// A C type as text for people; not always one that can be compiled.
pub(crate) fn type_name(program: &Program, mut ty: DebugTypeId) -> String {
    let mut suffix = String::new();
    // Bounded, because broken debug information may hold a cycle.
    for _ in 0..DEEPEST {
        let tag = |word: &str, name: &str| match name {
            "" => format!("{word} {{...}}"),
            name => format!("{word} {name}"),
        };
        let name = match &program.debug_types[ty] {
            DebugType::Basic { name, .. } | DebugType::Typedef { name, .. } => name.clone(),
            DebugType::Composite { name, union, .. } => tag(if *union { "union" } else { "struct" }, name),
            DebugType::Enumeration { name, .. } => tag("enum", name),
            DebugType::Pointer(target) => {
                suffix.insert(0, '*');
                match target {
                    Some(target) => {
                        ty = *target;
                        continue;
                    }
                    None => "void".to_owned(),
                }
            }
            DebugType::Qualified { target: Some(target), .. } => {
                ty = *target;
                continue;
            }
            DebugType::Qualified { target: None, .. } => "void".to_owned(),
            DebugType::Array { element, .. } => {
                suffix.insert_str(0, "[]");
                ty = *element;
                continue;
            }
            DebugType::Function(_) => "function".to_owned(),
            DebugType::Unknown => "?".to_owned(),
        };
        return if suffix.is_empty() { name } else { format!("{name} {suffix}") };
    }
    "?".to_owned()
}

/// A C type as text, for declaring a variable of it.
fn type_text(program: &Program, mut ty: DebugTypeId) -> Option<String> {
    // Bounded, because broken debug information may hold a cycle.
    for _ in 0..DEEPEST {
        return Some(match &program.debug_types[ty] {
            DebugType::Basic { name, .. } => name.clone(),
            // A pointer of any type can be set from and passed as one to anything.
            DebugType::Pointer(_) => "void *".to_owned(),
            DebugType::Composite { name, union, .. } if !name.is_empty() => {
                format!("{} {name}", if *union { "union" } else { "struct" })
            }
            DebugType::Enumeration { name, .. } if !name.is_empty() => format!("enum {name}"),
            DebugType::Enumeration { signed, .. } => if *signed { "int" } else { "unsigned" }.to_owned(),
            DebugType::Typedef { target: Some(target), name } => {
                let resolved = program.resolve_debug_type(*target)?;
                match &program.debug_types[resolved] {
                    DebugType::Pointer(_) => "void *".to_owned(),
                    _ => name.clone(),
                }
            }
            DebugType::Qualified { target: Some(target), .. } => {
                ty = *target;
                continue;
            }
            _ => return None,
        });
    }
    None
}
