//! Random pairs of versions that call functions which nobody can see into, and a callback; and a judge that has
//! functions which read and write all that they can get at.
//!
//! The functions of the native runs depend on a number that stands for what they are, on what they are called with, on
//! all that they find (global variables, what arguments lead to, what they were given before), and on how often they
//! were called. They write to all of that. Compared are results, global variables, and what the functions saw.

use crate::native::Native;
use crate::random::Random;
use std::fmt::Write;
use std::path::Path;

/// Two versions of functions `f0`, `f1`, ...
pub struct Batch {
    olds: Vec<String>,
    news: Vec<String>,
    /// The new versions under other names, for the judge.
    natively: Vec<String>,
    /// For each pair, whether it is only written in another way.
    pub rewritten: Vec<bool>,
}

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    let mut random = Random::new(seed, 0);
    let mut batch = Batch { olds: Vec::new(), news: Vec::new(), natively: Vec::new(), rewritten: Vec::new() };
    for pair in 0..pairs {
        let old = statements(&mut random, 1, 4);
        let mut new = old.clone();
        rewrite(&mut random, &mut new);
        batch.rewritten.push(random.below(3) == 0);
        if !batch.rewritten[pair] {
            mutate(&mut random, &mut new);
        }
        batch.olds.push(function(&format!("f{pair}"), &old));
        batch.news.push(function(&format!("f{pair}"), &new));
        batch.natively.push(function(&format!("n{pair}"), &new));
    }
    batch
}

impl Batch {
    /// The C text of the old version.
    pub fn old_text(&self) -> String {
        format!("{PRELUDE}{}", self.olds.concat())
    }

    /// The C text of the new version.
    pub fn new_text(&self) -> String {
        format!("{PRELUDE}{}", self.news.concat())
    }

    /// Both versions of a function, for messages.
    pub fn texts(&self, pair: usize) -> String {
        format!("{}{}", self.olds[pair], self.news[pair])
    }

    /// Which pairs differ natively.
    pub fn differing(&self, folder: &Path) -> Result<Vec<bool>, String> {
        let pairs = self.olds.len();
        let table = |name: &str, prefix: &str| {
            let all: String = (0..pairs).map(|number| format!("{prefix}{number},")).collect();
            format!("static int (*{name}[])(int, int, int (*)(int, int *)) = {{{all}}};\n")
        };
        let tables = table("olds", "f") + &table("news", "n");
        let text = format!("{PRELUDE}{}{}{tables}{DRIVER}", self.olds.concat(), self.natively.concat());
        let output = Native::build(folder, "run", &["-O1", "-fwrapv"], &text)?.output(&[], &[])?;
        assert_eq!(output.len(), pairs, "the judge answers all");
        Ok(output.into_iter().map(|each| each == b'1').collect())
    }
}

/// What both versions begin with.
const PRELUDE: &str = "struct pair { int one, two; };
int take(int);
int fill(int, int *);
void swap(struct pair *);
int *look(int);
int twice(int) __attribute__((const));
int ga, gb;
static int hidden;
";

/// The functions of the native runs, and the runs.
const DRIVER: &str = r"
#include <stdio.h>
#include <stdlib.h>
static unsigned what, calls, seen;
static int *kept;
static unsigned mix(unsigned a, unsigned b) { a ^= b + 0x9e3779b9u + (a << 6) + (a >> 2); return a * 2654435761u; }
/* Small numbers, so that conditions hold now and then. */
static int small(unsigned n) { return (int)(mix(n, 7) >> 8) % 4; }
static unsigned see(unsigned who, unsigned a, unsigned b) {
    seen = mix(mix(mix(mix(mix(mix(mix(seen, who), a), b), ga), gb), kept ? *kept : 99), ++calls);
    unsigned now = mix(seen, what);
    if (now % 3 == 0) ga = small(now + 1);
    if (now % 5 == 0) gb = small(now + 2);
    if (kept && now % 2 == 0) *kept = small(now + 3);
    return now;
}
int take(int a) { return small(see(1, a, 0)); }
int fill(int a, int *out) {
    unsigned now = see(2, a, *out);
    if (now % 4) *out = small(now + 4);
    kept = now % 7 ? out : kept;
    return small(now + 5);
}
void swap(struct pair *p) {
    unsigned now = see(3, p->one, p->two);
    p->one = small(now + 6);
    if (now % 2) p->two = small(now + 7);
    if (now % 3) kept = &p->two;
}
static int table[2];
int *look(int a) {
    unsigned now = see(4, a, 0);
    table[0] = small(now);
    return now % 4 ? table : 0;
}
int twice(int a) { return small(mix(what, a)); }
static int hook(int a, int *out) {
    unsigned now = see(5, a, *out);
    *out = small(now + 8);
    return small(now + 9);
}
static long run(int (*f)(int, int, int (*)(int, int *)), unsigned w, int a, int b, int hooked, unsigned left[3]) {
    what = w; calls = 0; seen = 0; kept = 0; ga = b; gb = a; hidden = 1;
    int result = f(a, b, hooked ? hook : 0);
    left[0] = ga, left[1] = gb, left[2] = seen;
    return result;
}
int main(void) {
    for (unsigned k = 0; k < sizeof olds / sizeof *olds; k++) {
        int differs = 0;
        for (unsigned w = 0; w < 24; w++)
            for (int a = -1; a < 4; a++)
                for (int b = 0; b < 3; b++)
                    for (int hooked = 0; hooked < 2; hooked++) {
                        unsigned one[3], two[3];
                        long mine = run(olds[k], w, a, b, hooked, one), theirs = run(news[k], w, a, b, hooked, two);
                        differs |= mine != theirs || one[0] != two[0] || one[1] != two[1] || one[2] != two[2];
                    }
        putchar(differs ? '1' : '0');
    }
    return 0;
}
";

