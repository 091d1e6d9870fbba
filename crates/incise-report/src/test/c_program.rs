//! A test as a plain C program: it includes the source under test, sets up the inputs, calls the entry in a child
//! process and checks what happened. Exit status 0 is a pass, 1 a failure with a message.

use crate::TestCase;
use crate::emit::{Body, comment_text, file_start, shell_word, taken};
pub use crate::emit::{Context, GlobalAccess};
use std::fmt::Write;

/// The name of the C file with the input functions that tests of programs with `klee_...` or `__VERIFIER_...` calls are
/// linked with.
pub const INPUTS_FILE: &str = "incise_inputs.c";

/// Why a test of a program with threads is no C program.
pub(crate) const WITH_SCHEDULE: &str = "a C program cannot lead threads along a schedule";

/// The text of the C test.
///
/// The error says why this test cannot be a C program.
pub fn render(test: &TestCase, context: &Context) -> Result<String, String> {
    if test.schedule.is_some() {
        return Err(WITH_SCHEDULE.to_owned());
    }
    let body = Body::new(test, context, String::new())?;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = program(test, context, &body, &mut out);
    Ok(out)
}

fn program(test: &TestCase, context: &Context, body: &Body<'_>, out: &mut String) -> std::fmt::Result {
    let name = &test.name;
    let (entry, expectation) = (&test.program.entry, comment_text(&body.expectation()));
    writeln!(out, "/*\n * {name}: {entry} is expected to {expectation}.")?;
    writeln!(out, " * Path condition: {}", comment_text(&test.condition))?;
    taken(&test.taken, out)?;
    let command = compile_command(
        context,
        &format!("{name}.c"),
        context.input_functions || body.has_calls(),
        &[],
        name,
    );
    writeln!(out, " * In this folder: {} && ./{name}\n */", comment_text(&command))?;
    file_start(context, std::slice::from_ref(body), out)?;
    body.write(out)?;
    out.push_str(MAIN);
    Ok(())
}

/// How a file of C tests is compiled.
pub(crate) fn compile_command(
    context: &Context,
    file: &str,
    calls: bool,
    libraries: &[&str],
    program: &str,
) -> String {
    let mut command = vec!["cc".to_owned(), "-g".to_owned()];
    command.extend(context.flags.iter().cloned());
    if !context.other_sources.is_empty() {
        // Another file may hold the program's main.
        command.push("-Dmain=incise_program_main".to_owned());
    }
    command.push(file.to_owned());
    command.extend(context.other_sources.iter().cloned());
    if calls {
        command.push(INPUTS_FILE.to_owned());
    }
    let mut quoted: Vec<_> = command.iter().map(|word| shell_word(word)).collect();
    // Libraries may be named by a variable of the shell.
    quoted.extend(libraries.iter().map(|&word| word.to_owned()));
    quoted.extend(["-lm".to_owned(), "-o".to_owned(), shell_word(program)]);
    quoted.join(" ")
}

const MAIN: &str = r#"int main(void) {
    switch (incise_judge(&incise_test)) {
        case INCISE_PASSED: printf("PASS\n"); return 0;
        case INCISE_NOT_CHECKED: printf("PASS (not checked: %s)\n", incise_reason); return 0;
        case INCISE_FAILED: fprintf(stderr, "FAIL: %s\n", incise_reason); return 1;
    }
    return 1;
}
"#;
