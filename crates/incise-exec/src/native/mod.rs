//! Functions of the C library, and of the conventions for symbolic inputs, that the engine does itself.
//!
//! They stand in only where the program has a declaration and no body. What can be written in C is a model in
//! `incise-libc` instead. A native function makes all its decisions before it changes anything (see `machine.rs`).

mod float_text;
mod format;
mod math;
mod memory;
mod output;
mod process;
mod symbolic;
mod world;

pub(crate) use format::Conversion;
pub use format::render;
pub use output::required_model;

use crate::engine::code::CallCode;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use incise_ir::{FunctionId, Id, Program};

/// A call to a native function.
pub(crate) struct NativeCall<'c> {
    pub(crate) function: FunctionId,
    pub(crate) arguments: Vec<Value>,
    pub(crate) call: &'c CallCode,
}

impl NativeCall<'_> {
    /// An argument; one that is missing is undefined.
    pub(crate) fn argument(&self, index: usize) -> Value {
        self.arguments.get(index).cloned().unwrap_or(Value::Undefined)
    }
}

/// Executes a call: gives its result, or says why the path leaves it.
pub(crate) type Native = fn(&mut Machine<'_>, &mut State, &NativeCall<'_>) -> Result<Option<Value>, Exit>;

/// The native function of each function of a program that has one.
pub struct Natives {
    table: Vec<Option<Native>>,
    /// Which of them tell the rest of the world something, or ask it.
    worldly: Vec<bool>,
    main: Option<FunctionId>,
}

impl Natives {
    /// Those of threads are native only where threads are explored: elsewhere their calls are noted like those of other
    /// code that nobody sees.
    pub(crate) fn new(program: &Program, threads: bool) -> Self {
        let table = program
            .functions
            .iter()
            .map(|(_, function)| {
                let foreign = math::lookup(&function.name).is_some() && !math::fits(program, function);
                let of_threads = || match threads || function.name.starts_with("__atomic_") {
                    true => crate::threads::native::lookup(&function.name),
                    false => None,
                };
                let found = || lookup(&function.name).or_else(of_threads);
                if function.is_definition() || foreign { None } else { found() }
            })
            .collect();
        let worldly = program.functions.iter().map(|(_, function)| is_worldly(&function.name)).collect();
        Self { table, worldly, main: program.function_named("main") }
    }

    /// Whether a native function tells the rest of the world something, or asks it.
    pub(crate) fn is_worldly(&self, function: FunctionId) -> bool {
        self.worldly[function.index()]
    }

    pub(crate) fn get(&self, function: FunctionId) -> Option<Native> {
        self.table[function.index()]
    }

    pub fn is_main(&self, function: FunctionId) -> bool {
        self.main == Some(function)
    }
}

/// The native function of that name.
fn lookup(name: &str) -> Option<Native> {
    memory::lookup(name)
        .or_else(|| process::lookup(name))
        .or_else(|| output::lookup(name))
        .or_else(|| symbolic::lookup(name))
        .or_else(|| world::lookup(name))
        .or_else(|| math::lookup(name))
}

/// Whether a native function of that name writes output, or asks what is around the program. An input that comes up on
/// the way is named after the thread that asks for it, and does not depend on the order.
fn is_worldly(name: &str) -> bool {
    let writes = output::lookup(name).is_some() && !name.contains("sprintf") && !name.contains("snprintf");
    writes && name != "__incise_format_double" || world::lookup(name).is_some()
}

/// Whether a call of a function of that name may end a path without a trace, because of what it assumes.
pub fn may_discard(name: &str) -> bool {
    matches!(name, "klee_assume" | "__VERIFIER_assume" | "klee_range" | "klee_silent_exit" | "llvm.assume")
}

/// Whether the engine executes a function of that name by itself.
pub fn is_native(name: &str) -> bool {
    lookup(name).is_some()
}
