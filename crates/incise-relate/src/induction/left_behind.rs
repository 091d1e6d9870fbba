//! Objects that a turn of a loop came by and left behind: what an unknown function returned a pointer to, and nothing
//! leads to any more when the next turn begins.
//!
//! They belong to somebody else, who sees what was written to them: so they are forgotten only if both programs left
//! the same in them. That nothing leads to them is looked for in all registers and objects. If a function gives
//! one back in another turn, it is an object with any contents, the same in both programs: that covers what was left.

use super::places::frames;
use super::values::{Ask, Fresh};
use incise_exec::Session;
use incise_exec::inside::{AddressTarget, ObjectKind, Slot, State, Value, addresses_in, bases};
use incise_solver::Exprs;
use std::collections::{BTreeMap, BTreeSet};

/// Forgets the objects that inputs brought along from these slots on, unless something leads to one, or the programs
/// left something else in it.
pub(super) fn leave_behind(
    session: &mut Session,
    fresh: &mut Fresh,
    states: &mut [Box<State>; 2],
    since: [Slot; 2],
) {
    let found = [0, 1].map(|who| brought(&states[who], since[who]));
    if found.iter().all(BTreeSet::is_empty) {
        return;
    }
    let (constraints, model) = (states[1].constraints.clone(), states[1].model.clone());
    for who in [0, 1] {
        if is_reached(&mut session.exprs, &states[who], &found[who]) {
            return;
        }
    }
    let named = [0, 1].map(|who| by_name(&states[who], &found[who]));
    if named[0].keys().ne(named[1].keys()) {
        return;
    }
    let mut ask = Ask { session, constraints: &constraints, model: &model, fresh };
    for (one, other) in named[0].values().zip(named[1].values()) {
        let (Some(one), Some(other)) = (states[0].memory.object(*one), states[1].memory.object(*other))
        else {
            return;
        };
        // What is written to arrays without an end is compared with each write.
        let endless = one.is_endless() && other.is_endless();
        if !endless && (one.is_endless() || other.is_endless() || !ask.same_contents(one, other)) {
            return;
        }
    }
    for (state, found) in states.iter_mut().zip(&found) {
        state.leave_behind(found);
    }
}

/// The live objects that inputs brought along.
fn brought(state: &State, since: Slot) -> BTreeSet<Slot> {
    let is_input = |slot: &Slot| {
        let kind = state.memory.object(*slot).map(|object| object.info.kind);
        matches!(kind, Some(ObjectKind::Input | ObjectKind::BeyondDepth | ObjectKind::Callback))
    };
    (since..state.memory.slots()).filter(is_input).collect()
}

/// The objects among them that are inputs, by name.
fn by_name(state: &State, found: &BTreeSet<Slot>) -> BTreeMap<String, Slot> {
    let inputs = state.inputs.to_vec().into_iter();
    let slots = inputs.filter_map(|input| Some((input.name.clone(), input.slot?)));
    slots.filter(|(_, slot)| found.contains(slot)).collect()
}

/// Whether something of the program leads to one of these objects, other than they themselves.
fn is_reached(exprs: &mut Exprs, state: &State, found: &BTreeSet<Slot>) -> bool {
    let leads = |address: u64| match state.memory.target(address) {
        AddressTarget::Live(slot, ..) => found.contains(&slot),
        _ => false,
    };
    if frames(state).iter().any(|frame| frame.variable_arguments.is_some()) {
        return true;
    }
    let mut values: Vec<&Value> = frames(state).into_iter().flat_map(|frame| &frame.registers).collect();
    while let Some(value) = values.pop() {
        let reaches = match value {
            Value::Word(address) => leads(*address),
            Value::Symbolic(expr) => bases(exprs, *expr).into_iter().any(leads),
            Value::Aggregate(elements) => {
                values.extend(elements.iter());
                false
            }
            Value::Wide(_) | Value::Undefined => false,
        };
        if reaches {
            return true;
        }
    }
    let others = state.memory.live().filter(|(slot, _)| !found.contains(slot));
    others.into_iter().any(|(_, object)| addresses_in(exprs, object).into_iter().any(leads))
}
