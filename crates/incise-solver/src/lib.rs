//! Expressions over bit-vectors and floats, and the chain of solvers that decides them.

pub mod concrete;
mod constraints;
mod evaluate;
mod expr;
mod model;
mod print_c;
mod rewrite;

pub use constraints::{Constraints, Slice};
pub use evaluate::Evaluator;
pub use expr::*;
pub use model::Model;
