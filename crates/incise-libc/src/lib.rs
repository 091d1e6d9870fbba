//! Models of the C library, written in C and compiled to LLVM IR text at build time.
//!
//! The sources are in `c/`; the executor runs them as it runs the program. What the executor does
//! by itself (memory management, output, concrete formatting, the KLEE and SV-COMP intrinsics) is declared
//! in `c/incise.h` and has no model here. Nothing here reads or executes IR.

mod select;

pub use select::{is_modelled, names, select};

/// All models as one LLVM module.
pub const IR: &str = include_str!(concat!(env!("OUT_DIR"), "/models.ll"));

/// Our `klee/klee.h`, to be written below a folder on the include path.
pub const KLEE_HEADER: &str = include_str!("../include/klee/klee.h");
