//! Inputs: what is symbolic at the start, its shape, its size, and the values that are given for it.

pub(crate) mod arguments;
pub(crate) mod containers;
pub(crate) mod given_values;
pub(crate) mod input;
pub(crate) mod locks;
pub(crate) mod maker;
pub(crate) mod parts;
pub(crate) mod reached;
pub(crate) mod shape;
pub(crate) mod sizes;
pub(crate) mod start;
pub(crate) mod streams;
pub(crate) mod symbol_types;
pub(crate) mod taken;
pub(crate) mod taken_parts;
pub(crate) mod unions;
pub(crate) mod world;
