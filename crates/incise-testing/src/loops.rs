//! Random loops over a number of turns, an array and a parameter; rewritten, or changed a little; and a judge that runs
//! forty turns.

use crate::native::Native;
use crate::random::Random;
use std::fmt::Write;
use std::path::Path;

/// Pairs of functions `old0`, `new0`, ... in one text, a line each after the first.
pub struct Batch {
    /// The C text.
    pub text: String,
    /// How many pairs there are.
    pub pairs: usize,
}

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    let mut random = Random::new(seed, 0);
    let mut text = String::from("unsigned g[8];\n");
    for number in 0..pairs {
        let old = Loop { start: 0, bound: "n", body: statements(&mut random, 1, 2) };
        let mut new = Loop { body: rewrite_all(&mut random, &old.body), ..old.clone() };
        if random.below(2) == 0 {
            mutate(&mut random, &mut new);
        }
        print(&mut text, &mut random, &format!("old{number}"), &old);
        print(&mut text, &mut random, &format!("new{number}"), &new);
    }
    Batch { text, pairs }
}

impl Batch {
    /// Which pairs differ on one of the enumerated inputs.
    pub fn differing(&self, folder: &Path) -> Result<Vec<bool>, String> {
        let names = |version: &str| -> String {
            (0..self.pairs).map(|number| format!("{version}{number},")).collect()
        };
        let table = |name: &str, version: &str| {
            format!("static unsigned (*{name}[])(unsigned, unsigned) = {{{}}};\n", names(version))
        };
        let text = format!("{}{}{}{DRIVER}", self.text, table("olds", "old"), table("news", "new"));
        let output = Native::build(folder, "run", &["-O1"], &text)?.output(&[], &[])?;
        assert_eq!(output.len(), self.pairs, "the judge answers all");
        Ok(output.into_iter().map(|each| each == b'1').collect())
    }

    /// Both functions of a pair, for messages.
    pub fn texts(&self, number: usize) -> String {
        self.text.lines().skip(1 + 2 * number).take(2).collect::<Vec<_>>().join("\n")
    }
}

/// The text that a native run needs: the turns are enumerated up to 40, and a few values of the parameter.
const DRIVER: &str = r"
#include <stdio.h>
#include <string.h>
int main(void) {
    static const unsigned xs[] = {0, 1, 2, 3, 5, 8, 100, 4294967295u};
    for (unsigned k = 0; k < sizeof olds / sizeof *olds; k++) {
        int differs = 0;
        for (unsigned n = 0; n <= 40; n++)
            for (unsigned c = 0; c < sizeof xs / sizeof *xs; c++) {
                unsigned left[8];
                for (unsigned i = 0; i < 8; i++) g[i] = xs[c] * i + n;
                unsigned one = olds[k](n, xs[c]);
                memcpy(left, g, sizeof g);
                for (unsigned i = 0; i < 8; i++) g[i] = xs[c] * i + n;
                unsigned other = news[k](n, xs[c]);
                differs |= one != other || memcmp(left, g, sizeof g) != 0;
            }
        putchar(differs ? '1' : '0');
    }
    return 0;
}
";

