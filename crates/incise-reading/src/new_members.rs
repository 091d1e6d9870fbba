//! Pointers in members that only the new version of a program has.
//!
//! Nothing of the old version says what they hold, and whoever makes such structs is new as well: where the new version
//! does not ask whether one is null it counts on its being there. So null comes after what such members hold otherwise.

use crate::{Evidence, Reading, Source, Taken, What};
use incise_ir::parameters::{parameter_names, parameter_type};
use incise_ir::{DebugType, DebugTypeId, FunctionId, Program};
use std::collections::BTreeSet;

/// What is taken of the pointers in members that only the new version has, of the structs that parameters lead to.
pub(crate) fn new_members(
    old: &Program,
    (program, entry): (&Program, FunctionId),
    reading: &Reading,
) -> Vec<Taken> {
    let function = &program.functions[entry];
    let known = names_of_members(old);
    let mut taken = Vec::new();
    for (number, name) in parameter_names(program, function).into_iter().enumerate() {
        let ty = parameter_type(function, number as u32).and_then(|ty| program.resolve_debug_type(ty));
        let Some(DebugType::Pointer(Some(target))) = ty.map(|ty| &program.debug_types[ty]) else { continue };
        for member in pointers_in(program, *target).filter(|member| !known.contains(member)) {
            let input = format!("{name}->{member}");
            if !reading.is_checked(&input) {
                let words = "only the new version has it, and does not ask".to_owned();
                let evidence = Evidence { source: Source::Use, words, place: None };
                taken.push(Taken { input, what: What::NotNull, evidence });
            }
        }
    }
    taken
}

/// The names of the pointers to data in a struct.
fn pointers_in(program: &Program, ty: DebugTypeId) -> impl Iterator<Item = &str> {
    let members = match program.resolve_debug_type(ty).map(|ty| &program.debug_types[ty]) {
        Some(DebugType::Composite { members, union: false, .. }) => members.as_slice(),
        _ => &[],
    };
    let is_pointer = |ty: DebugTypeId| {
        let resolved = program.resolve_debug_type(ty).map(|ty| &program.debug_types[ty]);
        matches!(resolved, Some(DebugType::Pointer(_)))
    };
    members.iter().filter(move |member| is_pointer(member.ty)).map(|member| member.name.as_str())
}

/// The names of all members of structs of a program.
fn names_of_members(program: &Program) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for (_, ty) in program.debug_types.iter() {
        if let DebugType::Composite { members, .. } = ty {
            names.extend(members.iter().map(|member| member.name.as_str()));
        }
    }
    names
}
