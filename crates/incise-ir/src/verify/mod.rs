//! The verifier: checks that a program holds together, so that the executor and the analyses need not.
//!
//! Checked are the shape of blocks, that each value is defined once and before its uses, and that types fit. Not
//! checked is anything about what the program does.

mod constants;
mod operations;
#[cfg(test)]
mod tests;

pub use constants::verify_constant;

use crate::{
    BlockId, Cfg, Dominators, Function, FunctionId, GlobalId, Id, InstructionId, Op, Operand, Program,
    TypeId, ValueId,
};

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {message}")]
pub struct VerifyError {
    /// The function, global or constant, and where in it.
    pub place: String,
    /// The instruction, if it is one.
    pub instruction: Option<InstructionId>,
    /// What is wrong.
    pub message: String,
}

/// Checks a program.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    constants::verify_constants(program)?;
    for id in program.globals.ids() {
        verify_global(program, id)?;
    }
    for id in program.functions.ids() {
        verify_function(program, id)?;
    }
    Ok(())
}

fn verify_global(program: &Program, id: GlobalId) -> Result<(), VerifyError> {
    let global = &program.globals[id];
    let fail = |message: &str| {
        Err(VerifyError {
            place: format!("global '{}'", global.name),
            instruction: None,
            message: message.to_owned(),
        })
    };
    match global.initializer {
        Some(initializer) if initializer.index() >= program.constants.len() => {
            fail("its initialiser does not exist")
        }
        Some(initializer) if program.constants[initializer].ty != global.ty => {
            fail("its initialiser has another type")
        }
        _ if global.align != 0 && !global.align.is_power_of_two() => fail("its alignment is no power of two"),
        _ => Ok(()),
    }
}

/// Checks one function of a program.
pub fn verify_function(program: &Program, id: FunctionId) -> Result<(), VerifyError> {
    let function = &program.functions[id];
    let verifier = Verifier { program, function };
    verifier.parameters()?;
    if function.blocks.is_empty() {
        return Ok(());
    }
    verifier.blocks()?;
    let cfg = Cfg::new(function);
    if !cfg.predecessors(BlockId::from_index(0)).is_empty() {
        return verifier.fail(None, "control goes back to the entry block");
    }
    let definitions = verifier.definitions()?;
    verifier.instructions(&cfg, &definitions)
}

struct Verifier<'a> {
    program: &'a Program,
    function: &'a Function,
}

/// Where a value is defined.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Definition {
    Nowhere,
    Parameter,
    Instruction(BlockId, InstructionId),
}

