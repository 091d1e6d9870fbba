//! Which units are looked at first: those whose changed lines most likely make trouble.

use std::collections::BTreeSet;
use std::path::Path;

/// What errors are made of: memory, its sizes, and bounds.
const RISKY: [&str; 14] = [
    "[", "->", "malloc", "free(", "alloc(", "memcpy", "memmove", "strcpy", "sizeof", "<<", "/ ", "% ", "++",
    "--",
];
/// What decides: where a condition changed, paths go elsewhere.
const DECIDING: [&str; 8] = ["if ", "if(", "while", "for ", "for(", "switch", "return", "?"];

/// How much trouble the change of a text may make. What did not change itself, and only includes what did, makes the
/// least.
pub(super) fn risk(old: &Path, new: &Path) -> usize {
    let read = |path: &Path| std::fs::read(path).map(|text| String::from_utf8_lossy(&text).into_owned());
    let (Ok(old), Ok(new)) = (read(old), read(new)) else { return 0 };
    let (before, after): (BTreeSet<&str>, BTreeSet<&str>) = (old.lines().collect(), new.lines().collect());
    before.symmetric_difference(&after).map(|line| of_line(line)).sum()
}

fn of_line(line: &str) -> usize {
    let count = |words: &[&str]| words.iter().filter(|word| line.contains(*word)).count();
    1 + 3 * count(&RISKY) + 2 * count(&DECIDING)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_riskier_than_words() {
        assert!(of_line("  p->next[i] = 0;") > of_line("  if (x) y = 1;"));
        assert!(of_line("  if (x) y = 1;") > of_line("  /* a comment */"));
    }
}
