//! Processes that are started for a while: tools, solvers, native runs.
//!
//! None of them lives longer than this process, however that ends, and all of them count where memory does. Three
//! things see to that:
//!
//! - A child asks the kernel for a signal when its parent dies. Only the child can ask, so that it is started through
//!   a small program of ours ([`command`]), which asks, looks whether the parent is still there, and becomes the
//!   wanted one. Doing it between `fork` and `exec` would copy the tables of all memory each time, which takes a
//!   tenth of a second for a gigabyte.
//! - A child has a process group of its own, so that what it starts is ended with it.
//! - A list of those that run ([`live`]), for who adds up memory, or ends everything at once.
//!
//! How many processors all of that may keep busy is counted in one place ([`Processors`]).
//!
//! The kernel sends its signal when the *thread* ends that started the child. So whoever starts one waits for it on the
//! same thread, which [`Tied`] makes sure of: it ends its process when it is dropped.

mod leave;
mod live;
mod memory;
mod processors;
mod run;
mod tie;

pub use leave::leave;
pub use live::{KnownChild, end_all};
pub use memory::{of_children, of_machine, of_this};
pub use processors::{Processors, Spare};
pub use run::{Finished, RunError, Tied, run};
pub use tie::{TIED, become_another, command, start_through};
