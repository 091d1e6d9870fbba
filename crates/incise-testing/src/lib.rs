//! What the tests of all crates share: compiled C, native runs, random C programs, and judges that say what the machine
//! does with them.
//!
//! A dev-dependency of the others, and of nothing that is shipped. Whatever is missing on this machine (clang, gcc)
//! makes a test fail with a word on what to install: nothing here passes in silence.
#![allow(missing_docs, unreachable_pub, reason = "the parts of random programs name themselves")]

mod batch;
mod compile;
mod hooks;
mod native;
mod parallel;
mod random;
mod skip;
mod wanted;

pub mod c;
pub mod change;
pub mod generate;
pub mod judge;

pub mod externals;
pub mod independent;
pub mod loops;
pub mod memory;
pub mod natural;

pub use batch::{Batch, Input, Pair, batch, batch_with, function_lines, function_of_two_bytes};
pub use change::Mutation;
pub use compile::{Compiler, clang, program, program_in, program_of, program_with_models, search_path};
pub use generate::Features;
pub use hooks::{hooks, hooks_with};
pub use native::{Native, compiler, run_for_text};
pub use parallel::in_parallel;
pub use random::Random;
pub use skip::skipped;
pub use wanted::{is_blessing, is_long, shorter};
