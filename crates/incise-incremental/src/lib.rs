//! Techniques that explore what a change affects, on top of the static analyses of `incise-change` and the executor of `incise-exec`.
//!
//! One technique a file: [`dise`] is directed incremental symbolic execution as we guarantee it, [`figure6`] the algorithm as its paper prints it.

pub mod dise;
pub mod figure6;
mod record;
mod run;
mod sequences;
mod slice;
mod subject;

pub use record::Record;
pub use run::{ChangedPath, Directed, Kind, explore_change};
pub use subject::{Statement, Subject};
