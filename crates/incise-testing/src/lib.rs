//! What the tests of all crates share: compiled C, native runs, random C programs, and judges that say what the machine
//! does with them.
//!
//! Random programs have one entry, [`batch`]: pairs of versions of programs, made from a seed, of the kind that
//! [`Features`] say. [`c`] has their trees and their text, [`generate`] makes them, [`change`] changes them in ways
//! that matter or do not, and [`judge`] runs them natively.
//!
//! | a test is about | features | judge |
//! |---|---|---|
//! | single functions, statement by statement | [`Features::functions`] | [`judge::Trace`] |
//! | programs of several functions | [`Features::programs`] | [`judge::Trace`] |
//! | verdicts, on all inputs | [`Features::few_inputs`] | [`judge::all_inputs`] |
//! | paths, on all inputs of one function | [`Features::two_bytes`], [`function_of_two_bytes`] | the test's own |
//! | texts that nobody executes | [`Features::texts`], [`batch_with`] | none |
//! | one thing above all | [`kinds`] | one each |
//! | threads | [`threads::Case`], [`threads::mutated`] | [`threads::Interpreter`] |
//! | what a change does to threads | [`concurrent`] | [`concurrent::interpret`] |
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
pub mod concurrent;
pub mod generate;
pub mod judge;
pub mod kinds;
pub mod threads;

pub use batch::{Batch, Input, Pair, batch, batch_with, function_lines, function_of_two_bytes};
pub use change::Mutation;
pub use compile::{
    Compiler, clang, program, program_in, program_of, program_with_models, search_path, with_models,
};
pub use generate::Features;
pub use hooks::{hooks, hooks_with};
pub use native::{Native, compiler, run_for_text};
pub use parallel::in_parallel;
pub use random::Random;
pub use skip::skipped;
pub use wanted::{is_blessing, is_long, shorter};
