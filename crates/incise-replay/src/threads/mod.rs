//! Native runs of programs with threads, led along a schedule.
//!
//! A test of such a program has a schedule: the steps of its threads, each with its instruction. The program is built
//! from the text that was explored, with a call before each instruction at which a thread may do what others see
//! (`instrument`), and with a runtime that lets one thread go on at a time (`runtime/incise_schedule.c`) and has the
//! functions that synchronise them (`runtime/incise_sync.c`). The schedule becomes numbers that the runtime reads
//! (`numbers`); an instruction is known by its function and by its number among those that have a call (`sites`), so
//! that the text may have checks of sanitizers in between.
//!
//! Between two steps a thread runs alone, so that a run can only differ from the schedule if the program does something
//! else than the engine said. The runtime notices that at the next step, and the test disagrees.

mod instrument;
mod numbers;
mod sites;

pub(super) use instrument::{Extra, instrumented, with_insertions};
pub(super) use numbers::{extras, numbers};
pub(super) use sites::{counterpart, in_words};

/// What functions are called that `runtime/incise_sync.c` stands in for.
pub(super) const PREFIX: &str = "incise_threads_";
