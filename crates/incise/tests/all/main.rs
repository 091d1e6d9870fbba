//! The command line and what it says, from outside.

mod bench_paths;
mod cli;
mod commits;
mod common;
mod converted_inputs;
mod corpus;
mod cover;
mod csmith;
mod diff;
mod equivalence;
mod explain;
mod functions;
mod impact;
mod partition;
mod placed_versions;
mod replay;
mod same_bytes;
mod streams;
mod suite;
mod suite_inputs;
mod suite_seen;
mod suite_sources;
mod suite_update;
mod suite_whole;
mod verdict;
mod world;
