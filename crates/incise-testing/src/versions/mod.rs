//! Random pairs of versions of small C programs with finite inputs, and a judge that runs both versions natively on all
//! of them.
//!
//! The new version is the old one after changes that may matter and after rewriting that should not, so that about as
//! many pairs are the same as differ. Every program begins by keeping only a few low bits of each input; that is what
//! makes all inputs enumerable, whatever values a solver finds for them. It ends on all inputs, and nothing in it is
//! undefined but the divisions and indices that the judge checks.
mod change;
mod generate;
mod judge;
mod tree;

pub use judge::{Seen, judge};

use crate::random::Random;
use generate::Generator;
use tree::{ELEMENTS, Program};

/// Two versions of a file.
pub struct Batch {
    /// The C text of the old version.
    pub old: String,
    /// The C text of the new version.
    pub new: String,
    /// The programs, in order.
    pub pairs: Vec<Pair>,
}

/// Two versions of a program: its entry is `e` and its number, its globals are called after its number as well.
pub struct Pair {
    old: Program,
    new: Program,
}

/// The programs of a seed, always the same.
pub fn batch(seed: u64, count: usize) -> Batch {
    batch_of((0..count).map(|number| pair(seed, number, false)).collect())
}

/// The programs of a seed in which only functions change that the entry may call.
pub fn batch_below(seed: u64, count: usize) -> Batch {
    batch_of((0..count).map(|number| pair(seed, number, true)).collect())
}

fn batch_of(pairs: Vec<Pair>) -> Batch {
    let (mut old, mut new) = (tree::PRELUDE.to_owned(), tree::PRELUDE.to_owned());
    for pair in &pairs {
        tree::print(&mut old, &pair.old, "");
        tree::print(&mut new, &pair.new, "");
    }
    Batch { old, new, pairs }
}

fn pair(seed: u64, number: usize, below: bool) -> Pair {
    let mut random = Random::new(seed, number as u64);
    let mut generator = Generator::new(random.clone());
    let mut old = generator.program(number);
    while below && old.functions.len() == 1 {
        old = generator.program(number);
    }
    generator.below = below;
    let mut new = old.clone();
    let (refactorings, changes) =
        random.pick(&[(0, 1), (0, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 0), (2, 0), (3, 0), (4, 0)]);
    // What is drawn may not fit anywhere.
    for _ in 0..3 {
        if old != new {
            break;
        }
        (0..refactorings).for_each(|_| change::refactor(&mut new, &mut generator));
        (0..changes).for_each(|_| change::change(&mut new, &mut generator));
    }
    // So that things are added as often as removed.
    match random.percent(40) {
        true => Pair { old: new, new: old },
        false => Pair { old, new },
    }
}

impl Pair {
    /// The name of its entry.
    pub fn entry(&self) -> String {
        format!("e{}", self.new.number)
    }

    /// Both texts, for messages.
    pub fn texts(&self) -> String {
        let mut text = "OLD\n".to_owned();
        tree::print(&mut text, &self.old, "");
        text += "NEW\n";
        tree::print(&mut text, &self.new, "");
        text
    }

    /// How many low bits of each input count: parameters, globals, elements of the array.
    fn widths(&self) -> Vec<u32> {
        let bits = self.new.bits;
        bits[..5].iter().copied().chain([bits[5]; ELEMENTS]).collect()
    }

    /// How many inputs tell apart what the program can tell apart.
    pub fn inputs(&self) -> usize {
        1 << self.widths().iter().sum::<u32>()
    }

    /// The number of an input, given the bytes of each by its name; what is not given is zero.
    pub fn input_number(&self, given: impl Fn(&str) -> Option<Vec<u8>>) -> usize {
        let number = self.new.number;
        let low =
            |name: String, at: usize| given(&name).and_then(|bytes| bytes.get(at).copied()).unwrap_or(0);
        let parameters = (0..3).map(|index| low(format!("a{index}"), 0));
        let globals = (0..2).map(|index| low(format!("g{number}_{index}"), 0));
        let elements = (0..ELEMENTS).map(|index| low(format!("t{number}"), index));
        let mut found = 0;
        let mut shift = 0;
        for (value, width) in parameters.chain(globals).chain(elements).zip(self.widths()) {
            found |= (usize::from(value) & ((1 << width) - 1)) << shift;
            shift += width;
        }
        found
    }
}
