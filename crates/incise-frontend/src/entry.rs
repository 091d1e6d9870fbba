//! The functions of a program that can be explored, by their names.

use crate::error::FrontendError;
use incise_ir::{FunctionId, Linkage, Program};

/// The function where the exploration starts: the one asked for, `main`, or the only one.
pub fn entry(program: &Program, wanted: Option<&str>) -> Result<String, FrontendError> {
    if let Some(name) = wanted {
        find_function(program, name)?;
        return Ok(name.to_owned());
    }
    let names = function_names(program);
    if names.iter().any(|name| name == "main") {
        return Ok("main".to_owned());
    }
    match names.as_slice() {
        [] => Err(FrontendError::NothingToExplore),
        [only] => Ok(only.clone()),
        _ => Err(FrontendError::SeveralFunctions { names }),
    }
}

/// The functions of the user's program that have a body, those that other files see first, in the order of the source.
fn function_names(program: &Program) -> Vec<String> {
    let with_body = || {
        program
            .functions
            .iter()
            .map(|(_, function)| function)
            .filter(|each| each.is_definition() && !each.model)
    };
    let visible = with_body().filter(|each| each.linkage != Linkage::Internal);
    let hidden = with_body().filter(|each| each.linkage == Linkage::Internal);
    let visible: Vec<_> = visible.map(|each| each.name.clone()).collect();
    // Helpers that only this file sees are no candidates beside functions that all see.
    if visible.is_empty() { hidden.map(|each| each.name.clone()).collect() } else { visible }
}

/// The function of that name that has a body; the error names the nearest.
pub fn find_function(program: &Program, name: &str) -> Result<FunctionId, FrontendError> {
    match program.function_named(name) {
        Some(id) if program.functions[id].is_definition() && !program.functions[id].model => return Ok(id),
        Some(_) => return Err(FrontendError::NoBody { name: name.to_owned() }),
        None => {}
    }
    let all = program.functions.iter().map(|(_, function)| function);
    let candidates = all.filter(|each| each.is_definition() && !each.model).map(|each| each.name.as_str());
    let near = nearest(name, candidates).map(str::to_owned);
    Err(FrontendError::NoFunction { name: name.to_owned(), near })
}

/// The candidate with the fewest edits, if they are few enough to be a slip.
fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = name.chars().count().div_ceil(2).max(2);
    let scored = candidates.map(|candidate| (edits(name, candidate), candidate));
    scored.filter(|(distance, _)| *distance <= limit).min().map(|(_, candidate)| candidate)
}

/// The number of characters to insert, delete or replace.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let names = ["insert", "remove", "insert_all"];
        assert_eq!(nearest("inset", names.into_iter()), Some("insert"));
        assert_eq!(nearest("Remove", names.into_iter()), Some("remove"));
        assert_eq!(nearest("xyz", names.into_iter()), None);
        assert_eq!((edits("", "abc"), edits("kitten", "sitting"), edits("a", "a")), (3, 3, 0));
    }
}
