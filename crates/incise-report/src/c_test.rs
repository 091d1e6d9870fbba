//! A test as a plain C program: it includes the source under test, sets up the inputs, calls the entry in a child process and
//! checks what happened. Exit status 0 is a pass, 1 a failure with a message.

use crate::test_json::Expected;
use crate::{Input, Observed, Origin, Outcome, TestCase, Value, c_string};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What a C test must know of the program beside the test itself.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The file to include: the one that defines the entry, as a path from the folder of the tests.
    pub source: String,
    /// The other files of the program, likewise.
    pub other_sources: Vec<String>,
    /// What to pass to the compiler.
    pub flags: Vec<String>,
    /// The C types of the entry's parameters.
    pub parameters: Vec<String>,
    /// Whether the entry returns something that can be compared.
    pub returns_value: bool,
    /// How the program's global variables are reached, by symbol; one that is not here cannot be.
    pub globals: BTreeMap<String, GlobalAccess>,
    /// The arguments of `main` that are not symbolic.
    pub arguments: Vec<String>,
}

/// How a test reaches a global variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GlobalAccess {
    /// By its name, since the test includes its file.
    Name(String),
    /// By its symbol, since it is in another file.
    Symbol,
}

/// The name of the C file with the input functions that tests of programs with `klee_...` or `__VERIFIER_...` calls are linked with.
pub const INPUTS_FILE: &str = "incise_inputs.c";

/// The text of the C test.
///
/// The error says why this test cannot be a C program.
pub fn render(test: &TestCase, context: &Context) -> Result<String, String> {
    let Some(expected) = &test.expected else { return Err("there is no prediction to check".to_owned()) };
    let writer = Writer { test, context, expected, objects: objects(test) };
    writer.check_reachable()?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writer.program(&mut out);
    Ok(out)
}

/// The C variables of the objects that inputs point to, by name of the input.
fn objects(test: &TestCase) -> BTreeMap<&str, String> {
    let pointees = test.inputs.iter().filter(|input| matches!(input.origin, Origin::Pointee(_)));
    pointees.enumerate().map(|(number, input)| (input.name.as_str(), format!("object_{number}"))).collect()
}

struct Writer<'a> {
    test: &'a TestCase,
    context: &'a Context,
    expected: &'a Expected,
    objects: BTreeMap<&'a str, String>,
}

