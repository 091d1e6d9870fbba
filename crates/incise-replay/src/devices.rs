//! Native runs of programs with devices, or with volatile variables that others change.
//!
//! The program is built from the text that was explored, with a call of `runtime/incise_device.c` before each volatile
//! load and store, and one behind each store, by which the value is known. Where nobody else changes variables, the
//! runtime leaves those alone.

use crate::error::ReplayError;
use crate::threads::{counterpart, with_insertions};
use incise_frontend::{FunctionText, NativeText};
use incise_ir::{Id, InstructionId, Op, Program, variable_number, volatile_accesses};

const DECLARATIONS: &str = "
declare void @incise_volatile(ptr, i64, i64, i64)
declare void @incise_volatile_done()
";

/// What the runtime is told of an access.
const WRITES: u64 = 1;
/// That it is left alone if it is one of a variable.
const NOT_SHARED: u64 = 2;

/// The text of each module with the calls. The error names a function whose text is not as it was explored.
pub(super) fn instrumented(
    text: &NativeText,
    program: &Program,
    variables: bool,
) -> Result<Vec<Vec<u8>>, ReplayError> {
    let mut insertions: Vec<Vec<(usize, String)>> = text.modules.iter().map(|_| Vec::new()).collect();
    for function in text.functions.iter().filter(|function| !function.instructions.is_empty()) {
        let here = &text.program.functions[function.function];
        let other = || ReplayError::OtherText(here.name.clone());
        let id = counterpart(program, &text.program, function.function).ok_or_else(other)?;
        // Checks of sanitizers hand addresses on, so that only what was explored tells which nobody else has.
        let (explored, accesses) = (volatile_accesses(&program.functions[id]), volatile_accesses(here));
        if explored.len() != accesses.len() {
            return Err(other());
        }
        for ((_, own), (access, _)) in explored.into_iter().zip(accesses) {
            let shared = variables && !own;
            tell(text, function, access, shared, &mut insertions[function.module]);
        }
    }
    let modules = text.modules.iter().zip(insertions);
    Ok(modules.map(|(module, insertions)| with_insertions(module, insertions, DECLARATIONS)).collect())
}

/// Puts the calls of one access.
fn tell(
    text: &NativeText,
    function: &FunctionText,
    access: InstructionId,
    shared: bool,
    out: &mut Vec<(usize, String)>,
) {
    let here = &text.program.functions[function.function];
    let (pointer, ty, writes) = match &here.instructions[access].op {
        Op::Load { pointer, ty, .. } => (*pointer, *ty, false),
        Op::Store { pointer, value, .. } => (*pointer, text.program.operand_type(here, *value), true),
        _ => return,
    };
    let place = &function.instructions[access.index()];
    let Some((from, to)) = place.pointer else { return };
    let address = String::from_utf8_lossy(&text.modules[function.module][from..to]).into_owned();
    let size = text.program.types.store_size(ty);
    let what = if writes { WRITES } else { 0 } | if shared { 0 } else { NOT_SHARED };
    let number = variable_number(&text.program, pointer);
    out.push((
        place.at,
        format!("call void @incise_volatile({address}, i64 {size}, i64 {what}, i64 {})", number as i64),
    ));
    // A store is never the last instruction of a block.
    if let Some(next) = function.instructions.get(access.index() + 1).filter(|_| writes) {
        out.push((next.at, "call void @incise_volatile_done()".to_owned()));
    }
}
