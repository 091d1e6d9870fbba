//! What the user gives: C sources, IR text, bitcode, or folders of C sources.

use super::folder::FolderFiles;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// What kind of file an input is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// C source.
    C,
    /// C source after the preprocessor.
    PreprocessedC,
    /// LLVM IR as text.
    Text,
    /// LLVM IR as bitcode.
    Bitcode,
}

/// A file to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// What it is.
    pub kind: InputKind,
}

/// Why an input cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is no such file.
    #[error("'{}' does not exist", .0.display())]
    Missing(PathBuf),
    /// It holds nothing.
    #[error("'{}' is empty", .0.display())]
    Empty(PathBuf),
    /// It cannot be read.
    #[error("'{}' cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A folder without C sources.
    #[error("the folder '{}' holds no '.c' file, and neither do those below it", .0.display())]
    NoSources(PathBuf),
    /// C++ or another language.
    #[error("'{}' is not C: C sources end in '.c' or '.i', LLVM IR in '.ll' or '.bc'", .0.display())]
    UnknownKind(PathBuf),
}

/// Finds the files that the given paths stand for: a folder stands for the C files in it and below.
pub fn find_inputs(paths: &[PathBuf]) -> Result<Vec<Input>, InputError> {
    let mut inputs = Vec::new();
    for path in paths {
        if path.is_dir() {
            let sources = FolderFiles::of(path)?.sources;
            if sources.is_empty() {
                return Err(InputError::NoSources(path.clone()));
            }
            for source in sources {
                inputs.push(classify(&source)?);
            }
        } else {
            inputs.push(classify(path)?);
        }
    }
    Ok(inputs)
}

/// Tells what a file is, by what it holds and then by its name.
fn classify(path: &Path) -> Result<Input, InputError> {
    let start = read_start(path)?;
    if start.is_empty() {
        return Err(InputError::Empty(path.to_owned()));
    }
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
    let kind = if start.starts_with(b"BC\xC0\xDE") || start.starts_with(b"\xDE\xC0\x17\x0B") {
        InputKind::Bitcode
    } else {
        match extension.as_deref() {
            Some("c" | "h") => InputKind::C,
            Some("i") => InputKind::PreprocessedC,
            Some("ll") => InputKind::Text,
            // A file called `.bc` that is not bitcode is text by mistake, or nothing that can be read.
            _ if looks_like_ir(&start) => InputKind::Text,
            _ => return Err(InputError::UnknownKind(path.to_owned())),
        }
    };
    Ok(Input { path: path.to_owned(), kind })
}

fn read_start(path: &Path) -> Result<Vec<u8>, InputError> {
    let unreadable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => InputError::Missing(path.to_owned()),
        _ => InputError::Unreadable { path: path.to_owned(), error },
    };
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(4096).read_to_end(&mut start)).map_err(unreadable)?;
    Ok(start)
}

fn looks_like_ir(start: &[u8]) -> bool {
    let words: [&[u8]; 6] = [b"; ModuleID", b"source_filename", b"target ", b"define ", b"declare ", b"@"];
    let lines = start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    lines.take(5).any(|line| words.iter().any(|word| line.starts_with(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(name: &str, content: &[u8]) -> Result<InputKind, InputError> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(name);
        std::fs::write(&path, content).expect("a file is written");
        find_inputs(&[path]).map(|inputs| inputs[0].kind)
    }

    #[test]
    fn files_are_told_apart_by_content_and_name() {
        assert_eq!(kind_of("a.c", b"int x;").unwrap(), InputKind::C);
        assert_eq!(kind_of("a.i", b"int x;").unwrap(), InputKind::PreprocessedC);
        assert_eq!(kind_of("a.ll", b"; nothing").unwrap(), InputKind::Text);
        assert_eq!(kind_of("a.txt", b"; ModuleID = 'a'\n").unwrap(), InputKind::Text);
        assert_eq!(kind_of("a.o", b"BC\xC0\xDE....").unwrap(), InputKind::Bitcode);
        assert!(matches!(kind_of("a.cpp", b"class A {};"), Err(InputError::UnknownKind(_))));
        assert!(matches!(kind_of("a.c", b""), Err(InputError::Empty(_))));
        let missing = find_inputs(&[PathBuf::from("/nowhere/a.c")]);
        assert!(matches!(missing, Err(InputError::Missing(_))));
    }

    #[test]
    fn a_folder_stands_for_its_sources_in_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert!(matches!(find_inputs(&[folder.path().to_owned()]), Err(InputError::NoSources(_))));
        for name in ["b.c", "a.c", "notes.txt"] {
            std::fs::write(folder.path().join(name), "int x;").expect("a file is written");
        }
        let inputs = find_inputs(&[folder.path().to_owned()]).unwrap();
        let names: Vec<_> = inputs.iter().map(|input| input.path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.c", "b.c"]);
    }
}
