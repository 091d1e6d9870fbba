//! The exact cache: what was found out about a slice and a condition is found out for good.
//!
//! The key is the set of the slice's constraints and the condition; the order of constraints does not matter. That no
//! answer was found in time is kept as well: who asks again should not have to wait again. When it is full the cache
//! starts anew, which keeps memory bounded.

use super::query::{Unknown, Values, Verdict};
use crate::constraints::Slice;
use crate::expr::ExprId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A slice and a condition on top of it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CacheKey {
    slice: u128,
    length: usize,
    condition: Option<ExprId>,
}

impl CacheKey {
    pub(crate) fn new(slice: &Slice, condition: Option<ExprId>) -> Self {
        CacheKey { slice: slice.key(), length: slice.len(), condition }
    }
}

/// What is known of a slice and a condition.
#[derive(Clone)]
pub(crate) enum KnownAnswer {
    /// Values for the symbols of the slice and the condition.
    Sat(Arc<Values>),
    Unsat,
    /// No stage found out, in time or at all.
    Undecided(Unknown),
}

/// The cache.
pub(crate) struct Cache {
    known: FxHashMap<CacheKey, KnownAnswer>,
    /// How many values are stored, over all entries.
    size: usize,
    limit: usize,
}

impl Cache {
    /// A cache of at most about `limit` values and entries.
    pub(crate) fn new(limit: usize) -> Self {
        Cache { known: FxHashMap::default(), size: 0, limit }
    }

    pub(crate) fn get(&self, key: &CacheKey) -> Option<&KnownAnswer> {
        self.known.get(key)
    }

    pub(crate) fn insert(&mut self, key: CacheKey, verdict: &Verdict) {
        let (known, size) = match verdict {
            Verdict::Sat(values) => (KnownAnswer::Sat(Arc::new(values.clone())), 1 + values.len()),
            Verdict::Unsat => (KnownAnswer::Unsat, 1),
            Verdict::Unknown(why @ (Unknown::Timeout | Unknown::Work | Unknown::Unsupported(_))) => {
                (KnownAnswer::Undecided(why.clone()), 1)
            }
            // An interrupt ends the run, and a fault is not to be trusted.
            Verdict::Unknown(_) => return,
        };
        if self.size + size > self.limit {
            self.known.clear();
            self.size = 0;
        }
        self.size += size;
        self.known.insert(key, known);
    }
}
