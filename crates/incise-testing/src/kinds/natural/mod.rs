//! Random pairs of versions of functions over buffers with lengths, strings, structs with pointers, lists and trees,
//! which differ from some size or depth on or not at all, and a judge that runs both versions natively on natural
//! inputs of all small sizes.
//!
//! On natural inputs nothing that the old version does is undefined: a length is that of its buffer, a string ends,
//! lists and trees have no cycles.
mod generate;
mod judge;
mod model;
mod print;
mod witness;

pub use judge::{NaturalJudge, Seen, Shape};
pub use model::{Carrier, Function};
pub use witness::line;

use crate::random::Random;
use generate::Generator;
use model::Limit;

/// Two versions of a file.
pub struct Batch {
    /// The C text of the old version.
    pub old: String,
    /// The C text of the new version.
    pub new: String,
    /// The functions, in order.
    pub pairs: Vec<Pair>,
}

/// Two versions of a function: it is called `e` and its number.
pub struct Pair {
    pub old: Function,
    pub new: Function,
}

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, count: usize) -> Batch {
    let pairs: Vec<Pair> = (0..count).map(|number| pair(seed, number)).collect();
    let (mut old, mut new) = (print::prelude(), print::prelude());
    for pair in &pairs {
        old += &print::print(&pair.old, "");
        new += &print::print(&pair.new, "");
    }
    Batch { old, new, pairs }
}

fn pair(seed: u64, number: usize) -> Pair {
    let mut random = Random::new(seed, number as u64);
    // A stream of its own: what is changed has nothing to do with what is made.
    let mut generator = Generator::new(Random::new(!seed, number as u64));
    let old = generator.function(number);
    let mut new = old.clone();
    let (changes, refactorings) =
        random.pick(&[(1, 0), (1, 0), (1, 1), (1, 2), (2, 0), (0, 1), (0, 2), (0, 3)]);
    while old == new {
        (0..refactorings).for_each(|_| generator.refactor(&mut new));
        (0..changes).for_each(|_| generator.change(&mut new));
    }
    // So that things are added as often as removed; what goes too far is never the old version.
    match random.percent(40) && new.limit != Limit::Beyond {
        true => Pair { old: new, new: old },
        false => Pair { old, new },
    }
}

impl Pair {
    /// The name of its function.
    pub fn entry(&self) -> String {
        format!("e{}", self.new.number)
    }

    /// Both texts, for messages.
    pub fn texts(&self) -> String {
        format!("OLD\n{}NEW\n{}", print::print(&self.old, ""), print::print(&self.new, ""))
    }
}
