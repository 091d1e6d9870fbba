//! The events of the current execution, and which of them touched what: dependence and races between them.

use super::event::{Footprint, Guard, Kind, Mode, Touch, Waits, Ways};
use crate::memory::Slot;
use incise_ir::LocationId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How many events of each thread come before something.
pub(super) type Clock = Vec<u32>;

/// Puts a clock forward to what another one says.
pub(super) fn join(clock: &mut Clock, other: &[u32]) {
    if clock.len() < other.len() {
        clock.resize(other.len(), 0);
    }
    for (mine, &theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(theirs);
    }
}

fn at(clock: &[u32], thread: u32) -> u32 {
    clock.get(thread as usize).copied().unwrap_or(0)
}

/// Something that happened, in the current execution.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) thread: u32,
    /// Its number among those of its thread, from 1.
    pub(super) number: u32,
    pub(super) footprint: Rc<Footprint>,
    pub(super) ways: Ways,
    /// What it had to wait for.
    pub(super) guard: Option<Guard>,
    /// What comes before it in any order: its thread's last event, what started, ended or woke threads.
    pub(super) base: Clock,
    /// What comes before it by dependence.
    pub(super) clock: Clock,
    /// What comes before it by synchronisation.
    pub(super) order: Clock,
    /// What would come before, had the thread a fence.
    pub(super) fenced: Clock,
    /// The events that it could come before.
    pub(super) races: Vec<usize>,
    /// Whether it is a read of a loop that may wait, so that a race is one only if it need not wait there.
    pub(super) awaits: bool,
    /// Whether what it found alone told that it need not.
    pub(super) plain: bool,
    /// Whether it is such a read before what the loop waits for.
    pub(super) ahead: bool,
    pub(super) location: Option<LocationId>,
    pub(super) created: Vec<u32>,
    /// The threads for whose ends it waited.
    pub(super) joined: Vec<u32>,
    /// The number of what it does to what is known, where states are matched.
    pub(super) effect: u32,
}

/// What is known of an event before it is placed among others.
pub(super) struct Fresh {
    pub(super) thread: u32,
    pub(super) footprint: Rc<Footprint>,
    pub(super) ways: Ways,
    pub(super) guard: Option<Guard>,
    pub(super) joined: Vec<u32>,
    pub(super) woken: Option<(u32, u32)>,
    pub(super) created: Vec<u32>,
    /// Whether there were fences: before it, and any that releases.
    pub(super) fences: (bool, bool),
    pub(super) awaits: bool,
    pub(super) plain: bool,
    pub(super) ahead: bool,
    pub(super) location: Option<LocationId>,
}

#[derive(Copy, Clone, Debug)]
struct Entry {
    event: u32,
    touch: u32,
}

/// A thread that reads under a lock, as the list of what it did there is gone through from its end.
struct ReadHolder {
    thread: u32,
    /// How often it gave the lock back more than it took it, and the least so far.
    balance: i32,
    least: i32,
    /// Where it took the lock that it did not have before.
    first: Option<usize>,
}

/// A thread that has the lock may take it once more: only before it has it at all, others need not wait for it.
fn note_reader(readers: &mut Vec<ReadHolder>, thread: u32, index: usize, kind: Kind) {
    let at = readers.iter().position(|reader| reader.thread == thread).unwrap_or_else(|| {
        readers.push(ReadHolder { thread, balance: 0, least: 1, first: None });
        readers.len() - 1
    });
    let reader = &mut readers[at];
    reader.balance += if kind == Kind::ReadLock { -1 } else { 1 };
    if kind == Kind::ReadLock && reader.balance < reader.least && reader.balance <= 0 {
        (reader.least, reader.first) = (reader.balance, Some(index));
    }
}

/// The list of accesses that may be anywhere in an object.
const WHOLE: u64 = u64::MAX;
/// An access of more bytes is taken for one of the whole object.
const LARGE: u64 = 128;

/// Most accesses conflict with no more than so many.
const FEW: usize = 12;

/// The current execution.
#[derive(Default)]
pub(super) struct History {
    pub(super) events: Vec<Event>,
    lists: FxHashMap<(Slot, u64), Vec<Entry>>,
    cells: FxHashMap<Slot, Vec<u64>>,
    /// The events of each thread.
    of_thread: Vec<Vec<usize>>,
    /// The event that started each thread.
    started: FxHashMap<u32, usize>,
}

