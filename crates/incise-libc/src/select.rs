//! The part of the models that a program needs, so that reading them costs little.

/// One symbol of the models' module.
struct Piece {
    name: &'static str,
    /// Defined here and visible to programs.
    exported: bool,
    /// Indices of the pieces that the text mentions.
    mentions: &'static [u16],
    text: &'static str,
    /// The same for whoever can do without the definition.
    declaration: &'static str,
}

/// The models of input and output call functions of this name for streams and descriptors of files.
const OF_FILES: &str = "__incise_file_";
/// Where files are: only who mentions it, as `fopen` does, or `__incise_streams` for one that is given a stream, can
/// have such a stream.
const FILES: &str = "__incise_files";

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
///
/// What the models of streams do with files is left out as long as nothing chosen can open one: then nobody can come
/// there.
pub fn select<'a>(wanted: impl IntoIterator<Item = &'a str>) -> String {
    let pending: Vec<usize> = wanted.into_iter().filter_map(find).collect();
    if pending.is_empty() {
        return String::new();
    }
    let mut selection = Selection { chosen: vec![false; PIECES.len()], deferred: Vec::new() };
    selection.choose(pending);
    let deferred = std::mem::take(&mut selection.deferred);
    let files = PIECES.binary_search_by(|piece| piece.name.cmp(FILES)).is_ok_and(|at| selection.chosen[at]);
    let mut declared = vec![false; PIECES.len()];
    if files {
        selection.with_files(deferred);
    } else {
        deferred.into_iter().for_each(|index| declared[index] = true);
    }
    let mut text = PREAMBLE.to_owned();
    for (index, piece) in PIECES.iter().enumerate() {
        match (selection.chosen[index], declared[index]) {
            (true, _) => text.push_str(piece.text),
            (false, true) => text.push_str(piece.declaration),
            (false, false) => continue,
        }
        text.push('\n');
    }
    text
}

struct Selection {
    chosen: Vec<bool>,
    /// What is mentioned but only needed where files are.
    deferred: Vec<usize>,
}

impl Selection {
    /// Chooses pieces and what they mention.
    fn choose(&mut self, mut pending: Vec<usize>) {
        while let Some(index) = pending.pop() {
            if std::mem::replace(&mut self.chosen[index], true) {
                continue;
            }
            for mentioned in PIECES[index].mentions.iter().map(|&mentioned| usize::from(mentioned)) {
                if PIECES[mentioned].name.starts_with(OF_FILES) {
                    self.deferred.push(mentioned);
                } else {
                    pending.push(mentioned);
                }
            }
        }
    }

    /// Chooses also what only matters to files.
    fn with_files(&mut self, mut deferred: Vec<usize>) {
        while !deferred.is_empty() {
            self.choose(deferred);
            deferred = std::mem::take(&mut self.deferred);
            deferred.retain(|&index| !self.chosen[index]);
        }
    }
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
    fn only_who_can_open_files_has_what_files_need() {
        let without = select(["getc", "read", "fclose"]);
        assert!(without.contains("declare dso_local i32 @__incise_file_get(ptr noundef"));
        assert!(!without.contains("define dso_local i32 @__incise_file_get("));
        assert!(!without.contains("@__incise_files ="));
        let with = select(["getc", "fopen"]);
        assert!(with.contains("define dso_local i32 @__incise_file_get("));
        assert!(with.contains("define dso_local i32 @__incise_file_print("), "the engine calls it");
        let given = select(["getc", "__incise_streams"]);
        assert!(given.contains("define dso_local i32 @__incise_file_get("));
        assert!(given.contains("@__incise_descriptors =") && given.contains("@__incise_file_print("));
        assert!(!given.contains("@fopen("));
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
