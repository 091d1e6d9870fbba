//! The files that both paths of a pair leave behind, compared: which there are, and what is in them.

use super::super::{Ended, Relation, Side};
use super::{Comparison, Leaf, Seen};
use incise_exec::inside::{Byte, File, Value, latin1};
use incise_exec::{Condition, InputValue, Session};
use incise_solver::{CompareOp, ExprId, Exprs, Model};
use std::collections::{BTreeMap, BTreeSet};

/// What a file is known by in both programs: its name, or its number among those whose names depend on inputs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Name(Vec<u8>),
    Number(usize),
}

/// The files by what they are known by.
fn by_key(files: Vec<File>) -> BTreeMap<Key, File> {
    let mut unnamed = 0;
    let mut found = BTreeMap::new();
    for file in files {
        let name: Option<Vec<u8>> = file.name.iter().map(|byte| Some(byte.as_concrete()? as u8)).collect();
        let key = name.map_or(Key::Number(unnamed), Key::Name);
        unnamed += usize::from(matches!(key, Key::Number(_)));
        found.insert(key, file);
    }
    found
}

impl Relation<'_> {
    /// Compares the files that one of the programs changed.
    pub(super) fn files(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        comparison: &mut Comparison<'_>,
    ) {
        let ones = self.leading.lend(session, |machine| machine.decider.inputs().files(&mut leading.state));
        let others =
            self.following.lend(session, |machine| machine.decider.inputs().files(&mut following.state));
        let (Some(ones), Some(others)) = (ones, others) else {
            comparison.found.unsure.insert("the files that are left behind".into());
            return;
        };
        let (ones, others) = (by_key(ones), by_key(others));
        let keys: BTreeSet<Key> = ones.keys().chain(others.keys()).cloned().collect();
        for key in keys {
            let (one, other) = (ones.get(&key), others.get(&key));
            if ![one, other].iter().flatten().any(|file| file.changed) {
                continue;
            }
            let differs = differ(&mut session.exprs, one, other);
            if session.exprs.as_constant(differs) == Some(0) {
                continue;
            }
            let name = [one, other].into_iter().flatten().next().map(|file| {
                self.leading
                    .lend(session, |machine| machine.decider.inputs().file_name(&file.name, comparison.model))
            });
            let leading = content(&mut self.leading, session, one, comparison.model);
            let following = content(&mut self.following, session, other, comparison.model);
            comparison.found.leaves.push(Leaf {
                name: latin1(&name.unwrap_or_default()),
                seen: Seen::File,
                differs: Condition(differs),
                plainly: Condition(differs),
                leading,
                following,
            });
        }
    }
}

/// What is in a file; null if it does not exist.
fn content(side: &mut Side<'_>, session: &mut Session, file: Option<&File>, model: &Model) -> InputValue {
    let Some((size, file)) = file.and_then(|file| Some((file.size.as_ref()?, file))) else {
        return InputValue::Pointer(None);
    };
    side.lend(session, |machine| {
        let size =
            incise_exec::inside::evaluate(&machine.decider.exprs, &mut machine.decider.solver, size, model)
                as usize;
        let mut text = Vec::new();
        for byte in file.content.iter().take(size) {
            text.push(match *byte {
                Byte::Concrete(byte) => byte,
                Byte::Part { expr, byte } => {
                    (machine.decider.solver.evaluate(&machine.decider.exprs, expr, model)
                        >> (8 * u32::from(byte))) as u8
                }
                Byte::Uninitialised => 0,
            });
        }
        InputValue::Text(text)
    })
}

/// When two files differ.
fn differ(exprs: &mut Exprs, one: Option<&File>, other: Option<&File>) -> ExprId {
    let size = |file: Option<&File>| file.and_then(|file| file.size.clone());
    let (Some(one_size), Some(other_size)) = (size(one), size(other)) else {
        return exprs.boolean(size(one).is_some() != size(other).is_some());
    };
    let (Some(one), Some(other)) = (one, other) else { return exprs.boolean(false) };
    let (mine, theirs) = (word(exprs, &one_size), word(exprs, &other_size));
    let mut differs = differ_in_content(exprs, (mine, &one.content), (theirs, &other.content));
    for (mine, theirs) in one.name.iter().zip(&other.name) {
        let (first, second) = (narrow(exprs, mine), narrow(exprs, theirs));
        let here = exprs.compare(CompareOp::Ne, first, second);
        differs = exprs.or(differs, here);
    }
    differs
}

/// When two files of these sizes differ in what is in them.
pub(super) fn differ_in_content(
    exprs: &mut Exprs,
    (size, one): (ExprId, &[Byte]),
    (other_size, other): (ExprId, &[Byte]),
) -> ExprId {
    let mut differs = exprs.compare(CompareOp::Ne, size, other_size);
    for (index, (mine, theirs)) in one.iter().zip(other).enumerate() {
        let (first, second) = (byte(exprs, *mine), byte(exprs, *theirs));
        let unlike = exprs.compare(CompareOp::Ne, first, second);
        // Behind the end there is nothing to compare.
        let place = exprs.constant(index as u128, 64);
        let within = exprs.compare(CompareOp::Ult, place, size);
        let here = exprs.and(unlike, within);
        differs = exprs.or(differs, here);
    }
    differs
}

pub(super) fn word(exprs: &mut Exprs, value: &Value) -> ExprId {
    match value {
        Value::Symbolic(expr) => *expr,
        value => exprs.constant(value.as_concrete().unwrap_or(0), 64),
    }
}

fn narrow(exprs: &mut Exprs, value: &Value) -> ExprId {
    match value {
        Value::Symbolic(expr) => *expr,
        value => exprs.constant(value.as_concrete().unwrap_or(0), 8),
    }
}

pub(super) fn byte(exprs: &mut Exprs, byte: Byte) -> ExprId {
    match byte {
        Byte::Concrete(byte) => exprs.constant(byte.into(), 8),
        Byte::Part { expr, byte } => exprs.extract(expr, u32::from(byte) * 8, 8),
        Byte::Uninitialised => exprs.constant(0, 8),
    }
}
