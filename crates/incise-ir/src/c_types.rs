//! C types as text and in bytes, by debug information.

use crate::{DebugType, DebugTypeId, FunctionId, Program};

/// Types nest no deeper than this here; what is deeper is left out.
const DEEPEST: u32 = 64;

/// The C types of the entry's parameters; `None` if one has no name that a test can write.
pub fn parameter_types(program: &Program, entry: FunctionId) -> Option<Vec<String>> {
    let signature = program.functions[entry].debug_signature.get(1..)?;
    signature.iter().map(|ty| type_text(program, (*ty)?)).collect()
}

/// Whether the entry returns something, by the source.
pub fn returns_value(program: &Program, entry: FunctionId) -> bool {
    program.functions[entry].debug_signature.first().is_some_and(Option::is_some)
}

/// A C type as text for people; not always one that can be compiled.
pub fn type_name(program: &Program, mut ty: DebugTypeId) -> String {
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

/// The bytes of a value; `None` if its type is not known.
pub fn size_of_debug_type(program: &Program, ty: DebugTypeId) -> Option<u64> {
    debug_size(program, ty, DEEPEST)
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
