//! Random programs: small, without undefined behaviour besides the operations that are meant to fail, and with few
//! paths.

use super::tree::{Callee, Expression, Function, Kind, Local, Statement, StatementPart, Tree};
use super::writer::Writer;
use crate::random::Random;

pub(super) const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub(super) const OPERATORS: [&str; 5] = ["+", "-", "&", "|", "^"];
/// Blocks are nested up to this deep.
pub(super) const DEEPEST: usize = 2;

/// What a program may contain.
#[derive(Clone)]
pub(super) struct Features {
    pub(super) loops: bool,
    pub(super) failures: bool,
    pub(super) leaves: bool,
    pub(super) pointers: bool,
    pub(super) arrays: bool,
    pub(super) records: bool,
    pub(super) functions: bool,
    pub(super) statics: bool,
}

/// The shape of a program and what is chosen by chance.
pub(super) struct Generator {
    pub(super) random: Random,
    pub(super) features: Features,
}

impl Generator {
    pub(super) fn new(mut random: Random) -> Self {
        let features = Features {
            loops: random.percent(30),
            failures: random.percent(35),
            leaves: random.percent(30),
            pointers: random.percent(55),
            arrays: random.percent(35),
            records: random.percent(40),
            functions: random.percent(35),
            statics: random.percent(25),
        };
        Self { random, features }
    }

    pub(super) fn tree(&mut self, number: usize) -> Tree {
        let count = 3 + self.random.below(4);
        let mut functions = vec![self.entry()];
        while functions.len() < count {
            // Those that pointers can point to come last, so that the others can call them.
            let unary = self.features.functions && functions.len() + 2 >= count;
            let function = self.signature(unary);
            functions.push(function);
        }
        if self.random.percent(20) {
            let depth = (Kind::Depth, "n".to_owned());
            let first = 1 + self.random.below(count - 1);
            let both = self.random.percent(40) && first + 1 < count;
            for function in &mut functions[first..=first + usize::from(both)] {
                function.parameters.insert(0, depth.clone());
            }
        }
        let mut tree = Tree { number, functions, table: None };
        let unary: Vec<usize> = (1..count).filter(|&index| tree.functions[index].is_unary()).collect();
        if self.features.functions && !unary.is_empty() && self.random.percent(50) {
            tree.table = Some([self.random.pick(&unary), self.random.pick(&unary)]);
        }
        for index in 0..count {
            self.fill(&mut tree, index);
        }
        for index in 1..count {
            self.call_if_nobody_does(&mut tree, index);
        }
        tree
    }

    fn call_if_nobody_does(&mut self, tree: &mut Tree, callee: usize) {
        let mut is_called = tree.table.is_some_and(|table| table.contains(&callee));
        for function in &mut tree.functions[..callee] {
            function.parts(&mut |part| {
                is_called |=
                    matches!(part, StatementPart::Call(call) if call.callee == Callee::Direct(callee));
            });
        }
        if is_called {
            return;
        }
        let before = tree.clone();
        let caller = self.random.below(callee);
        let mut writer = Writer::new(&mut self.random, &self.features, &before, caller);
        if let Some(call) = writer.call_of(callee, 1) {
            let body = &mut tree.functions[caller].body;
            let at = self.random.below(body.len() + 1);
            body.insert(at, Statement::Call(call));
        }
    }

    fn entry(&mut self) -> Function {
        let parameters = ["a", "b", "c"].map(|name| (Kind::Number, name.to_owned())).to_vec();
        let masks = parameters.iter().map(|_| self.random.pick(&[3, 7, 7])).collect();
        Function { masks, ..empty(parameters, true) }
    }

    /// A function without a body.
    pub(super) fn signature(&mut self, unary: bool) -> Function {
        if unary {
            return empty(vec![(Kind::Number, "v".to_owned())], true);
        }
        let mut parameters = Vec::new();
        let names = ["v", "w"];
        for name in &names[..self.random.pick(&[0, 1, 1, 1, 2, 2])] {
            parameters.push((Kind::Number, (*name).to_owned()));
        }
        let mut function = empty(parameters, true);
        self.add_parameters(&mut function);
        function.returns = self.random.percent(75);
        function
    }

