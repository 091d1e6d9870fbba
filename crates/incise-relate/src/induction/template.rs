//! What holds whenever two programs come to their loops: which values are still those of the first time, and which of
//! the others move together.
//!
//! A template begins as the two states of the first meeting. Each meeting after a turn is compared with it, and what is
//! different then gets a symbol: it may be anything. Values that moved by the same amount, or by a multiple of it,
//! share one symbol, in one program and across both: `i` and `4 * i`, a counter that goes up and one that goes down,
//! the sum in the old version and in the new. A meeting that shows otherwise takes them apart again. So a template only
//! ever says less, and when a turn leads back to it, it holds for any number of turns.

use super::facts::{self, Fact, Moving};
use super::modes::Mode;
use super::movement::{Factor, Movement, ONCE};
use super::places::{Location, TemplatePlace, frames, put, value_at};
use super::values::{
    Ask, Fresh, addressed, has_base, layout, register_type, same_value, scalar, word, word_around,
};
use incise_exec::Session;
use incise_exec::inside::{Frame, Object, PAGE, Page, Slot, State, Value, mask};
use incise_ir::{BlockId, FunctionId, Id, Program};
use incise_solver::{ExprId, ExprKind, Exprs, FloatCompare, FloatFormat};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Objects that are larger are not generalised as a whole.
const MOST_BYTES: u64 = 4096;
/// An object in which more words change is generalised as a whole.
const MOST_WORDS: usize = 64;
/// So many classes may have different NaNs in them.
const MOST_LOOSE: usize = 3;
/// So many values that do not change are looked at as limits of those that do,
const MOST_FIXED: usize = 12;
/// and so many that something was compared with before.
const MOST_COMPARED: usize = 4;

/// Which facts a template guesses.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Guessing {
    None,
    /// Limits, orders and steps.
    Orders,
    /// These, and which values are never equal to their limits.
    Strict,
    /// These, and how far values are from their limits: for loops that do several elements in a turn.
    Margins,
}

/// Where a state is: the active functions, innermost first, and the next instruction of each.
pub(super) type Position = Vec<(FunctionId, u32)>;

/// A value that moves with others.
#[derive(Clone, Debug)]
struct Member {
    location: Location,
    /// What it was at first; `None` if it was never set.
    origin: Option<ExprId>,
    /// It moves by so much when the first member moves by one.
    factor: Factor,
    /// Whether it is the same number as the first member and not the same bits: they may be different NaNs.
    loose: bool,
}

/// Values that move together. The first member's factor is one.
struct Class {
    width: u32,
    /// If they are floats.
    format: Option<FloatFormat>,
    members: Vec<Member>,
    symbol: ExprId,
}

/// Objects of which every byte may be anything, and which hold the same.
struct Whole {
    members: Vec<(usize, Slot)>,
    words: Vec<(u64, ExprId)>,
}

/// What was found different at a meeting.
struct Changed {
    location: Location,
    width: u32,
    format: Option<FloatFormat>,
    origin: Option<ExprId>,
    now: Option<ExprId>,
}

pub(super) struct Template {
    pub(super) positions: [Position; 2],
    pub(super) mode: Mode,
    first: [Box<State>; 2],
    live: [Vec<bool>; 2],
    classes: Vec<Class>,
    wholes: Vec<Whole>,
    /// The arrays without an end that are written in the loop.
    written: BTreeSet<(usize, Slot)>,
    /// What holds of the values that change.
    facts: Vec<Fact>,
    /// Which facts are guessed.
    guessing: Guessing,
    /// Whether relations are looked for that few pairs of programs need.
    widely: bool,
    pub(super) rounds: u32,
}

/// Where a state is.
pub(super) fn position(state: &State) -> Position {
    frames(state).iter().map(|frame| (frame.code.function, frame.pc)).collect()
}

/// The registers that still matter where a state is.
pub(super) fn live(program: &Program, state: &State) -> Vec<bool> {
    let frame = &state.thread.frame;
    let block = frame.code.block_of[frame.pc.saturating_sub(1) as usize];
    super::cuts::live(program, frame.code.function, BlockId::from_index(block as usize))
}

/// Forgets what registers hold that do not matter any more.
pub(super) fn forget_dead(state: &mut State, live: &[bool]) {
    for (register, live) in state.thread.frame.registers.iter_mut().zip(live) {
        if !live {
            *register = Value::Undefined;
        }
    }
}

