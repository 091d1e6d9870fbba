//! How much memory this process uses.

/// The bytes of the process that are in memory now; 0 where the system does not tell.
pub(crate) fn memory_used() -> u64 {
    // The second number of statm counts resident pages.
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let pages = pages.as_deref().and_then(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok());
    pages.unwrap_or(0) * rustix::param::page_size() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_in_use_is_seen() {
        let before = memory_used();
        let block = std::hint::black_box(vec![1u8; 64 << 20]);
        assert!(memory_used() >= before + (32 << 20));
        drop(block);
    }
}
