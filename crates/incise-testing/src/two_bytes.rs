//! Random functions of two bytes, so that all their inputs can be tried: arithmetic of all kinds, a table, branches,
//! loops, switches.

use crate::random::Random;
use std::fmt::Write;

fn expression(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        let leaves =
            ["x", "y", "z", "a", "b", "0", "1", "2", "5", "7", "16", "100", "127", "128", "255", "-1", "-3"];
        return random.pick(&leaves).to_string();
    }
    let (left, right) = (expression(random, depth - 1), expression(random, depth - 1));
    match random.below(20) {
        0..=10 => format!("({left} {} {right})", random.pick(&["+", "-", "*", "&", "|", "^"])),
        11..=12 => format!("({left} {} ({right} | 1))", random.pick(&["/", "%"])),
        13..=14 => format!("({left} {} ({right} & 7))", random.pick(&["<<", ">>"])),
        15 => format!("(({})({left}))", random.pick(&["unsigned char", "signed char", "short", "unsigned"])),
        16 => format!("table[({left}) & 7]"),
        17 | 18 => format!("({} ? {left} : {right})", condition(random, depth - 1)),
        _ => format!("(~{left})"),
    }
}

fn condition(random: &mut Random, depth: u32) -> String {
    let (left, right) = (expression(random, depth), expression(random, depth));
    let compared = format!("{left} {} {right}", random.pick(&["<", "<=", ">", ">=", "==", "!="]));
    if depth > 0 && random.below(5) == 0 {
        return format!("({compared} {} {})", random.pick(&["&&", "||"]), condition(random, depth - 1));
    }
    format!("({compared})")
}

fn statements(random: &mut Random, depth: u32) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(3) {
        let kind = if depth == 0 { random.below(5) } else { random.below(10) };
        let _ = match kind {
            0..=3 => write!(text, "{} = {}; ", random.pick(&["x", "y", "z"]), expression(random, 2)),
            4 => write!(text, "table[({}) & 7] = {}; ", expression(random, 1), expression(random, 2)),
            5..=7 => write!(
                text,
                "if {} {{ {} }} else {{ {} }} ",
                condition(random, 1),
                statements(random, depth - 1),
                statements(random, depth - 1)
            ),
            8 => write!(
                text,
                "for (int i{depth} = 0; i{depth} < {}; i{depth}++) {{ x += i{depth}; {} }} ",
                1 + random.below(3),
                statements(random, 0)
            ),
            _ => write!(
                text,
                "switch (({}) & 3) {{ case 0: {} break; case 1: x = 3; case 2: y ^= 5; break; default: z += x; }} ",
                expression(random, 1),
                statements(random, 0)
            ),
        };
    }
    text
}

/// A function `int f(unsigned char a, signed char b)` of a seed, always the same.
pub fn function(seed: u64) -> String {
    let body = statements(&mut Random::new(seed, 0), 3);
    format!(
        "int f(unsigned char a, signed char b) {{\n  int table[8] = {{1, 2, 3, 4, 50, 60, -7, 8}}, x = a, y = b, z = 3;\n  \
         {body}\n  return x * 3 + y - z + table[(x ^ y) & 7];\n}}\n"
    )
}
