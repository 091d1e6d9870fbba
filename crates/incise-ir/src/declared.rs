//! What declarations say of how much pointers lead to, beyond what the LLVM IR has.

use std::collections::{BTreeMap, BTreeSet};

/// How much pointers lead to, as declarations say it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DeclaredSizes {
    /// Members that another member of the same struct counts (`counted_by`): by the tag of the struct, or the name of
    /// its type, and their own.
    pub members: BTreeMap<(String, String), String>,
    /// Of functions, the parameters that others count (`access`).
    pub parameters: BTreeMap<String, BTreeSet<SizeOf>>,
}

/// A parameter that leads to as many elements as another one says, or bytes if it is a `void *`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SizeOf {
    /// The pointer, from 0.
    pub pointer: u32,
    /// The number.
    pub size: u32,
}
