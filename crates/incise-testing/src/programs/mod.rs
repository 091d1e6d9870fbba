//! Random pairs of versions of small C programs of several functions, and a native judge of what they do.
//!
//! [`batch`] makes a file of programs with the entries `e0`, `e1`, ... in two versions, which share nothing but types.
//! NEW is OLD with up to three mutations in any function: also a function that is added, or removed, with a call of it.
//! One text serves Incise and the judge: macros that vanish for Incise record each statement natively, and where
//! functions begin and end (`print.rs`).
//!
//! What holds for every program, whatever its inputs: it ends; all variables are initialised; nothing is undefined but
//! the operations that the judge detects, and those are failures for the engine as well.
mod generate;
mod judge;
mod mutate;
mod print;
mod tree;
mod writer;

pub use judge::{End, Mark, Run, judge};

use crate::random::Random;
use generate::Generator;
use std::collections::BTreeMap;

/// How many numbers the globals of a program hold.
pub const GLOBALS: usize = 8;

/// The numbers that the globals of a program hold.
fn global_names(number: usize) -> [String; GLOBALS] {
    let names = ["g#_0", "g#_1", "t#[0]", "t#[1]", "t#[2]", "t#[3]", "o#.x", "o#.y"];
    names.map(|name| name.replace('#', &number.to_string()))
}

/// Two versions of a file.
pub struct Batch {
    /// The C text of the old version.
    pub old: String,
    /// The C text of the new version.
    pub new: String,
    /// The programs, in order.
    pub programs: Vec<Pair>,
}

/// Two versions of a program.
pub struct Pair {
    /// The name of its entry: `e` and its number.
    pub entry: String,
    /// Whether a function of it calls itself, alone or with another.
    pub recursive: bool,
    /// The variables that are inputs.
    pub globals: Vec<String>,
    /// The text of the old version, for messages.
    pub old: String,
    /// The text of the new version.
    pub new: String,
    seed: Random,
}

/// The values of a program's inputs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input {
    /// The parameters of the entry.
    pub parameters: [i32; 3],
    /// The numbers that the globals hold.
    pub globals: [i32; GLOBALS],
}

/// The programs of a seed, always the same.
pub fn batch(seed: u64, count: usize) -> Batch {
    let (mut old, mut new) = (print::PRELUDE.to_owned(), print::PRELUDE.to_owned());
    let mut programs = Vec::with_capacity(count);
    for number in 0..count {
        let mut random = Random::new(seed, number as u64);
        let mut generator = Generator::new(random.clone());
        let mut before = generator.tree(number);
        let mut after = before.clone();
        for _ in 0..random.pick(&[0, 1, 1, 1, 1, 1, 2, 2, 3]) {
            mutate::mutate(&mut after, &mut generator);
        }
        // So that functions are removed as well as added.
        if random.percent(40) {
            std::mem::swap(&mut before, &mut after);
        }
        let (old_start, new_start) = (old.len(), new.len());
        print::program(&mut old, &before);
        print::program(&mut new, &after);
        programs.push(Pair {
            entry: format!("e{number}"),
            recursive: after.functions.iter().any(tree::Function::is_recursive),
            globals: ["g#_0", "g#_1", "t#", "o#"].map(|name| name.replace('#', &number.to_string())).to_vec(),
            old: old[old_start..].to_owned(),
            new: new[new_start..].to_owned(),
            seed: Random::new(seed, number as u64 ^ 0x5eed),
        });
    }
    Batch { old, new, programs }
}

/// The functions of a text, by the lines that they begin on.
pub fn function_lines(text: &str) -> BTreeMap<u32, &str> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("{ ENTER;"));
    lines
        .filter_map(|(number, line)| {
            let name = line.split('(').next()?.split(' ').next_back()?;
            Some((number, name))
        })
        .collect()
}

impl Pair {
    /// Inputs to try, in order, each once.
    pub fn inputs(&self, most: usize) -> Vec<Input> {
        let mut random = self.seed.clone();
        let mut inputs: Vec<Input> = (0..most)
            .map(|_| Input {
                parameters: [(); 3].map(|()| random.below(8) as i32),
                globals: [(); GLOBALS].map(|()| random.below(4) as i32),
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }
}