/// A number: a variable, and a constant that is added.
#[derive(Copy, Clone)]
struct Number {
    variable: &'static str,
    add: usize,
    swapped: bool,
}

#[derive(Clone)]
enum Statement {
    Assign(&'static str, Number),
    Take(&'static str, Number),
    Fill(&'static str, Number, &'static str),
    Swap,
    Look(&'static str, Number),
    Twice(&'static str, Number),
    Hook(&'static str, Number, &'static str),
    If(Number, usize, Vec<Statement>),
}

/// What is written, and read.
const PLACES: [&str; 7] = ["v", "w", "ga", "gb", "hidden", "p.one", "p.two"];

fn number(random: &mut Random) -> Number {
    let all = ["a", "b", "v", "w", "ga", "gb", "hidden", "p.one", "p.two"];
    Number { variable: random.pick(&all), add: random.below(3), swapped: false }
}

fn statements(random: &mut Random, depth: u32, most: usize) -> Vec<Statement> {
    let one = |random: &mut Random| match random.below(if depth == 0 { 9 } else { 11 }) {
        0 | 1 => Statement::Assign(random.pick(&PLACES), number(random)),
        2 => Statement::Take(random.pick(&PLACES), number(random)),
        3 => {
            Statement::Fill(random.pick(&["v", "hidden"]), number(random), random.pick(&["v", "w", "p.one"]))
        }
        4 => Statement::Swap,
        5 => Statement::Look(random.pick(&PLACES), number(random)),
        6 | 7 => Statement::Twice(random.pick(&PLACES), number(random)),
        8 => Statement::Hook(random.pick(&["v", "ga"]), number(random), random.pick(&["v", "w"])),
        _ => Statement::If(number(random), random.below(3), statements(random, depth - 1, 2)),
    };
    (0..=random.below(most)).map(|_| one(random)).collect()
}

/// Changes something at random; it may turn out to mean the same.
fn mutate(random: &mut Random, body: &mut Vec<Statement>) {
    let at = random.below(body.len());
    let next = (at + 1) % body.len();
    match (random.below(5), body.len()) {
        (0, 2..) => drop(body.remove(at)),
        (1, 2..) => body.swap(at, next),
        (2, _) => body.insert(at, statements(random, 0, 1).remove(0)),
        _ => match &mut body[at] {
            Statement::If(_, _, inner) if random.below(2) == 0 => mutate(random, inner),
            Statement::Assign(_, number)
            | Statement::Take(_, number)
            | Statement::Fill(_, number, _)
            | Statement::Look(_, number)
            | Statement::Twice(_, number)
            | Statement::Hook(_, number, _)
            | Statement::If(number, ..) => number.add += 1,
            Statement::Swap => body[at] = Statement::Take("v", number(random)),
        },
    }
    if body.is_empty() {
        body.push(Statement::Swap);
    }
}

/// Another way to write the same.
fn rewrite(random: &mut Random, body: &mut [Statement]) {
    for statement in body.iter_mut() {
        match statement {
            Statement::If(number, _, inner) => {
                number.swapped = random.below(2) == 0;
                rewrite(random, inner);
            }
            Statement::Assign(_, number)
            | Statement::Take(_, number)
            | Statement::Fill(_, number, _)
            | Statement::Look(_, number)
            | Statement::Twice(_, number)
            | Statement::Hook(_, number, _) => number.swapped = random.below(2) == 0,
            Statement::Swap => {}
        }
    }
    // Functions of their arguments alone may be called in any order.
    for at in 1..body.len() {
        if let (Statement::Twice(one, first), Statement::Twice(other, second)) = (&body[at - 1], &body[at])
            && one != other
            && first.variable != *other
            && second.variable != *one
        {
            body.swap(at - 1, at);
        }
    }
}

fn text_of(number: Number) -> String {
    let Number { variable, add, swapped } = number;
    match swapped {
        true => format!("{add} + {variable}"),
        false => format!("{variable} + {add}"),
    }
}

fn print_all(text: &mut String, body: &[Statement]) {
    for statement in body {
        let _ = match statement {
            Statement::Assign(to, value) => write!(text, " {to} = {};", text_of(*value)),
            Statement::Take(to, value) => write!(text, " {to} = take({});", text_of(*value)),
            Statement::Fill(to, value, out) => {
                write!(text, " {to} = fill({}, &{out});", text_of(*value))
            }
            Statement::Swap => write!(text, " swap(&p);"),
            Statement::Look(to, value) => {
                write!(text, " {{ int *q = look({}); if (q) {to} = *q; }}", text_of(*value))
            }
            Statement::Twice(to, value) => write!(text, " {to} = twice({});", text_of(*value)),
            Statement::Hook(to, value, out) => {
                write!(text, " if (hook) {to} = hook({}, &{out});", text_of(*value))
            }
            Statement::If(value, limit, inner) => {
                let _ = write!(text, " if ({} > {limit}) {{", text_of(*value));
                print_all(text, inner);
                write!(text, " }}")
            }
        };
    }
}

fn function(name: &str, body: &[Statement]) -> String {
    let mut text = format!(
        "int {name}(int a, int b, int (*hook)(int, int *)) {{ int v = a, w = b; struct pair p = {{a, b}};"
    );
    print_all(&mut text, body);
    text + " return v + 3 * w + 5 * p.one + 7 * p.two + hidden; }\n"
}
