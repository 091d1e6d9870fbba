//! A set of small numbers.

/// A set of numbers below a bound.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// The empty set of numbers below `bound`.
    pub(crate) fn new(bound: usize) -> Self {
        Self { words: vec![0; bound.div_ceil(64)].into() }
    }

    /// Adds a number; tells whether it was not there.
    pub(crate) fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (&mut self.words[number / 64], 1 << (number % 64));
        let added = *word & bit == 0;
        *word |= bit;
        added
    }

    /// Whether a number is there.
    pub(crate) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Adds all numbers of a set with the same bound.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, more)| *word |= more);
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_order() {
        let mut set = BitSet::new(130);
        assert!(set.insert(129) && set.insert(0) && set.insert(63) && set.insert(64) && !set.insert(0));
        let mut other = BitSet::new(130);
        other.insert(5);
        set.extend(&other);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 5, 63, 64, 129]);
        assert!(set.contains(5) && !set.contains(6) && !set.contains(1000));
    }
}
