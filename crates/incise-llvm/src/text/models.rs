//! Library models: definitions that are added to a program only where it needs them.
//!
//! The text of the models is scanned once; then a program takes from it the functions and variables that it declares
//! and does not define, and what those need in turn. A definition of the program always wins over a model's. What a
//! model keeps to itself (its `static` symbols) never gets a name in the program's table, so it cannot clash with the
//! user's names.

use super::builder::Builder;
use super::failure::Parse;
use super::link::{ModuleText, is_reserved, new_target, read_error, scan_module, target_symbol};
use super::reader::{ModuleState, Reader, SymbolTarget};
use super::scan::{Module, ModuleSymbolKind};
use crate::ReadError;
use incise_ir::{Linkage, Program, Symbol};
use rustc_hash::FxHashMap;

/// The scanned text of a library of models.
pub struct Models<'a> {
    module: Module<'a>,
    /// The external definitions by name.
    definitions: FxHashMap<String, usize>,
}

impl<'a> Models<'a> {
    /// Scans LLVM IR text for what it defines.
    pub fn scan(name: &'a str, text: &'a [u8]) -> Result<Self, ReadError> {
        let module = scan_module(&ModuleText { name, text })?;
        let symbols = module.symbols.iter().enumerate();
        let definitions = symbols
            .filter(|(_, symbol)| {
                symbol.linkage != Linkage::Internal && symbol.is_definition() && !is_reserved(symbol)
            })
            .map(|(number, symbol)| (symbol.name(), number))
            .collect();
        Ok(Self { module, definitions })
    }

    /// Whether the models define a function or variable of that name.
    pub fn defines(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }
}

/// Adds to a program the models of what it declares and does not define.
///
/// # Errors
///
/// If the text of the models is broken; the program is then left without some of its parts and must not be used.
pub fn link_models(program: &mut Program, models: &Models<'_>) -> Result<(), ReadError> {
    let mut builder = Builder::new(std::mem::replace(program, Program::new(16)));
    let mut state = ModuleState::new(&models.module, true);
    let mut reader = Reader::new(&models.module, &mut state, &mut builder);
    let result = reader.link_needed(&models.definitions);
    builder.resolve_block_addresses();
    *program = builder.program;
    result.map_err(|failure| read_error(&models.module, *failure))
}

