//! The functions that a call by address may mean, as far as types tell: those whose address is used and whose
//! parameters fit.

use crate::pointers::for_each_constant;
use incise_ir::{Call, ConstantId, ConstantKind, Function, FunctionId, Operand, Program, Symbol, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The functions whose address is used.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// All of them, in order.
    pub(crate) all: Vec<FunctionId>,
    /// By the types of their parameters, in order.
    by_parameters: FxHashMap<Box<[TypeId]>, Vec<FunctionId>>,
    /// Those that take more arguments than their parameters, in order.
    variadic: Vec<(Box<[TypeId]>, FunctionId)>,
    /// Those whose address only models of the C library use: it does not get out of them.
    internal: FxHashSet<FunctionId>,
}

impl Candidates {
    pub(crate) fn new(program: &Program) -> Self {
        // A call by name does not use the function's address as a constant.
        let mut all: Vec<FunctionId> = (program.constants.iter())
            .filter_map(|(_, constant)| match constant.kind {
                ConstantKind::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        let mut by_parameters: FxHashMap<Box<[TypeId]>, Vec<FunctionId>> = FxHashMap::default();
        let mut variadic = Vec::new();
        for &id in &all {
            let function = &program.functions[id];
            let parameters: Box<[TypeId]> = function.parameters.iter().map(|each| each.ty).collect();
            if function.variadic {
                variadic.push((parameters.clone(), id));
            }
            by_parameters.entry(parameters).or_default().push(id);
        }
        let used = used_by_program(program);
        let internal = all.iter().copied().filter(|id| !used.contains(id)).collect();
        Self { all, by_parameters, variadic, internal }
    }

    /// Whether the program itself uses the address of a function.
    pub(crate) fn is_listed(&self, id: FunctionId) -> bool {
        self.all.binary_search(&id).is_ok() && self.is_used(id)
    }

    /// Whether the program itself uses the address of one of them.
    pub(crate) fn is_used(&self, id: FunctionId) -> bool {
        !self.internal.contains(&id)
    }

    /// The functions that a call by address may mean, in order.
    pub(crate) fn of_call(&self, program: &Program, caller: &Function, call: &Call) -> Vec<FunctionId> {
        let types: Vec<TypeId> =
            call.arguments.iter().map(|&argument| program.operand_type(caller, argument)).collect();
        let mut found = self.of_types(&types);
        if !caller.model {
            found.retain(|function| !self.internal.contains(function));
        }
        found
    }

    fn of_types(&self, arguments: &[TypeId]) -> Vec<FunctionId> {
        let exact = self.by_parameters.get(arguments).into_iter().flatten().copied();
        let variadic = (self.variadic.iter())
            .filter(|(parameters, _)| arguments.starts_with(parameters))
            .map(|&(_, function)| function);
        let mut found: Vec<FunctionId> = exact.chain(variadic).collect();
        if found.is_empty() {
            // A call with more arguments than the function takes is wrong in C, and works.
            let shorter = (0..arguments.len()).filter_map(|end| self.by_parameters.get(&arguments[..end]));
            found.extend(shorter.flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The functions whose address the program itself uses, models of the C library aside.
fn used_by_program(program: &Program) -> FxHashSet<FunctionId> {
    let mut constants: BTreeSet<ConstantId> = BTreeSet::new();
    for (_, function) in program.functions.iter().filter(|(_, function)| !function.model) {
        for (_, instruction) in function.instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    constants.insert(constant);
                }
            });
        }
    }
    let globals = program.globals.iter().filter(|(_, global)| !global.model);
    constants.extend(globals.filter_map(|(_, global)| global.initializer));
    constants.extend(program.symbols.values().filter_map(|symbol| match symbol {
        Symbol::Alias(constant) => Some(*constant),
        _ => None,
    }));
    let mut used = FxHashSet::default();
    for constant in constants {
        for_each_constant(program, constant, |part| {
            if let ConstantKind::Function(function) = program.constants[part].kind {
                used.insert(function);
            }
        });
    }
    used
}
