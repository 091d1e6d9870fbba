//! The program representation of Incise: types, functions, blocks, source locations.
