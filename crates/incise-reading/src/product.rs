//! Numbers that are products: `rows * cols`, `2 * n`.
//!
//! A product is kept as text, its factors with ` * ` between them; a star without blanks is that of a pointer.

/// What stands between two factors.
const TIMES: &str = " * ";

/// The most factors that are inputs, and the largest one that is a number.
const MOST_NAMED: usize = 2;
const LARGEST: u64 = 1 << 20;

/// The factors of a number, one if it is no product.
pub fn factors(number: &str) -> impl Iterator<Item = &str> {
    number.split(TIMES)
}

/// A product with other factors.
pub(crate) fn with_factors(number: &str, change: impl Fn(&str) -> String) -> String {
    factors(number).map(change).collect::<Vec<_>>().join(TIMES)
}

/// So many times a number.
pub(crate) fn times(factor: u64, number: &str) -> String {
    if factor == 1 { number.to_owned() } else { format!("{factor}{TIMES}{number}") }
}

/// A product as somebody writes it: a star behind an operand multiplies, any other leads somewhere. Nothing if it is
/// none that can be looked at.
pub(crate) fn parse(text: &str) -> Option<String> {
    let mut factors = vec![String::new()];
    for next in text.chars() {
        let factor = factors.last_mut()?;
        let behind = factor.trim_end().ends_with(|last: char| last.is_alphanumeric() || "_)]".contains(last));
        if next == '*' && behind {
            factors.push(String::new());
        } else {
            factor.push(next);
        }
    }
    let factors: Vec<&str> = factors.iter().map(|factor| factor.trim()).collect();
    let is_number = |factor: &&&str| factor.starts_with(|first: char| first.is_ascii_digit());
    let named = factors.iter().filter(|factor| !is_number(factor)).count();
    let numbers: Option<Vec<u64>> =
        factors.iter().filter(is_number).map(|factor| factor.parse().ok()).collect();
    let small = numbers.is_some_and(|all| {
        all.iter()
            .try_fold(1, |product: u64, &each| product.checked_mul(each))
            .is_some_and(|product| product <= LARGEST)
    });
    let whole = factors.iter().all(|factor| !factor.is_empty());
    let product = factors.len() > 1;
    (whole && (!product || small && (1..=MOST_NAMED).contains(&named))).then(|| factors.join(TIMES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_multiply_behind_operands_only() {
        let parsed = |text| parse(text).unwrap_or_default();
        assert_eq!(parsed("rows*cols"), "rows * cols");
        assert_eq!(parsed("2*image->width * image->height"), "2 * image->width * image->height");
        assert_eq!(parsed("*count"), "*count");
        assert_eq!(parsed("*rows * *cols"), "*rows * *cols");
        assert_eq!(parsed("sizes[2]*n"), "sizes[2] * n");
        assert_eq!(parsed("n"), "n");
        assert_eq!(factors("2 * *n").collect::<Vec<_>>(), ["2", "*n"]);
    }

    #[test]
    fn what_cannot_be_looked_at_is_none() {
        for text in ["", "a*", "a*b*c", "2*3", "9999999*n"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
