//! Asks the solver chain what a symbolic executor asks, along a depth-first search of a few small programs, and prints what each stage
//! answered and the mean time of a query.
//!
//!     cargo run --release -p incise-solver --example chain_traces [-- NAME...]

use incise_solver::{
    Answer, ArrayId, BinaryOp, CompareOp, Constraints, ExprId, Exprs, Model, Solver, SolverConfig, Stage, SymbolKind,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A state that waits for its turn: the decisions that lead to it, its constraints, and a model of them.
struct Pending {
    decisions: Vec<bool>,
    constraints: Constraints,
    model: Model,
}

/// Runs a program once for each path, with the decisions of the way repeated and the rest asked for.
struct Explorer {
    exprs: Exprs,
    solver: Solver,
    pending: Vec<Pending>,
    decisions: Vec<bool>,
    position: usize,
    constraints: Constraints,
    model: Model,
    undecided: usize,
}

impl Explorer {
    fn new(exprs: Exprs, solver: Solver) -> Self {
        Explorer {
            exprs,
            solver,
            pending: Vec::new(),
            decisions: Vec::new(),
            position: 0,
            constraints: Constraints::new(),
            model: Model::new(),
            undecided: 0,
        }
    }

    /// Which way the path goes; the other way is kept for later if it is possible.
    fn branch(&mut self, condition: ExprId) -> bool {
        if let Some(value) = self.exprs.as_constant(condition) {
            return value == 1;
        }
        if let Some(&decision) = self.decisions.get(self.position) {
            self.position += 1;
            return decision;
        }
        let negation = self.exprs.not(condition);
        let yes = self.check(condition);
        let no = self.check(negation);
        let direction = yes.is_some();
        if let (Some(_), Some(model)) = (&yes, &no) {
            let mut constraints = self.constraints.clone();
            constraints.push(&self.exprs, negation);
            let mut decisions = self.decisions.clone();
            decisions.push(false);
            self.pending.push(Pending { decisions, constraints, model: model.clone() });
        }
        if let Some(model) = yes.or(no) {
            self.model = model;
        }
        self.constraints.push(&self.exprs, if direction { condition } else { negation });
        self.decisions.push(direction);
        self.position += 1;
        direction
    }

    fn check(&mut self, condition: ExprId) -> Option<Model> {
        match self.solver.check(&mut self.exprs, &self.constraints, condition, &self.model) {
            Answer::Sat(model) => Some(model),
            Answer::Unsat => None,
            Answer::Unknown(_) => {
                self.undecided += 1;
                None
            }
        }
    }

    fn assume(&mut self, condition: ExprId) {
        if self.position == 0 && self.decisions.is_empty() {
            if let Some(model) = self.check(condition) {
                self.model = model;
            }
            self.constraints.push(&self.exprs, condition);
        }
    }

    /// All paths of a program. Returns how many there are.
    fn explore(&mut self, program: impl Fn(&mut Explorer)) -> usize {
        let mut paths = 0;
        loop {
            self.position = 0;
            program(self);
            paths += 1;
            let canonical = self.solver.canonical_model(&mut self.exprs, &self.constraints);
            if canonical.is_err() {
                self.undecided += 1;
            }
            let Some(next) = self.pending.pop() else { return paths };
            self.decisions = next.decisions;
            self.constraints = next.constraints;
            self.model = next.model;
        }
    }

    fn number(&mut self, value: i64, width: u32) -> ExprId {
        self.exprs.constant(value as i128 as u128, width)
    }

    fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        self.exprs.compare(op, a, b)
    }

    fn is(&mut self, byte: ExprId, value: u8) -> bool {
        let constant = self.exprs.constant(value.into(), 8);
        let condition = self.exprs.eq(byte, constant);
        self.branch(condition)
    }
}

/// Insertion sort, checked.
fn sort(explorer: &mut Explorer, count: usize, of_bytes: bool) {
    let mut values: Vec<ExprId> = (0..count)
        .map(|i| {
            if !of_bytes {
                return explorer.exprs.symbol(&format!("a[{i}]"), 32, SymbolKind::Signed);
            }
            let byte = |explorer: &mut Explorer, k| {
                explorer.exprs.symbol(&format!("a[{}]", 4 * i + k), 8, SymbolKind::Bytes)
            };
            let mut word = byte(explorer, 0);
            for k in 1..4 {
                let high = byte(explorer, k);
                word = explorer.exprs.concat(high, word);
            }
            word
        })
        .collect();
    for i in 1..count {
        let key = values[i];
        let mut j = i;
        while j > 0 {
            let greater = explorer.compare(CompareOp::Sgt, values[j - 1], key);
            if !explorer.branch(greater) {
                break;
            }
            values[j] = values[j - 1];
            j -= 1;
        }
        values[j] = key;
    }
    for i in 1..count {
        let ordered = explorer.compare(CompareOp::Sle, values[i - 1], values[i]);
        explorer.branch(ordered);
    }
}

