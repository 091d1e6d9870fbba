//! Programs with threads, for commands that cannot do with them what they do with others, and for the comparison.

use anyhow::{Result, bail};
use incise_exec::starts_threads;
use incise_ir::{Callee, ConstantKind, FunctionId, Op, Program};
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

/// The entries of a comparison where `main` starts threads: what threads execute means nothing by itself, so that
/// `main` stands for all that it can come to.
pub(crate) fn through_main(old: &Program, new: &Program, entries: Vec<FunctionId>) -> Vec<FunctionId> {
    let (Some(_), Some(main)) = (old.function_named("main"), new.function_named("main")) else {
        return entries;
    };
    if !starts(old, None) && !starts(new, None) {
        return entries;
    }
    let reached = reached(new, main);
    let apart = entries.into_iter().filter(|entry| !reached.contains(entry));
    std::iter::once(main).chain(apart).collect()
}

/// The functions that are named below a function, called or not, and those that a table names.
fn reached(program: &Program, entry: FunctionId) -> BTreeSet<FunctionId> {
    let mut work = vec![entry];
    let named = program.constants.iter().filter_map(|(_, constant)| match constant.kind {
        ConstantKind::Function(function) => Some(function),
        _ => None,
    });
    work.extend(named);
    let mut found = BTreeSet::new();
    while let Some(function) = work.pop() {
        if !found.insert(function) || !program.functions[function].is_definition() {
            continue;
        }
        let instructions = program.functions[function].instructions.iter();
        work.extend(instructions.filter_map(|(_, instruction)| match &instruction.op {
            Op::Call(call) => match call.callee {
                Callee::Direct(callee) => Some(callee),
                _ => None,
            },
            _ => None,
        }));
    }
    found
}
