//! What becomes of a program: changes that may matter, and other ways to say the same. Neither has to be what it is
//! called: the judge tells.

use super::generate::{COMPARISONS, Generator, OPERATORS};
use super::tree::{Expression, Function, Program, Statement, Variable};

/// Changes something that probably matters.
pub fn change(program: &mut Program, generator: &mut Generator) {
    let function = pick_function(program, generator);
    match generator.random.below(10) {
        0..5 => change_expression(function, generator),
        5 => remove(function, generator),
        6 => add(function, generator),
        7 => swap(function, generator),
        8 => change_place(function, generator),
        _ => change_block(function, generator),
    }
}

/// Says something in another way.
pub fn refactor(program: &mut Program, generator: &mut Generator) {
    let function = pick_function(program, generator);
    match generator.random.below(10) {
        0..6 => rewrite_expression(function, generator),
        6 | 7 => rewrite_statement(function, generator),
        8 => split(function, generator),
        _ => add_dead(function, generator),
    }
}

/// Mostly the entry, if that may change.
fn pick_function<'p>(program: &'p mut Program, generator: &mut Generator) -> &'p mut Function {
    let last = program.functions.len() - 1;
    let index = match generator.below {
        true => generator.random.below(last),
        false if generator.random.percent(60) => last,
        false => generator.random.below(last + 1),
    };
    generator.enter(index, index == last);
    &mut program.functions[index]
}

/// Does something to one of the expressions that it can be done to.
fn at_expression(
    function: &mut Function,
    generator: &mut Generator,
    fits: impl Fn(&Expression) -> bool,
    change: impl Fn(&mut Expression, &mut Generator),
) {
    let mut count = 0;
    function.each_expression(&mut |expression| count += usize::from(fits(expression)));
    if count == 0 {
        return;
    }
    let mut wanted = Some(generator.random.below(count));
    function.each_expression(&mut |expression| {
        if !fits(expression) {
            return;
        }
        match wanted {
            Some(0) => {
                wanted = None;
                change(expression, generator);
            }
            Some(left) => wanted = Some(left - 1),
            None => {}
        }
    });
}

/// Does something at a statement, or behind the last one, of one of the blocks.
fn at_statement(
    function: &mut Function,
    generator: &mut Generator,
    change: impl Fn(&mut Vec<Statement>, usize, &mut Generator),
) {
    let mut count = 0;
    function.each_block(&mut |block| count += block.len());
    let mut wanted = Some(generator.random.below(count.max(1)));
    function.each_block(&mut |block| match wanted {
        Some(left) if left < block.len() => {
            wanted = None;
            change(block, left, generator);
        }
        Some(left) => wanted = Some(left - block.len()),
        None => {}
    });
}

fn change_expression(function: &mut Function, generator: &mut Generator) {
    let fits = |expression: &Expression| !matches!(expression, Expression::Unary(..));
    at_expression(function, generator, fits, |expression, generator| match expression {
        Expression::Constant(value) => *value += generator.random.pick(&[-1, 1, 1, 2]),
        Expression::Binary(operator, ..) if COMPARISONS.contains(operator) => {
            *operator = generator.random.pick(&COMPARISONS);
        }
        Expression::Binary(operator @ ("&&" | "||"), ..) => {
            *operator = if *operator == "&&" { "||" } else { "&&" };
        }
        Expression::Binary(operator, ..) => *operator = generator.random.pick(&OPERATORS),
        Expression::Choice(_, left, right) => std::mem::swap(left, right),
        Expression::Element(_, safe) if generator.random.percent(40) => *safe = !*safe,
        _ => *expression = generator.expression(1),
    });
}

fn remove(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, _| drop(block.remove(index)));
}

fn add(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, generator| {
        let statement = generator.plain();
        block.insert(index, statement);
    });
}

fn swap(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, _| {
        if index > 0 && !block[index].leaves() {
            block.swap(index - 1, index);
        }
    });
}

fn change_place(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, generator| {
        if let Statement::Assign(place, _) | Statement::Call(place, ..) = &mut block[index] {
            *place = generator.place();
        }
    });
}

fn change_block(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, generator| match &mut block[index] {
        Statement::If(_, then, otherwise) if generator.random.percent(50) => std::mem::swap(then, otherwise),
        Statement::If(_, _, otherwise) => otherwise.clear(),
        Statement::Switch(_, cases) => {
            let case = generator.random.below(cases.len());
            cases[case].1 = !cases[case].1;
        }
        statement => {
            let condition = generator.condition(0);
            let inner = std::mem::replace(statement, Statement::Abort);
            *statement = Statement::If(condition, vec![inner], Vec::new());
        }
    });
}

fn boxed(operator: &'static str, left: Expression, right: Expression) -> Expression {
    Expression::Binary(operator, Box::new(left), Box::new(right))
}

fn not(expression: Expression) -> Expression {
    Expression::Unary("!", Box::new(expression))
}

fn rewrite_expression(function: &mut Function, generator: &mut Generator) {
    let fits =
        |expression: &Expression| matches!(expression, Expression::Binary(..) | Expression::Choice(..));
    at_expression(function, generator, fits, |expression, generator| {
        let taken = std::mem::replace(expression, Expression::Constant(0));
        *expression = said_otherwise(taken, generator);
    });
}