impl Template {
    /// From the states of a first meeting, which have the same constraints. What does not matter any more was
    /// forgotten.
    pub(super) fn new(
        mode: Mode,
        live: [Vec<bool>; 2],
        mut first: [Box<State>; 2],
        (guessing, widely): (Guessing, bool),
    ) -> Self {
        let positions = [position(&first[0]), position(&first[1])];
        for state in &mut first {
            state.depth = 0;
            state.instructions = 0;
            state.thread.frame.branch_counts.clear();
        }
        Self {
            positions,
            mode,
            first,
            live,
            classes: Vec::new(),
            wholes: Vec::new(),
            written: BTreeSet::new(),
            facts: Vec::new(),
            guessing,
            widely,
            rounds: 0,
        }
    }

    /// The states that stand for all that the template says. What is the same number in both and not the same bits is
    /// one number, or two NaNs: these are cases of their own.
    pub(super) fn states(
        &self,
        session: &mut Session,
        fresh: &mut Fresh,
    ) -> Result<Vec<[Box<State>; 2]>, String> {
        let loose = |class: &&Class| class.members.iter().any(|member| member.loose);
        let loose = self.classes.iter().filter(loose).count();
        if loose > MOST_LOOSE {
            return Err("many floats that may be different NaNs".into());
        }
        Ok((0..1 << loose).map(|none: u32| self.case(session, fresh, none)).collect())
    }

    /// One case: of the classes with different bits, those whose bit is set are no number.
    fn case(&self, session: &mut Session, fresh: &mut Fresh, mut none: u32) -> [Box<State>; 2] {
        let mut states = [Box::new(self.first[0].fork()), Box::new(self.first[1].fork())];
        for class in &self.classes {
            let loose = class.members.iter().any(|member| member.loose);
            let not_a_number = loose && none & 1 != 0;
            none >>= u32::from(loose);
            let start = class.start(&mut session.exprs);
            let start =
                start.map_or(0, |start| session.solver.evaluate(&session.exprs, start, &states[0].model));
            let exprs = &mut session.exprs;
            let symbol = if not_a_number { fresh.nan(exprs, class.width) } else { class.symbol };
            let mut symbols = vec![symbol];
            for member in &class.members {
                let exprs = &mut session.exprs;
                let value = match member.loose && not_a_number {
                    true => fresh.nan(exprs, class.width),
                    false => class.value(exprs, member, symbol),
                };
                if member.loose && not_a_number {
                    symbols.push(value);
                }
                let value = Value::from_expr(&session.exprs, value);
                let (who, place) = member.location;
                put(session, &mut states[who], place, class.width, &value);
            }
            let mut model = states[0].model.clone();
            for symbol in symbols {
                let value = match (loose, class.format) {
                    (true, Some(format)) => {
                        assume(session, &mut states, (format, symbol, not_a_number), start)
                    }
                    _ => start,
                };
                model = model.with(session.exprs.as_symbol(symbol).map(|symbol| (symbol, value)));
            }
            states.iter_mut().for_each(|state| state.model = model.clone());
        }
        facts::assume(session, &mut states, &self.facts);
        // What arrays without an end hold that the loop writes is the same in both programs, and not known.
        let epoch = fresh.epoch();
        for &(who, slot) in &self.written {
            if let Some(object) = states[who].memory.object_mut(slot) {
                object.version = epoch;
            }
        }
        for whole in &self.wholes {
            for &(who, slot) in &whole.members {
                let Some(object) = states[who].memory.object_mut(slot) else { continue };
                *object = blank(object);
                for &(offset, symbol) in &whole.words {
                    let width = session.exprs.width(symbol);
                    object.write_scalar(&mut session.exprs, offset, width, &Value::Symbolic(symbol));
                }
            }
        }
        states
    }

