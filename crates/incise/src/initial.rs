//! Which global variables are taken at their initial values, and how that is said.

use incise_change::{assumed_initial, initial_values, initial_values_of_versions};
use incise_exec::{InputConfig, SymbolicGlobals};
use incise_ir::{FunctionId, Program};

/// How many names are shown.
const SHOWN: usize = 6;

/// Tells the engine which variables of a program have their initial values, unless the user says which have others.
pub(crate) fn of_program(program: &Program, inputs: &mut InputConfig) {
    if inputs.globals == SymbolicGlobals::Default {
        inputs.initial = initial_values(program);
    }
}

/// The same for two versions.
pub(crate) fn of_versions(old: &Program, new: &Program, inputs: &mut InputConfig) {
    if inputs.globals == SymbolicGlobals::Default {
        inputs.initial = initial_values_of_versions(old, new);
    }
}

/// The variables that are taken at their initial values although code elsewhere could write them, if executions from a function can come to one.
pub(crate) fn assumed(program: &Program, entry: FunctionId, inputs: &InputConfig) -> Vec<String> {
    match program.functions[entry].name == "main" {
        true => Vec::new(),
        false => assumed_initial(program, entry, &inputs.initial),
    }
}

/// The same, in words.
pub(crate) fn note(program: &Program, entry: FunctionId, inputs: &InputConfig) -> Option<String> {
    let names = assumed(program, entry, inputs);
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    let (verb, value, them) =
        if names.len() == 1 { ("has", "value", "it") } else { ("have", "values", "them") };
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty())
        .then(|| format!("{shown}{more} {verb} the initial {value}: nothing in the program writes {them}"))
}
