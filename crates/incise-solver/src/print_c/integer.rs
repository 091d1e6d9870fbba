//! Integers and conditions.

use super::precedence::{
    AND, BIT_AND, BIT_OR, BIT_XOR, CHOICE, EQUALITY, OR, PRIMARY, PRODUCT, RELATION, SHIFT, SUM, UNARY,
};
use super::{Printer, Sign, Text, cast};
use crate::concrete::{self, mask};
use crate::expr::{BinaryOp, ExprId, ExprKind, Relation, SymbolKind};

/// How many equalities of one expression are put in order.
const MOST_LISTED: usize = 32;

impl Printer<'_> {
    /// A condition, or its negation, which is pushed to the comparisons.
    pub(super) fn condition(&mut self, e: ExprId, positive: bool) -> Text {
        self.nested(32, |p| p.condition_here(e, positive))
    }

    fn condition_here(&mut self, e: ExprId, positive: bool) -> Text {
        let truth = |text: String, precedence: u8| Text::new(text, precedence, Sign::Either, 32);
        match *self.exprs.kind(e) {
            ExprKind::Constant(value) => {
                truth(if (value != 0) == positive { "1" } else { "0" }.to_string(), PRIMARY)
            }
            ExprKind::Not(a) => self.condition(a, !positive),
            ExprKind::Binary(BinaryOp::And, a, b) => self.connected(a, b, positive, positive),
            ExprKind::Binary(BinaryOp::Or, a, b) => self.connected(a, b, !positive, positive),
            ExprKind::Binary(BinaryOp::Xor, a, b) => {
                let (a, b) = (self.condition(a, true), self.condition(b, true));
                // C would do with fewer parentheses here than a reader.
                let (a, b) = in_order(a.at(UNARY), b.at(UNARY));
                truth(format!("{a} {} {b}", if positive { "!=" } else { "==" }), EQUALITY)
            }
            ExprKind::Compare(relation, a, b) => self.comparison(relation, a, b, positive),
            ExprKind::FloatCompare(op, format, a, b) => self.float_comparison(op, format, a, b, positive),
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = self.condition(condition, true).at(CHOICE + 1);
                let (then, otherwise) = (self.condition(then, positive), self.condition(otherwise, positive));
                truth(format!("{condition} ? {} : {}", then.at(CHOICE), otherwise.at(CHOICE)), CHOICE)
            }
            _ => {
                let text = self.natural(e, Sign::Unsigned);
                if positive { text } else { truth(format!("!{}", text.at(UNARY)), UNARY) }
            }
        }
    }

    fn connected(&mut self, a: ExprId, b: ExprId, is_and: bool, positive: bool) -> Text {
        if let Some(text) = self.listed(a, b, is_and, positive) {
            return text;
        }
        let (a, b) = (self.condition(a, positive), self.condition(b, positive));
        let (sign, precedence) = if is_and { ("&&", AND) } else { ("||", OR) };
        let (a, b) = in_order(a.at(precedence), b.at(precedence));
        Text::new(format!("{a} {sign} {b}"), precedence, Sign::Either, 32)
    }

    /// `x == 1 || x == 4 || x == 12`, and its negation, in the order of the numbers.
    fn listed(&mut self, a: ExprId, b: ExprId, is_and: bool, positive: bool) -> Option<Text> {
        let mut listed = Vec::new();
        let mut of = None;
        let mut waiting = vec![(a, positive), (b, positive)];
        while let Some((e, positive)) = waiting.pop() {
            if waiting.len() + listed.len() >= MOST_LISTED {
                return None;
            }
            match *self.exprs.kind(e) {
                ExprKind::Not(inner) => waiting.push((inner, !positive)),
                ExprKind::Binary(BinaryOp::Or, a, b) if positive != is_and => {
                    waiting.extend([(a, positive), (b, positive)]);
                }
                ExprKind::Binary(BinaryOp::And, a, b) if positive == is_and => {
                    waiting.extend([(a, positive), (b, positive)]);
                }
                ExprKind::Compare(Relation::Eq, x, constant) if positive != is_and => {
                    if *of.get_or_insert(x) != x {
                        return None;
                    }
                    listed.push((self.exprs.as_constant(constant)?, e));
                }
                _ => return None,
            }
        }
        let of = of?;
        let width = self.exprs.width(of);
        let unsigned = self.natural(of, Sign::Signed).sign == Sign::Unsigned;
        let flip = if unsigned { 0 } else { 1 << (width - 1) };
        listed.sort_unstable_by_key(|&(constant, _)| constant ^ flip);
        let texts: Vec<String> =
            listed.into_iter().map(|(_, equal)| self.condition(equal, !is_and).text).collect();
        let (sign, precedence) = if is_and { (" && ", AND) } else { (" || ", OR) };
        Some(Text::new(texts.join(sign), precedence, Sign::Either, 32))
    }

    fn comparison(&mut self, relation: Relation, a: ExprId, b: ExprId, positive: bool) -> Text {
        let (sign, precedence) = match (relation, positive) {
            (Relation::Eq, true) => ("==", EQUALITY),
            (Relation::Eq, false) => ("!=", EQUALITY),
            (_, true) => ("<", RELATION),
            (_, false) => (">=", RELATION),
        };
        let (left, right) = match relation {
            Relation::Eq => self.pair(a, b, None),
            Relation::Ult => self.pair(a, b, Some(false)),
            Relation::Slt => self.pair(a, b, Some(true)),
        };
        let (left, right) = (left.at(precedence + 1), right.at(precedence + 1));
        let swap = relation == Relation::Eq && self.exprs.as_constant(b).is_none();
        let (left, right) = if swap { in_order(left, right) } else { (left, right) };
        if relation != Relation::Eq && self.exprs.as_constant(a).is_some() {
            // The constant goes to the right, where people look for it.
            let sign = if positive { ">" } else { "<=" };
            return Text::new(format!("{right} {sign} {left}"), precedence, Sign::Either, 32);
        }
        if relation == Relation::Slt && right == "1" {
            // People compare with zero.
            let sign = if positive { "<=" } else { ">" };
            return Text::new(format!("{left} {sign} 0"), precedence, Sign::Either, 32);
        }
        Text::new(format!("{left} {sign} {right}"), precedence, Sign::Either, 32)
    }

    /// Two operands read with one signedness: a given one, or that of the first that has one.
    fn pair(&mut self, a: ExprId, b: ExprId, signed: Option<bool>) -> (Text, Text) {
        if let Some(constant) = self.exprs.as_constant(b) {
            let text = self.natural(a, hint(signed));
            let natural = text.sign;
            let text = self.with_sign(text, a, signed);
            let is_signed = signed.unwrap_or(natural == Sign::Signed);
            let suffix = !is_signed && natural == Sign::Signed;
            let number = self.number(constant, self.exprs.width(a), is_signed, text.character, suffix);
            return (text, number);
        }
        if self.exprs.as_constant(a).is_some() {
            let (b, a) = self.pair(b, a, signed);
            return (a, b);
        }
        let (left, right) = (self.natural(a, hint(signed)), self.natural(b, hint(signed)));
        let signed = signed
            .unwrap_or(left.sign == Sign::Signed || left.sign == Sign::Either && right.sign == Sign::Signed);
        (self.with_sign(left, a, Some(signed)), self.with_sign(right, b, Some(signed)))
    }

    /// The part read with a signedness, by a cast if it is read otherwise.
    fn with_sign(&self, text: Text, e: ExprId, signed: Option<bool>) -> Text {
        match (text.sign, signed) {
            (Sign::Signed, Some(false)) => cast(&text, self.exprs.width(e), false),
            (Sign::Either, Some(true)) if text.unsigned && text.width >= 32 => {
                cast(&text, self.exprs.width(e), true)
            }
            (Sign::Unsigned, Some(true)) => cast(&text, self.exprs.width(e), true),
            _ => text,
        }
    }

    pub(super) fn signed(&mut self, e: ExprId, signed: bool) -> Text {
        if let Some(constant) = self.exprs.as_constant(e) {
            return self.number(constant, self.exprs.width(e), signed, false, false);
        }
        let text = self.natural(e, hint(Some(signed)));
        self.with_sign(text, e, Some(signed))
    }

    /// What people call an address. Small numbers are no addresses.
    fn address_name(&self, value: u128, width: u32) -> Option<Text> {
        let address =
            u64::try_from(value).ok().filter(|&value| width == 64 && value > u64::from(u32::MAX))?;
        let name = (self.address)(address)?;
        self.named.set(true);
        Some(Text::new(name, PRIMARY, Sign::Unsigned, 64))
    }

    /// A constant, as a character beside one.
    pub(super) fn number(
        &self,
        value: u128,
        width: u32,
        signed: bool,
        character: bool,
        suffix: bool,
    ) -> Text {
        let sign = if signed { Sign::Signed } else { Sign::Unsigned };
        if let Some(name) = self.address_name(value, width) {
            return name;
        }
        if character && let Some(text) = character_literal(value) {
            return Text::new(text, PRIMARY, Sign::Either, 32);
        }
        if signed {
            let number = concrete::signed(value, width);
            let precedence = if number < 0 { UNARY } else { PRIMARY };
            return Text::new(
                number.to_string(),
                precedence,
                if number < 0 { sign } else { Sign::Either },
                width,
            );
        }
        let digits = if value > 0xffff { format!("{value:#x}") } else { value.to_string() };
        Text::new(format!("{digits}{}", if suffix { "u" } else { "" }), PRIMARY, sign, width)
    }

    /// An expression as C would naturally write it. The hint decides where either reading is as good.
    pub(super) fn natural(&mut self, e: ExprId, hint: Sign) -> Text {
        let width = self.exprs.width(e);
        self.nested(width, |p| p.natural_here(e, hint, width))
    }

    fn natural_here(&mut self, e: ExprId, hint: Sign, width: u32) -> Text {
        match *self.exprs.kind(e) {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) => {
                let value = self.exprs.as_constant(e).unwrap_or(0);
                self.number(value, width, hint != Sign::Unsigned, false, false)
            }
            ExprKind::Base(address) => {
                let plain = || Text::new(format!("{address:#x}"), PRIMARY, Sign::Unsigned, 64);
                self.address_name(u128::from(address), 64).unwrap_or_else(plain)
            }
            ExprKind::Symbol(symbol) => {
                let symbol = self.exprs.symbol_info(symbol);
                let (sign, character) = match symbol.kind {
                    SymbolKind::Signed => (Sign::Signed, false),
                    SymbolKind::Char => (Sign::Signed, true),
                    SymbolKind::Float(_) => {
                        return Text::new(format!("bits({})", symbol.name), PRIMARY, Sign::Unsigned, width);
                    }
                    SymbolKind::Bool => (Sign::Either, false),
                    SymbolKind::Unsigned | SymbolKind::Pointer | SymbolKind::Bytes => (Sign::Unsigned, false),
                };
                Text { character, ..Text::new(symbol.name.clone(), PRIMARY, sign, width) }
            }
            ExprKind::Compare(..) | ExprKind::FloatCompare(..) => self.condition_here(e, true),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, ..) | ExprKind::Not(_)
                if width == 1 =>
            {
                self.condition_here(e, true)
            }
            ExprKind::Binary(op, a, b) => self.binary(op, a, b, hint, width),
            ExprKind::Not(a) => {
                let text = self.natural(a, hint);
                // The bits that C adds to an unsigned operand later would be missing.
                let short = text.unsigned && text.width >= 32 && text.width < width;
                let text = if short { cast(&text, width, false) } else { text };
                let sign = if text.sign == Sign::Either { Sign::Signed } else { text.sign };
                let printed = Text::new(format!("~{}", text.at(UNARY)), UNARY, sign, width);
                // Inverting what C widens first sets bits above.
                if text.sign == Sign::Unsigned && (width < 32 || text.width < width) {
                    cast(&Text { sign: Sign::Signed, ..printed }, width, false)
                } else {
                    printed
                }
            }
            ExprKind::ZeroExtend(a) if self.exprs.width(a) == 1 => self.condition(a, true),
            ExprKind::ZeroExtend(a) => {
                if let Some(masked) = self.masked(e, hint) {
                    return masked;
                }
                Text { sign: Sign::Either, ..self.signed(a, false) }
            }
            ExprKind::SignExtend(a) if self.exprs.width(a) == 1 => {
                let text = self.condition(a, true);
                let text = if text.unsigned && text.width >= 32 { cast(&text, 32, true) } else { text };
                Text::new(minus(&text), UNARY, Sign::Signed, 32)
            }
            ExprKind::SignExtend(a) => {
                match self.signed_quotient(a).or_else(|| self.signed_remainder(a, width)) {
                    Some(quotient) => quotient,
                    None => self.signed(a, true),
                }
            }
            ExprKind::Extract { of, low } => self.extraction(of, low, width, hint),
            ExprKind::Concat(..) => self.concatenation(e, hint),
            ExprKind::Ite(condition, then, otherwise) => self.choice(condition, then, otherwise),
            ExprKind::Select(array, index) => self.element(array, index),
            ExprKind::FloatToInt { from, signed, of } => {
                let float = self.float(of, from);
                cast(&float, width, signed)
            }
            _ => self.bits_of_float(e, width),
        }
    }

    fn choice(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Text {
        let width = self.exprs.width(then);
        let condition = self.condition(condition, true).at(CHOICE + 1);
        let (then, otherwise) = self.pair(then, otherwise, None);
        let sign = if then.sign == Sign::Either { otherwise.sign } else { then.sign };
        let character = then.character || otherwise.character;
        let text = format!("{condition} ? {} : {}", then.at(CHOICE), otherwise.at(CHOICE));
        Text { character, ..Text::new(text, CHOICE, sign, width) }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, hint: Sign, width: u32) -> Text {
        let (symbol, precedence) = match op {
            BinaryOp::Add => return self.sum(a, b, hint, width),
            BinaryOp::Sub if self.exprs.as_constant(a) == Some(0) => {
                let text = self.natural(b, hint);
                let sign = if text.sign == Sign::Either { Sign::Signed } else { text.sign };
                return wrapped(Text::new(minus(&text), UNARY, sign, width.max(32)), width, text.width);
            }
            BinaryOp::Sub => ("-", SUM),
            BinaryOp::Mul => ("*", PRODUCT),
            BinaryOp::UDiv | BinaryOp::SDiv => ("/", PRODUCT),
            BinaryOp::URem | BinaryOp::SRem => ("%", PRODUCT),
            BinaryOp::Shl => ("<<", SHIFT),
            BinaryOp::LShr | BinaryOp::AShr => (">>", SHIFT),
            BinaryOp::And => ("&", BIT_AND),
            BinaryOp::Or => ("|", BIT_OR),
            BinaryOp::Xor => ("^", BIT_XOR),
        };
        let (left, right, signed) = match op {
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let left = match op {
                    BinaryOp::Shl => self.natural(a, hint),
                    _ => self.signed(a, op == BinaryOp::AShr),
                };
                let signed = left.sign;
                (left, self.signed(b, false), signed)
            }
            BinaryOp::UDiv | BinaryOp::URem => {
                let (left, right) = self.pair(a, b, Some(false));
                (left, right, Sign::Unsigned)
            }
            BinaryOp::SDiv | BinaryOp::SRem => {
                let (left, right) = self.pair(a, b, Some(true));
                (left, right, Sign::Signed)
            }
            _ => {
                let (left, right) = self.pair(a, b, None);
                let sign = join_sign(&left, &right);
                (left, right, sign)
            }
        };
        let widest = left.width.max(right.width);
        let left = if widest < width && width > 32 && op != BinaryOp::And {
            cast(&left, width, signed != Sign::Unsigned)
        } else {
            left
        };
        let commutes = op.is_commutative() && self.exprs.as_constant(b).is_none();
        let texts = (left.at(precedence), right.at(precedence + 1));
        let (x, y) = if commutes && left.width >= right.width { in_order(texts.0, texts.1) } else { texts };
        let overflows = matches!(op, BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl);
        let sign = if overflows && signed == Sign::Either { Sign::Signed } else { signed };
        let text = Text::new(format!("{x} {symbol} {y}"), precedence, sign, width);
        if overflows { wrapped(text, width, widest) } else { text }
    }

    /// The division that the sum of a number and its rounding, cut from bit `k` on, is for: `x / 2^k`.
    fn signed_quotient(&mut self, cut: ExprId) -> Option<Text> {
        let ExprKind::Extract { of: sum, low } = *self.exprs.kind(cut) else { return None };
        let ExprKind::Binary(BinaryOp::Add, a, b) = *self.exprs.kind(sum) else { return None };
        let width = self.exprs.width(sum);
        if low + self.exprs.width(cut) != width {
            return None;
        }
        let rounds = |bias: ExprId, x: ExprId| {
            let ExprKind::ZeroExtend(copies) = *self.exprs.kind(bias) else { return false };
            let sign = match *self.exprs.kind(copies) {
                ExprKind::SignExtend(sign) => sign,
                _ => copies,
            };
            let of_sign = matches!(*self.exprs.kind(sign), ExprKind::Extract { of, low } if of == x && low == width - 1);
            of_sign && self.exprs.width(copies) == low
        };
        let x = if rounds(b, a) {
            a
        } else if rounds(a, b) {
            b
        } else {
            return None;
        };
        let text = self.signed(x, true);
        Some(Text::new(format!("{} / {}", text.at(PRODUCT), 1u128 << low), PRODUCT, Sign::Signed, width))
    }

    /// The remainder that low bits under copies of their sign are: `x % 2^k`.
    fn signed_remainder(&mut self, parts: ExprId, width: u32) -> Option<Text> {
        let ExprKind::Concat(negative, low) = *self.exprs.kind(parts) else { return None };
        let ExprKind::Extract { of: x, low: 0 } = *self.exprs.kind(low) else { return None };
        let ExprKind::Binary(BinaryOp::And, a, b) = *self.exprs.kind(negative) else { return None };
        let bits = self.exprs.width(low);
        let is_sign = |e: ExprId| matches!(*self.exprs.kind(e), ExprKind::Extract { of, low } if of == x && low == width - 1);
        let is_some = |e: ExprId| match *self.exprs.kind(e) {
            ExprKind::Not(none) => match *self.exprs.kind(none) {
                ExprKind::Compare(Relation::Eq, part, zero) => {
                    part == low && self.exprs.as_constant(zero) == Some(0)
                }
                _ => false,
            },
            _ => e == low,
        };
        let found = is_sign(a) && is_some(b) || is_sign(b) && is_some(a);
        if self.exprs.width(x) != width || self.exprs.width(negative) != 1 || !found {
            return None;
        }
        let text = self.signed(x, true);
        Some(Text::new(format!("{} % {}", text.at(PRODUCT), 1u128 << bits), PRODUCT, Sign::Signed, width))
    }

    /// A sum; a negative constant is subtracted, and one beside a character is printed as such.
    fn sum(&mut self, a: ExprId, b: ExprId, hint: Sign, width: u32) -> Text {
        let Some(constant) = self.exprs.as_constant(b) else {
            let (left, right) = self.pair(a, b, None);
            let sign = match join_sign(&left, &right) {
                Sign::Either => Sign::Signed,
                sign => sign,
            };
            let widest = left.width.max(right.width);
            let left =
                if widest < width && width > 32 { cast(&left, width, sign != Sign::Unsigned) } else { left };
            let (x, y) = in_order(left.at(SUM), right.at(SUM));
            return wrapped(Text::new(format!("{x} + {y}"), SUM, sign, width), width, widest);
        };
        let left = self.natural(a, hint);
        let number = concrete::signed(constant, width);
        let (operator, magnitude) =
            if number < 0 { ("-", number.unsigned_abs()) } else { ("+", number as u128) };
        // The least number has no positive counterpart: its literal is unsigned.
        let is_least = magnitude >> (width - 1) != 0 && width >= 32;
        let magnitude = self.number(magnitude & mask(width), width, false, left.character, false).text;
        let sign = match left.sign {
            _ if is_least => Sign::Unsigned,
            Sign::Either => Sign::Signed,
            sign => sign,
        };
        let narrow = left.width;
        let left =
            if narrow < width && width > 32 { cast(&left, width, sign != Sign::Unsigned) } else { left };
        wrapped(
            Text::new(format!("{} {operator} {magnitude}", left.at(SUM)), SUM, sign, width),
            width,
            narrow,
        )
    }
}

