//! Floats.

use super::precedence::{AND, CHOICE, EQUALITY, PRIMARY, PRODUCT, RELATION, SUM, UNARY};
use super::{Printer, Sign, Text, type_name};
use crate::concrete;
use crate::expr::{
    ChangedSign, ExprId, ExprKind, FloatBinary, FloatCompare, FloatFormat, FloatUnary, SymbolKind,
};

/// The format of a float operation's result.
pub(super) fn format_of(kind: &ExprKind) -> Option<FloatFormat> {
    match *kind {
        ExprKind::FloatBinary(_, format, ..) | ExprKind::FloatUnary(_, format, _) => Some(format),
        ExprKind::FloatFma(format, ..) | ExprKind::Math(_, format, ..) => Some(format),
        ExprKind::FloatToFloat { to, .. } | ExprKind::IntToFloat { to, .. } => Some(to),
        _ => None,
    }
}

fn format_name(format: FloatFormat) -> &'static str {
    match format {
        FloatFormat::Half => "_Float16",
        FloatFormat::BFloat => "__bf16",
        FloatFormat::Single => "float",
        FloatFormat::Double => "double",
        FloatFormat::X87 => "long double",
        FloatFormat::Quad => "__float128",
    }
}

impl Printer<'_> {
    pub(super) fn float_comparison(
        &mut self,
        op: FloatCompare,
        format: FloatFormat,
        a: ExprId,
        b: ExprId,
        positive: bool,
    ) -> Text {
        let truth = |text: String, precedence: u8| Text::new(text, precedence, Sign::Either, 32);
        let (x, y) = (self.float(a, format), self.float(b, format));
        let (symbol, precedence) = match op {
            FloatCompare::Unordered => {
                let call = if a == b {
                    format!("isnan({})", x.text)
                } else {
                    format!("isunordered({}, {})", x.text, y.text)
                };
                return if positive { truth(call, PRIMARY) } else { truth(format!("!{call}"), UNARY) };
            }
            FloatCompare::Same => {
                let call = format!("same({}, {})", x.text, y.text);
                return if positive { truth(call, PRIMARY) } else { truth(format!("!{call}"), UNARY) };
            }
            FloatCompare::Eq if positive => ("==", EQUALITY),
            FloatCompare::Eq => ("!=", EQUALITY),
            FloatCompare::Lt => ("<", RELATION),
            FloatCompare::Le => ("<=", RELATION),
        };
        let text = format!("{} {symbol} {}", x.at(precedence + 1), y.at(precedence + 1));
        // The negation of an order is not the opposite order: a NaN makes both false.
        if positive || op == FloatCompare::Eq {
            truth(text, precedence)
        } else {
            truth(format!("!({text})"), UNARY)
        }
    }

    /// A float, of the format that its consumer takes it for.
    pub(super) fn float(&mut self, e: ExprId, format: FloatFormat) -> Text {
        self.nested(format.width(), |p| p.float_here(e, format))
    }

    fn float_here(&mut self, e: ExprId, format: FloatFormat) -> Text {
        let text = |text: String, precedence: u8| Text::new(text, precedence, Sign::Signed, format.width());
        if let Some(value) = self.exprs.as_constant(e) {
            let literal = literal(value, format);
            let precedence = if literal.starts_with('-') { UNARY } else { PRIMARY };
            return text(literal, precedence);
        }
        match *self.exprs.kind(e) {
            ExprKind::Symbol(symbol) if self.exprs.symbol_info(symbol).kind == SymbolKind::Float(format) => {
                text(self.exprs.symbol_info(symbol).name.clone(), PRIMARY)
            }
            ExprKind::FloatBinary(op, found, a, b) if found == format => {
                let (a, b) = (self.float(a, format), self.float(b, format));
                let (symbol, precedence) = match op {
                    FloatBinary::Add => ("+", SUM),
                    FloatBinary::Sub => ("-", SUM),
                    FloatBinary::Mul => ("*", PRODUCT),
                    FloatBinary::Div => ("/", PRODUCT),
                    FloatBinary::Rem => return text(format!("fmod({}, {})", a.text, b.text), PRIMARY),
                    FloatBinary::Min => return text(format!("fmin({}, {})", a.text, b.text), PRIMARY),
                    FloatBinary::Max => return text(format!("fmax({}, {})", a.text, b.text), PRIMARY),
                };
                text(format!("{} {symbol} {}", a.at(precedence), b.at(precedence + 1)), precedence)
            }
            ExprKind::FloatUnary(op, found, a) if found == format => {
                let name = match op {
                    FloatUnary::Sqrt => "sqrt",
                    FloatUnary::Floor => "floor",
                    FloatUnary::Ceil => "ceil",
                    FloatUnary::Trunc => "trunc",
                    FloatUnary::RoundEven => "rint",
                    FloatUnary::RoundAway => "round",
                };
                text(format!("{name}({})", self.float(a, format).text), PRIMARY)
            }
            ExprKind::FloatFma(found, a, b, c) if found == format => {
                // The node has the factors in the processor's order.
                let [a, b, c] = [b, a, c].map(|operand| self.float(operand, format).text);
                text(format!("fma({a}, {b}, {c})"), PRIMARY)
            }
            ExprKind::Math(function, found, a, b) if found == format => {
                let suffix = if format == FloatFormat::Single { "f" } else { "" };
                let first = self.float(a, format).text;
                let call = match function.arity() {
                    1 => format!("{}{suffix}({first})", function.name()),
                    _ => format!("{}{suffix}({first}, {})", function.name(), self.float(b, format).text),
                };
                text(call, PRIMARY)
            }
            ExprKind::FloatToFloat { from, to, of } if to == format => {
                let inner = self.float(of, from).at(UNARY);
                text(format!("({}){inner}", format_name(format)), UNARY)
            }
            ExprKind::IntToFloat { signed, to, of } if to == format => {
                let inner = self.signed(of, signed).at(UNARY);
                text(format!("({}){inner}", format_name(format)), UNARY)
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = self.condition(condition, true).at(CHOICE + 1);
                let (then, otherwise) = (self.float(then, format), self.float(otherwise, format));
                text(format!("{condition} ? {} : {}", then.at(CHOICE), otherwise.at(CHOICE)), CHOICE)
            }
            _ => self.changed_sign(e, format),
        }
    }

    /// A float with its sign bit inverted or cleared, else bits read as a float.
    fn changed_sign(&mut self, e: ExprId, format: FloatFormat) -> Text {
        let text = |text: String, precedence: u8| Text::new(text, precedence, Sign::Signed, format.width());
        match self.exprs.sign_changed(e, format) {
            Some(ChangedSign::Cleared(of)) => {
                let inner = self.float(of, format).text;
                return text(format!("fabs({inner})"), PRIMARY);
            }
            Some(ChangedSign::Inverted(of)) => {
                let inner = self.float(of, format).at(UNARY);
                return text(format!("-{inner}"), UNARY);
            }
            None => {}
        }
        let bits = self.natural(e, Sign::Unsigned).text;
        text(format!("as_{}({bits})", format_name(format).replace(' ', "_")), PRIMARY)
    }
}

/// A literal of a float format.
fn literal(bits: u128, format: FloatFormat) -> String {
    if concrete::is_nan(format, bits) {
        return if bits >> (format.width() - 1) == 1 { "-NAN".to_string() } else { "NAN".to_string() };
    }
    let double = f64::from_bits(concrete::float_to_float(format, FloatFormat::Double, bits) as u64);
    if double.is_infinite() {
        return if double > 0.0 { "INFINITY".to_string() } else { "-INFINITY".to_string() };
    }
    let exact = concrete::float_to_float(FloatFormat::Double, format, double.to_bits() as u128) == bits;
    match format {
        FloatFormat::Single => format!("{:?}f", f32::from_bits(bits as u32)),
        FloatFormat::Double => format!("{double:?}"),
        _ if exact => format!("({}){double:?}", format_name(format)),
        _ => format!("as_{}({bits:#x})", type_name(format.width(), false).replace(' ', "_")),
    }
}

const _: () = assert!(AND < EQUALITY);
