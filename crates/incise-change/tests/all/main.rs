//! Two versions compared, statement by statement.

#[path = "support/compile.rs"]
mod compile;
mod composition;
mod dependence;
mod describe;
#[path = "support/generate.rs"]
mod generate;
mod initial;
#[path = "support/lockstep.rs"]
mod lockstep;
#[path = "support/memory.rs"]
mod memory;
mod points_to;
mod soundness;
mod versions;
mod whole;
