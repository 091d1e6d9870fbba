//! A safe wrapper around the SMT solver Bitwuzla.
