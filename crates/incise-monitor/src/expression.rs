//! What is computed from variables: the expressions of maps, such as `Demand - Pressure` or `level > 3 && !open`.
//!
//! Numbers are whole as long as all of them are, and then exact; `/` and `%` are those of C. Anything else is computed
//! with doubles. What does not fit, or is divided by zero, has no value.

/// A number.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Number {
    /// A whole one.
    Whole(i128),
    /// Any other.
    Real(f64),
}

impl Number {
    /// As a double.
    pub fn real(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Real(number) => number,
        }
    }

    fn holds(self) -> bool {
        self.real() != 0.0
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => write!(formatter, "{number}"),
            Self::Real(number) => write!(formatter, "{number:?}"),
        }
    }
}

/// A step of a computation on a stack.
#[derive(Clone, PartialEq, Debug)]
enum Step {
    Push(Number),
    /// The operand of that number.
    Operand(usize),
    Negate,
    Not,
    Binary(&'static str),
}

/// An expression over operands that are paths in C.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// As it was written.
    pub text: String,
    /// The paths in it, each once.
    pub operands: Vec<String>,
    steps: Vec<Step>,
}

/// Operators, and how strongly they bind.
const OPERATORS: [(&str, u8); 13] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("<", 4),
    (">", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
    ("%", 6),
];

/// Parentheses nest up to here.
const DEEPEST: u32 = 64;

impl Expression {
    /// Reads an expression; the words say what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text, operands: Vec::new(), steps: Vec::new() };
        parser.binary(0, 0)?;
        match parser.rest.trim_start() {
            "" => Ok(Self { text: text.trim().to_owned(), operands: parser.operands, steps: parser.steps }),
            rest => Err(format!("expected an operator or the end, found `{rest}`")),
        }
    }

    /// Whether it is more than the name of something.
    pub fn is_computed(&self) -> bool {
        self.steps.len() != 1 || self.operands.is_empty()
    }

    /// What it is for values of its operands; nothing where it has no value.
    pub fn value(&self, of: &dyn Fn(usize) -> Option<Number>) -> Option<Number> {
        let mut stack: Vec<Number> = Vec::new();
        for step in &self.steps {
            let value = match step {
                Step::Push(number) => *number,
                Step::Operand(number) => of(*number)?,
                Step::Negate => match stack.pop()? {
                    Number::Whole(number) => Number::Whole(number.checked_neg()?),
                    Number::Real(number) => Number::Real(-number),
                },
                Step::Not => truth(!stack.pop()?.holds()),
                Step::Binary(operator) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    binary(operator, left, right)?
                }
            };
            stack.push(value);
        }
        stack.pop().filter(|value| !value.real().is_nan())
    }
}

fn truth(holds: bool) -> Number {
    Number::Whole(i128::from(holds))
}

fn binary(operator: &str, left: Number, right: Number) -> Option<Number> {
    if let (Number::Whole(left), Number::Whole(right)) = (left, right) {
        let number = match operator {
            "+" => left.checked_add(right)?,
            "-" => left.checked_sub(right)?,
            "*" => left.checked_mul(right)?,
            "/" => left.checked_div(right)?,
            "%" => left.checked_rem(right)?,
            "==" => i128::from(left == right),
            "!=" => i128::from(left != right),
            "<" => i128::from(left < right),
            "<=" => i128::from(left <= right),
            ">" => i128::from(left > right),
            ">=" => i128::from(left >= right),
            "&&" => i128::from(left != 0 && right != 0),
            _ => i128::from(left != 0 || right != 0),
        };
        return Some(Number::Whole(number));
    }
    let (one, other) = (left.real(), right.real());
    Some(match operator {
        "+" => Number::Real(one + other),
        "-" => Number::Real(one - other),
        "*" => Number::Real(one * other),
        "/" => Number::Real(one / other),
        "==" => truth(one == other),
        "!=" => truth(one != other),
        "<" => truth(one < other),
        "<=" => truth(one <= other),
        ">" => truth(one > other),
        ">=" => truth(one >= other),
        "&&" => truth(left.holds() && right.holds()),
        "||" => truth(left.holds() || right.holds()),
        _ => return None,
    })
}

struct Parser<'t> {
    rest: &'t str,
    operands: Vec<String>,
    steps: Vec<Step>,
}

