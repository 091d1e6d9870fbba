//! The inputs of a path: those that tell something.

use crate::text::{Style, counted};
use crate::{Constraint, FoundPath, Input, Origin, Value};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// How much of an example's inputs is shown, in lines.
const SHOWN_INPUTS: usize = 40;

/// The inputs of a path.
pub(crate) fn inputs(path: &FoundPath, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let inputs = match &path.inputs {
        Some(inputs) if inputs.is_empty() => return writeln!(out, "  {} any input", style.bold("with")),
        Some(inputs) => inputs,
        None => {
            return writeln!(out, "  {} inputs that the solver did not find in time", style.bold("with"));
        }
    };
    let (inputs, others) = telling(inputs, &path.condition);
    for (number, input) in inputs.iter().enumerate().take(SHOWN_INPUTS) {
        let label = if number == 0 { style.bold("with") } else { "    ".to_owned() };
        writeln!(out, "  {label} {} = {}", input.name, shown_value(input))?;
    }
    if inputs.len() > SHOWN_INPUTS {
        writeln!(out, "       ... and {}", counted(inputs.len() - SHOWN_INPUTS, "more input"))?;
    }
    if others {
        writeln!(out, "       (other inputs are zero)")?;
    }
    Ok(())
}

/// The value of an input. In the file of a stream a zero is a byte like any other, and nothing ends with one.
pub(crate) fn shown_value(input: &Input) -> String {
    match (&input.value, &input.origin) {
        (Value::Text(bytes), Origin::Stream(_)) => crate::c_string(bytes),
        (value, _) => value.to_string(),
    }
}

/// The inputs that tell something, and whether others were left out that are just zero: not pointers whose target is
/// shown as an input itself, not objects that no pointer leads to, and not what is zero and has no part in the
/// condition.
pub(crate) fn telling<'a>(inputs: &'a [Input], condition: &[Constraint]) -> (Vec<&'a Input>, bool) {
    let names: BTreeSet<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    let targets: BTreeSet<&str> =
        inputs.iter().flat_map(|input| &input.pointers).map(|pointer| pointer.target.as_str()).collect();
    let is_telling = |input: &&Input| match (&input.value, &input.origin) {
        (Value::Pointer(Some(target)), _) => !names.contains(target.as_str()),
        // How much there is of an input, that shows itself.
        (_, Origin::Extent(_)) => false,
        (_, Origin::Pointee(_) | Origin::Stream(_)) => targets.contains(input.name.as_str()),
        _ => true,
    };
    let matters = |input: &Input| {
        let name = match &input.origin {
            Origin::Pointee(pointer) | Origin::Stream(pointer) => pointer,
            _ => &input.name,
        };
        let extent = inputs.iter().find(|each| each.origin == Origin::Extent(input.name.clone()));
        let named =
            |text: &str| mentions(text, name) || extent.is_some_and(|extent| mentions(text, &extent.name));
        !input.is_zero() || condition.iter().any(|each| named(&each.text))
    };
    let (shown, zero): (Vec<_>, Vec<_>) = inputs.iter().filter(is_telling).partition(|input| matters(input));
    if shown.is_empty() { (zero, false) } else { (shown, !zero.is_empty()) }
}

/// Whether a name occurs in an expression as a whole.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn names_are_found_as_a_whole() {
        assert!(mentions("n + 1 == 2", "n") && mentions("p->n[3]", "n") && mentions("a && (n)", "n"));
        assert!(!mentions("count == min", "n") && !mentions("n_1 == 2", "n") && !mentions("", "n"));
    }
}
