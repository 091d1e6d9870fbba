//! Lines that changed and are no part of the program that is compared: a condition of the preprocessor leaves them out,
//! or a macro makes nothing of them.
//!
//! A change behind `#ifdef` compiles to the same code, and is called the same, which it is in this build alone. So each
//! version is preprocessed again, and a line that changed and of which nothing is left is told. Lines of comments and
//! directives are none of them: a macro that is defined otherwise is seen where it is used. Where all that changed is
//! in the program that was read, which its debug information says, nothing is preprocessed.

use super::moved_lines::{Unit, tells, units};
use super::version_files::{Version, pairs};
use crate::load::{Loading, headers};
use crate::sources::Sources;
use incise_change::align_sequences;
use incise_ir::{Op, Program};
use incise_llvm::{Clang, CompileOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// So many stretches of lines are named.
const SHOWN: usize = 5;

/// The files that changed, by their places in each version.
pub(super) struct ChangedFiles(Vec<(PathBuf, PathBuf)>);

impl ChangedFiles {
    pub(super) fn of(old: &Sources, new: &Sources) -> Self {
        let all = match (&old.extra.tree, Version::of(&old.files), Version::of(&new.files)) {
            (Some(tree), ..) => tree.changed.clone(),
            (None, Some(before), Some(after)) => {
                let headers = pairs(&before.headers, &after.headers);
                pairs(&before.sources, &after.sources).into_iter().chain(headers).collect()
            }
            _ => Vec::new(),
        };
        Self(all)
    }
}

/// What changed and is left out as the versions are compiled, in words. `read` are the programs whose lines are those
/// of the files.
pub(super) fn note(
    changed: &ChangedFiles,
    (old, new): (&Sources, &Sources),
    read: [Option<&Program>; 2],
    loading: Loading<'_>,
) -> Option<String> {
    let mut candidates = [BTreeMap::new(), BTreeMap::new()];
    for (one, other) in &changed.0 {
        let (Ok(before), Ok(after)) = (std::fs::read(one), std::fs::read(other)) else { continue };
        if before == after {
            continue;
        }
        let (before, after) = (String::from_utf8_lossy(&before), String::from_utf8_lossy(&after));
        let [gone, come] = changed_units(&before, &after);
        for ((found, units), path) in candidates.iter_mut().zip([gone, come]).zip([one, other]) {
            if let (false, Ok(path)) = (units.is_empty(), path.canonicalize()) {
                found.insert(path, units);
            }
        }
    }
    for ((found, program), sources) in candidates.iter_mut().zip(read).zip([old, new]) {
        if let Some(program) = program {
            without_compiled(found, sources, program);
        }
    }
    let [gone, come] = candidates;
    let [gone, come] = [(old, gone), (new, come)].map(|(sources, found)| left_out(sources, found, loading));
    let mut named = Vec::new();
    for (path, units) in &come {
        named.push(format!("{} of {}", places(units), shown(path, new)));
    }
    for (path, units) in &gone {
        named.push(format!("{} of {} in the old version", places(units), shown(path, old)));
    }
    let note = || {
        format!(
            "note: changed, and not compared, because the preprocessor leaves it out: {}",
            named.join("; ")
        )
    };
    (!named.is_empty()).then(note)
}

/// The stretches of lines that one version has and the other has not, without comments and directives.
fn changed_units(old: &str, new: &str) -> [Vec<Unit>; 2] {
    let lines = [old, new].map(|text| text.lines().map(str::trim).collect::<Vec<&str>>());
    let mut kept = [vec![false; lines[0].len()], vec![false; lines[1].len()]];
    for (at, to) in align_sequences(&lines[0], &lines[1]) {
        (kept[0][at], kept[1][to]) = (true, true);
    }
    [0, 1].map(|who| {
        let all: Vec<&str> = if who == 0 { old.lines().collect() } else { new.lines().collect() };
        let changed = |unit: &Unit| unit.lines.clone().any(|at| !kept[who][at]);
        units(&all).into_iter().filter(|unit| unit.code && changed(unit)).collect()
    })
}

/// Leaves out what became instructions: something is left of it.
fn without_compiled(found: &mut BTreeMap<PathBuf, Vec<Unit>>, sources: &Sources, program: &Program) {
    if found.is_empty() {
        return;
    }
    // Files that were given by their names have these names in the program.
    let root = sources.extra.tree.as_ref().map_or(Path::new("."), |tree| &tree.root);
    let Ok(root) = root.canonicalize() else { return };
    let mut compiled: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
    for (_, function) in program.functions.iter().filter(|(_, function)| !function.model) {
        for (_, instruction) in function.instructions.iter().filter(|(_, each)| is_of_text(&each.op)) {
            let Some(position) = instruction.location.map(|location| program.position(location)) else {
                continue;
            };
            compiled.entry(root.join(&*position.file)).or_default().insert(position.line as usize);
        }
    }
    let compiled: BTreeMap<PathBuf, BTreeSet<usize>> =
        compiled.into_iter().filter_map(|(path, lines)| Some((path.canonicalize().ok()?, lines))).collect();
    for (path, units) in found.iter_mut() {
        if let Some(lines) = compiled.get(path) {
            units.retain(|unit| !unit.lines.clone().any(|at| lines.contains(&(at + 1))));
        }
    }
    found.retain(|_, units| !units.is_empty());
}

/// Whether an instruction is there because of words on its line. Those that leave a function or a block may be there
/// because of a brace.
fn is_of_text(op: &Op) -> bool {
    matches!(
        op,
        Op::Binary { .. }
            | Op::IntegerCompare { .. }
            | Op::FloatCompare { .. }
            | Op::Store { .. }
            | Op::Call(_)
    )
}

/// Of these stretches, those of which nothing is left wherever the file is part of the program. Files that are no part
/// of it are told of elsewhere.
fn left_out(
    sources: &Sources,
    mut candidates: BTreeMap<PathBuf, Vec<Unit>>,
    loading: Loading<'_>,
) -> BTreeMap<PathBuf, Vec<Unit>> {
    let mut met = BTreeSet::new();
    let Ok(clang) = Clang::find(sources.tools.clang.as_deref(), &sources.tools.search_path) else {
        return BTreeMap::new();
    };
    let Ok(own) = headers() else { return BTreeMap::new() };
    for file in sources.files.iter().filter(|file| !Sources::is_ir(file)) {
        if candidates.is_empty() {
            break;
        }
        let options = CompileOptions {
            flags: sources.flags_of(file),
            include_directories: vec![own.path().to_owned()],
            ..CompileOptions::default()
        };
        // Whoever cannot be preprocessed cannot be compiled, which is said elsewhere.
        let Ok(text) = clang.preprocess(file, &options, loading.interrupt) else { continue };
        let left = lines_left(&text, &candidates);
        for (path, lines) in left {
            if let Some(units) = candidates.get_mut(&path) {
                units.retain(|unit| !unit.lines.clone().any(|at| lines.contains(&(at + 1))));
            }
            met.insert(path);
        }
        candidates.retain(|_, units| !units.is_empty());
    }
    candidates.retain(|path, _| met.contains(path));
    candidates
}

/// The lines of files of which something is left in preprocessed text; a file that was read has an entry.
fn lines_left(text: &[u8], files: &BTreeMap<PathBuf, Vec<Unit>>) -> BTreeMap<PathBuf, BTreeSet<usize>> {
    let mut known: BTreeMap<Vec<u8>, Option<PathBuf>> = BTreeMap::new();
    let mut found: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
    let (mut current, mut number) = (None, 0);
    for line in text.split(|&byte| byte == b'\n') {
        if let Some((next, name)) = line_marker(line) {
            let place = |name: &[u8]| {
                let path = PathBuf::from(String::from_utf8_lossy(name).into_owned()).canonicalize().ok()?;
                files.contains_key(&path).then_some(path)
            };
            current = known.entry(name.clone()).or_insert_with(|| place(&name)).clone();
            if let Some(path) = &current {
                found.entry(path.clone()).or_default();
            }
            number = next;
            continue;
        }
        if let Some(path) = &current
            && line.iter().any(|&byte| tells(char::from(byte)))
        {
            found.entry(path.clone()).or_default().insert(number);
        }
        number += 1;
    }
    found
}

/// `# 12 "name"`: which line of which file comes next.
fn line_marker(line: &[u8]) -> Option<(usize, Vec<u8>)> {
    let rest = line.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let quoted = rest[digits..].strip_prefix(b" \"")?;
    let (mut name, mut bytes) = (Vec::new(), quoted.iter());
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => return Some((number, name)),
            b'\\' => name.extend(bytes.next()),
            byte => name.push(byte),
        }
    }
    None
}

