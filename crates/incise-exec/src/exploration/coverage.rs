//! Which lines and branches of the user's code were executed.
//!
//! A block counts as executed when its terminator is; a path that ends inside a block adds the instructions up to
//! there.

use crate::engine::code::{Code, Inst};
use crate::result::Coverage;
use incise_ir::{BlockId, FunctionId, Id, InstructionId, Op, Program};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::rc::Rc;

/// The functions that were entered. Their code notes by itself which edges were taken and where paths returned.
pub(crate) struct CoverageRecorder {
    functions: Vec<Option<Rc<Code>>>,
    partial: FxHashSet<(FunctionId, InstructionId)>,
}

impl CoverageRecorder {
    pub(crate) fn new(program: &Program) -> Self {
        Self { functions: program.functions.ids().map(|_| None).collect(), partial: FxHashSet::default() }
    }

    /// A function was decoded.
    pub(crate) fn enter(&mut self, code: &Rc<Code>) {
        self.functions[code.function.index()] = Some(code.clone());
    }

    /// Whether the block at `pc` was not executed yet.
    pub(crate) fn is_new(&self, code: &Code, pc: u32) -> bool {
        let block = code.block_of.get(pc as usize).copied().unwrap_or(0);
        let left = code.edges.iter().any(|edge| edge.from.index() == block as usize && edge.taken.get());
        !left && !code.returned[block as usize].get()
    }

    /// A path ended in the middle of a block: everything up to `pc` was executed.
    pub(crate) fn until(&mut self, code: &Code, pc: u32) {
        let mut pc = pc as usize;
        while pc > 0 {
            pc -= 1;
            if !self.partial.insert((code.function, code.origins[pc])) {
                break;
            }
            if pc > 0 && ends_block(&code.instructions[pc - 1]) {
                break;
            }
        }
    }

    /// Adds what was recorded to a result.
    pub(crate) fn add_to(&self, program: &Program, coverage: &mut Coverage) {
        for (id, function) in program.functions.iter() {
            let Some(recorded) = &self.functions[id.index()] else { continue };
            if function.model {
                continue;
            }
            let mut executed: Vec<bool> = recorded.returned.iter().map(Cell::get).collect();
            for edge in recorded.edges.iter().filter(|edge| edge.taken.get()) {
                executed[edge.from.index()] = true;
            }
            for block in function.blocks.ids() {
                for instruction in function.block_instructions(block) {
                    let hit = executed[block.index()] || self.partial.contains(&(id, instruction));
                    if let Some(location) = function.instructions[instruction].location {
                        let position = program.position(location);
                        if position.line > 0 {
                            *coverage
                                .lines
                                .entry(position.file.to_string())
                                .or_default()
                                .entry(position.line)
                                .or_default() |= hit;
                        }
                    }
                }
                Self::add_branch(program, id, block, recorded, coverage);
            }
        }
    }

    fn add_branch(
        program: &Program,
        id: FunctionId,
        block: BlockId,
        recorded: &Code,
        coverage: &mut Coverage,
    ) {
        let function = &program.functions[id];
        let terminator = &function.instructions[function.terminator(block)];
        if !matches!(terminator.op, Op::ConditionalBranch { .. } | Op::Switch { .. }) {
            return;
        }
        let Some(location) = terminator.location else { return };
        let position = program.position(location);
        let successors = function.successors(block);
        if successors.len() < 2 {
            return;
        }
        let hits = successors.iter().map(|successor| {
            recorded.edges.iter().any(|edge| edge.taken.get() && edge.from == block && edge.to == *successor)
        });
        let sides = coverage.branches.entry(position).or_insert_with(|| vec![false; successors.len()]);
        for (side, hit) in sides.iter_mut().zip(hits) {
            *side |= hit;
        }
    }
}

fn ends_block(inst: &Inst) -> bool {
    matches!(inst, Inst::Jump { .. } | Inst::Branch { .. } | Inst::Switch(_) | Inst::Return { .. })
}
