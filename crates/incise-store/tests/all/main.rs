//! Tests of the stores.

mod files;
