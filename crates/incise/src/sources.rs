//! The program's files and how they are compiled: the same for exploring and for running natively.

use crate::arguments::CompileArguments;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The program's files and how they are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// The files, as the user named them, from the current folder.
    pub(crate) files: Vec<PathBuf>,
    /// What the user passes to clang.
    pub(crate) flags: Vec<OsString>,
    /// The level that clang optimises at.
    pub(crate) optimisation: String,
    /// The clang that the user asked for.
    pub(crate) clang: Option<PathBuf>,
    /// What a comparison with another version adds.
    pub(crate) extra: Extra,
}

/// What a comparison with another version adds to how a program is compiled; no part of what is reported or written down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extra {
    /// More flags for clang.
    pub(crate) flags: Vec<OsString>,
    /// The files of folders that are left out if they do not compile; those below a folder that was named if nobody decided.
    pub(crate) may_fail: Option<BTreeSet<PathBuf>>,
    /// Files whose lines are numbered as in the other version, for `__LINE__`.
    pub(crate) moved: Vec<MovedFile>,
    /// Whether these numbers are in use, because they matter.
    pub(crate) renumbered: bool,
}

/// A file whose lines are numbered otherwise.
#[derive(Clone, Debug)]
pub(crate) struct MovedFile {
    pub(crate) path: PathBuf,
    /// Its text, with directives.
    pub(crate) text: String,
    /// The lines that have another number.
    pub(crate) lines: BTreeSet<u64>,
}

impl Sources {
    /// What the command line says.
    pub(crate) fn of(files: &[PathBuf], compile: &CompileArguments) -> Self {
        Self {
            files: files.to_vec(),
            flags: flags(compile),
            optimisation: compile.optimise.clone(),
            clang: compile.clang.clone(),
            extra: Extra::default(),
        }
    }

    /// Whether a file is compiled code already.
    pub(crate) fn is_ir(file: &Path) -> bool {
        !file.extension().is_some_and(|extension| extension == "c" || extension == "i" || extension == "h")
    }

    /// Whether all files are C.
    pub(crate) fn all_c(&self) -> bool {
        !self.files.iter().any(|file| Self::is_ir(file))
    }

    /// All that is passed to clang.
    pub(crate) fn all_flags(&self) -> Vec<OsString> {
        self.flags.iter().chain(&self.extra.flags).cloned().collect()
    }

    /// The flags as text, for reports.
    pub(crate) fn flag_texts(&self) -> Vec<String> {
        self.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
    }

    /// The files as text, for reports.
    pub(crate) fn file_texts(&self) -> Vec<String> {
        self.files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
    }

    /// A hash of the files' bytes, in order (FNV-1a): tells whether tests are older than the code, no more.
    pub(crate) fn hash(&self) -> std::io::Result<String> {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for file in &self.files {
            for byte in std::fs::read(file)?.into_iter().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(format!("fnv1a64:{hash:016x}"))
    }
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
