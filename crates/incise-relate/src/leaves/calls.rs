//! Calls that nobody can see into, compared in their order: who is called, with what, and what it finds in memory.
//!
//! What a call finds is what it can get at (`externals/reach.rs`). The objects that the same way leads to stand for
//! each other. What the following program never initialised nobody can make use of, so that the leading one may
//! initialise it; the other way round it cannot be told.

use super::super::{Relation, Side};
use super::pointers::{address, cases, identity};
use super::world::{converted_differ, values_differ};
use super::{Comparison, Identity, Leaf, Seen, differ, has_pointers};
use incise_exec::inside::{
    AddressTarget, Byte, ExternalCall, Memory, Object, ScalarKind, Shape, Slot, State, Value, access_text,
    bases, name_of, shape_of,
};
use incise_exec::inside::{PartKind, ShapePart, expression, parts, same_byte};
use incise_exec::{Condition, InputValue, Session};
use incise_ir::Id;
use incise_solver::{CompareOp, ExprId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Of what a call finds differently so much is shown.
const SHOWN: usize = 4;

/// A call of each program.
struct Meeting<'m, 'a> {
    sides: (&'m Side<'a>, &'m Side<'a>),
    /// The states as they were when the calls were made.
    states: (State, State),
    name: &'m str,
    tolerance: Option<f64>,
    /// Which objects stand for each other.
    forth: BTreeMap<Slot, Slot>,
    back: BTreeMap<Slot, Slot>,
}

/// Something that one call may find otherwise than the other.
struct FoundLeaf {
    name: String,
    kind: PartKind,
    bits: u32,
    differs: ExprId,
    one: ExprId,
    other: ExprId,
}

impl Relation<'_> {
    /// Compares the calls of functions that nobody can see into, in their order.
    pub(super) fn calls(
        &mut self,
        session: &mut Session,
        (one, other): (&State, &State),
        comparison: &mut Comparison<'_>,
    ) {
        let (ones, others) = (one.calls.to_vec(), other.calls.to_vec());
        let alike = |(one, other): &(&&ExternalCall, &&ExternalCall)| {
            one.function == other.function && one.arguments.len() == other.arguments.len()
        };
        let common = ones.iter().zip(&others).take_while(alike).count();
        let shaped = common == ones.len() && common == others.len();
        let mut differs = session.exprs.boolean(!shaped);
        let mut found: Vec<Vec<FoundLeaf>> = Vec::new();
        // How many calls are the same for sure.
        let mut same = 0;
        if shaped || !comparison.visible.calls {
            let mut unlike = session.exprs.boolean(false);
            for (mine, theirs) in ones.iter().zip(&others).take(common) {
                let types = |index: usize| {
                    let mine = self.leading.argument_type(&mine.function, index);
                    mine.zip(self.following.argument_type(&theirs.function, index))
                };
                let types: Vec<_> = (0..mine.arguments.len()).map(types).collect();
                let mut meeting = Meeting::new(self, (one, other), (mine, theirs), comparison);
                let arguments = mine.arguments.iter().zip(theirs.arguments.iter());
                for ((mine, theirs), types) in arguments.zip(types) {
                    let converted = types.filter(|(one, other)| one.width != other.width);
                    let here = match converted {
                        Some((one, other)) => {
                            Some(converted_differ(&mut session.exprs, (mine, one), (theirs, other)))
                        }
                        None => meeting.values(session, mine, theirs),
                    };
                    match here {
                        Some(here) => unlike = session.exprs.or(unlike, here),
                        None => {
                            let what = format!("what {} is called with", meeting.name);
                            comparison.found.unsure.insert(what);
                        }
                    }
                }
                let contents = meeting.contents(session, (mine, theirs), comparison);
                for each in &contents {
                    unlike = session.exprs.or(unlike, each.differs);
                }
                found.push(contents);
                same += usize::from(session.exprs.as_constant(unlike) == Some(0));
            }
            differs = session.exprs.or(differs, unlike);
        }
        if session.exprs.as_constant(differs) == Some(0) {
            return;
        }
        if !comparison.visible.calls {
            // What calls that differ return and write goes by the same names in both.
            let tells = |call: &&ExternalCall| call.result.is_some() || !call.wrote.is_empty();
            if ones[same..].iter().any(tells) && others[same..].iter().any(tells) {
                let what =
                    "calls may differ, and are not looked at; what they return is taken to be the same";
                comparison.found.unsure.insert(what.into());
            }
            return;
        }
        let leading = describe(session, (&self.leading, one), &ones, &found, comparison, |each| each.one);
        let following =
            describe(session, (&self.following, other), &others, &found, comparison, |each| each.other);
        let (leading, following) = (joined(&leading, &following), joined(&following, &leading));
        let (name, differs) = (String::new(), Condition(differs));
        comparison.found.leaves.push(Leaf {
            name,
            seen: Seen::Call,
            differs,
            plainly: differs,
            leading,
            following,
        });
    }
}

