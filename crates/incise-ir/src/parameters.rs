//! The parameters of functions as the source has them: a small struct travels in several of the IR.

use crate::c_types::type_name;
use crate::{DebugType, DebugTypeId, Function, Program};

/// A parameter of a function in the IR: the parameter of the source that it carries, or a part of it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Carried {
    /// The hidden pointer to where the result goes.
    Result,
    /// The bytes of source parameter `number` from `offset` on.
    Bytes {
        /// The number of the parameter in the source, from 0.
        number: usize,
        /// Where in it.
        offset: u64,
    },
}

/// What each parameter in the IR carries: a small struct travels in one or two of them, which clang names after it.
pub fn carried_parameters(program: &Program, function: &Function) -> Vec<Carried> {
    let mut carried = Vec::new();
    let mut number = 0;
    while let Some(parameter) = function.parameters.get(carried.len()) {
        if parameter.struct_return {
            carried.push(Carried::Result);
            continue;
        }
        let parts =
            if is_struct(program, function, number) { coerced_parts(function, carried.len()) } else { 1 };
        carried.extend((0..parts.max(1)).map(|part| Carried::Bytes { number, offset: 8 * part as u64 }));
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
pub fn parameter_sizes(program: &Program, function: &Function) -> Vec<u64> {
    let mut sizes: Vec<u64> = Vec::new();
    for (parameter, carried) in function.parameters.iter().zip(carried_parameters(program, function)) {
        let Carried::Bytes { number, offset } = carried else { continue };
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
pub fn parameter_names(program: &Program, function: &Function) -> Vec<String> {
    let mut names = Vec::new();
    for (parameter, carried) in function.parameters.iter().zip(carried_parameters(program, function)) {
        let Carried::Bytes { number, offset: 0 } = carried else { continue };
        let variable = function.variables.iter().find(|each| each.parameter == Some(number as u32 + 1));
        let name = variable.map_or(parameter.name.as_str(), |each| each.name.as_str());
        let name = name.split(".coerce").next().unwrap_or_default();
        let nameless = name.is_empty() || name.bytes().all(|byte| byte.is_ascii_digit());
        names.push(if nameless { format!("arg{number}") } else { name.to_owned() });
    }
    names
}

/// The type of a parameter as text: in the source, or in the IR.
pub fn parameter_type_name(program: &Program, function: &Function, number: usize) -> String {
    if let Some(ty) = parameter_type(function, number as u32) {
        return type_name(program, ty);
    }
    let carried = carried_parameters(program, function);
    let is_it = |carried: &Carried| *carried == Carried::Bytes { number, offset: 0 };
    let parameter = carried.iter().position(is_it).and_then(|index| function.parameters.get(index));
    parameter.map_or_else(String::new, |parameter| program.type_text(parameter.ty).to_string())
}

/// Whether a parameter is a number in the source.
pub fn is_number(program: &Program, function: &Function, number: usize) -> bool {
    let ty = parameter_type(function, number as u32).and_then(|ty| program.resolve_debug_type(ty));
    ty.is_some_and(|ty| {
        matches!(program.debug_types[ty], DebugType::Basic { .. } | DebugType::Enumeration { .. })
    })
}

/// The type in the source of a parameter, from 0: it may be called otherwise in the inputs.
pub fn parameter_type(entry: &Function, number: u32) -> Option<DebugTypeId> {
    let variable = entry.variables.iter().find(|variable| variable.parameter == Some(number + 1));
    let declared = || entry.debug_signature.get(number as usize + 1).copied().flatten();
    variable.and_then(|variable| variable.ty).or_else(declared)
}
