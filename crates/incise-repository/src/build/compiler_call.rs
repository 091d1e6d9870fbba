//! What a command line says that compiles a file: which program compiles, behind what wrappers, and with what words.

use std::path::Path;

/// A call of a compiler.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompilerCall {
    /// The compiler, as it is called.
    pub compiler: String,
    /// The words behind it.
    pub words: Vec<String>,
}

/// Programs in front of a compiler that call it with the words behind them.
const WRAPPERS: [&str; 9] =
    ["ccache", "distcc", "icecc", "sccache", "buildcache", "gomacc", "goma", "colorgcc", "cachecc1"];

impl CompilerCall {
    /// The call in the words of a command; `None` if there is none.
    pub fn of(words: &[String]) -> Option<Self> {
        let mut rest = words;
        loop {
            let (first, behind) = rest.split_first()?;
            let name = Path::new(first).file_name()?.to_string_lossy().into_owned();
            rest = match name.as_str() {
                // A wrapper may be called by itself, for its own affairs, with options or settings.
                wrapper if WRAPPERS.contains(&wrapper) => without_settings(behind),
                "env" | "nice" | "time" => without_settings(behind),
                "sh" | "bash" | "dash" if behind.first().is_some_and(|word| is_libtool(word)) => behind,
                _ if is_libtool(first) => compiled_by_libtool(behind)?,
                _ => return Some(Self { compiler: first.clone(), words: behind.to_vec() }),
            };
        }
    }

    /// Whether it is a compiler of C, by its name.
    pub fn is_of_c(&self) -> bool {
        let name = Path::new(&self.compiler).file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Versions and targets stand around the name: x86_64-linux-gnu-gcc-13.
        let parts: Vec<&str> = name.split('-').collect();
        let is_version = |part: &&&str| part.starts_with(|first: char| first.is_ascii_digit());
        let last = parts.iter().rev().find(|part| !is_version(part)).copied().unwrap_or_default();
        ["cc", "gcc", "clang", "tcc", "icx", "icc", "c99", "c89", "c11", "c17"].contains(&last)
    }

    /// The compiler's name for another language, if it is one that calls itself so.
    pub fn is_of_cpp(&self) -> bool {
        let name = Path::new(&self.compiler).file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.contains("++")
    }
}

fn is_libtool(word: &str) -> bool {
    Path::new(word).file_name().is_some_and(|name| name.to_string_lossy().ends_with("libtool"))
}

/// What follows settings of variables and options of a wrapper.
fn without_settings(words: &[String]) -> &[String] {
    let is_setting = |word: &&String| {
        word.starts_with('-')
            || word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            })
    };
    &words[words.iter().take_while(is_setting).count()..]
}

/// What libtool calls when it compiles: it takes options of its own first.
fn compiled_by_libtool(words: &[String]) -> Option<&[String]> {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with("--")) {
        // Some have their value in the next word.
        at += if ["--tag", "--mode"].contains(&word.as_str()) { 2 } else { 1 };
    }
    words.get(at..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(text: &str) -> Option<(String, Vec<String>)> {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        CompilerCall::of(&words).map(|call| (call.compiler, call.words))
    }

    #[test]
    fn compilers_are_found_behind_wrappers() {
        let expected = |compiler: &str| Some((compiler.to_owned(), vec!["-c".to_owned(), "a.c".to_owned()]));
        assert_eq!(call("gcc -c a.c"), expected("gcc"));
        assert_eq!(call("/usr/bin/ccache /usr/bin/cc -c a.c"), expected("/usr/bin/cc"));
        assert_eq!(call("distcc ccache gcc -c a.c"), expected("gcc"));
        assert_eq!(call("env CCACHE_DIR=/x LANG=C gcc -c a.c"), expected("gcc"));
        assert_eq!(call("/bin/bash ../libtool --silent --tag=CC --mode=compile gcc -c a.c"), expected("gcc"));
        assert_eq!(call("./libtool --tag CC --mode=compile ccache gcc -c a.c"), expected("gcc"));
        assert_eq!(call("ccache"), None);
    }

    #[test]
    fn compilers_are_told_by_their_names() {
        let is_of_c =
            |compiler: &str| CompilerCall { compiler: compiler.to_owned(), words: Vec::new() }.is_of_c();
        for name in
            ["cc", "/usr/bin/gcc", "gcc-13", "clang-19", "arm-none-eabi-gcc", "x86_64-linux-gnu-gcc-13.2"]
        {
            assert!(is_of_c(name), "{name}");
        }
        for name in ["g++", "rustc", "ld", "ccache", "clang++", "as"] {
            assert!(!is_of_c(name), "{name}");
        }
    }
}