impl Writer<'_> {
    fn check_reachable(&self) -> Result<(), String> {
        for input in &self.test.inputs {
            match &input.origin {
                Origin::Global(symbol) if !self.context.globals.contains_key(symbol) => {
                    return Err(format!("the variable {symbol} cannot be set from outside of its file"));
                }
                Origin::External(function) => {
                    return Err(format!("the result of the external function {function} cannot be set"));
                }
                Origin::Parameter(index) if *index as usize >= self.context.parameters.len() => {
                    return Err("the C type of a parameter is not known".to_owned());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn program(&self, out: &mut String) -> std::fmt::Result {
        self.heading(out)?;
        writeln!(
            out,
            "#undef main\n#define main incise_program_main\n#include {}\n#undef main\n",
            c_string(self.context.source.as_bytes())
        )?;
        out.push_str(HARNESS);
        self.tables(out)?;
        self.finals(out)?;
        self.body(out)?;
        self.main(out)
    }

    fn heading(&self, out: &mut String) -> std::fmt::Result {
        let name = &self.test.name;
        let comment = |text: &str| text.replace("*/", "* /");
        writeln!(
            out,
            "/*\n * {name}: {} is expected to {}.",
            self.test.program.entry,
            comment(&self.expectation())
        )?;
        writeln!(out, " * Path condition: {}", comment(&self.test.condition))?;
        let mut command = vec!["cc".to_owned(), "-g".to_owned()];
        command.extend(self.context.flags.iter().cloned());
        if !self.context.other_sources.is_empty() {
            // Another file may hold the program's main.
            command.push("-Dmain=incise_program_main".to_owned());
        }
        command.push(format!("{name}.c"));
        command.extend(self.context.other_sources.iter().cloned());
        if self.has_calls() {
            command.push(INPUTS_FILE.to_owned());
        }
        command.extend(["-lm".to_owned(), "-o".to_owned(), name.clone()]);
        let quoted: Vec<_> = command.iter().map(|word| shell_word(word)).collect();
        writeln!(out, " * In this folder: {} && ./{name}\n */", comment(&quoted.join(" ")))
    }

    fn expectation(&self) -> String {
        match &self.expected.outcome {
            Outcome::Exited { status } => format!("exit with status {status}"),
            Outcome::Error { message, .. } => format!("end in an error: {message}"),
            _ => match &self.expected.result {
                Some(result) => format!("return {}", result.value),
                None => "return".to_owned(),
            },
        }
    }

    /// Whether the program asks for inputs by calling functions.
    fn has_calls(&self) -> bool {
        self.test.inputs.iter().any(|input| matches!(input.origin, Origin::Klee | Origin::Nondet(_)))
    }

    /// The inputs that the program asks for, in order.
    fn tables(&self, out: &mut String) -> std::fmt::Result {
        if !self.has_calls() {
            return Ok(());
        }
        writeln!(
            out,
            "struct incise_input {{ const char *kind, *name; const unsigned char *bytes; unsigned long size; }};"
        )?;
        writeln!(
            out,
            "extern const struct incise_input *incise_inputs;\nextern unsigned long incise_input_count;"
        )?;
        writeln!(out, "static const struct incise_input inputs[] = {{")?;
        for input in &self.test.inputs {
            let kind = match &input.origin {
                Origin::Klee => "klee",
                Origin::Nondet(function) => function,
                _ => continue,
            };
            writeln!(
                out,
                "    {{{}, {}, (const unsigned char *){}, {}}}, /* {} */",
                c_string(kind.as_bytes()),
                c_string(input.name.as_bytes()),
                c_string(&input.bytes),
                input.bytes.len(),
                commented(&input.value)
            )?;
        }
        writeln!(out, "}};\n")
    }

    /// The check of globals and input objects at the end.
    fn finals(&self, out: &mut String) -> std::fmt::Result {
        for variable in self.objects.values() {
            writeln!(out, "static unsigned char *{variable};")?;
        }
        for symbol in self.symbols() {
            let label = c_string(symbol.as_bytes());
            writeln!(out, "extern unsigned char {}[] __asm__({label});", symbol_variable(symbol))?;
        }
        writeln!(out, "\nstatic void check_finals(void) {{")?;
        for each in &self.expected.finals {
            if let Some(address) = self.address(&each.origin, &each.name) {
                self.check(out, &each.name, &address, &each.observed)?;
            }
        }
        writeln!(out, "    verdict->finals_checked = 1;\n}}\n")
    }

    /// The symbols of other files that the test uses.
    fn symbols(&self) -> std::collections::BTreeSet<&str> {
        let inputs = self.test.inputs.iter().map(|input| &input.origin);
        let finals = self.expected.finals.iter().map(|each| &each.origin);
        let globals = inputs.chain(finals).filter_map(|origin| match origin {
            Origin::Global(symbol) => Some(symbol.as_str()),
            _ => None,
        });
        let pointers = self.test.inputs.iter().flat_map(|input| &input.pointers);
        let globals = globals.chain(pointers.map(|pointer| pointer.target.as_str()));
        globals.filter(|symbol| self.context.globals.get(*symbol) == Some(&GlobalAccess::Symbol)).collect()
    }

    fn address(&self, origin: &Origin, name: &str) -> Option<String> {
        match origin {
            Origin::Global(symbol) => match self.context.globals.get(symbol)? {
                GlobalAccess::Name(name) => Some(format!("&{name}")),
                GlobalAccess::Symbol => Some(symbol_variable(symbol)),
            },
            Origin::Pointee(_) => self.objects.get(name).cloned(),
            _ => None,
        }
    }

    /// The address of what a pointer in an input leads to. Where the data structure of the test ends, it is one that the program does not look behind.
    fn target(&self, target: &str) -> String {
        let known = self.objects.get(target).cloned();
        let known = known.or_else(|| self.address(&Origin::Global(target.to_owned()), target));
        known.unwrap_or_else(|| "elsewhere()".to_owned())
    }

    fn check(&self, out: &mut String, what: &str, address: &str, observed: &Observed) -> std::fmt::Result {
        let mask: Vec<u8> = observed.comparable.iter().map(|&yes| u8::from(yes)).collect();
        writeln!(
            out,
            "    check({}, {address},\n          {},\n          {}, {}); /* {} */",
            c_string(what.as_bytes()),
            c_string(&observed.bytes),
            c_string(&mask),
            observed.bytes.len(),
            commented(&observed.value)
        )
    }

    fn body(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "static void run(void) {{")?;
        for input in &self.test.inputs {
            self.set_up(out, input)?;
        }
        for input in &self.test.inputs {
            for pointer in &input.pointers {
                let Some(holder) = self.holder(input) else { continue };
                let target = self.target(&pointer.target);
                let (offset, addend) = (pointer.offset, pointer.addend);
                writeln!(out, "    point({holder}, {offset}, (unsigned char *){target} + {addend});")?;
            }
        }
        if self.has_calls() {
            writeln!(
                out,
                "    incise_inputs = inputs;\n    incise_input_count = sizeof inputs / sizeof *inputs;"
            )?;
        }
        self.call(out)?;
        writeln!(out, "}}\n")
    }

    fn holder(&self, input: &Input) -> Option<String> {
        match &input.origin {
            Origin::Parameter(index) => Some(format!("&argument_{index}")),
            origin => self.address(origin, &input.name),
        }
    }

    fn set_up(&self, out: &mut String, input: &Input) -> std::fmt::Result {
        let (bytes, size, text) = (c_string(&input.bytes), input.bytes.len(), commented(&input.value));
        match &input.origin {
            Origin::Parameter(index) => {
                let ty = &self.context.parameters[*index as usize];
                let name = comment_name(&input.name);
                writeln!(out, "    {};", declared(ty, &format!("argument_{index}")))?;
                writeln!(
                    out,
                    "    memcpy(&argument_{index}, {bytes}, sizeof argument_{index}); /* {name} = {text} */"
                )
            }
            Origin::Pointee(_) => {
                let variable = &self.objects[input.name.as_str()];
                writeln!(
                    out,
                    "    {variable} = object({bytes}, {size}); /* {} = {text} */",
                    comment_name(&input.name)
                )
            }
            origin @ Origin::Global(_) => match self.address(origin, &input.name) {
                Some(address) => writeln!(
                    out,
                    "    memcpy({address}, {bytes}, {size}); /* {} = {text} */",
                    comment_name(&input.name)
                ),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn call(&self, out: &mut String) -> std::fmt::Result {
        let entry = &self.test.program.entry;
        if entry == "main" {
            return self.call_main(out);
        }
        let arguments: Vec<_> =
            (0..self.context.parameters.len()).map(|index| format!("argument_{index}")).collect();
        let call = format!("{entry}({})", arguments.join(", "));
        match &self.expected.result {
            Some(result) if self.context.returns_value => {
                writeln!(out, "    __typeof__({call}) result = {call};")?;
                self.check(out, "the result", "&result", result)?;
            }
            _ => writeln!(out, "    {call};")?,
        }
        writeln!(out, "    check_finals();\n    verdict->returned = 1;\n    fflush(stdout);\n    _exit(0);")
    }

    fn call_main(&self, out: &mut String) -> std::fmt::Result {
        let mut words: Vec<Vec<u8>> = vec![b"program".to_vec()];
        words.extend(self.context.arguments.iter().map(|each| each.clone().into_bytes()));
        for input in &self.test.inputs {
            if matches!(input.origin, Origin::Argument(_)) {
                let end = input.bytes.iter().position(|&byte| byte == 0).unwrap_or(input.bytes.len());
                words.push(input.bytes[..end].to_vec());
            }
        }
        writeln!(out, "    static char *arguments[{}];", words.len() + 1)?;
        for (index, word) in words.iter().enumerate() {
            writeln!(out, "    static char word_{index}[] = {};", c_string(word))?;
            writeln!(out, "    arguments[{index}] = word_{index};")?;
        }
        match self.context.parameters.len() {
            0 => writeln!(out, "    (void)arguments;\n    exit(incise_program_main());"),
            1 => writeln!(out, "    exit(incise_program_main({}));", words.len()),
            2 => writeln!(out, "    exit(incise_program_main({}, arguments));", words.len()),
            _ => {
                writeln!(out, "    static char *environment[1];")?;
                writeln!(out, "    exit(incise_program_main({}, arguments, environment));", words.len())
            }
        }
    }

    fn main(&self, out: &mut String) -> std::fmt::Result {
        let (mode, number) = match &self.expected.outcome {
            Outcome::Exited { status } => ("EXITS", status & 0xff),
            Outcome::Error { kind, .. } => error_mode(kind),
            _ => ("RETURNS", 0),
        };
        let stdin = self.test.inputs.iter().find(|input| input.origin == Origin::Stdin);
        let stdin = stdin.map_or(&[][..], |input| &input.bytes);
        writeln!(
            out,
            "int main(void) {{\n    return judge({mode}, {number}, {}, {}, {}, {});\n}}",
            c_string(stdin),
            stdin.len(),
            c_string(&self.expected.stdout),
            self.expected.stdout.len()
        )
    }
}

/// How the parent process recognises an error: by a signal, or only by a sanitizer.
fn error_mode(kind: &str) -> (&'static str, i32) {
    const SIGABRT: i32 = 6;
    const SIGFPE: i32 = 8;
    const SIGSEGV: i32 = 11;
    match kind {
        "assertion" | "reported" => ("DIES", SIGABRT),
        "abort" => ("ABORTS", SIGABRT),
        "division-by-zero" => ("DIES", SIGFPE),
        "null-pointer" | "read-only" => ("DIES", SIGSEGV),
        _ => ("NEEDS_SANITIZER", 0),
    }
}

fn symbol_variable(symbol: &str) -> String {
    let safe: String =
        symbol.chars().map(|each| if each.is_ascii_alphanumeric() { each } else { '_' }).collect();
    format!("incise_global_{safe}")
}

/// A declaration of `name`, whatever the form of the type: a `%` in it stands for the name.
fn declared(ty: &str, name: &str) -> String {
    if ty.contains('%') { ty.replace('%', name) } else { format!("{ty} {name}") }
}

/// A value inside of a comment.
fn commented(value: &Value) -> String {
    comment_name(&value.to_string())
}

fn comment_name(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}

fn shell_word(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The part that is the same in every test.
const HARNESS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define INCISE_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(INCISE_SANITIZED)
#define INCISE_SANITIZED 1
#endif
#ifndef INCISE_SANITIZED
#define INCISE_SANITIZED 0
#endif

enum expectation { RETURNS, EXITS, DIES, ABORTS, NEEDS_SANITIZER };

/* What the child process tells its parent, in shared memory. */
static struct { int returned, finals_checked, failures; } *verdict;

static void run(void);
static void check_finals(void);

/* A copy of the bytes that is exactly as large, so that a sanitizer sees every step outside. */
static __attribute__((unused)) unsigned char *object(const char *bytes, unsigned long size) {
    unsigned char *made = malloc(size);
    if (size > 0) memcpy(made, bytes, size);
    return made;
}

/* An address of its own, for a pointer that is not null and not followed. */
static __attribute__((unused)) unsigned char *elsewhere(void) {
    return malloc(1);
}

static __attribute__((unused)) void point(void *holder, unsigned long offset, void *target) {
    memcpy((unsigned char *)holder + offset, &target, sizeof target);
}

static __attribute__((unused)) void check(const char *what, const void *address, const char *expected,
                                          const char *comparable, unsigned long size) {
    const unsigned char *actual = address;
    for (unsigned long i = 0; i < size; i++)
        if (comparable[i] && actual[i] != (unsigned char)expected[i]) {
            fprintf(stderr, "FAIL: %s: byte %lu is 0x%02x, expected 0x%02x\n", what, i, actual[i],
                    (unsigned char)expected[i]);
            verdict->failures++;
            return;
        }
}

static int judge(enum expectation expectation, int number, const char *input, unsigned long input_size,
                 const char *output, unsigned long output_size) {
    verdict = mmap(0, sizeof *verdict, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *in = tmpfile(), *out = tmpfile();
    if (verdict == MAP_FAILED || !in || !out) {
        fprintf(stderr, "FAIL: no memory or no temporary files\n");
        return 1;
    }
    fwrite(input, 1, input_size, in);
    rewind(in);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(in), 0);
        dup2(fileno(out), 1);
        if (expectation == EXITS) atexit(check_finals);
        run();
        _exit(0);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        fprintf(stderr, "FAIL: no child process\n");
        return 1;
    }
    if (expectation == NEEDS_SANITIZER && !INCISE_SANITIZED) {
        printf("PASS (not checked: compile with -fsanitize=address,undefined -fno-sanitize-recover)\n");
        return 0;
    }
    int died = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    int exited = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    int good = 0;
    switch (expectation) {
        case RETURNS: good = verdict->returned && exited == 0; break;
        case EXITS: good = !verdict->returned && exited == number; break;
        case DIES: good = died == number || (INCISE_SANITIZED && exited > 0); break;
        /* A trap is an illegal instruction or a breakpoint. */
        case ABORTS: good = died == number || died == 4 || died == 5 || (INCISE_SANITIZED && exited > 0); break;
        case NEEDS_SANITIZER: good = died || exited > 0; break;
    }
    if (!good) fprintf(stderr, "FAIL: the program ended otherwise: signal %d, exit status %d\n", died, exited);
    if (verdict->failures > 0) good = 0;
    if (expectation == RETURNS || expectation == EXITS) {
        rewind(out);
        for (unsigned long i = 0; i <= output_size; i++) {
            int wanted = i < output_size ? (unsigned char)output[i] : EOF, got = fgetc(out);
            if (wanted != got) {
                fprintf(stderr, "FAIL: standard output differs at byte %lu\n", i);
                good = 0;
                break;
            }
        }
    }
    if (good) printf("PASS\n");
    return !good;
}

"#;
