//! Sets of small numbers.

/// A set of numbers below a bound.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    /// An empty set of numbers below a bound.
    pub(crate) fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    pub(crate) fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    pub(crate) fn remove(&mut self, number: u32) {
        self.0[number as usize / 64] &= !(1 << (number % 64));
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] & 1 << (number % 64) != 0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Adds all of another set of the same bound; says whether that made a difference.
    pub(crate) fn extend(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            grew |= more & !*word != 0;
            *word |= more;
        }
        grew
    }

    /// The numbers that are in one of two sets, and also in this one, in order.
    pub(crate) fn among<'a>(&'a self, left: &'a Self, right: &'a Self) -> impl Iterator<Item = u32> + 'a {
        let words = self.0.iter().zip(left.0.iter().zip(&right.0));
        words.enumerate().flat_map(|(index, (&word, (&left, &right)))| {
            let mut rest = word & (left | right);
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                Some(index as u32 * 64 + bit)
            })
        })
    }

    /// The numbers, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.among(self, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_comes_out_in_order() {
        let mut one = Bits::new(130);
        assert!(one.is_empty());
        [129, 0, 64, 5].into_iter().for_each(|number| one.insert(number));
        one.remove(64);
        assert_eq!(one.iter().collect::<Vec<_>>(), [0, 5, 129]);
        assert!(one.contains(129) && !one.contains(64));
        let mut other = Bits::new(130);
        other.insert(5);
        other.insert(70);
        assert!(other.extend(&one) && !other.extend(&one));
        let none = Bits::new(130);
        assert_eq!(other.among(&one, &none).collect::<Vec<_>>(), [0, 5, 129]);
    }
}
