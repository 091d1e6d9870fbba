//! What both paths of a pair leave behind, compared part by part.
//!
//! Parts that are the same expression are the same without a question. Pointers are compared by what they point to: a
//! global or an input object of the same name, or a heap object that stands in the same place in both; those are
//! compared in turn.

mod allocated;
mod calls;
mod files;
mod pointers;
mod streams;
mod world;

use super::{Ended, Pair, Relation, Side};
use allocated::{Allocated, of_elements, parts_there, value_of};
use incise_exec::inside::{
    Byte, InputObject, Leaf as InputLeaf, ScalarKind, Shape, Slot, State, Value, float_format,
};
use incise_exec::inside::{PartKind, ShapePart, expression, fitted, is_lock, same_byte};
use incise_exec::{Condition, InputOrigin, InputValue, Outcome, Session};
use incise_ir::{DebugTypeId, Id};
use incise_solver::{CompareOp, Constraints, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, Model};
use pointers::{Pairing, pointers_differ};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use world::{outputs, status};

/// So many heap objects are looked into.
const MOST_OBJECTS: usize = 4096;

/// What is looked at.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Visible {
    /// What the entry returns.
    pub result: bool,
    /// Global variables.
    pub globals: bool,
    /// Memory that parameters lead to.
    pub memory: bool,
    /// What is written to standard output, standard error and files, and the exit status.
    pub output: bool,
    /// Calls of functions that nobody can see into.
    pub calls: bool,
    /// How far floating-point numbers may be apart; bit for bit the same if there is none.
    pub float_tolerance: Option<f64>,
}

/// What of it a change can concern: the rest is the same, and is not compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Concerned {
    /// What the entry returns.
    pub result: bool,
    /// These global variables, by their symbols; all of them if there is no list.
    pub globals: Option<BTreeSet<String>>,
    /// Memory that pointers lead to.
    pub memory: bool,
    /// Output, and calls of functions that nobody can see into.
    pub output: bool,
}

impl Concerned {
    /// Everything.
    pub fn everything() -> Self {
        Self { result: true, globals: None, memory: true, output: true }
    }
}

impl Default for Visible {
    fn default() -> Self {
        Self { result: true, globals: true, memory: true, output: true, calls: true, float_tolerance: None }
    }
}

/// What a part belongs to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Seen {
    /// What the entry returned.
    Result,
    /// A global variable.
    Global,
    /// Memory that a parameter, a global or the result leads to.
    Memory,
    /// Standard output.
    Output,
    /// Standard error.
    ErrorOutput,
    /// A file.
    File,
    /// The exit status.
    Status,
    /// A call of a function that nobody can see into.
    Call,
}

/// Something that may differ.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Its name as in C; empty for the result, the output and the exit status.
    pub name: String,
    /// What it belongs to.
    pub seen: Seen,
    /// When it differs.
    pub differs: Condition,
    /// When it differs as a number: no NaN, and the sign of a zero aside.
    pub plainly: Condition,
    /// What the leading program leaves there, for the inputs of the pair.
    pub leading: InputValue,
    /// What the following program leaves there, for the inputs of the pair.
    pub following: InputValue,
}

/// What can differ between the ends of two paths.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// All that is not the same expression.
    pub leaves: Vec<Leaf>,
    /// What could not be compared.
    pub unsure: BTreeSet<String>,
    /// What only one of the programs has.
    pub unmatched: BTreeSet<String>,
    /// What of that the program writes that has it.
    pub one_sided: BTreeSet<String>,
}

/// Something that a path leaves behind.
struct Thing {
    /// What it is known by in both programs: variables of functions may have the same name.
    symbol: String,
    name: String,
    seen: Seen,
    shape: Shape,
    bytes: Vec<Byte>,
}

impl Compared {
    /// Something that only one of the programs has.
    fn leave_out(&mut self, name: String, written: bool) {
        if written {
            self.one_sided.insert(name.clone());
        }
        self.unmatched.insert(name);
    }
}

