//! Random programs in two versions, many in a file.

use crate::c::{self, ELEMENTS, Function, PRELUDE, Program, Style, Type};
use crate::change::{self, Mutation};
use crate::generate::{Arithmetic, Features, Generator};
use crate::random::Random;
use incise_exec::{Config, SymbolicGlobals};
use std::ops::RangeInclusive;

/// The values of global variables that are tried.
const GLOBAL_DOMAIN: [i32; 5] = [-1, 0, 1, 2, 3];

/// Two versions of a file.
pub struct Batch {
    /// The C text of the old version.
    pub old: String,
    /// The C text of the new version.
    pub new: String,
    /// The programs, in order.
    pub pairs: Vec<Pair>,
}

/// Two versions of a program.
pub struct Pair {
    pub old: Program,
    pub new: Program,
    /// What was done to it, in order, to the old version or the new one. Several mutations can undo each other.
    pub mutations: Vec<Mutation>,
    /// The lines of the old version.
    pub old_lines: RangeInclusive<u32>,
    /// The lines of the new version.
    pub new_lines: RangeInclusive<u32>,
    /// The text of the old version.
    pub old_text: String,
    /// The text of the new version.
    pub new_text: String,
    seed: Random,
}

/// The values of a program's inputs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input {
    /// A value for each parameter of the entry.
    pub parameters: Vec<i32>,
    /// A value for each number in the global variables.
    pub globals: Vec<i32>,
}

/// The pairs of a seed, always the same. The new version is the old one with changes that may matter, or only written
/// in another way.
pub fn batch(features: &Features, seed: u64, count: usize) -> Batch {
    let wraps = features.arithmetic == Arithmetic::Wrapping;
    batch_with(features, seed, count, |_, new, generator| match wraps {
        true => change_and_rewrite(new, generator),
        false => {
            let wanted = generator.random.pick(&[0, 1, 1, 1, 1, 1, 2, 2, 3]);
            (0..wanted).filter_map(|_| change::mutate(new, generator)).collect()
        }
    })
}

/// About as many pairs are the same as differ.
fn change_and_rewrite(program: &mut Program, generator: &mut Generator) -> Vec<Mutation> {
    let (rewritings, changes) = generator.random.pick(&[
        (0, 1),
        (0, 1),
        (0, 2),
        (1, 2),
        (2, 2),
        (0, 3),
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
    ]);
    let before = program.clone();
    let mut mutations = Vec::new();
    // What is drawn may not fit anywhere.
    for _ in 0..3 {
        if *program == before {
            (0..rewritings).for_each(|_| change::rewrite(program, generator));
            mutations.extend((0..changes).filter_map(|_| change::mutate(program, generator)));
        }
    }
    mutations
}

/// The pairs of a seed, with changes of one's own.
pub fn batch_with(
    features: &Features,
    seed: u64,
    count: usize,
    mut edit: impl FnMut(usize, &mut Program, &mut Generator) -> Vec<Mutation>,
) -> Batch {
    let mut batch =
        Batch { old: PRELUDE.to_owned(), new: PRELUDE.to_owned(), pairs: Vec::with_capacity(count) };
    for number in 0..count {
        let mut generator = Generator::new(features, Random::new(seed, number as u64));
        let mut old = generator.program(number);
        let mut new = old.clone();
        let mutations = edit(number, &mut new, &mut generator);
        let random = &mut generator.random;
        // So that things are added as often as removed.
        if features.ends && random.percent(40) {
            std::mem::swap(&mut old, &mut new);
        }
        let plain = Style { marked: features.marked, ..Style::default() };
        let free = features.marked || !features.ends;
        let other = Style {
            renamed: free && random.percent(25),
            spread: (features.marked && random.percent(30)).then(|| random.clone()),
            ..plain.clone()
        };
        let (old_text, old_lines) = add(&mut batch.old, &old, plain);
        let (new_text, new_lines) = add(&mut batch.new, &new, other);
        let seed = generator.random;
        batch.pairs.push(Pair { old, new, mutations, old_lines, new_lines, old_text, new_text, seed });
    }
    batch
}

/// Adds a program to a file; its text and its lines.
fn add(file: &mut String, program: &Program, style: Style) -> (String, RangeInclusive<u32>) {
    let first = file.matches('\n').count() as u32 + 1;
    let text = c::print(program, style);
    file.push_str(&text);
    (text, first..=file.matches('\n').count() as u32)
}

impl Pair {
    /// The name of its entry: `e` and its number.
    pub fn entry(&self) -> String {
        format!("e{}", self.new.number)
    }

    /// The entry, of which both versions have the same parameters.
    fn function(&self) -> &Function {
        &self.new.functions[0]
    }

    /// The types of the parameters `a`, `b` and `c`, or of the first of them.
    pub fn parameters(&self) -> Vec<Type> {
        self.function().parameters.iter().map(|parameter| parameter.number).collect()
    }

