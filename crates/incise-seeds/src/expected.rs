//! Whether a seed's path leaves behind what is expected of it. Where that is plain to see, nothing more needs to be
//! told of the path for this seed, and that takes far less time than describing it.

use super::Seeding;
use incise_exec::inside::{Byte, Decider, Object, Shape, State, Value, evaluate};
use incise_exec::{InputOrigin, Outcome};
use incise_ir::{GlobalId, Id, Type};
use incise_solver::Model;

/// What is found of something that is expected.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// It is so.
    AsExpected,
    /// It is not.
    Different,
    /// That is not plain to see: the path has to be described.
    Unclear,
}

impl Finding {
    /// Of two things together.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Different, _) | (_, Self::Different) => Self::Different,
            (Self::Unclear, _) | (_, Self::Unclear) => Self::Unclear,
            (Self::AsExpected, Self::AsExpected) => Self::AsExpected,
        }
    }

    /// Of something that can be seen.
    pub fn plain(is_so: bool) -> Self {
        if is_so { Self::AsExpected } else { Self::Different }
    }
}

/// What a path leaves behind for a seed.
pub trait LeftBehind {
    /// How it ended.
    fn outcome(&self) -> &Outcome;

    /// Whether it depends on a value that the program never initialised.
    fn is_indeterminate(&self) -> bool;

    /// The bits of a number that is returned, if that is what is.
    fn result(&mut self) -> Option<u128>;

    /// Whether a global variable holds exactly this afterwards, by its symbol. Bytes do not count where the mask is
    /// zero. `None` if the path does not write it, so that it holds what it was set to.
    fn global_holds(&mut self, symbol: &str, bytes: &[u8], mask: &[u8]) -> Option<Finding>;

    /// Whether the object that an input pointer leads to holds exactly this afterwards.
    fn pointee_holds(&mut self, pointer: &str, bytes: &[u8], mask: &[u8]) -> Finding;

    /// Whether it changed files.
    fn has_files(&mut self) -> bool;

    /// What it wrote to standard output and standard error.
    fn output(&mut self) -> (Vec<u8>, Vec<u8>);
}

/// Says whether what a path leaves behind is what is expected for a seed.
pub type EndJudge<'a> = dyn Fn(u32, &mut dyn LeftBehind) -> Finding + Sync + 'a;

impl Seeding<'_> {
    /// Whether a path that ended leaves behind what is expected for a seed with these values.
    pub(super) fn is_as_expected(
        &mut self,
        decider: &mut Decider<'_>,
        seed: u32,
        state: &State,
        outcome: &Outcome,
        model: &Model,
    ) -> Finding {
        let Some(judge) = self.judge else { return Finding::Unclear };
        let outcome = match outcome {
            Outcome::Exited { .. } => {
                Outcome::Exited { status: decider.describer().exit_status(state, model) }
            }
            other => other.clone(),
        };
        judge(seed, &mut Left { seeding: self, decider, state, outcome, model, asked: 0 })
    }
}

struct Left<'a, 's, 'm> {
    seeding: &'a mut Seeding<'s>,
    decider: &'a mut Decider<'m>,
    state: &'a State,
    outcome: Outcome,
    model: &'a Model,
    /// How many global variables were asked for.
    asked: usize,
}

impl Left<'_, '_, '_> {
    /// A global variable by its symbol. Seed after seed mostly asks for the same ones in the same order.
    fn global(&mut self, symbol: &str) -> Option<GlobalId> {
        let program = self.decider.program;
        let number = self.asked;
        self.asked += 1;
        let seeding = &mut *self.seeding;
        if let Some((known, global)) = seeding.globals.get(number)
            && **known == *symbol
        {
            return *global;
        }
        let global = program.global_named(symbol);
        let entry = (Box::from(symbol), global);
        match seeding.globals.get_mut(number) {
            Some(known) => *known = entry,
            None => seeding.globals.push(entry),
        }
        global
    }

    fn holds(
        &mut self,
        object: &Object,
        shape: &dyn Fn() -> Shape,
        (expected, mask): (&[u8], &[u8]),
    ) -> Finding {
        if object.size != expected.len() as u64 {
            return Finding::Unclear;
        }
        if object.concrete_bytes() == Some(expected) {
            return Finding::AsExpected;
        }
        let decider = &mut *self.decider;
        // Neighbours are mostly parts of one value.
        let mut last = None;
        let mut unclear = false;
        for (offset, (&expected, &counts)) in expected.iter().zip(mask).enumerate() {
            if counts == 0 {
                continue;
            }
            let byte = match object.read_byte(&mut decider.exprs, offset as u64) {
                Byte::Concrete(byte) => byte,
                Byte::Part { expr, byte } => {
                    let bits = match last {
                        Some((known, bits)) if known == expr => bits,
                        _ => decider.solver.evaluate(&decider.exprs, expr, self.model),
                    };
                    last = Some((expr, bits));
                    (bits >> (8 * u32::from(byte))) as u8
                }
                Byte::Uninitialised => {
                    unclear = true;
                    continue;
                }
            };
            if byte != expected {
                // Of an address, what is in its bytes does not count.
                let mut counts = vec![false; object.size as usize];
                shape().mark_comparable(0, &mut counts);
                match counts[offset] {
                    true => return Finding::Different,
                    false => unclear = true,
                }
            }
        }
        if unclear { Finding::Unclear } else { Finding::AsExpected }
    }
}

impl LeftBehind for Left<'_, '_, '_> {
    fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    fn is_indeterminate(&self) -> bool {
        self.state.indeterminate || self.state.made_up > 0
    }

    fn result(&mut self) -> Option<u128> {
        let value = self.state.returned.as_ref()?;
        let program = self.decider.program;
        let function = &program.functions[self.state.thread.frame.code.function];
        program.types.scalar_bits(function.result)?;
        match value {
            Value::Aggregate(_) | Value::Undefined => None,
            _ if matches!(program.types.get(function.result), Type::Pointer) => None,
            value => Some(evaluate(&self.decider.exprs, &mut self.decider.solver, value, self.model)),
        }
    }

    fn global_holds(&mut self, symbol: &str, bytes: &[u8], mask: &[u8]) -> Option<Finding> {
        let Some(global) = self.global(symbol) else { return Some(Finding::Unclear) };
        let program = self.decider.program;
        let slot = self.decider.constants.globals[global.index()];
        let shape = || Shape::of_global(program, &program.globals[global]);
        match self.state.memory.object(slot) {
            // One without bytes is told of every path, as in the description.
            Some(object) if object.written || object.size == 0 => {
                Some(self.holds(object, &shape, (bytes, mask)))
            }
            Some(_) => None,
            None => Some(Finding::Unclear),
        }
    }

    fn pointee_holds(&mut self, pointer: &str, bytes: &[u8], mask: &[u8]) -> Finding {
        let is_it = |origin: &InputOrigin| matches!(origin, InputOrigin::Pointee { pointer: known } if known == pointer);
        let inputs = self.state.inputs.iter_newest_first();
        let Some(input) = inputs.filter(|input| is_it(&input.origin)).last() else { return Finding::Unclear };
        match input.slot.and_then(|slot| self.state.memory.object(slot)) {
            Some(object) => self.holds(object, &|| input.shape.clone(), (bytes, mask)),
            None => Finding::Unclear,
        }
    }

    fn has_files(&mut self) -> bool {
        self.decider.inputs().has_changed_files(self.state)
    }

    fn output(&mut self) -> (Vec<u8>, Vec<u8>) {
        self.decider.describer().output(self.state, self.model)
    }
}
