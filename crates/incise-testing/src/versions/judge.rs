//! The judge: both versions compiled natively and run on all inputs. It shares nothing with the engine but clang.

use super::tree::{self, ELEMENTS};
use super::{Batch, Pair};
use crate::native::Native;
use std::fmt::Write;
use std::path::Path;

/// What is seen of both versions on one input.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The same end, result, globals, output.
    Same,
    /// Something else.
    Different,
    /// Both fail in the same way, but wrote something else before: who looks at a program that failed may say either.
    FailedAlike,
}

/// Runs all programs of a batch on all their inputs; for each program, what is seen by the number of the input.
pub fn judge(folder: &Path, batch: &Batch) -> Result<Vec<Vec<Seen>>, String> {
    let native = Native::build(folder, "judge", &["-O0", "-fwrapv"], &text(batch))?;
    let output = native.output(&[], &[])?;
    let mut bytes = output.into_iter().map(|byte| match byte {
        0 => Ok(Seen::Same),
        1 => Ok(Seen::Different),
        2 => Ok(Seen::FailedAlike),
        _ => Err("the judge wrote something else"),
    });
    let mut all = Vec::with_capacity(batch.pairs.len());
    for pair in &batch.pairs {
        let seen: Result<Vec<Seen>, &str> = bytes.by_ref().take(pair.inputs()).collect();
        all.push(seen?);
    }
    match all.last().zip(batch.pairs.last()).is_none_or(|(seen, pair)| seen.len() == pair.inputs()) {
        true => Ok(all),
        false => Err("the judge's record is cut".to_owned()),
    }
}

const HEAD: &str = r#"#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { RETURNED, EXITED, ABORTED, DIVIDED, OUTSIDE };

static struct run {
    int kind;
    unsigned value, written;
    unsigned long output, globals;
} run;
static jmp_buf out;

static void stop(int kind, int value) {
    run.kind = kind;
    run.value = value;
    longjmp(out, 1);
}

static long divisor(long value) {
    if (value == 0)
        stop(DIVIDED, 0);
    return value;
}

static long within(long index) {
    if (index < 0 || index > 3)
        stop(OUTSIDE, 0);
    return index;
}

static void written(int character) {
    run.written++;
    run.output = run.output * 1000003 + character;
}

#define DIV(a, b) ((a) / (__typeof__((a) / (b)))divisor((__typeof__((a) / (b)))(b)))
#define REM(a, b) ((a) % (__typeof__((a) % (b)))divisor((__typeof__((a) % (b)))(b)))
#define AT(array, index) array[within(index)]
#define OUT(character) written(character)
#define NATIVE
#define exit(status) stop(EXITED, (status))
#define abort() stop(ABORTED, 0)
"#;

const MAIN: &str = r#"
static void go(const struct version *version, const unsigned *v) {
    for (int i = 0; i < 6; i++)
        *version->globals[i] = v[3 + i];
    memset(&run, 0, sizeof run);
    if (setjmp(out) == 0) {
        run.value = version->entry(v[0], v[1], v[2]);
        run.kind = RETURNED;
        for (int i = 0; i < 6; i++)
            run.globals = run.globals << 8 | *version->globals[i];
    }
}

int main(void) {
    for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        unsigned all = 0;
        for (int i = 0; i < 9; i++)
            all += pairs[p].widths[i];
        for (unsigned long number = 0; number >> all == 0; number++) {
            unsigned long rest = number;
            unsigned v[9];
            for (int i = 0; i < 9; i++) {
                v[i] = rest & ((1u << pairs[p].widths[i]) - 1);
                rest >>= pairs[p].widths[i];
            }
            go(&pairs[p].old, v);
            struct run before = run;
            go(&pairs[p].new, v);
            int same_output = before.output == run.output && before.written == run.written;
            int same = before.kind == run.kind && before.value == run.value && before.globals == run.globals;
            putchar(same && same_output ? 0 : same && run.kind > EXITED ? 2 : 1);
        }
    }
    return 0;
}
"#;

/// Both versions in one file, under other names, and a main function that compares them.
fn text(batch: &Batch) -> String {
    let mut text = HEAD.to_owned();
    for pair in &batch.pairs {
        tree::print(&mut text, &pair.old, "old_");
        tree::print(&mut text, &pair.new, "new_");
    }
    text += "\n#undef exit\n#undef abort\nstruct version {\n    unsigned (*entry)(unsigned, unsigned, unsigned);\n    unsigned char *globals[6];\n};\n\n";
    text += "static const struct {\n    struct version old, new;\n    unsigned widths[9];\n} pairs[] = {\n";
    for pair in &batch.pairs {
        let _ = writeln!(
            text,
            "    {{{}, {}, {{{}}}}},",
            version(pair, "old_"),
            version(pair, "new_"),
            widths(pair)
        );
    }
    text + "};\n" + MAIN
}

fn version(pair: &Pair, prefix: &str) -> String {
    let number = pair.new.number;
    let mut globals: Vec<String> = (0..2).map(|index| format!("&{prefix}g{number}_{index}")).collect();
    globals.extend((0..ELEMENTS).map(|index| format!("&{prefix}t{number}[{index}]")));
    format!("{{(unsigned (*)(unsigned, unsigned, unsigned)){prefix}e{number}, {{{}}}}}", globals.join(", "))
}

fn widths(pair: &Pair) -> String {
    pair.widths().iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}