    fn add_parameters(&mut self, function: &mut Function) {
        let candidates = [
            (self.features.pointers, 45, Kind::Pointer, "p"),
            (self.features.arrays, 40, Kind::Array, "s"),
            (self.features.records, 45, Kind::Record, "q"),
            (self.features.functions, 40, Kind::Function, "f"),
            (self.features.functions && self.features.records, 30, Kind::Operation, "m"),
        ];
        for (possible, chance, kind, name) in candidates {
            if possible && self.random.percent(chance) {
                let at = self.random.below(function.parameters.len() + 1);
                function.parameters.insert(at, (kind, name.to_owned()));
            }
        }
    }

    /// Makes the body of a function.
    pub(super) fn fill(&mut self, tree: &mut Tree, index: usize) {
        let locals = self.locals(tree, index);
        tree.functions[index].locals = locals;
        let (statements, conditions) = match index {
            0 => (3 + self.random.below(4), 2 + self.random.below(3)),
            _ => (1 + self.random.below(3), self.random.below(3)),
        };
        let calls = if index == 0 { 4 } else { 2 };
        let mut writer = Writer::new(&mut self.random, &self.features, tree, index);
        (writer.conditions, writer.calls) = (conditions, calls);
        let mut body = Vec::new();
        for _ in 0..statements {
            body.push(writer.statement(0));
        }
        if tree.functions[index].is_recursive() {
            let at = writer.random.below(body.len() + 1);
            body.insert(at, writer.again());
        }
        let result = writer.expression(0);
        let counters = writer.counters;
        let function = &mut tree.functions[index];
        (function.body, function.result, function.counters) = (body, result, counters);
    }

    fn locals(&mut self, tree: &Tree, index: usize) -> Vec<Local> {
        let mut locals = Vec::new();
        let features = self.features.clone();
        let numbers = ["x", "y"];
        for name in &numbers[..if index == 0 { 2 } else { self.random.below(2) }] {
            let mut writer = Writer::new(&mut self.random, &features, tree, index);
            locals.push(Local::Number((*name).to_owned(), writer.leaf()));
        }
        let chance = if index == 0 { 60 } else { 25 };
        if features.arrays && self.random.percent(chance) {
            locals.push(Local::Array("u".to_owned()));
        }
        if features.records && self.random.percent(chance) {
            let (x, y) = (self.random.below(4) as i32, self.random.below(4) as i32);
            locals.push(Local::Record("r".to_owned(), x, y));
        }
        if features.statics && self.random.percent(50) {
            locals.push(Local::Static("k".to_owned(), self.random.below(3) as i32));
        }
        // What points to something comes after what it may point to.
        let mut with = tree.clone();
        with.functions[index].locals = locals.clone();
        let writer = Writer::new(&mut self.random, &features, &with, index);
        let mut point = |wanted: bool, kind: Kind, name: &str| {
            let pool = writer.pool(kind);
            if wanted && !pool.is_empty() && writer.random.percent(chance) {
                let target = writer.random.pick(&pool);
                locals.push(Local::Pointing(kind, name.to_owned(), target));
            }
        };
        point(features.pointers, Kind::Pointer, "d");
        point(features.functions, Kind::Function, "h");
        if features.functions && features.records && self.random.percent(chance) {
            let pool = Writer::new(&mut self.random, &features, &with, index).pool(Kind::Function);
            if !pool.is_empty() {
                locals.push(Local::Operation("z".to_owned(), self.random.pick(&pool)));
            }
        }
        locals
    }
}

fn empty(parameters: Vec<(Kind, String)>, returns: bool) -> Function {
    Function {
        parameters,
        returns,
        locals: Vec::new(),
        masks: Vec::new(),
        counters: 0,
        body: Vec::new(),
        result: Expression::Constant(0),
    }
}
