//! What other runs found to be impossible: sets of conditions that cannot hold together, known by the keys of the sets.
//!
//! That conditions contradict each other has nothing to do with the program that they come from. So what was proved for
//! one version is known for the next one, as far as that has the same conditions. Keys are those by which the cache
//! tells sets apart: they depend on the structure of conditions and the names of inputs alone, and are the same in
//! every run.

use rustc_hash::FxHashSet;

/// So many are kept; more would take longer to read than they save.
const MOST: usize = 1 << 20;

/// Sets of conditions that cannot hold together.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Contradictions {
    keys: FxHashSet<u128>,
}

impl Contradictions {
    /// Whether a set is one of them.
    pub(crate) fn contains(&self, key: u128) -> bool {
        self.keys.contains(&key)
    }

    /// Adds a set, if there is room.
    pub(crate) fn insert(&mut self, key: u128) {
        if self.keys.len() < MOST {
            self.keys.insert(key);
        }
    }

    /// Adds those of another run, as far as there is room.
    pub fn extend(&mut self, more: &Contradictions) {
        more.sorted().into_iter().for_each(|key| self.insert(key));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The bytes to keep, from which [`Contradictions::from_bytes`] makes the same.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.sorted().into_iter().flat_map(u128::to_le_bytes).collect()
    }

    /// None if these bytes cannot be such.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (keys, rest) = bytes.as_chunks();
        (rest.is_empty() && keys.len() <= MOST)
            .then(|| Self { keys: keys.iter().map(|&key| u128::from_le_bytes(key)).collect() })
    }

    fn sorted(&self) -> Vec<u128> {
        let mut keys: Vec<u128> = self.keys.iter().copied().collect();
        keys.sort_unstable();
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_as_they_were_written() {
        let mut all = Contradictions::default();
        for key in [7, u128::MAX, 1 << 64, 0] {
            all.insert(key);
        }
        let bytes = all.to_bytes();
        assert_eq!(Contradictions::from_bytes(&bytes), Some(all.clone()));
        assert!(Contradictions::from_bytes(&bytes[1..]).is_none());
        let mut more = Contradictions::default();
        more.insert(8);
        more.extend(&all);
        assert_eq!(more.len(), 5);
        assert!(more.contains(8) && more.contains(1 << 64) && !more.contains(9));
    }
}
