//! Monitors are read as they are, drawn, and nothing in a file makes a reader panic or hang.

mod damaged;
mod drawing;
mod foreign;
mod maps;
mod random;
mod traps;
mod write;
