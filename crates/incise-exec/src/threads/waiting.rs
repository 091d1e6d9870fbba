//! Loops in which a thread may do nothing but wait.
//!
//! Only for these it is worth while to see if a thread comes back to its place with nothing changed (`awaits.rs`). A
//! loop that writes a global variable, takes a lock or counts in each of its rounds is none: what it reads is an
//! ordinary read.

use crate::engine::code::Code;
use incise_ir::{
    BinaryOp, BlockId, Callee, ConstantId, ConstantKind, Function, Id, Instruction, InstructionId, Op,
    Operand, Program, ValueId,
};

/// Functions that wait by themselves, or change what others see.
const ACTING: [&str; 16] = [
    "cnd_wait",
    "mtx_lock",
    "mtx_unlock",
    "pthread_barrier_wait",
    "pthread_cond_wait",
    "pthread_join",
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "pthread_spin_lock",
    "pthread_spin_unlock",
    "sem_post",
    "sem_wait",
    "thrd_join",
];

/// The blocks of a function from which control may come back to them although nothing has changed.
pub(super) fn waiting_blocks(program: &Program, code: &Code) -> Vec<bool> {
    let function = &program.functions[code.function];
    let mut graph = Graph::of(function);
    for block in function.blocks.ids() {
        let acts = |id: InstructionId| is_act(program, function, &function.instructions[id]);
        if function.block_instructions(block).any(acts) {
            graph.leave_out(block.index());
        }
    }
    let counters = counters(program, function);
    loop {
        let component = graph.components();
        let together = |one: usize, two: usize| component[one].is_some() && component[one] == component[two];
        // A variable that is only counted within a loop is another in each round.
        let only_one = |counter: &&Counter| {
            let others = counter.stores.iter().filter(|&&other| together(other, counter.block));
            together(counter.block, counter.block) && others.count() == 1
        };
        let found: Vec<usize> = counters.iter().filter(only_one).map(|counter| counter.block).collect();
        if found.is_empty() {
            return component.iter().map(Option::is_some).collect();
        }
        found.into_iter().for_each(|block| graph.leave_out(block));
    }
}

/// Whether an instruction does something that others see, whatever it finds.
fn is_act(program: &Program, function: &Function, instruction: &Instruction) -> bool {
    match &instruction.op {
        Op::Store { pointer, .. } => is_global(program, function, *pointer),
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => {
                let callee = &program.functions[callee];
                !callee.is_definition() && ACTING.contains(&callee.name.as_str())
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether an address is that of a variable that all threads have, or of something in it.
fn is_global(program: &Program, function: &Function, pointer: Operand) -> bool {
    let constant = |mut id: ConstantId| loop {
        match &program.constants[id].kind {
            ConstantKind::Global(global) => return !program.globals[*global].thread_local,
            ConstantKind::Offset { base, .. } => id = *base,
            _ => return false,
        }
    };
    match pointer {
        Operand::Constant(id) => constant(id),
        Operand::Value(value) => match made_by(function, value) {
            Some(Op::ElementPointer { base: Operand::Constant(id), .. }) => constant(*id),
            _ => false,
        },
    }
}

fn made_by(function: &Function, value: ValueId) -> Option<&Op> {
    function.instructions.iter().find(|(_, each)| each.result == Some(value)).map(|(_, each)| &each.op)
}

/// A local variable that is counted: the block in which it is, and all those in which it is written.
struct Counter {
    block: usize,
    stores: Vec<usize>,
}

/// All places at which a number is added to a variable whose address goes nowhere.
fn counters(program: &Program, function: &Function) -> Vec<Counter> {
    let mut found = Vec::new();
    let variables = function.instructions.iter().filter_map(|(_, each)| match each.op {
        Op::Alloca { count: None, .. } => each.result,
        _ => None,
    });
    for variable in variables {
        let Some(stores) = plain_stores(function, variable) else { continue };
        let blocks: Vec<usize> = stores.iter().map(|(block, _)| block.index()).collect();
        let counts = stores.iter().filter(|(_, value)| is_counted(program, function, *value, variable));
        found.extend(counts.map(|(block, _)| Counter { block: block.index(), stores: blocks.clone() }));
    }
    found
}

/// What is written to a variable, and where; none if it is used in another way than to read and write all of it.
fn plain_stores(function: &Function, variable: ValueId) -> Option<Vec<(BlockId, Operand)>> {
    let mut stores = Vec::new();
    let here = Operand::Value(variable);
    for block in function.blocks.ids() {
        for id in function.block_instructions(block) {
            match &function.instructions[id].op {
                Op::Store { pointer, value, .. } if *pointer == here && *value != here => {
                    stores.push((block, *value));
                }
                Op::Load { pointer, .. } if *pointer == here => {}
                op => {
                    let mut used = false;
                    op.for_each_operand(|operand| used |= operand == here);
                    if used {
                        return None;
                    }
                }
            }
        }
    }
    Some(stores)
}

/// Whether a value is what a variable holds and a number that is not zero.
fn is_counted(program: &Program, function: &Function, value: Operand, variable: ValueId) -> bool {
    let Operand::Value(value) = value else { return false };
    let Some(Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right, .. }) = made_by(function, value)
    else {
        return false;
    };
    let is_load = |operand: Operand| match operand {
        Operand::Value(value) => {
            matches!(made_by(function, value), Some(Op::Load { pointer, .. }) if *pointer == Operand::Value(variable))
        }
        Operand::Constant(_) => false,
    };
    let is_number = |operand: Operand| match operand {
        Operand::Constant(id) => matches!(program.constants[id].kind, ConstantKind::Integer(by) if by != 0),
        Operand::Value(_) => false,
    };
    is_load(*left) && is_number(*right)
}

/// The blocks and what follows them.
struct Graph {
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    left_out: Vec<bool>,
}

impl Graph {
    fn of(function: &Function) -> Self {
        let next = |block| function.successors(block).into_iter().map(|next| next.index()).collect();
        let successors: Vec<Vec<usize>> = function.blocks.ids().map(next).collect();
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (block, next) in successors.iter().enumerate() {
            next.iter().for_each(|&next| predecessors[next].push(block));
        }
        let left_out = vec![false; successors.len()];
        Self { successors, predecessors, left_out }
    }

    fn leave_out(&mut self, block: usize) {
        self.left_out[block] = true;
    }

    fn reached(&self, edges: &[Vec<usize>], start: usize) -> Vec<bool> {
        let mut seen = vec![false; edges.len()];
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            for &next in &edges[block] {
                if !self.left_out[next] && !std::mem::replace(&mut seen[next], true) {
                    work.push(next);
                }
            }
        }
        seen
    }

    /// For each block that can be reached from itself, the first of those with which it is in a circle.
    fn components(&self) -> Vec<Option<usize>> {
        let count = self.successors.len();
        let mut component = vec![None; count];
        for block in 0..count {
            if self.left_out[block] || component[block].is_some() {
                continue;
            }
            let from = self.reached(&self.successors, block);
            if !from[block] {
                continue;
            }
            let to = self.reached(&self.predecessors, block);
            for other in (0..count).filter(|&other| from[other] && to[other]) {
                component[other] = Some(block);
            }
        }
        component
    }
}
