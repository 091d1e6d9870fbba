//! The invariants of ARCHITECTURE.md that sources and manifests show: each can be broken, and is then named with its
//! place.

mod arrangement;
mod documents;
mod layers;
mod lexer;
mod sizes;
mod sources;
mod techniques;
