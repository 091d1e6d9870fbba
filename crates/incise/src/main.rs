//! The command line of Incise.
fn main() {}
