//! Arrays without an end: for proofs that do not depend on how many elements an input has.
//!
//! In a proof by induction over the turns of loops, an array that a pointer input leads to has no bytes. What is read
//! there is a value that nobody knows, the same for the same array, offset and history of writes; what is written there
//! is noted. Two programs that made the same writes in the same order hold the same in the array, so that a read at the
//! same offset gives both the same. Offsets that look different are asked about, as far as that is likely to help; that
//! they may be the same all the same makes for fewer proofs, not for wrong ones.
//!
//! There are no bounds either. Instead, what is touched is noted: if the new program touches nothing that the old one
//! does not touch in the same turn, it does not leave an object that the old one keeps to.

use crate::config::Config;
use crate::decisions::decider::Decider;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::Object;
use crate::memory::access::{Access, ObjectPlace, Offset};
use crate::outcome::Outcome;
use incise_solver::{Answer, CompareOp, ExprId, ExprKind, Exprs, Solver, SymbolKind};
use std::collections::BTreeMap;

/// So many accesses of the same turn are looked at when an element is read.
const FEW: usize = 16;
/// So many nodes of an offset are looked at.
const MOST_NODES: usize = 1000;

/// An access to an array without an end.
#[derive(Clone, Debug)]
pub struct Touch {
    /// The pointer input that leads to it.
    pub input: String,
    /// Where.
    pub offset: Value,
    /// How many bytes.
    pub bytes: u32,
    /// What is written there, if something is.
    pub written: Option<Value>,
}

/// What is known of arrays without an end.
#[derive(Default)]
pub struct Endless {
    /// The accesses that the other program made in the same turn.
    pub echoes: Vec<Touch>,
    /// Whether an offset was computed from a narrower number, which overflows in a large array.
    pub narrow: bool,
    /// The pointer inputs whose arrays were taken not to be longer than the configuration says, and the bytes of an
    /// element.
    pub bounded: BTreeMap<String, u64>,
}

fn unsupported(what: &str) -> Exit {
    Exit::End(Outcome::Unsupported(format!("{what} of an array without an end")))
}

/// Whether a place is in an array without an end, behind what comes before its elements.
#[inline]
pub(crate) fn is_endless(state: &State, place: ObjectPlace) -> bool {
    let Some(object) = state.memory.object(place.slot) else { return false };
    let header = object.assumed.as_ref().map_or(0, |assumed| assumed.header);
    object.is_endless() && !matches!(place.offset, Offset::Concrete(offset) if offset < header)
}

/// What of a machine it takes to read and write arrays without an end.
pub(crate) struct EndlessArrays<'m> {
    config: &'m Config,
    exprs: &'m mut Exprs,
    solver: &'m mut Solver,
    known: &'m mut Endless,
}

impl Decider<'_> {
    /// The part that knows arrays without an end.
    pub(crate) fn endless_arrays(&mut self) -> EndlessArrays<'_> {
        EndlessArrays {
            config: self.config,
            exprs: &mut self.exprs,
            solver: &mut self.solver,
            known: &mut self.endless,
        }
    }
}

