//! What an entry is named by: a hash of everything that it follows from.
//!
//! It is SHA-256. Who writes the code under test must not be able to give it the name of other code, so that a hash
//! will not do for which collisions can be made.

use sha2::{Digest, Sha256};
use std::fmt;
use std::hash::{Hash, Hasher};

/// The name of an entry.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key([u8; 32]);

impl Key {
    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Makes a key of all that is put in, in this order.
///
/// It is a [`Hasher`], so that everything with [`Hash`] can be put in. Lengths and variants are put in by that; parts
/// that are put in one by one are told apart by [`KeyBuilder::part`].
pub struct KeyBuilder {
    hash: Sha256,
    /// What is not hashed yet: derived hashes write a few bytes at a time.
    buffer: Vec<u8>,
}

/// So many bytes are hashed at a time.
const BUFFER: usize = 1 << 14;

impl KeyBuilder {
    /// For what is of a kind. Another kind, or another form of the same one, has other keys.
    pub fn new(kind: &str) -> Self {
        let mut builder = Self { hash: Sha256::new(), buffer: Vec::with_capacity(BUFFER) };
        builder.part("kind", kind);
        builder
    }

    /// Puts in something with a name.
    pub fn part(&mut self, name: &str, value: &(impl Hash + ?Sized)) {
        name.hash(self);
        value.hash(self);
    }

    /// The same for who goes on with what is returned.
    pub fn with(mut self, name: &str, value: &(impl Hash + ?Sized)) -> Self {
        self.part(name, value);
        self
    }

    /// Puts in something by how it is shown: for what has no hash.
    pub fn shown(&mut self, name: &str, value: &dyn fmt::Debug) {
        // An end that no length tells is told by the length behind it.
        let before = Counted { builder: self, count: 0 };
        let count = before.write(name, value);
        count.hash(self);
    }

    /// The key.
    pub fn key(mut self) -> Key {
        self.flush();
        Key(self.hash.finalize().into())
    }

    fn flush(&mut self) {
        self.hash.update(&self.buffer);
        self.buffer.clear();
    }
}

struct Counted<'b> {
    builder: &'b mut KeyBuilder,
    count: usize,
}

impl Counted<'_> {
    fn write(mut self, name: &str, value: &dyn fmt::Debug) -> usize {
        name.hash(self.builder);
        // Writing to a hash does not fail.
        let _ = fmt::write(&mut self, format_args!("{value:?}"));
        self.count
    }
}

impl fmt::Write for Counted<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.count += text.len();
        Hasher::write(self.builder, text.as_bytes());
        Ok(())
    }
}

impl Hasher for KeyBuilder {
    fn write(&mut self, bytes: &[u8]) {
        if self.buffer.len() + bytes.len() > BUFFER {
            self.flush();
        }
        match bytes.len() > BUFFER {
            true => self.hash.update(bytes),
            false => self.buffer.extend_from_slice(bytes),
        }
    }

    /// Nobody makes a table of it; the whole hash is [`KeyBuilder::key`].
    fn finish(&self) -> u64 {
        let mut hash = self.hash.clone();
        hash.update(&self.buffer);
        let all: [u8; 32] = hash.finalize().into();
        u64::from_le_bytes(all[..8].try_into().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_and_its_place_count() {
        let key = |parts: &[(&str, &str)]| {
            let mut builder = KeyBuilder::new("test");
            parts.iter().for_each(|(name, value)| builder.part(name, value));
            builder.key()
        };
        let one = key(&[("a", "xy"), ("b", "z")]);
        assert_eq!(one, key(&[("a", "xy"), ("b", "z")]));
        for other in [
            key(&[("a", "x"), ("b", "yz")]),
            key(&[("b", "xy"), ("a", "z")]),
            key(&[("b", "z"), ("a", "xy")]),
            key(&[("a", "xy")]),
            key(&[]),
        ] {
            assert_ne!(one, other);
        }
        assert_ne!(KeyBuilder::new("a").key(), KeyBuilder::new("b").key());
    }

    #[test]
    fn how_it_is_put_in_does_not_count() {
        let text = "0123456789".repeat(5_000);
        let whole = KeyBuilder::new("test").with("text", &text).key();
        let mut builder = KeyBuilder::new("test");
        "text".hash(&mut builder);
        text.as_bytes().chunks(7).for_each(|chunk| builder.write(chunk));
        builder.write_u8(0xff);
        assert_eq!(builder.key(), whole);
        assert_eq!(whole.to_string().len(), 64);
    }

    #[test]
    fn what_is_shown_is_told_apart() {
        let key = |one: &str, other: &str| {
            let mut builder = KeyBuilder::new("test");
            builder.shown("", &format_args!("{one}"));
            builder.shown("", &format_args!("{other}"));
            builder.key()
        };
        assert_eq!(key("ab", "c"), key("ab", "c"));
        assert_ne!(key("ab", "c"), key("a", "bc"));
    }
}