/// A file as people call it.
fn shown(path: &Path, sources: &Sources) -> String {
    let same = |file: &&PathBuf| file.canonicalize().is_ok_and(|file| file == path);
    let root = sources.extra.tree.as_ref().and_then(|tree| tree.root.canonicalize().ok());
    let within = root.and_then(|root| path.strip_prefix(root).ok().map(Path::to_owned));
    let name = within.or_else(|| sources.files.iter().find(same).cloned());
    let name = name.unwrap_or_else(|| PathBuf::from(path.file_name().unwrap_or_default()));
    name.display().to_string()
}

/// Stretches of lines in words: `lines 3, 7 to 9`.
fn places(units: &[Unit]) -> String {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for unit in units {
        let (first, last) = (unit.lines.start + 1, unit.lines.end);
        match stretches.last_mut() {
            Some(before) if before.1 + 1 == first => before.1 = last,
            _ => stretches.push((first, last)),
        }
    }
    let one = |&(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let named: Vec<String> = stretches.iter().take(SHOWN).map(one).collect();
    if let [(first, last)] = stretches[..]
        && first == last
    {
        return format!("line {first}");
    }
    match stretches.len().saturating_sub(SHOWN) {
        0 => format!("lines {}", named.join(", ")),
        more => format!("lines {} and {more} more stretches", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_directives_are_no_code() {
        let old = "int a;\n#define N 3\n";
        let new = "int a;\n/* one\n two */\n// three\n#define N \\\n 4\nint b; /* four */\n";
        let [gone, come] = changed_units(old, new);
        assert!(gone.is_empty());
        let lines: Vec<_> = come.iter().map(|unit| (unit.lines.start, unit.lines.end)).collect();
        assert_eq!(lines, [(6, 7)]);
    }

    #[test]
    fn line_markers_are_read() {
        assert_eq!(line_marker(b"# 12 \"a \\\"b.c\" 1 3"), Some((12, b"a \"b.c".to_vec())));
        assert_eq!(line_marker(b"#pragma once"), None);
    }

    #[test]
    fn stretches_are_joined() {
        let unit = |lines| Unit { lines, code: true };
        assert_eq!(places(&[unit(2..3), unit(6..8), unit(8..9)]), "lines 3, 7 to 9");
        assert_eq!(places(&[unit(2..3)]), "line 3");
    }
}
