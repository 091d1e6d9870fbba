//! Objects on the heap that stand for each other, and may have other sizes: what only the following program has,
//! because the object of the leading one ends before, is a difference where the following program put something there.
//! Whoever gets the object may read it.

use super::{Comparison, Leaf, Thing};
use crate::{Relation, Side};
use incise_exec::inside::{Byte, PartKind, Shape, ShapePart, State, expression, fitted, name_of, parts};
use incise_exec::{Condition, InputValue, Session};

/// What is told of a part that is not there.
const BEYOND: &str = "beyond the end of the object";

/// An object, and the shape of one of its elements.
pub(super) struct Allocated {
    pub(super) thing: Thing,
    pub(super) element: Shape,
}

impl Allocated {
    /// Gives two objects shapes whose parts have the same names: both have as many elements as the larger one. Parts
    /// beyond the end of an object are not there (`parts_there`).
    pub(super) fn level(&mut self, other: &mut Self) {
        let larger = self.thing.bytes.len().max(other.thing.bytes.len()) as u64;
        for each in [self, other] {
            each.thing.shape = of_elements(&each.element, larger);
        }
    }
}

/// The shape of an object of so many bytes.
pub(super) fn of_elements(element: &Shape, bytes: u64) -> Shape {
    match element {
        Shape::Bytes(_) => Shape::Bytes(bytes),
        element => fitted(element.clone(), bytes),
    }
}

/// The parts of a thing that are there.
pub(super) fn parts_there(thing: &Thing) -> Vec<ShapePart> {
    let mut found = parts(&thing.name, &thing.shape);
    found.retain(|part| is_there(thing, part));
    found
}

fn is_there(thing: &Thing, part: &ShapePart) -> bool {
    part.bytes().end <= thing.bytes.len()
}

impl Relation<'_> {
    /// What the following program left beyond the end of the leading one's object. Where their elements have another
    /// size, their types tell no more than that.
    pub(super) fn beyond(
        &self,
        session: &mut Session,
        following: &State,
        (one, other): (&Allocated, &Allocated),
        comparison: &mut Comparison<'_>,
    ) {
        let ends_before = one.thing.bytes.len() < other.thing.bytes.len();
        if !ends_before || one.element.size() != other.element.size() {
            return;
        }
        for part in parts(&other.thing.name, &other.thing.shape) {
            let written = |bytes: &[Byte]| !bytes.iter().any(|byte| matches!(byte, Byte::Uninitialised));
            let is_left = other.thing.bytes.get(part.bytes()).is_some_and(written);
            if !is_left || is_there(&one.thing, &part) {
                continue;
            }
            let Some(expr) = expression(&mut session.exprs, &other.thing.bytes, &part) else { continue };
            comparison.found.unmatched.remove(&part.name);
            comparison.found.one_sided.remove(&part.name);
            let bits = session.solver.evaluate(&session.exprs, expr, comparison.model);
            let differs = Condition(comparison.reached);
            comparison.found.leaves.push(Leaf {
                name: part.name.clone(),
                seen: one.thing.seen,
                differs,
                plainly: differs,
                leading: InputValue::Enumerator(Some(BEYOND.to_owned()), 0),
                following: value_of(&self.following, following, &part, bits),
            });
        }
    }
}

/// The value of a part as the source sees it.
pub(super) fn value_of(side: &Side<'_>, state: &State, part: &ShapePart, bits: u128) -> InputValue {
    match &part.kind {
        PartKind::Number(kind) => kind.value(part.bits, bits),
        PartKind::Pointer { .. } if bits == 0 => InputValue::Pointer(None),
        PartKind::Pointer { .. } => {
            InputValue::Pointer(Some(name_of(side.machine.program, state, bits as u64)))
        }
    }
}
