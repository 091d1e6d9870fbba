//! Random pairs of versions that access volatile variables: reads and writes are put twice, left out, put elsewhere, or
//! taken from a copy. An interpreter that hands out a value for each volatile read is the judge: where results or
//! accesses differ, the versions are not the same.

use crate::whole_verdict::verdict;
use incise_change::Versions;
use incise_exec::{Config, Volatile};
use incise_incremental::differ::Sameness;
use incise_testing::{Random, program, shorter};

/// Functions in one file.
const BATCH: usize = 20;

/// How often the judge looks.
const RUNS: usize = 300;

/// Variables of a function, of which the last is its parameter; and volatile ones.
const OWN: [&str; 3] = ["x", "y", "n"];
const SHARED: [&str; 3] = ["first", "second", "*at"];

#[derive(Clone, Debug)]
enum Step {
    /// A volatile variable is read into one of the function.
    Read(usize, usize),
    /// The same, and nobody wants the value.
    Look(usize),
    /// A volatile variable is written.
    Write(usize, usize),
    Copy(usize, usize),
    Add(usize, usize, bool),
    /// Steps that are done if a bit of a variable is set.
    If(usize, u32, Vec<Step>),
    /// Steps that are done none to two times.
    Repeat(usize, Vec<Step>),
}

/// What two versions do.
type Pair = (Vec<Step>, Vec<Step>);

fn steps(random: &mut Random, depth: u32) -> Vec<Step> {
    (0..2 + random.below(3)).map(|_| step(random, depth)).collect()
}

fn step(random: &mut Random, depth: u32) -> Step {
    let (own, other, shared) = (random.below(3), random.below(3), random.below(3));
    match random.below(if depth == 0 { 8 } else { 11 }) {
        0..=2 => Step::Read(own, shared),
        3 | 4 => Step::Write(shared, own),
        5 => Step::Look(shared),
        6 => Step::Copy(own, other),
        7 => Step::Add(own, other, false),
        8 | 9 => Step::If(own, random.below(2) as u32, steps(random, depth - 1)),
        _ => Step::Repeat(own, steps(random, depth - 1)),
    }
}

/// Changes one place, which may mean something or nothing.
fn change(random: &mut Random, steps: &mut Vec<Step>) {
    let at = random.below(steps.len());
    if let Step::If(_, _, inner) | Step::Repeat(_, inner) = &mut steps[at]
        && random.below(3) > 0
    {
        return change(random, inner);
    }
    match random.below(6) {
        0 => steps.insert(at, steps[at].clone()),
        1 if steps.len() > 1 => drop(steps.remove(at)),
        2 if at > 0 => steps.swap(at - 1, at),
        3 => {
            if let Step::Read(own, _) = steps[at] {
                steps[at] = Step::Copy(own, random.below(3));
            }
        }
        _ => match steps.iter_mut().find(|step| matches!(step, Step::Add(..))) {
            Some(Step::Add(_, _, turned)) => *turned = !*turned,
            _ => steps.insert(at, Step::Add(2, 2, true)),
        },
    }
}

fn text(steps: &[Step], out: &mut String) {
    for step in steps {
        match step {
            Step::Read(own, shared) => *out += &format!("{} = {};\n", OWN[*own], SHARED[*shared]),
            Step::Look(shared) => *out += &format!("(void){};\n", SHARED[*shared]),
            Step::Write(shared, own) => *out += &format!("{} = {};\n", SHARED[*shared], OWN[*own]),
            Step::Copy(own, other) => *out += &format!("{} = {};\n", OWN[*own], OWN[*other]),
            Step::Add(own, other, false) => *out += &format!("{0} = {0} + {1};\n", OWN[*own], OWN[*other]),
            Step::Add(own, other, true) => *out += &format!("{0} = {1} + {0};\n", OWN[*own], OWN[*other]),
            Step::If(own, bit, inner) => {
                *out += &format!("if ({} & {}) {{\n", OWN[*own], 1 << bit);
                text(inner, out);
                *out += "}\n";
            }
            Step::Repeat(own, inner) => {
                *out += &format!("for (int i = {} % 3; i > 0; i--) {{\n", OWN[*own]);
                text(inner, out);
                *out += "}\n";
            }
        }
    }
}

