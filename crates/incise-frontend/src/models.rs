//! The models of the C library that a program needs.

use crate::error::FrontendError;
use incise_ir::{DebugType, Function, Linkage, Program, Symbol};
use incise_llvm::Models;
use std::collections::BTreeSet;

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
    Ok(())
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
