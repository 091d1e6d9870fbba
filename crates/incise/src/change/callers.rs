//! Who calls a function, where its name does not stand for it.

use incise_ir::{Callee, ConstantKind, FunctionId, Op, Program};
use std::collections::BTreeSet;

/// Splits off the functions that their names do not stand for and that nothing but direct calls comes to: instead of
/// them those are taken that call them.
pub(super) fn through_callers(
    program: &Program,
    functions: Vec<FunctionId>,
    notes: &mut Vec<String>,
) -> (Vec<FunctionId>, BTreeSet<FunctionId>) {
    let (mut kept, mut above) = (Vec::new(), BTreeSet::new());
    for function in functions {
        let name = &program.functions[function].name;
        let callers = match program.function_named(name) == Some(function) {
            true => None,
            false => callers_by_name(program, function),
        };
        match callers {
            Some(callers) => {
                let names: Vec<&str> =
                    callers.iter().map(|&id| program.functions[id].name.as_str()).collect();
                notes.push(format!(
                    "{name} is compared where {} {} it: several files have a static function of that name",
                    names.join(", "),
                    if names.len() == 1 { "calls" } else { "call" }
                ));
                above.extend(callers);
            }
            None => kept.push(function),
        }
    }
    (kept, above)
}

/// The nearest functions above one that are known by their names, if all ways to it lead through them.
pub(crate) fn callers_by_name(program: &Program, function: FunctionId) -> Option<BTreeSet<FunctionId>> {
    let (mut found, mut seen, mut work) = (BTreeSet::new(), BTreeSet::from([function]), vec![function]);
    while let Some(callee) = work.pop() {
        // Its address is somewhere: anybody may call it.
        if program.constants.iter().any(|(_, constant)| constant.kind == ConstantKind::Function(callee)) {
            return None;
        }
        for (id, caller) in program.functions.iter() {
            let calls = caller.instructions.iter().any(|(_, instruction)| {
                matches!(&instruction.op, Op::Call(call) | Op::Invoke { call, .. } if call.callee == Callee::Direct(callee))
            });
            if !calls || !seen.insert(id) {
                continue;
            }
            match program.function_named(&caller.name) == Some(id) {
                true => drop(found.insert(id)),
                false => work.push(id),
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The functions that their names stand for; of the others a note is made.
pub(super) fn known_by_name(
    program: &Program,
    functions: impl Iterator<Item = FunctionId>,
    notes: &mut Vec<String>,
) -> Vec<FunctionId> {
    let mut entries = Vec::new();
    for function in functions {
        let name = &program.functions[function].name;
        if program.function_named(name) == Some(function) {
            entries.push(function);
        } else {
            notes.push(format!("{name} is not explored: several files have a static function of that name"));
        }
    }
    entries
}