fn function(number: usize, steps: &[Step]) -> String {
    let mut body = String::new();
    text(steps, &mut body);
    format!(
        "int f{number}(unsigned char n, volatile unsigned char *at) {{\nunsigned char x = 0, y = 1;\n{body}return x + 256 * y;\n}}\n"
    )
}

/// What a run shows: accesses, each with whether it writes, where, and the value; and the result.
#[derive(Default, PartialEq)]
struct Shown {
    accesses: Vec<(bool, usize, u8)>,
    result: (u8, u8),
}

struct Run<'v> {
    own: [u8; 3],
    /// What volatile reads give, in their order.
    given: std::iter::Cycle<std::slice::Iter<'v, u8>>,
    accesses: Vec<(bool, usize, u8)>,
}

impl Run<'_> {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Read(own, shared) => self.own[*own] = self.read(*shared),
                Step::Look(shared) => drop(self.read(*shared)),
                Step::Write(shared, own) => self.accesses.push((true, *shared, self.own[*own])),
                Step::Copy(own, other) => self.own[*own] = self.own[*other],
                Step::Add(own, other, _) => self.own[*own] = self.own[*own].wrapping_add(self.own[*other]),
                Step::If(own, bit, inner) => {
                    if self.own[*own] >> bit & 1 == 1 {
                        self.steps(inner);
                    }
                }
                Step::Repeat(own, inner) => (0..self.own[*own] % 3).for_each(|_| self.steps(inner)),
            }
        }
    }

    fn read(&mut self, shared: usize) -> u8 {
        let value = *self.given.next().expect("it goes round");
        self.accesses.push((false, shared, value));
        value
    }
}

fn run(steps: &[Step], n: u8, given: &[u8]) -> Shown {
    let mut run = Run { own: [0, 1, n], given: given.iter().cycle(), accesses: Vec::new() };
    run.steps(steps);
    Shown { accesses: run.accesses, result: (run.own[0], run.own[1]) }
}

fn differs(random: &mut Random, old: &[Step], new: &[Step]) -> bool {
    (0..RUNS).any(|_| {
        let n = random.below(256) as u8;
        let given: Vec<u8> = (0..11).map(|_| random.below(256) as u8).collect();
        run(old, n, &given) != run(new, n, &given)
    })
}

#[test]
fn accesses_that_differ_are_never_the_same() {
    let (mut same, mut different, mut open) = (0, 0, 0);
    for batch in 0..shorter(4, 40) {
        let mut random = Random::new(7_000, batch as u64);
        let mut pairs = Vec::new();
        while pairs.len() < BATCH {
            let old = steps(&mut random, 2);
            let mut new = old.clone();
            change(&mut random, &mut new);
            pairs.push((old, new));
        }
        let file = |which: fn(&Pair) -> &Vec<Step>| {
            let functions = pairs.iter().enumerate().map(|(number, pair)| function(number, which(pair)));
            let functions: String = functions.collect();
            program(&format!("volatile unsigned char first, second;\n{functions}"))
        };
        let (old, new) = (file(|pair| &pair.0), file(|pair| &pair.1));
        let versions = Versions::compare(&old, &new);
        for (number, pair) in pairs.iter().enumerate() {
            let mut config = Config::new(format!("f{number}"));
            config.volatile = Volatile::Changing;
            let found = verdict((&old, &new), &versions, &config, false);
            let differs = differs(&mut random, &pair.0, &pair.1);
            let why = || format!("batch {batch}\n{}{}", function(number, &pair.0), function(number, &pair.1));
            match found {
                Sameness::Same | Sameness::WithinBounds => assert!(!differs, "{}", why()),
                Sameness::Differs | Sameness::Undecided => {}
            }
            match found {
                Sameness::Same => same += 1,
                Sameness::Differs => different += usize::from(differs),
                _ => open += 1,
            }
        }
    }
    println!("{same} the same, {different} differ, {open} open");
    let batches = shorter(4, 40);
    assert!(
        same >= 3 * batches && different >= 8 * batches && open <= 4 * batches,
        "{same}, {different}, {open}"
    );
}
