//! How C is compiled.

use crate::arguments::CompileArguments;
use incise_frontend::{Compilation, Sources, Tools};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The files of a program.
pub(crate) fn sources(files: &[PathBuf], arguments: &CompileArguments) -> Sources {
    Sources::new(files, &compilation(arguments))
}

/// One of two versions.
pub(crate) fn version(path: &Path, arguments: &CompileArguments) -> Sources {
    sources(&[path.to_owned()], arguments)
}

/// How files are compiled.
pub(crate) fn compilation(arguments: &CompileArguments) -> Compilation {
    Compilation {
        flags: flags(arguments),
        optimisation: arguments.optimise.clone(),
        tools: tools(arguments.clang.clone()),
    }
}

/// The clang that the user asked for, or else the one on the path.
pub(crate) fn tools(clang: Option<PathBuf>) -> Tools {
    let path = std::env::var_os("PATH");
    let search_path = path.map_or_else(Vec::new, |path| std::env::split_paths(&path).collect());
    Tools { clang, search_path }
}

fn flags(compile: &CompileArguments) -> Vec<OsString> {
    let joined = |prefix: &str, value: &OsString| {
        let mut flag = OsString::from(prefix);
        flag.push(value);
        flag
    };
    let mut flags: Vec<OsString> = Vec::new();
    flags.extend(compile.define.iter().map(|value| joined("-D", value)));
    flags.extend(compile.undefine.iter().map(|value| joined("-U", value)));
    flags.extend(compile.include_path.iter().map(|value| joined("-I", value)));
    flags.extend(compile.standard.iter().map(|value| joined("-std=", value)));
    flags.extend(compile.include.iter().flat_map(|value| ["-include".into(), value.clone()]));
    flags.extend(compile.cflags.iter().flat_map(|text| words(text)).map(OsString::from));
    flags
}

/// Splits at blanks outside of quotes, as a shell does.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in text.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_split_as_a_shell_splits_them() {
        assert_eq!(words("  -fwrapv  -DNAME='a b' \"-I x\" '' "), ["-fwrapv", "-DNAME=a b", "-I x", ""]);
        assert!(words(" ").is_empty());
    }

    #[test]
    fn clang_gets_what_the_user_wrote() {
        let compile = CompileArguments {
            define: vec!["N=3".into()],
            standard: Some("c99".into()),
            include: vec!["x.h".into()],
            cflags: vec!["-fwrapv -g".to_owned()],
            ..CompileArguments::default()
        };
        assert_eq!(flags(&compile), ["-DN=3", "-std=c99", "-include", "x.h", "-fwrapv", "-g"]);
    }
}
