//! A set of numbers, most of them far apart: words of bits, only those that are not empty.

use std::cmp::Ordering;

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub(crate) struct SparseSet {
    /// The words that hold numbers, in order, each with its position.
    words: Vec<(u32, u64)>,
}

impl SparseSet {
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        self.words.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
    }

    /// Adds a number; tells whether it was not there.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let (position, bit) = (number / 64, 1 << (number % 64));
        match self.words.binary_search_by_key(&position, |word| word.0) {
            Ok(index) => {
                let added = self.words[index].1 & bit == 0;
                self.words[index].1 |= bit;
                added
            }
            Err(index) => {
                self.words.insert(index, (position, bit));
                true
            }
        }
    }

    /// Whether a number is there.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words
            .binary_search_by_key(&(number / 64), |word| word.0)
            .is_ok_and(|index| self.words[index].1 & (1 << (number % 64)) != 0)
    }

    /// Adds all numbers of another set; tells whether one was not there.
    pub(crate) fn extend(&mut self, other: &Self) -> bool {
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return !other.is_empty();
        }
        if !self.extend_known_words(other) {
            return self.merge(other);
        }
        let mut changed = false;
        let mut index = 0;
        for &(position, bits) in &other.words {
            while self.words[index].0 < position {
                index += 1;
            }
            changed |= bits & !self.words[index].1 != 0;
            self.words[index].1 |= bits;
        }
        changed
    }

    /// Whether all words of another set are words of this one.
    fn extend_known_words(&self, other: &Self) -> bool {
        let mut mine = self.words.iter();
        other.words.iter().all(|&(position, _)| mine.any(|word| word.0 == position))
    }

    fn merge(&mut self, other: &Self) -> bool {
        let mut merged = Vec::with_capacity(self.words.len() + other.words.len());
        let (mut left, mut right) = (self.words.iter().peekable(), other.words.iter().peekable());
        while let (Some(&&mine), Some(&&theirs)) = (left.peek(), right.peek()) {
            match mine.0.cmp(&theirs.0) {
                Ordering::Less => merged.extend(left.next()),
                Ordering::Greater => merged.extend(right.next()),
                Ordering::Equal => {
                    merged.push((mine.0, mine.1 | theirs.1));
                    left.next();
                    right.next();
                }
            }
        }
        merged.extend(left);
        merged.extend(right);
        self.words = merged;
        true
    }

    /// The numbers that are not in another set.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut theirs = other.words.iter().peekable();
        let mut words = Vec::new();
        for &(position, bits) in &self.words {
            while theirs.next_if(|word| word.0 < position).is_some() {}
            let known = theirs.peek().filter(|word| word.0 == position).map_or(0, |word| word.1);
            if bits & !known != 0 {
                words.push((position, bits & !known));
            }
        }
        Self { words }
    }

    /// Keeps the numbers that are in another set as well.
    pub(crate) fn retain(&mut self, other: &Self) {
        let mut theirs = other.words.iter().peekable();
        self.words.retain_mut(|word| {
            while theirs.next_if(|other| other.0 < word.0).is_some() {}
            word.1 &= theirs.peek().filter(|other| other.0 == word.0).map_or(0, |other| other.1);
            word.1 != 0
        });
    }

    /// Whether a number is in both sets.
    pub(crate) fn intersects(&self, other: &Self) -> bool {
        let mut theirs = other.words.iter().peekable();
        self.words.iter().any(|&(position, bits)| {
            while theirs.next_if(|word| word.0 < position).is_some() {}
            theirs.peek().is_some_and(|word| word.0 == position && word.1 & bits != 0)
        })
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().flat_map(|&(position, bits)| {
            let mut rest = bits;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(position * 64 + bit)
            })
        })
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<T: IntoIterator<Item = u32>>(numbers: T) -> Self {
        let mut set = Self::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn operations_agree_with_ordered_sets() {
        let mut seed = 7u64;
        let mut random = |bound: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % bound) as u32
        };
        for _ in 0..500 {
            let spread = [20, 300, 5_000][random(3) as usize];
            let numbers = |random: &mut dyn FnMut(u64) -> u32| -> BTreeSet<u32> {
                (0..random(30)).map(|_| random(spread)).collect()
            };
            let (left, right) = (numbers(&mut random), numbers(&mut random));
            let set = |numbers: &BTreeSet<u32>| numbers.iter().copied().collect::<SparseSet>();
            let (a, b) = (set(&left), set(&right));
            assert_eq!(a.iter().collect::<BTreeSet<_>>(), left);
            assert_eq!(a.len(), left.len());
            assert_eq!(a.intersects(&b), !left.is_disjoint(&right));
            assert_eq!(a.without(&b), set(&left.difference(&right).copied().collect()));
            let mut both = a.clone();
            both.retain(&b);
            assert_eq!(both, set(&left.intersection(&right).copied().collect()));
            let mut all = a.clone();
            assert_eq!(all.extend(&b), !right.is_subset(&left));
            assert_eq!(all, set(&left.union(&right).copied().collect()));
            assert!(
                (0..5_000).all(|number| all.contains(number) == (a.contains(number) || b.contains(number)))
            );
        }
    }
}
