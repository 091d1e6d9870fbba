//! The reader of LLVM IR, and clang.

mod corpus;
mod fuzz;
mod linking;
mod load;
#[path = "support/mutate.rs"]
mod mutate;
mod reader;
mod wide;
