//! Random programs with threads, an interpreter that tries every order of their operations and knows nothing of the
//! engine, and changes of such programs.

mod case;
mod interpreter;
mod mutate;
mod order;

pub use case::{Case, Condition, ELEMENTS, INPUTS, Lines, Op, Text, Variable};
pub use interpreter::{End, Ending, Interpreter, Trace};
pub use mutate::mutated;
pub use order::Event;

use incise_exec::{ErrorKind, Outcome, Path};

/// What an execution of the program with that number left behind, in the words of the interpreter.
pub fn end_of(path: &Path, case: &Case, number: usize) -> Result<End, String> {
    let ending = match &path.outcome {
        Outcome::Returned => Ending::Done,
        Outcome::Exited { status: 7 } => Ending::Exited,
        Outcome::Error(error) if error.kind == ErrorKind::Assertion => {
            let digits: String = error.message.chars().filter(char::is_ascii_digit).collect();
            Ending::Failed(digits.parse().map_err(|_| format!("an assertion without a number: {error:?}"))?)
        }
        Outcome::Error(error) if matches!(error.kind, ErrorKind::Deadlock | ErrorKind::EndlessWait) => {
            Ending::Stuck
        }
        other => return Err(format!("a path ends with {other:?}")),
    };
    let single = |name: &str| numbers(path, &format!("{name}_{number}"), 1, 4);
    let mut memory: Vec<i32> = ["v0", "v1", "p0", "p1"].iter().flat_map(|name| single(name)).collect();
    memory.extend(numbers(path, &format!("a_{number}"), ELEMENTS, 4));
    let returned = match ending == Ending::Done && case.joins() {
        true => numbers(path, &format!("o_{number}"), case.threads.len(), 8).split_off(1),
        false => Vec::new(),
    };
    Ok(End { ending, memory, returned })
}

fn numbers(path: &Path, name: &str, count: usize, size: usize) -> Vec<i32> {
    let found = path.finals.iter().find(|value| value.name == name);
    let bytes = found.map_or_else(|| vec![0; count * size], |value| value.bytes.clone());
    let number = |bytes: &[u8]| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    bytes.chunks(size).map(number).collect()
}
