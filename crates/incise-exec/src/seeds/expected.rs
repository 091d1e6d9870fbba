//! Whether a seed's path leaves behind what is expected of it. Then nothing more needs to be told of the path, and that takes far less time than describing it.

use super::Seeding;
use crate::finish::evaluate;
use crate::machine::Machine;
use crate::memory::{Byte, Object};
use crate::outcome::Outcome;
use crate::result::InputOrigin;
use crate::state::State;
use crate::value::Value;
use incise_ir::Id;
use incise_solver::Model;
use std::rc::Rc;

/// What a path leaves behind for a seed.
pub trait LeftBehind {
    /// How it ended.
    fn outcome(&self) -> &Outcome;

    /// Whether it depends on a value that the program never initialised.
    fn is_indeterminate(&self) -> bool;

    /// The bits of a scalar result, if there is one.
    fn result(&mut self) -> Option<u128>;

    /// Whether the path wrote a global variable that holds exactly this afterwards, by its symbol. Bytes count where `counts` says so.
    fn global_holds(&mut self, symbol: &str, bytes: &[u8], counts: &[bool]) -> bool;

    /// Whether the object that an input pointer leads to holds exactly this afterwards.
    fn pointee_holds(&mut self, pointer: &str, bytes: &[u8], counts: &[bool]) -> bool;

    /// What it wrote to standard output and standard error.
    fn output(&mut self) -> (Vec<u8>, Vec<u8>);
}

/// Says whether what a path leaves behind is what is expected for a seed. If it is not sure, it says no.
pub type Judge<'a> = dyn Fn(u32, &mut dyn LeftBehind) -> bool + Sync + 'a;

impl Machine<'_> {
    /// Whether a path that ended leaves behind what is expected for a seed with these values.
    pub(crate) fn is_as_expected(
        &mut self,
        seed: u32,
        state: &State,
        outcome: &Outcome,
        model: &Model,
    ) -> bool {
        let Some(judge) = self.seeding.as_deref().and_then(Seeding::judge) else { return false };
        let outcome = match outcome {
            Outcome::Exited { .. } => Outcome::Exited { status: self.exit_status(state, model) },
            other => other.clone(),
        };
        judge(seed, &mut Left { machine: self, state, outcome, model })
    }
}

struct Left<'a, 'm> {
    machine: &'a mut Machine<'m>,
    state: &'a State,
    outcome: Outcome,
    model: &'a Model,
}

impl Left<'_, '_> {
    fn holds(&mut self, object: &Rc<Object>, expected: &[u8], counts: &[bool]) -> bool {
        if object.size != expected.len() as u64 {
            return false;
        }
        let machine = &mut *self.machine;
        expected.iter().zip(counts).enumerate().all(|(offset, (&expected, &counts))| {
            !counts
                || match object.read_byte(&mut machine.exprs, offset as u64) {
                    Byte::Concrete(byte) => byte == expected,
                    Byte::Part { expr, byte } => {
                        let bits = machine.solver.evaluate(&machine.exprs, expr, self.model);
                        (bits >> (8 * u32::from(byte))) as u8 == expected
                    }
                    Byte::Uninitialised => false,
                }
        })
    }
}

impl LeftBehind for Left<'_, '_> {
    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn is_indeterminate(&self) -> bool {
        self.state.indeterminate
    }

    fn result(&mut self) -> Option<u128> {
        let value = self.state.returned.as_ref()?;
        let function = &self.machine.program.functions[self.state.thread.frame.code.function];
        self.machine.program.types.scalar_bits(function.result)?;
        match value {
            Value::Aggregate(_) | Value::Undefined => None,
            value => Some(evaluate(&self.machine.exprs, &mut self.machine.solver, value, self.model)),
        }
    }

    fn global_holds(&mut self, symbol: &str, bytes: &[u8], counts: &[bool]) -> bool {
        let Some(global) = self.machine.program.global_named(symbol) else { return false };
        let slot = self.machine.constants.globals[global.index()];
        match self.state.memory.object(slot).cloned() {
            Some(object) if object.written => self.holds(&object, bytes, counts),
            _ => false,
        }
    }

    fn pointee_holds(&mut self, pointer: &str, bytes: &[u8], counts: &[bool]) -> bool {
        let is_it = |origin: &InputOrigin| matches!(origin, InputOrigin::Pointee { pointer: known } if known == pointer);
        let inputs = self.state.inputs.iter_newest_first();
        let slot = inputs.filter(|input| is_it(&input.origin)).last().and_then(|input| input.slot);
        match slot.and_then(|slot| self.state.memory.object(slot).cloned()) {
            Some(object) => self.holds(&object, bytes, counts),
            None => false,
        }
    }

    fn output(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.machine.output(self.state, self.model)
    }
}
