//! What happens from a state on, as far as it matters to what came before it: the accesses of what follows.
//!
//! An access knows some of what was known at the state: all that comes before where some threads stood there, and what
//! had been released to some objects. So whoever comes to the state in another way can tell which of its events nothing
//! orders before the access. Of accesses that differ in nothing else those that know least stand for the others.

use crate::memory::Slot;
use crate::threads::event::{Footprint, Kind, Mode, Touch, Waits};
use incise_ir::{AtomicOrdering, LocationId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Something that a thread does, or that it waits for.
#[derive(Clone)]
pub(super) struct Access {
    pub(super) thread: u32,
    pub(super) touch: Touch,
    /// What it waits for on the object that it touches.
    pub(super) waits: Option<Waits>,
    /// Whether the program ends with it.
    pub(super) ends: bool,
    /// Whether it is only looked at, to see if its thread waits.
    pub(super) looks: bool,
}

/// What makes accesses different from each other.
#[derive(PartialEq, Eq, Hash)]
struct Look {
    thread: u32,
    place: (Slot, Option<u64>, u64),
    mode: Mode,
    kind: Kind,
    ordering: Option<AtomicOrdering>,
    flags: [bool; 4],
    waits: Option<Waits>,
    location: Option<LocationId>,
}

impl Look {
    fn of(access: &Access) -> Self {
        Self::new(access.thread, &access.touch, access.waits, [access.ends, access.looks])
    }

    fn new(thread: u32, touch: &Touch, waits: Option<Waits>, [ends, looks]: [bool; 2]) -> Self {
        Self {
            thread,
            place: (touch.slot, touch.offset, touch.size),
            mode: touch.mode,
            kind: touch.kind,
            ordering: touch.ordering,
            flags: [touch.synchronises, touch.in_block, ends, looks],
            waits,
            // Synchronisation is no data race, wherever it is.
            location: touch.location.filter(|_| !touch.synchronises && !ends && !looks),
        }
    }
}

/// What is known of a state.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(super) struct Knowledge {
    /// All that comes before where these stand.
    pub(super) threads: Vec<u32>,
    /// What these operations would get to know; the numbers of accesses.
    pub(super) acquired: Vec<u32>,
}

fn is_within<T: Ord>(one: &[T], other: &[T]) -> bool {
    one.iter().all(|item| other.binary_search(item).is_ok())
}

fn add<T: Ord + Copy>(items: &mut Vec<T>, more: &[T]) {
    for item in more {
        if let Err(at) = items.binary_search(item) {
            items.insert(at, *item);
        }
    }
}

impl Knowledge {
    fn of(thread: u32) -> Self {
        Self { threads: vec![thread], acquired: Vec::new() }
    }

    fn is_within(&self, other: &Self) -> bool {
        is_within(&self.threads, &other.threads) && is_within(&self.acquired, &other.acquired)
    }

    fn add(&mut self, other: &Self) {
        add(&mut self.threads, &other.threads);
        add(&mut self.acquired, &other.acquired);
    }
}

/// Accesses with what they know: numbers of both, in order.
pub(super) type Followed = (u32, u32);

/// What follows a state: its next events, and what follows those. Only where somebody comes to the state again it is
/// worked out which accesses these are.
#[derive(Clone, Default)]
pub(super) struct Summary {
    /// The accesses of the next events.
    pub(super) next: Vec<Followed>,
    /// The effects of the next events, and the numbers of the summaries of the states behind them.
    pub(super) behind: Vec<(u32, u32)>,
    /// All accesses, once somebody asked.
    all: Option<Rc<[Followed]>>,
}

impl Summary {
    /// Of a state from which nobody goes on.
    pub(super) fn of(pending: Vec<Followed>) -> Self {
        Self { next: pending, ..Self::default() }
    }
}

/// All accesses, all that was known of states and all summaries, each once.
#[derive(Default)]
pub(super) struct Tables {
    summaries: Vec<Summary>,
    accesses: Vec<Access>,
    access_numbers: FxHashMap<Look, u32>,
    knowledge: Vec<Knowledge>,
    knowledge_numbers: FxHashMap<Knowledge, u32>,
    effects: Vec<Effect>,
    effect_numbers: FxHashMap<EffectLook, u32>,
    /// What is known behind an event, in words of the state before it.
    before: FxHashMap<(u32, u32), u32>,
}

/// What an event does to what is known.
struct Effect {
    thread: u32,
    created: Vec<u32>,
    /// What it does that others may get to know by.
    passing: Vec<Touch>,
    /// What is known before the event by all that it does.
    whole: Knowledge,
    /// Whether nobody gets to know anything by it, and it starts nobody and waits for nobody.
    is_plain: bool,
}