impl Reader<'_, '_> {
    /// Reads the definitions that the program lacks, and what they need.
    fn link_needed(&mut self, definitions: &FxHashMap<String, usize>) -> Parse<()> {
        for (id, function) in self.builder.program.functions.iter() {
            let missing = !function.is_definition() && function.linkage != Linkage::Internal;
            let symbol = if missing { definitions.get(&function.name).copied() } else { None };
            if let Some(symbol) = symbol.filter(|&symbol| self.module.symbols[symbol].is_function()) {
                self.state.targets[symbol] = SymbolTarget::Function(id);
                self.state.queue.push_back(symbol);
            }
        }
        for (id, global) in self.builder.program.globals.iter() {
            let missing = global.initializer.is_none() && global.linkage != Linkage::Internal;
            let symbol = if missing { definitions.get(&global.name).copied() } else { None };
            if let Some(symbol) = symbol.filter(|&symbol| self.module.symbols[symbol].is_variable()) {
                self.state.targets[symbol] = SymbolTarget::Global(id);
                self.state.queue.push_back(symbol);
            }
        }
        while let Some(symbol) = self.state.queue.pop_front() {
            match self.state.targets[symbol] {
                SymbolTarget::Function(id) => self.function(symbol, id)?,
                SymbolTarget::Global(id) => self.global(symbol, id)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Decides what a symbol of the models stands for when something first refers to it.
    pub(super) fn assign_model_target(&mut self, number: usize) {
        let symbol = &self.module.symbols[number];
        let shared = symbol.linkage != Linkage::Internal && !is_reserved(symbol);
        if let Some(target) = if shared { self.program_target(&symbol.name()) } else { None } {
            self.state.targets[number] = target.clone();
            // The program only declares it, so the model provides it under the id that the program uses.
            if symbol.is_definition() && self.is_declaration(&target) {
                self.state.queue.push_back(number);
            }
            return;
        }
        // Set first, so that an alias that stands for itself comes to an end.
        self.state.targets[number] = SymbolTarget::Nothing;
        let target = match symbol.kind {
            ModuleSymbolKind::Alias { target } => {
                let constant =
                    self.nested(|reader| reader.elsewhere(target, |reader| reader.alias_target(target)));
                constant.ok().flatten().map_or(SymbolTarget::Nothing, SymbolTarget::Constant)
            }
            _ => new_target(symbol, self.builder),
        };
        if matches!(target, SymbolTarget::Function(_) | SymbolTarget::Global(_)) {
            self.state.queue.push_back(number);
        }
        if let Some(found) = if shared { target_symbol(&target, &self.builder.program) } else { None } {
            self.builder.program.symbols.entry(symbol.name()).or_insert(found);
        }
        self.state.targets[number] = target;
    }

    /// What the program has under an external name.
    fn program_target(&self, name: &str) -> Option<SymbolTarget> {
        let program = &self.builder.program;
        match *program.symbols.get(name)? {
            Symbol::Function(id) if program.functions[id].linkage != Linkage::Internal => {
                Some(SymbolTarget::Function(id))
            }
            Symbol::Global(id) if program.globals[id].linkage != Linkage::Internal => {
                Some(SymbolTarget::Global(id))
            }
            Symbol::Alias(constant) => Some(SymbolTarget::Constant(constant)),
            _ => None,
        }
    }

    fn is_declaration(&self, target: &SymbolTarget) -> bool {
        match *target {
            SymbolTarget::Function(id) => !self.builder.program.functions[id].is_definition(),
            SymbolTarget::Global(id) => self.builder.program.globals[id].initializer.is_none(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link;

    const MODELS: &str = "
        @hidden = internal global i32 7
        @errno_storage = global i32 0
        @unused = global i32 1
        define i64 @strlen(ptr %s) {
          %r = call i64 @helper(ptr %s)
          ret i64 %r
        }
        define internal i64 @helper(ptr %s) {
          %v = load i32, ptr @hidden
          store i32 %v, ptr @errno_storage
          %x = call i32 @user_function(i32 1)
          ret i64 0
        }
        define void @never_needed() {
          ret void
        }
        declare i32 @user_function(i32)
        define i32 @abs(i32 %x) {
          ret i32 %x
        }
    ";

    fn linked(user: &str) -> Program {
        let mut program =
            link(&[ModuleText { name: "user", text: user.as_bytes() }]).expect("the module is right");
        let models = Models::scan("models", MODELS.as_bytes()).expect("the models are right");
        link_models(&mut program, &models).expect("the models are right");
        program
    }

    #[test]
    fn only_what_is_needed_is_taken() {
        let program = linked(
            "declare i64 @strlen(ptr)
             define i32 @abs(i32 %x) { ret i32 5 }
             define internal void @helper() { ret void }
             define i64 @f(ptr %s) { %r = call i64 @strlen(ptr %s) ret i64 %r }",
        );
        let function = |name| program.function_named(name).map(|id| &program.functions[id]);
        assert!(function("strlen").is_some_and(|strlen| strlen.model && strlen.is_definition()));
        assert!(function("abs").is_some_and(|abs| !abs.model), "the user's definition wins");
        assert!(function("helper").is_some_and(|helper| !helper.model), "a model's helper takes no name");
        assert!(function("never_needed").is_none());
        assert!(function("user_function").is_some_and(|function| !function.is_definition()));
        let names: Vec<_> = program.globals.iter().map(|(_, global)| global.name.as_str()).collect();
        assert_eq!(names, ["hidden", "errno_storage"]);
        assert!(program.global_named("hidden").is_none());
        assert!(program.global_named("errno_storage").is_some());
    }

    #[test]
    fn a_model_calls_the_users_function() {
        let program = linked(
            "declare i64 @strlen(ptr)
             define i32 @user_function(i32 %x) { ret i32 %x }
             define i64 @f(ptr %s) { %r = call i64 @strlen(ptr %s) ret i64 %r }",
        );
        let user_functions =
            program.functions.iter().filter(|(_, function)| function.name == "user_function");
        assert_eq!(user_functions.count(), 1);
    }
}
