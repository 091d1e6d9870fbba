//! The generator of random programs: what [`Features`] allow, small, and with few paths.
//!
//! Whatever the inputs, a program ends, all variables are initialised, and nothing is undefined but the operations that
//! the judges detect; those are failures for the engine as well.
mod calls;
mod features;
mod interface;
mod names;
mod small;
mod statements;
mod threads;
mod wrapping;

pub use features::{Arithmetic, Features, Parts};
pub use interface::program_of_the_interface;
pub(crate) use small::OPERATORS;
pub(crate) use statements::{STEPS, Writer};
pub use threads::program_with_threads;
pub(crate) use wrapping::WRAPPING;

use crate::c::{Callee, Expression, Function, Inputs, Kind, Local, Parameter, Program, Statement, Type};
use crate::random::Random;

/// How many numbers a function of wrapping numbers has.
const NUMBERS: [&str; 3] = ["x", "y", "z"];

/// What is allowed, what of it the program may contain, and the source of chance.
pub struct Generator {
    pub random: Random,
    pub features: Features,
    pub(crate) has: Parts<bool>,
    /// The type of numbers.
    pub(crate) number: Type,
}

impl Generator {
    pub fn new(features: &Features, mut random: Random) -> Self {
        let has = features.chances.draw(&mut random);
        let wraps = features.arithmetic == Arithmetic::Wrapping;
        let number =
            if wraps && features.few_inputs && random.percent(50) { Type::Unsigned } else { Type::Int };
        Self { random, features: features.clone(), has, number }
    }

    fn wraps(&self) -> bool {
        self.features.arithmetic == Arithmetic::Wrapping
    }

    /// A program, of which the file has others with other numbers.
    pub fn program(&mut self, number: usize) -> Program {
        let (least, most) = self.features.functions;
        let below = if self.has.calls { least + self.random.below(most - least + 1) } else { 0 };
        let mut functions = vec![self.entry(number)];
        while functions.len() <= below {
            // Those that pointers can point to come last, so that the others can call them.
            let unary = self.has.callbacks && functions.len() + 1 >= below;
            let function = self.signature(Program::function_name(number, functions.len()), unary);
            functions.push(function);
        }
        if self.has.recursion && below > 0 {
            self.recurse(&mut functions);
        }
        let inputs = self.features.globals.then(|| self.inputs());
        let mut program = Program { number, functions, table: None, inputs };
        self.restrict(&mut program);
        let unary: Vec<usize> = (1..=below).filter(|&index| program.functions[index].is_unary()).collect();
        if self.has.callbacks && !unary.is_empty() && self.random.percent(50) {
            program.table = Some([self.random.pick(&unary), self.random.pick(&unary)]);
        }
        for index in 0..=below {
            self.fill(&mut program, index);
        }
        for index in 1..=below {
            self.call_if_nobody_does(&mut program, index);
        }
        program
    }

    fn recurse(&mut self, functions: &mut [Function]) {
        let first = 1 + self.random.below(functions.len() - 1);
        let both = self.random.percent(40) && first + 1 < functions.len();
        for function in &mut functions[first..=first + usize::from(both)] {
            function.parameters.insert(0, parameter(Kind::Depth, "n"));
        }
    }

