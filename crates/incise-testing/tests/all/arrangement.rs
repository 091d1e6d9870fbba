//! Where tests live, and what they may not do.

use crate::lexer::{Source, crate_names, crates};
use std::path::{Path, PathBuf};

/// All files with an ending below a folder.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, ending, found);
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
}

/// One program to link a crate, so that linking does not take longer than testing.
#[test]
fn a_crate_has_one_program_of_tests() {
    for name in crate_names() {
        let folder = crates().join(&name).join("tests");
        let entries: Vec<PathBuf> =
            folder.read_dir().into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        for path in entries {
            let stray = path.extension().is_some_and(|extension| extension == "rs");
            let other = path.join("main.rs").exists() && !path.ends_with("all");
            assert!(
                !stray && !other,
                "{} is a program of its own: it belongs into tests/all",
                path.display()
            );
        }
        let all = folder.join("all");
        let main = std::fs::read_to_string(all.join("main.rs")).unwrap_or_default();
        for path in all.read_dir().into_iter().flatten().map(|entry| entry.expect("an entry").path()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let is_module = path.extension().is_some_and(|extension| extension == "rs") && stem != "main";
            let declared = main.contains(&format!("mod {stem};"));
            assert!(!is_module || declared, "{} is not in main.rs, and never runs", path.display());
        }
    }
}

/// A time is a benchmark: on a busy machine everything takes long.
#[test]
fn no_test_asserts_how_long_something_takes() {
    let mut found = Vec::new();
    files(&crates(), ".rs", &mut found);
    let own = crates().join("incise-testing/tests/all");
    for path in found.into_iter().filter(|path| !path.starts_with(&own)) {
        let text = std::fs::read_to_string(&path).expect("a source");
        // All of it: tests in sources count as well.
        let source = Source::new(path.display().to_string(), &text.replace("#[cfg(test)]", ""));
        for (number, line) in source.code.iter().enumerate() {
            let asserts = line.trim_start().starts_with("assert") || line.contains("debug_assert");
            let measured = line.contains("elapsed()") || line.contains("Instant::");
            let compared = line.contains("Duration::from") && (line.contains(" < ") || line.contains(" > "));
            assert!(!asserts || !measured && !compared, "{}:{}: {line}", source.name, number + 1);
        }
    }
}

#[test]
fn no_test_is_ignored() {
    let mut found = Vec::new();
    files(&crates(), ".rs", &mut found);
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a source");
        let source = Source::new(path.display().to_string(), &text.replace("#[cfg(test)]", ""));
        let ignored = source.code.iter().position(|line| line.trim_start().starts_with("#[ignore"));
        assert_eq!(ignored, None, "{}", path.display());
    }
}

/// `make bless` finds tests by their names.
#[test]
fn what_is_blessed_is_found_by_its_name() {
    let mut found = Vec::new();
    files(&crates(), ".rs", &mut found);
    for path in found.into_iter().filter(|path| path.components().any(|part| part.as_os_str() == "tests")) {
        let text = std::fs::read_to_string(&path).expect("a source");
        let source = Source::new(path.display().to_string(), &text);
        let mut name = String::new();
        for line in &source.code {
            if let Some(rest) = line.strip_prefix("fn ") {
                name = rest.split('(').next().unwrap_or_default().to_owned();
            }
            let blesses = line.contains("check_blessed(") || line.contains("if is_blessing()");
            let found = name.contains("blessed") || name.contains("readme");
            assert!(
                !blesses || found || name.is_empty(),
                "{}: `make bless` does not run {name}",
                path.display()
            );
        }
    }
}