impl EndlessArrays<'_> {
    /// Whether an access is one to the elements of an array without an end; what comes before them is ordinary.
    pub(crate) fn endless_access(&mut self, object: &Object, offset: Offset) -> Result<bool, Exit> {
        if !object.is_endless() {
            return Ok(false);
        }
        let header = object.assumed.as_ref().map_or(0, |assumed| assumed.header);
        match offset {
            Offset::Concrete(offset) if offset as i64 >= 0 => Ok(offset >= header),
            Offset::Symbolic(_) if header == 0 => Ok(true),
            // The offset may be that of a member.
            _ => Err(unsupported("an unclear part")),
        }
    }

    /// Reads from an array without an end.
    pub(crate) fn read_endless(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        width: u32,
    ) -> Result<Value, Exit> {
        let touch = self.touch(state, place, width, None)?;
        let mut version = state.memory.object(place.slot).map_or(0, |object| object.version);
        // What was written in this turn: at the same place, or at another.
        let before: Vec<Touch> = state
            .touched
            .iter_newest_first()
            .skip(1)
            .take(FEW)
            .filter(|each| each.input == touch.input)
            .cloned()
            .collect();
        for write in before.iter().filter(|each| each.written.is_some()) {
            let Some(written) = &write.written else { continue };
            if write.bytes == touch.bytes && self.same_offset(state, &write.offset, &touch.offset) {
                return Ok(written.clone());
            }
            if !self.apart(state, write, &touch) {
                break;
            }
            version -= 1;
        }
        // An offset goes by the way that it was written first.
        let echoes = self.known.echoes.iter().filter(|each| each.input == touch.input);
        let known: Vec<Value> =
            before.iter().chain(echoes).map(|each| each.offset.clone()).take(FEW).collect();
        let at = match known.iter().any(|offset| offset.is_same(&touch.offset)) {
            true => touch.offset.clone(),
            false => {
                let same = known.iter().find(|offset| self.same_offset(state, offset, &touch.offset));
                same.unwrap_or(&touch.offset).clone()
            }
        };
        state.touched.pop();
        state.touched.push(Touch { offset: at.clone(), ..touch.clone() });
        let at = match at {
            Value::Symbolic(expr) => format!("e{}", expr.index()),
            other => other.as_concrete().unwrap_or(0).to_string(),
        };
        let name = format!("{}@{version}[{at}]:{width}", touch.input);
        let value = self.exprs.symbol(&name, width, SymbolKind::Unsigned);
        Ok(Value::Symbolic(value))
    }

    /// Whether two offsets are the same wherever the state can be, as far as can be told.
    fn same_offset(&mut self, state: &State, one: &Value, other: &Value) -> bool {
        if one.is_same(other) {
            return true;
        }
        let [one, other] = [one, other].map(|value| self.offset_expr(value));
        let unlike = self.exprs.compare(CompareOp::Ne, one, other);
        self.never(state, unlike)
    }

    /// Whether two accesses never overlap.
    fn apart(&mut self, state: &State, one: &Touch, other: &Touch) -> bool {
        let [first, second] = [one, other].map(|touch| self.offset_expr(&touch.offset));
        let distance = self.exprs.sub(second, first);
        // The second is not within the first, and the first not within the second.
        let behind = self.exprs.constant(u128::from(one.bytes), 64);
        let ahead = self.exprs.constant(u128::from(other.bytes).wrapping_neg() & u128::from(u64::MAX), 64);
        let within = self.exprs.compare(CompareOp::Ult, distance, behind);
        let around = self.exprs.compare(CompareOp::Ugt, distance, ahead);
        let overlap = self.exprs.or(within, around);
        self.never(state, overlap)
    }

    fn offset_expr(&mut self, offset: &Value) -> ExprId {
        match offset {
            Value::Symbolic(expr) => *expr,
            other => self.exprs.constant(other.as_concrete().unwrap_or(0), 64),
        }
    }

    fn never(&mut self, state: &State, condition: ExprId) -> bool {
        if let Some(bits) = self.exprs.as_constant(condition) {
            return bits == 0;
        }
        if self.solver.evaluate(self.exprs, condition, &state.model) != 0 {
            return false;
        }
        matches!(self.solver.check(self.exprs, &state.constraints, condition, &state.model), Answer::Unsat)
    }

    /// Writes to an array without an end.
    pub(crate) fn write_endless(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        width: u32,
        value: &Value,
    ) -> Result<(), Exit> {
        // What an address stands for is another matter in another program.
        let pointer = match value {
            // What is narrower than an address is none.
            Value::Symbolic(expr) if width < 64 => self.exprs.split_base(*expr).is_some(),
            Value::Symbolic(expr) => {
                self.exprs.split_base(*expr).is_some() || matches!(self.exprs.kind(*expr), ExprKind::Ite(..))
            }
            Value::Word(word) => matches!(state.memory.target(*word), crate::memory::AddressTarget::Live(..)),
            Value::Wide(_) => false,
            Value::Aggregate(_) | Value::Undefined => true,
        };
        if pointer {
            return Err(unsupported("a write of an address to an element"));
        }
        self.touch(state, place, width, Some(value.clone()))?;
        if let Some(object) = state.memory.object_mut(place.slot) {
            object.version += 1;
        }
        Ok(())
    }

    fn touch(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        width: u32,
        written: Option<Value>,
    ) -> Result<Touch, Exit> {
        let object = state.memory.object(place.slot).and_then(|object| object.assumed.clone());
        let Some(assumed) = object else { return Err(unsupported("an access")) };
        let offset = match place.offset {
            Offset::Concrete(offset) => Value::Word(offset),
            Offset::Symbolic(expr) => Value::Symbolic(expr),
        };
        if let Offset::Symbolic(expr) = place.offset {
            self.known.narrow |= has_widened(self.exprs, expr);
            if let Some(longest) = self.config.inputs.longest {
                self.known.bounded.insert(assumed.input.clone(), assumed.element);
                let longest = self.exprs.constant(u128::from(longest), 64);
                // What comes before where the pointer leads is not left out.
                let within = self.exprs.compare(CompareOp::Slt, expr, longest);
                self.take_for_granted(state, within)?;
            }
        }
        let touch = Touch { input: assumed.input.clone(), offset, bytes: width.div_ceil(8), written };
        state.touched.push(touch.clone());
        Ok(touch)
    }

    /// Goes on only where a condition holds; other inputs are not looked at.
    fn take_for_granted(&mut self, state: &mut State, condition: ExprId) -> Result<(), Exit> {
        if self.exprs.as_constant(condition) == Some(1) {
            return Ok(());
        }
        if self.solver.evaluate(self.exprs, condition, &state.model) == 0 {
            match self.solver.check(self.exprs, &state.constraints, condition, &state.model) {
                Answer::Sat(model) => state.model = model,
                Answer::Unsat => return Err(Exit::End(Outcome::Pruned)),
                Answer::Unknown(_) => return Err(unsupported("a question about the length")),
            }
        }
        state.constraints.push(self.exprs, condition);
        Ok(())
    }

    /// Other accesses than those of scalars are not made there.
    pub(crate) fn refuse_endless(
        &self,
        state: &State,
        place: ObjectPlace,
        access: Access,
    ) -> Result<(), Exit> {
        match is_endless(state, place) {
            true if !access.writes() => Err(unsupported("a copy")),
            true => Err(unsupported("an overwriting")),
            false => Ok(()),
        }
    }
}

/// Whether an offset is computed from a narrower number.
fn has_widened(exprs: &Exprs, expr: ExprId) -> bool {
    let mut work = vec![expr];
    let mut seen = 0;
    while let Some(expr) = work.pop() {
        seen += 1;
        if matches!(exprs.kind(expr), ExprKind::ZeroExtend(_) | ExprKind::SignExtend(_)) || seen > MOST_NODES
        {
            return true;
        }
        work.extend(exprs.kind(expr).operands().iter().copied());
    }
    false
}
