//! Explorations of compiled programs.

mod exploration;
mod trace;
