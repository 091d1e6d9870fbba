//! `incise suite`.

pub(crate) mod arguments;
pub(crate) mod check;
pub(crate) mod emit;
pub(crate) mod generate;
pub(crate) mod update;
