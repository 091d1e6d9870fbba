//! Measures construction, rewriting, evaluation and constraints:
//! `cargo run --release -p incise-solver --example expr_speed`.

use std::hint::black_box;

use incise_solver::{BinaryOp, CompareOp, Constraints, Evaluator, ExprId, Exprs, Model, SymbolKind};

/// Time on the processor, which other work on the machine disturbs less than the clock on the wall; zero where Linux
/// does not tell.
fn now() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Memory in use, in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|word| word.parse::<usize>().ok()).unwrap_or(0) * 4096
}

fn report(what: &str, count: usize, start: u64) {
    println!("{what}: {:.1} ns", (now() - start) as f64 / count as f64);
}

fn inputs(exprs: &mut Exprs, count: usize) -> Vec<ExprId> {
    (0..count).map(|i| exprs.symbol(&format!("x{i}"), 32, SymbolKind::Signed)).collect()
}

fn main() {
    construction();
    evaluation();
    constraints();
}

fn construction() {
    let mut exprs = Exprs::new();
    let x = inputs(&mut exprs, 1000);
    let start = now();
    let mut made = 0;
    let mut last = x[0];
    for i in 0..300_000 {
        last = exprs.binary([BinaryOp::Mul, BinaryOp::Xor][i % 2], last, x[i % 60]);
        made += 1;
    }
    report("a new node", made, start);
    for i in 0..1000 {
        for j in 0..300 {
            black_box(exprs.binary(BinaryOp::Mul, x[i], x[j]));
        }
    }
    let start = now();
    for i in 0..1000 {
        for j in 0..300 {
            black_box(exprs.binary(BinaryOp::Mul, x[i], x[j]));
        }
    }
    report("an existing node among 555,000", made, start);
    let start = now();
    for round in 0..3000 {
        for j in 0..100 {
            black_box(exprs.binary(BinaryOp::Mul, x[(round + j) % 100], x[j]));
        }
    }
    report("an existing node among 5,000 of them", 300_000, start);
    let start = now();
    for i in 0..1_000_000u128 {
        black_box(exprs.constant(i & 0xff, 32));
    }
    report("an existing constant", 1_000_000, start);
    let start = now();
    let (zero, five) = (exprs.constant(0, 32), exprs.constant(5, 32));
    for i in 0..1_000_000 {
        let e = x[i % 1000];
        let below = exprs.compare(CompareOp::Slt, e, five);
        let wide = exprs.zext(below, 32);
        black_box(exprs.compare(CompareOp::Ne, wide, zero));
    }
    report("x < 5 through an int (three constructors, one rewritten)", 1_000_000, start);
    let start = now();
    for i in 0..100_000 {
        let bytes: Vec<ExprId> = (0..4).map(|k| exprs.extract(x[i % 1000], 8 * k, 8)).collect();
        let low = exprs.concat(bytes[1], bytes[0]);
        let high = exprs.concat(bytes[3], bytes[2]);
        black_box(exprs.concat(high, low));
    }
    report("an int stored and loaded by bytes", 100_000, start);
    println!("{} nodes", exprs.node_count());
}

fn evaluation() {
    let mut exprs = Exprs::new();
    let x = inputs(&mut exprs, 64);
    let mut sum = x[0];
    for i in 0..100_000usize {
        let op = [BinaryOp::Mul, BinaryOp::Xor, BinaryOp::Add, BinaryOp::Sub][i % 4];
        sum = exprs.binary(op, sum, x[i * 7 % 64]);
    }
    let ids: Vec<_> = x.iter().filter_map(|&e| exprs.as_symbol(e)).collect();
    let mut evaluator = Evaluator::new();
    let start = now();
    for round in 0..20u128 {
        let model = Model::new().with(ids.iter().map(|&id| (id, round + 1)));
        black_box(evaluator.evaluate(&exprs, sum, &model));
    }
    report("evaluating a node of a chain of 100,000", 2_000_000, start);
    let model = Model::new();
    evaluator.evaluate(&exprs, sum, &model);
    let start = now();
    for _ in 0..1_000_000 {
        black_box(evaluator.evaluate(&exprs, sum, &model));
    }
    report("a remembered value", 1_000_000, start);
}

fn constraints() {
    let mut exprs = Exprs::new();
    let x = inputs(&mut exprs, 1000);
    let list: Vec<ExprId> = (0..100_000u128)
        .map(|i| {
            let limit = exprs.constant(i + 1, 32);
            exprs.compare(CompareOp::Slt, x[i as usize % 1000], limit)
        })
        .collect();
    let start = now();
    let mut path = Constraints::new();
    for &constraint in &list {
        path.push(&exprs, constraint);
    }
    report("a push onto a path of 100,000", list.len(), start);
    let start = now();
    for i in 0..1_000_000 {
        black_box(path.slice(&exprs, x[i % 1000]).key());
    }
    report("a slice of that path", 1_000_000, start);
    let start = now();
    let mut forks = Vec::new();
    for i in 0..200_000 {
        let mut fork = path.clone();
        fork.push(&exprs, list[i % list.len()]);
        forks.push(fork);
    }
    report("a fork with a push", forks.len(), start);
    drop(forks);
    let before = resident();
    // As many states as the diamonds have, in the order of a breadth-first search: each state forks and both sides
    // push.
    let sides: Vec<[ExprId; 2]> = x[..19]
        .iter()
        .map(|&input| {
            let zero = exprs.constant(0, 32);
            let positive = exprs.compare(CompareOp::Slt, zero, input);
            [positive, exprs.not(positive)]
        })
        .collect();
    let mut states = vec![Constraints::new()];
    let start = now();
    for side in &sides {
        for at in 0..states.len() {
            let mut other = states[at].clone();
            states[at].push(&exprs, side[0]);
            other.push(&exprs, side[1]);
            states.push(other);
        }
    }
    report("a fork of the diamonds", states.len(), start);
    println!("{} bytes a state, {} states", (resident() - before) / states.len(), states.len());
}
