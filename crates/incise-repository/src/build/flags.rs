//! The words of a compiler call that bear meaning for what the code does.
//!
//! Compilers share most words, and not all of them. Kept are those that decide what the preprocessor sees and what the
//! language means; left out in silence are those that have nothing to do with that (warnings, outputs, debug
//! information, what the linker is told); what may mean something and is not taken over is told.

use incise_children::{RunError, run};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The words that are kept of a call, and those that were dropped and may mean something.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// What clang is given. Paths in them are whole.
    pub flags: Vec<OsString>,
    /// What was left out.
    pub dropped: BTreeSet<String>,
    /// What is compiled, as it is named: more than one word has no option in front.
    pub inputs: Vec<String>,
    /// What it is compiled to.
    pub output: Option<String>,
    /// Whether something is compiled, and not only linked or preprocessed.
    pub compiles: bool,
    /// The language that is named, if one is.
    pub language: Option<String>,
}

/// Words with a path behind them, in the same word or in the next.
const PATHS: [&str; 9] = [
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "-imacros",
    "-isysroot",
    "-iwithprefix",
    "-I",
    "--sysroot",
];
/// Words with something else behind them that is kept.
const VALUES: [&str; 3] = ["-D", "-U", "-target"];
/// Words with something behind them, in the next word, that means nothing here.
const SKIPPED_VALUES: [&str; 16] = [
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-Xlinker",
    "-Xassembler",
    "-dumpbase",
    "-dumpdir",
    "-aux-info",
    "-e",
    "--param",
];
/// Words that mean nothing for what the code does.
const SILENT_WORDS: [&str; 12] = [
    "-w",
    "-pipe",
    "-v",
    "-time",
    "-s",
    "-shared",
    "-static",
    "-rdynamic",
    "-no-pie",
    "-pie",
    "-P",
    "-pedantic-errors",
];
/// The same as beginnings of words.
const SILENT: [&str; 20] = [
    "-W",
    "-O",
    "-g",
    "-M",
    "-l",
    "-L",
    "-pedantic",
    "-save-temps",
    "-fdiagnostics",
    "-fcolor-diagnostics",
    "-fno-diagnostics",
    "-fmessage-length",
    "-fstack-protector",
    "-fno-stack-protector",
    "-fstack-clash",
    "-fcf-protection",
    "-fdebug-prefix-map",
    "-ffile-prefix-map",
    "-fmacro-prefix-map",
    "-fmax-errors",
];
/// The same, about how code is made and not about what it means.
const SILENT_TOO: [&str; 24] = [
    "-fomit-frame-pointer",
    "-fno-omit-frame-pointer",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-plt",
    "-fvisibility",
    "-finline",
    "-fno-inline",
    "-funroll",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fuse-ld",
    "-fno-semantic-interposition",
    "-fasynchronous-unwind-tables",
    "-fno-asynchronous-unwind-tables",
    "-funwind-tables",
    "-ftree-",
    "-fno-tree-",
    "-mtune",
    "-fstrict-flex",
    "-fverbose-asm",
    "-fno-ident",
    "-fvar-tracking",
];
/// Words of the language, as they are or as beginnings.
const KEPT: [&str; 47] = [
    "-std=",
    "--std=",
    "-ansi",
    "-trigraphs",
    "-undef",
    "-nostdinc",
    "-pthread",
    "--target=",
    "-m32",
    "-m64",
    "-mx32",
    "-m",
    "-fwrapv",
    "-fno-wrapv",
    "-ftrapv",
    "-funsigned-",
    "-fsigned-",
    "-fno-unsigned-",
    "-fno-signed-",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-fstrict-aliasing",
    "-fno-strict-",
    "-fstrict-overflow",
    "-fno-delete-null-pointer-checks",
    "-fms-extensions",
    "-fplan9-extensions",
    "-fgnu89-inline",
    "-fno-builtin",
    "-fbuiltin",
    "-ffreestanding",
    "-fno-freestanding",
    "-fhosted",
    "-fcommon",
    "-fno-common",
    "-ffast-math",
    "-fno-fast-math",
    "-ffp-",
    "-frounding-math",
    "-fexcess-precision",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
    "-fopenmp",
];

