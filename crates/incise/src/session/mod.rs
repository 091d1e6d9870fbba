//! What a command talks with: standard output and error, progress, Ctrl-C, memory.

pub(crate) mod interrupt;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod progress;
