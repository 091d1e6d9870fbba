//! What changed between two versions of a program, and what the change can affect.
//!
//! Everything here is a pure function of one or two `incise_ir::Program`s: no files, no solver, no execution. A function is seen as a graph of
//! statements ([`StatementGraph`]); what each reads and writes is its [`Footprint`].

mod affected;
mod align;
mod arguments;
mod bits;
mod call_graph;
mod candidates;
mod components;
mod composition;
mod content;
mod departures;
mod dependence;
mod describe;
mod effects;
mod entries;
mod facts;
mod fingerprint;
mod flow;
mod forward_slice;
mod function_facts;
mod graph;
mod hash;
mod impact;
mod library;
mod locals;
mod overlap;
mod pairing;
mod places;
mod pointers;
mod points_to;
mod reach;
mod reachable;
mod refine;
mod roots;
mod scope;
mod sequence;
mod side_by_side;
mod symbols;
mod versions;
mod waiting;
mod whole;

pub use affected::{Affected, Rule, Rules, Step};
pub use align::{Alignment, Gap, NewStatus, OldStatus};
pub use call_graph::{CallEdge, CallGraph, CallKind, CallNode, UnresolvedCall, UnresolvedCallee};
pub use composition::{Composition, Obstacle, Part};
pub use departures::{Departing, Departures};
pub use dependence::Dependence;
pub use describe::{Describer, describe};
pub use effects::{Effects, Summary};
pub use entries::Entries;
pub use fingerprint::fingerprint;
pub use forward_slice::forward_slice;
pub use function_facts::FunctionFacts;
pub use graph::{Node, NodeId, NodeKind, StatementGraph, Target};
pub use hash::Fingerprint;
pub use impact::{FunctionImpact, Impact};
pub use places::{Base, Footprint, Place, Places};
pub use points_to::{ObjectId, ObjectKind, ObjectSetId, Pointee, PointsTo, Targets};
pub use reach::Reach;
pub use scope::{Activation, ActivationId, Inputs, Outputs, Scope, Together};
pub use sequence::align as align_sequences;
pub use symbols::Symbols;
pub use versions::{FunctionChange, FunctionPair, Versions};
pub use whole::{Input, Site, Ways, WholeFunction, WholeImpact};
