//! Tests: the inputs of a path and what is expected to happen.
//!
//! [`TestWriter`](writer::TestWriter) writes their files; [`TestCase::from_json`] reads them, and of those of a suite
//! [`bytes`] reads no more than the bytes. Other forms of a test are [`ktest`] and [`c_program`].

pub mod bytes;
pub mod c_program;
mod json;
pub mod ktest;
pub mod manifest;
mod model;
#[cfg(test)]
mod reference;
mod schedule;
pub mod writer;

pub use json::{TEST_SCHEMA, TestError};
pub use model::{Expected, TestCase};
