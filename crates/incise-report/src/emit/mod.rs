//! Test sources for people: all tests of a suite as one C file, for a `main` of its own, for the frameworks Unity and
//! cmocka, or registered with CTest.
//!
//! Each test runs in a child process (`harness.c`), so that it finds the program's variables fresh and may end in any
//! way. Names that the tests define begin with `incise`, for the program under test is part of the same file.

mod body;
mod cmocka;
mod ctest;
mod plain;
mod unity;

pub(crate) use body::{Body, comment_text, identifier};
pub use body::{Context, GlobalAccess};

use crate::test::c_program::{WITH_SCHEDULE, compile_command};
use crate::{TestCase, c_string};
use body::symbol_variable;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The part that is the same in every file of tests.
const HARNESS: &str = include_str!("harness.c");

/// What test sources can be written for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Emit {
    /// A plain C program.
    C,
    /// Unity.
    Unity,
    /// cmocka.
    Cmocka,
    /// A plain C program, whose tests CTest knows one by one.
    Ctest,
}

impl Emit {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::C, Self::Unity, Self::Cmocka, Self::Ctest];

    /// The stable name, which is also that of the folder in a suite.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Unity => "unity",
            Self::Cmocka => "cmocka",
            Self::Ctest => "ctest",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|each| each.name() == name)
    }
}

/// Test sources.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Emitted {
    /// The files, with their names.
    pub files: Vec<(String, String)>,
    /// How many tests are in them.
    pub tests: usize,
    /// Whether they need the input functions and headers of KLEE and SV-COMP beside them.
    pub calls: bool,
    /// Why tests were left out, each reason with how many it concerns.
    pub left_out: BTreeMap<String, usize>,
}

/// Writes the tests of an entry.
pub fn emit(kind: Emit, entry: &str, tests: &[TestCase], context: &Context) -> Emitted {
    let mut emitted = Emitted::default();
    let mut bodies = Vec::new();
    for test in tests {
        if test.schedule.is_some() {
            *emitted.left_out.entry(WITH_SCHEDULE.to_owned()).or_default() += 1;
            continue;
        }
        match Body::new(test, context, format!("_{}", identifier(&test.name))) {
            Ok(body) => bodies.push((test, body)),
            Err(why) => *emitted.left_out.entry(why).or_default() += 1,
        }
    }
    emitted.tests = bodies.len();
    emitted.calls = context.input_functions || bodies.iter().any(|(_, body)| body.has_calls());
    let file = File { entry, context, bodies: &bodies, calls: emitted.calls };
    // Writing to a string cannot fail.
    let texts = match kind {
        Emit::C => plain::write(&file),
        Emit::Unity => unity::write(&file),
        Emit::Cmocka => cmocka::write(&file),
        Emit::Ctest => ctest::write(&file),
    };
    emitted.files = texts.unwrap_or_default();
    emitted
}

/// What a file of tests is made of.
struct File<'a> {
    entry: &'a str,
    context: &'a Context,
    bodies: &'a [(&'a TestCase, Body<'a>)],
    calls: bool,
}

impl File<'_> {
    /// The name of the program, and of its file without the extension.
    fn program(&self) -> String {
        format!("test_{}", identifier(self.entry))
    }

    /// Everything up to the framework's own part. `libraries` is what the program is linked with.
    fn start(&self, libraries: &[&str], advice: &[&str], out: &mut String) -> std::fmt::Result {
        let program = self.program();
        writeln!(
            out,
            "/*\n * Tests of {}, written by incise. Each runs in a process of its own.",
            self.entry
        )?;
        taken(&self.context.taken, out)?;
        for line in advice {
            writeln!(out, " * {line}")?;
        }
        let command = compile_command(self.context, &format!("{program}.c"), self.calls, libraries, &program);
        writeln!(out, " * In this folder: {} && ./{program}\n */", comment_text(&command))?;
        file_start(self.context, self.bodies.iter().map(|(_, body)| body), out)?;
        for (test, body) in self.bodies {
            writeln!(
                out,
                "/* {}: {} is expected to {}.\n   {} */",
                test.name,
                self.entry,
                comment_text(&body.expectation()),
                comment_text(&test.condition)
            )?;
            body.write(out)?;
        }
        Ok(())
    }
}

/// What inputs were taken to be, as a part of a comment.
pub(crate) fn taken(taken: &[String], out: &mut String) -> std::fmt::Result {
    if !taken.is_empty() {
        writeln!(out, " * Inputs are what these are taken to be:")?;
    }
    taken.iter().try_for_each(|fact| writeln!(out, " *   {}", comment_text(fact)))
}

/// The program under test, the harness, and what tests refer to.
pub(crate) fn file_start<'a>(
    context: &Context,
    bodies: impl IntoIterator<Item = &'a Body<'a>> + Clone,
    out: &mut String,
) -> std::fmt::Result {
    // A strict standard hides what the harness needs of the system, unless it is asked for before the first header.
    writeln!(
        out,
        "#if defined(__STRICT_ANSI__) && !defined(_DEFAULT_SOURCE)\n#define _DEFAULT_SOURCE 1\n#endif"
    )?;
    let source = c_string(context.source.as_bytes());
    writeln!(out, "#undef main\n#define main incise_program_main\n#include {source}\n#undef main\n")?;
    out.push_str(HARNESS);
    if bodies.clone().into_iter().any(Body::has_calls) {
        writeln!(
            out,
            "struct incise_input {{ const char *kind, *name; const unsigned char *bytes; unsigned long size; }};\n\
             extern const struct incise_input *incise_inputs;\nextern unsigned long incise_input_count;\n"
        )?;
    }
    let symbols: BTreeSet<&str> = bodies.into_iter().flat_map(Body::symbols).collect();
    for symbol in symbols {
        let label = c_string(symbol.as_bytes());
        writeln!(out, "extern unsigned char {}[] __asm__({label});", symbol_variable(symbol))?;
    }
    writeln!(out)
}

/// A word as a shell takes it.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
