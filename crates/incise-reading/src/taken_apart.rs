//! Which pointer inputs are taken to lead to different objects.

use crate::{Evidence, Reading, Source, Taken, What};
use incise_ir::parameters::{parameter_names, parameter_type, parameter_type_name};
use incise_ir::{DebugType, Function, FunctionId, Program};

/// That pointer parameters of one type lead to different objects, where something may be written through one of them:
/// the pairs of which nothing else is taken.
pub fn taken_apart(program: &Program, entry: FunctionId, reading: &Reading) -> Vec<Taken> {
    let function = &program.functions[entry];
    let names = parameter_names(program, function);
    let pointers: Vec<(&String, String, bool)> = names
        .iter()
        .enumerate()
        .filter_map(|(number, name)| {
            let ty = parameter_type_name(program, function, number);
            let target = ty.strip_suffix('*')?.trim();
            Some((name, target.to_owned(), is_read_only(program, function, number)))
        })
        .collect();
    let mut pairs = Vec::new();
    for (at, (one, ty, constant)) in pointers.iter().enumerate() {
        for (other, their_type, their_constant) in &pointers[at + 1..] {
            let known = [(one, other), (other, one)].into_iter().any(|(input, with)| {
                reading.of(input).any(|what| match what {
                    What::MaySame { other } | What::MayOverlap { other } => other == *with,
                    What::EndOf { begin } => begin == *with,
                    _ => false,
                })
            });
            if ty == their_type && !(*constant && *their_constant) && !known {
                let evidence =
                    Evidence { source: Source::Type, words: "nothing compares them".to_owned(), place: None };
                let what = What::Apart { other: (*one).clone() };
                pairs.push(Taken { input: (*other).clone(), what, evidence });
            }
        }
    }
    pairs
}

/// Whether the type of a pointer parameter says that nothing is written through it.
fn is_read_only(program: &Program, function: &Function, number: usize) -> bool {
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let pointer = parameter_type(function, number).and_then(|ty| program.resolve_debug_type(ty));
    let Some(&DebugType::Pointer(mut target)) = pointer.map(|ty| &program.debug_types[ty]) else {
        return false;
    };
    while let Some(ty) = target {
        target = match &program.debug_types[ty] {
            DebugType::Qualified { constant: true, .. } => return true,
            DebugType::Qualified { target, .. } | DebugType::Typedef { target, .. } => *target,
            _ => return false,
        };
    }
    false
}
