//! Puts a call before each instruction at which a thread may do what others see.
//!
//! | before | stands |
//! |---|---|
//! | an access to memory | `incise_access(site, address, size, what is known of it)` |
//! | a function that synchronises threads | `incise_at(site)`: it stops by itself |
//! | any other call, a copy of memory, the end of a function | `incise_before_call(site)` |
//! | a function that is done in one step, as its name says | `incise_enter_atomic(site)`, and `incise_leave_atomic()` behind it |

use super::sites::{counterpart, of_instruction, of_place};
use crate::error::ReplayError;
use incise_frontend::{FunctionText, NativeText};
use incise_ir::places::{Place, places};
use incise_ir::{
    Callee, CastOp, Function, FunctionId, Id, InstructionId, Op, Operand, Program, ThreadFunction, TypeId,
};
use std::collections::BTreeSet;
use std::fmt::Write;

/// An instruction of the program that gets a call, although it is no place.
pub(crate) type Extra = (FunctionId, u32);

/// What is known of an access.
const LOCAL: u64 = 1;
const WRITES: u64 = 2;

/// How the names of functions begin that are done in one step.
const ATOMIC: &str = "__VERIFIER_atomic_";

const DECLARATIONS: &str = "
declare void @incise_access(i64, ptr, i64, i64)
declare void @incise_before_call(i64)
declare void @incise_at(i64)
declare void @incise_enter_atomic(i64)
declare void @incise_leave_atomic()
";

/// The text of each module with the calls. The error names a function whose text is not as it was explored.
pub(crate) fn instrumented(
    text: &NativeText,
    program: &Program,
    extras: &BTreeSet<Extra>,
) -> Result<Vec<Vec<u8>>, ReplayError> {
    let mut insertions: Vec<Vec<(usize, String)>> = text.modules.iter().map(|_| Vec::new()).collect();
    for function in &text.functions {
        if function.instructions.is_empty() {
            continue;
        }
        let name = || text.program.functions[function.function].name.clone();
        let id = counterpart(program, &text.program, function.function)
            .ok_or_else(|| ReplayError::OtherText(name()))?;
        let kinds = |program: &Program, id: FunctionId| -> Vec<Place> {
            places(program, &program.functions[id]).into_iter().map(|(_, place)| place).collect()
        };
        if kinds(program, id) != kinds(&text.program, function.function) {
            return Err(ReplayError::OtherText(name()));
        }
        let module = &text.modules[function.module];
        let writer = Writer { program: &text.program, module, function, id, extras };
        writer.write(&mut insertions[function.module]);
    }
    let modules = text.modules.iter().zip(insertions);
    Ok(modules.map(|(module, insertions)| with_insertions(module, insertions, DECLARATIONS)).collect())
}

/// A module with what is put into it, each at its place, and declarations behind.
pub(crate) fn with_insertions(
    module: &[u8],
    mut insertions: Vec<(usize, String)>,
    declarations: &str,
) -> Vec<u8> {
    // The order of what is put to one place stays.
    insertions.sort_by_key(|&(at, _)| at);
    let mut out = Vec::with_capacity(module.len() + insertions.len() * 64);
    let mut from = 0;
    for (at, call) in insertions {
        out.extend_from_slice(&module[from..at]);
        out.extend_from_slice(call.as_bytes());
        out.extend_from_slice(b"\n  ");
        from = at;
    }
    out.extend_from_slice(&module[from..]);
    out.extend_from_slice(declarations.as_bytes());
    out
}

struct Writer<'a> {
    /// The program of the text.
    program: &'a Program,
    module: &'a [u8],
    function: &'a FunctionText,
    /// What the function is in the program that was explored.
    id: FunctionId,
    extras: &'a BTreeSet<Extra>,
}

