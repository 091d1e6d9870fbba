//! Exploration: workers that take states, run them and share the work, and what becomes of a path at its end.

pub(crate) mod coverage;
pub(crate) mod describe;
pub(crate) mod distinct;
pub(crate) mod ended;
pub(crate) mod explore;
pub(crate) mod finish;
pub(crate) mod found;
mod heap;
pub(crate) mod search;
pub(crate) mod stop;
