//! Models of the C library, written in C and compiled to LLVM IR text at build time.