    /// Compares two states that came here again. True if they are what the template says; else it says less now.
    pub(super) fn admits(
        &mut self,
        session: &mut Session,
        programs: [&Program; 2],
        states: [&State; 2],
        fresh: &mut Fresh,
    ) -> Result<bool, String> {
        let constraints = states[1].constraints.clone();
        let model = states[1].model.clone();
        let mut ask = Ask { session, constraints: &constraints, model: &model, fresh };
        let mut changed = Vec::new();
        let mut whole = Vec::new();
        for who in [0, 1] {
            alike(&self.first[who], states[who])?;
            self.registers(&mut ask, programs[who], who, states[who], &mut changed)?;
            self.objects(&mut ask, programs[who], who, states[who], &mut changed, &mut whole)?;
        }
        for &(who, slot) in &whole {
            let inside = |location: &Location| matches!(*location, (one, TemplatePlace::Word { slot: of, .. }) if one == who && of == slot);
            for class in &mut self.classes {
                class.members.retain(|member| !inside(&member.location));
            }
            changed.retain(|each| !inside(&each.location));
        }
        self.classes.retain(|class| !class.members.is_empty());
        let mut admitted = self.learn(states)? && changed.is_empty() && whole.is_empty();
        for who in [0, 1] {
            admitted &= self.same_arrays(who, states[who]);
        }
        let together = self.refine(&mut ask, states)?;
        admitted &= together;
        admitted &= self.refine_wholes(&mut ask, states);
        admitted &= facts::keep_holding(&mut ask, states, &mut self.facts);
        let more = !changed.is_empty();
        self.generalise(&mut ask, changed)?;
        self.generalise_wholes(&mut ask, programs, states, &whole)?;
        if self.guessing != Guessing::None && (more || !together) {
            self.guess_facts(&mut ask, programs, states)?;
        }
        Ok(admitted)
    }

    /// What outsiders came to know of in a turn they may know of at every meeting. True if that was nothing.
    fn learn(&mut self, states: [&State; 2]) -> Result<bool, String> {
        let new = [0, 1].map(|who| states[who].outside.known_beyond(&self.first[who].outside));
        let ways = |known: &[(Slot, String)]| known.iter().map(|(_, way)| way.clone()).collect::<Vec<_>>();
        if ways(&new[0]) != ways(&new[1]) {
            return Err("what functions without a body know of in a loop is not the same".into());
        }
        let nothing = new[0].is_empty();
        for (state, new) in self.first.iter_mut().zip(new) {
            // Another object may have become known on the same way in another turn.
            let again = |(slot, way): (Slot, String)| (slot, format!("#{}.{way}", self.rounds));
            state.outside.learn(new.into_iter().map(again));
        }
        Ok(nothing)
    }

    /// The first slots of objects that were made after the first meeting.
    pub(super) fn made_since(&self) -> [Slot; 2] {
        [0, 1].map(|who| self.first[who].memory.slots())
    }

    /// Notes the arrays without an end that were written since. True if there are no new ones.
    fn same_arrays(&mut self, who: usize, state: &State) -> bool {
        let first = &self.first[who].memory;
        let known = self.written.len();
        for (slot, object) in first.live().filter(|(_, object)| object.is_endless()) {
            let now = state.memory.object(slot).map(|object| object.version);
            if now != Some(object.version) {
                self.written.insert((who, slot));
            }
        }
        self.written.len() == known
    }

    /// Guesses what holds of the values that change.
    fn guess_facts(
        &mut self,
        ask: &mut Ask<'_>,
        programs: [&Program; 2],
        states: [&State; 2],
    ) -> Result<(), String> {
        let mut moving: Vec<Moving> = Vec::new();
        for class in self.classes.iter().filter(|class| class.format.is_none() && class.width <= 64) {
            let mut known: Vec<(ExprId, Factor)> = Vec::new();
            for member in &class.members {
                let Some(origin) = member.origin.filter(|_| !member.loose) else { continue };
                if known.contains(&(origin, member.factor)) {
                    continue;
                }
                known.push((origin, member.factor));
                let now = current(ask, states, member.location, class.width)?;
                let distance = Movement::new(ask, Some(origin), now)?.distance(ask, class.width);
                let (location, width) = (member.location, class.width);
                moving.push(Moving { location, width, origin, distance });
            }
        }
        let fixed = self.fixed(ask, programs);
        let first = [&*self.first[0], &*self.first[1]];
        for fact in facts::guessed(ask, programs, [first, states], &moving, &fixed, self.guessing) {
            if !self.facts.contains(&fact) {
                self.facts.push(fact);
            }
        }
        Ok(())
    }

