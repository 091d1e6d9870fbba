//! Expressions over bit-vectors and floats, and the chain of solvers that decides them.
