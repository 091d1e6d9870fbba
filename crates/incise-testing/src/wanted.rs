//! What the environment asks of tests: whether expected outputs are written anew (`INCISE_BLESS=1`, `make bless`), and
//! how long tests with random programs take: by default a sample, with `INCISE_LONG=1` (`make test-long`) all of them.

/// Whether expected outputs are written anew.
pub fn is_blessing() -> bool {
    std::env::var_os("INCISE_BLESS").is_some_and(|value| value == "1")
}

/// Whether all random programs are wanted.
pub fn is_long() -> bool {
    std::env::var_os("INCISE_LONG").is_some_and(|value| value == "1")
}

/// How many random programs a test makes: all of them in the long run, a sample by default.
pub fn shorter<T>(sample: T, all: T) -> T {
    if is_long() { all } else { sample }
}
