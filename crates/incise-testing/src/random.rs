//! The source of chance: the same numbers everywhere, for the same seed.

/// A small generator (SplitMix64).
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// The generator of one of many things that come from one seed.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut start = Self(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        Self(start.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number from 0 to `bound - 1`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Whether something that happens in so many of a hundred cases happens.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of several things.
    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}
