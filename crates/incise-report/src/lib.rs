//! What Incise found, as plain data, and its renderers.
