//! One part of an expression becomes another. What is no constant stays so: clang would decide it.

use crate::c::{COMPARISONS, Call, Callee, Element, Expression, JUNCTIONS, Kind};
use crate::generate::{Arithmetic, OPERATORS, WRAPPING, Writer};

/// Whether a part can become another.
pub(super) fn can_change(part: &Expression) -> bool {
    match part {
        Expression::Name(kind, _) => !matches!(kind, Kind::Counter | Kind::Depth),
        Expression::Unary(..) | Expression::Cast(..) | Expression::OneLess => false,
        _ => true,
    }
}

pub(super) fn change_part(part: &mut Expression, writer: &mut Writer<'_>) {
    match part {
        Expression::Constant(number) if writer.percent(70) => *number += writer.pick(&[-1, 1, 1, 2]),
        Expression::Constant(_) | Expression::Name(Kind::Number, _) => *part = changed_leaf(writer),
        Expression::Name(kind, name) => {
            let pool = writer.pool(*kind);
            if !pool.is_empty() {
                *name = writer.pick(&pool);
            }
        }
        Expression::Fixed("&", _, number) => *number = writer.pick(&[1, 3, 7]),
        Expression::Fixed(_, _, number) => *number += if *number > 2 { -1 } else { 1 },
        Expression::Element(element) => change_element(element, writer),
        Expression::Binary(operator, ..) if COMPARISONS.contains(operator) => {
            *operator = writer.pick(&COMPARISONS);
        }
        Expression::Binary(operator, left, right) if JUNCTIONS.contains(operator) => {
            let kept = if writer.percent(50) { left } else { right };
            match writer.percent(30) {
                true => *part = std::mem::replace(kept, Expression::Constant(0)),
                false => *operator = if *operator == "&&" { "||" } else { "&&" },
            }
        }
        Expression::Binary(operator, _, right) => change_operator(operator, right, writer),
        Expression::Divide(operator, ..) => *operator = writer.pick(&["/", "%"]),
        Expression::Choice(_, left, right) => std::mem::swap(left, right),
        Expression::Call(call) => change_call(call, writer),
        Expression::Unary(..) | Expression::Cast(..) | Expression::OneLess => {}
    }
}

fn changed_leaf(writer: &mut Writer<'_>) -> Expression {
    let features = &writer.generator.features;
    let any = features.arithmetic == Arithmetic::Wrapping && features.ends;
    if any { writer.expression() } else { writer.variable() }
}

fn change_operator(operator: &mut &'static str, right: &mut Expression, writer: &mut Writer<'_>) {
    *operator = match writer.generator.features.arithmetic {
        Arithmetic::Small => writer.pick(&OPERATORS),
        Arithmetic::Wrapping => writer.pick(&WRAPPING),
    };
    if *operator == "<<" {
        let by = std::mem::replace(right, Expression::Constant(0));
        *right = by.low(7);
    }
}

fn change_element(element: &mut Element, writer: &mut Writer<'_>) {
    if writer.generator.has.failures && writer.percent(40) {
        element.masked = !element.masked;
        return;
    }
    let index = if writer.percent(50) { writer.variable() } else { (*element.index).clone() };
    let masked = element.masked;
    *element = Element { masked, ..writer.element(index, 100) };
}

/// Two arguments change places, or an argument is passed on instead of what was there, or another function is called.
fn change_call(call: &mut Call, writer: &mut Writer<'_>) {
    let is_number = |argument: &Expression| match argument {
        Expression::Name(kind, _) => *kind == Kind::Number,
        Expression::OneLess => false,
        _ => true,
    };
    let depth = match call.callee {
        Callee::Direct(callee) => usize::from(writer.program.functions[callee].is_recursive()),
        _ => 0,
    };
    let numbers: Vec<usize> =
        (depth..call.arguments.len()).filter(|&index| is_number(&call.arguments[index])).collect();
    match (&numbers[..], &mut call.callee) {
        (&[first, second], _) if writer.percent(60) => call.arguments.swap(first, second),
        (&[first, ..], _) if writer.percent(50) => call.arguments[first] = writer.variable(),
        (_, Callee::Direct(callee)) => {
            let others = writer.functions_like(*callee);
            if !others.is_empty() {
                *callee = writer.pick(&others);
            }
        }
        _ => {}
    }
}