/// String to int over symbolic bytes.
fn parse_int(explorer: &mut Explorer, count: usize) {
    let mut bytes: Vec<ExprId> =
        (0..count).map(|i| explorer.exprs.symbol(&format!("s[{i}]"), 8, SymbolKind::Char)).collect();
    bytes.push(explorer.number(0, 8));
    let mut i = 0;
    while explorer.is(bytes[i], b' ') || explorer.is(bytes[i], b'\t') {
        i += 1;
    }
    let negative = explorer.is(bytes[i], b'-');
    if negative || explorer.is(bytes[i], b'+') {
        i += 1;
    }
    let mut value = explorer.number(0, 32);
    let mut digits = 0;
    loop {
        let wide = explorer.exprs.sext(bytes[i], 32);
        let (zero, nine, ten) = (explorer.number(48, 32), explorer.number(57, 32), explorer.number(10, 32));
        let low = explorer.compare(CompareOp::Sge, wide, zero);
        if !explorer.branch(low) {
            break;
        }
        let high = explorer.compare(CompareOp::Sle, wide, nine);
        if !explorer.branch(high) {
            break;
        }
        let digit = explorer.exprs.sub(wide, zero);
        let scaled = explorer.exprs.binary(BinaryOp::Mul, value, ten);
        value = explorer.exprs.add(scaled, digit);
        digits += 1;
        i += 1;
    }
    if digits == 0 || !explorer.is(bytes[i], 0) {
        return;
    }
    if negative {
        value = explorer.exprs.neg(value);
    }
    for (op, bound) in [(CompareOp::Eq, -42), (CompareOp::Sgt, 9999), (CompareOp::Slt, 0)] {
        let bound = explorer.number(bound, 32);
        let condition = explorer.compare(op, value, bound);
        if explorer.branch(condition) {
            return;
        }
    }
}

/// The glob matcher over a symbolic pattern.
fn glob(explorer: &mut Explorer, pattern: &[ExprId], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    while !explorer.is(pattern[p], 0) {
        if explorer.is(pattern[p], b'*') {
            while explorer.is(pattern[p + 1], b'*') {
                p += 1;
            }
            for rest in t.. {
                if glob(explorer, &pattern[p + 1..], &text[rest..]) {
                    return true;
                }
                if text[rest] == 0 {
                    return false;
                }
            }
        }
        if text[t] == 0 {
            return false;
        }
        if explorer.is(pattern[p], b'[') {
            let mut hit = explorer.number(0, 1);
            p += 1;
            while !explorer.is(pattern[p], 0) && !explorer.is(pattern[p], b']') {
                let letter = explorer.number(text[t].into(), 8);
                let same = explorer.exprs.eq(pattern[p], letter);
                hit = explorer.exprs.or(hit, same);
                p += 1;
            }
            if explorer.is(pattern[p], 0) || !explorer.branch(hit) {
                return false;
            }
        } else if !explorer.is(pattern[p], b'?') && !explorer.is(pattern[p], text[t]) {
            return false;
        }
        p += 1;
        t += 1;
    }
    text[t] == 0
}

fn glob_program(explorer: &mut Explorer, count: usize) {
    let mut pattern: Vec<ExprId> =
        (0..count).map(|i| explorer.exprs.symbol(&format!("pattern[{i}]"), 8, SymbolKind::Char)).collect();
    pattern.push(explorer.number(0, 8));
    glob(explorer, &pattern, b"banana\0");
}

/// Reads and writes at symbolic indices of a table.
fn table(explorer: &mut Explorer) {
    let bytes: Vec<u8> = (0..64u32).map(|n| (n * 37 + 11) as u8).collect();
    let [i, j, k] = ["i", "j", "k"].map(|name| explorer.exprs.symbol(name, 8, SymbolKind::Unsigned));
    let bound = explorer.number(64, 8);
    for index in [i, j, k] {
        let below = explorer.compare(CompareOp::Ult, index, bound);
        if !explorer.branch(below) {
            return;
        }
    }
    let read = |explorer: &mut Explorer, array: ArrayId, index: ExprId| {
        let index = explorer.exprs.zext(index, 64);
        explorer.exprs.select(array, index)
    };
    let masked = |explorer: &mut Explorer, index: ExprId| {
        let mask = explorer.number(63, 8);
        explorer.exprs.and(index, mask)
    };
    let mut array = explorer.exprs.array_of_bytes(&bytes);
    let (wide_i, two_hundred) = (explorer.exprs.zext(i, 64), explorer.number(200, 8));
    array = explorer.exprs.array_store(array, wide_i, two_hundred);
    let inner = read(explorer, array, j);
    let place = masked(explorer, inner);
    let (old, flip) = (read(explorer, array, place), explorer.number(0x55, 8));
    let new = explorer.exprs.binary(BinaryOp::Xor, old, flip);
    let wide_place = explorer.exprs.zext(place, 64);
    array = explorer.exprs.array_store(array, wide_place, new);
    let at_k = read(explorer, array, k);
    explorer.is(at_k, 200);
    let sum = explorer.exprs.add(i, j);
    let sum = masked(explorer, sum);
    let at_sum = read(explorer, array, sum);
    let above = explorer.compare(CompareOp::Ugt, at_sum, at_k);
    explorer.branch(above);
    let last = masked(explorer, at_k);
    let at_last = read(explorer, array, last);
    explorer.is(at_last, 0x5a);
}

