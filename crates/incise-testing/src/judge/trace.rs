//! One version of a batch with marks, compiled so that it records what it does.

use super::build;
use crate::batch::{Batch, Input, Pair};
use crate::native::{Native, TRACED};
use std::fmt::Write;
use std::path::Path;

/// The parameters of a call as the judge's program reads them.
const MOST_PARAMETERS: usize = 3;
/// The most numbers in global variables.
const MOST_GLOBALS: usize = 8;

/// What control came to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// A statement, before anything of it is executed: its line, and which statement of the line it is, counted as in
    /// the function's graph.
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
    /// A division by zero, an index out of bounds or a null pointer on this line.
    Failed(u32),
    /// `abort` on this line.
    Aborted(u32),
    /// `exit` on this line with this status.
    Exited(u32, i32),
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it came to.
    pub trace: Vec<Mark>,
    /// How it ended.
    pub end: End,
    /// What it left in the global variables of its program.
    pub globals: Vec<i32>,
}

impl Run {
    /// Whether two runs are the same to whoever calls the entry, wherever its lines are.
    pub fn same_behaviour(&self, other: &Self) -> bool {
        let ends_alike = match (self.end, other.end) {
            (End::Returned(left), End::Returned(right)) => left == right,
            (End::Failed(_), End::Failed(_)) | (End::Aborted(_), End::Aborted(_)) => true,
            (End::Exited(_, left), End::Exited(_, right)) => left == right,
            _ => false,
        };
        ends_alike && self.globals == other.globals
    }
}

/// One version of a batch, compiled.
pub struct Trace {
    native: Native,
    /// For each program, how many parameters and global numbers it has.
    counts: Vec<(usize, usize)>,
}

impl Trace {
    /// Compiles the text of a version in a folder; `name` tells it from the other version there.
    pub fn build(folder: &Path, name: &str, batch: &Batch, text: &str) -> Result<Self, String> {
        let path = folder.join(format!("{name}.c"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        let main = main_program(&format!("{name}.c"), &batch.pairs);
        let native = build(folder, &format!("{name}-judge"), &TRACED, &main)?;
        let counts = batch.pairs.iter().map(|pair| (pair.parameters().len(), pair.global_numbers().len()));
        Ok(Self { native, counts: counts.collect() })
    }

    /// Runs entries, given by their numbers in the batch, with inputs.
    pub fn run(&self, calls: &[(usize, Input)]) -> Result<Vec<Run>, String> {
        let mut words: Vec<i32> = Vec::new();
        for (number, Input { parameters, globals }) in calls {
            assert_eq!((parameters.len(), globals.len()), self.counts[*number], "the inputs of e{number}");
            let padded = |values: &[i32], count: usize| -> Vec<i32> {
                values.iter().copied().chain(std::iter::repeat(0)).take(count).collect()
            };
            words.push(*number as i32);
            words.extend(padded(parameters, MOST_PARAMETERS));
            words.extend(padded(globals, MOST_GLOBALS));
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let output = self.native.run(&[], &bytes)?;
        let words = output.stdout.chunks_exact(4);
        let mut words = words.map(|word| i32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        let cut = |number: &usize, input: &Input| {
            format!("e{number} with {input:?}: it ended with {}", output.status)
        };
        calls
            .iter()
            .map(|(number, input)| read(&mut words, self.counts[*number].1).ok_or_else(|| cut(number, input)))
            .collect()
    }
}

fn read(words: &mut impl Iterator<Item = i32>, globals: usize) -> Option<Run> {
    let (kind, value, line, count) = (words.next()?, words.next()?, words.next()? as u32, words.next()?);
    let trace = (0..count).map(|_| {
        let word = words.next()? as u32;
        Some(match word & 15 {
            15 => Mark::Enter(word >> 4),
            14 => Mark::Leave,
            part => Mark::Statement(word >> 4, part),
        })
    });
    let trace = trace.collect::<Option<_>>()?;
    let mut left = (0..MOST_GLOBALS).map(|_| words.next()).collect::<Option<Vec<i32>>>()?;
    left.truncate(globals);
    let end = match kind {
        0 => End::Returned(value),
        1 => End::Exited(line, value),
        2 => End::Aborted(line),
        _ => End::Failed(line),
    };
    Some(Run { trace, end, globals: left })
}

/// A function with a case for each program.
fn by_program(head: &str, pairs: &[Pair], case: impl Fn(&Pair) -> String) -> String {
    let mut text = format!("static {head} {{\n    switch (program) {{\n");
    for (number, pair) in pairs.iter().enumerate() {
        let _ = writeln!(text, "    case {number}: {}", case(pair));
    }
    text + "    }\n    return 0;\n}\n\n"
}

fn main_program(text: &str, pairs: &[Pair]) -> String {
    let moves = |pair: &Pair, into: bool| -> String {
        let names = pair.global_numbers().into_iter().enumerate();
        let moved = names.map(|(index, name)| match into {
            true => format!("{name} = v[{index}]; "),
            false => format!("v[{index}] = {name}; "),
        });
        moved.collect::<String>() + "break;"
    };
    let call = |pair: &Pair| {
        let values: Vec<String> = (0..pair.parameters().len()).map(|index| format!("v[{index}]")).collect();
        format!("return {}({});", pair.entry(), values.join(", "))
    };
    let before = by_program("int before(int program, const int *v)", pairs, |pair| moves(pair, true));
    let after = by_program("int after(int program, int *v)", pairs, |pair| moves(pair, false));
    let call = by_program("int call(int program, const int *v)", pairs, call);
    format!(
        "#include \"{text}\"

{before}{after}{call}int main(void) {{
    int v[{inputs}], left[{MOST_GLOBALS}] = {{0}};
    while (fread(v, sizeof v, 1, stdin) == 1) {{
        before(v[0], v + {});
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
        1 + MOST_PARAMETERS,
        inputs = 1 + MOST_PARAMETERS + MOST_GLOBALS
    )
}
