//! What attributes of the source say of sizes: `counted_by` of members, `access` of parameters.

use crate::combine::{Declared, add};
use crate::model::{Reading, Source, Unit, What};
use incise_ir::{DebugType, DebugTypeId, FunctionId, Program};

/// How far members are looked for in what parameters lead to.
const DEPTH: u32 = 3;

/// Adds what the declarations of a function and of its types say.
pub(crate) fn add_declared(
    program: &Program,
    entry: FunctionId,
    parameters: &[Declared],
    reading: &mut Reading,
) {
    accessed(program, entry, parameters, reading);
    if program.declared.members.is_empty() {
        return;
    }
    for parameter in parameters.iter().filter(|parameter| !parameter.name.is_empty()) {
        let target = parameter.ty.and_then(|ty| target(program, ty));
        if let Some(target) = target {
            counted(program, &format!("{}->", parameter.name), target, DEPTH, reading);
        }
    }
}

/// Parameters that others count. Where structs are passed in pieces, nobody knows which parameter is which.
fn accessed(program: &Program, entry: FunctionId, parameters: &[Declared], reading: &mut Reading) {
    let function = &program.functions[entry];
    let Some(sizes) = program.declared.parameters.get(&function.name) else { return };
    let whole = parameters.len() == function.parameters.len();
    if !whole || parameters.iter().any(|parameter| parameter.name.is_empty()) {
        return;
    }
    for size in sizes {
        let find = |index: u32| parameters.get(index as usize);
        let (Some(pointer), Some(number)) = (find(size.pointer), find(size.size)) else { continue };
        let unit = if pointer.element == 0 { Unit::Bytes } else { Unit::Elements };
        let words = format!("it is declared to be accessed with `{}`", number.name);
        say(reading, &pointer.name, &number.name, unit, &words);
    }
}

/// Members of a struct that others count, and of those that it leads to.
fn counted(program: &Program, prefix: &str, ty: DebugTypeId, depth: u32, reading: &mut Reading) {
    let (names, Some(composite)) = named(program, ty) else { return };
    let DebugType::Composite { members, union: false, .. } = &program.debug_types[composite] else { return };
    for member in members {
        let counter =
            names.iter().find_map(|name| program.declared.members.get(&(name.clone(), member.name.clone())));
        let path = format!("{prefix}{}", member.name);
        if let Some(counter) = counter {
            let words = format!("it is declared to be counted by `{counter}`");
            say(reading, &path, &format!("{prefix}{counter}"), Unit::Elements, &words);
        } else if depth > 0 && !member.name.is_empty() {
            match target(program, member.ty) {
                Some(target) => counted(program, &format!("{path}->"), target, depth - 1, reading),
                None => counted(program, &format!("{path}."), member.ty, depth - 1, reading),
            }
        }
    }
}

/// What a pointer leads to.
fn target(program: &Program, ty: DebugTypeId) -> Option<DebugTypeId> {
    match program.debug_types[program.resolve_debug_type(ty)?] {
        DebugType::Pointer(target) => target,
        _ => None,
    }
}

/// The names of a type, and what it is.
fn named(program: &Program, ty: DebugTypeId) -> (Vec<String>, Option<DebugTypeId>) {
    let mut names = Vec::new();
    let mut at = Some(ty);
    for _ in 0..64 {
        let Some(id) = at else { break };
        match &program.debug_types[id] {
            DebugType::Typedef { name, target } => {
                names.push(name.clone());
                at = *target;
            }
            DebugType::Qualified { target, .. } => at = *target,
            DebugType::Composite { name, .. } => {
                names.push(name.clone());
                return (names, Some(id));
            }
            _ => break,
        }
    }
    (names, None)
}

/// Adds a size, in place of what was found out of the same number.
fn say(reading: &mut Reading, input: &str, number: &str, unit: Unit, words: &str) {
    reading.parts.retain(|taken| {
        let same = matches!(&taken.what, What::Room { number: other, .. } if other == number);
        !(same && taken.input == input)
    });
    let what = What::Room { number: number.to_owned(), unit, more: 0 };
    add(reading, input, what, Source::Attribute, words, None);
}