/// The lists that an access belongs to.
fn lists(touch: &Touch) -> std::ops::RangeInclusive<u64> {
    match touch.offset {
        // The objects of synchronisation do not overlap.
        Some(offset) if touch.synchronises => offset >> 3..=offset >> 3,
        Some(offset) if touch.size <= LARGE => offset >> 3..=(offset + touch.size.max(1) - 1) >> 3,
        _ => WHOLE..=WHOLE,
    }
}

impl History {
    /// Whether one event comes before another by dependence.
    pub(super) fn before(&self, one: usize, other: usize) -> bool {
        let event = &self.events[one];
        at(&self.events[other].clock, event.thread) >= event.number
    }

    /// Whether an event comes before something with that clock.
    pub(super) fn within(&self, one: usize, clock: &[u32]) -> bool {
        let event = &self.events[one];
        at(clock, event.thread) >= event.number
    }

    /// The last event of a thread, or that which started it.
    fn last(&self, thread: u32) -> Option<usize> {
        let own = self.of_thread.get(thread as usize).and_then(|events| events.last());
        own.or_else(|| self.started.get(&thread)).copied()
    }

    /// The last events of all threads.
    pub(super) fn last_of_each(&self) -> impl Iterator<Item = usize> {
        self.of_thread.iter().filter_map(|events| events.last().copied())
    }

    /// The clocks of what comes before the next event of a thread in any order: by dependence and by synchronisation.
    pub(super) fn base(&self, thread: u32, joined: &[u32], woken: Option<(u32, u32)>) -> (Clock, Clock) {
        let last = self.last(thread).map(|index| &self.events[index]);
        let (mut base, mut order) =
            last.map_or_else(Default::default, |event| (event.clock.clone(), event.order.clone()));
        let mut add = |index: Option<usize>| {
            if let Some(event) = index.map(|index| &self.events[index]) {
                join(&mut base, &event.clock);
                join(&mut order, &event.order);
            }
        };
        joined.iter().for_each(|&other| add(self.last(other)));
        if let Some((by, number)) = woken {
            let index =
                self.of_thread.get(by as usize).and_then(|all| all.get((number as usize).checked_sub(1)?));
            // A signal orders nothing: its mutex does.
            if let Some(event) = index.map(|&index| &self.events[index]) {
                join(&mut base, &event.clock);
            }
        }
        (base, order)
    }

    /// Adds what happened; says which earlier accesses nothing orders before it.
    pub(super) fn push(&mut self, fresh: Fresh, look_for_races: bool) -> Vec<(usize, usize, usize)> {
        let Fresh {
            thread,
            footprint,
            ways,
            guard,
            joined,
            woken,
            created,
            fences,
            awaits,
            plain,
            ahead,
            location,
        } = fresh;
        // A lock that its owner takes once more does not wait: it comes before or after what others look for there.
        let again = |touch: &Touch| {
            let waits = guarded(guard.as_ref(), touch).filter(|waits| !matches!(waits, Waits::Round(_)));
            waits.is_some_and(|waits| touch.before.is_some_and(|word| !waits.holds(word)))
        };
        let guard = if footprint.touches.iter().any(again) { None } else { guard };
        let (base, mut order) = self.base(thread, &joined, woken);
        if fences.0
            && let Some(last) = self.last(thread)
        {
            join(&mut order, &self.events[last].fenced.clone());
        }
        let mut fenced = self.last(thread).map_or_else(Vec::new, |last| self.events[last].fenced.clone());
        let mut unordered = Vec::new();
        let mut partners: Vec<usize> = Vec::with_capacity(FEW);
        let mut waited: Vec<usize> = Vec::new();
        let mut clock = base.clone();
        for (index, touch) in footprint.touches.iter().enumerate() {
            let found = self.conflicts(touch);
            for &(event, _) in &found {
                if !self.within(event, &clock) {
                    join(&mut clock, &self.events[event].clock);
                }
            }
            if look_for_races && !touch.synchronises && touch.kind != Kind::Free {
                unordered.extend(self.unordered(thread, touch, &found, &order).map(|(a, b)| (a, b, index)));
            }
            match guarded(guard.as_ref(), touch) {
                // Nobody leaves a barrier before all have come.
                Some(Waits::Round(_)) => {}
                Some(waits) => {
                    waited.extend(self.before_waiting(touch, &base, |word| waits.holds(word)));
                }
                None => partners.extend(found.iter().map(|&(event, _)| event)),
            }
            self.acquire(touch, &mut order, &mut fenced);
        }
        if footprint.ends {
            partners.extend(self.last_of_each());
        }
        let mut races = self.immediate(partners, &base);
        for &event in &races {
            join(&mut clock, &self.events[event].clock);
        }
        waited.retain(|event| !races.contains(event));
        races.extend(waited);
        let number = self.of_thread.get(thread as usize).map_or(0, Vec::len) as u32 + 1;
        for clock in [&mut clock, &mut order] {
            if clock.len() <= thread as usize {
                clock.resize(thread as usize + 1, 0);
            }
            clock[thread as usize] = number;
        }
        self.events.push(Event {
            thread,
            number,
            footprint,
            ways,
            guard,
            base,
            clock,
            order,
            fenced,
            races,
            awaits,
            plain,
            ahead,
            location,
            created,
            joined,
            effect: 0,
        });
        self.enter_lists();
        unordered
    }

