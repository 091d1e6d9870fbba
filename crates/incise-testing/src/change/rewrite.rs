//! Other ways to say the same, for numbers that wrap around. What they take apart may fail or matter elsewhere, so that
//! not all of them are what they are meant to be.

use super::{at_part, chosen_function};
use crate::c::{Expression, Form, Function, Program, Statement};
use crate::generate::{Generator, Writer};
use crate::random::Random;

/// Says something of a program in another way.
pub fn rewrite(program: &mut Program, generator: &mut Generator) {
    let index = chosen_function(program, generator);
    let before = program.clone();
    let mut writer = Writer::new(generator, &before, index);
    let function = &mut program.functions[index];
    match writer.below(10) {
        0..6 => {
            let fits = |part: &Expression| {
                matches!(part, Expression::Binary(..) | Expression::Divide(..) | Expression::Choice(..))
            };
            at_part(function, &mut writer, fits, |part, writer| {
                let taken = std::mem::replace(part, Expression::Constant(0));
                *part = said_otherwise(taken, &mut writer.generator.random);
            });
        }
        6 | 7 => at_statement(function, &mut writer, |block, index, writer| {
            rewrite_statement(block, index, writer)
        }),
        8 => at_statement(function, &mut writer, split),
        _ => at_statement(function, &mut writer, add_dead),
    }
}