impl Kept {
    /// The words that bear meaning, of a call in a folder.
    pub fn of(words: &[String], folder: &Path) -> Self {
        let mut kept = Self { compiles: true, ..Self::default() };
        let mut words = words.iter();
        let mut only_names = false;
        while let Some(word) = words.next() {
            if only_names || !word.starts_with('-') || word == "-" {
                kept.inputs.push(word.clone());
            } else if word == "--" {
                only_names = true;
            } else {
                kept.take(word, &mut words, folder);
            }
        }
        kept
    }

    fn take<'w>(&mut self, word: &str, rest: &mut impl Iterator<Item = &'w String>, folder: &Path) {
        match word {
            "-c" => return,
            // What is preprocessed or only looked at gives no code.
            "-E" | "-M" | "-MM" | "-fsyntax-only" | "-dM" => return self.compiles = false,
            "-o" => return self.output = rest.next().cloned(),
            "-x" => return self.language = rest.next().cloned(),
            "-Xpreprocessor" => {
                if let Some(inner) = rest.next() {
                    self.take(inner, rest, folder);
                }
                return;
            }
            "-Xclang" | "-mllvm" => {
                let value = rest.next().map_or("", String::as_str);
                self.dropped.insert(format!("{word} {value}"));
                return;
            }
            _ => {}
        }
        if let Some(inner) = word.strip_prefix("-Wp,") {
            // The preprocessor's own `-MD` takes a file.
            let parts = inner.split(',').filter(|part| part.starts_with('-'));
            let parts: Vec<String> = parts.map(str::to_owned).collect();
            let mut parts = parts.iter();
            while let Some(part) = parts.next() {
                self.take(part, &mut parts, folder);
            }
            return;
        }
        if let Some(name) = PATHS.into_iter().find(|name| word.starts_with(name)) {
            let value = word[name.len()..].trim_start_matches('=');
            let value = if value.is_empty() { rest.next().map_or("", String::as_str) } else { value };
            return self.take_path(name, value, folder);
        }
        if let Some(name) = VALUES.into_iter().find(|name| word.starts_with(name)) {
            let value = &word[name.len()..];
            match (name, value) {
                (_, "") => {
                    let value = rest.next().cloned().unwrap_or_default();
                    match name {
                        "-target" => self.flags.extend([name.into(), value.into()]),
                        _ => self.flags.push(format!("{name}{value}").into()),
                    }
                }
                _ => self.flags.push(word.into()),
            }
            return;
        }
        if SKIPPED_VALUES.contains(&word) {
            _ = rest.next();
            return;
        }
        let begins = |list: &[&str]| list.iter().any(|each| word.starts_with(each));
        if SILENT_WORDS.contains(&word) || begins(&SILENT) || begins(&SILENT_TOO) {
            return;
        }
        match begins(&KEPT) {
            true => self.flags.push(word.into()),
            false => _ = self.dropped.insert(word.to_owned()),
        }
    }

    fn take_path(&mut self, name: &str, value: &str, folder: &Path) {
        let path = whole(folder, value);
        // A header that is included first is looked for like any other.
        let path = match name {
            "-include" | "-imacros" if !path.exists() => PathBuf::from(value),
            _ => path,
        };
        let mut joined = OsString::from(name);
        match name {
            "-I" => {
                joined.push(path);
                self.flags.push(joined);
            }
            "--sysroot" => {
                joined.push("=");
                joined.push(path);
                self.flags.push(joined);
            }
            _ => self.flags.extend([joined, path.into_os_string()]),
        }
    }
}

/// A path from the root of the file system, by its real name if it is there.
pub(crate) fn whole(folder: &Path, path: impl AsRef<Path>) -> PathBuf {
    let joined = folder.join(path);
    joined.canonicalize().unwrap_or_else(|_| crate::repository::clean(&joined))
}