impl Thing {
    /// Whether a path left something else in a part than what was there.
    fn is_written(&self, exprs: &Exprs, state: &State, part: &ShapePart) -> bool {
        let named = |input: &&Rc<InputObject>| input.name == self.symbol || input.name == self.name;
        let initial = state.inputs.iter_newest_first().find(named);
        let is_initial = |at: usize, byte: &Byte| {
            let leaves = initial.iter().flat_map(|input| &input.leaves);
            let covers =
                |leaf: &&InputLeaf| (leaf.offset..leaf.offset + u64::from(leaf.bytes)).contains(&(at as u64));
            leaves.filter(covers).any(|leaf| {
                let index = (at as u64 - leaf.offset) as u8;
                match *byte {
                    Byte::Part { expr, byte } => expr == leaf.expr && byte == index,
                    Byte::Concrete(bits) => {
                        exprs.as_constant(leaf.expr).is_some_and(|known| (known >> (8 * index)) as u8 == bits)
                    }
                    Byte::Uninitialised => false,
                }
            })
        };
        let bytes = self.bytes.get(part.bytes()).unwrap_or_default();
        let mut each = part.bytes().zip(bytes);
        each.any(|(at, byte)| !matches!(byte, Byte::Uninitialised) && !is_initial(at, byte))
    }
}

/// What an object is called in both programs.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Identity {
    Global(String),
    /// A constant without a name of its own: by its contents.
    Literal(Vec<u8>),
    Input(String),
    /// The unknown function that an input points to, or what is beyond the depth of inputs.
    Unknown(String),
    Function(String),
    Null,
    /// On the heap or the stack.
    Nameless(Slot),
    Nothing,
}

/// The type of what a pointer points to, and the object. Types of one program mean nothing in the other.
type Typed = (Option<DebugTypeId>, Slot);

/// Two objects without names that stand for each other, one of each program.
struct NamelessPair {
    name: String,
    one: Typed,
    other: Typed,
    /// When pointers lead to them that were not followed before.
    when: ExprId,
}

struct Comparison<'c> {
    visible: Visible,
    found: Compared,
    /// Which nameless objects stand for each other, and when.
    pairing: Pairing,
    /// What is left to look into.
    work: Vec<NamelessPair>,
    /// When pointers lead to what is being compared.
    reached: ExprId,
    model: &'c Model,
    /// The conditions of both paths.
    conditions: Constraints,
}

