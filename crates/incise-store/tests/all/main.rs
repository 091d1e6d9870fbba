//! Tests of the stores.

mod files;
#[cfg(feature = "shared")]
mod servers;