/// What makes the effects of events different from each other: the threads whose ends they waited for, those that they
/// started, and what they touch that others may get to know by.
#[derive(PartialEq, Eq, Hash)]
struct EffectLook {
    thread: u32,
    joined: Vec<u32>,
    created: Vec<u32>,
    passing: Vec<u32>,
}

/// An event, as far as it is summarised.
pub(super) struct Happened<'e> {
    pub(super) thread: u32,
    pub(super) footprint: &'e Footprint,
    /// The threads whose ends it waited for, and those that it started.
    pub(super) joined: &'e [u32],
    pub(super) created: &'e [u32],
}

impl Tables {
    pub(super) fn access(&self, number: u32) -> &Access {
        &self.accesses[number as usize]
    }

    pub(super) fn knowledge(&self, number: u32) -> &Knowledge {
        &self.knowledge[number as usize]
    }

    /// Adds what is known of a state, whole or not: its number.
    pub(super) fn add(&mut self, summary: Summary) -> u32 {
        self.summaries.push(summary);
        self.summaries.len() as u32 - 1
    }

    /// The accesses of what follows a state.
    pub(super) fn all_that_follows(&mut self, number: u32) -> Rc<[Followed]> {
        // Executions are long: what is behind is worked out first, without going deep.
        let mut work = vec![number];
        while let Some(&last) = work.last() {
            let summary = &self.summaries[last as usize];
            let open = |&(_, behind): &(u32, u32)| self.summaries[behind as usize].all.is_none();
            let before = work.len();
            if summary.all.is_none() {
                let open: Vec<u32> = summary.behind.iter().filter(|it| open(it)).map(|it| it.1).collect();
                work.extend(open);
            }
            if work.len() > before {
                continue;
            }
            work.pop();
            if summary.all.is_none() {
                let all = self.worked_out(last);
                self.summaries[last as usize].all = Some(all);
            }
        }
        self.summaries[number as usize].all.clone().unwrap_or_default()
    }

    fn worked_out(&mut self, number: u32) -> Rc<[Followed]> {
        let Summary { mut next, behind, .. } = self.summaries[number as usize].clone();
        next.sort_unstable();
        next.dedup();
        let mut found = self.without_weaker(next);
        for &(effect, number) in &behind {
            let entries = self.summaries[number as usize].all.clone().unwrap_or_default();
            if self.effects[effect as usize].is_plain {
                // What was known is known by the same.
                let known = |entry: &Followed| entries.binary_search(entry).is_ok();
                if behind.len() == 1 && found.iter().all(known) {
                    return entries;
                }
                found = self.joined(&found, &entries);
                continue;
            }
            let before = self.before_event(effect, &entries);
            found = self.joined(&found, &before);
        }
        found.into()
    }

    fn number_of(&mut self, look: Look, access: impl FnOnce() -> Access) -> u32 {
        let Self { accesses, access_numbers, .. } = self;
        *access_numbers.entry(look).or_insert_with(|| {
            accesses.push(access());
            accesses.len() as u32 - 1
        })
    }

    fn number_of_knowledge(&mut self, knowledge: Knowledge) -> u32 {
        if let Some(&number) = self.knowledge_numbers.get(&knowledge) {
            return number;
        }
        let number = self.knowledge.len() as u32;
        self.knowledge.push(knowledge.clone());
        self.knowledge_numbers.insert(knowledge, number);
        number
    }

    /// What a thread that stands at a state is about to do.
    pub(super) fn pending(&mut self, access: Access) -> Followed {
        let known = Knowledge::of(access.thread);
        (self.number_of(Look::of(&access), || access), self.number_of_knowledge(known))
    }

