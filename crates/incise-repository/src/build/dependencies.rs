//! What units include: as clang tells it, and as their text says.

use super::database::Unit;
use incise_children::{RunError, run};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How long clang may take to list what a file includes.
const TIME: Duration = Duration::from_secs(120);

/// All files that a unit is made of, itself included, by their real names; `None` if clang cannot tell, because the
/// unit does not get through the preprocessor.
pub fn dependencies(
    clang: &Path,
    unit: &Unit,
    interrupt: &AtomicBool,
) -> Result<Option<BTreeSet<PathBuf>>, RunError> {
    let mut command = incise_children::command(clang);
    // System headers too: a folder of the repository may be one of them.
    command.args(["-M", "-MT", "it", "-w"]).args(&unit.flags).args(["-x", "c"]).arg(&unit.file);
    let finished = run(&mut command, Some(TIME), interrupt)?;
    Ok(finished.status.success().then(|| make_words(&finished.stdout).collect()))
}

/// The files that a rule of make depends on.
fn make_words(rule: &[u8]) -> impl Iterator<Item = PathBuf> {
    let text = String::from_utf8_lossy(rule).into_owned();
    let list = text.split_once(':').map(|(_, list)| list.to_owned()).unwrap_or_default();
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = list.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('\n')) => _ = characters.next(),
            ('\\', Some(' ' | '#')) => word.extend(characters.next()),
            ('$', Some('$')) => word.extend(characters.next()),
            (blank, _) if blank.is_ascii_whitespace() => words.push(std::mem::take(&mut word)),
            (other, _) => word.push(other),
        }
    }
    words.push(word);
    let real = |name: String| Path::new(&name).canonicalize().unwrap_or_else(|_| PathBuf::from(name));
    words.into_iter().filter(|word| !word.is_empty()).map(real)
}

/// The names that a text includes, and whether some are not spelled out. Which side of a condition counts is not
/// looked at: too many are found rather than too few.
pub fn includes(text: &[u8]) -> (BTreeSet<OsString>, bool) {
    let (mut names, mut computed) = (BTreeSet::new(), false);
    for name in directives(text) {
        match name.as_ref().and_then(|(name, _)| name.file_name()) {
            Some(name) => _ = names.insert(name.to_owned()),
            None => computed = true,
        }
    }
    (names, computed)
}

/// The paths that a text includes, and whether they stand between quotes.
pub(super) fn include_paths(text: &[u8]) -> Vec<(PathBuf, bool)> {
    directives(text).into_iter().flatten().collect()
}

/// Each directive that includes something: what, and whether it stands between quotes; nothing if it is computed.
fn directives(text: &[u8]) -> Vec<Option<(PathBuf, bool)>> {
    let mut found = Vec::new();
    for line in String::from_utf8_lossy(text).lines() {
        let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
        let rest = rest.trim_start();
        let words = ["include_next", "include", "import", "embed"];
        let Some(rest) = words.iter().find_map(|word| rest.strip_prefix(word)) else { continue };
        let rest = rest.trim_start();
        found.push(match rest.chars().next() {
            Some('"') => rest[1..].split('"').next().map(|name| (PathBuf::from(name), true)),
            Some('<') => rest[1..].split('>').next().map(|name| (PathBuf::from(name), false)),
            _ => None,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let rule = b"it: /x/a.c \\\n  /x/a\\ b.h /x/c$$d.h \\\n /x/e\\#f.h\n";
        let words: Vec<PathBuf> = make_words(rule).collect();
        assert_eq!(words, ["/x/a.c", "/x/a b.h", "/x/c$d.h", "/x/e#f.h"].map(PathBuf::from));
    }

    #[test]
    fn names_in_texts_are_found() {
        let (names, computed) = includes(b"#include <stdio.h>\n  # include \"x/y.h\"\nint a;\n// #include\n");
        assert_eq!(names, ["stdio.h", "y.h"].map(OsString::from).into());
        assert!(!computed && includes(b"#include CONFIG\n").1);
    }
}
