//! Where executions of a program begin, as far as the program tells.

use crate::candidates::Candidates;
use crate::reachable::Reachable;
use incise_ir::{Callee, Function, FunctionId, Id, Linkage, Op, Program};
use std::collections::BTreeSet;

/// The functions where executions begin.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries {
    /// The functions, in the order of the program.
    pub functions: Vec<FunctionId>,
    /// Those of them that may be executed one after the other, so that what one leaves behind in memory is there for
    /// the next, in the order of the program.
    pub sharing: Vec<FunctionId>,
}

impl Entries {
    /// What begins an execution of a program in which these functions changed: `main`, constructors and destructors;
    /// and where something changed that these do not come to, the functions that nothing calls, neither by its name nor
    /// by an address that fits, and that lead there. Other functions that nothing calls are left out, because of what a
    /// program does that begins elsewhere than in `main` less is known. Where there is no `main`, the program is a
    /// library: every function that nothing calls or that other files can see may be called, in any order.
    pub fn of(program: &Program, changed: &BTreeSet<FunctionId>) -> Self {
        let main = program.function_named("main").filter(|&id| counts(&program.functions[id]));
        let called = called(program);
        let all: Vec<FunctionId> =
            program.functions.ids().filter(|&id| counts(&program.functions[id])).collect();
        let Some(main) = main else {
            let visible = |id: &FunctionId| program.functions[*id].linkage != Linkage::Internal;
            let is_entry = |id: &FunctionId| !called[id.index()] || visible(id);
            let functions: Vec<FunctionId> = all.iter().copied().filter(is_entry).collect();
            // Functions that only call each other: any of them may be the first.
            let functions = if functions.is_empty() { all } else { functions };
            return Self { sharing: at_least_two(functions.clone()), functions };
        };
        let mut frame: BTreeSet<FunctionId> = [main].into();
        frame.extend(program.constructors.iter().chain(&program.destructors));
        let sharing = at_least_two(frame.iter().copied().collect());
        let reached: BTreeSet<FunctionId> = Reachable::new(program, [main]).functions().collect();
        let open: BTreeSet<FunctionId> = changed.difference(&reached).copied().collect();
        let leads_there =
            |id: &FunctionId| Reachable::new(program, [*id]).functions().any(|each| open.contains(&each));
        if !open.is_empty() {
            let others = all.into_iter().filter(|id| !called[id.index()] && !reached.contains(id));
            frame.extend(others.filter(leads_there));
        }
        Self { functions: frame.into_iter().collect(), sharing }
    }

    /// Whether code that nobody can see calls several of them, one after the other.
    pub fn have_callers(&self, program: &Program) -> bool {
        let is_main = |id: &FunctionId| program.functions[*id].name == "main";
        !self.sharing.is_empty() && !self.sharing.iter().any(is_main)
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

/// For each function, whether another one may call it: by its name, or by an address of a function that takes such
/// arguments.
pub(crate) fn called(program: &Program) -> Vec<bool> {
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