impl Verifier<'_> {
    fn fail<T>(&self, at: Option<InstructionId>, message: impl Into<String>) -> Result<T, VerifyError> {
        let place = match at {
            Some(id) => format!("function '{}', instruction {}", self.function.name, id.index()),
            None => format!("function '{}'", self.function.name),
        };
        Err(VerifyError { place, instruction: at, message: message.into() })
    }

    fn parameters(&self) -> Result<(), VerifyError> {
        let values = &self.function.values;
        if values.len() < self.function.parameters.len() {
            return self.fail(None, "it has fewer values than parameters");
        }
        for (index, parameter) in self.function.parameters.iter().enumerate() {
            if values[ValueId::from_index(index)].ty != parameter.ty {
                return self.fail(None, format!("the value of parameter {index} has another type"));
            }
        }
        Ok(())
    }

    /// Blocks cover the instructions one after the other, and each ends in its only terminator.
    fn blocks(&self) -> Result<(), VerifyError> {
        let mut expected = 0;
        for (id, block) in self.function.blocks.iter() {
            let (first, end) = (block.first.index(), block.end.index());
            if first != expected || end <= first || end > self.function.instructions.len() {
                return self.fail(None, format!("block {} does not follow the one before it", id.index()));
            }
            expected = end;
            for instruction in self.function.block_instructions(id) {
                let op = &self.function.instructions[instruction].op;
                if op.is_terminator() != (instruction.index() + 1 == end) {
                    return self.fail(Some(instruction), "a block has one terminator, at its end");
                }
                let mut missing = false;
                op.for_each_successor(|block| missing |= block.index() >= self.function.blocks.len());
                if missing {
                    return self.fail(Some(instruction), "control goes to a block that does not exist");
                }
            }
        }
        if expected == self.function.instructions.len() {
            Ok(())
        } else {
            self.fail(None, "some instructions are in no block")
        }
    }

    fn definitions(&self) -> Result<Vec<Definition>, VerifyError> {
        let mut definitions = vec![Definition::Nowhere; self.function.values.len()];
        definitions[..self.function.parameters.len()].fill(Definition::Parameter);
        for block in self.function.blocks.ids() {
            for id in self.function.block_instructions(block) {
                let Some(result) = self.function.instructions[id].result else { continue };
                match definitions.get_mut(result.index()) {
                    Some(slot @ Definition::Nowhere) => *slot = Definition::Instruction(block, id),
                    Some(_) => return self.fail(Some(id), "its value is defined twice"),
                    None => return self.fail(Some(id), "its value does not exist"),
                }
            }
        }
        Ok(definitions)
    }

    fn instructions(&self, cfg: &Cfg, definitions: &[Definition]) -> Result<(), VerifyError> {
        let dominators = Dominators::new(cfg);
        for block in self.function.blocks.ids() {
            let mut phis_over = false;
            for id in self.function.block_instructions(block) {
                let instruction = &self.function.instructions[id];
                self.operands_exist(id, definitions)?;
                if let Op::Phi(incoming) = &instruction.op {
                    if phis_over {
                        return self.fail(Some(id), "a phi follows another kind of instruction");
                    }
                    self.phi(id, block, incoming, cfg, &dominators, definitions)?;
                } else {
                    phis_over = true;
                    let mut result = Ok(());
                    instruction.op.for_each_operand(|operand| {
                        if result.is_ok() {
                            result = self.use_is_dominated(id, block, operand, &dominators, cfg, definitions);
                        }
                    });
                    result?;
                }
                self.operation(id)?;
            }
        }
        Ok(())
    }

    fn operands_exist(&self, id: InstructionId, definitions: &[Definition]) -> Result<(), VerifyError> {
        let mut missing = false;
        self.function.instructions[id].op.for_each_operand(|operand| match operand {
            Operand::Value(value) => {
                let definition = definitions.get(value.index());
                missing |= definition.is_none_or(|&definition| definition == Definition::Nowhere);
            }
            Operand::Constant(constant) => missing |= constant.index() >= self.program.constants.len(),
        });
        if missing { self.fail(Some(id), "it uses a value that is defined nowhere") } else { Ok(()) }
    }

    /// A use comes after its definition on every way. Blocks that cannot be reached are not checked.
    fn use_is_dominated(
        &self,
        id: InstructionId,
        block: BlockId,
        operand: Operand,
        dominators: &Dominators,
        cfg: &Cfg,
        definitions: &[Definition],
    ) -> Result<(), VerifyError> {
        let Operand::Value(value) = operand else { return Ok(()) };
        let Definition::Instruction(defining_block, defining) = definitions[value.index()] else {
            return Ok(());
        };
        let fine = if defining_block == block {
            defining < id && self.is_available_after(defining)
        } else {
            self.dominates_on_return(defining_block, defining, block, dominators)
        };
        if fine || !cfg.is_reachable(block) {
            return Ok(());
        }
        self.fail(
            Some(id),
            format!("it uses the value of instruction {} before it is defined", defining.index()),
        )
    }

    fn is_available_after(&self, defining: InstructionId) -> bool {
        !self.function.instructions[defining].op.is_terminator()
    }

    /// The value of an invoke is there only on its normal side.
    fn dominates_on_return(
        &self,
        defining_block: BlockId,
        defining: InstructionId,
        block: BlockId,
        dominators: &Dominators,
    ) -> bool {
        match &self.function.instructions[defining].op {
            Op::Invoke { normal, .. } => dominators.dominates(*normal, block),
            _ => dominators.dominates(defining_block, block),
        }
    }

    fn phi(
        &self,
        id: InstructionId,
        block: BlockId,
        incoming: &[(BlockId, Operand)],
        cfg: &Cfg,
        dominators: &Dominators,
        definitions: &[Definition],
    ) -> Result<(), VerifyError> {
        let predecessors = cfg.predecessors(block);
        if let Some(missing) =
            predecessors.iter().find(|&block| !incoming.iter().any(|(from, _)| from == block))
        {
            return self.fail(Some(id), format!("the phi has no value for block {}", missing.index()));
        }
        for &(from, operand) in incoming {
            if from.index() >= self.function.blocks.len() {
                return self.fail(Some(id), "the phi has a value for a block that does not exist");
            }
            if !predecessors.contains(&from) && !self.may_go_anywhere(from) {
                return self.fail(
                    Some(id),
                    format!("the phi has a value for block {}, from where control cannot come", from.index()),
                );
            }
            let Operand::Value(value) = operand else { continue };
            let Definition::Instruction(defining_block, defining) = definitions[value.index()] else {
                continue;
            };
            let fine = (defining_block == from && self.phi_sees(defining, block))
                || self.dominates_on_return(defining_block, defining, from, dominators)
                || !cfg.is_reachable(from);
            if !fine {
                return self.fail(Some(id), "the phi uses a value that is not defined on its way");
            }
        }
        Ok(())
    }

    /// Whether it is not known where control goes from a block.
    fn may_go_anywhere(&self, block: BlockId) -> bool {
        matches!(self.function.instructions[self.function.terminator(block)].op, Op::UnsupportedTerminator(_))
    }

    /// Whether a phi of `block` sees a value that is defined in the block that control comes from.
    fn phi_sees(&self, defining: InstructionId, block: BlockId) -> bool {
        match &self.function.instructions[defining].op {
            Op::Invoke { normal, .. } => *normal == block,
            _ => true,
        }
    }

    fn type_of(&self, operand: Operand) -> TypeId {
        self.program.operand_type(self.function, operand)
    }
}
