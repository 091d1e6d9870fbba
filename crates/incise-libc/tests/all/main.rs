//! The models of the C library.

mod models_against_glibc;