/// Arithmetic on less than an int is done in an int: a cast brings it back, unless the operands were narrower still.
fn wrapped(text: Text, width: u32, operands: u32) -> Text {
    if width < 32 && operands >= width {
        let signed = text.sign != Sign::Unsigned;
        return Text { width, ..cast(&text, width, signed) };
    }
    text
}

/// The negative; two signs in a row would be a decrement.
fn minus(text: &Text) -> String {
    let operand = text.at(UNARY);
    if operand.starts_with('-') { format!("-({operand})") } else { format!("-{operand}") }
}

fn hint(signed: Option<bool>) -> Sign {
    match signed {
        Some(false) => Sign::Unsigned,
        _ => Sign::Signed,
    }
}

fn join_sign(left: &Text, right: &Text) -> Sign {
    match (left.sign, right.sign) {
        (Sign::Either, sign) | (sign, Sign::Either) => sign,
        (Sign::Unsigned, _) | (_, Sign::Unsigned) => Sign::Unsigned,
        _ => Sign::Signed,
    }
}

/// Operands of a commutative operator in a readable order: the arena's is by hash.
pub(super) fn in_order(a: String, b: String) -> (String, String) {
    if (a.len() > b.len() + 20, &a) <= (b.len() > a.len() + 20, &b) { (a, b) } else { (b, a) }
}

fn character_literal(value: u128) -> Option<String> {
    Some(match u8::try_from(value).ok()? {
        b'\'' => "'\\''".to_string(),
        b'\\' => "'\\\\'".to_string(),
        b'\n' => "'\\n'".to_string(),
        b'\t' => "'\\t'".to_string(),
        b'\r' => "'\\r'".to_string(),
        byte @ b' '..=b'~' => format!("'{}'", byte as char),
        _ => return None,
    })
}
