//! Random pairs of versions of small C functions, and a native judge of what they do.
//!
//! [`batch`] makes a file of functions `f0`, `f1`, ... in two versions. NEW is OLD with up to three mutations, or only
//! written in another way. One text serves Incise and the judge: macros that vanish for Incise record each statement
//! natively (`print.rs`), so that lines are the same in both.
//!
//! What holds for every function, whatever its inputs: it ends; all variables are initialised; nothing is undefined but
//! the operations that the judge detects, and those are failures for the engine as well. A statement is recorded when
//! control comes to it, before any of it is executed, which is what a node of the statement graph means. A visit's
//! `part` counts the nodes of a line, in the order of their ids; nodes of dead code do not occur in either.
mod generate;
mod judge;
mod mutate;
mod print;
mod tree;

pub use judge::{End, NativeJudge, Run, Visit};
pub use mutate::Mutation;
pub use tree::Type;

use crate::random::Random;
use generate::Generator;
use print::Layout;
use std::ops::RangeInclusive;
use tree::{Array, AssignedPlace, Atom, Expression, FunctionTree, Leaf, Statement, Value};

/// The variables of the file that are inputs of every function, and outputs.
pub const GLOBALS: [&str; 4] = ["g0", "g1", "gt[0]", "gt[1]"];
/// The first of [`GLOBALS`] are scalars.
const GLOBAL_SCALARS: usize = 2;
/// The values of globals that are tried.
const GLOBAL_DOMAIN: [i32; 5] = [-1, 0, 1, 2, 3];

/// Two versions of a file.
pub struct Batch {
    /// The C text of the old version.
    pub old: String,
    /// The C text of the new version.
    pub new: String,
    /// The functions, in order.
    pub functions: Vec<Pair>,
}

/// Two versions of a function.
pub struct Pair {
    /// Its name: `f` and its number.
    pub name: String,
    /// Its parameters `a`, `b`, `c`, or the first of them.
    pub parameters: Vec<Type>,
    /// What was done to it, in order. Several mutations can undo each other.
    pub mutations: Vec<Mutation>,
    /// Whether a function that it calls differs between the versions.
    pub calls_changed_helper: bool,
    /// Whether a version has a loop.
    pub has_loop: bool,
    /// The lines of the old version.
    pub old_lines: RangeInclusive<u32>,
    /// The lines of the new version.
    pub new_lines: RangeInclusive<u32>,
    /// Which of [`GLOBALS`] a version mentions.
    uses: [bool; GLOBALS.len()],
    seed: Random,
}

/// The values of a function's inputs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Input {
    /// A value for each parameter.
    pub parameters: Vec<i32>,
    /// A value for each of [`GLOBALS`].
    pub globals: Vec<i32>,
}

/// The functions of a seed, always the same.
pub fn batch(seed: u64, count: usize) -> Batch {
    let mut functions = Vec::with_capacity(count);
    let (mut old, mut new) = (print::prelude(1), print::prelude(2));
    for number in 0..count {
        let mut random = Random::new(seed, number as u64);
        let mut generator = Generator::new(random.clone());
        let before = generator.function();
        let mut after = before.clone();
        let wanted = random.pick(&[0, 1, 1, 1, 1, 1, 2, 2, 3]);
        let mutations = (0..wanted).filter_map(|_| mutate::mutate(&mut after, &mut generator)).collect();
        let plain = Layout { renamed: false, random: None };
        let other = Layout {
            renamed: random.percent(20),
            random: random.percent(30).then(|| Random::new(seed, !(number as u64))),
        };
        let name = format!("f{number}");
        let old_lines = print::function(&mut old, &name, &before, plain);
        let new_lines = print::function(&mut new, &name, &after, other);
        let mut use_of = Use::default();
        for tree in [&before, &after] {
            use_of.function(tree);
        }
        functions.push(Pair {
            parameters: before.parameters,
            calls_changed_helper: use_of.changed_helper,
            has_loop: use_of.has_loop,
            uses: use_of.globals,
            seed: Random::new(seed, number as u64 ^ 0x5eed),
            name,
            mutations,
            old_lines,
            new_lines,
        });
    }
    Batch { old, new, functions }
}

impl Batch {
    /// The text of a function in a version, for messages.
    pub fn excerpt(text: &str, lines: &RangeInclusive<u32>) -> String {
        let numbered = (1..).zip(text.lines()).filter(|(number, _)| lines.contains(number));
        numbered.map(|(number, line)| format!("{number:>5}  {line}\n")).collect()
    }
}

impl Pair {
    /// Inputs to try: all small values if there are at most `most` combinations, a sample of that many otherwise.
    /// Sorted, each once.
    pub fn inputs(&self, most: usize) -> Vec<Input> {
        let mut domains: Vec<&[i32]> = self.parameters.iter().map(|kind| kind.domain()).collect();
        domains.extend(self.uses.map(|used| if used { &GLOBAL_DOMAIN[..] } else { &[0] }));
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
                let mut parameters: Vec<i32> = values.collect();
                let globals = parameters.split_off(self.parameters.len());
                Input { parameters, globals }
            })
            .collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs
    }
}

/// What a function uses.
#[derive(Default)]
struct Use {
    globals: [bool; GLOBALS.len()],
    changed_helper: bool,
    has_loop: bool,
}

impl Use {
    fn function(&mut self, tree: &FunctionTree) {
        tree.locals.iter().for_each(|local| self.leaf(&local.initial));
        if let Some(tree::Object::Global(index)) = tree.pointer {
            self.globals[index] = true;
        }
        let mut result = tree.result.clone();
        self.value(&result);
        result.atoms(&mut |atom| self.atom(atom));
        tree.for_each(&mut |statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        statement.clone().atoms(&mut |atom| self.atom(atom));
        self.has_loop |= matches!(statement, Statement::For(..) | Statement::While { .. });
        match statement {
            Statement::Assign(place, value, _) => {
                match place {
                    AssignedPlace::Global(index) => self.globals[*index] = true,
                    AssignedPlace::Element(element) => self.array(element.array),
                    _ => {}
                }
                self.value(value);
            }
            Statement::Call(helper, _) => self.helper(*helper),
            Statement::Return(value) => self.value(value),
            Statement::If(condition, ..) => self.condition(condition),
            _ => {}
        }
    }

    fn atom(&mut self, atom: Atom<'_>) {
        match atom {
            Atom::Leaf(leaf) => self.leaf(leaf),
            Atom::Object(tree::Object::Global(index)) => self.globals[*index] = true,
            _ => {}
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        if let Leaf::Global(index) = leaf {
            self.globals[*index] = true;
        }
    }

    fn array(&mut self, array: Array) {
        if array == Array::Global {
            self.globals[GLOBAL_SCALARS..].fill(true);
        }
    }

    /// The second helper writes a global; what differs is the last.
    fn helper(&mut self, helper: usize) {
        self.globals[1] |= helper == 1;
        self.changed_helper |= helper == 2;
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Plain(expression) => self.expression(expression),
            Value::Choice(condition, _, second) => {
                self.condition(condition);
                self.expression(second);
            }
            Value::Truth(condition) => self.condition(condition),
        }
    }

    fn condition(&mut self, condition: &tree::Condition) {
        use tree::Condition::*;
        match condition {
            Compare(left, ..) => self.expression(left),
            Not(inner) => self.condition(inner),
            Both(left, right) | Either(left, right) => {
                self.condition(left);
                self.condition(right);
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Element(element) => self.array(element.array),
            Expression::Call(helper, _) => self.helper(*helper),
            Expression::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            _ => {}
        }
    }
}