    /// The accesses of an event, as they are before it, and the number of its effect; `waits` tells what each waits
    /// for.
    pub(super) fn of_event(
        &mut self,
        event: &Happened<'_>,
        waits: impl Fn(&Touch) -> Option<Waits>,
    ) -> (Vec<Followed>, u32) {
        let thread = event.thread;
        let mut whole = Knowledge::of(thread);
        add(&mut whole.threads, event.joined);
        let mut found = Vec::with_capacity(event.footprint.touches.len());
        let mut known = self.number_of_knowledge(whole.clone());
        let mut passing = Vec::new();
        for touch in &event.footprint.touches {
            let plain = || Touch { value: None, before: None, after: None, ..touch.clone() };
            let waits = waits(touch);
            let look = Look::new(thread, touch, waits, [false; 2]);
            let access = || Access { thread, touch: plain(), waits, ends: false, looks: false };
            let number = self.number_of(look, access);
            found.push((number, known));
            // A write ends what others would get to know of earlier ones.
            if touch.is_atomic() || touch.mode != Mode::Read {
                passing.push(number);
            }
            if touch.is_atomic() && touch.acquires() {
                add(&mut whole.acquired, &[number]);
                known = self.number_of_knowledge(whole.clone());
            }
        }
        let (joined, created) = (event.joined.to_vec(), event.created.to_vec());
        let look = EffectLook { thread, joined, created, passing };
        let Self { effects, accesses, .. } = self;
        let effect = *self.effect_numbers.entry(look).or_insert_with_key(|look| {
            let touches = look.passing.iter().map(|&number| accesses[number as usize].touch.clone());
            let (passing, created): (Vec<Touch>, _) = (touches.collect(), look.created.clone());
            // Plain data may lie where atomic data lay: that ends what others would get to know.
            let is_plain = passing.is_empty() && created.is_empty() && look.joined.is_empty();
            effects.push(Effect { thread, created, passing, whole, is_plain });
            effects.len() as u32 - 1
        });
        (found, effect)
    }

    /// The accesses of what follows a state, and so of what follows the event that leads to it, in words of the state
    /// before the event.
    fn before_event(&mut self, effect: u32, entries: &[Followed]) -> Vec<Followed> {
        let mut found = Vec::with_capacity(entries.len());
        for &(access, known) in entries {
            let before = match self.before.get(&(effect, known)) {
                Some(&before) => before,
                None => {
                    let before = self.known_before(effect, known);
                    self.before.insert((effect, known), before);
                    before
                }
            };
            found.push((access, before));
        }
        // They are nearly in order.
        found.sort();
        found
    }

    /// What is known behind an event, in words of the state before it: never more than that.
    fn known_before(&mut self, effect: u32, known: u32) -> u32 {
        let effect = &self.effects[effect as usize];
        let behind = &self.knowledge[known as usize];
        let own = |thread: &u32| *thread == effect.thread || effect.created.contains(thread);
        let mut before = Knowledge::default();
        let mut knows_event = behind.threads.iter().any(own);
        before.threads.extend(behind.threads.iter().filter(|thread| !own(thread)));
        for &number in &behind.acquired {
            let access = &self.accesses[number as usize];
            let (released, goes_on) = passes(&access.touch, &effect.passing);
            knows_event |= released;
            before.acquired.extend(goes_on.then_some(number));
        }
        if knows_event {
            before.add(&effect.whole);
        }
        self.number_of_knowledge(before)
    }

    /// Both, in order, without those that know more than others that are alike.
    fn joined(&self, one: &[Followed], other: &[Followed]) -> Vec<Followed> {
        let mut all = Vec::with_capacity(one.len() + other.len());
        let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
        loop {
            let next = match (one.peek(), other.peek()) {
                (Some(first), Some(second)) if first <= second => one.next(),
                (Some(_), None) => one.next(),
                (_, Some(_)) => other.next(),
                (None, None) => break,
            };
            all.extend(next.filter(|&next| all.last() != Some(next)));
        }
        self.without_weaker(all)
    }

    fn without_weaker(&self, all: Vec<Followed>) -> Vec<Followed> {
        if all.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return all;
        }
        let mut found: Vec<Followed> = Vec::with_capacity(all.len());
        for group in all.chunk_by(|one, other| one.0 == other.0) {
            let least = |&entry: &Followed| {
                let knowledge = self.knowledge(entry.1);
                let mut others = group.iter().filter(|&&other| other != entry);
                !others.any(|&(_, other)| self.knowledge(other).is_within(knowledge))
            };
            found.extend(group.iter().copied().filter(least));
        }
        found
    }
}

/// Whether an operation that comes right behind an event would get to know of it; and whether it would get to know
/// what came before. As the history has it, and less where that is not simple.
fn passes(acquires: &Touch, touches: &[Touch]) -> (bool, bool) {
    for other in touches.iter().rev() {
        if acquires.synchronises {
            if !other.synchronises || (other.slot, other.offset) != (acquires.slot, acquires.offset) {
                continue;
            }
            if acquires.follows(other) {
                return (true, (other.kind, other.mode) != (Kind::Unlock, Mode::Write));
            }
            continue;
        }
        if !other.overlaps(acquires) || other.mode == Mode::Read || other.synchronises {
            continue;
        }
        return (other.releases(), other.kind == Kind::Update);
    }
    (false, true)
}
