//! What paths tell the rest of the world: output and the exit status.

use super::{Comparison, Leaf, Seen};
use crate::result::InputValue;
use crate::state::{OutputPiece, State};
use crate::trace::{Condition, Session};
use crate::value::Value;
use incise_solver::{CompareOp, ExprId, Exprs};

/// The smallest parts of output.
enum Token<'s> {
    Byte(u8),
    Piece(&'s OutputPiece),
}

fn tokens(state: &State, stream: u8) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for output in state.outputs.to_vec().into_iter().filter(|output| output.stream == stream) {
        for piece in output.pieces.iter() {
            match piece {
                OutputPiece::Bytes(bytes) => tokens.extend(bytes.iter().map(|&byte| Token::Byte(byte))),
                OutputPiece::Byte(Value::Word(word)) => tokens.push(Token::Byte(*word as u8)),
                piece => tokens.push(Token::Piece(piece)),
            }
        }
    }
    tokens
}

/// Compares what was written to a stream.
pub(super) fn outputs(
    session: &mut Session,
    (one, other): (&State, &State),
    stream: u8,
    comparison: &mut Comparison<'_>,
) {
    let (ones, others) = (tokens(one, stream), tokens(other, stream));
    let mut differs = session.exprs.boolean(false);
    let mut alike = ones.len() == others.len();
    for (one, other) in ones.iter().zip(&others) {
        match token_differs(&mut session.exprs, one, other) {
            Some(here) => differs = session.exprs.or(differs, here),
            None => {
                alike = false;
                break;
            }
        }
    }
    if alike && session.exprs.as_constant(differs) == Some(0) {
        return;
    }
    let mut render = |state: &State| {
        let mut text = Vec::new();
        for output in state.outputs.to_vec().into_iter().filter(|output| output.stream == stream) {
            for piece in output.pieces.iter() {
                let (exprs, solver) = (&session.exprs, &mut session.solver);
                crate::native::render(piece, &mut text, &mut |value| {
                    crate::finish::evaluate(exprs, solver, value, comparison.model)
                });
            }
        }
        text
    };
    let (leading, following) = (render(one), render(other));
    if !alike {
        if leading == following {
            comparison.found.unsure.insert("the output is put together in another way".into());
            return;
        }
        // For these inputs it does differ.
        differs = session.exprs.boolean(true);
    }
    let seen = if stream == 2 { Seen::ErrorOutput } else { Seen::Output };
    comparison.found.leaves.push(Leaf {
        name: String::new(),
        seen,
        differs: Condition(differs),
        plainly: Condition(differs),
        leading: InputValue::Text(leading),
        following: InputValue::Text(following),
    });
}

/// When two parts of output differ; `None` if they are not of one kind.
fn token_differs(exprs: &mut Exprs, one: &Token<'_>, other: &Token<'_>) -> Option<ExprId> {
    let piece = |token: &Token<'_>| match token {
        Token::Byte(byte) => OutputPiece::Byte(Value::Word(u64::from(*byte))),
        Token::Piece(piece) => (*piece).clone(),
    };
    match (piece(one), piece(other)) {
        (OutputPiece::Byte(one), OutputPiece::Byte(other)) => {
            Some(values_differ(exprs, &one, &other, Some(8)))
        }
        (
            OutputPiece::Number { value: one, conversion: mine },
            OutputPiece::Number { value: other, conversion: theirs },
        ) if mine == theirs => Some(values_differ(exprs, &one, &other, None)),
        (
            OutputPiece::Text { bytes: one, conversion: mine },
            OutputPiece::Text { bytes: other, conversion: theirs },
        ) if mine == theirs && one.len() == other.len() => {
            let mut differs = exprs.boolean(false);
            for (one, other) in one.iter().zip(other.iter()) {
                let here = values_differ(exprs, one, other, Some(8));
                differs = exprs.or(differs, here);
            }
            Some(differs)
        }
        _ => None,
    }
}

/// When two scalars of one type differ.
pub(super) fn values_differ(exprs: &mut Exprs, one: &Value, other: &Value, width: Option<u32>) -> ExprId {
    let known = [one, other].into_iter().find_map(|value| match value {
        Value::Symbolic(expr) => Some(exprs.width(*expr)),
        _ => None,
    });
    let width = width.or(known).unwrap_or(128);
    let mut expr = |value: &Value| match value {
        Value::Symbolic(expr) if exprs.width(*expr) > width => exprs.extract(*expr, 0, width),
        Value::Symbolic(expr) => exprs.zext(*expr, width),
        value => exprs.constant(value.as_concrete().unwrap_or(0) & crate::value::mask(width), width),
    };
    let (one, other) = (expr(one), expr(other));
    exprs.compare(CompareOp::Ne, one, other)
}

/// Compares exit statuses.
pub(super) fn status(session: &mut Session, (one, other): (&State, &State), comparison: &mut Comparison<'_>) {
    let (Some(one), Some(other)) = (&one.exiting, &other.exiting) else { return };
    let differs = values_differ(&mut session.exprs, &one.status, &other.status, Some(8));
    if session.exprs.as_constant(differs) == Some(0) {
        return;
    }
    let mut value = |value: &Value| {
        let bits = crate::finish::evaluate(&session.exprs, &mut session.solver, value, comparison.model);
        InputValue::Signed((bits & 0xff) as i128)
    };
    let (leading, following) = (value(&one.status), value(&other.status));
    let (name, differs) = (String::new(), Condition(differs));
    comparison.found.leaves.push(Leaf {
        name,
        seen: Seen::Status,
        differs,
        plainly: differs,
        leading,
        following,
    });
}
