//! The linker, called as clang calls it.
//!
//! Each function that is run natively is linked, and starting clang takes longer than linking does. So clang is asked
//! once, with `-###`, what it would call, and that is called with other objects from then on. Where its answer is not
//! understood, clang links.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// What stands for the objects and for the program in the question.
const OBJECT: &str = "incise_asked.o";
const PROGRAM: &str = "incise_asked_program";

/// What is linked in one way.
pub(super) struct Linker<'a> {
    pub(super) clang: &'a Path,
    /// What is said in front of the objects.
    pub(super) flags: &'a [&'a str],
    /// What is said behind them.
    pub(super) libraries: &'a [&'a str],
    /// A word for the linker itself that is another one for each program.
    pub(super) told: Option<&'a str>,
}

/// A call of the linker with places for what is linked.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Call {
    tool: String,
    words: Vec<Word>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Word {
    Said(String),
    Objects,
    Program,
}

/// A way to link: clang, and what it is told.
type Way = (PathBuf, Vec<String>);

/// The calls of the ways to link that were asked for; nothing where the answer is not understood.
static KNOWN: Mutex<BTreeMap<Way, Option<Call>>> = Mutex::new(BTreeMap::new());

impl Linker<'_> {
    /// Clang, which links.
    pub(super) fn through_clang(&self, objects: &[PathBuf], program: &Path) -> Command {
        let mut command = incise_children::command(self.clang);
        command.args(self.flags).args(objects).args(self.libraries).arg("-o").arg(program);
        command.args(self.told.into_iter().flat_map(|word| ["-Xlinker", word]));
        command
    }

    /// What clang would call, if that is known. There is room for files in `folder`.
    pub(super) fn direct(
        &self,
        objects: &[PathBuf],
        program: &Path,
        folder: &Path,
        interrupt: &AtomicBool,
    ) -> Option<Command> {
        let words = self.flags.iter().chain(self.libraries).map(|word| (*word).to_owned()).collect();
        let way: Way = (self.clang.to_owned(), words);
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let call = known().get(&way).cloned();
        let call = call.unwrap_or_else(|| {
            let call = self.asked(folder, interrupt);
            known().insert(way, call.clone());
            call
        })?;
        let mut command = incise_children::command(&call.tool);
        for word in call.words {
            match word {
                Word::Said(word) => command.arg(word),
                Word::Objects => command.args(self.told).args(objects),
                Word::Program => command.arg(program),
            };
        }
        Some(command)
    }

    /// What clang says that it would call.
    fn asked(&self, folder: &Path, interrupt: &AtomicBool) -> Option<Call> {
        let (object, program) = (folder.join(OBJECT), folder.join(PROGRAM));
        // Clang looks whether it is there.
        std::fs::write(&object, b"").ok()?;
        let mut ask = Linker { told: None, ..*self }.through_clang(std::slice::from_ref(&object), &program);
        ask.arg("-###");
        let answer = incise_children::run(&mut ask, None, interrupt).ok()?;
        let said = answer.status.success().then_some(answer.stderr)?;
        call(&String::from_utf8(said).ok()?, object.to_str()?, program.to_str()?)
    }
}

/// The one call that clang's answer names: a line of words in quotes.
fn call(answer: &str, object: &str, program: &str) -> Option<Call> {
    let mut lines = answer.lines().filter(|line| line.trim_start().starts_with('"'));
    let (line, None) = (lines.next()?, lines.next()) else { return None };
    let mut said = quoted_words(line)?.into_iter();
    let tool = said.next()?;
    let place = |word: String| match word {
        word if word == object => Word::Objects,
        word if word == program => Word::Program,
        word => Word::Said(word),
    };
    let words: Vec<Word> = said.map(place).collect();
    let once = |wanted: Word| words.iter().filter(|word| **word == wanted).count() == 1;
    // A word that holds one of them stands for a file beside it that would be another one.
    let holds =
        |word: &Word| matches!(word, Word::Said(text) if text.contains(OBJECT) || text.contains(PROGRAM));
    let whole = once(Word::Objects) && once(Word::Program) && !words.iter().any(holds);
    whole.then_some(Call { tool, words })
}

/// The words of a line in which each is in quotes, with backslashes in front of what would end it.
fn quoted_words(line: &str) -> Option<Vec<String>> {
    let (mut words, mut characters) = (Vec::new(), line.trim().chars());
    loop {
        match characters.next() {
            None => return Some(words),
            Some(' ') => {}
            Some('"') => {
                let mut word = String::new();
                loop {
                    match characters.next()? {
                        '"' => break,
                        '\\' => word.push(characters.next()?),
                        character => word.push(character),
                    }
                }
                words.push(word);
            }
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Option<Call> {
        call(text, "/t/incise_asked.o", "/t/incise_asked_program")
    }

    #[test]
    fn the_call_is_the_line_in_quotes() {
        let answer = "Debian clang version 19\nTarget: x\n \"/usr/bin/ld\" \"-o\" \"/t/incise_asked_program\" \"a\\\"b\\$\" \"/t/incise_asked.o\" \"-lm\"\n";
        let call = said(answer).expect("it is understood");
        assert_eq!(call.tool, "/usr/bin/ld");
        let word = |text: &str| Word::Said(text.to_owned());
        assert_eq!(call.words, [word("-o"), Word::Program, word("a\"b$"), Word::Objects, word("-lm")]);
    }

    #[test]
    fn what_is_not_understood_is_left_to_clang() {
        let whole = " \"ld\" \"/t/incise_asked.o\" \"/t/incise_asked_program\"\n";
        assert!(said(whole).is_some());
        assert!(said(&format!("{whole}{whole}")).is_none(), "two calls");
        assert!(said(" \"ld\" \"/t/incise_asked.o\"\n").is_none(), "no program");
        assert!(said(" \"ld\" \"/t/incise_asked.o\" \"/t/incise_asked_program\" x\n").is_none(), "no quotes");
        assert!(said(" \"ld\" \"/t/incise_asked.o\" \"/t/incise_asked_program\" \"x\n").is_none(), "no end");
        let beside =
            " \"ld\" \"/t/incise_asked.o\" \"/t/incise_asked_program\" \"-M/t/incise_asked_program.map\"\n";
        assert!(said(beside).is_none(), "a file beside it");
        assert!(said("").is_none());
    }
}
