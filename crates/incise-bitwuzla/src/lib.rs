//! A safe wrapper around the SMT solver Bitwuzla: terms, solvers with push and pop, answers, values, and a way to stop.
//!
//! This is the only crate of Incise with `unsafe` code, and it knows nothing of Incise's own expressions. Bitwuzla
//! itself is built by `build.rs` and linked statically.
//!
//! A [`TermManager`] owns terms; a [`Term`] is a small handle that can be copied, and that every function checks to be
//! of the manager it is used with. A [`Solver`] holds assertions over the terms of one manager. Neither can leave the
//! thread that made it: Bitwuzla keeps its error callback and its scratch strings for each thread. Memory of terms is
//! given back when the manager and all its solvers are gone, so a long run makes a new manager from time to time.
//!
//! ```
//! use incise_bitwuzla::{Answer, Kind, Solver, SolverOptions, Sort, TermManager};
//!
//! let terms = TermManager::new()?;
//! let x = terms.constant(Sort::BitVector(32), "x")?;
//! let square = terms.mk_term(Kind::BvMul, &[x, x], &[])?;
//! let goal = terms.mk_term(Kind::Equal, &[square, terms.bit_vector(1369, 32)?], &[])?;
//! let mut solver = Solver::new(&terms, SolverOptions::default())?;
//! solver.assert(goal)?;
//! assert_eq!(solver.check()?, Answer::Sat);
//! let root = solver.value(x)? as u32;
//! assert_eq!(root.wrapping_mul(root), 1369);
//! # Ok::<(), incise_bitwuzla::Error>(())
//! ```
#![allow(unsafe_code)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod error;
mod ffi;
mod kind;
mod manager;
mod solver;
mod sort;
mod terminator;

pub use error::Error;
pub use kind::Kind;
pub use manager::{Term, TermManager};
pub use solver::{Answer, Solver, SolverOptions};
pub use sort::{MAXIMUM_WIDTH, RoundingMode, Sort};
pub use terminator::Stop;

/// The version of Bitwuzla that is linked in.
pub fn version() -> String {
    // SAFETY: the function takes nothing, and returns a string that lives until it is called again on this thread.
    unsafe { ffi::copy_string(ffi::bitwuzla_version()) }
}
