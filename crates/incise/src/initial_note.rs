//! Which global variables are taken at their initial values, in words.

use incise_exec::InputConfig;
use incise_incremental::initial::assumed;
use incise_ir::{FunctionId, Program};

/// How many names are shown.
const SHOWN: usize = 6;

/// The variables that are taken at their initial values although code elsewhere could write them.
pub(crate) fn initial_note(program: &Program, entry: FunctionId, inputs: &InputConfig) -> Option<String> {
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
