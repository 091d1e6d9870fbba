//! Expressions over bit-vectors and floats, and the chain of solvers that decides them.

mod blast;
mod chain;
mod columns;
pub mod concrete;
mod constraints;
mod evaluate;
mod expr;
mod model;
mod print_c;
pub mod rewrite;
mod sat;
pub mod work;

pub use chain::{
    Answer, Contradictions, Opinion, SecondOpinion, Solver, SolverConfig, SolverStats, Stage, StageCounters,
    Unknown, Validate, Z3Process,
};
pub use constraints::{Constraints, Slice};
pub use evaluate::Evaluator;
pub use expr::*;
pub use model::Model;
pub use print_c::AddressName;
pub use work::{Deadline, Work};
