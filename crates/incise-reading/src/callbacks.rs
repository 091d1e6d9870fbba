//! Pointers to functions: which functions of the program come there.
//!
//! A parameter is what callers pass; a member is what tables of functions hold, which are variables with an initial
//! value. Functions that are stored while the program runs are not looked for, so an unknown one stays possible unless
//! every caller was seen.

use crate::flow::Flow;
use crate::places::{InputPlace, PlaceId, Places, composite, size};
use crate::summary::{Claim, Fact};
use crate::uses::exact;
use incise_ir::{ConstantId, ConstantKind, DebugType, DebugTypeId, InstructionId, Operand, Program};
use std::collections::BTreeSet;

/// A call through a pointer.
pub(crate) fn called(flow: &mut Flow<'_>, at: InstructionId, pointer: Operand, facts: &mut Vec<Fact>) {
    for place in exact(&flow.operand_origins(pointer)) {
        facts.push(Fact {
            place,
            claim: Claim::Called,
            words: "it is called".to_owned(),
            at: flow.position(at),
        });
    }
}

/// The functions that variables with initial values hold in a member.
pub(crate) fn in_tables(program: &Program, places: &Places, member: PlaceId) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let InputPlace::Content { of, offset, .. } = places.info(member).place else { return found };
    let owner = match places.info(of).place {
        InputPlace::Global(_) | InputPlace::Struct(_) => composite(program, places.info(of).ty),
        _ => composite(program, places.leads_to(program, of)),
    };
    let (Some(owner), Ok(offset)) = (owner, u64::try_from(offset)) else { return found };
    for (_, global) in program.globals.iter() {
        if let (Some(initial), Some(ty)) = (global.initializer, global.debug_type) {
            collect(program, initial, ty, (owner, offset), &mut found, 0);
        }
    }
    found
}

/// Walks a constant beside its type in the source.
fn collect(
    program: &Program,
    constant: ConstantId,
    ty: DebugTypeId,
    wanted: (DebugTypeId, u64),
    found: &mut BTreeSet<String>,
    depth: u32,
) {
    let Some(id) = program.resolve_debug_type(ty) else { return };
    let whole = &program.constants[constant];
    let ConstantKind::Aggregate(parts) = &whole.kind else { return };
    if depth > 8 {
        return;
    }
    match &program.debug_types[id] {
        DebugType::Array { element, .. } => {
            for &part in parts {
                collect(program, part, *element, wanted, found, depth + 1);
            }
        }
        DebugType::Composite { members, union: false, .. } => {
            for (index, &part) in parts.iter().enumerate() {
                let Some(at) = program.types.offset_of(whole.ty, index as u64) else { continue };
                if same_type(program, id, wanted.0)
                    && at == wanted.1
                    && let ConstantKind::Function(function) = program.constants[part].kind
                {
                    found.insert(program.functions[function].name.clone());
                }
                let member = members.iter().find(|member| member.offset_bits == at * 8);
                if let Some(member) = member {
                    collect(program, part, member.ty, wanted, found, depth + 1);
                }
            }
        }
        _ => {}
    }
}

/// Whether two structs are one: each file of a program has its own description.
fn same_type(program: &Program, one: DebugTypeId, other: DebugTypeId) -> bool {
    let name = |id| match &program.debug_types[id] {
        DebugType::Composite { name, .. } => name.as_str(),
        _ => "",
    };
    one == other
        || (!name(one).is_empty()
            && name(one) == name(other)
            && size(program, Some(one)) == size(program, Some(other)))
}
