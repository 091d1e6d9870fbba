//! The models of the C library that a program needs.

use crate::error::FrontendError;
use incise_ir::{
    Callee, ConstantKind, DebugType, Function, Global, Linkage, Op, Operand, Program, Symbol, ValueId,
};
use incise_llvm::Models;
use std::collections::BTreeSet;

/// The function that `errno` is a call of.
const ERRNO_LOCATION: &str = "__errno_location";

/// Adds the models of what the program uses and does not define.
pub(crate) fn add_models(
    program: &mut Program,
    required_model: fn(&str) -> Option<&'static str>,
) -> Result<(), FrontendError> {
    let required: BTreeSet<&str> = missing(program).iter().filter_map(|name| required_model(name)).collect();
    for name in required {
        declare(program, name);
    }
    // Streams can be inputs where there is such a type.
    let is_stream = |ty: &DebugType| matches!(ty, DebugType::Composite { name, .. } if name == "_IO_FILE");
    if program.debug_types.iter().any(|(_, ty)| is_stream(ty)) {
        declare(program, "__incise_streams");
    }
    let text = incise_libc::select(missing(program).iter().map(String::as_str));
    if !text.is_empty() {
        let models = Models::scan("the models of the C library", text.as_bytes())?;
        incise_llvm::link_models(program, &models).map_err(FrontendError::Models)?;
    }
    name_errno(program);
    Ok(())
}

/// A program that looks at `errno` finds there what its caller left. One that sets it tells its callers something by
/// it, so that it is a variable of the program like others. To make it zero is no message: that is done before a call
/// of the C library whose error is asked for.
fn name_errno(program: &mut Program) {
    let Some(errno) = program.global_named(Global::ERRNO) else { return };
    let (mut used, mut set) = (false, false);
    for (_, function) in program.functions.iter().filter(|(_, function)| !function.model) {
        let is_location = |op: &Op| match op {
            Op::Call(call) => matches!(call.callee, Callee::Direct(callee)
                if program.functions[callee].name == ERRNO_LOCATION),
            _ => false,
        };
        let results = function.instructions.iter().filter(|(_, instruction)| is_location(&instruction.op));
        let results: BTreeSet<ValueId> = results.filter_map(|(_, instruction)| instruction.result).collect();
        used |= !results.is_empty();
        set |= function.instructions.iter().any(|(_, instruction)| match &instruction.op {
            Op::Store { value, pointer: Operand::Value(pointer), .. } if results.contains(pointer) => {
                !is_zero(program, *value)
            }
            _ => false,
        });
    }
    if used {
        program.globals[errno].source_name = Some("errno".to_owned());
        program.globals[errno].model = !set;
    }
}

/// Of two versions both have `errno` if one of them looks at it or sets it: what the other leaves there is compared.
pub(crate) fn share_errno(
    (one, other): (&mut Program, &mut Program),
    required_model: fn(&str) -> Option<&'static str>,
) -> Result<(), FrontendError> {
    let shown = |program: &Program| {
        let errno = program.global_named(Global::ERRNO).map(|id| program.globals[id].clone());
        errno.filter(Global::is_errno_of_program)
    };
    let (first, second) = (shown(one), shown(other));
    for (errno, to) in [(first, other), (second, one)] {
        let Some(errno) = errno else { continue };
        if to.global_named(Global::ERRNO).is_none() {
            declare(to, ERRNO_LOCATION);
            add_models(to, required_model)?;
        }
        if let Some(id) = to.global_named(Global::ERRNO) {
            let theirs = &mut to.globals[id];
            theirs.model &= errno.model;
            theirs.source_name = errno.source_name;
        }
    }
    Ok(())
}

fn is_zero(program: &Program, operand: Operand) -> bool {
    let Operand::Constant(constant) = operand else { return false };
    matches!(program.constants[constant].kind, ConstantKind::Integer(0) | ConstantKind::Zero)
}

/// Adds the declaration of a model that the executor calls by itself.
fn declare(program: &mut Program, name: &str) {
    if program.symbols.contains_key(name) {
        return;
    }
    let result = program.types.integer(32);
    let function = Function { model: true, ..Function::declaration(name, Linkage::External, result) };
    let function = program.functions.push(function);
    program.symbols.insert(name.to_owned(), Symbol::Function(function));
}

/// The names that the program uses and does not define.
fn missing(program: &Program) -> Vec<String> {
    let functions = program.functions.iter().filter(|(_, function)| !function.is_definition());
    let globals = program.globals.iter().filter(|(_, global)| global.initializer.is_none());
    let mut names: Vec<String> = functions.map(|(_, function)| function.name.clone()).collect();
    names.extend(globals.map(|(_, global)| global.name.clone()));
    names
}