impl Relation<'_> {
    /// Compares what the paths of a pair leave behind. Only paths that return or leave the program in both are compared
    /// but for their output.
    pub fn compare(
        &mut self,
        session: &mut Session,
        pair: &mut Pair,
        visible: Visible,
        concerned: &Concerned,
    ) -> Compared {
        // What is not looked at must be alike all the same: the results of calls are taken to be.
        let calls_count = concerned.output;
        let visible = Visible {
            result: visible.result && concerned.result,
            memory: visible.memory && concerned.memory,
            output: visible.output && concerned.output,
            calls: visible.calls && concerned.output,
            ..visible
        };
        let model = pair.assignment.0.model.clone();
        let mut comparison = Comparison {
            visible,
            found: Compared::default(),
            pairing: Pairing::default(),
            work: Vec::new(),
            reached: session.exprs.boolean(true),
            model: &model,
            conditions: pair.conditions.0.clone(),
        };
        let Pair { leading, following, .. } = pair;
        let both_return = leading.outcome == Outcome::Returned && following.outcome == Outcome::Returned;
        if both_return {
            let written: BTreeSet<String> = {
                let mut written = self.leading.written(&leading.state);
                written.extend(self.following.written(&following.state));
                match &concerned.globals {
                    Some(named) => {
                        let kept = |name: &String| named.contains(name) || !self.is_global(name);
                        written.into_iter().filter(kept).collect()
                    }
                    None => written,
                }
            };
            let ones = self.leading.things(session, leading, &written, visible);
            let others = self.following.things(session, following, &written, visible);
            self.things(session, (leading, following), ones, others, &mut comparison);
            self.freed(session, (&leading.state, &following.state), &mut comparison);
        }
        let ends = |outcome: &Outcome| matches!(outcome, Outcome::Returned | Outcome::Exited { .. });
        let both_end = ends(&leading.outcome) && ends(&following.outcome);
        // Flags of a stream are memory, what moves it or writes to it is output.
        if both_end && (visible.output || visible.memory) {
            self.streams(session, (leading, following), &mut comparison);
        }
        if visible.output {
            let stderr = !matches!(leading.outcome, Outcome::Error(_));
            for stream in [1, 2].into_iter().take(if stderr { 2 } else { 1 }) {
                outputs(session, (&leading.state, &following.state), stream, &mut comparison);
            }
            status(session, (&leading.state, &following.state), &mut comparison);
            if both_end {
                self.files(session, (leading, following), &mut comparison);
            }
        }
        if calls_count {
            self.calls(session, (&leading.state, &following.state), &mut comparison);
        }
        comparison.found
    }

    /// Whoever called the entry still has the pointers that it gave: what only one path freed is a difference.
    fn freed(&self, session: &mut Session, states: (&State, &State), comparison: &mut Comparison<'_>) {
        let is_main = self.leading.machine.decider.natives.is_main(self.leading.entry);
        if !comparison.visible.memory || is_main {
            return;
        }
        let (ones, others) = (freed(states.0), freed(states.1));
        for (name, gone) in &ones {
            if others.get(name).is_some_and(|there| there != gone) {
                let pointer = name.strip_prefix('*').unwrap_or(name);
                comparison.found.leaves.push(Leaf {
                    name: format!("freed({pointer})"),
                    seen: Seen::Memory,
                    differs: Condition(session.exprs.boolean(true)),
                    plainly: Condition(session.exprs.boolean(true)),
                    leading: InputValue::Boolean(*gone),
                    following: InputValue::Boolean(!*gone),
                });
            }
        }
    }

    fn is_global(&self, name: &str) -> bool {
        let named =
            |side: &Side<'_>| side.machine.program.globals.iter().any(|(_, global)| global.name == name);
        named(&self.leading) || named(&self.following)
    }

    fn things(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        ones: Vec<Thing>,
        others: Vec<Thing>,
        comparison: &mut Comparison<'_>,
    ) {
        let key = |thing: &Thing| (thing.seen, thing.symbol.clone());
        let mut others: BTreeMap<(Seen, String), Thing> =
            others.into_iter().map(|thing| (key(&thing), thing)).collect();
        for one in ones {
            match others.remove(&key(&one)) {
                Some(other) => self.thing(session, (leading, following), &one, &other, comparison),
                None => comparison.found.leave_out(title(&one), !self.leading.is_lock(&one)),
            }
        }
        for other in others.values() {
            comparison.found.leave_out(title(other), !self.following.is_lock(other));
        }
        let mut looked = 0;
        // What is on the heap is the same if nothing that pointers lead to is concerned.
        if !comparison.visible.memory {
            comparison.work.clear();
        }
        while let Some(NamelessPair { name, one, other, when }) = comparison.work.pop() {
            comparison.reached = when;
            looked += 1;
            if looked > MOST_OBJECTS {
                comparison.found.unsure.insert("more objects on the heap than are looked into".into());
                break;
            }
            if [(&leading.state, one.1), (&following.state, other.1)]
                .iter()
                .any(|&(state, slot)| is_huge(state, slot))
            {
                comparison.found.unsure.insert(format!("{name} is too large to be compared"));
                continue;
            }
            let one = self.leading.pointee(session, &leading.state, &name, one);
            let other = self.following.pointee(session, &following.state, &name, other);
            if let (Some(mut one), Some(mut other)) = (one, other) {
                one.level(&mut other);
                self.thing(session, (leading, following), &one.thing, &other.thing, comparison);
                self.beyond(session, &following.state, (&one, &other), comparison);
            }
        }
        comparison.reached = session.exprs.boolean(true);
    }

    fn thing(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        one: &Thing,
        other: &Thing,
        comparison: &mut Comparison<'_>,
    ) {
        let same = |(one, other): (&Byte, &Byte)| same_byte(*one, *other);
        let no_pointers = !has_pointers(&one.shape) && !has_pointers(&other.shape);
        if no_pointers
            && one.seen != Seen::Result
            && one.bytes.len() == other.bytes.len()
            && one.bytes.iter().zip(&other.bytes).all(same)
        {
            return;
        }
        let mine = parts_there(one);
        let theirs: FxHashMap<String, ShapePart> =
            parts_there(other).into_iter().map(|part| (part.name.clone(), part)).collect();
        let mut matched = 0;
        for part in &mine {
            let Some(their) = theirs.get(&part.name) else {
                let written = one.is_written(&session.exprs, &leading.state, part);
                comparison.found.leave_out(part.name.clone(), written);
                continue;
            };
            matched += 1;
            self.part(session, (leading, following), (one, part), (other, their), comparison);
        }
        if matched < theirs.len() {
            let known: BTreeSet<&String> = mine.iter().map(|part| &part.name).collect();
            for part in theirs.values().filter(|part| !known.contains(&part.name)) {
                let written = other.is_written(&session.exprs, &following.state, part);
                comparison.found.leave_out(part.name.clone(), written);
            }
        }
    }

    fn part(
        &mut self,
        session: &mut Session,
        (leading, following): (&mut Ended, &mut Ended),
        (one, part): (&Thing, &ShapePart),
        (other, their): (&Thing, &ShapePart),
        comparison: &mut Comparison<'_>,
    ) {
        let (mine, theirs) = (one.bytes.get(part.bytes()), other.bytes.get(their.bytes()));
        let pointer = matches!(part.kind, PartKind::Pointer { .. });
        let known = |bytes: &[Byte]| !bytes.iter().any(|byte| matches!(byte, Byte::Uninitialised));
        if let (Some(mine), Some(theirs), false) = (mine, theirs, pointer)
            && (known(mine) || one.seen != Seen::Result)
            && part.bits == their.bits
            && part.offset_bits % 8 == their.offset_bits % 8
            && mine.len() == theirs.len()
            && mine.iter().zip(theirs).all(|(one, other)| same_byte(*one, *other))
        {
            return;
        }
        let exprs = &mut session.exprs;
        let first = expression(exprs, &one.bytes, part);
        let second = expression(exprs, &other.bytes, their);
        let (first, second) = match (first, second) {
            (Some(first), Some(second)) => (first, second),
            (None, None) => {
                if one.seen == Seen::Result {
                    comparison.found.unsure.insert("the result is not initialised".into());
                }
                return;
            }
            _ => {
                let unsure = match part.name.split_once('[') {
                    Some((array, _)) => format!("elements of {array} are initialised in one version only"),
                    None if part.name.is_empty() => {
                        "the result is initialised in one version only".to_owned()
                    }
                    None => format!("{} is initialised in one version only", part.name),
                };
                comparison.found.unsure.insert(unsure);
                return;
            }
        };
        let differs = match (&part.kind, &their.kind) {
            (PartKind::Number(mine), PartKind::Number(theirs)) => {
                match differ(exprs, (first, mine), (second, theirs), comparison.visible.float_tolerance) {
                    Some(differs) => differs,
                    None => {
                        comparison.found.unsure.insert(format!("{} is of another type", part.name));
                        return;
                    }
                }
            }
            (PartKind::Pointer { target, .. }, PartKind::Pointer { target: their_target, .. }) => {
                let sides = (&self.leading, &self.following);
                let states = (&*leading.state, &*following.state);
                match pointers_differ(
                    session,
                    sides,
                    states,
                    (first, second),
                    comparison,
                    (&part.name, *target, *their_target),
                ) {
                    Some(differs) => differs,
                    None => {
                        let name = if part.name.is_empty() { "the result" } else { &part.name };
                        comparison.found.unsure.insert(format!("where {name} points to cannot be compared"));
                        return;
                    }
                }
            }
            _ => {
                comparison.found.unsure.insert(format!("{} is of another type", part.name));
                return;
            }
        };
        let differs = session.exprs.and(comparison.reached, differs);
        if session.exprs.as_constant(differs) == Some(0) || crate::ring::never_holds(&session.exprs, differs)
        {
            return;
        }
        let value =
            |session: &mut Session, side: &Side<'_>, state: &State, part: &ShapePart, expr: ExprId| {
                let bits = session.solver.evaluate(&session.exprs, expr, comparison.model);
                value_of(side, state, part, bits)
            };
        let plainly = match (&part.kind, &their.kind) {
            (PartKind::Number(mine), PartKind::Number(theirs)) => {
                plainly_differ(&mut session.exprs, (first, mine), (second, theirs), differs)
            }
            _ => differs,
        };
        let leading = value(session, &self.leading, &leading.state, part, first);
        let following = value(session, &self.following, &following.state, their, second);
        let (name, seen) = (part.name.clone(), one.seen);
        let (differs, plainly) = (Condition(differs), Condition(plainly));
        comparison.found.leaves.push(Leaf { name, seen, differs, plainly, leading, following });
    }
}

