//! The judge: the same text compiled natively, so that it records what it does. It shares nothing with the engine but
//! clang.

use super::{Batch, GLOBALS, Input, Pair};
use crate::native::{Native, TRACED};
use std::fmt::Write;
use std::path::Path;

/// The parameters of a call as the judge's program reads them.
const MOST_PARAMETERS: usize = 3;

/// A point that control came to. It is reached before anything of the statement is executed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Visit {
    /// The line of the statement.
    pub line: u32,
    /// Which statement of the line, counted as in the function's graph.
    pub part: u32,
}

/// How a call ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// It returned this.
    Returned(i32),
    /// A division by zero, an index out of bounds or a null pointer on this line.
    Failed(u32),
    /// `abort` on this line.
    Aborted(u32),
    /// `exit` on this line with this status.
    Exited(u32, i32),
}

/// What a call did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The statements that it came to, those of helpers included.
    pub trace: Vec<Visit>,
    /// How it ended.
    pub end: End,
    /// What it left in [`GLOBALS`].
    pub globals: Vec<i32>,
}

impl Run {
    /// Whether two runs are the same to whoever calls the function, wherever its lines are.
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
pub struct NativeJudge {
    native: Native,
    parameters: Vec<usize>,
}

impl NativeJudge {
    /// Compiles the text of a version in a folder; `name` tells it from the other version there.
    pub fn build(folder: &Path, name: &str, batch: &Batch, text: &str) -> Result<Self, String> {
        let write = |file: &str, text: &str| {
            let path = folder.join(file);
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
        };
        write("judge.h", include_str!("judge.h"))?;
        write(&format!("{name}.c"), text)?;
        let main = main_program(&format!("{name}.c"), &batch.functions);
        let native = Native::build(folder, &format!("{name}-judge"), &TRACED, &main)?;
        let parameters = batch.functions.iter().map(|pair| pair.parameters.len()).collect();
        Ok(Self { native, parameters })
    }

    /// Runs calls of functions, given by their numbers in the batch.
    pub fn run(&self, calls: &[(usize, Input)]) -> Result<Vec<Run>, String> {
        let mut words: Vec<i32> = Vec::new();
        for (function, input) in calls {
            assert_eq!(input.parameters.len(), self.parameters[*function], "the parameters of f{function}");
            assert_eq!(input.globals.len(), GLOBALS.len(), "the globals");
            words.push(*function as i32);
            words.extend((0..MOST_PARAMETERS).map(|index| input.parameters.get(index).copied().unwrap_or(0)));
            words.extend(&input.globals);
        }
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        let output = self.native.output(&[], &bytes)?;
        let words = output.chunks_exact(4);
        let mut words = words.map(|word| i32::from_ne_bytes([word[0], word[1], word[2], word[3]]));
        calls
            .iter()
            .map(|(function, _)| read(&mut words).ok_or_else(|| format!("f{function}: the record is cut")))
            .collect()
    }
}

fn read(words: &mut impl Iterator<Item = i32>) -> Option<Run> {
    let (kind, value, line, count) = (words.next()?, words.next()?, words.next()? as u32, words.next()?);
    let mut trace = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let word = words.next()? as u32;
        trace.push(Visit { line: word >> 4, part: word & 15 });
    }
    let mut globals = Vec::with_capacity(GLOBALS.len());
    for _ in GLOBALS {
        globals.push(words.next()?);
    }
    let end = match kind {
        0 => End::Returned(value),
        1 => End::Failed(line),
        2 => End::Aborted(line),
        3 => End::Exited(line, value),
        _ => return None,
    };
    Some(Run { trace, end, globals })
}

fn main_program(text: &str, functions: &[Pair]) -> String {
    let mut main = format!(
        "#include \"{text}\"\n\nstatic int call(int function, const int *v) {{\n    switch (function) {{\n"
    );
    for (number, pair) in functions.iter().enumerate() {
        let values: Vec<String> = (0..pair.parameters.len()).map(|index| format!("v[{index}]")).collect();
        let _ = writeln!(main, "    case {number}: return {}({});", pair.name, values.join(", "));
    }
    main.push_str("    }\n    return 0;\n}\n\n");
    let (inputs, globals) = (1 + MOST_PARAMETERS + GLOBALS.len(), GLOBALS.len());
    let set = GLOBALS.iter().enumerate();
    let set: String =
        set.map(|(index, name)| format!("{name} = v[{}]; ", 1 + MOST_PARAMETERS + index)).collect();
    let _ = write!(
        main,
        "int main(void) {{
    int v[{inputs}];
    while (fread(v, sizeof v, 1, stdin) == 1) {{
        {set}
        judge.count = 0;
        if (setjmp(judge.out) == 0) {{
            judge.value = call(v[0], v + 1);
            judge.kind = RETURNED;
            judge.line = 0;
        }}
        int head[4] = {{judge.kind, judge.value, judge.line, judge.count}};
        int left[{globals}] = {{{}}};
        fwrite(head, sizeof head, 1, stdout);
        fwrite(judge.visits, sizeof *judge.visits, judge.count, stdout);
        fwrite(left, sizeof left, 1, stdout);
    }}
    return 0;
}}
",
        GLOBALS.join(", ")
    );
    main
}
