//! How much memory this process uses.

use std::sync::OnceLock;

/// What marks the size of a page in the auxiliary vector of a process.
const PAGE_SIZE: u64 = 6;

/// The bytes of the process that are in memory now; 0 where the system does not tell.
pub(crate) fn memory_used() -> u64 {
    // The second number of statm counts resident pages.
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.as_deref().and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * page_size()
}

/// The bytes of a page of memory, as the kernel tells it. Not by a library that looks into the mapped code of the
/// kernel, which is not there when valgrind counts.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        let pairs = std::fs::read("/proc/self/auxv").unwrap_or_default();
        let (words, _) = pairs.as_chunks::<8>();
        let (pairs, _) = words.as_chunks::<2>();
        let found = pairs.iter().find(|pair| u64::from_ne_bytes(pair[0]) == PAGE_SIZE);
        found.map_or(4096, |pair| u64::from_ne_bytes(pair[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_as_large_as_the_system_says() {
        assert_eq!(page_size(), rustix::param::page_size() as u64);
    }

    #[test]
    fn memory_in_use_is_seen() {
        let before = memory_used();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(memory_used() >= before + (32 << 20));
        drop(block);
    }
}
