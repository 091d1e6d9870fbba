//! Which registers of a function are still of use at an instruction.

use super::waiting::waiting_blocks;
use crate::engine::code::Code;
use incise_ir::{Function, Id, InstructionId, Op, Operand, Program};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of functions, found when it is asked for.
#[derive(Default)]
pub(super) struct LiveRegisters {
    known: FxHashMap<(usize, u32), Rc<[usize]>>,
    loops: FxHashMap<usize, Rc<[bool]>>,
}

impl LiveRegisters {
    /// The registers that are of use at the instruction that is executed next.
    pub(super) fn at(&mut self, program: &Program, code: &Code, pc: u32) -> Rc<[usize]> {
        let key = (code.function.index(), pc);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let function = &program.functions[code.function];
        let found: Rc<[usize]> = match code.origins.get(pc as usize) {
            Some(&origin) => live_at(function, origin).into(),
            None => (0..function.values.len()).collect(),
        };
        self.known.insert(key, found.clone());
        found
    }

    /// Whether control can come back to the instruction that is executed next, within its function, and perhaps with
    /// nothing changed.
    pub(super) fn is_in_loop(&mut self, program: &Program, code: &Code, pc: u32) -> bool {
        let known =
            self.loops.entry(code.function.index()).or_insert_with(|| waiting_blocks(program, code).into());
        code.block_of.get(pc as usize).is_some_and(|&block| known.get(block as usize) == Some(&true))
    }
}

/// The slot that a load reads or a store writes, if it is a local variable by itself.
fn local(function: &Function, pointer: Operand) -> Option<usize> {
    let Operand::Value(value) = pointer else { return None };
    let is_alloca = |(_, instruction): (InstructionId, &incise_ir::Instruction)| {
        instruction.result == Some(value) && matches!(instruction.op, Op::Alloca { .. })
    };
    function.instructions.iter().any(is_alloca).then_some(value.index())
}

/// A backward pass over one instruction.
fn pass(function: &Function, id: InstructionId, live: &mut [bool], slots: &[Option<usize>]) {
    let instruction = &function.instructions[id];
    if let Some(result) = instruction.result
        && !matches!(instruction.op, Op::Alloca { .. })
    {
        live[result.index()] = false;
    }
    if let (Op::Store { .. }, Some(slot)) = (&instruction.op, slots[id.index()]) {
        live[slot] = false;
    }
    if matches!(instruction.op, Op::Phi(_)) {
        return;
    }
    let stored = match (&instruction.op, slots[id.index()]) {
        (Op::Store { .. }, Some(slot)) => Some(slot),
        _ => None,
    };
    instruction.op.for_each_operand(|operand| {
        if let Operand::Value(value) = operand
            && Some(value.index()) != stored
        {
            live[value.index()] = true;
            // The value of a load may be read from its variable.
            if let Some(slot) = load_of(function, value, slots) {
                live[slot] = true;
            }
        }
    });
}

fn load_of(function: &Function, value: incise_ir::ValueId, slots: &[Option<usize>]) -> Option<usize> {
    let load = function.instructions.iter().find(|(_, instruction)| instruction.result == Some(value))?;
    matches!(load.1.op, Op::Load { .. }).then(|| slots[load.0.index()]).flatten()
}

fn live_at(function: &Function, origin: InstructionId) -> Vec<usize> {
    let slots: Vec<Option<usize>> = function
        .instructions
        .iter()
        .map(|(_, instruction)| match &instruction.op {
            Op::Load { pointer, .. } | Op::Store { pointer, .. } => local(function, *pointer),
            _ => None,
        })
        .collect();
    let blocks: Vec<_> = function.blocks.ids().collect();
    let mut entry = vec![vec![false; function.values.len()]; blocks.len()];
    let mut wanted = vec![false; function.values.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &block in blocks.iter().rev() {
            let mut live = vec![false; function.values.len()];
            for next in function.successors(block) {
                for (mine, &theirs) in live.iter_mut().zip(&entry[next.index()]) {
                    *mine |= theirs;
                }
                for id in function.block_instructions(next) {
                    let Op::Phi(ways) = &function.instructions[id].op else { continue };
                    for (from, operand) in ways.iter() {
                        if let (true, Operand::Value(value)) = (*from == block, operand) {
                            live[value.index()] = true;
                        }
                    }
                }
            }
            for id in function.block_instructions(block).rev() {
                pass(function, id, &mut live, &slots);
                if id == origin {
                    wanted.clone_from(&live);
                }
            }
            if live != entry[block.index()] {
                entry[block.index()] = live;
                changed = true;
            }
        }
    }
    (0..wanted.len()).filter(|&register| wanted[register]).collect()
}
