//! Which global variables executions from a function can come to. Others need no symbols, which matters where they are
//! large.

use incise_ir::{ConstantId, ConstantKind, FunctionId, GlobalId, Id, Operand, Program};
use rustc_hash::FxHashSet;

/// What is named by a function, by what it names, and so on. Constructors and destructors run, too.
pub(crate) struct Reached {
    globals: Vec<bool>,
}

impl Reached {
    /// What executions from an entry can come to.
    pub(crate) fn from(program: &Program, entry: FunctionId) -> Self {
        let mut walk = Walk {
            program,
            functions: vec![false; program.functions.len()],
            globals: vec![false; program.globals.len()],
            constants: FxHashSet::default(),
            waiting: Vec::new(),
        };
        let around = program.constructors.iter().chain(&program.destructors);
        for &function in around.chain([&entry]) {
            walk.function(function);
        }
        while let Some(constant) = walk.waiting.pop() {
            walk.constant(constant);
        }
        Self { globals: walk.globals }
    }

    /// Whether a variable is among it.
    pub(crate) fn has(&self, global: GlobalId) -> bool {
        self.globals[global.index()]
    }
}

struct Walk<'p> {
    program: &'p Program,
    functions: Vec<bool>,
    globals: Vec<bool>,
    constants: FxHashSet<ConstantId>,
    waiting: Vec<ConstantId>,
}

impl Walk<'_> {
    fn function(&mut self, id: FunctionId) {
        if std::mem::replace(&mut self.functions[id.index()], true) {
            return;
        }
        let waiting = &mut self.waiting;
        for (_, instruction) in self.program.functions[id].instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    waiting.push(constant);
                }
            });
        }
    }

    fn constant(&mut self, id: ConstantId) {
        if !self.constants.insert(id) {
            return;
        }
        match &self.program.constants[id].kind {
            ConstantKind::Function(function) => self.function(*function),
            ConstantKind::Global(global) => {
                self.globals[global.index()] = true;
                self.waiting.extend(self.program.globals[*global].initializer);
            }
            ConstantKind::Offset { base: one, .. } | ConstantKind::Cast { value: one, .. } => {
                self.waiting.push(*one);
            }
            ConstantKind::Binary { left, right, .. } | ConstantKind::Compare { left, right, .. } => {
                self.waiting.extend([*left, *right]);
            }
            ConstantKind::Select { condition, then, otherwise } => {
                self.waiting.extend([*condition, *then, *otherwise]);
            }
            ConstantKind::Aggregate(elements) => self.waiting.extend(elements.iter()),
            _ => {}
        }
    }
}
