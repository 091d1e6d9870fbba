//! Which parameters of two functions are the same input: those of one name, and those in one place whose types agree
//! or are numbers.

use incise_ir::parameters::{is_number, parameter_names, parameter_type_name};
use incise_ir::{Function, FunctionId, Program};

/// What parameters of two functions have to do with each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MatchedParameters {
    /// What the parameters of the old function are called instead of their own names, by position.
    pub old_names: Vec<Option<String>>,
    /// What has no counterpart, and what was renamed.
    pub notes: Vec<String>,
}

/// A parameter of the source.
struct Parameter {
    name: String,
    ty: String,
    /// Whether it is a number, which can be converted.
    number: bool,
}

/// Matches the parameters of two functions.
pub fn matched_parameters(
    old_program: &Program,
    old: FunctionId,
    new_program: &Program,
    new: FunctionId,
) -> MatchedParameters {
    let old = parameters(old_program, &old_program.functions[old]);
    let new = parameters(new_program, &new_program.functions[new]);
    pair(&old, &new)
}

fn pair(old: &[Parameter], new: &[Parameter]) -> MatchedParameters {
    let has = |list: &[Parameter], name: &str| list.iter().any(|each| each.name == name);
    let mut matched = MatchedParameters { old_names: vec![None; old.len()], notes: Vec::new() };
    let mut taken = vec![false; new.len()];
    for (index, parameter) in old.iter().enumerate() {
        if has(new, &parameter.name) {
            continue;
        }
        match new.get(index) {
            Some(there)
                if !has(old, &there.name)
                    && (there.ty == parameter.ty
                        || there.number && parameter.number && old.len() == new.len()) =>
            {
                matched.old_names[index] = Some(there.name.clone());
                taken[index] = true;
            }
            Some(there) if !has(old, &there.name) && old.len() == new.len() => matched.notes.push(format!(
                "the parameter {} was {} {}, and is of another type: it is taken to be another input",
                there.name, parameter.ty, parameter.name
            )),
            _ => matched.notes.push(format!(
                "the old version has a parameter {} that the new one has not: it may have any value",
                parameter.name
            )),
        }
    }
    for (index, parameter) in new.iter().enumerate() {
        let other_type = old.len() == new.len() && !has(new, &old[index].name);
        if !has(old, &parameter.name) && !taken[index] && !other_type {
            matched.notes.push(format!(
                "the new version has a parameter {} that the old one has not: it may have any value",
                parameter.name
            ));
        }
    }
    if matched.old_names.iter().all(Option::is_none) {
        matched.old_names.clear();
    }
    matched
}

/// The parameters as inputs are called, with their types.
fn parameters(program: &Program, function: &Function) -> Vec<Parameter> {
    let names = parameter_names(program, function);
    let ty = |number: usize| parameter_type_name(program, function, number);
    let number = |number: usize| is_number(program, function, number);
    let parameter = |(index, name)| Parameter { name, ty: ty(index), number: number(index) };
    names.into_iter().enumerate().map(parameter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(parameters: &[(&str, &str)]) -> Vec<Parameter> {
        let parameter = |&(ty, name): &(&str, &str)| Parameter {
            name: name.to_owned(),
            ty: ty.to_owned(),
            number: !ty.contains('*'),
        };
        parameters.iter().map(parameter).collect()
    }

    #[test]
    fn renamed_parameters_keep_their_places() {
        let matched = pair(&list(&[("int", "a"), ("int", "b")]), &list(&[("int", "x"), ("int", "b")]));
        assert_eq!(matched.old_names, [Some("x".to_owned()), None]);
        assert!(matched.notes.is_empty());
    }

    #[test]
    fn a_parameter_that_was_renamed_and_widened_is_the_same_input() {
        let matched = pair(&list(&[("int", "a")]), &list(&[("long", "b")]));
        assert_eq!(matched.old_names, [Some("b".to_owned())]);
        assert!(matched.notes.is_empty());
        // Where parameters were added or removed, places tell little.
        let matched = pair(&list(&[("int", "a")]), &list(&[("long", "b"), ("int", "c")]));
        assert_eq!(matched.notes.len(), 3, "{matched:?}");
    }

    #[test]
    fn swapped_parameters_are_matched_by_name() {
        let matched = pair(&list(&[("int", "a"), ("int", "b")]), &list(&[("int", "b"), ("int", "a")]));
        assert_eq!(matched, MatchedParameters::default());
    }

    #[test]
    fn what_has_no_counterpart_is_said() {
        let matched = pair(&list(&[("int", "a")]), &list(&[("int", "a"), ("int", "b")]));
        assert!(matched.old_names.is_empty());
        assert_eq!(matched.notes.len(), 1);
        assert!(matched.notes[0].contains("the new version has a parameter b"));
        let matched = pair(&list(&[("char *", "a")]), &list(&[("int", "b")]));
        assert_eq!(matched.notes.len(), 1, "{matched:?}");
        assert!(matched.notes[0].contains("of another type"));
    }
}
