//! Which functions start threads.

use super::native::STARTS;
use incise_ir::{Callee, FunctionId, Id, Op, Program};

/// Whether a function starts threads, or calls one by its name that does.
pub fn starts_threads(program: &Program, entry: FunctionId) -> bool {
    let mut seen = vec![false; program.functions.len()];
    let mut work = vec![entry];
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        let function = &program.functions[id];
        if !function.is_definition() {
            if STARTS.contains(&function.name.as_str()) {
                return true;
            }
            continue;
        }
        for (_, instruction) in function.instructions.iter() {
            if let Op::Call(call) = &instruction.op
                && let Callee::Direct(callee) = call.callee
            {
                work.push(callee);
            }
        }
    }
    false
}
