//! Pointers are compared by what they point to.
//!
//! Objects without names, those on the heap, stand for each other where a pointer that both programs leave behind leads
//! to them. Where a pointer is a choice (an element of a table at an index that is an input), which objects do depends
//! on the inputs: each pair has the condition under which it is one, and under that condition alone are the objects
//! compared and no others allowed in their place.

use super::super::Side;
use super::{Comparison, Identity, NamelessPair, Typed};
use incise_exec::Session;
use incise_exec::inside::{AddressTarget, Memory, ObjectKind, Slot, State, Value};
use incise_ir::DebugTypeId;
use incise_solver::{Answer, CompareOp, ExprId, Exprs};
use rustc_hash::FxHashMap;

/// A pointer that is a choice between more objects than this is not compared.
const MOST_TARGETS: usize = 16;

/// Which objects without names stand for each other, and when: for any input, none for two others.
#[derive(Default)]
pub(super) struct Pairing {
    forth: FxHashMap<Slot, Vec<(Slot, ExprId)>>,
    back: FxHashMap<Slot, Vec<(Slot, ExprId)>>,
}

impl Pairing {
    /// Two objects stand for each other under a further condition.
    fn add(&mut self, exprs: &mut Exprs, one: Slot, other: Slot, when: ExprId) {
        for (map, from, to) in [(&mut self.forth, one, other), (&mut self.back, other, one)] {
            let known = map.entry(from).or_default();
            match known.iter_mut().find(|(slot, _)| *slot == to) {
                Some((_, before)) => *before = exprs.or(*before, when),
                None => known.push((to, when)),
            }
        }
    }

    /// When two objects are known to stand for each other.
    fn known(&self, one: Slot, other: Slot) -> Option<ExprId> {
        self.forth.get(&one)?.iter().find(|(slot, _)| *slot == other).map(|&(_, when)| when)
    }

    /// When another object stands for one of the two.
    fn taken(&self, exprs: &mut Exprs, one: Slot, other: Slot) -> ExprId {
        let forth = self.forth.get(&one).into_iter().flatten().filter(|(slot, _)| *slot != other);
        let back = self.back.get(&other).into_iter().flatten().filter(|(slot, _)| *slot != one);
        let mut taken = exprs.boolean(false);
        for &(_, when) in forth.chain(back) {
            taken = exprs.or(taken, when);
        }
        taken
    }
}

/// When two pointers point to different things; `None` if that cannot be told.
pub(super) fn pointers_differ(
    session: &mut Session,
    sides: (&Side<'_>, &Side<'_>),
    states: (&State, &State),
    (one, other): (ExprId, ExprId),
    comparison: &mut Comparison<'_>,
    (name, target, their_target): (&str, Option<DebugTypeId>, Option<DebugTypeId>),
) -> Option<ExprId> {
    let ones = cases(&mut session.exprs, one).or_else(|| values(session, comparison, one))?;
    let others = cases(&mut session.exprs, other).or_else(|| values(session, comparison, other))?;
    let mut differs = session.exprs.boolean(false);
    for &(guard, base, offset) in &ones {
        for &(other_guard, other_base, other_offset) in &others {
            let exprs = &mut session.exprs;
            let both = exprs.and(guard, other_guard);
            let both = exprs.and(comparison.reached, both);
            if exprs.as_constant(both) == Some(0) {
                continue;
            }
            let (mine, my_offset) = identity(sides.0, states.0, base);
            let (theirs, their_offset) = identity(sides.1, states.1, other_base);
            let elsewhere = match (&mine, &theirs) {
                (&Identity::Nameless(one), &Identity::Nameless(other)) => {
                    let types = ((target, one), (their_target, other));
                    nameless_differ(session, comparison, name, types, both)
                }
                (Identity::Nothing, Identity::Nothing) => session.exprs.boolean(base != other_base),
                (mine, theirs) => session.exprs.boolean(mine != theirs),
            };
            let exprs = &mut session.exprs;
            let shift =
                exprs.constant(my_offset.wrapping_sub(their_offset) as u128 & u128::from(u64::MAX), 64);
            let offset = exprs.add(offset, shift);
            let shifted = exprs.compare(CompareOp::Ne, offset, other_offset);
            let here = exprs.or(elsewhere, shifted);
            let here = exprs.and(both, here);
            differs = exprs.or(differs, here);
        }
    }
    Some(differs)
}

/// When objects without names to which pointers of one name lead do not stand for each other. Unless they are known to,
/// they do from now on, and are compared.
fn nameless_differ(
    session: &mut Session,
    comparison: &mut Comparison<'_>,
    name: &str,
    (one, other): (Typed, Typed),
    both: ExprId,
) -> ExprId {
    let taken = comparison.pairing.taken(&mut session.exprs, one.1, other.1);
    let known = comparison.pairing.known(one.1, other.1);
    if !known.is_some_and(|known| is_within(session, comparison, both, known)) {
        comparison.pairing.add(&mut session.exprs, one.1, other.1, both);
        let waits = |pair: &&mut NamelessPair| pair.one == one && pair.other == other;
        match comparison.work.iter_mut().find(|pair| known.is_some() && waits(pair)) {
            Some(pair) => pair.when = session.exprs.or(pair.when, both),
            None => {
                let name = format!("*{}", if name.is_empty() { "result" } else { name });
                comparison.work.push(NamelessPair { name, one, other, when: both });
            }
        }
    }
    taken
}