    fn inputs(&mut self) -> Inputs {
        let ranges = [(2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (0, 1)];
        let mut draw = |(least, most): (usize, usize)| (least + self.random.below(most - least + 1)) as u32;
        let bits = self.features.few_inputs.then(|| ranges.map(&mut draw));
        let number = if self.features.few_inputs { Type::UnsignedChar } else { Type::Int };
        Inputs { number, record: self.has.records, bits }
    }

    /// Makes the inputs small, or few.
    fn restrict(&mut self, program: &mut Program) {
        let names = program.global_numbers();
        let entry = &mut program.functions[0];
        let keep = |name: &str, mask: i32| {
            Statement::Assign(Expression::number(name), Expression::number(name).low(mask))
        };
        if let Some(bits) = program.inputs.as_ref().and_then(|inputs| inputs.bits) {
            let masks = bits.map(|bits| (1 << bits) - 1);
            for (parameter, mask) in entry.parameters.iter().zip(masks) {
                let low = Expression::number(&parameter.name).low(mask);
                let below = if self.number == Type::Int { mask / 2 } else { 0 };
                let low = Expression::Fixed("-", Box::new(low), below);
                entry.start.push(Statement::Assign(Expression::number(&parameter.name), low));
            }
            let masks = masks[3..5].iter().chain(std::iter::repeat(&masks[5]));
            entry.start.extend(names.iter().zip(masks).map(|(name, &mask)| keep(name, mask)));
            return;
        }
        if self.wraps() {
            return;
        }
        let chance = if self.features.all_types { 30 } else { 100 };
        for parameter in &mut entry.parameters {
            if !self.random.percent(chance) {
                continue;
            }
            let mask = self.random.pick(&[1, 3, 7, 7]);
            let Statement::Assign(place, low) = keep(&parameter.name, mask) else { continue };
            let down = self.random.percent(if self.features.all_types { 20 } else { 100 });
            let low = if down { Expression::Fixed("-", Box::new(low), 2) } else { low };
            entry.start.push(Statement::Assign(place, low));
            parameter.small = parameter.number != Type::Unsigned || !down;
        }
    }

    fn call_if_nobody_does(&mut self, program: &mut Program, callee: usize) {
        let mut is_called = program.table.is_some_and(|table| table.contains(&callee));
        for function in &mut program.functions[..callee] {
            let direct = |call: &crate::c::Call| call.callee == Callee::Direct(callee);
            function.each_expression(&mut |part| {
                is_called |= matches!(part, Expression::Call(call) if direct(call));
            });
            function.each_statement(&mut |each| {
                is_called |= matches!(each, Statement::Call(call) if direct(call))
            });
        }
        if is_called {
            return;
        }
        let before = program.clone();
        let caller = if self.features.is_deep { self.random.below(callee) } else { 0 };
        let mut writer = Writer::new(self, &before, caller);
        if let Some(statement) = writer.call_statement(callee) {
            let body = &mut program.functions[caller].body;
            let at = self.random.below(body.len() + 1);
            body.insert(at, statement);
        }
    }

    fn entry(&mut self, number: usize) -> Function {
        use Type::*;
        let count = self.random.pick(self.features.parameters);
        let mut parameters: Vec<Parameter> =
            ["a", "b", "c"][..count].iter().map(|name| parameter(Kind::Number, name)).collect();
        for each in &mut parameters {
            each.number = match (self.features.all_types, self.wraps()) {
                (true, false) => self.random.pick(&[
                    Int,
                    Int,
                    Int,
                    Int,
                    Int,
                    Int,
                    Unsigned,
                    Short,
                    SignedChar,
                    UnsignedChar,
                ]),
                (true, true) => self.random.pick(&[SignedChar, UnsignedChar]),
                (false, _) => self.number,
            };
            each.small = !each.number.is_wide();
        }
        Function::new(Program::function_name(number, 0), Some(self.number), parameters)
    }

    /// A function without a body.
    pub(crate) fn signature(&mut self, name: String, unary: bool) -> Function {
        let count = match (unary, self.wraps()) {
            (true, _) => 1,
            (_, true) => 2,
            (_, false) => self.random.pick(&[0, 1, 1, 1, 2, 2]),
        };
        let names = if self.wraps() { ["a", "b"] } else { ["v", "w"] };
        let parameters = names[..count].iter().map(|name| parameter(Kind::Number, name)).collect();
        let mut function = Function::new(name, Some(self.number), parameters);
        function.parameters.iter_mut().for_each(|parameter| parameter.number = self.number);
        function.is_static = self.features.few_inputs;
        if !unary && !self.wraps() {
            self.add_parameters(&mut function);
            function.returns = self.random.percent(75).then_some(self.number);
        }
        function
    }

    fn add_parameters(&mut self, function: &mut Function) {
        let candidates = [
            (self.has.pointers, 45, Kind::Pointer, "p"),
            (self.has.arrays, 40, Kind::Array, "s"),
            (self.has.records, 45, Kind::Record, "q"),
            (self.has.callbacks, 40, Kind::Function, "f"),
            (self.has.callbacks && self.has.records, 30, Kind::Operation, "m"),
        ];
        for (possible, chance, kind, name) in candidates {
            if possible && self.random.percent(chance) {
                let at = self.random.below(function.parameters.len() + 1);
                function.parameters.insert(at, parameter(kind, name));
            }
        }
    }

    /// Makes the body of a function.
    pub(crate) fn fill(&mut self, program: &mut Program, index: usize) {
        let locals =
            if self.wraps() { self.plain_locals(program, index) } else { self.locals(program, index) };
        program.functions[index].locals = locals;
        let (statements, conditions) = match index {
            0 => self.random.pick(self.features.sizes),
            _ => (1 + self.random.below(3), self.random.below(3)),
        };
        let mut writer = Writer::new(self, program, index);
        (writer.statements, writer.conditions) = (statements, conditions);
        writer.calls = if index == 0 { 4 } else { 2 };
        let mut body = writer.body();
        if program.functions[index].is_recursive() {
            let at = writer.generator.random.below(body.len() + 1);
            body.insert(at, writer.again());
        }
        let result = writer.result();
        let counters = writer.counters;
        let function = &mut program.functions[index];
        (function.body, function.result, function.counters) = (body, result, counters);
    }

    /// Three numbers, and what expressions need.
    fn plain_locals(&mut self, program: &Program, index: usize) -> Vec<Local> {
        let kind = self.number;
        let mut locals = Vec::new();
        if self.has.failures {
            // Clang folds a division of constants by zero into anything. Nothing changes this variable.
            locals.push(Local::Declared(format!("{} zero = 0;", kind.text())));
        }
        if !self.features.globals {
            locals.push(Local::Array("table".to_owned(), vec![1, 2, 3, 4, 50, 60, -7, 8]));
        }
        for (lane, name) in NUMBERS.into_iter().enumerate() {
            let mut writer = Writer::new(self, program, index);
            writer.lane = lane;
            locals.push(Local::Number(kind, name.to_owned(), writer.initial()));
        }
        locals
    }

    fn locals(&mut self, program: &Program, index: usize) -> Vec<Local> {
        let mut locals = Vec::new();
        let count = match (index, self.features.all_types) {
            (0, true) => 1 + self.random.below(3),
            (0, false) => 2,
            _ => self.random.below(2),
        };
        for name in &NUMBERS[..count] {
            let initial = Writer::new(self, program, index).initial();
            locals.push(Local::Number(Type::Int, (*name).to_owned(), initial));
        }
        let chance = if index == 0 { 60 } else { 25 };
        if self.has.arrays && self.random.percent(chance) {
            locals.push(Local::Array("u".to_owned(), vec![0, 1, 2, 3]));
        }
        if self.has.records && self.random.percent(chance) {
            let (x, y) = (self.random.below(4) as i32, self.random.below(4) as i32);
            locals.push(Local::Record("r".to_owned(), x, y));
        }
        if self.has.statics && self.random.percent(50) {
            locals.push(Local::Static("k".to_owned(), self.random.below(3) as i32));
        }
        self.point(program, index, &mut locals, chance);
        locals
    }

    /// Adds what points to something: it comes after what it may point to.
    fn point(&mut self, program: &Program, index: usize, locals: &mut Vec<Local>, chance: usize) {
        let mut with = program.clone();
        with.functions[index].locals = locals.clone();
        let wanted = [
            (self.has.pointers, Kind::Pointer, "d"),
            (self.has.callbacks, Kind::Function, "h"),
            (self.has.callbacks && self.has.records, Kind::Operation, "z"),
        ];
        for (wanted, kind, name) in wanted {
            let pointed = if kind == Kind::Operation { Kind::Function } else { kind };
            let pool = Writer::new(self, &with, index).pool(pointed);
            if !wanted || pool.is_empty() || !self.random.percent(chance) {
                continue;
            }
            let target = self.random.pick(&pool);
            locals.push(match kind {
                Kind::Operation => Local::Operation(name.to_owned(), target),
                kind => Local::Pointing(kind, name.to_owned(), target),
            });
        }
    }
}

/// A parameter; numbers are small, because callers see to that.
fn parameter(kind: Kind, name: &str) -> Parameter {
    Parameter { kind, number: Type::Int, name: name.to_owned(), small: true }
}