#[derive(Clone)]
enum Expr {
    Variable(&'static str),
    Constant(u64),
    Element(Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

#[derive(Clone)]
enum Statement {
    Assign(&'static str, Expr),
    Store(Expr, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    Inner(Vec<Statement>),
    Break(Expr),
}

#[derive(Clone)]
struct Loop {
    start: u64,
    bound: &'static str,
    body: Vec<Statement>,
}

fn expr(random: &mut Random, depth: u32) -> Expr {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => Expr::Variable(random.pick(&["i", "s", "t", "u", "x"])),
        1 => Expr::Constant(random.pick(&[1, 2, 3, 4, 7, 8, 12])),
        2 => Expr::Element(Box::new(expr(random, 0))),
        _ => {
            let operator = random.pick(&["+", "-", "*", "^", "&", "|", "+"]);
            Expr::Binary(operator, Box::new(expr(random, depth - 1)), Box::new(expr(random, depth - 1)))
        }
    }
}

fn condition(random: &mut Random) -> Expr {
    let operator = random.pick(&["<", ">", "==", "!="]);
    Expr::Binary(operator, Box::new(expr(random, 1)), Box::new(expr(random, 0)))
}

fn statements(random: &mut Random, depth: u32, most: usize) -> Vec<Statement> {
    (0..=random.below(most))
        .map(|_| match random.below(if depth == 0 { 4 } else { 7 }) {
            0..=2 => Statement::Assign(random.pick(&["s", "t", "u"]), expr(random, 2)),
            3 => Statement::Store(expr(random, 0), expr(random, 1)),
            4 => Statement::If(condition(random), statements(random, depth - 1, 1), statements(random, 0, 1)),
            5 => Statement::Inner(statements(random, 0, 1)),
            _ => Statement::Break(condition(random)),
        })
        .collect()
}

/// Another way to say the same.
fn rewrite(random: &mut Random, expr: &Expr) -> Expr {
    let Expr::Binary(operator, left, right) = expr else {
        return match expr {
            Expr::Element(index) => Expr::Element(Box::new(rewrite(random, index))),
            expr => expr.clone(),
        };
    };
    let (left, right) = (Box::new(rewrite(random, left)), Box::new(rewrite(random, right)));
    match (*operator, random.below(2)) {
        ("*", 0) if matches!(*right, Expr::Constant(8)) => {
            Expr::Binary("<<", left, Box::new(Expr::Constant(3)))
        }
        ("+" | "*" | "^" | "&" | "|" | "==" | "!=", 0) => Expr::Binary(operator, right, left),
        ("<", 0) => Expr::Binary(">", right, left),
        ("-", 0) => {
            let negative = Expr::Binary("-", Box::new(Expr::Constant(0)), right);
            Expr::Binary("+", left, Box::new(negative))
        }
        (operator, _) => Expr::Binary(operator, left, right),
    }
}

fn rewrite_all(random: &mut Random, body: &[Statement]) -> Vec<Statement> {
    body.iter()
        .map(|statement| match statement {
            Statement::Assign(variable, value) => Statement::Assign(variable, rewrite(random, value)),
            Statement::Store(index, value) => {
                Statement::Store(rewrite(random, index), rewrite(random, value))
            }
            Statement::Break(when) => Statement::Break(rewrite(random, when)),
            Statement::Inner(inner) => Statement::Inner(rewrite_all(random, inner)),
            Statement::If(when, then, otherwise) => {
                let (then, otherwise) = (rewrite_all(random, then), rewrite_all(random, otherwise));
                match random.below(2) {
                    0 => Statement::If(rewrite(random, when), then, otherwise),
                    _ => {
                        let never = Expr::Binary("==", Box::new(when.clone()), Box::new(Expr::Constant(0)));
                        Statement::If(never, otherwise, then)
                    }
                }
            }
        })
        .collect()
}

/// Changes something small; now and then that makes no difference.
fn mutate(random: &mut Random, change: &mut Loop) {
    let index = random.below(change.body.len());
    match random.below(7) {
        0 => change.start = 1,
        1 => change.bound = "n + 1",
        2 => {
            let turn = Box::new(Expr::Constant(random.below(39) as u64));
            let when = Expr::Binary("==", Box::new(Expr::Variable("i")), turn);
            let value = Expr::Binary("+", Box::new(Expr::Variable("s")), Box::new(Expr::Constant(1)));
            let late = Statement::If(when, vec![Statement::Assign("s", value)], Vec::new());
            change.body.push(late);
        }
        3 => drop(change.body.remove(index)),
        4 => {
            let last = change.body.len() - 1;
            change.body.swap(index, last);
        }
        5 => change.body.insert(index, Statement::Store(expr(random, 0), expr(random, 1))),
        _ => change.body[index] = Statement::Assign(random.pick(&["s", "t", "u"]), expr(random, 2)),
    }
}

fn print_expr(text: &mut String, expr: &Expr) {
    match expr {
        Expr::Variable(name) => text.push_str(name),
        Expr::Constant(number) => drop(write!(text, "{number}u")),
        Expr::Element(index) => {
            text.push_str("g[(");
            print_expr(text, index);
            text.push_str(") & 7]");
        }
        Expr::Binary(operator, left, right) => {
            text.push('(');
            print_expr(text, left);
            let _ = write!(text, " {operator} ");
            print_expr(text, right);
            text.push(')');
        }
    }
}

fn print_all(text: &mut String, body: &[Statement]) {
    for statement in body {
        match statement {
            Statement::Assign(variable, value) => {
                let _ = write!(text, "{variable} = ");
                print_expr(text, value);
                text.push(';');
            }
            Statement::Store(index, value) => {
                print_expr(text, &Expr::Element(Box::new(index.clone())));
                text.push_str(" = ");
                print_expr(text, value);
                text.push(';');
            }
            Statement::If(when, then, otherwise) => {
                text.push_str("if ");
                print_expr(text, &Expr::Binary("!=", Box::new(when.clone()), Box::new(Expr::Constant(0))));
                text.push('{');
                print_all(text, then);
                text.push_str("} else {");
                print_all(text, otherwise);
                text.push('}');
            }
            Statement::Inner(inner) => {
                text.push_str("for (unsigned j = 0; j < (x & 3); j++) {");
                print_all(text, inner);
                text.push('}');
            }
            Statement::Break(when) => {
                text.push_str("if (");
                print_expr(text, when);
                text.push_str(") break;");
            }
        }
    }
}

fn print(text: &mut String, random: &mut Random, name: &str, which: &Loop) {
    let Loop { start, bound, body } = which;
    let mut inside = String::new();
    print_all(&mut inside, body);
    let _ = write!(text, "unsigned {name}(unsigned n, unsigned x) {{ unsigned s = 0, t = 1, u = x;");
    let _ = match random.below(4) {
        0 => write!(text, "for (unsigned i = {start}; i < {bound}; i++) {{{inside}}}"),
        1 => write!(text, "unsigned i = {start}; while (i < {bound}) {{{inside} i = i + 1;}}"),
        2 => write!(
            text,
            "unsigned i = {start}; if (i < {bound}) do {{{inside} i += 1;}} while ({bound} > i);"
        ),
        _ => write!(text, "for (unsigned i = {start};; ++i) {{ if (!(i < {bound})) break; {inside}}}"),
    };
    text.push_str("return s ^ t * 3 ^ u * 5; }\n");
}