    /// The numbers and addresses in the innermost functions that are still what they were.
    fn fixed(&self, ask: &mut Ask<'_>, programs: [&Program; 2]) -> Vec<ExprId> {
        let known = self.generalised();
        let mut found: Vec<ExprId> = Vec::new();
        for who in [0, 1] {
            let state = &self.first[who];
            let frame = &state.thread.frame;
            for (register, value) in frame.registers.iter().enumerate() {
                let live = self.live[who].get(register).copied().unwrap_or(true);
                if !live || known.contains(&(who, TemplatePlace::Register { frame: 0, register })) {
                    continue;
                }
                let ty = register_type(programs[who], frame.code.function, register);
                let Some((width, None)) = ty.filter(|(width, _)| *width <= 64) else { continue };
                let exprs = &mut ask.session.exprs;
                let Ok(Some(expr)) = scalar(exprs, &state.memory, value, width) else { continue };
                if !found.contains(&expr) && found.len() < MOST_FIXED {
                    found.push(expr);
                }
            }
        }
        if self.widely {
            self.compared(&ask.session.exprs, &mut found);
        }
        found
    }

    /// What was compared with something on the way to the loop is a limit as well: it may be in memory.
    fn compared(&self, exprs: &Exprs, found: &mut Vec<ExprId>) {
        let most = found.len() + MOST_COMPARED;
        let constraints = self.first[1].constraints.iter_in_order();
        for mut condition in constraints.into_iter().rev().take(MOST_FIXED) {
            if let ExprKind::Not(negated) = *exprs.kind(condition) {
                condition = negated;
            }
            let ExprKind::Compare(_, one, other) = *exprs.kind(condition) else { continue };
            for side in [one, other] {
                let number = (16..=64).contains(&exprs.width(side)) && exprs.as_constant(side).is_none();
                if number && found.len() < most && !found.contains(&side) && !has_base(exprs, side) {
                    found.push(side);
                }
            }
        }
    }

    fn generalised(&self) -> BTreeSet<Location> {
        self.classes.iter().flat_map(|class| class.members.iter().map(|member| member.location)).collect()
    }

    /// The registers that are no longer what they were at first.
    fn registers(
        &self,
        ask: &mut Ask<'_>,
        program: &Program,
        who: usize,
        state: &State,
        changed: &mut Vec<Changed>,
    ) -> Result<(), String> {
        let known = self.generalised();
        let first = &self.first[who];
        for (index, (before, now)) in frames(first).into_iter().zip(frames(state)).enumerate() {
            for (register, (old, new)) in before.registers.iter().zip(&now.registers).enumerate() {
                let dead = index == 0 && !self.live[who].get(register).copied().unwrap_or(true);
                let location = (who, TemplatePlace::Register { frame: index, register });
                if dead || same_value(old, new) || known.contains(&location) {
                    continue;
                }
                let ty = register_type(program, now.code.function, register);
                let (width, format) = ty.ok_or("a struct in a register changes in a loop")?;
                let exprs = &mut ask.session.exprs;
                let origin = scalar(exprs, &first.memory, old, width)?;
                let now = scalar(exprs, &state.memory, new, width)?;
                if !still(ask, origin, now) {
                    changed.push(Changed { location, width, format, origin, now });
                }
            }
        }
        Ok(())
    }

