//! Hashes of structure: equal in every arena and every run for expressions built alike, whatever was built before.

/// Mixes a word into a hash by a folded multiplication, as wyhash does.
#[inline]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = (hash ^ 0x9e37_79b9_7f4a_7c15) as u128 * (word ^ 0xd1b5_4a32_d192_ed03) as u128;
    let folded = (product >> 64) as u64 ^ product as u64;
    // A factor of zero would lose the other one.
    folded ^ word.rotate_left(32)
}

/// Hashes bytes, such as a symbol's name.
pub(crate) fn bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = mix(seed, bytes.len() as u64);
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(word));
    }
    hash
}
