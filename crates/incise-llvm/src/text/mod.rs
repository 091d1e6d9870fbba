//! The reader of LLVM IR text.
//!
//! A first pass ([`scan`]) finds the top-level entities of a module; then the linker decides which definition of each
//! name wins, and a [`reader::Reader`] reads the chosen ones, each from its place in the text. Types and metadata are
//! decoded when something refers to them. Only the link module and the errors are seen from outside.

mod aggregates;
mod attributes;
mod body;
mod builder;
mod calls;
mod casts;
mod constants;
mod cursor;
mod debug;
mod debug_types;
mod element_pointer;
mod failure;
mod instructions;
pub(crate) mod link;
mod memory;
mod metadata;
mod models;

mod numbers;
mod places;
mod reader;
mod scan;
mod symbols;
mod types;
mod wide;

pub use link::{LinkError, ModuleText, link};
pub use models::{Models, link_models};
pub use places::{FunctionText, InstructionText, link_with_places};
