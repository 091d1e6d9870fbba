//! From expressions to gates. Each expression is translated once for the life of the graph.

pub(crate) mod gates;
