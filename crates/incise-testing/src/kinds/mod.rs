//! Programs of which a test wants one thing above all, each with a judge of its own. They are trees as well where that
//! is shorter than their text.
//!
//! | kind | what it is about |
//! |---|---|
//! | [`natural`] | functions over buffers with lengths, strings, structs, lists and trees; differences planted |
//! | [`loops`] | loops over any number of turns, rewritten or changed |
//! | [`aligned`] | such loops with their turns in another arrangement: several at once, one by itself, in two parts |
//! | [`recursive`] | functions that call themselves, beside loops |
//! | [`externals`] | calls of functions that nobody can see into, and of callbacks |
//! | [`independent`] | branches and small functions that have nothing to do with each other |
//! | [`memory`] | fields, lists, pointers to pointers, copies, unions; a run tells who read what from whom |
pub mod aligned;
pub mod externals;
pub mod independent;
pub mod loops;
pub mod memory;
pub mod natural;
pub mod recursive;
