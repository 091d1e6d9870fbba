//! Queries that Bitwuzla answers.

mod queries;
mod theories;
