//! Health monitors as people have them: Bayesian networks, specifications and measurements are read, matched with the
//! names of a program, and drawn with what a change does to them.
//!
//! Nothing is known here of programs but names, and nothing of how versions are compared: marks come as data.

pub mod draw;
mod error;
mod expression;
mod formats;
mod map;
mod matching;
mod network;
mod scanner;
mod signals;
mod suggest;

pub use error::ReadError;
pub use expression::{Expression, Number};
pub use formats::{Included, format_of, read, read_as, read_with};
pub use map::{Map, MapEntry, MapError, Role, Step, Thresholds, initial_map, limit_thresholds, state_of};
pub use matching::{Matched, MatchedNode, Named, NamedKind, Target, matched};
pub use network::{Format, Network, Node, NodeClass, TOLERANCE, Table};
pub use signals::{Signals, loaded_value, loads_signal};
pub use suggest::{did_you_mean, nearest};
