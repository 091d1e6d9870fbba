//! Finds and drives clang, and reads LLVM IR text into incise-ir.
