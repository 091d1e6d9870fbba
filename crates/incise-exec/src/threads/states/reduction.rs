//! Which threads go on from a node, where states are matched: persistent sets.
//!
//! Where an event could come before an earlier one, its thread goes on from the node before that one; if it cannot, one
//! that has to go on before it; if there is none, all. So it is with what a known state says that follows it, and with
//! what a thread waits for: that depends on all that it reads in a round of its loop.

use super::summary::{Access, Followed, Happened, Summary, Tables};
use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use crate::threads::Races;
use crate::threads::awaits::may_read_ahead;
use crate::threads::event::{Guard, Kind, Mode, Operation, Touch, Waits};
use crate::threads::explorer::{Explorer, able_threads, leaf};
use crate::threads::history::{Clock, guarded, join};
use crate::threads::races::pair;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The clocks of what comes before something.
pub(super) struct Clocks {
    /// By dependence.
    before: Clock,
    /// By synchronisation.
    order: Clock,
}

/// Those of what is known, by its number, in the current execution.
pub(super) type KnownClocks = FxHashMap<u32, Clocks>;

impl Explorer<'_, '_> {
    /// The last event is new: what it competes with is reversed, and it follows the state before it.
    pub(in crate::threads) fn has_happened(&mut self) {
        let last = self.history.events.len() - 1;
        let event = &self.history.events[last];
        let thread = event.thread;
        if !event.races.is_empty() {
            let (clock, races) = (event.clock.clone(), event.races.clone());
            races.into_iter().for_each(|earlier| self.go_before(earlier, thread, &clock));
        }
        let event = &self.history.events[last];
        let happened =
            Happened { thread, footprint: &event.footprint, joined: &event.joined, created: &event.created };
        let waits = |touch: &Touch| guarded(event.guard.as_ref(), touch);
        let (mut entries, effect) = self.matching.tables.of_event(&happened, waits);
        if event.footprint.ends
            && let Some(node) = self.nodes.last()
        {
            let touch = self.machine.decider.new_touch(&node.state, 0, (Mode::Write, Kind::End));
            let access = Access { thread, touch, waits: None, ends: true, looks: false };
            entries.push(self.matching.tables.pending(access));
        }
        self.history.events[last].effect = effect;
        self.add_entries(&entries);
    }

    /// What follows the state behind the last event follows the one before it.
    pub(super) fn has_followed(&mut self, summary: u32) {
        let Some(effect) = self.history.events.last().map(|event| event.effect) else { return };
        let Some(place) = self.nodes.last_mut().and_then(|node| node.place.as_mut()) else { return };
        place.follows.behind.push((effect, summary));
    }

    /// These are next at the state of the last node.
    fn add_entries(&mut self, entries: &[Followed]) {
        let Some(place) = self.nodes.last_mut().and_then(|node| node.place.as_mut()) else { return };
        place.follows.next.extend_from_slice(entries);
    }

    /// Threads of the last node that may wait in loops: they depend on all that they look at.
    pub(in crate::threads) fn reverse_looks(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        let before = self.nodes.len().checked_sub(2).map(|before| &self.nodes[before].state);
        let mut looks: Vec<(u32, Rc<Operation>, bool)> = Vec::new();
        for thread in node.state.each_live() {
            let Some(operation) = thread.pending.as_ref().filter(|it| reads_of(it).is_some()) else {
                continue;
            };
            let then = before.and_then(|state| state.thread_named(thread.id)?.pending.as_ref());
            let is_new = !then.is_some_and(|then| Rc::ptr_eq(then, operation));
            looks.push((thread.id.0, operation.clone(), is_new));
        }
        for (thread, operation, is_new) in looks {
            if is_new {
                let (base, _) = self.history.base(thread, &[], None);
                for access in looks_of(thread, &operation) {
                    self.reverse_access(&access, &base);
                }
            }
            let entries = self.matching.looks.of(&mut self.matching.tables, thread, &operation);
            self.add_entries(&entries);
        }
    }