    /// The words of objects that are no longer what they were at first, and the objects that are to be looked at as a
    /// whole.
    fn objects(
        &self,
        ask: &mut Ask<'_>,
        program: &Program,
        who: usize,
        state: &State,
        changed: &mut Vec<Changed>,
        whole: &mut Vec<(usize, Slot)>,
    ) -> Result<(), String> {
        let first = &self.first[who].memory;
        if (first.slots()..state.memory.slots()).any(|slot| state.memory.object(slot).is_some()) {
            return Err("an object is made in a loop and stays".into());
        }
        let known = self.generalised();
        for slot in 0..first.slots() {
            let (before, now) = match (first.object(slot), state.memory.object(slot)) {
                (Some(before), Some(now)) => (before, now),
                (None, None) => continue,
                _ => return Err("an object is freed in a loop".into()),
            };
            let as_whole = self.wholes.iter().any(|whole| whole.members.contains(&(who, slot)));
            if as_whole || Rc::ptr_eq(before, now) {
                continue;
            }
            let Some(offsets) = before.differing(now) else {
                if !ask.same_contents(before, now) {
                    whole.push((who, slot));
                }
                continue;
            };
            let layout = layout(program, state, slot, now);
            let mut words: BTreeSet<(u64, u32)> = BTreeSet::new();
            let mut ranges: Vec<(u64, u32)> = known
                .iter()
                .filter_map(|location| match *location {
                    (of, TemplatePlace::Word { slot: at, offset, bytes }) if of == who && at == slot => {
                        Some((offset, bytes))
                    }
                    _ => None,
                })
                .collect();
            let covers = |&(start, bytes): &(u64, u32), offset: u64| {
                (start..start + u64::from(bytes)).contains(&offset)
            };
            let mut overlap = false;
            for offset in offsets {
                if ranges.iter().any(|range| covers(range, offset)) {
                    continue;
                }
                let word = word_around(&mut ask.session.exprs, [now, before], &layout, offset);
                let end = word.0 + u64::from(word.1);
                overlap |=
                    ranges.iter().any(|&(start, bytes)| start < end && word.0 < start + u64::from(bytes));
                ranges.push(word);
                words.insert(word);
            }
            if overlap || words.len() > MOST_WORDS {
                whole.push((who, slot));
                continue;
            }
            for (offset, bytes) in words {
                let exprs = &mut ask.session.exprs;
                let origin = word(exprs, before, offset, bytes).map(|expr| addressed(exprs, first, expr));
                let exprs = &mut ask.session.exprs;
                let now = word(exprs, now, offset, bytes).map(|expr| addressed(exprs, &state.memory, expr));
                if !still(ask, origin, now) {
                    let location = (who, TemplatePlace::Word { slot, offset, bytes });
                    let typed = layout.iter().find(|each| each.offset == offset && each.bytes == bytes);
                    let format = typed.and_then(|each| each.format);
                    changed.push(Changed { location, width: bytes * 8, format, origin, now });
                }
            }
        }
        Ok(())
    }

