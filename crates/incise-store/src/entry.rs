//! An entry as it lies in a store: what is kept, with its key and a checksum.
//!
//! A store may return anything: half of an entry, that of another key, an error page. Nothing is taken whose checksum
//! over the key and all bytes is another.

use crate::Key;
use sha2::{Digest, Sha256};

/// What every entry begins with. The number changes with the form of the wrapping.
const MAGIC: &[u8; 16] = b"incise-store/1\n\0";
/// The magic, the length of what is kept, and the checksum.
const HEAD: usize = MAGIC.len() + 8 + 32;

/// What is kept, as it lies in a store under a key.
pub fn seal(key: &Key, content: &[u8]) -> Vec<u8> {
    let mut entry = Vec::with_capacity(HEAD + content.len());
    entry.extend_from_slice(MAGIC);
    entry.extend_from_slice(&(content.len() as u64).to_le_bytes());
    entry.extend_from_slice(&checksum(key, content));
    entry.extend_from_slice(content);
    entry
}

/// What is kept in an entry that lay under a key; nothing if it is not what was put there.
pub fn open(key: &Key, entry: &[u8]) -> Option<Vec<u8>> {
    let (head, content) = entry.split_at_checked(HEAD)?;
    let (magic, rest) = head.split_at(MAGIC.len());
    let (length, sum) = rest.split_at(8);
    let whole =
        magic == MAGIC && length == (content.len() as u64).to_le_bytes() && sum == checksum(key, content);
    whole.then(|| content.to_vec())
}

fn checksum(key: &Key, content: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(key.bytes());
    hash.update(content);
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KeyBuilder;

    #[test]
    fn nothing_but_what_was_put_is_taken() {
        let [key, other] = ["one", "other"].map(|name| KeyBuilder::new(name).key());
        for content in [&b""[..], b"something that was found out"] {
            let entry = seal(&key, content);
            assert_eq!(open(&key, &entry).as_deref(), Some(content));
            assert_eq!(open(&other, &entry), None);
            for at in 0..entry.len() {
                let mut damaged = entry.clone();
                damaged[at] ^= 1;
                assert_eq!(open(&key, &damaged), None, "{at}");
                assert_eq!(open(&key, &entry[..at]), None, "{at}");
            }
            let longer: Vec<u8> = entry.iter().copied().chain([0]).collect();
            assert_eq!(open(&key, &longer), None);
        }
    }
}
