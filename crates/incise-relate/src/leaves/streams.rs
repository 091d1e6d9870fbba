//! The streams among the inputs as both paths of a pair leave them, compared: what is in their files, where they stand,
//! whether they are closed.

use super::super::{Ended, Relation};
use super::files::{byte, differ_in_content, word};
use super::{Comparison, Leaf, Seen};
use incise_exec::inside::{Byte, LeftStream, OpenStream};
use incise_exec::{Condition, InputValue, Outcome, Session};
use incise_solver::{CompareOp, ExprId};

impl Relation<'_> {
    /// Compares the streams among the inputs.
    pub(super) fn streams(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        comparison: &mut Comparison<'_>,
    ) {
        let ones =
            self.leading.lend(session, |machine| machine.decider.inputs().left_streams(&mut leading.state));
        let others = self
            .following
            .lend(session, |machine| machine.decider.inputs().left_streams(&mut following.state));
        let (Some(ones), Some(others)) = (ones, others) else {
            comparison.found.unsure.insert("the streams that are left behind".into());
            return;
        };
        // Nobody goes on with the streams of a program that has ended.
        let goes_on = leading.outcome == Outcome::Returned && following.outcome == Outcome::Returned;
        for other in others.iter().filter(|other| !ones.iter().any(|one| one.path == other.path)) {
            comparison.found.unmatched.insert(other.path.clone());
        }
        for one in ones {
            let Some(other) = others.iter().find(|other| other.path == one.path) else {
                comparison.found.unmatched.insert(one.path);
                continue;
            };
            self.contents(session, (leading, following), (&one, other), comparison);
            if !goes_on {
                continue;
            }
            match (&one.open, &other.open) {
                (Some(mine), Some(theirs)) => stands(session, &one.path, (mine, theirs), comparison),
                (None, None) => {}
                (mine, _) => {
                    let certain = Condition(session.exprs.boolean(true));
                    let closed = InputValue::Boolean;
                    let sides = (closed(mine.is_none()), closed(mine.is_some()));
                    leaf(format!("closed({})", one.path), Seen::Memory, certain, sides, comparison);
                }
            }
        }
    }

    /// Compares what is in the files of two streams. One that was not written is as it was.
    fn contents(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        (one, other): (&LeftStream, &LeftStream),
        comparison: &mut Comparison<'_>,
    ) {
        if one.written.is_none() && other.written.is_none() {
            return;
        }
        let mine =
            self.leading.lend(session, |machine| machine.decider.inputs().stream_bytes(&leading.state, one));
        let theirs = self
            .following
            .lend(session, |machine| machine.decider.inputs().stream_bytes(&following.state, other));
        let ((mine_size, mine), (their_size, theirs)) = (mine, theirs);
        let exprs = &mut session.exprs;
        let (mine_size, their_size) = (word(exprs, &mine_size), word(exprs, &their_size));
        let differs = differ_in_content(exprs, (mine_size, &mine), (their_size, &theirs));
        if exprs.as_constant(differs) == Some(0) {
            return;
        }
        let model = comparison.model;
        let text = |session: &mut Session, size: ExprId, content: &[Byte]| {
            let size = session.solver.evaluate(&session.exprs, size, model) as usize;
            let mut text = Vec::new();
            for each in content.iter().take(size) {
                let each = byte(&mut session.exprs, *each);
                text.push(session.solver.evaluate(&session.exprs, each, model) as u8);
            }
            InputValue::Text(text)
        };
        let sides = (text(session, mine_size, &mine), text(session, their_size, &theirs));
        leaf(one.path.clone(), Seen::File, Condition(differs), sides, comparison);
    }
}

/// Compares where two open streams stand.
fn stands(
    session: &mut Session,
    path: &str,
    (one, other): (&OpenStream, &OpenStream),
    comparison: &mut Comparison<'_>,
) {
    let numbers = [
        ("ftell", one.position, other.position),
        ("feof", one.flags[0], other.flags[0]),
        ("ferror", one.flags[1], other.flags[1]),
    ];
    for (function, mine, theirs) in numbers {
        let differs = session.exprs.compare(CompareOp::Ne, mine, theirs);
        if session.exprs.as_constant(differs) == Some(0) {
            continue;
        }
        let mut value = |expr: ExprId| match session.solver.evaluate(&session.exprs, expr, comparison.model) {
            bits if session.exprs.width(expr) == 1 => InputValue::Boolean(bits != 0),
            bits => InputValue::Signed((bits as i64).into()),
        };
        let sides = (value(mine), value(theirs));
        leaf(format!("{function}({path})"), Seen::Memory, Condition(differs), sides, comparison);
    }
    // What was pushed back is read before what is in the file, and a native run does not show it.
    let same = one.pushed.len() == other.pushed.len()
        && one.pushed.iter().zip(&other.pushed).all(|(mine, theirs)| {
            let (mine, theirs) = (byte(&mut session.exprs, *mine), byte(&mut session.exprs, *theirs));
            let differs = session.exprs.compare(CompareOp::Ne, mine, theirs);
            session.exprs.as_constant(differs) == Some(0)
        });
    if !same {
        comparison.found.unsure.insert(format!("what was pushed back to {path}"));
    }
}

fn leaf(
    name: String,
    seen: Seen,
    differs: Condition,
    (leading, following): (InputValue, InputValue),
    comparison: &mut Comparison<'_>,
) {
    let plainly = differs;
    comparison.found.leaves.push(Leaf { name, seen, differs, plainly, leading, following });
}