    /// Takes apart what did not move together. True if everything did.
    fn refine(&mut self, ask: &mut Ask<'_>, states: [&State; 2]) -> Result<bool, String> {
        let mut all_together = true;
        let mut refined = Vec::new();
        for class in std::mem::take(&mut self.classes) {
            let mut groups: Vec<Vec<(Member, Movement)>> = Vec::new();
            for mut member in class.members {
                let now = current(ask, states, member.location, class.width)?;
                let movement = Movement::new(ask, member.origin, now)?;
                let strictly = |ask: &mut Ask<'_>, group: &[(Member, Movement)]| {
                    let (first, moved) = &group[0];
                    !member.loose
                        && factor_again(first, &member)
                            .is_some_and(|factor| movement.goes_with(ask, factor, moved))
                };
                let mut group = groups.iter().position(|group| strictly(ask, group));
                if group.is_none() {
                    group =
                        groups.iter().position(|group| movement.is_number(ask, class.format, &group[0].1));
                    all_together &= group.is_none() || member.loose;
                    member.loose = group.is_some();
                }
                match group {
                    Some(index) => groups[index].push((member, movement)),
                    None => groups.push(vec![(member, movement)]),
                }
            }
            all_together &= groups.len() == 1;
            for group in groups {
                let first = group[0].0.clone();
                let members = group.into_iter().map(|(mut member, _)| {
                    member.factor = factor_again(&first, &member).unwrap_or(ONCE);
                    member
                });
                let symbol = ask.fresh.symbol(&mut ask.session.exprs, class.width);
                let (width, format) = (class.width, class.format);
                refined.push(Class { width, format, members: members.collect(), symbol });
            }
        }
        self.classes = refined;
        Ok(all_together)
    }

    /// Takes apart objects that no longer hold the same. True if all still do.
    fn refine_wholes(&mut self, ask: &mut Ask<'_>, states: [&State; 2]) -> bool {
        let mut all_same = true;
        let mut refined: Vec<Whole> = Vec::new();
        for whole in std::mem::take(&mut self.wholes) {
            let mut groups: Vec<Vec<(usize, Slot)>> = Vec::new();
            for (who, slot) in whole.members {
                let object = |(who, slot): (usize, Slot)| states[who].memory.object(slot);
                let group = groups.iter().position(|group| match (object(group[0]), object((who, slot))) {
                    (Some(one), Some(other)) => ask.same_contents(one, other),
                    _ => false,
                });
                match group {
                    Some(index) => groups[index].push((who, slot)),
                    None => groups.push(vec![(who, slot)]),
                }
            }
            all_same &= groups.len() == 1;
            for members in groups {
                let exprs = &mut ask.session.exprs;
                let words = whole.words.iter().map(|&(offset, symbol)| {
                    let width = exprs.width(symbol);
                    (offset, ask.fresh.symbol(exprs, width))
                });
                let words = words.collect();
                refined.push(Whole { members, words });
            }
        }
        self.wholes = refined;
        all_same
    }

    /// Gives symbols to what was found different: one to what moved together.
    fn generalise(&mut self, ask: &mut Ask<'_>, changed: Vec<Changed>) -> Result<(), String> {
        let mut moved = Vec::new();
        for each in changed {
            let movement = Movement::new(ask, each.origin, each.now)?;
            let distance = movement.distance(ask, each.width).map_or(u128::MAX, i128::unsigned_abs);
            let pointer = each.origin.is_some_and(|origin| has_base(&ask.session.exprs, origin));
            moved.push((pointer, distance, each, movement));
        }
        // A class is told by a plain number that moves by little.
        moved.sort_by_key(|(pointer, distance, each, _)| (*pointer, *distance, each.location));
        let mut groups: Vec<(Class, Movement)> = Vec::new();
        for (_, _, each, movement) in moved {
            let (location, origin) = (each.location, each.origin);
            let mut member = Member { location, origin, factor: ONCE, loose: false };
            let alike = |class: &Class| (class.width, class.format) == (each.width, each.format);
            let mut found = None;
            for (index, (class, first)) in groups.iter().enumerate().filter(|(_, (class, _))| alike(class)) {
                if let Some(factor) = movement.factor_to(ask, first, class.width, self.widely) {
                    found = Some((index, factor, false));
                    break;
                }
                if movement.is_number(ask, class.format, first) {
                    found = Some((index, ONCE, true));
                    break;
                }
            }
            match found {
                Some((index, factor, loose)) => {
                    let class = &mut groups[index].0;
                    (member.factor, member.loose) = (factor, loose);
                    if let (ONCE, Some(one), Some(other)) = (factor, class.members[0].origin, member.origin)
                        && ask.equal(one, other)
                    {
                        member.origin = Some(one);
                    }
                    class.members.push(member);
                }
                None => {
                    let symbol = ask.fresh.symbol(&mut ask.session.exprs, each.width);
                    let (width, format) = (each.width, each.format);
                    groups.push((Class { width, format, members: vec![member], symbol }, movement));
                }
            }
        }
        self.classes.extend(groups.into_iter().map(|(class, _)| class));
        Ok(())
    }

    fn generalise_wholes(
        &mut self,
        ask: &mut Ask<'_>,
        programs: [&Program; 2],
        states: [&State; 2],
        whole: &[(usize, Slot)],
    ) -> Result<(), String> {
        let mut groups: Vec<Vec<(usize, Slot)>> = Vec::new();
        for &(who, slot) in whole {
            let objects = |(who, slot): (usize, Slot)| {
                Some((self.first[who].memory.object(slot)?, states[who].memory.object(slot)?))
            };
            let Some((before, now)) = objects((who, slot)) else { continue };
            if now.size > MOST_BYTES {
                return Err("a large object changes in a loop".into());
            }
            let group = groups.iter().position(|group| match objects(group[0]) {
                Some((first, then)) => ask.same_contents(first, before) && ask.same_contents(then, now),
                None => false,
            });
            match group {
                Some(index) => groups[index].push((who, slot)),
                None => groups.push(vec![(who, slot)]),
            }
        }
        for members in groups {
            let (who, slot) = members[0];
            let Some(object) = states[who].memory.object(slot) else { continue };
            let layout = layout(programs[who], states[who], slot, object);
            let exprs = &mut ask.session.exprs;
            let words = layout.into_iter().map(|each| (each.offset, ask.fresh.symbol(exprs, each.bytes * 8)));
            let words = words.collect();
            self.wholes.push(Whole { members, words });
        }
        Ok(())
    }
}