    /// The variables that are inputs besides.
    pub fn globals(&self) -> Vec<String> {
        self.new.globals().into_iter().map(|name| name.replace('@', "")).collect()
    }

    /// The numbers in those variables, as C names them.
    pub fn global_numbers(&self) -> Vec<String> {
        self.new.global_numbers().into_iter().map(|name| name.replace('@', "")).collect()
    }

    /// How its entry is explored.
    pub fn config(&self) -> Config {
        let mut config = Config::new(self.entry());
        config.inputs.globals = SymbolicGlobals::Named(self.globals());
        config
    }

    /// Whether a function calls itself, alone or with another.
    pub fn is_recursive(&self) -> bool {
        self.new.functions.iter().any(Function::is_recursive)
    }

    /// Both texts, for messages.
    pub fn texts(&self) -> String {
        let numbered = |text: &str, lines: &RangeInclusive<u32>| -> String {
            lines.clone().zip(text.lines()).map(|(number, line)| format!("{number:>5}  {line}\n")).collect()
        };
        let (old, new) =
            (numbered(&self.old_text, &self.old_lines), numbered(&self.new_text, &self.new_lines));
        format!("{}\nOLD\n{old}\nNEW\n{new}", self.entry())
    }

    /// Inputs to try: all small values if there are at most `most` combinations, a sample of that many otherwise.
    /// Sorted, each once.
    pub fn inputs(&self, most: usize) -> Vec<Input> {
        let parameters = self.parameters();
        let mut domains: Vec<&[i32]> = parameters.iter().map(|kind| kind.domain()).collect();
        let mentioned = |name: &str| {
            let name = name.split(['[', '.']).next().unwrap_or(name);
            // It is declared anyway.
            [&self.old_text, &self.new_text].iter().any(|text| text.matches(name).count() > 1)
        };
        let globals = self.global_numbers();
        domains.extend(globals.iter().map(|name| if mentioned(name) { &GLOBAL_DOMAIN[..] } else { &[0] }));
        let combinations = domains.iter().map(|domain| domain.len()).product::<usize>();
        let mut random = self.seed.clone();
        let mut inputs: Vec<Input> = (0..combinations.min(most))
            .map(|number| {
                let mut rest = number;
                let values = domains.iter().map(|domain| {
                    if combinations > most {
                        return random.pick(domain);
                    }
                    let value = domain[rest % domain.len()];
                    rest /= domain.len();
                    value
                });
                let mut values: Vec<i32> = values.collect();
                let globals = values.split_off(parameters.len());
                Input { parameters: values, globals }
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }

    /// How many low bits of each input count, where inputs are few: parameters, globals, elements of the array.
    pub(crate) fn widths(&self) -> Vec<u32> {
        let bits = self.new.inputs.as_ref().and_then(|inputs| inputs.bits).expect("few inputs");
        bits[..5].iter().copied().chain([bits[5]; ELEMENTS]).collect()
    }

    /// How many inputs tell apart what the program can tell apart, where they are few.
    pub fn count_inputs(&self) -> usize {
        1 << self.widths().iter().sum::<u32>()
    }

    /// The number of an input, given the bytes of each by its name; what is not given is zero.
    pub fn input_number(&self, given: impl Fn(&str) -> Option<Vec<u8>>) -> usize {
        let low = |name: &str, at: usize| given(name).and_then(|bytes| bytes.get(at).copied()).unwrap_or(0);
        let mut values: Vec<u8> = ["a", "b", "c"].iter().map(|name| low(name, 0)).collect();
        for name in self.global_numbers() {
            let (name, index) = name.split_once('[').unwrap_or((&name, "0]"));
            values.push(low(name, index.trim_end_matches(']').parse().unwrap_or(0)));
        }
        let mut found = 0;
        let mut shift = 0;
        for (value, width) in values.into_iter().zip(self.widths()) {
            found |= (usize::from(value) & ((1 << width) - 1)) << shift;
            shift += width;
        }
        found
    }
}

/// A function of two bytes `int f(a, b)` of a seed, always the same.
pub fn function_of_two_bytes(seed: u64) -> String {
    let mut program = Generator::new(&Features::two_bytes(), Random::new(seed, 0)).program(0);
    program.functions[0].name = "f".to_owned();
    for (parameter, kind) in
        program.functions[0].parameters.iter_mut().zip([Type::UnsignedChar, Type::SignedChar])
    {
        parameter.number = kind;
    }
    c::print(&program, Style::default())
}

/// The functions of a text with marks, by the lines that they begin on.
pub fn function_lines(text: &str) -> std::collections::BTreeMap<u32, &str> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("{ ENTER;"));
    lines
        .filter_map(|(number, line)| {
            let name = line.split('(').next()?.split(' ').next_back()?;
            Some((number, name))
        })
        .collect()
}
