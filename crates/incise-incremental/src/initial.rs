//! Which global variables are taken at their initial values.

use incise_change::{assumed_initial, initial_values, initial_values_of_versions};
use incise_exec::{InputConfig, SymbolicGlobals};
use incise_ir::{FunctionId, Program};

/// Tells the engine which variables of a program have their initial values, unless the user says which have others.
pub fn of_program(program: &Program, inputs: &mut InputConfig) {
    if inputs.globals == SymbolicGlobals::Default {
        inputs.initial = initial_values(program);
    }
}

/// The same for two versions.
pub fn of_versions(old: &Program, new: &Program, inputs: &mut InputConfig) {
    if inputs.globals == SymbolicGlobals::Default {
        inputs.initial = initial_values_of_versions(old, new);
    }
}

/// The variables that are taken at their initial values although code elsewhere could write them, if executions from a
/// function can come to one.
pub fn assumed(program: &Program, entry: FunctionId, inputs: &InputConfig) -> Vec<String> {
    match program.functions[entry].name == "main" {
        true => Vec::new(),
        false => assumed_initial(program, entry, &inputs.initial),
    }
}
