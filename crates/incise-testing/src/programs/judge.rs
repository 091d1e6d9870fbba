//! The judge: the same text compiled natively, so that it records what it does. It shares nothing with the engine but
//! clang.

use super::{Batch, Input};
use crate::native::{Native, TRACED};
use std::fmt::Write;
use std::path::Path;

/// What control came to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// A statement, before anything of it is executed: its line, and which statement of the line it is.
    Statement(u32, u32),
    /// A function that begins on a line.
    Enter(u32),
    /// The end of the function that was entered last.
    Leave,
}

/// How a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The entry returned this.
    Returned(i32),
    /// A division by zero, an index out of bounds or a null pointer.
    Failed,
    /// `abort`.
    Aborted,
    /// `exit` with this status.
    Exited(i32),
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it came to.
    pub trace: Vec<Mark>,
    /// How it ended.
    pub end: End,
    /// What it left in the globals of its program.
    pub globals: Vec<i32>,
}

impl Run {
    /// Whether two runs are the same to whoever calls the entry.
    pub fn same_behaviour(&self, other: &Self) -> bool {
        self.end == other.end && self.globals == other.globals
    }
}

/// Runs the entries of a version of a batch, each with its inputs, and says what they did in the same order.
pub fn judge(
    folder: &Path,
    name: &str,
    batch: &Batch,
    text: &str,
    inputs: &[Vec<Input>],
) -> Result<Vec<Vec<Run>>, String> {
    let native = build(folder, name, batch, text)?;
    let mut words: Vec<i32> = Vec::new();
    for (number, inputs) in inputs.iter().enumerate() {
        for input in inputs {
            words.push(number as i32);
            words.extend(input.parameters);
            words.extend(input.globals);
        }
    }
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let output = native.run(&[], &bytes)?;
    let words = output.stdout.chunks_exact(4);
    let mut words = words.map(|word| i32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
    let mut all = Vec::new();
    for (number, inputs) in inputs.iter().enumerate() {
        let runs = inputs.iter().map(|input| {
            read(&mut words).ok_or_else(|| {
                format!("e{number} with {input:?}: no record, it ended with {}", output.status)
            })
        });
        all.push(runs.collect::<Result<Vec<Run>, String>>()?);
    }
    Ok(all)
}

fn read(words: &mut impl Iterator<Item = i32>) -> Option<Run> {
    let (kind, value, _, count) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let mut trace = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let word = words.next()? as u32;
        trace.push(match word & 15 {
            15 => Mark::Enter(word >> 4),
            14 => Mark::Leave,
            part => Mark::Statement(word >> 4, part),
        });
    }
    let mut globals = Vec::with_capacity(super::GLOBALS);
    for _ in 0..super::GLOBALS {
        globals.push(words.next()?);
    }
    let end = match kind {
        0 => End::Returned(value),
        1 => End::Failed,
        2 => End::Aborted,
        3 => End::Exited(value),
        _ => return None,
    };
    Some(Run { trace, end, globals })
}

fn build(folder: &Path, name: &str, batch: &Batch, text: &str) -> Result<Native, String> {
    for (file, text) in
        [("judge.h".to_owned(), include_str!("../pairs/judge.h")), (format!("{name}.c"), text)]
    {
        let path = folder.join(file);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let main = main_program(&format!("{name}.c"), batch.programs.len());
    Native::build(folder, &format!("{name}-judge"), &TRACED, &main)
}

fn main_program(text: &str, programs: usize) -> String {
    let globals = super::GLOBALS;
    let mut main = format!("#include \"{text}\"\n\n");
    for (function, body) in [("before", true), ("after", false)] {
        let _ = writeln!(main, "static void {function}(int program, int *v) {{\n    switch (program) {{");
        for number in 0..programs {
            let names = super::global_names(number);
            let moves = names.iter().enumerate().map(|(index, name)| match body {
                true => format!("{name} = v[{index}]; "),
                false => format!("v[{index}] = {name}; "),
            });
            let _ = writeln!(main, "    case {number}: {}break;", moves.collect::<String>());
        }
        main.push_str("    }\n}\n\n");
    }
    main.push_str("static int call(int program, const int *v) {\n    switch (program) {\n");
    for number in 0..programs {
        let _ = writeln!(main, "    case {number}: return e{number}(v[0], v[1], v[2]);");
    }
    let _ = write!(
        main,
        "    }}
    return 0;
}}

int main(void) {{
    int v[{inputs}], left[{globals}];
    while (fread(v, sizeof v, 1, stdin) == 1) {{
        before(v[0], v + 4);
        judge.count = 0;
        run++;
        if (setjmp(judge.out) == 0) {{
            judge.value = call(v[0], v + 1);
            judge.kind = RETURNED;
            judge.line = 0;
        }}
        int head[4] = {{judge.kind, judge.value, judge.line, judge.count}};
        after(v[0], left);
        fwrite(head, sizeof head, 1, stdout);
        fwrite(judge.visits, sizeof *judge.visits, judge.count, stdout);
        fwrite(left, sizeof left, 1, stdout);
        fflush(stdout);
    }}
    return 0;
}}
",
        inputs = 4 + globals
    );
    main
}