/// Does something at one of the statements.
fn at_statement(
    function: &mut Function,
    writer: &mut Writer<'_>,
    act: impl Fn(&mut Vec<Statement>, usize, &mut Writer<'_>),
) {
    let number = writer.below(function.count_blocks());
    let block = function.block_mut(number);
    if !block.is_empty() {
        let index = writer.below(block.len());
        act(block, index, writer);
    }
}

/// An equal expression, unless its parts fail.
pub(crate) fn said_otherwise(expression: Expression, random: &mut Random) -> Expression {
    let constant = Expression::Constant;
    let first = random.percent(50);
    let (operator, left, right) = match expression {
        Expression::Binary(operator, left, right) => (operator, *left, *right),
        Expression::Choice(condition, left, right) => {
            return Expression::Choice(Box::new(Expression::unary("!", *condition)), right, left);
        }
        Expression::Divide(operator, left, right) => return divided_otherwise(operator, left, right),
        other => return other,
    };
    let join = |left, right| Expression::binary(operator, left, right);
    let minus = |inner| Expression::unary("-", inner);
    match operator {
        "+" | "&" | "|" | "^" if first => join(right, left),
        "+" => Expression::binary("-", left, minus(right)),
        "-" if first => Expression::binary("+", left, minus(right)),
        "-" => {
            let negative = Expression::binary("+", Expression::unary("~", right), constant(1));
            Expression::binary("+", left, negative)
        }
        "*" if right == constant(2) && first => Expression::binary("+", left.clone(), left),
        "*" if right == constant(4) => Expression::binary("<<", left, constant(2)),
        "*" if right == constant(8) => Expression::binary("<<", left, constant(3)),
        "*" => join(right, left),
        "<<" if right == constant(1).low(7) => Expression::binary("*", left, constant(2)),
        "&" => not_of_nots("~", "|", left, right),
        "|" => not_of_nots("~", "&", left, right),
        "^" => {
            let both = Expression::binary("&", left.clone(), right.clone());
            Expression::binary("-", Expression::binary("|", left, right), both)
        }
        "&&" => not_of_nots("!", "||", left, right),
        "||" => not_of_nots("!", "&&", left, right),
        "<" | ">" | "<=" | ">=" => compared_otherwise(operator, left, right, first),
        "==" if first => Expression::unary("!", Expression::binary("!=", left, right)),
        "==" => Expression::binary("==", Expression::binary("^", left, right), constant(0)),
        "!=" => Expression::unary("!", Expression::binary("==", right, left)),
        _ => join(left, right),
    }
}

fn compared_otherwise(operator: &str, left: Expression, right: Expression, turned: bool) -> Expression {
    let (mirrored, opposite) = match operator {
        "<" => (">", ">="),
        ">" => ("<", "<="),
        "<=" => (">=", ">"),
        _ => ("<=", "<"),
    };
    match turned {
        true => Expression::binary(mirrored, right, left),
        false => Expression::unary("!", Expression::binary(opposite, left, right)),
    }
}

fn divided_otherwise(operator: &'static str, left: Box<Expression>, right: Box<Expression>) -> Expression {
    let divisor = match &*right {
        Expression::Binary("+", number, _) => (**number).clone(),
        other => other.clone(),
    };
    match (operator, divisor) {
        ("%", Expression::Constant(4)) => left.low(3),
        ("/", Expression::Constant(2)) => Expression::binary(">>", *left, Expression::Constant(1)),
        _ => Expression::Divide(operator, left, right),
    }
}

fn not_of_nots(
    negation: &'static str,
    operator: &'static str,
    left: Expression,
    right: Expression,
) -> Expression {
    let inner =
        Expression::binary(operator, Expression::unary(negation, left), Expression::unary(negation, right));
    Expression::unary(negation, inner)
}

fn rewrite_statement(block: &mut [Statement], index: usize, writer: &mut Writer<'_>) {
    let statement = std::mem::replace(&mut block[index], Statement::Abort);
    block[index] = match statement {
        Statement::If(condition, then, otherwise) if !otherwise.is_empty() => {
            Statement::If(Expression::unary("!", condition), otherwise, then)
        }
        Statement::Loop(mut each) if matches!(each.form, Form::For | Form::While) => {
            each.form = if each.form == Form::For { Form::While } else { Form::For };
            if let Some(counter) = &mut each.counter {
                counter.declared = None;
            }
            Statement::Loop(each)
        }
        Statement::Assign(place, Expression::Choice(condition, left, right)) => Statement::If(
            *condition,
            vec![Statement::Assign(place.clone(), *left)],
            vec![Statement::Assign(place, *right)],
        ),
        Statement::Switch(value, cases, otherwise) if cases.iter().all(|case| !case.falls_through) => cases
            .into_iter()
            .rev()
            .fold(otherwise.unwrap_or_default(), |rest, case| {
                let label = Expression::Constant(case.label);
                let condition = Expression::binary("==", value.clone().low(3), label);
                vec![Statement::If(condition, case.body, rest)]
            })
            .remove(0),
        statement if writer.percent(50) => {
            let always = Expression::binary("||", writer.condition(), Expression::Constant(1));
            Statement::If(always, vec![statement], Vec::new())
        }
        statement => statement,
    };
}

/// A computation in two steps.
fn split(block: &mut Vec<Statement>, index: usize, _: &mut Writer<'_>) {
    let Statement::Assign(place @ Expression::Name(..), Expression::Binary(operator, left, right)) =
        &block[index]
    else {
        return;
    };
    let is_local = matches!(place, Expression::Name(_, name) if !name.starts_with('@'));
    if !is_local || right.any(|part| part == place) || matches!(*operator, "&&" | "||") {
        return;
    }
    let first = Statement::Assign(place.clone(), (**left).clone());
    let second =
        Statement::Assign(place.clone(), Expression::binary(operator, place.clone(), (**right).clone()));
    block.splice(index..=index, [first, second]);
}

/// Something that no path comes to, or that is overwritten.
fn add_dead(block: &mut Vec<Statement>, index: usize, writer: &mut Writer<'_>) {
    let dead = writer.plain();
    if let (Statement::Assign(place, _), Statement::Assign(_, value)) = (&block[index], &dead) {
        let before = Statement::Assign(place.clone(), value.clone());
        return block.insert(index, before);
    }
    let never = Expression::binary("&", writer.leaf(), Expression::Constant(0));
    block.insert(index, Statement::If(never, vec![dead], Vec::new()));
}