    fn enter_lists(&mut self) {
        let index = self.events.len() - 1;
        let Self { events, lists: all, cells, of_thread, started } = self;
        let event = &events[index];
        for (number, touch) in event.footprint.touches.iter().enumerate() {
            for cell in lists(touch) {
                let list = all.entry((touch.slot, cell)).or_default();
                if list.is_empty() {
                    let known = cells.entry(touch.slot).or_default();
                    if !known.contains(&cell) {
                        known.push(cell);
                    }
                }
                list.push(Entry { event: index as u32, touch: number as u32 });
            }
        }
        if of_thread.len() <= event.thread as usize {
            of_thread.resize_with(event.thread as usize + 1, Vec::new);
        }
        of_thread[event.thread as usize].push(index);
        for &thread in &event.created {
            started.insert(thread, index);
        }
    }

    /// The events after one that do not depend on it, and would so come before it or beside it.
    pub(super) fn beside(&self, earlier: usize) -> impl Iterator<Item = usize> {
        let (thread, number) = (self.events[earlier].thread, self.events[earlier].number);
        let later = earlier + 1..self.events.len();
        later.filter(move |&index| at(&self.events[index].clock, thread) < number)
    }

    /// Takes the last event back.
    pub(super) fn pop(&mut self) {
        let Some(event) = self.events.pop() else { return };
        let index = self.events.len() as u32;
        for touch in &event.footprint.touches {
            for cell in lists(touch) {
                if let Some(list) = self.lists.get_mut(&(touch.slot, cell)) {
                    while list.last().is_some_and(|entry| entry.event == index) {
                        list.pop();
                    }
                }
            }
        }
        self.of_thread[event.thread as usize].pop();
        for thread in &event.created {
            self.started.remove(thread);
        }
    }

    fn touch(&self, entry: Entry) -> &Touch {
        &self.events[entry.event as usize].footprint.touches[entry.touch as usize]
    }

    /// The lists in which accesses are that may overlap with one.
    fn lists_beside(&self, touch: &Touch) -> impl Iterator<Item = u64> {
        let own = lists(touch);
        let all = own == (WHOLE..=WHOLE);
        let every = self.cells.get(&touch.slot).filter(|_| all).map_or(&[][..], Vec::as_slice);
        let some = (!all).then(|| own.chain(std::iter::once(WHOLE)));
        every.iter().copied().chain(some.into_iter().flatten())
    }

    /// The accesses that conflict with one, back to the last that hides what was before: event and number.
    pub(super) fn conflicts(&self, touch: &Touch) -> Vec<(usize, usize)> {
        let mut found = Vec::with_capacity(FEW);
        for cell in self.lists_beside(touch) {
            let Some(list) = self.lists.get(&(touch.slot, cell)) else { continue };
            for &entry in list.iter().rev() {
                let other = self.touch(entry);
                if other.conflicts(touch) {
                    found.push((entry.event as usize, entry.touch as usize));
                    if other.mode == Mode::Write && other.covers(touch) {
                        break;
                    }
                }
            }
        }
        found
    }

    /// All earlier accesses that conflict with one, the latest first.
    pub(super) fn all_conflicts(&self, touch: &Touch) -> Vec<usize> {
        let mut found = Vec::new();
        for cell in self.lists_beside(touch) {
            let Some(list) = self.lists.get(&(touch.slot, cell)) else { continue };
            let conflicting = list.iter().rev().filter(|&&entry| self.touch(entry).conflicts(touch));
            found.extend(conflicting.map(|entry| entry.event as usize));
        }
        found.sort_unstable_by(|one, two| two.cmp(one));
        found.dedup();
        found
    }