impl Writer<'_> {
    fn function(&self) -> &Function {
        &self.program.functions[self.function.function]
    }

    fn write(&self, out: &mut Vec<(usize, String)>) {
        let mut number = 0;
        for (id, instruction) in self.function().instructions.iter() {
            let at = self.function.instructions[id.index()].at;
            let Some(place) = incise_ir::places::place_of(self.program, &instruction.op) else {
                if self.extras.contains(&(self.id, id.index() as u32)) {
                    let site = of_instruction(self.id, id.index() as u32);
                    out.push((at, format!("call void @incise_before_call(i64 {site})")));
                }
                continue;
            };
            let site = of_place(self.id, number);
            number += 1;
            match place {
                Place::Load | Place::Store | Place::Update => out.push((at, self.access(id, site))),
                Place::Call => self.call(id, site, out),
                Place::Return if self.is_behind_tail_call(id) => {}
                Place::Return => out.push((at, format!("call void @incise_before_call(i64 {site})"))),
            }
        }
    }

    fn access(&self, id: InstructionId, site: u64) -> String {
        let op = &self.function().instructions[id].op;
        let (pointer, ty, writes) = match op {
            Op::Load { pointer, ty, .. } => (*pointer, *ty, false),
            Op::Store { pointer, value, .. } | Op::AtomicReadModifyWrite { pointer, value, .. } => {
                (*pointer, self.type_of(*value), true)
            }
            Op::CompareExchange { pointer, expected, .. } => (*pointer, self.type_of(*expected), true),
            _ => return String::new(),
        };
        let Some((from, to)) = self.function.instructions[id.index()].pointer else {
            return format!("call void @incise_before_call(i64 {site})");
        };
        let text = String::from_utf8_lossy(&self.module[from..to]).into_owned();
        let size = self.program.types.store_size(ty);
        let local = if self.is_local(pointer) { LOCAL } else { 0 };
        let what = local | if writes { WRITES } else { 0 };
        format!("call void @incise_access(i64 {site}, {text}, i64 {size}, i64 {what})")
    }

    fn type_of(&self, operand: Operand) -> TypeId {
        match operand {
            Operand::Value(value) => self.function().values[value].ty,
            Operand::Constant(constant) => self.program.constants[constant].ty,
        }
    }

    /// Whether a pointer leads to a local variable of the function: perhaps nobody else can come by it.
    fn is_local(&self, pointer: Operand) -> bool {
        let Operand::Value(mut value) = pointer else { return false };
        let function = self.function();
        // No chain is longer than there are instructions.
        for _ in 0..function.instructions.len() {
            let made = function.instructions.iter().find(|(_, each)| each.result == Some(value));
            let base = match made.map(|(_, each)| &each.op) {
                Some(Op::Alloca { .. }) => return true,
                Some(Op::ElementPointer { base, .. }) => *base,
                Some(Op::Cast { op: CastOp::Bitcast, value }) => *value,
                Some(Op::Call(call)) if matches!(call.callee, Callee::Intrinsic(_)) => {
                    match call.arguments.first() {
                        Some(&first) => first,
                        None => return false,
                    }
                }
                _ => return false,
            };
            let Operand::Value(next) = base else { return false };
            value = next;
        }
        false
    }

    fn call(&self, id: InstructionId, site: u64, out: &mut Vec<(usize, String)>) {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &self.function().instructions[id].op else { return };
        let at = self.function.instructions[id.index()].at;
        let mut text = String::new();
        let callee = match call.callee {
            Callee::Direct(callee) => Some(&self.program.functions[callee]),
            _ => None,
        };
        let atomic = callee.is_some_and(|each| each.name.starts_with(ATOMIC) && each.is_definition());
        let is_step = |name: &str| ThreadFunction::named(name).is_some_and(ThreadFunction::is_step);
        let synchronises = callee.is_some_and(|each| !each.is_definition() && is_step(&each.name));
        let what = match (atomic, synchronises) {
            (true, _) => "incise_enter_atomic",
            (_, true) => "incise_at",
            _ => "incise_before_call",
        };
        let _ = write!(text, "call void @{what}(i64 {site})");
        out.push((at, text));
        if let (true, Some(next)) = (atomic, self.function.instructions.get(id.index() + 1)) {
            out.push((next.at, "call void @incise_leave_atomic()".to_owned()));
        }
    }

    /// Nothing may stand between a tail call that must be one and the return.
    fn is_behind_tail_call(&self, id: InstructionId) -> bool {
        let before = id.index().checked_sub(1).and_then(|index| self.function.instructions.get(index));
        let here = &self.function.instructions[id.index()];
        before.is_some_and(|before| {
            let text = &self.module[before.at..here.at];
            text.windows(b"musttail".len()).any(|window| window == b"musttail")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_frontend::{Compilation, Sources, native_text};
    use std::sync::atomic::AtomicBool;

    const TEXT: &str = "\
@x = global i32 0
define i32 @f(i32 %n) {
entry:
  %own = alloca i32
  store i32 %n, ptr %own
  %0 = atomicrmw add ptr @x, i32 1 seq_cst
  %1 = sdiv i32 1, %n
  %2 = call i32 @pthread_mutex_lock(ptr @x)
  %3 = call i32 @other()
  call void @__VERIFIER_atomic_g()
  ret i32 %1
}
define void @__VERIFIER_atomic_g() {
  ret void
}
declare i32 @pthread_mutex_lock(ptr)
declare i32 @other()
";

    fn text() -> NativeText {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.ll");
        std::fs::write(&file, TEXT).unwrap();
        let sources = Sources::new(&[file], &Compilation::default());
        native_text(&sources, folder.path(), &[], &AtomicBool::new(false)).unwrap()
    }

    #[test]
    fn a_call_stands_before_what_others_may_see() {
        let text = text();
        let f = text.program.function_named("f").unwrap();
        let extras = BTreeSet::from([(f, 3)]);
        let modules = instrumented(&text, &text.program, &extras).unwrap();
        let module = String::from_utf8(modules[0].clone()).unwrap();
        let lines: Vec<&str> = module.lines().map(str::trim).collect();
        let before = |start: &str| {
            let at = lines.iter().position(|line| line.starts_with(start)).unwrap();
            lines[at - 1].split("(i64").next().unwrap()
        };
        assert_eq!(before("store i32 %n"), "call void @incise_access");
        assert_eq!(before("%0 = atomicrmw"), "call void @incise_access");
        assert_eq!(before("%1 = sdiv"), "call void @incise_before_call");
        assert_eq!(before("%2 = call"), "call void @incise_at");
        assert_eq!(before("%3 = call"), "call void @incise_before_call");
        assert_eq!(before("call void @__VERIFIER_atomic_g"), "call void @incise_enter_atomic");
        assert_eq!(before("ret i32"), "call void @incise_before_call");
        assert!(
            module.contains("ptr %own, i64 4, i64 3)") && module.contains("ptr @x, i64 4, i64 2)"),
            "{module}"
        );
        assert!(module.contains("call void @incise_leave_atomic()\n"), "{module}");
    }

    #[test]
    fn a_function_that_is_not_as_it_was_explored_is_refused() {
        let (text, mut explored) = (text(), text().program);
        let f = explored.function_named("f").unwrap();
        let first = explored.functions[f].instructions.ids().nth(1).unwrap();
        explored.functions[f].instructions[first].op = Op::Unreachable;
        let refused = instrumented(&text, &explored, &BTreeSet::new());
        assert!(matches!(refused, Err(ReplayError::OtherText(name)) if name == "f"));
    }
}