    /// Nobody goes on from a state any more, or the program ends there: who waits need not have waited before something
    /// that came earlier. It is the state of the last node if the last event ended the program, else the one behind it.
    fn reverse_waits(&mut self, state: &State, ends: bool) {
        let mut pending = Vec::new();
        for thread in state.live_threads() {
            let looks = thread.pending.iter().flat_map(|operation| looks_of(thread.id.0, operation));
            pending.extend(looks);
            let Some(Operation::When(guard)) = thread.pending.as_deref() else { continue };
            let (slot, offset, waits) = match *guard {
                Guard::Ended(_) | Guard::Change(_) | Guard::Object { waits: Waits::Round(_), .. } => continue,
                Guard::Object { slot, offset, waits } => (slot, offset, waits),
                // Only a signal helps it, and that is no matter of its mutex.
                Guard::Woken { timed: false, .. }
                    if thread.own.as_ref().is_some_and(|own| own.asleep.is_some()) =>
                {
                    continue;
                }
                Guard::Woken { slot, offset, .. } => (slot, offset, Waits::Mutex),
            };
            let mode = if waits == Waits::ReadLock { Mode::Share } else { Mode::Write };
            let touch = self.machine.decider.new_touch(state, slot, (mode, Kind::Lock));
            let touch = Touch { offset: Some(offset), size: 4, synchronises: true, ..touch };
            pending.push(Access {
                thread: thread.id.0,
                touch,
                waits: Some(waits),
                ends: false,
                looks: false,
            });
        }
        let entries = self.reverse_pending(pending);
        match ends {
            true => {
                self.add_entries(&entries);
                if let Some(at) = self.nodes.len().checked_sub(1) {
                    self.go_on_all(at);
                }
            }
            false => {
                let number = self.matching.tables.add(Summary::of(entries));
                self.has_followed(number);
            }
        }
    }

    /// An execution is at its end. `stuck` is where threads wait for ever.
    pub(in crate::threads) fn reverse_at_end(&mut self, stuck: Option<&State>) {
        if let Some(state) = stuck {
            return self.reverse_waits(state, false);
        }
        if self.history.events.last().is_some_and(|event| event.footprint.ends)
            && let Some(state) = self.nodes.last().map(|node| node.state.fork())
        {
            self.reverse_waits(&state, true);
        }
    }

    /// What threads are about to do, or wait for, is reversed with what came before; the entries for it.
    fn reverse_pending(&mut self, pending: Vec<Access>) -> Vec<Followed> {
        let mut entries: Vec<Followed> = Vec::with_capacity(pending.len());
        for access in pending {
            let (base, _) = self.history.base(access.thread, &[], None);
            self.reverse_access(&access, &base);
            entries.push(self.matching.tables.pending(access));
        }
        entries
    }

    /// What follows a known state is reversed with what came before it in the current execution.
    pub(super) fn reverse_known(&mut self, entries: &[Followed], clocks: &mut KnownClocks) {
        let tables = std::mem::take(&mut self.matching.tables);
        for &(access, known) in entries {
            let access = tables.access(access);
            if self.may_meet(access) {
                let clocks = clocks.entry(known).or_insert_with(|| self.clocks(&tables, known));
                self.reverse_access(access, &clocks.before);
            }
        }
        self.matching.tables = tables;
    }

    /// Whether there is anything in the current execution that an access could compete with, whoever did it.
    fn may_meet(&self, access: &Access) -> bool {
        access.ends
            || self
                .history
                .conflicts(&access.touch)
                .iter()
                .any(|&(event, _)| self.history.events[event].thread != access.thread)
    }

    /// Plans that an access comes before events of the current execution that it competes with. `before` is the clock
    /// of what is known to come before it.
    fn reverse_access(&mut self, access: &Access, before: &Clock) {
        let earlier: Vec<usize> = match access.waits {
            // Nobody leaves a barrier before all have come.
            Some(Waits::Round(_)) => return,
            Some(waits) => self.history.before_waiting(&access.touch, before, |word| waits.holds(word)),
            None if access.ends => self.history.last_of_each().collect(),
            None => self.history.conflicts(&access.touch).into_iter().map(|(event, _)| event).collect(),
        };
        for event in earlier {
            let other = self.history.events[event].thread;
            if other != access.thread && !self.history.within(event, before) {
                self.go_before(event, access.thread, before);
            }
        }
    }

    /// The clocks of what is known to come before an access of what follows a known state, as that is reached now: by
    /// dependence, and by synchronisation.
    fn clocks(&self, tables: &Tables, known: u32) -> Clocks {
        let knowledge = tables.knowledge(known);
        let (mut before, mut order) = (Clock::new(), Clock::new());
        for &thread in &knowledge.threads {
            let (by_dependence, by_order) = self.history.base(thread, &[], None);
            join(&mut before, &by_dependence);
            join(&mut order, &by_order);
        }
        for &access in &knowledge.acquired {
            let touch = &tables.access(access).touch;
            self.history.acquire(touch, &mut order, &mut Clock::new());
        }
        join(&mut before, &order);
        Clocks { before, order }
    }

