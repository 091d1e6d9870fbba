//! Programs with threads, for commands that cannot do with them what they do with others, and for the comparison.

use anyhow::{Result, bail};
use incise_exec::starts_threads;
use incise_ir::{Callee, ConstantId, ConstantKind, FunctionId, Linkage, Op, Operand, Program};
use std::collections::BTreeSet;

/// Refuses a program that starts threads from where it is explored: the entry, or else `main`.
pub(crate) fn refuse(program: &Program, entry: Option<&str>, what: &str) -> Result<()> {
    let name = entry.unwrap_or("main");
    match starts(program, entry) {
        true => bail!(
            "{name} starts threads, and {what} programs with threads is not possible yet: `incise run` explores them"
        ),
        false => Ok(()),
    }
}

/// Whether a program starts threads from its entry, or else from `main`.
pub(crate) fn starts(program: &Program, entry: Option<&str>) -> bool {
    let function = program.function_named(entry.unwrap_or("main"));
    function.is_some_and(|entry| program.functions[entry].is_definition() && starts_threads(program, entry))
}

/// The entries of a comparison of programs that start threads: what threads execute means nothing by itself, so that
/// who starts them stands for all that it can come to. That is `main`; where there is none, each function that starts
/// threads and comes to what changed, and beside it what others may call.
pub(crate) fn through_starters(old: &Program, new: &Program, entries: Vec<FunctionId>) -> Vec<FunctionId> {
    let in_old = |id: FunctionId| old.function_named(&new.functions[id].name);
    let main = new.function_named("main").filter(|&main| in_old(main).is_some());
    let begins = |&id: &FunctionId| {
        let function = &new.functions[id];
        let both = [(new, Some(id)), (old, in_old(id))];
        let mut known = both.into_iter().filter_map(|(program, id)| Some((program, id?)));
        function.is_definition()
            && !function.model
            && in_old(id).is_some()
            && known.any(|(program, id)| starts_threads(program, id))
    };
    let candidates: Vec<FunctionId> = match main {
        Some(main) => vec![main],
        None => new.functions.ids().collect(),
    };
    let starters = candidates.into_iter().filter(begins);
    let starters: Vec<(FunctionId, BTreeSet<FunctionId>)> = starters
        .map(|starter| (starter, named_below(new, starter)))
        .filter(|(_, below)| main.is_some() || entries.iter().any(|entry| below.contains(entry)))
        .collect();
    // What the program itself starts, and what nobody else can call, is looked at from there alone.
    let stands_for = |id: &FunctionId| {
        let hidden = main.is_some() || new.functions[*id].linkage == Linkage::Internal;
        let mut above = starters.iter().filter(|(starter, _)| starter != id);
        hidden && above.any(|(_, below)| below.contains(id))
    };
    let kept: Vec<FunctionId> = starters.iter().map(|(starter, _)| *starter).collect();
    let apart = entries.into_iter().filter(|entry| !kept.contains(entry));
    kept.iter().copied().chain(apart).filter(|id| Some(*id) == main || !stands_for(id)).collect()
}

/// The functions that are named below a function: called, or in what it uses.
pub(crate) fn named_below(program: &Program, entry: FunctionId) -> BTreeSet<FunctionId> {
    let mut work = vec![entry];
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    while let Some(function) = work.pop() {
        if !found.insert(function) {
            continue;
        }
        for (_, instruction) in program.functions[function].instructions.iter() {
            if let Op::Call(call) = &instruction.op
                && let Callee::Direct(callee) = call.callee
            {
                work.push(callee);
            }
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    work.extend(named(program, constant, &mut seen));
                }
            });
        }
    }
    found
}

/// The functions that a constant names, by itself or by the variables that it names.
fn named(program: &Program, constant: ConstantId, seen: &mut BTreeSet<ConstantId>) -> Vec<FunctionId> {
    let (mut work, mut found) = (vec![constant], Vec::new());
    while let Some(constant) = work.pop() {
        if !seen.insert(constant) {
            continue;
        }
        match &program.constants[constant].kind {
            ConstantKind::Function(function) | ConstantKind::BlockAddress { function, .. } => {
                found.push(*function);
            }
            ConstantKind::Global(global) => work.extend(program.globals[*global].initializer),
            ConstantKind::Aggregate(elements) => work.extend(elements.iter().copied()),
            ConstantKind::Offset { base, .. } => work.push(*base),
            ConstantKind::Cast { value, .. } => work.push(*value),
            ConstantKind::Binary { left, right, .. } | ConstantKind::Compare { left, right, .. } => {
                work.extend([*left, *right]);
            }
            ConstantKind::Select { condition, then, otherwise } => {
                work.extend([*condition, *then, *otherwise]);
            }
            _ => {}
        }
    }
    found
}
