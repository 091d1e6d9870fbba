//! 128-bit hashes of code. Two lanes of folded multiplications: equal hashes are taken for equal content, which is
//! wrong once in 2^100 or so.

use std::hash::Hasher;

/// What a piece of code is, whatever its names, numbers and places: equal for equal content.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Fingerprint(u64, u64);

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}{:016x}", self.0, self.1)
    }
}

impl Fingerprint {
    /// A sum that does not depend on the order of its parts.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0), self.1.wrapping_add(other.1))
    }
}

/// Makes a [`Fingerprint`]. It is a `Hasher`, so that whatever implements `Hash` can be mixed in.
#[derive(Clone)]
pub(crate) struct Mixer {
    left: u64,
    right: u64,
}

impl Mixer {
    /// A mixer for one kind of thing: things of different kinds are never equal.
    pub(crate) fn new(kind: &str) -> Self {
        let mut mixer = Self { left: 0x243f_6a88_85a3_08d3, right: 0x1319_8a2e_0370_7344 };
        mixer.text(kind);
        mixer
    }

    pub(crate) fn word(&mut self, word: u64) {
        self.left = fold(self.left.rotate_left(23) ^ word, 0x9e37_79b9_7f4a_7c15);
        self.right = fold(self.right ^ word.rotate_left(31) ^ 0xa409_3822_299f_31d0, 0xd6e8_feb8_6659_fd93);
    }

    pub(crate) fn fingerprint(&mut self, part: Fingerprint) {
        self.word(part.0);
        self.word(part.1);
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.write(text.as_bytes());
    }

    pub(crate) fn done(mut self) -> Fingerprint {
        self.word(0x082e_fa98_ec4e_6c89);
        Fingerprint(self.left ^ self.right.rotate_left(32), self.right)
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.left ^ self.right
    }

    /// The length goes first, so that texts one after the other keep their ends.
    fn write(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.word(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.word(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.word(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.word(number as u64);
        self.word((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.word(number as u64);
    }
}

fn fold(left: u64, right: u64) -> u64 {
    let product = u128::from(left) * u128::from(right);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[u64]) -> Fingerprint {
        let mut mixer = Mixer::new("test");
        words.iter().for_each(|&word| mixer.word(word));
        mixer.done()
    }

    #[test]
    fn small_differences_show() {
        let mut seen = std::collections::BTreeSet::new();
        for first in 0..200 {
            for second in 0..200 {
                assert!(seen.insert(of(&[first, second])));
            }
            assert!(seen.insert(of(&[first])));
            assert!(seen.insert(of(&[first, 0, 0])));
        }
    }

    #[test]
    fn texts_keep_their_ends() {
        let texts = |texts: &[&str]| {
            let mut mixer = Mixer::new("test");
            texts.iter().for_each(|text| mixer.text(text));
            mixer.done()
        };
        assert_ne!(texts(&["ab", "c"]), texts(&["a", "bc"]));
        assert_ne!(texts(&["a"]), texts(&["a\0"]));
        assert_eq!(texts(&["a", "b"]), texts(&["a", "b"]));
    }
}
