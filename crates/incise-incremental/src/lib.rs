//! Techniques that explore what a change affects, on top of the static analyses of `incise-change` and the executor of
//! `incise-exec`.
//!
//! One technique a file: [`dise`] is directed incremental symbolic execution as we guarantee it, [`figure6`] the
//! algorithm as its paper prints it, [`cia`] the executions of threads that a change concerns, [`explain`](mod@explain)
//! the search for the cause of a failing test, [`cover`] what tests of a change have to cover, [`update`] what becomes
//! of the tests of the old version.

mod arriving;
mod behaviour;
pub mod cia;
pub mod cover;
pub mod differ;
pub mod dise;
mod drawn;
pub mod explain;
pub mod figure6;
mod growing;
pub mod initial;
mod parted_ways;
mod record;
mod run;
mod same_decisions;
mod sequences;
mod slice;
mod subject;
pub mod update;
mod wanted;

pub use arriving::{Arrived, explore_arriving};
pub use behaviour::{Difference, differences, is_conclusive};
pub use cover::{
    Covered, Criterion, Obligation, ObligationStatus, Plan, explore_cover, explore_cover_grown,
    explore_other_inputs,
};
pub use drawn::{CountedVariable, drawn_numbers};
pub use explain::{Explanation, Question, explain};
pub use growing::{FEW_PATHS, MOST_ELEMENTS, explore_growing};
pub use record::Record;
pub use run::{ChangedPath, Directed, Kind, explore_change};
pub use subject::{Statement, Subject};
pub use update::explore_update;
