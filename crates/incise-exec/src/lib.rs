//! The symbolic executor: states, memory, instructions, searchers and outcomes.
