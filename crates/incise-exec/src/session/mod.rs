//! Sessions: one arena and one solver for several programs, paths that are traced, and inputs that are looked for.

pub(crate) mod guess;
pub(crate) mod near;
pub(crate) mod trace;
