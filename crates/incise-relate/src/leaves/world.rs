//! What paths tell the rest of the world: output and the exit status.

use super::super::Side;
use super::{Comparison, Leaf, Seen};
use incise_exec::inside::{OutputPiece, ScalarKind, Shape, State, Value};
use incise_exec::{Condition, InputValue, Session};
use incise_ir::Type;
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
                incise_exec::inside::render(piece, &mut text, &mut |value| {
                    incise_exec::inside::evaluate(exprs, solver, value, comparison.model)
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
    // Wide enough for both, should their types have changed.
    let needed = |value: &Value| match value {
        Value::Symbolic(expr) => exprs.width(*expr),
        value => u128::BITS - value.as_concrete().unwrap_or(0).leading_zeros(),
    };
    let width = width.unwrap_or_else(|| needed(one).max(needed(other)).max(1));
    let (one, other) = (fitting(exprs, one, width), fitting(exprs, other, width));
    exprs.compare(CompareOp::Ne, one, other)
}

/// An integer argument as a function declares it: its width, and whether it is signed if that is known.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct IntegerType {
    pub(super) width: u32,
    signed: Option<bool>,
    /// Whether the function has a body.
    defined: bool,
}

/// When two integers of different widths differ, as numbers. Of a function without a body nothing is known of signs: it
/// is enough if one argument is what C may make of the other. Where calls of a function stand for what it does, that
/// would be no proof.
pub(super) fn converted_differ(
    exprs: &mut Exprs,
    (one, mine): (&Value, IntegerType),
    (other, theirs): (&Value, IntegerType),
) -> ExprId {
    let ((narrow, ty), (wide, wide_ty)) = match mine.width < theirs.width {
        true => ((one, mine), (other, theirs)),
        false => ((other, theirs), (one, mine)),
    };
    let (narrow, wide) = (fitting(exprs, narrow, ty.width), fitting(exprs, wide, wide_ty.width));
    let (signed, unsigned) = (exprs.sext(narrow, wide_ty.width), exprs.zext(narrow, wide_ty.width));
    let as_signed = exprs.compare(CompareOp::Ne, signed, wide);
    let as_unsigned = exprs.compare(CompareOp::Ne, unsigned, wide);
    match ty.signed {
        Some(true) => as_signed,
        Some(false) => as_unsigned,
        None if ty.defined || wide_ty.defined => exprs.or(as_signed, as_unsigned),
        None => exprs.and(as_signed, as_unsigned),
    }
}

/// A scalar as an expression of that width.
fn fitting(exprs: &mut Exprs, value: &Value, width: u32) -> ExprId {
    match value {
        Value::Symbolic(expr) if exprs.width(*expr) > width => exprs.extract(*expr, 0, width),
        Value::Symbolic(expr) => exprs.zext(*expr, width),
        value => exprs.constant(value.as_concrete().unwrap_or(0) & incise_exec::inside::mask(width), width),
    }
}

/// Compares exit statuses.
pub(super) fn status(session: &mut Session, (one, other): (&State, &State), comparison: &mut Comparison<'_>) {
    let (Some(one), Some(other)) = (&one.exiting, &other.exiting) else { return };
    let differs = values_differ(&mut session.exprs, &one.status, &other.status, Some(8));
    if session.exprs.as_constant(differs) == Some(0) {
        return;
    }
    let mut value = |value: &Value| {
        let bits =
            incise_exec::inside::evaluate(&session.exprs, &mut session.solver, value, comparison.model);
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

impl Side<'_> {
    /// How an argument of a function is declared, if it is an integer.
    pub(super) fn argument_type(&self, function: &str, index: usize) -> Option<IntegerType> {
        let program = self.machine.program;
        let function = &program.functions[program.function_named(function)?];
        let Type::Integer(width) = program.types.get(function.parameters.get(index)?.ty) else { return None };
        // The source tells of each parameter only where none is passed in parts or by address.
        let plain = function.parameters.len() + 1 == function.debug_signature.len();
        let declared = function.debug_signature.get(index + 1).copied().flatten().filter(|_| plain);
        let signed = match declared.and_then(|ty| Shape::of_debug_type(program, ty)) {
            Some(Shape::Scalar { bits, kind }) if bits == *width => match kind {
                ScalarKind::Signed | ScalarKind::Character => Some(true),
                ScalarKind::Enumeration { signed, .. } => Some(signed),
                ScalarKind::Unsigned | ScalarKind::Boolean => Some(false),
                ScalarKind::Float(_) => None,
            },
            _ => None,
        };
        Some(IntegerType { width: *width, signed, defined: function.is_definition() })
    }
}
