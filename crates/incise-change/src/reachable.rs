//! What of a program can matter for executions that begin in some functions: what is called or named by what can
//! matter.

use crate::bits::BitSet;
use crate::pointers::for_each_constant;
use incise_ir::{Callee, ConstantId, ConstantKind, FunctionId, Id, Op, Operand, Program};

/// The functions that can matter.
pub(crate) struct Reachable {
    functions: BitSet,
    /// The global variables that can.
    globals: BitSet,
    work: Vec<FunctionId>,
}

impl Reachable {
    pub(crate) fn new(program: &Program, entries: impl IntoIterator<Item = FunctionId>) -> Self {
        Self::up_to(program, entries, |_| false)
    }

    /// The same, but what only functions that are `last` call or name is left out.
    pub(crate) fn up_to(
        program: &Program,
        entries: impl IntoIterator<Item = FunctionId>,
        last: impl Fn(FunctionId) -> bool,
    ) -> Self {
        let mut found = Self {
            functions: BitSet::new(program.functions.len()),
            globals: BitSet::new(program.globals.len()),
            work: Vec::new(),
        };
        let roots = program.constructors.iter().chain(&program.destructors).copied();
        entries.into_iter().chain(roots).for_each(|entry| found.add_function(entry));
        while let Some(id) = found.work.pop() {
            if last(id) {
                continue;
            }
            for (_, instruction) in program.functions[id].instructions.iter() {
                if let Op::Call(call) | Op::Invoke { call, .. } = &instruction.op
                    && let Callee::Direct(callee) = call.callee
                {
                    found.add_function(callee);
                }
                instruction.op.for_each_operand(|operand| {
                    if let Operand::Constant(constant) = operand {
                        found.add_constant(program, constant);
                    }
                });
            }
        }
        found
    }

    /// The functions, in order.
    pub(crate) fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.functions.iter().map(FunctionId::from_index)
    }

    fn add_function(&mut self, function: FunctionId) {
        if self.functions.insert(function.index()) {
            self.work.push(function);
        }
    }

    fn add_constant(&mut self, program: &Program, constant: ConstantId) {
        let mut work = vec![constant];
        while let Some(constant) = work.pop() {
            for_each_constant(program, constant, |part| match program.constants[part].kind {
                ConstantKind::Function(function) => self.add_function(function),
                ConstantKind::Global(global) if self.globals.insert(global.index()) => {
                    work.extend(program.globals[global].initializer);
                }
                _ => {}
            });
        }
    }
}