/// The objects that pointers of the inputs lead to, and whether they were freed.
fn freed(state: &State) -> BTreeMap<String, bool> {
    let pointees = state.inputs.iter_newest_first().filter_map(|input| match (&input.origin, input.slot) {
        (InputOrigin::Pointee { .. }, Some(slot)) => {
            Some((input.name.clone(), state.memory.object(slot).is_none()))
        }
        _ => None,
    });
    pointees.collect()
}

/// What to call something that only one program has.
fn title(thing: &Thing) -> String {
    if thing.name.is_empty() { "the result".into() } else { thing.name.clone() }
}

fn has_pointers(shape: &Shape) -> bool {
    match shape {
        Shape::Scalar { .. } | Shape::Bytes(_) => false,
        Shape::Pointer { .. } => true,
        Shape::Struct { members, .. } => members.iter().any(|member| has_pointers(&member.shape)),
        Shape::Array { element, .. } => has_pointers(element),
    }
}

/// When two numbers differ; `None` if they cannot be compared.
fn differ(
    exprs: &mut Exprs,
    (one, mine): (ExprId, &ScalarKind),
    (other, theirs): (ExprId, &ScalarKind),
    tolerance: Option<f64>,
) -> Option<ExprId> {
    if let (ScalarKind::Float(mine), ScalarKind::Float(theirs)) = (mine, theirs) {
        let (one, other, format) = match (float_format(*mine), float_format(*theirs)) {
            (mine, theirs) if mine == theirs => (one, other, mine),
            (mine, theirs) => {
                let wide = if exprs.width(one) >= exprs.width(other) { mine } else { theirs };
                (exprs.float_to_float(mine, wide, one), exprs.float_to_float(theirs, wide, other), wide)
            }
        };
        return Some(floats_differ(exprs, format, one, other, tolerance));
    }
    if matches!(mine, ScalarKind::Float(_)) || matches!(theirs, ScalarKind::Float(_)) {
        return None;
    }
    let width = exprs.width(one).max(exprs.width(other));
    let unlike = exprs.width(one) != exprs.width(other);
    // One bit more, so that a large unsigned number is no negative one.
    let width = if unlike { (width + 1).min(128) } else { width };
    let mut widen = |expr: ExprId, kind: &ScalarKind| match kind {
        ScalarKind::Signed | ScalarKind::Character => exprs.sext(expr, width),
        ScalarKind::Enumeration { signed: true, .. } => exprs.sext(expr, width),
        _ => exprs.zext(expr, width),
    };
    let (one, other) = match unlike {
        true => (widen(one, mine), widen(other, theirs)),
        false => (one, other),
    };
    Some(exprs.compare(CompareOp::Ne, one, other))
}

