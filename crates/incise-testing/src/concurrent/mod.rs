//! Random pairs of versions of programs with threads: what they do, their text in C, and an interpreter that finds all
//! that each statement reads and writes in every order.
//!
//! Every statement has one access that others can see, at most, and a line of its own.

mod change;
mod interpret;
mod text;

pub use interpret::{Behaviour, interpret};

use crate::Random;

/// The shared variables, locks, semaphores.
pub const VARIABLES: usize = 4;
pub const LOCKS: usize = 2;
pub const SEMAPHORES: usize = 2;
/// The input is one of so many numbers.
pub const INPUTS: i32 = 3;

/// What a thread looks at where it branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `r == number`.
    Register(i32),
    /// `in == number`.
    Input(i32),
}

/// What a thread does; `r` is a number of its own, and `in` the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// `r = variable`.
    Read(usize),
    /// `variable = number`.
    Write(usize, i32),
    /// `variable = r + number`.
    WriteSum(usize, i32),
    /// `variable = in + number`.
    WriteInput(usize, i32),
    /// `r = (r * 2 + number) & 7`.
    Compute(i32),
    Lock(usize),
    Unlock(usize),
    Post(usize),
    Take(usize),
    Arrive,
    /// `while (variable == number) ;`
    Await(usize, i32),
    If(Condition, Vec<Op>),
    /// `r = helper(r, in)`.
    Call(usize),
    /// `r = helper(variable, in)`.
    CallWith(usize, usize),
    /// Fails if `r` is that.
    Assert(i32),
    Create(usize),
    Join(usize),
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Concurrent {
    /// The first thread.
    pub main: Vec<Op>,
    /// The functions of the others, each started once at most.
    pub threads: Vec<Vec<Op>>,
    /// Functions that threads call; they call nothing.
    pub helpers: Vec<Vec<Op>>,
    /// How many come to the barrier.
    pub barrier: usize,
}

/// Two versions.
#[derive(Clone, Debug)]
pub struct ConcurrentPair {
    pub old: Concurrent,
    pub new: Concurrent,
}

impl ConcurrentPair {
    /// The pair of a seed.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed, 1901);
        let old = Concurrent::random(&mut random);
        let mut new = old.clone();
        while new == old {
            for _ in 0..1 + random.below(2) {
                change::change(&mut new, &mut random);
            }
        }
        // What was added may just as well have been removed.
        match random.percent(50) {
            true => Self { old, new },
            false => Self { old: new, new: old },
        }
    }
}

impl Concurrent {
    fn random(random: &mut Random) -> Self {
        let count = random.pick(&[2, 2, 2, 3]);
        let helpers = random.below(2);
        let synchronised = random.percent(60);
        let length = if count == 2 { 5 } else { 3 };
        let mut threads = Vec::new();
        for _ in 0..count {
            let length = 1 + random.below(length);
            threads.push(body(random, length, (helpers, synchronised)));
        }
        let barrier = count;
        if random.percent(12) {
            for thread in &mut threads {
                let at = random.below(thread.len() + 1);
                thread.insert(at, Op::Arrive);
            }
        }
        let helpers = (0..helpers).map(|_| vec![access(random), access(random)]).collect::<Vec<_>>();
        Self { main: main(random, count), threads, helpers, barrier }
    }
}

/// Starts the others and mostly waits for them, with something before, between and behind.
fn main(random: &mut Random, count: usize) -> Vec<Op> {
    let mut ops = Vec::new();
    let maybe = |random: &mut Random, ops: &mut Vec<Op>, chance| {
        if random.percent(chance) {
            ops.push(access(random));
        }
    };
    maybe(random, &mut ops, 40);
    for thread in 0..count {
        ops.push(Op::Create(thread));
        maybe(random, &mut ops, 20);
        if random.percent(15) {
            ops.push(Op::Join(thread));
            maybe(random, &mut ops, 50);
        }
    }
    let open: Vec<usize> = (0..count).filter(|&thread| !ops.contains(&Op::Join(thread))).collect();
    for thread in open {
        if random.percent(85) {
            ops.push(Op::Join(thread));
            maybe(random, &mut ops, 20);
        }
    }
    maybe(random, &mut ops, 50);
    ops
}

fn number(random: &mut Random) -> i32 {
    random.below(3) as i32
}

/// An access to a variable, or something that nobody sees.
pub(crate) fn access(random: &mut Random) -> Op {
    let (variable, number) = (random.below(VARIABLES), number(random));
    match random.below(11) {
        0..=3 => Op::Read(variable),
        4..=6 => Op::Write(variable, number + 1),
        7 | 8 => Op::WriteSum(variable, number),
        9 => Op::WriteInput(variable, number),
        _ => Op::Compute(number),
    }
}

/// What a thread does, with locks in pairs.
fn body(random: &mut Random, length: usize, (helpers, synchronised): (usize, bool)) -> Vec<Op> {
    let mut ops = Vec::new();
    while ops.len() < length {
        match random.below(20) {
            0 | 1 if ops.len() + 1 < length => {
                let condition = condition(random);
                ops.push(Op::If(condition, vec![access(random)]));
            }
            2 | 10 if helpers > 0 => {
                let (helper, variable) = (random.below(helpers), random.below(VARIABLES));
                ops.push(if random.percent(50) { Op::Call(helper) } else { Op::CallWith(helper, variable) });
            }
            3..=5 if synchronised => {
                let lock = random.below(LOCKS);
                ops.push(Op::Lock(lock));
                (0..1 + random.below(2)).for_each(|_| ops.push(access(random)));
                ops.push(Op::Unlock(lock));
            }
            6 if synchronised => ops.push(Op::Post(random.below(SEMAPHORES))),
            7 if synchronised => ops.push(Op::Take(random.below(SEMAPHORES))),
            8 if random.percent(40) => ops.push(Op::Await(random.below(VARIABLES), 0)),
            9 if random.percent(30) => ops.push(Op::Assert(number(random) + 2)),
            _ => ops.push(access(random)),
        }
    }
    ops
}

pub(crate) fn condition(random: &mut Random) -> Condition {
    match random.percent(60) {
        true => Condition::Register(number(random)),
        false => Condition::Input(number(random)),
    }
}