/// The calls of a path in words, each with whether it is an access of a device, and with what they find where the other
/// program's find something else.
fn describe(
    session: &mut Session,
    (side, state): (&Side<'_>, &State),
    calls: &[&ExternalCall],
    found: &[Vec<FoundLeaf>],
    comparison: &Comparison<'_>,
    which: impl Fn(&FoundLeaf) -> ExprId,
) -> Vec<(bool, String)> {
    let mut texts = Vec::new();
    for (number, call) in calls.iter().enumerate() {
        if let Some(access) = call.device {
            let (exprs, solver) = (&session.exprs, &mut session.solver);
            let mut number =
                |value: &Value| incise_exec::inside::evaluate(exprs, solver, value, comparison.model) as u64;
            let (address, size) = (number(&call.arguments[0]), number(&call.arguments[1]));
            let value = call.result.as_ref().or(call.arguments.get(2)).map_or(0, number);
            let program = side.machine.program;
            texts.push((true, access_text(program, state, access, (address, size, value))));
            continue;
        }
        let mut arguments = Vec::new();
        for value in call.arguments.iter() {
            let (exprs, solver) = (&session.exprs, &mut session.solver);
            let bits = incise_exec::inside::evaluate(exprs, solver, value, comparison.model) as u64;
            let memory = call.sight.as_ref().map_or(&state.memory, |sight| &sight.memory);
            let function = Memory::function_at(bits, side.machine.function_count()).is_some();
            arguments.push(match function || matches!(memory.target(bits), AddressTarget::Live(..)) {
                true => format!("&{}", title(side, state, memory, bits)),
                false => (bits as i64).to_string(),
            });
        }
        let mut text = match call.function.strip_suffix("()") {
            Some(callback) => format!("{callback}({})", arguments.join(", ")),
            None => format!("{}({})", call.function, arguments.join(", ")),
        };
        let mut shown = Vec::new();
        for each in found.get(number).into_iter().flatten() {
            let (exprs, solver) = (&session.exprs, &mut session.solver);
            if solver.evaluate(exprs, each.differs, comparison.model) == 0 || shown.len() == SHOWN {
                continue;
            }
            let bits = solver.evaluate(exprs, which(each), comparison.model);
            let memory = call.sight.as_ref().map_or(&state.memory, |sight| &sight.memory);
            shown.push(format!("{} = {}", each.name, value_text(side, state, memory, each, bits)));
        }
        if !shown.is_empty() {
            text = format!("{text} with {}", shown.join(", "));
        }
        texts.push((false, text));
    }
    texts
}

/// The calls of a path in one line, without the accesses of devices that both begin with.
fn joined(calls: &[(bool, String)], others: &[(bool, String)]) -> InputValue {
    let common = calls.iter().zip(others).take_while(|(one, other)| one.0 && one == other).count();
    let rest = calls[common..].iter().map(|(_, text)| text.as_str());
    let texts: Vec<&str> = (common > 0).then_some("...").into_iter().chain(rest).collect();
    InputValue::Text(texts.join("; ").into_bytes())
}

/// What people call an address, in memory as it was.
fn title(side: &Side<'_>, state: &State, memory: &Memory, address: u64) -> String {
    let mut then = state.fork();
    then.memory = memory.clone();
    name_of(side.machine.program, &then, address)
}

fn value_text(side: &Side<'_>, state: &State, memory: &Memory, found: &FoundLeaf, bits: u128) -> String {
    match &found.kind {
        PartKind::Pointer { .. } if bits == 0 => "null".to_owned(),
        PartKind::Pointer { .. } => format!("&{}", title(side, state, memory, bits as u64)),
        PartKind::Number(kind) => match kind.value(found.bits, bits) {
            InputValue::Signed(number) | InputValue::Enumerator(_, number) => number.to_string(),
            InputValue::Unsigned(number) => number.to_string(),
            InputValue::Boolean(truth) => truth.to_string(),
            InputValue::Character(byte) if (b' '..=b'~').contains(&byte) => format!("'{}'", byte as char),
            InputValue::Character(byte) => byte.to_string(),
            _ => format!("{bits:#x}"),
        },
    }
}

impl<'m, 'a> Meeting<'m, 'a> {
    fn new(
        relation: &'m Relation<'a>,
        states: (&State, &State),
        calls: (&'m ExternalCall, &ExternalCall),
        comparison: &Comparison<'_>,
    ) -> Self {
        let then = |state: &State, call: &ExternalCall| {
            let mut then = state.fork();
            if let Some(sight) = &call.sight {
                then.memory = sight.memory.clone();
            }
            then
        };
        let mut meeting = Self {
            sides: (&relation.leading, &relation.following),
            states: (then(states.0, calls.0), then(states.1, calls.1)),
            name: &calls.0.function,
            tolerance: comparison.visible.float_tolerance,
            forth: BTreeMap::new(),
            back: BTreeMap::new(),
        };
        for (one, other, _) in meeting.pairs(calls) {
            meeting.forth.entry(one).or_insert(other);
            meeting.back.entry(other).or_insert(one);
        }
        meeting
    }

    /// The objects that the same ways lead to, with the way.
    fn pairs(&self, (one, other): (&ExternalCall, &ExternalCall)) -> Vec<(Slot, Slot, String)> {
        let reached = |call: &ExternalCall| -> BTreeMap<String, Slot> {
            let all = call.sight.iter().flat_map(|sight| &sight.reached);
            all.map(|reached| (reached.way.clone(), reached.slot)).collect()
        };
        let (ones, others) = (reached(one), reached(other));
        // A global variable that only one program uses is there in the other as well.
        let global = |side: &Side<'_>, way: &String| {
            let id = side.machine.program.global_named(way.strip_prefix('@')?)?;
            Some(side.machine.decider.constants.globals[id.index()])
        };
        let mut ways: Vec<&String> = ones.keys().chain(others.keys()).collect();
        ways.sort();
        ways.dedup();
        let pair = |way: &String| {
            let one = ones.get(way).copied().or_else(|| global(self.sides.0, way))?;
            let other = others.get(way).copied().or_else(|| global(self.sides.1, way))?;
            Some((one, other, way.clone()))
        };
        ways.into_iter().filter_map(pair).collect()
    }

    /// When two values differ; `None` if that cannot be told.
    fn values(&self, session: &mut Session, one: &Value, other: &Value) -> Option<ExprId> {
        if let (Value::Aggregate(ones), Value::Aggregate(others)) = (one, other) {
            let mut differs = session.exprs.boolean(ones.len() != others.len());
            for (one, other) in ones.iter().zip(others.iter()) {
                let here = self.values(session, one, other)?;
                differs = session.exprs.or(differs, here);
            }
            return Some(differs);
        }
        match (one, other) {
            // What was never initialised by the following program cannot matter to whom it is passed.
            (_, Value::Undefined) => return Some(session.exprs.boolean(false)),
            (Value::Undefined, _) => return None,
            _ => {}
        }
        let mine = self.may_point(session, (self.sides.0, &self.states.0), one);
        let theirs = self.may_point(session, (self.sides.1, &self.states.1), other);
        if !mine && !theirs {
            return Some(values_differ(&mut session.exprs, one, other, None));
        }
        let mut expr = |value: &Value| match value {
            Value::Symbolic(expr) => *expr,
            value => session.exprs.constant(value.as_concrete().unwrap_or(0), 64),
        };
        let (one, other) = (expr(one), expr(other));
        self.pointers(session, one, other)
    }

    /// Whether a value is an address, or made of some.
    fn may_point(&self, session: &Session, (side, state): (&Side<'_>, &State), value: &Value) -> bool {
        match value {
            Value::Symbolic(expr) if session.exprs.width(*expr) == 64 => {
                let there = |address: u64| address_of(side, state, address);
                bases(&session.exprs, *expr).into_iter().any(there)
            }
            Value::Word(_) => address(side, state, value).is_some(),
            _ => false,
        }
    }

    /// When two pointers lead to different things.
    fn pointers(&self, session: &mut Session, one: ExprId, other: ExprId) -> Option<ExprId> {
        let (ones, others) = (cases(&mut session.exprs, one)?, cases(&mut session.exprs, other)?);
        let mut differs = session.exprs.boolean(false);
        for &(guard, base, offset) in &ones {
            for &(other_guard, other_base, other_offset) in &others {
                let both = session.exprs.and(guard, other_guard);
                if session.exprs.as_constant(both) == Some(0) {
                    continue;
                }
                let (mine, my_offset) = identity(self.sides.0, &self.states.0, base);
                let (theirs, their_offset) = identity(self.sides.1, &self.states.1, other_base);
                let same = match (&mine, &theirs) {
                    (Identity::Nameless(one), Identity::Nameless(other)) => {
                        match (self.forth.get(one), self.back.get(other)) {
                            (None, None) => return None,
                            (forth, back) => forth == Some(other) && back == Some(one),
                        }
                    }
                    (Identity::Nothing, Identity::Nothing) => base == other_base,
                    (mine, theirs) => mine == theirs,
                };
                let exprs = &mut session.exprs;
                let here = match same {
                    true => {
                        let shift = my_offset.wrapping_sub(their_offset) as u64;
                        let shift = exprs.constant(u128::from(shift), 64);
                        let offset = exprs.add(offset, shift);
                        exprs.compare(CompareOp::Ne, offset, other_offset)
                    }
                    false => exprs.boolean(true),
                };
                let here = exprs.and(both, here);
                differs = exprs.or(differs, here);
            }
        }
        Some(differs)
    }

    /// What the calls find differently.
    fn contents(
        &mut self,
        session: &mut Session,
        calls: (&ExternalCall, &ExternalCall),
        comparison: &mut Comparison<'_>,
    ) -> Vec<FoundLeaf> {
        let mut found = Vec::new();
        for (one, other, way) in self.pairs(calls) {
            let objects = (self.states.0.memory.object(one), self.states.1.memory.object(other));
            let (Some(mine), Some(theirs)) = objects else { continue };
            let (mine, theirs) = (mine.clone(), theirs.clone());
            let name = match way.strip_prefix('@') {
                Some(global) => global.to_owned(),
                None => name_of(self.sides.0.machine.program, &self.states.0, Memory::address(one)),
            };
            self.objects(session, &name, (&mine, &theirs), &mut found, comparison);
        }
        found
    }

    fn objects(
        &self,
        session: &mut Session,
        name: &str,
        (mine, theirs): (&Object, &Object),
        found: &mut Vec<FoundLeaf>,
        comparison: &mut Comparison<'_>,
    ) {
        let shapes = (
            shape_of(self.sides.0.machine.program, &self.states.0, mine),
            shape_of(self.sides.1.machine.program, &self.states.1, theirs),
        );
        let mut read = |object: &Object| -> Vec<Byte> {
            (0..object.size).map(|offset| object.read_byte(&mut session.exprs, offset)).collect()
        };
        let bytes = (read(mine), read(theirs));
        let typed = |shape: &Shape| !matches!(shape, Shape::Bytes(_)) && !shape.is_large();
        let no_pointers = |shape: &Shape| typed(shape) && !has_pointers(shape);
        let same = |(one, other): (&Byte, &Byte)| same_byte(*one, *other);
        if no_pointers(&shapes.0) && no_pointers(&shapes.1) && bytes.0.iter().zip(&bytes.1).all(same) {
            return;
        }
        let pairs: Vec<(ShapePart, ShapePart)> = match typed(&shapes.0) && typed(&shapes.1) {
            true => {
                let others = parts(name, &shapes.1).into_iter();
                let others: FxHashMap<String, ShapePart> =
                    others.map(|part| (part.name.clone(), part)).collect();
                let pair = |part: ShapePart| others.get(&part.name).cloned().map(|other| (part, other));
                parts(name, &shapes.0).into_iter().filter_map(pair).collect()
            }
            false => {
                let untyped = self.untyped(session, name, (&bytes.0, &bytes.1));
                untyped.into_iter().map(|part| (part.clone(), part)).collect()
            }
        };
        for (part, other) in pairs {
            let cells = (bytes.0.get(part.bytes()), bytes.1.get(other.bytes()));
            let (Some(mine), Some(theirs)) = cells else { continue };
            let pointer = matches!(part.kind, PartKind::Pointer { .. });
            if !pointer && mine.len() == theirs.len() && mine.iter().zip(theirs).all(same) {
                continue;
            }
            let exprs = &mut session.exprs;
            let both = (expression(exprs, &bytes.0, &part), expression(exprs, &bytes.1, &other));
            let (first, second) = match both {
                (Some(first), Some(second)) => (first, second),
                (_, None) => continue,
                (None, Some(_)) => {
                    let what =
                        format!("{} is no longer initialised where {} is called", part.name, self.name);
                    comparison.found.unsure.insert(what);
                    continue;
                }
            };
            let differs = match (&part.kind, &other.kind) {
                (PartKind::Number(mine), PartKind::Number(theirs)) => {
                    differ(exprs, (first, mine), (second, theirs), self.tolerance)
                }
                (PartKind::Pointer { .. }, PartKind::Pointer { .. }) => self.pointers(session, first, second),
                _ => None,
            };
            let Some(differs) = differs else {
                comparison.found.unsure.insert(format!("what {} finds in {}", self.name, part.name));
                continue;
            };
            if session.exprs.as_constant(differs) != Some(0) {
                let ShapePart { name, kind, bits, .. } = part;
                found.push(FoundLeaf { name, kind, bits, differs, one: first, other: second });
            }
        }
    }

    /// The parts of an object of which nobody knows the type: words that hold addresses, and bytes.
    fn untyped(&self, session: &mut Session, name: &str, (one, other): (&[Byte], &[Byte])) -> Vec<ShapePart> {
        let size = one.len().min(other.len());
        let name = name.strip_prefix('*').unwrap_or(name);
        let part = |offset: usize, bits: u32, kind: PartKind| ShapePart {
            name: format!("{name}[{offset}]"),
            offset_bits: offset as u64 * 8,
            bits,
            kind,
        };
        let mut found = Vec::new();
        let mut offset = 0;
        while offset < size {
            let pointer = PartKind::Pointer { target: None, function: false };
            let word = part(offset, 64, pointer);
            let may_point = |session: &mut Session, side: (&Side<'_>, &State), bytes: &[Byte]| {
                let Some(expr) = expression(&mut session.exprs, bytes, &word) else { return false };
                self.may_point(session, side, &Value::from_expr(&session.exprs, expr))
            };
            if offset % 8 == 0
                && offset + 8 <= size
                && (may_point(session, (self.sides.0, &self.states.0), one)
                    || may_point(session, (self.sides.1, &self.states.1), other))
            {
                found.push(word);
                offset += 8;
                continue;
            }
            found.push(part(offset, 8, PartKind::Number(ScalarKind::Unsigned)));
            offset += 1;
        }
        found
    }
}

/// Whether there is an object or a function at an address.
fn address_of(side: &Side<'_>, state: &State, word: u64) -> bool {
    address(side, state, &Value::Word(word)).is_some()
}
