//! `incise monitor`: which parts of a health monitor a change concerns.
//!
//! The network is read and matched with names of the program (`incise-monitor`, `names.rs`), what nodes stand for is
//! made visible in both versions, one comparison decides about all of them (`incise-incremental`, `differ/watched.rs`),
//! and marks are read off what it found (`marks.rs`).

pub(crate) mod arguments;
mod chains;
pub(crate) mod command;
mod computed;
mod edges;
mod evidence;
mod later;
mod loops;
mod marks;
mod names;
mod pages;
mod paper;
mod picture;
mod plan;
pub(crate) mod settings;
mod signals;
mod states;
mod structure;
mod suite;
mod work;
