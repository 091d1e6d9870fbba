//! Random functions that call themselves beside loops that do the same, or nearly: with results that are returned as
//! they are or combined, several calls, variables of their own, and memory that is read before or after the call. The
//! judge is that of `loops`.

use super::loops::Batch;
use crate::random::Random;

/// How a result is combined, with what it begins with. Differences are of no order.
const OPERATIONS: [(&str, &str); 6] =
    [("+", "0"), ("*", "1"), ("^", "0"), ("|", "0"), ("&", "~0u"), ("-", "0")];
const OPERANDS: [&str; 7] = ["n", "x", "(x ^ n)", "3", "g[n & 7]", "(n * 5 + 1)", "t"];
const STATEMENTS: [&str; 5] = ["t += n;", "g[x & 7] ^= n;", "if (x & 1) t = x * 3;", "x += t;", ""];
const ENDS: [&str; 3] = ["n == 0", "n < 2", "n < 1 || x == 9"];
const NEXT: [&str; 4] = ["x", "x + 1", "x * n", "t"];

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    let mut random = Random::new(seed, 0);
    let texts: Vec<String> = (0..pairs).map(|number| pair(&mut random, number)).collect();
    Batch { text: format!("unsigned g[8];\n{}", texts.concat()), pairs: texts }
}

/// What a call does.
struct Call {
    end: &'static str,
    statement: &'static str,
    /// Which turns return what the next one does, as it is.
    plain: &'static str,
    operation: (&'static str, &'static str),
    operand: &'static str,
    next: &'static str,
    base: &'static str,
    /// Whether the operand stands behind the call.
    behind: bool,
}

fn pair(random: &mut Random, number: usize) -> String {
    let mut call = Call {
        end: random.pick(&ENDS),
        statement: random.pick(&STATEMENTS),
        plain: random.pick(&["0", "0", "(n & 3) == 1", "x > 4"]),
        operation: random.pick(&OPERATIONS),
        operand: random.pick(&OPERANDS),
        next: random.pick(&NEXT),
        base: random.pick(&["0", "1", "x", "g[2]"]),
        behind: random.percent(40),
    };
    let old = recursive(&call, &format!("old{number}"));
    if random.percent(50) {
        mistaken(random, &mut call);
    }
    old + &looping(&call, &format!("new{number}"))
}

fn recursive(call: &Call, name: &str) -> String {
    let Call { end, statement, plain, operation: (operation, _), operand, next, base, behind } = call;
    let again = format!("{name}(n - 1, {next})");
    let combined = if *behind {
        format!("{again} {operation} {operand}")
    } else {
        format!("{operand} {operation} {again}")
    };
    format!(
        "unsigned {name}(unsigned n, unsigned x) {{\n    unsigned t = 2;\n    if ({end}) return {base};\n    \
         {statement}\n    if ({plain}) return {again};\n    return {combined};\n}}\n"
    )
}

fn looping(call: &Call, name: &str) -> String {
    let Call { end, statement, plain, operation: (operation, first), operand, next, base, .. } = call;
    format!(
        "unsigned {name}(unsigned n, unsigned x) {{\n    unsigned all = {first};\n    while (!({end})) {{\n        \
         unsigned t = 2;\n        {statement}\n        if (!({plain})) all = all {operation} {operand};\n        \
         x = {next};\n        n--;\n    }}\n    return all {operation} {base};\n}}\n"
    )
}

/// Changes something small.
fn mistaken(random: &mut Random, call: &mut Call) {
    match random.below(5) {
        0 => call.end = random.pick(&ENDS),
        1 => call.operand = random.pick(&OPERANDS),
        2 => call.next = random.pick(&NEXT),
        3 => call.base = random.pick(&["0", "1", "x"]),
        _ => call.statement = random.pick(&STATEMENTS),
    }
}
