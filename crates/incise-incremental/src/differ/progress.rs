//! Whether an exploration will end in the time that there is.
//!
//! Each decision parts the inputs in halves, so that each pair of paths stands for a share of all of them, and so does
//! each state that waits. That is how Knuth ("Estimating the Efficiency of Backtrack Programs", Mathematics of
//! Computation, 1975) tells the size of a search from a part of it. It is a guess: some shares are much harder than
//! others. So it is asked only after a while, and what would take not much longer than there is goes on.

use incise_exec::{Limits, Work};
use incise_relate::{Pair, Relation};

/// So much is done before anybody asks.
const FIRST: Work = Work::about_milliseconds(10_000);
/// What would take more than so many times that does not end.
const TIMES: u32 = 6;

/// How far an exploration has come.
pub(super) struct Progress {
    start: Work,
    /// The share of inputs that was compared.
    compared: f64,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { start: Work::done(), compared: 0.0 }
    }

    /// A pair of paths comes next.
    pub(super) fn comes_to(&mut self, pair: &Pair) {
        self.compared += pair.share();
    }

    /// The share of inputs that was compared, in percent, if what is left would take too long.
    pub(super) fn is_too_slow(&self, relation: &Relation<'_>, limits: &Limits) -> Option<u32> {
        let (done, first) = (Work::since(self.start), limits.worth(FIRST));
        if done < first {
            return None;
        }
        let percent = percent(self.compared, relation.left_share());
        would_take_more(percent, done, first.times(TIMES)).then_some(percent)
    }
}

fn percent(compared: f64, left: f64) -> u32 {
    (100.0 * compared / (compared + left)) as u32
}

/// Whether all of it would take more than that, if so many percent took so much.
fn would_take_more(percent: u32, done: Work, most: Work) -> bool {
    most.part(100).times(percent) < done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_in_time_goes_on() {
        let [done, most] = [10_000, 60_000].map(Work::about_milliseconds);
        assert_eq!(percent(0.25, 0.75), 25);
        assert!(!would_take_more(25, done, most));
        assert!(!would_take_more(100, most, most));
    }

    #[test]
    fn what_would_not_end_in_time_does_not() {
        let [done, most] = [10_000, 60_000].map(Work::about_milliseconds);
        assert_eq!(percent(0.001, 0.5), 0);
        assert!(would_take_more(0, done, most) && would_take_more(10, done, most));
        assert!(would_take_more(30, done.times(2), most));
    }
}