/// A flag with a path below a top, below another one.
pub(super) fn moved_flag(flag: &OsString, from: &Path, to: &Path) -> OsString {
    let moved = |path: &Path| path.strip_prefix(from).ok().map(|rest| to.join(rest));
    if let Some(path) = moved(Path::new(flag)) {
        return path.into_os_string();
    }
    let text = flag.to_string_lossy();
    for start in ["-I", "--sysroot="] {
        if let Some(path) = text.strip_prefix(start).and_then(|path| moved(Path::new(path))) {
            let mut flag = OsString::from(start);
            flag.push(path);
            return flag;
        }
    }
    flag.clone()
}

/// Leaves out what a clang does not know: it is asked. Tells what that was.
pub fn known_to_clang(
    clang: &Path,
    flags: &BTreeSet<OsString>,
    interrupt: &AtomicBool,
) -> Result<BTreeSet<OsString>, RunError> {
    let asked: Vec<&OsString> = flags.iter().filter(|flag| is_questionable(flag)).collect();
    let mut unknown = BTreeSet::new();
    let mut open: Vec<Vec<&OsString>> = vec![asked];
    while let Some(some) = open.pop() {
        if some.is_empty() || accepts(clang, &some, interrupt)? {
            continue;
        }
        match some.as_slice() {
            [only] => _ = unknown.insert((*only).clone()),
            _ => {
                let (left, right) = some.split_at(some.len() / 2);
                open.extend([left.to_vec(), right.to_vec()]);
            }
        }
    }
    Ok(unknown)
}

/// Whether compilers may differ about a word.
fn is_questionable(flag: &OsString) -> bool {
    let text = flag.to_string_lossy();
    ["-f", "-m", "-std", "--std"].iter().any(|start| text.starts_with(start))
}

fn accepts(clang: &Path, flags: &[&OsString], interrupt: &AtomicBool) -> Result<bool, RunError> {
    const TIME: Duration = Duration::from_secs(60);
    let mut command = incise_children::command(clang);
    command.args([
        "-fsyntax-only",
        "-Werror=unknown-warning-option",
        "-Werror=ignored-optimization-argument",
    ]);
    command.args(["-Werror=unused-command-line-argument", "-c"]).args(flags).args(["-x", "c", "/dev/null"]);
    Ok(run(&mut command, Some(TIME), interrupt)?.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> Kept {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        Kept::of(&words, Path::new("/no/such/build"))
    }

    #[test]
    fn what_bears_meaning_is_kept() {
        let found = kept(
            "-DA=1 -D B -U C -I../inc -I /abs -isystem sys -iquote q -std=gnu99 -fwrapv -funsigned-char -m32 \
             -fno-strict-aliasing -pthread -Wp,-D_F=2,-MD,x.d -c -o out/a.o a.c",
        );
        let expected = [
            "-DA=1",
            "-DB",
            "-UC",
            "-I/no/such/inc",
            "-I/abs",
            "-isystem",
            "/no/such/build/sys",
            "-iquote",
            "/no/such/build/q",
            "-std=gnu99",
            "-fwrapv",
            "-funsigned-char",
            "-m32",
            "-fno-strict-aliasing",
            "-pthread",
            "-D_F=2",
        ];
        assert_eq!(found.flags, expected.map(OsString::from));
        assert_eq!((found.inputs, found.output), (vec!["a.c".to_owned()], Some("out/a.o".to_owned())));
        assert_eq!(found.dropped, BTreeSet::new());
    }

    #[test]
    fn what_means_nothing_here_is_left_out_in_silence() {
        let found = kept(
            "-Wall -Wextra -O2 -g3 -MD -MF a.d -MT a.o -pipe -fstack-protector-strong -flto=auto -L. -lm -Wl,-z,now",
        );
        assert_eq!(found, Kept { compiles: true, ..Kept::default() });
    }

    #[test]
    fn what_may_mean_something_is_told() {
        let found = kept("-fsanitize=address -fplugin=x.so -specs=y -Xclang -load");
        let expected = ["-Xclang -load", "-fplugin=x.so", "-fsanitize=address", "-specs=y"];
        assert_eq!(found.dropped.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        assert_eq!(found.flags, [""; 0].map(OsString::from));
    }

    #[test]
    fn only_what_makes_code_is_a_compilation() {
        assert!(kept("-c a.c").compiles);
        assert!(!kept("-E a.c").compiles && !kept("-MM a.c").compiles);
    }
}
