//! Explorations of compiled programs.

mod exploration;
mod externals;
mod invariants;
mod threads;
mod threads_counts;
mod threads_interface;
mod threads_names;
mod threads_orders;
mod threads_random;
mod trace;
