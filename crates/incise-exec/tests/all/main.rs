//! Explorations of compiled programs.

mod exploration;
mod invariants;
mod trace;
