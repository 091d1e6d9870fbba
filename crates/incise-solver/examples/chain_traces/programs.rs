//! The programs: what a C program of the same name would ask.

use super::explorer::Explorer;
use incise_solver::{ArrayId, BinaryOp, CompareOp, ExprId, SymbolKind};

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

/// A loop up to a symbolic bound: one path for each number of rounds, and as many constraints about one word.
fn counting(explorer: &mut Explorer, rounds: i64) {
    let bound = explorer.exprs.symbol("n", 32, SymbolKind::Signed);
    for i in 0..rounds {
        let i = explorer.number(i, 32);
        let more = explorer.compare(CompareOp::Slt, i, bound);
        if !explorer.branch(more) {
            return;
        }
    }
}

/// A program, with its paths where they are known.
pub(crate) struct Program {
    /// The name for the command line.
    pub(crate) name: &'static str,
    /// How many paths it has.
    pub(crate) paths: usize,
    /// One path.
    pub(crate) run: Box<dyn Fn(&mut Explorer)>,
}

/// All programs, the quick ones first.
pub(crate) fn programs() -> Vec<Program> {
    let program = |name, paths, run: Box<dyn Fn(&mut Explorer)>| Program { name, paths, run };
    vec![
        program("sort-6", 720, Box::new(|explorer| sort(explorer, 6, false))),
        program("sort-6-bytes", 720, Box::new(|explorer| sort(explorer, 6, true))),
        program("parse_int-5", 429, Box::new(|explorer| parse_int(explorer, 5))),
        program("parse_int-9", 7907, Box::new(|explorer| parse_int(explorer, 9))),
        program("glob-6", 4328, Box::new(|explorer| glob_program(explorer, 6))),
        program("table-64", 7, Box::new(table)),
        program("muldiv", 14, Box::new(muldiv)),
        program("chains", 19683, Box::new(chains)),
        program("sort-7", 5040, Box::new(|explorer| sort(explorer, 7, false))),
        program("counting", 2001, Box::new(|explorer| counting(explorer, 2000))),
        program("parse_int-3", 78, Box::new(|explorer| parse_int(explorer, 3))),
        program("sort-4", 24, Box::new(|explorer| sort(explorer, 4, true))),
        program("glob-2", 25, Box::new(|explorer| glob_program(explorer, 2))),
    ]
}