    /// Whether what follows a known state has data races with the current execution that nobody has told yet.
    pub(super) fn shows_races(&self, entries: &[Followed], clocks: &mut KnownClocks) -> bool {
        if self.config.races == Races::Off {
            return false;
        }
        entries.iter().any(|&(access, known)| {
            let access = self.matching.tables.access(access);
            let touch = &access.touch;
            if touch.synchronises || touch.kind == Kind::Free || access.ends || access.looks {
                return false;
            }
            let found = self.history.conflicts(touch);
            if found.is_empty() {
                return false;
            }
            let clocks = clocks.entry(known).or_insert_with(|| self.clocks(&self.matching.tables, known));
            let mut unordered = self.history.unordered(access.thread, touch, &found, &clocks.order);
            unordered.any(|(event, number)| {
                let other = &self.history.events[event].footprint.touches[number];
                !self.machine.decider.sink.races.has(pair(other, touch))
            })
        })
    }

    /// A thread goes on from the node before an event: or one that must do so before, or all. `clock` tells what comes
    /// before what the thread is wanted for.
    fn go_before(&mut self, earlier: usize, thread: u32, clock: &Clock) {
        if self.is_going_on(earlier, thread) {
            return;
        }
        if self.goes_on_from(earlier, thread) {
            return;
        }
        let later = earlier + 1..self.history.events.len();
        let needed = later.filter(|&index| self.history.within(index, clock));
        let mut needed: Vec<u32> = needed.map(|index| self.history.events[index].thread).collect();
        needed.sort_unstable();
        needed.dedup();
        if needed.iter().any(|&other| self.is_going_on(earlier, other)) {
            return;
        }
        if !needed.into_iter().any(|other| self.goes_on_from(earlier, other)) {
            self.go_on_all(earlier);
        }
    }

    fn is_going_on(&self, at: usize, thread: u32) -> bool {
        let Some(node) = self.nodes.get(at) else { return true };
        node.place.as_ref().is_some_and(|place| place.whole)
            || node.explored.contains(&thread)
            || node.tree.iter().any(|branch| branch.step.thread == thread)
    }

    /// Plans that a thread goes on from a node, if it can.
    fn goes_on_from(&mut self, at: usize, thread: u32) -> bool {
        let node = &self.nodes[at];
        let Some(it) = node.state.thread_named(ThreadId(thread)) else { return false };
        let able = self.machine.is_able(&node.state, it);
        let ahead = !able && may_read_ahead(it);
        if !able && !ahead {
            return false;
        }
        self.nodes[at].tree.push(leaf(thread, ahead));
        true
    }

    /// All threads go on from a node.
    fn go_on_all(&mut self, at: usize) {
        let node = &self.nodes[at];
        let ahead = node.state.each_live().filter(|thread| may_read_ahead(thread)).map(|thread| thread.id.0);
        let mut all = able_threads(self.machine, &node.state);
        all.extend(ahead);
        for thread in all {
            if !self.is_going_on(at, thread) {
                self.goes_on_from(at, thread);
            }
        }
        if let Some(place) = &mut self.nodes[at].place {
            place.whole = true;
        }
    }
}

/// What a thread in a loop looks at, if it may wait there.
fn reads_of(operation: &Operation) -> Option<&[Touch]> {
    match operation {
        Operation::Reading(reads) | Operation::When(Guard::Change(reads)) => Some(reads),
        _ => None,
    }
}

fn looks_of(thread: u32, operation: &Operation) -> impl Iterator<Item = Access> {
    reads_of(operation).unwrap_or_default().iter().map(move |touch| {
        let touch = Touch { mode: Mode::Read, value: None, before: None, after: None, ..touch.clone() };
        Access { thread, touch, waits: None, ends: false, looks: true }
    })
}

/// The entries of what threads look at, so that they are made once. What is held here does not change.
#[derive(Default)]
pub(super) struct KnownLooks(FxHashMap<*const Operation, (Rc<Operation>, Rc<[Followed]>)>);

/// So many are remembered.
const MOST_LOOKS: usize = 1 << 12;

impl KnownLooks {
    fn of(&mut self, tables: &mut Tables, thread: u32, operation: &Rc<Operation>) -> Rc<[Followed]> {
        if self.0.len() >= MOST_LOOKS {
            self.0.clear();
        }
        let known = self.0.entry(Rc::as_ptr(operation)).or_insert_with(|| {
            let mut entries: Vec<Followed> =
                looks_of(thread, operation).map(|access| tables.pending(access)).collect();
            entries.sort_unstable();
            entries.dedup();
            (operation.clone(), entries.into())
        });
        known.1.clone()
    }
}
