//! The arguments of `main`: those that are given, and those that are symbolic, of which some may not be there.

use crate::config::ArgumentGroup;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::{NewInput, unique_name};
use crate::inputs::maker::InputMaker;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::inputs::sizes::ARGUMENTS;
use crate::inputs::start::PROGRAM_NAME;
use crate::memory::{Memory, ObjectKind, Slot};
use crate::result::InputOrigin;
use incise_ir::{Function, FunctionId, Id, Op, Operand};
use incise_solver::{CompareOp, ExprId};

/// The bytes of a pointer.
const POINTER: u64 = 8;

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
        self.note_arguments(entry, strings.len() as u64);
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

    /// Notes that there might be more arguments, and variables beside them, if the program looks at them and nobody
    /// said what there is.
    fn note_arguments(&mut self, entry: FunctionId, made: u64) {
        let function = &self.program.functions[entry];
        if self.config.inputs.are_arguments_open() && uses_parameters(function, 0..2) {
            self.sink.needs.add_ended(ARGUMENTS, made, POINTER);
        }
        if self.config.inputs.is_environment_open() && uses_parameters(function, 2..3) {
            self.sink.needs.absent.insert("a variable of the environment".to_owned());
        }
    }

    fn symbolic_strings(&mut self, state: &mut State) -> Vec<Present> {
        let open = self.config.inputs.are_arguments_open();
        let mut groups = self.config.inputs.arguments.clone();
        if open {
            let made = self.config.inputs.sizes.elements(ARGUMENTS, false);
            groups.push(ArgumentGroup { least: 0, most: made.saturating_sub(1) as u32, length: 0 });
        }
        let mut strings: Vec<Present> = Vec::new();
        for group in groups {
            // Of arguments that may be missing, the last ones are.
            let mut before = self.exprs.boolean(true);
            for number in 0..group.most {
                let index = strings.len() as u32 + 1;
                let (name, slot) = self.symbolic_argument(state, index, (!open).then_some(group.length));
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

    /// One argument of symbolic bytes: its name among the inputs, and where it is. Without a length it may have any.
    fn symbolic_argument(&mut self, state: &mut State, index: u32, length: Option<u32>) -> (String, Slot) {
        let name = unique_name(state, &format!("arg{index}"));
        let open = format!("argv[{index}]");
        let made = length.map_or_else(|| self.config.inputs.sizes.elements(&open, true), u64::from);
        let slot = self.text_object(state, &name, 0, made, length.is_none().then_some(&open));
        let character = Shape::Scalar { bits: 8, kind: ScalarKind::Character };
        let shape = Shape::Array { element: Box::new(character), count: made };
        let origin = InputOrigin::Argument { index };
        let place = (slot, 0, made);
        let new = NewInput { name: name.clone(), path: &name, origin, shape, place, depth: 0 };
        self.make_symbolic(state, new);
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

/// Whether a function does anything with these parameters but keep them where unoptimised code keeps them.
fn uses_parameters(function: &Function, which: std::ops::Range<usize>) -> bool {
    let which = which.start..which.end.min(function.parameters.len());
    let is_parameter =
        |operand: Operand| matches!(operand, Operand::Value(value) if which.contains(&value.index()));
    let mut kept = Vec::new();
    for (_, instruction) in function.instructions.iter() {
        match &instruction.op {
            Op::Store { value, pointer, .. } if is_parameter(*value) => kept.push(*pointer),
            op => {
                let mut used = false;
                op.for_each_operand(|operand| used |= is_parameter(operand));
                if used {
                    return true;
                }
            }
        }
    }
    let uses_kept = |op: &Op| {
        let mut used = false;
        op.for_each_operand(|operand| used |= kept.contains(&operand));
        used && !matches!(op, Op::Store { value, .. } if is_parameter(*value))
    };
    function.instructions.iter().any(|(_, instruction)| uses_kept(&instruction.op))
}