    /// Of events that conflict with the next one, those that nothing comes between.
    fn immediate(&self, mut partners: Vec<usize>, base: &[u32]) -> Vec<usize> {
        partners.sort_unstable_by(|one, two| two.cmp(one));
        partners.dedup();
        let mut races: Vec<usize> = Vec::new();
        for partner in partners {
            if !self.within(partner, base) && !races.iter().any(|&race| self.before(partner, race)) {
                races.push(partner);
            }
        }
        races
    }

    /// The last events before which an operation that has to wait need not: `holds` tells by the state of its object.
    pub(super) fn before_waiting(
        &self,
        touch: &Touch,
        base: &[u32],
        holds: impl Fn(u64) -> bool,
    ) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut readers: Vec<ReadHolder> = Vec::new();
        for cell in lists(touch) {
            let Some(list) = self.lists.get(&(touch.slot, cell)) else { continue };
            for &entry in list.iter().rev() {
                let (index, other) = (entry.event as usize, self.touch(entry));
                if !other.conflicts(touch) {
                    continue;
                }
                if self.within(index, base) {
                    // What commutes with it may still come before something that does not.
                    if other.mode == Mode::Write { break } else { continue }
                }
                if other.mode == Mode::Share {
                    note_reader(&mut readers, self.events[index].thread, index, other.kind);
                    continue;
                }
                if other.mode == Mode::Write && readers.iter().any(|reader| reader.first.is_some()) {
                    break;
                }
                if other.before.is_none_or(&holds) {
                    found.push(index);
                    if other.mode == Mode::Write {
                        break;
                    }
                }
            }
        }
        found.extend(readers.iter().filter_map(|reader| reader.first));
        found
    }

    /// The accesses that nothing orders before one of data.
    pub(super) fn unordered<'a>(
        &'a self,
        thread: u32,
        touch: &'a Touch,
        found: &'a [(usize, usize)],
        order: &'a [u32],
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        found.iter().copied().filter(move |&(index, number)| {
            let other = &self.events[index].footprint.touches[number];
            self.events[index].thread != thread
                && !other.synchronises
                && other.kind != Kind::Free
                && !(other.is_atomic() && touch.is_atomic())
                && !(other.in_block && touch.in_block)
                && !self.within(index, order)
        })
    }

    /// What synchronises with an access comes before what follows it.
    pub(super) fn acquire(&self, touch: &Touch, order: &mut Clock, fenced: &mut Clock) {
        if touch.synchronises {
            return self.follow(touch, order);
        }
        if !touch.is_atomic() {
            return;
        }
        let sources = if touch.acquires() { order } else { fenced };
        for cell in lists(touch) {
            let Some(list) = self.lists.get(&(touch.slot, cell)) else { continue };
            for &entry in list.iter().rev() {
                let other = self.touch(entry);
                if !other.overlaps(touch) || other.mode == Mode::Read || other.synchronises {
                    continue;
                }
                let event = &self.events[entry.event as usize];
                if other.releases() || other.ordering.is_some() && event.footprint.fenced {
                    join(sources, &event.order);
                }
                // A write ends what earlier ones have released, unless it was an update.
                if other.kind != Kind::Update {
                    break;
                }
            }
        }
    }

    /// What was released to a synchronisation object comes before what follows its taking.
    fn follow(&self, touch: &Touch, order: &mut Clock) {
        if !touch.acquires() {
            return;
        }
        for cell in lists(touch) {
            let Some(list) = self.lists.get(&(touch.slot, cell)) else { continue };
            for &entry in list.iter().rev() {
                let other = self.touch(entry);
                if !other.synchronises || other.offset != touch.offset || !touch.follows(other) {
                    continue;
                }
                join(order, &self.events[entry.event as usize].order);
                // Who unlocks had the lock, after all others.
                if (other.kind, other.mode) == (Kind::Unlock, Mode::Write) {
                    break;
                }
            }
        }
    }
}

/// What an event waits for on the object that it touches.
pub(super) fn guarded(guard: Option<&Guard>, touch: &Touch) -> Option<Waits> {
    if !touch.synchronises {
        return None;
    }
    let here = |slot: Slot, offset: u64| touch.slot == slot && touch.offset == Some(offset);
    match guard? {
        Guard::Object { slot, offset, waits } if here(*slot, *offset) => Some(*waits),
        Guard::Woken { slot, offset, .. } if here(*slot, *offset) => Some(Waits::Mutex),
        _ => None,
    }
}
