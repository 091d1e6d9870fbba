//! Where executions of a program begin, as far as the program tells.

use crate::candidates::Candidates;
use incise_ir::{Callee, Function, FunctionId, Id, Linkage, Op, Program};
use std::collections::BTreeSet;

/// The functions where executions begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// The functions, in the order of the program.
    pub functions: Vec<FunctionId>,
    /// Those of them that may be executed one after the other, so that what one leaves behind in memory is there for the next, in the order of the program.
    pub sharing: Vec<FunctionId>,
}

impl Entries {
    /// What begins an execution of a program: `main`, constructors and destructors, and every function that nothing calls, neither by its name nor by an address that fits. Where there is no `main`,
    /// the program is a library, and every function that other files can see may be called in any order.
    pub fn of(program: &Program) -> Self {
        let main = program.function_named("main").filter(|&id| counts(&program.functions[id]));
        let called = called(program);
        let frame: BTreeSet<FunctionId> =
            program.constructors.iter().chain(&program.destructors).chain(&main).copied().collect();
        let is_entry = |&id: &FunctionId| {
            let visible = main.is_none() && program.functions[id].linkage != Linkage::Internal;
            !called[id.index()] || visible || frame.contains(&id)
        };
        let all: Vec<FunctionId> =
            program.functions.ids().filter(|&id| counts(&program.functions[id])).collect();
        let mut functions: Vec<FunctionId> = all.iter().copied().filter(is_entry).collect();
        if functions.is_empty() {
            // Functions that only call each other: any of them may be the first.
            functions = all;
        }
        let sharing = match main {
            Some(_) => functions.iter().copied().filter(|id| frame.contains(id)).collect(),
            None => functions.clone(),
        };
        Self { functions, sharing: at_least_two(sharing) }
    }

    /// These functions. Several are executed in any order, unless `main` is among them.
    pub fn given(program: &Program, functions: impl IntoIterator<Item = FunctionId>) -> Self {
        let functions: BTreeSet<FunctionId> = functions.into_iter().collect();
        let functions: Vec<FunctionId> = functions.into_iter().collect();
        let is_main = |id: &FunctionId| program.functions[*id].name == "main";
        let sharing = if functions.iter().any(is_main) { Vec::new() } else { functions.clone() };
        Self { functions, sharing: at_least_two(sharing) }
    }
}

/// One execution alone shares nothing.
fn at_least_two(functions: Vec<FunctionId>) -> Vec<FunctionId> {
    if functions.len() < 2 { Vec::new() } else { functions }
}

/// Whether a function belongs to the user's program and has a body.
fn counts(function: &Function) -> bool {
    function.is_definition() && !function.model
}

/// For each function, whether another one may call it: by its name, or by an address of a function that takes such arguments.
fn called(program: &Program) -> Vec<bool> {
    let candidates = Candidates::new(program);
    let mut called = vec![false; program.functions.len()];
    for (id, function) in program.functions.iter() {
        for (_, instruction) in function.instructions.iter() {
            let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { continue };
            let targets = match call.callee {
                Callee::Direct(callee) => vec![callee],
                Callee::Indirect(_) => candidates.of_call(program, function, call),
                Callee::Intrinsic(_) | Callee::Assembly(_) => continue,
            };
            // A function that only calls itself is called by nobody else.
            targets
                .into_iter()
                .filter(|&target| target != id)
                .for_each(|target| called[target.index()] = true);
        }
    }
    called
}