/// The factor of a member when another one becomes the first of its class; `None` if that is no whole number.
fn factor_again(first: &Member, member: &Member) -> Option<Factor> {
    match (first.factor, member.factor) {
        (ONCE, factor) => Some(factor),
        (one, other) if one == other => Some(ONCE),
        (Factor::Times(one), Factor::Times(other)) => {
            (other.checked_rem(one)? == 0).then(|| Factor::Times(other / one))
        }
        _ => None,
    }
}

/// Assumes that a symbol is no number, or that it is one; says which value it may have then.
fn assume(
    session: &mut Session,
    states: &mut [Box<State>; 2],
    (format, symbol, not_a_number): (FloatFormat, ExprId, bool),
    start: u128,
) -> u128 {
    let exprs = &mut session.exprs;
    let none = exprs.float_compare(FloatCompare::Unordered, format, symbol, symbol);
    let holds = if not_a_number { none } else { exprs.not(none) };
    for state in states {
        state.constraints.push(exprs, holds);
    }
    // All bits set are a NaN, and zero is a number.
    let all = mask(format.width());
    let start_expr = exprs.constant(start, format.width());
    let start_none = exprs.float_compare(FloatCompare::Unordered, format, start_expr, start_expr);
    match (not_a_number, exprs.as_constant(start_none)) {
        (true, _) => all,
        (false, Some(0)) => start,
        (false, _) => 0,
    }
}

impl Class {
    /// What the symbol stands for at the first meeting: the first member itself, or how far it moved if it is an
    /// address.
    fn start(&self, exprs: &mut incise_solver::Exprs) -> Option<ExprId> {
        let origin = self.members[0].origin?;
        Some(if has_base(exprs, origin) { exprs.constant(0, self.width) } else { origin })
    }

    /// The value of a member, if the symbol of the class is `symbol`.
    fn value(&self, exprs: &mut incise_solver::Exprs, member: &Member, symbol: ExprId) -> ExprId {
        let (Some(start), Some(origin)) = (self.start(exprs), member.origin) else { return symbol };
        if origin == start && member.factor == ONCE {
            return symbol;
        }
        let moved = exprs.sub(symbol, start);
        let moved = member.factor.of(exprs, moved);
        exprs.add(origin, moved)
    }
}

/// Whether a value is what it was.
fn still(ask: &mut Ask<'_>, before: Option<ExprId>, now: Option<ExprId>) -> bool {
    match (before, now) {
        (None, None) => true,
        (Some(before), Some(now)) if before == now => true,
        // Equal numbers are not enough for pointers: they must be of the same object.
        (Some(before), Some(now)) => {
            let exprs = &ask.session.exprs;
            !has_base(exprs, before) && !has_base(exprs, now) && ask.equal(before, now)
        }
        _ => false,
    }
}

/// What is at a place now.
fn current(
    ask: &mut Ask<'_>,
    states: [&State; 2],
    (who, place): Location,
    width: u32,
) -> Result<Option<ExprId>, String> {
    value_at(&mut ask.session.exprs, states[who], place, width)
}

/// An object like another, of which nothing is known.
fn blank(object: &Object) -> Object {
    let page = Rc::new(Page::zeroed(object.size.min(PAGE) as usize));
    let tail = object.size % PAGE;
    let tail = (object.size > PAGE && tail > 0).then(|| Rc::new(Page::zeroed(tail as usize)));
    let mut blank = Object::filled(object.info.clone(), object.size, page, tail);
    blank.symbolic_size = object.symbolic_size;
    blank.assumed = object.assumed.clone();
    blank
}

/// Whether states are alike but for values.
fn alike(first: &State, state: &State) -> Result<(), String> {
    let same_frame = |(one, other): (&Frame, &Frame)| {
        let arguments = match (&one.variable_arguments, &other.variable_arguments) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            _ => false,
        };
        arguments && one.objects == other.objects
    };
    if !frames(first).into_iter().zip(frames(state)).all(same_frame) {
        return Err("variables are made in a loop".into());
    }
    let leaving = first.exiting.is_some() || state.exiting.is_some();
    let handlers = first.exit_handlers.len() != state.exit_handlers.len();
    if leaving || handlers || !first.parked.is_empty() || !state.parked.is_empty() {
        return Err("what is done when the program ends changes in a loop".into());
    }
    Ok(())
}
