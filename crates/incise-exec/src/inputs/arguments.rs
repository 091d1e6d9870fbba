//! The arguments of `main`: those that are given, and those that are symbolic, of which some may not be there.

use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::unique_name;
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::start::PROGRAM_NAME;
use crate::memory::{Memory, ObjectKind, Slot};
use crate::result::InputOrigin;
use incise_ir::FunctionId;
use incise_solver::{CompareOp, ExprId};

/// A string that a table of strings holds where it is there.
pub(crate) type Present = (ExprId, Slot);

impl InputMaker<'_> {
    /// `argc`, `argv` and the environment.
    pub(crate) fn main_arguments(
        &mut self,
        state: &mut State,
        entry: FunctionId,
        environment: u64,
    ) -> Vec<Value> {
        let count = self.program.functions[entry].parameters.len();
        if count == 0 {
            return Vec::new();
        }
        let mut strings = self.given_strings(state);
        strings.extend(self.symbolic_strings(state));
        let table = self.plain_object(state, ObjectKind::Stack, "argv", (strings.len() as u64 + 1) * 8);
        self.fill_in_table(state, table, &strings);
        let mut number = self.exprs.constant(0, 32);
        for (present, _) in &strings {
            let one = self.exprs.zext(*present, 32);
            number = self.exprs.add(number, one);
        }
        let number = Value::from_expr(self.exprs, number);
        let values = [number, Value::Word(Memory::address(table)), Value::Word(environment)];
        values.into_iter().take(count).collect()
    }

    /// The name of the program and the arguments that are not symbolic.
    fn given_strings(&mut self, state: &mut State) -> Vec<Present> {
        let always = self.exprs.boolean(true);
        let given = self.config.inputs.given_arguments.clone();
        let mut strings = Vec::new();
        for text in std::iter::once(PROGRAM_NAME.to_string()).chain(given) {
            let slot = self.plain_object(state, ObjectKind::Stack, "argv", text.len() as u64 + 1);
            if let Some(object) = state.memory.object_mut(slot) {
                for (index, byte) in text.bytes().enumerate() {
                    object.write_word(index as u64, 1, u64::from(byte));
                }
            }
            strings.push((always, slot));
        }
        strings
    }

    fn symbolic_strings(&mut self, state: &mut State) -> Vec<Present> {
        let mut strings: Vec<Present> = Vec::new();
        for group in self.config.inputs.arguments.clone() {
            // Of arguments that may be missing, the last ones are.
            let mut before = self.exprs.boolean(true);
            for number in 0..group.most {
                let (name, slot) = self.symbolic_argument(state, strings.len() as u32 + 1, group.length);
                if number >= group.least {
                    let present = self.extent(state, &name, "set", 1, ScalarKind::Boolean);
                    let without = self.exprs.not(present);
                    let ordered = self.exprs.or(without, before);
                    if self.exprs.as_constant(ordered).is_none() {
                        state.constraints.push(self.exprs, ordered);
                    }
                    before = present;
                }
                strings.push((before, slot));
            }
        }
        strings
    }

    /// One argument of symbolic bytes: its name among the inputs, and where it is.
    fn symbolic_argument(&mut self, state: &mut State, index: u32, length: u32) -> (String, Slot) {
        let name = unique_name(state, &format!("arg{index}"));
        // The last byte is the terminator.
        let slot = self.plain_object(state, ObjectKind::Input, &name, u64::from(length) + 1);
        let character = Shape::Scalar { bits: 8, kind: ScalarKind::Character };
        let shape = Shape::Array { element: Box::new(character), count: u64::from(length) };
        let origin = InputOrigin::Argument { index };
        let place = (slot, 0, u64::from(length));
        self.make_symbolic(state, name.clone(), &name, origin, shape, place, 0);
        (name, slot)
    }

    /// Writes the addresses of strings into a table that ends with null.
    ///
    /// One that may not be there is there or not, so that what follows it moves up: each place holds the address of the
    /// string that has as many before it.
    pub(crate) fn fill_in_table(&mut self, state: &mut State, table: Slot, strings: &[Present]) {
        let mut before = Vec::new();
        let mut count = self.exprs.constant(0, 32);
        for (present, _) in strings {
            before.push(count);
            let one = self.exprs.zext(*present, 32);
            count = self.exprs.add(count, one);
        }
        let certain = |each: &Present, exprs: &incise_solver::Exprs| exprs.as_constant(each.0) == Some(1);
        let fixed = strings.iter().take_while(|each| certain(each, self.exprs)).count();
        for place in 0..strings.len() {
            let value = if place < fixed {
                Value::Word(Memory::address(strings[place].1))
            } else {
                let pointer = self.string_at_place(place, strings, &before);
                Value::from_expr(self.exprs, pointer)
            };
            if let Some(object) = state.memory.object_mut(table) {
                object.write_scalar(self.exprs, place as u64 * 8, 64, &value);
            }
        }
    }

    /// The address of the string that has so many before it, or null.
    fn string_at_place(&mut self, place: usize, strings: &[Present], before: &[ExprId]) -> ExprId {
        let mut pointer = self.exprs.constant(0, 64);
        let number = self.exprs.constant(place as u128, 32);
        for (index, (present, slot)) in strings.iter().enumerate().skip(place).rev() {
            let here = self.exprs.compare(CompareOp::Eq, before[index], number);
            let here = self.exprs.and(*present, here);
            let address = self.exprs.base(Memory::address(*slot));
            pointer = self.exprs.ite(here, address, pointer);
        }
        pointer
    }
}