/// Whether a condition holds wherever another one does, on both paths.
fn is_within(session: &mut Session, comparison: &Comparison<'_>, narrow: ExprId, wide: ExprId) -> bool {
    let not_wide = session.exprs.not(wide);
    let beyond = session.exprs.and(narrow, not_wide);
    if narrow == wide || session.exprs.as_constant(beyond) == Some(0) {
        return true;
    }
    let (conditions, model) = (&comparison.conditions, comparison.model);
    matches!(session.solver.check(&mut session.exprs, conditions, beyond, model), Answer::Unsat)
}

/// The addresses that a pointer can be which does not show its objects, as an element of a table: when, and the
/// address. The solver is asked for one after the other.
fn values(
    session: &mut Session,
    comparison: &Comparison<'_>,
    pointer: ExprId,
) -> Option<Vec<(ExprId, u64, ExprId)>> {
    let mut found = Vec::new();
    let mut others = comparison.conditions.clone();
    let mut model = comparison.model.clone();
    let zero = session.exprs.constant(0, 64);
    loop {
        if found.len() >= MOST_TARGETS {
            return None;
        }
        let address = session.solver.evaluate(&session.exprs, pointer, &model);
        let value = session.exprs.constant(address, 64);
        let guard = session.exprs.eq(pointer, value);
        found.push((guard, address as u64, zero));
        let another = session.exprs.not(guard);
        match session.solver.check(&mut session.exprs, &others, another, &model) {
            Answer::Sat(next) => model = next,
            Answer::Unsat => return Some(found),
            Answer::Unknown(_) => return None,
        }
        others.push(&session.exprs, another);
    }
}

/// The objects that a pointer can point to: when, the address, and the offset from there.
pub(super) fn cases(exprs: &mut Exprs, pointer: ExprId) -> Option<Vec<(ExprId, u64, ExprId)>> {
    let always = exprs.boolean(true);
    let mut work = vec![(always, pointer)];
    let mut found = Vec::new();
    while let Some((guard, expr)) = work.pop() {
        if found.len() + work.len() >= MOST_TARGETS {
            return None;
        }
        if let Some(address) = exprs.as_constant(expr) {
            let zero = exprs.constant(0, 64);
            found.push((guard, address as u64, zero));
        } else if let Some((base, offset)) = exprs.split_base(expr) {
            found.push((guard, base, offset));
        } else {
            let (condition, then, other) = exprs.split_ite(expr)?;
            let negated = exprs.not(condition);
            let (then_guard, other_guard) = (exprs.and(guard, condition), exprs.and(guard, negated));
            work.push((other_guard, other));
            work.push((then_guard, then));
        }
    }
    Some(found)
}

/// What is at an address, and how far into it the address is.
pub(super) fn identity(side: &Side<'_>, state: &State, address: u64) -> (Identity, i64) {
    let machine = &side.machine;
    if let Some(function) = Memory::function_at(address, machine.function_count()) {
        return (Identity::Function(machine.program.functions[function].name.clone()), 0);
    }
    match state.memory.target(address) {
        AddressTarget::Null => (Identity::Null, address as i64),
        AddressTarget::Nothing => (Identity::Nothing, 0),
        // An input that was freed is still the same one.
        AddressTarget::Dead(info) if info.kind == ObjectKind::Input => {
            let start = state.memory.base_of(address).unwrap_or(address);
            (Identity::Input(info.name.clone()), address.wrapping_sub(start) as i64)
        }
        AddressTarget::Dead(_) => (Identity::Nothing, 0),
        AddressTarget::Live(slot, object, offset) => {
            if object.info.kind == ObjectKind::Global
                && let Some(index) = machine.decider.constants.globals.iter().position(|&known| known == slot)
            {
                let (_, global) = machine.program.globals.iter().nth(index).unwrap_or_else(|| unreachable!());
                if global.constant && global.source_name.is_none() {
                    let bytes = (0..object.size).filter_map(|at| object.read_word(at, 1));
                    return (Identity::Literal(bytes.map(|byte| byte as u8).collect()), offset);
                }
                return (Identity::Global(global.name.clone()), offset);
            }
            if matches!(object.info.kind, ObjectKind::Callback | ObjectKind::BeyondDepth) {
                return (Identity::Unknown(object.info.name.clone()), offset);
            }
            let input = state.inputs.iter_newest_first().find(|input| input.slot == Some(slot));
            match input {
                Some(input) => (Identity::Input(input.name.clone()), offset),
                None => (Identity::Nameless(slot), offset),
            }
        }
    }
}

/// A concrete address of an object or a function.
pub(super) fn address(side: &Side<'_>, state: &State, value: &Value) -> Option<u64> {
    let Value::Word(word) = value else { return None };
    let function = Memory::function_at(*word, side.machine.function_count()).is_some();
    (function || matches!(state.memory.target(*word), AddressTarget::Live(..))).then_some(*word)
}