impl Parser<'_> {
    fn eat(&mut self, word: &str) -> bool {
        self.rest = self.rest.trim_start();
        let found = self.rest.strip_prefix(word);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn binary(&mut self, least: u8, depth: u32) -> Result<(), String> {
        self.unary(depth)?;
        loop {
            self.rest = self.rest.trim_start();
            let operator = OPERATORS.iter().find(|(word, _)| self.rest.starts_with(word));
            let Some(&(word, binds)) = operator.filter(|(_, binds)| *binds > least) else { return Ok(()) };
            self.eat(word);
            self.binary(binds, depth + 1)?;
            self.steps.push(Step::Binary(word));
        }
    }

    fn unary(&mut self, depth: u32) -> Result<(), String> {
        if depth > DEEPEST {
            return Err("expected fewer parentheses".to_owned());
        }
        if self.eat("-") {
            self.unary(depth + 1)?;
            self.steps.push(Step::Negate);
        } else if self.eat("!") {
            self.unary(depth + 1)?;
            self.steps.push(Step::Not);
        } else if self.eat("(") {
            self.binary(0, depth + 1)?;
            if !self.eat(")") {
                return Err(format!("expected `)`, found `{}`", self.rest));
            }
        } else if self.rest.starts_with(|each: char| each.is_ascii_digit()) {
            self.number()?;
        } else {
            self.operand()?;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), String> {
        let end = self.rest.find(|each: char| !each.is_ascii_alphanumeric() && each != '.');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        let hexadecimal = word.strip_prefix("0x").and_then(|digits| i128::from_str_radix(digits, 16).ok());
        let number = hexadecimal.or_else(|| word.parse().ok()).map(Number::Whole);
        let real = || word.parse::<f64>().ok().map(Number::Real);
        let number = number.or_else(real).ok_or_else(|| format!("expected a number, found `{word}`"))?;
        self.steps.push(Step::Push(number));
        Ok(())
    }

    /// A path: `a`, `*p`, `a.b`, `p->b[2].c`.
    fn operand(&mut self) -> Result<(), String> {
        let start = self.rest;
        let stars = start.len() - start.trim_start_matches('*').len();
        let mut at = stars;
        let bytes = start.as_bytes();
        while at < bytes.len() {
            match bytes[at] {
                each if each.is_ascii_alphanumeric() || matches!(each, b'_' | b'.' | b'[' | b']') => at += 1,
                b'-' if bytes.get(at + 1) == Some(&b'>') => at += 2,
                _ => break,
            }
        }
        let path = &start[..at];
        if !start[stars..].starts_with(|each: char| each.is_ascii_alphabetic() || each == '_') {
            let found = if start.is_empty() { "the end" } else { start };
            return Err(format!("expected a variable or a number, found `{found}`"));
        }
        self.rest = &start[at..];
        let known = self.operands.iter().position(|known| known == path);
        let number = known.unwrap_or_else(|| {
            self.operands.push(path.to_owned());
            self.operands.len() - 1
        });
        self.steps.push(Step::Operand(number));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, values: &[(&str, Number)]) -> Option<Number> {
        let expression = Expression::parse(text).expect(text);
        let of = |number: usize| {
            let name = &expression.operands[number];
            values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
        };
        expression.value(&of)
    }

    #[test]
    fn what_is_computed_is_what_c_computes() {
        let whole = Number::Whole;
        let values = [("a", whole(7)), ("s.b[2]", whole(-2)), ("p->x", Number::Real(0.5)), ("*q", whole(3))];
        let cases = [
            ("a - s.b[2] * 2", whole(11)),
            ("(a - s.b[2]) * 2", whole(18)),
            ("a / s.b[2] + a % 4", whole(0)),
            ("a > 3 && !(s.b[2] == 0) || 0", whole(1)),
            ("p->x * a", Number::Real(3.5)),
            ("-a + 0x10", whole(9)),
            ("*q - 1 - 1", whole(1)),
            ("a <= 7 == 1", whole(1)),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text, &values), Some(expected), "{text}");
        }
        assert_eq!(value("a / 0", &values), None);
    }

    #[test]
    fn names_are_not_computed_and_mistakes_are_told() {
        for name in ["a", "s.b[2]", "state->mode", "*p"] {
            assert!(!Expression::parse(name).expect(name).is_computed(), "{name}");
        }
        assert!(Expression::parse("a - b").expect("an expression").is_computed());
        let error = |text: &str| Expression::parse(text).expect_err(text);
        assert_eq!(error("a -"), "expected a variable or a number, found `the end`");
        assert_eq!(error("(a"), "expected `)`, found ``");
        assert_eq!(error("a b"), "expected an operator or the end, found `b`");
        assert!(error(&"(".repeat(10_000)).contains("fewer"));
    }
}
