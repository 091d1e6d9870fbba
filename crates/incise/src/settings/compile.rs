//! How C is compiled.

use crate::arguments::CompileArguments;
use incise_frontend::{Compilation, Sources, Tools};
use incise_repository::build::shell_words;
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
    // What cannot be split was refused.
    let words = compile.cflags.iter().filter_map(|text| shell_words(text));
    flags.extend(words.flatten().map(OsString::from));
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clang_gets_what_the_user_wrote() {
        let compile = CompileArguments {
            define: vec!["N=3".into()],
            standard: Some("c99".into()),
            include: vec!["x.h".into()],
            cflags: vec!["-fwrapv -DNAME='a b'".to_owned()],
            ..CompileArguments::default()
        };
        assert_eq!(flags(&compile), ["-DN=3", "-std=c99", "-include", "x.h", "-fwrapv", "-DNAME=a b"]);
    }
}