/// When two numbers that differ under a condition do so as numbers: neither is NaN, and they are not two zeros.
fn plainly_differ(
    exprs: &mut Exprs,
    (one, mine): (ExprId, &ScalarKind),
    (other, theirs): (ExprId, &ScalarKind),
    differs: ExprId,
) -> ExprId {
    let (ScalarKind::Float(mine), ScalarKind::Float(theirs)) = (mine, theirs) else { return differs };
    let (mine, theirs) = (float_format(*mine), float_format(*theirs));
    let wide = if exprs.width(one) >= exprs.width(other) { mine } else { theirs };
    let one = if mine == wide { one } else { exprs.float_to_float(mine, wide, one) };
    let other = if theirs == wide { other } else { exprs.float_to_float(theirs, wide, other) };
    let less = exprs.float_compare(FloatCompare::Lt, wide, one, other);
    let greater = exprs.float_compare(FloatCompare::Lt, wide, other, one);
    let unequal = exprs.or(less, greater);
    exprs.and(differs, unequal)
}

/// When two floating-point numbers differ: no two NaNs do.
fn floats_differ(
    exprs: &mut Exprs,
    format: FloatFormat,
    one: ExprId,
    other: ExprId,
    tolerance: Option<f64>,
) -> ExprId {
    let same = exprs.float_same(format, one, other);
    let differ = exprs.not(same);
    let Some(tolerance) = tolerance else { return differ };
    let bits = u128::from(tolerance.to_bits());
    let limit = exprs.constant(
        incise_solver::concrete::float_to_float(FloatFormat::Double, format, bits),
        exprs.width(one),
    );
    let distance = exprs.float_binary(FloatBinary::Sub, format, one, other);
    let distance = exprs.float_abs(format, distance);
    // Of infinities that are not equal, and of a number and NaN, the distance is no number.
    let near = exprs.float_compare(FloatCompare::Le, format, distance, limit);
    let equal = exprs.float_compare(FloatCompare::Eq, format, one, other);
    let close = exprs.or(near, equal);
    let far = exprs.not(close);
    exprs.and(differ, far)
}

