//! A number of 128 bits for a sequence of words: sequences with equal numbers are equal, but for a collision.

/// Two hashes with keys of their own, side by side.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mixed([u64; 2]);

const KEYS: [[u64; 2]; 2] =
    [[0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03], [0xa076_1d64_78bd_642f, 0xe703_7ed1_a0b4_28db]];

#[inline]
fn mix(hash: u64, word: u64, [one, other]: [u64; 2]) -> u64 {
    let product = u128::from(hash ^ one) * u128::from(word ^ other);
    let folded = (product >> 64) as u64 ^ product as u64;
    // A factor of zero would lose the other one.
    (folded ^ word.rotate_left(32)).wrapping_add(hash.rotate_left(23))
}

impl Mixed {
    pub(crate) fn new() -> Self {
        Self([0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9])
    }

    #[inline]
    pub(crate) fn word(&mut self, word: u64) {
        self.0 = [mix(self.0[0], word, KEYS[0]), mix(self.0[1], word, KEYS[1])];
    }

    pub(crate) fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    pub(crate) fn wide(&mut self, wide: u128) {
        self.words([wide as u64, (wide >> 64) as u64]);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub(crate) fn option(&mut self, word: Option<u64>) {
        self.words([u64::from(word.is_some()), word.unwrap_or(0)]);
    }

    pub(crate) fn number(self) -> u128 {
        u128::from(self.0[0]) << 64 | u128::from(self.0[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sequences_have_numbers_of_their_own() {
        let number = |words: &[u64]| {
            let mut mixed = Mixed::new();
            mixed.words(words.iter().copied());
            mixed.number()
        };
        let small = 0..12u64;
        let mut all: Vec<Vec<u64>> = vec![vec![]];
        all.extend(small.clone().map(|one| vec![one]));
        all.extend(small.clone().flat_map(|one| small.clone().map(move |other| vec![one, other])));
        let numbers: BTreeSet<u128> = all.iter().map(|words| number(words)).collect();
        assert_eq!(numbers.len(), all.len());
        let halves: BTreeSet<u64> = numbers.iter().flat_map(|&it| [it as u64, (it >> 64) as u64]).collect();
        assert_eq!(halves.len(), 2 * all.len());
    }

    #[test]
    fn bytes_end_where_they_end() {
        let number = |bytes: &[u8]| {
            let mut mixed = Mixed::new();
            mixed.bytes(bytes);
            mixed.number()
        };
        assert_ne!(number(b"a"), number(b"a\0"));
        assert_ne!(number(b"12345678"), number(b"12345678\0"));
    }
}
