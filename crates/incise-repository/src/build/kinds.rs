//! What a file is, by its name.

use std::path::Path;

/// What a file is to a program in C.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// It is compiled.
    Source,
    /// It is included.
    Header,
    /// Code in another language, which is part of the same program.
    Other,
    /// Code is made from it.
    Template,
    /// It says how the program is built.
    Build,
    /// Nothing that programs are made of.
    Else,
}

impl FileKind {
    /// Whether it is text of C.
    pub fn holds_c(self) -> bool {
        matches!(self, Self::Source | Self::Header)
    }
}

/// What a file is.
pub fn kind(file: &Path) -> FileKind {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if [
        "CMakeLists.txt",
        "Makefile",
        "makefile",
        "GNUmakefile",
        "configure",
        "meson.build",
        "SConstruct",
        "BUILD",
    ]
    .contains(&name.as_str())
        || name.starts_with("Makefile.")
        || name.starts_with("configure.")
        || name.starts_with("meson_options")
        || name.starts_with("meson.options")
    {
        return FileKind::Build;
    }
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "c" => FileKind::Source,
        "h" | "inc" | "def" | "tbl" | "xbm" => FileKind::Header,
        "cc" | "cpp" | "cxx" | "c++" | "C" | "m" | "mm" | "s" | "S" | "asm" | "hpp" | "hh" | "hxx" => {
            FileKind::Other
        }
        "y" | "l" | "in" | "proto" | "re" | "rl" | "gperf" => FileKind::Template,
        "cmake" | "mk" | "am" | "ac" | "m4" | "mak" => FileKind::Build,
        _ => FileKind::Else,
    }
}

/// Whether a file lies where builds leave what they make, and tools what they need.
pub fn is_made_by_build(file: &Path) -> bool {
    let mut folders = file.parent().into_iter().flat_map(Path::components);
    folders.any(|part| {
        let name = part.as_os_str().to_string_lossy();
        name.starts_with('.') || name == "CMakeFiles" || name == "meson-private" || name == "meson-info"
    })
}