/// An equal expression, unless its parts fail or wrap around.
fn said_otherwise(expression: Expression, generator: &mut Generator) -> Expression {
    let (operator, left, right) = match expression {
        Expression::Binary(operator, left, right) => (operator, *left, *right),
        Expression::Choice(condition, left, right) => {
            return Expression::Choice(Box::new(not(*condition)), right, left);
        }
        other => return other,
    };
    let first = generator.random.percent(50);
    match operator {
        "+" | "&" | "|" | "^" if first => boxed(operator, right, left),
        "+" => boxed("-", left, Expression::Unary("-", Box::new(right))),
        "-" if first => boxed("+", left, Expression::Unary("-", Box::new(right))),
        "-" => boxed("+", boxed("+", left, Expression::Unary("~", Box::new(right))), Expression::Constant(1)),
        "*" if right == Expression::Constant(2) && first => boxed("+", left.clone(), left),
        "*" if right == Expression::Constant(4) => boxed("<<", left, Expression::Constant(2)),
        "*" => boxed("*", right, left),
        "<<" if right == Expression::Constant(1) => boxed("*", left, Expression::Constant(2)),
        "%" if right == Expression::Constant(4) => boxed("&", left, Expression::Constant(3)),
        "/" if right == Expression::Constant(2) => {
            boxed(">>", boxed("&", left, Expression::Constant(255)), Expression::Constant(1))
        }
        "&" => not_of_nots("~", "|", left, right),
        "|" => not_of_nots("~", "&", left, right),
        "^" => boxed("-", boxed("|", left.clone(), right.clone()), boxed("&", left, right)),
        "&&" => not_of_nots("!", "||", left, right),
        "||" => not_of_nots("!", "&&", left, right),
        "<" if first => boxed(">", right, left),
        ">" if first => boxed("<", right, left),
        "<=" if first => boxed(">=", right, left),
        ">=" if first => boxed("<=", right, left),
        "<" => not(boxed(">=", left, right)),
        ">" => not(boxed("<=", left, right)),
        "<=" => not(boxed(">", left, right)),
        ">=" => not(boxed("<", left, right)),
        "==" => boxed("==", boxed("^", left, right), Expression::Constant(0)),
        "!=" => not(boxed("==", right, left)),
        _ => boxed(operator, left, right),
    }
}

fn not_of_nots(
    negation: &'static str,
    operator: &'static str,
    left: Expression,
    right: Expression,
) -> Expression {
    let negated = |inner| Expression::Unary(negation, Box::new(inner));
    negated(boxed(operator, negated(left), negated(right)))
}

fn rewrite_statement(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, generator| {
        let statement = std::mem::replace(&mut block[index], Statement::Abort);
        block[index] = match statement {
            Statement::If(condition, then, otherwise) if !otherwise.is_empty() => {
                Statement::If(not(condition), otherwise, then)
            }
            Statement::For(counter, bound, body) => Statement::While(counter, bound, body),
            Statement::While(counter, bound, body) => Statement::For(counter, bound, body),
            Statement::Assign(place, Expression::Choice(condition, left, right)) => Statement::If(
                *condition,
                vec![Statement::Assign(place, *left)],
                vec![Statement::Assign(place, *right)],
            ),
            Statement::Switch(value, cases) if cases.iter().all(|(_, ends)| *ends) => {
                let value = boxed("&", value, Expression::Constant(3));
                let chain =
                    cases.into_iter().enumerate().rev().fold(Vec::new(), |rest, (number, (body, _))| {
                        let condition = boxed("==", value.clone(), Expression::Constant(number as i32));
                        vec![Statement::If(condition, body, rest)]
                    });
                chain.into_iter().next().unwrap_or(Statement::Abort)
            }
            statement if generator.random.percent(50) => Statement::If(
                boxed("||", generator.condition(0), Expression::Constant(1)),
                vec![statement],
                Vec::new(),
            ),
            statement => statement,
        };
    });
}

/// A computation in two steps.
fn split(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, _| {
        let Statement::Assign(place @ Variable::Local(_), Expression::Binary(operator, left, right)) =
            &block[index]
        else {
            return;
        };
        let (place, operator) = (*place, *operator);
        let mut mentioned = false;
        let mut right = right.clone();
        right.each(&mut |part| mentioned |= *part == Expression::Variable(place));
        if mentioned || operator == "&&" || operator == "||" {
            return;
        }
        let first = Statement::Assign(place, (**left).clone());
        let second = Statement::Assign(place, boxed(operator, Expression::Variable(place), *right));
        block.splice(index..=index, [first, second]);
    });
}

/// Something that no path comes to, or that is overwritten.
fn add_dead(function: &mut Function, generator: &mut Generator) {
    at_statement(function, generator, |block, index, generator| {
        let dead = generator.plain();
        if let (Statement::Assign(place, _), Statement::Assign(_, value)) = (&block[index], &dead) {
            let before = Statement::Assign(*place, value.clone());
            return block.insert(index, before);
        }
        let never = boxed("&", generator.expression(0), Expression::Constant(0));
        block.insert(index, Statement::If(never, vec![dead], Vec::new()));
    });
}
