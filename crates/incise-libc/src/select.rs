//! The part of the models that a program needs, so that reading them costs little.

/// One symbol of the models' module.
struct Piece {
    name: &'static str,
    /// Defined here and visible to programs.
    exported: bool,
    /// Indices of the pieces that the text mentions.
    mentions: &'static [u16],
    text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/pieces.rs"));

/// Whether the models define this function or variable.
pub fn is_modelled(name: &str) -> bool {
    find(name).is_some()
}

/// Every function and variable that the models define, in alphabetical order.
pub fn names() -> impl Iterator<Item = &'static str> {
    PIECES.iter().filter(|piece| piece.exported).map(|piece| piece.name)
}

/// A module with the wanted symbols, as far as the models define them, and all that these
/// mention. Names without a model are ignored. The text is empty when nothing is left.
pub fn select<'a>(wanted: impl IntoIterator<Item = &'a str>) -> String {
    let mut chosen = vec![false; PIECES.len()];
    let mut pending: Vec<usize> = wanted.into_iter().filter_map(find).collect();
    if pending.is_empty() {
        return String::new();
    }
    while let Some(index) = pending.pop() {
        if !std::mem::replace(&mut chosen[index], true) {
            pending.extend(PIECES[index].mentions.iter().map(|&mentioned| usize::from(mentioned)));
        }
    }
    let mut text = PREAMBLE.to_owned();
    for (piece, _) in PIECES.iter().zip(&chosen).filter(|(_, chosen)| **chosen) {
        text.push_str(piece.text);
        text.push('\n');
    }
    text
}

fn find(name: &str) -> Option<usize> {
    let index = PIECES.binary_search_by(|piece| piece.name.cmp(name)).ok()?;
    PIECES[index].exported.then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selection_holds_what_its_members_mention_and_no_more() {
        let text = select(["strtol", "no_such_function"]);
        assert!(text.contains("define dso_local i64 @strtol("));
        assert!(text.contains("@__incise_parse("), "a helper it calls");
        assert!(text.contains("@__incise_errno ="), "a variable it writes");
        assert!(!text.contains("@qsort("));
        assert!(text.len() < super::super::IR.len() / 10);
    }

    #[test]
    fn nothing_wanted_is_no_text() {
        assert_eq!(select(["main", "malloc"]), "");
    }

    #[test]
    fn internals_and_engine_functions_are_not_modelled() {
        assert!(is_modelled("strlen") && is_modelled("stdout") && is_modelled("__incise_format"));
        assert!(!is_modelled("malloc") && !is_modelled("__incise_parse") && !is_modelled("memcpy"));
    }

    #[test]
    fn names_are_sorted_for_the_binary_search() {
        let all: Vec<&str> = PIECES.iter().map(|piece| piece.name).collect();
        assert!(all.is_sorted());
        assert!(names().count() > 150);
    }

    #[test]
    fn no_model_became_a_call_of_itself() {
        // clang must not recognise the loop of strlen as strlen.
        for name in names() {
            let Some(index) = find(name) else { panic!("{name} is named but not found") };
            let body = PIECES[index].text.split_once('\n').map_or("", |(_, body)| body);
            assert!(!body.contains(&format!("@{name}(")), "{name} calls itself");
        }
    }
}
