//! What changed between two versions of a program, and what the change can affect.
//!
//! Everything here is a pure function of one or two `incise_ir::Program`s: no files, no solver, no execution. A function is seen as a graph of
//! statements ([`StatementGraph`]); what each reads and writes is its [`Footprint`].

mod bits;
mod components;
mod dependence;
mod effects;
mod facts;
mod graph;
mod library;
mod places;
mod pointers;
mod reach;

pub use dependence::Dependence;
pub use effects::{Effects, Summary};
pub use graph::{Node, NodeId, NodeKind, StatementGraph, Target};
pub use places::{Base, Footprint, Place, Places};
pub use reach::Reach;
