//! The solver chain as an exploration uses it.

mod chain_paths;