impl Side<'_> {
    /// Whether something is a lock: what it holds is nobody's business but that of the functions for it.
    fn is_lock(&self, thing: &Thing) -> bool {
        let program = self.machine.program;
        let mut named = program.globals.iter().filter(|(_, global)| global.name == thing.symbol);
        let declared = named.next().and_then(|(_, global)| global.debug_type);
        thing.seen == Seen::Global && declared.is_some_and(|ty| is_lock(program, ty))
    }

    /// The names of global variables and input objects that a path wrote.
    fn written(&self, state: &State) -> BTreeSet<String> {
        let machine = &self.machine;
        let written = |slot: Slot| state.memory.object(slot).is_some_and(|object| object.written);
        let globals = machine.program.globals.iter().filter(|(id, global)| {
            !global.constant && !global.model && written(machine.decider.constants.globals[id.index()])
        });
        let mut names: BTreeSet<String> = globals.map(|(_, global)| global.name.clone()).collect();
        for input in state.inputs.iter_newest_first() {
            if let (InputOrigin::Pointee { .. }, Some(slot)) = (&input.origin, input.slot)
                && written(slot)
            {
                names.insert(input.name.clone());
            }
        }
        names
    }

    /// What a path leaves behind.
    fn things(
        &mut self,
        session: &mut Session,
        ended: &mut Ended,
        written: &BTreeSet<String>,
        visible: Visible,
    ) -> Vec<Thing> {
        let mut things = Vec::new();
        if visible.result {
            things.extend(self.result(session, &ended.state));
        }
        let state = &ended.state;
        let machine = &self.machine;
        // Nobody sees the variables of a program that has ended.
        let is_main = machine.decider.natives.is_main(self.entry);
        for (id, global) in machine.program.globals.iter() {
            if is_main
                || !visible.globals
                || global.constant
                || global.model
                || !written.contains(&global.name)
            {
                continue;
            }
            let shape = global
                .debug_type
                .and_then(|ty| Shape::of_debug_type(machine.program, ty))
                .unwrap_or_else(|| Shape::of_type(machine.program, global.ty));
            let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let slot = machine.decider.constants.globals[id.index()];
            if let Some(bytes) = bytes(&mut session.exprs, state, slot) {
                let symbol = global.name.clone();
                things.push(Thing { symbol, name, seen: Seen::Global, shape, bytes });
            }
        }
        for input in state.inputs.to_vec() {
            let (InputOrigin::Pointee { .. }, Some(slot)) = (&input.origin, input.slot) else { continue };
            if !visible.memory || is_main || !written.contains(&input.name) {
                continue;
            }
            if let Some(bytes) = bytes(&mut session.exprs, state, slot) {
                let shape = fitted(input.shape.clone(), bytes.len() as u64);
                let (symbol, name) = (input.name.clone(), input.name.clone());
                things.push(Thing { symbol, name, seen: Seen::Memory, shape, bytes });
            }
        }
        things
    }

    /// What the entry returned.
    fn result(&mut self, session: &mut Session, state: &State) -> Option<Thing> {
        let program = self.machine.program;
        let function = &program.functions[self.entry];
        let declared = function.debug_signature.first().copied().flatten();
        let shape = declared.and_then(|ty| Shape::of_debug_type(program, ty));
        if let Some(slot) = self.result_slot {
            let shape = shape?;
            let mut bytes = bytes(&mut session.exprs, state, slot)?;
            bytes.truncate(shape.size() as usize);
            return Some(Thing {
                symbol: String::new(),
                name: String::new(),
                seen: Seen::Result,
                shape,
                bytes,
            });
        }
        let value = state.returned.as_ref()?;
        let mut bytes = Vec::new();
        value_bytes(&mut session.exprs, program, value, function.result, 0, &mut bytes);
        let fits = |shape: &Shape| shape.size() <= bytes.len() as u64;
        let shape = shape.filter(fits).unwrap_or_else(|| Shape::of_type(program, function.result));
        bytes.truncate(shape.size().max(1) as usize);
        Some(Thing { symbol: String::new(), name: String::new(), seen: Seen::Result, shape, bytes })
    }

    /// What a pointer points to, in an object without a name.
    fn pointee(
        &self,
        session: &mut Session,
        state: &State,
        name: &str,
        (target, slot): Typed,
    ) -> Option<Allocated> {
        let bytes = bytes(&mut session.exprs, state, slot)?;
        let program = self.machine.program;
        let element = target.and_then(|ty| Shape::of_debug_type(program, ty));
        let element = element.filter(|element| element.size() > 0).unwrap_or(Shape::Bytes(1));
        let shape = of_elements(&element, bytes.len() as u64);
        let (symbol, name) = (name.to_owned(), name.to_owned());
        Some(Allocated { thing: Thing { symbol, name, seen: Seen::Memory, shape, bytes }, element })
    }
}

