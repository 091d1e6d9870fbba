//! Names that the engine, tests and native runs agree on.

/// The input that tells which allocation of a path fails.
pub const FAILING_MALLOC: &str = "__incise_failing_malloc";
/// What a program is called in its own arguments.
pub const PROGRAM_NAME: &str = "program";
