//! What two programs did to arrays without an end since their last meeting.

use super::{Fault, Prover};
use crate::ring;
use incise_exec::Session;
use incise_exec::inside::{State, Touch, Value};
use incise_solver::{Answer, CompareOp, ExprId};

/// So many elements may be read earlier than in the other program.
const MOST_AHEAD: usize = 4;

impl Prover<'_, '_> {
    /// Both programs must have made the same writes to arrays without an end, and the leading one must not have touched
    /// what the other one did not. What it only read earlier than the other one, if that is little: the other one has
    /// to touch it in the next turn.
    pub(super) fn touched(
        &self,
        session: &mut Session,
        leading: &State,
        following: &State,
    ) -> Result<Vec<Touch>, Fault> {
        let (ones, others) = (leading.touched.to_vec(), following.touched.to_vec());
        let mut same = |one: &Value, other: &Value, width: u32| {
            one.is_same(other) || never_differ(session, following, one, other, width)
        };
        let writes = |touches: &[&Touch]| -> Vec<Touch> {
            touches.iter().filter(|touch| touch.written.is_some()).map(|&touch| touch.clone()).collect()
        };
        let (mine, theirs) = (writes(&ones), writes(&others));
        let mut alike = mine.len() == theirs.len();
        for (one, other) in mine.iter().zip(&theirs) {
            alike = alike
                && one.input == other.input
                && one.bytes == other.bytes
                && same(&one.offset, &other.offset, 64)
                && match (&one.written, &other.written) {
                    (Some(one_value), Some(other_value)) => same(one_value, other_value, one.bytes * 8),
                    _ => false,
                };
        }
        if !alike {
            return Err(Fault::Open("arrays are not written alike".into()));
        }
        let mut ahead = Vec::new();
        for one in &ones {
            let near = |other: &&&Touch| one.input == other.input && one.bytes <= other.bytes;
            let known = others.iter().filter(near).any(|other| one.offset.is_same(&other.offset))
                || others.iter().filter(near).take(8).any(|other| no_further(session, following, one, other));
            if !known && (one.written.is_some() || !self.has_room(session, following, one)) {
                ahead.push((*one).clone());
            }
        }
        let most = if self.widely { MOST_AHEAD } else { 0 };
        if ahead.len() > most || ahead.iter().any(|touch| touch.written.is_some()) {
            let input = &ahead[0].input;
            return Err(Fault::Open(format!("the new version touches other elements of {input}")));
        }
        Ok(ahead)
    }

    /// Whether inputs as they are taken have what an access touches, wherever a state can be.
    fn has_room(&self, session: &mut Session, state: &State, touch: &Touch) -> bool {
        let rooms = &self.relation.leading.machine.decider.made.rooms;
        let mut rooms = rooms.iter().filter(|(input, _)| *input == touch.input).map(|&(_, bytes)| bytes);
        rooms.any(|room| {
            let Some(offset) = expression(session, &touch.offset, 64) else { return false };
            let bytes = session.exprs.constant(u128::from(touch.bytes), 64);
            let zero = session.exprs.constant(0, 64);
            let before = session.exprs.compare(CompareOp::Slt, offset, zero);
            let left = session.exprs.sub(room, offset);
            let behind = session.exprs.compare(CompareOp::Slt, left, bytes);
            let outside = session.exprs.or(before, behind);
            never(session, state, outside)
        })
    }
}

/// A value as an expression, if it is a number.
fn expression(session: &mut Session, value: &Value, width: u32) -> Option<ExprId> {
    match value {
        Value::Symbolic(expr) => Some(*expr),
        other => Some(session.exprs.constant(other.as_concrete()?, width)),
    }
}

/// Whether a condition holds nowhere where a state can be.
fn never(session: &mut Session, state: &State, condition: ExprId) -> bool {
    match session.exprs.as_constant(condition) {
        Some(bits) => bits == 0,
        None => {
            let answer =
                session.solver.check(&mut session.exprs, &state.constraints, condition, &state.model);
            matches!(answer, Answer::Unsat)
        }
    }
}

/// Whether an access is not behind another one, wherever a state can be: what begins at the start of an object and was
/// reached is there whole.
fn no_further(session: &mut Session, state: &State, one: &Touch, other: &Touch) -> bool {
    let [mine, theirs] = [one, other].map(|touch| expression(session, &touch.offset, 64));
    let (Some(mine), Some(theirs)) = (mine, theirs) else { return false };
    // What comes before where a pointer leads tells nothing of what is behind.
    let zero = session.exprs.constant(0, 64);
    let before = session.exprs.compare(CompareOp::Slt, theirs, zero);
    let behind = session.exprs.compare(CompareOp::Ugt, mine, theirs);
    let unlike = session.exprs.compare(CompareOp::Ne, mine, theirs);
    let either = session.exprs.or(before, behind);
    let further = session.exprs.and(unlike, either);
    never(session, state, further)
}

/// Whether two values are the same wherever a state can be.
fn never_differ(session: &mut Session, state: &State, one: &Value, other: &Value, width: u32) -> bool {
    let [one, other] = [one, other].map(|value| expression(session, value, width));
    let (Some(one), Some(other)) = (one, other) else { return false };
    if session.exprs.width(one) != session.exprs.width(other) {
        return false;
    }
    if ring::same(&session.exprs, one, other) {
        return true;
    }
    let differ = session.exprs.compare(CompareOp::Ne, one, other);
    never(session, state, differ)
}