/// Whether an object is too large to be compared byte by byte.
fn is_huge(state: &State, slot: Slot) -> bool {
    /// The bytes of an object that are compared.
    const MOST_BYTES: u64 = 1 << 20;
    state.memory.object(slot).is_some_and(|object| object.size > MOST_BYTES)
}

fn bytes(exprs: &mut Exprs, state: &State, slot: Slot) -> Option<Vec<Byte>> {
    let object = state.memory.object(slot)?.clone();
    Some((0..object.size).map(|offset| object.read_byte(exprs, offset)).collect())
}

/// The bytes of a value in a register, as it lies in memory.
fn value_bytes(
    exprs: &mut Exprs,
    program: &incise_ir::Program,
    value: &Value,
    ty: incise_ir::TypeId,
    offset: u64,
    into: &mut Vec<Byte>,
) {
    if let Value::Aggregate(elements) = value {
        for (index, element) in elements.iter().enumerate() {
            let (Some(at), Some(inner)) =
                (program.types.offset_of(ty, index as u64), program.types.element_type(ty, index as u64))
            else {
                continue;
            };
            value_bytes(exprs, program, element, inner, offset + at, into);
        }
        return;
    }
    let width = program.types.scalar_bits(ty).unwrap_or(0);
    let size = u64::from(width.div_ceil(8));
    into.resize((offset + size).max(into.len() as u64) as usize, Byte::Uninitialised);
    let cells = &mut into[offset as usize..(offset + size) as usize];
    match value {
        Value::Symbolic(expr) => {
            let whole = exprs.zext(*expr, width.div_ceil(8) * 8);
            for (index, cell) in cells.iter_mut().enumerate() {
                *cell = Byte::Part { expr: whole, byte: index as u8 };
            }
        }
        Value::Word(_) | Value::Wide(_) => {
            let bits = value.as_concrete().unwrap_or(0);
            for (index, cell) in cells.iter_mut().enumerate() {
                *cell = Byte::Concrete((bits >> (8 * index)) as u8);
            }
        }
        Value::Aggregate(_) | Value::Undefined => {}
    }
}