/// Products and quotients of symbolic words.
fn muldiv(explorer: &mut Explorer) {
    let [a, b] = ["a", "b"].map(|name| explorer.exprs.symbol(name, 32, SymbolKind::Unsigned));
    let zero = explorer.number(0, 32);
    let not_zero = explorer.compare(CompareOp::Ne, b, zero);
    explorer.assume(not_zero);
    for (op, value) in [(BinaryOp::UDiv, 7), (BinaryOp::URem, 3), (BinaryOp::Mul, 0x1234_5678)] {
        let result = explorer.exprs.binary(op, a, b);
        let value = explorer.number(value, 32);
        let condition = explorer.exprs.eq(result, value);
        explorer.branch(condition);
    }
    let (mixed, three) = (explorer.exprs.binary(BinaryOp::Xor, a, b), explorer.number(3, 32));
    let product = explorer.exprs.binary(BinaryOp::Mul, mixed, three);
    let sum = explorer.exprs.add(a, b);
    let above = explorer.compare(CompareOp::Ugt, product, sum);
    explorer.branch(above);
}

/// Independent words that a chain of comparisons joins in pairs: slices grow and the run is long.
fn chains(explorer: &mut Explorer) {
    let words: Vec<ExprId> =
        (0..10).map(|i| explorer.exprs.symbol(&format!("w{i}"), 16, SymbolKind::Unsigned)).collect();
    for pair in words.windows(2) {
        let sum = explorer.exprs.add(pair[0], pair[1]);
        let bound = explorer.number(1000, 16);
        let small = explorer.compare(CompareOp::Ult, sum, bound);
        if explorer.branch(small) {
            let less = explorer.compare(CompareOp::Ult, pair[0], pair[1]);
            explorer.branch(less);
        }
    }
}

type Program = Box<dyn Fn(&mut Explorer)>;

fn programs() -> Vec<(&'static str, Program)> {
    vec![
        ("sort-6", Box::new(|explorer| sort(explorer, 6, false))),
        ("sort-6-bytes", Box::new(|explorer| sort(explorer, 6, true))),
        ("parse_int-5", Box::new(|explorer| parse_int(explorer, 5))),
        ("parse_int-9", Box::new(|explorer| parse_int(explorer, 9))),
        ("glob-6", Box::new(|explorer| glob_program(explorer, 6))),
        ("table-64", Box::new(table)),
        ("muldiv", Box::new(muldiv)),
        ("chains", Box::new(chains)),
        ("sort-7", Box::new(|explorer| sort(explorer, 7, false))),
    ]
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, program) in programs() {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let solver = Solver::new(SolverConfig::default(), Arc::default());
        let mut explorer = Explorer::new(Exprs::new(), solver);
        let (start, cpu) = (Instant::now(), cpu_time());
        let paths = explorer.explore(program);
        report(name, paths, start.elapsed(), cpu_time().saturating_sub(cpu), &explorer);
    }
}

/// The time that this process ran on a processor, as Linux counts it. On a busy machine the clock on the wall says little.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

fn report(name: &str, paths: usize, time: Duration, cpu: Duration, explorer: &Explorer) {
    let stats = explorer.solver.stats();
    let mean = |time: Duration, count: u64| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    let (first, last) = stats.first_and_last_tenth();
    println!(
        "{name}: {paths} paths, {} checks, {} queries, {:.2} us each (first tenth {:.2}, last {:.2}); mean over all checks {:.2} us; \
         canonical {:.2} us; {:.1} ms in all, {:.1} ms on a processor; undecided {}",
        stats.checks(),
        stats.queries(),
        mean(stats.query_time(), stats.queries()),
        mean(first, 1),
        mean(last, 1),
        mean(stats.query_time(), stats.checks()),
        mean(Duration::from_nanos(stats.canonical_nanoseconds), stats.canonical_models),
        time.as_secs_f64() * 1e3,
        cpu.as_secs_f64() * 1e3,
        explorer.undecided,
    );
    println!(
        "    conflicts {}, decisions {}, propagations {}",
        stats.conflicts, stats.decisions, stats.propagations
    );
    for stage in Stage::ALL {
        let counters = stats.stage(stage);
        if counters.asked > 0 {
            println!(
                "    {:14} asked {:7}  sat {:6}  unsat {:6}  unknown {:7}  {:9.2} us each",
                stage.name(),
                counters.asked,
                counters.sat,
                counters.unsat,
                counters.unknown,
                mean(Duration::from_nanos(counters.nanoseconds), counters.asked),
            );
        }
    }
}
