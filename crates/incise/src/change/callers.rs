//! Who calls a function, where its name does not stand for it or its parameters are others.

use incise_change::{FunctionChange, Versions};
use incise_ir::{Callee, ConstantKind, FunctionId, Linkage, Op, Program};
use incise_reading::matched_parameters;
use std::collections::BTreeSet;

/// The static functions of which one version has parameters that the other has not, and that are only called: by
/// themselves they have nothing to be compared on.
pub(super) fn reshaped(versions: &Versions, old: &Program, new: &Program) -> BTreeSet<FunctionId> {
    let is_private = |program: &Program, function: FunctionId| {
        program.functions[function].linkage == Linkage::Internal && !is_address_taken(program, function)
    };
    let changed = versions.functions.iter().filter(|pair| pair.change == FunctionChange::Changed);
    let both = changed.filter_map(|pair| Some((pair.old?, pair.new?)));
    let private = both.filter(|&(before, after)| is_private(old, before) && is_private(new, after));
    let others =
        private.filter(|&(before, after)| !matched_parameters(old, before, new, after).notes.is_empty());
    // Somebody who is in both versions must call it.
    let called = others.filter(|&(_, after)| {
        let callers = callers_by_name(new, after, &BTreeSet::new()).unwrap_or_default();
        callers.into_iter().any(|caller| versions.old_of(caller).is_some())
    });
    called.map(|(_, after)| after).collect()
}

/// Splits off the functions that their names do not stand for or whose parameters are others, and that nothing but
/// direct calls comes to: instead of them those are taken that call them.
pub(super) fn through_callers(
    program: &Program,
    functions: Vec<FunctionId>,
    reshaped: &BTreeSet<FunctionId>,
    notes: &mut Vec<String>,
) -> (Vec<FunctionId>, BTreeSet<FunctionId>) {
    let (mut kept, mut above) = (Vec::new(), BTreeSet::new());
    for function in functions {
        let name = &program.functions[function].name;
        let named = program.function_named(name) == Some(function);
        let callers = match named && !reshaped.contains(&function) {
            true => None,
            false => callers_by_name(program, function, reshaped),
        };
        let why = match named {
            true => "its parameters are others",
            false => "several files have a static function of that name",
        };
        match callers {
            Some(callers) => {
                let names: Vec<&str> =
                    callers.iter().map(|&id| program.functions[id].name.as_str()).collect();
                notes.push(format!(
                    "{name} is compared where {} {} it: {why}",
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

/// Whether the address of a function is somewhere: anybody may call it then.
fn is_address_taken(program: &Program, function: FunctionId) -> bool {
    program.constants.iter().any(|(_, constant)| constant.kind == ConstantKind::Function(function))
}

/// The nearest functions above one that are known by their names, if all ways to it lead through them. Some are passed
/// over.
pub(crate) fn callers_by_name(
    program: &Program,
    function: FunctionId,
    passed_over: &BTreeSet<FunctionId>,
) -> Option<BTreeSet<FunctionId>> {
    let (mut found, mut seen, mut work) = (BTreeSet::new(), BTreeSet::from([function]), vec![function]);
    while let Some(callee) = work.pop() {
        if is_address_taken(program, callee) {
            return None;
        }
        for (id, caller) in program.functions.iter() {
            let calls = caller.instructions.iter().any(|(_, instruction)| {
                matches!(&instruction.op, Op::Call(call) | Op::Invoke { call, .. } if call.callee == Callee::Direct(callee))
            });
            if !calls || !seen.insert(id) {
                continue;
            }
            match program.function_named(&caller.name) == Some(id) && !passed_over.contains(&id) {
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
