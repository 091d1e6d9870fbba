//! Random programs in which most things have nothing to do with each other: variables that branches and small functions
//! work on one by one.

use crate::random::Random;
use std::fmt::Write;

const VARIABLES: usize = 4;

/// Two versions of a file.
pub struct Batch {
    pub old: String,
    pub new: String,
    /// The new versions of `e0`, `e1`, ..., for messages.
    pub texts: Vec<String>,
}

/// The pairs of a source of chance.
pub fn batch(random: Random, count: usize) -> Batch {
    made(random, count, "")
}

/// The same, and what the variables hold at the end is left in global variables.
pub fn batch_that_leaves(random: Random, count: usize) -> Batch {
    let all: Vec<String> = (0..VARIABLES).map(|n| format!("o{n} = v{n};")).collect();
    let mut batch = made(random, count, &format!("    {}\n", all.join(" ")));
    let globals: Vec<String> = (0..VARIABLES).map(|n| format!("o{n}")).collect();
    for text in [&mut batch.old, &mut batch.new] {
        *text = format!("int {};\n{text}", globals.join(", "));
    }
    batch
}

fn made(mut random: Random, count: usize, last: &str) -> Batch {
    let mut batch = Batch { old: HELPERS.to_owned(), new: HELPERS.to_owned(), texts: Vec::new() };
    for number in 0..count {
        let (old, new) = pair(&mut random, number, last);
        batch.old += &old;
        batch.new += &new;
        batch.texts.push(new);
    }
    batch
}

/// Functions that decide, fail, leave, write and read what outlives them, directly and through another.
const HELPERS: &str = "#include <stdlib.h>
int g0, g1, g2;
int less(int z) { if (z > 1) return z - 1; return z; }
int over(int z) { return 6 / z; }
int keep(int z) { g0 = z; return z; }
int look(int z) { if (g0 > 1) return 1; return z; }
int stop(int z) { if (z == 3) exit(0); return z; }
int deep(int z) { return over(less(z)) + 1; }
int late(int z) { g1 = z; return deep(2); }
int from(int z) { if (g1 == 0) return over(z); return 1; }
void set(int *p, int z) { if (z > 1) *p = z; }
void take(int *p) { *p = over(*p); }
int both(int z) { if (z > 0) g2 = z; else if (g1 > 1) g2 = 0; g0 = z + 1; return z; }
int pass(int z) { if (z > 2) both(z - 2); g1 = g2 + both(1); return g0; }
";

fn statement(random: &mut Random) -> String {
    let mut of = |count| random.below(count);
    let (v, w, input, small) = (of(VARIABLES), of(VARIABLES), of(VARIABLES), of(4));
    let helper = ["less", "over", "keep", "look", "stop", "deep", "late", "from"][of(8)];
    let compare = [">", "==", "<="][of(3)];
    match of(17) {
        15 => format!("v{v} = both(v{w}) + g2;"),
        16 => format!("v{v} = pass(v{w});"),
        0..=2 => format!("if (p{input} {compare} {small})\n        v{v} = {};", of(3)),
        3 | 4 => format!("v{v} = {helper}(v{v});"),
        5 => format!("v{v} = {helper}(v{w});"),
        6 => format!("set(&v{v}, v{w});"),
        7 => format!("take(&v{v});"),
        8..=13 => repetition(random, &format!("p{input} {compare} k"), (v, w), helper),
        _ => format!("if (v{v} {compare} {small})\n        v{w} = {helper}(v{w});"),
    }
}

/// A loop with a condition in it, which may have a say in how often it is gone round.
fn repetition(random: &mut Random, condition: &str, (v, w): (usize, usize), helper: &str) -> String {
    let head = "for (int k = 0; k < 2; k++)";
    match random.below(7) {
        0 => format!("{head}\n        if ({condition})\n            v{v} = k;"),
        1 => format!("{head} {{\n        if ({condition})\n            break;\n        v{v} = k;\n    }}"),
        2 => format!(
            "{head} {{\n        if ({condition})\n            continue;\n        v{w} = {helper}(v{w});\n    }}"
        ),
        3 => format!(
            "for (int k = 0, n = 1; k < n; k++)\n        if (k == 0)\n            if ({condition})\n                n = 2;\n            else\n                v{v} = n;"
        ),
        4 => format!(
            "{head}\n        for (int m = 0; m < 2; m++) {{\n            if ({condition})\n                break;\n            v{v} = m;\n        }}"
        ),
        5 => format!(
            "for (int k = 0; k < 2; k++) {{\n        if ({condition})\n            k++;\n        v{v} = k;\n    }}"
        ),
        _ => {
            let end = random.below(1 << 30);
            format!(
                "{{\n        int k = 0;\n        do {{\n            if ({condition})\n                goto end{end};\n        }} while (++k < v{w} && k < 2);\n    }}\n    v{v} = 1;\nend{end}:;"
            )
        }
    }
}

/// Both versions of a program: they differ in one condition. `last` stands before the end.
fn pair(random: &mut Random, number: usize, last: &str) -> (String, String) {
    let parameters: Vec<String> = (0..VARIABLES).map(|n| format!("int p{n}")).collect();
    let mut old = format!("int e{number}({}) {{\n", parameters.join(", "));
    for n in 0..VARIABLES {
        let _ = writeln!(old, "    int v{n} = {};", 1 + random.below(3));
    }
    let count = 4 + random.below(4);
    let at = random.below(count);
    for index in 0..count {
        if index == at {
            let (p, v) = (random.below(VARIABLES), random.below(VARIABLES));
            let around = ["", "for (int k = 0; k < 2; k++)\n    "][random.below(2)];
            let _ = writeln!(old, "    {around}if (p{p} > CHANGED)\n        v{v} = v{v} + 1;");
        }
        let _ = writeln!(old, "    {}", statement(random));
    }
    let _ = writeln!(old, "{last}    return v{};\n}}", random.below(VARIABLES));
    (old.replace("CHANGED", "5"), old.replace("CHANGED", "6"))
}
