//! What the inputs of a function are taken to be: the *reading* of its inputs.
//!
//! A signature says little of what a C function is called with. That a `char *` ends with a zero, that `length` is the length of `frame`, that a pointer is never null: programmers know
//! it, and the code shows it. A [`Reading`] is a list of such facts, each with its evidence. It is plain data: who explores assumes it, who reports shows it, and nobody takes it for proved.

mod contract;
mod model;

pub use contract::{ContractError, Contracts};
pub use model::{Evidence, Reading, Source, Taken, Unit, What};

/// What the inputs of a function are taken to be.
pub fn infer(_program: &incise_ir::Program, _entry: incise_ir::FunctionId) -> Reading {
    Reading::default()
}
