//! Two versions at once: what is found out about one has nothing to do with the other.

use incise_children::Processors;

/// As much stack as an analysis of a large program may need.
const STACK: usize = 256 << 20;

/// Does two things at once, or one after the other where no processor or no thread can be had.
pub(crate) fn side_by_side<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    Processors::ours().both(STACK, first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done() {
        assert_eq!(side_by_side(|| 1, || 2), (1, 2));
    }
}
