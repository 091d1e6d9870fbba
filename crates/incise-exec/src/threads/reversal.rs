//! Races of an execution that is at its end: the orders in which a later event comes before an earlier one are planned.

use super::Schedules;
use super::awaits::{Going, waits_for};
use super::event::{Exchange, Footprint, Guard, Kind, Mode, Operation, Touch, Waits, Ways};
use super::explorer::{Explorer, Node, Settled, able_threads, leaf};
use super::glance::Glance;
use super::history::History;
use super::native::barrier::{ARRIVED, ROUND};
use super::objects::Object;
use super::wakeup::{Begins, Branch, Planned, Relations, Unclear};
use crate::engine::state::State;
use crate::engine::thread::ThreadId;
use crate::memory::Slot;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Explorer<'_, '_> {
    /// What does not come after an event, and would so come before it or beside it.
    fn beside(&self, earlier: usize) -> Vec<Planned> {
        let planned = |index: usize| {
            let event = &self.history.events[index];
            let (thread, footprint) = (event.thread, event.footprint.clone());
            let (ways, ahead) = (Some(event.ways.clone()), event.ahead);
            Planned { thread, ways, footprint, origin: Some(index), ahead }
        };
        self.history.beside(earlier).map(planned).collect()
    }

    /// Plans the order in which a later event comes before an earlier one.
    pub(super) fn reverse(&mut self, earlier: usize, later: usize) {
        let event = &self.history.events[later];
        let mut before = std::mem::take(&mut self.beside);
        before.clear();
        before.extend(self.history.beside(earlier));
        let holds = event.guard.as_ref().is_none_or(|guard| {
            let before = before.iter().map(|&index| &*self.history.events[index].footprint);
            self.holds_after(earlier, before, guard)
        });
        let awaits = event.awaits;
        let footprint = match holds && !awaits {
            true => {
                let before: Vec<&Footprint> = match is_fixed(&event.footprint) {
                    true => Vec::new(),
                    false => before.iter().map(|&index| &*self.history.events[index].footprint).collect(),
                };
                self.predict(earlier, &before, &event.footprint)
            }
            false => event.footprint.clone(),
        };
        let known =
            holds && !awaits && self.is_known(earlier, &before, (event.thread, &footprint), &event.base);
        self.beside = before;
        if !holds || known {
            return;
        }
        let (thread, base) = (self.history.events[later].thread, self.history.events[later].base.clone());
        if awaits {
            self.reversed = Some((earlier, later));
            self.reverse_earlier(earlier + 1, thread, &footprint, &base);
            self.reversed = None;
            return;
        }
        let sequence = self.beside(earlier);
        self.plan(earlier, sequence, (thread, footprint), &base);
    }

    /// A read of a loop may have to wait before an event, and perhaps not before an earlier one. Where it would wait it
    /// may read all the same, if what it reads after that is written later.
    pub(super) fn reverse_earlier(
        &mut self,
        before: usize,
        thread: u32,
        footprint: &Rc<Footprint>,
        base: &[u32],
    ) {
        let conflicting = |history: &History, touches: &[Touch]| {
            touches.iter().flat_map(|touch| history.all_conflicts(touch)).collect::<BTreeSet<usize>>()
        };
        let first = conflicting(&self.history, &footprint.touches);
        let mut left: BTreeSet<usize> = first.range(..before).copied().collect();
        while let Some(earlier) = left.pop_last() {
            if self.history.within(earlier, base) {
                continue;
            }
            let sequence = self.beside(earlier);
            let going = match self.goes_on_beside(earlier, before, &sequence) {
                Some(going) => going,
                None => self.goes_on_after(earlier, &sequence, thread),
            };
            match going {
                Going::On => {
                    let footprint = self.predict(earlier, &footprints(&sequence), footprint);
                    return self.plan(earlier, sequence, (thread, footprint), base);
                }
                Going::Round(reads) => {
                    // Before what it looks at later was written, the whole round may be another.
                    left.extend(conflicting(&self.history, &reads).range(..earlier));
                    if first.contains(&earlier) && self.reads_ahead(earlier, &sequence, thread, &reads) {
                        let touches = reads.first().cloned().into_iter().collect();
                        let footprint = Rc::new(Footprint { touches, ..Footprint::default() });
                        let last = Planned { thread, ways: None, footprint, origin: None, ahead: true };
                        self.plan_sequence(earlier, [sequence, vec![last]].concat(), base);
                    }
                }
                Going::Nowhere => {}
            }
        }
    }

    /// Plans a sequence and then the next event of a thread before an event, unless that is explored elsewhere.
    pub(super) fn plan(
        &mut self,
        before: usize,
        sequence: Vec<Planned>,
        (thread, footprint): (u32, Rc<Footprint>),
        base: &[u32],
    ) {
        let last = Planned { thread, ways: None, footprint, origin: None, ahead: false };
        self.plan_sequence(before, [sequence, vec![last]].concat(), base);
    }

    fn plan_sequence(&mut self, before: usize, sequence: Vec<Planned>, base: &[u32]) {
        if let Err(Unclear) = self.insert(before, &sequence, base) {
            // Which outcomes of the last event are explored already depends on which it has.
            for (ways, footprint) in self.outcomes_after(before, &sequence) {
                let mut sequence = sequence.clone();
                if let Some(last) = sequence.last_mut() {
                    (last.ways, last.footprint) = (Some(ways), footprint);
                }
                let _ = self.insert(before, &sequence, base);
            }
        }
    }

    /// The outcomes of the last event of a sequence from a node, and what they touch.
    fn outcomes_after(&mut self, before: usize, sequence: &[Planned]) -> Vec<(Ways, Rc<Footprint>)> {
        let Some((last, earlier)) = sequence.split_last() else { return Vec::new() };
        let Some(state) = self.follow(before, earlier) else { return Vec::new() };
        let thread = state.thread_named(ThreadId(last.thread));
        if thread.is_some_and(|thread| matches!(thread.pending.as_deref(), Some(Operation::End(_)))) {
            return vec![(Rc::new([]), last.footprint.clone())];
        }
        let outcomes = self.outcomes_of(state, last.thread);
        let of = |outcome: Settled| {
            let touches = outcome.state.concurrency.as_ref().map_or_else(Vec::new, |it| it.touches.clone());
            (outcome.ways().into(), Rc::new(Footprint { touches, ..Footprint::clone(&last.footprint) }))
        };
        outcomes.into_iter().map(of).collect()
    }

    /// What comes of it if a thread goes on.
    pub(super) fn outcomes_of(&mut self, mut state: Box<State>, thread: u32) -> Vec<Settled> {
        let id = ThreadId(thread);
        if !state.thread_named(id).is_some_and(|thread| self.may_go_on(&state, thread)) {
            return Vec::new();
        }
        self.machine.give_turn(&mut state, id);
        self.settle(state).unwrap_or_default()
    }

    /// The threads whose events are known at a node with an outcome, and have no other there. Where several things were
    /// planned before the node was made, that was not known, and must not be taken for known later.
    fn single(&mut self, at: usize) -> Vec<u32> {
        let node = &self.nodes[at];
        if !node.clean {
            return Vec::new();
        }
        let partly = |known: &Planned| known.ways.as_ref().is_some_and(|ways| !ways.is_empty());
        let sleeps = |thread: u32| node.sleep.iter().any(|known| known.thread == thread && partly(known));
        let planned = node.tree.iter().map(|branch| &branch.step).filter(|step| partly(step));
        let mut threads: Vec<u32> = planned.map(|step| step.thread).filter(|&it| !sleeps(it)).collect();
        threads.sort_unstable();
        threads.dedup();
        threads.retain(|&thread| {
            let asked = self.nodes[at].single.iter().find(|(known, _)| *known == thread).copied();
            asked.map_or_else(
                || {
                    let state = Box::new(self.nodes[at].state.fork());
                    let single = self.outcomes_of(state, thread).len() == 1;
                    self.nodes[at].single.push((thread, single));
                    single
                },
                |(_, single)| single,
            )
        });
        threads
    }

    /// Whether it is clear at first sight that what comes beside an event and then the next event of a thread is
    /// explored elsewhere: with most races of an execution it is, since others before it had them too.
    fn is_known(
        &self,
        earlier: usize,
        beside: &[usize],
        (thread, footprint): (u32, &Footprint),
        base: &[u32],
    ) -> bool {
        if self.config.schedules != Schedules::Optimal {
            return false;
        }
        let node = &self.nodes[earlier];
        let glance = Glance { history: &self.history, thread, footprint, base };
        let sleeps = |known: &Planned| glance.begins_with(beside, true, known).is_some_and(|at| at.is_some());
        if node.sleep.iter().any(sleeps) {
            return true;
        }
        // An event with one outcome of several needs a closer look.
        let partly = |branch: &Branch| branch.step.ways.as_ref().is_some_and(|ways| !ways.is_empty());
        !node.tree.iter().any(partly) && glance.is_in(&node.tree, beside)
    }

    /// Puts a sequence into the tree of a node, unless it is explored elsewhere.
    fn insert(&mut self, before: usize, sequence: &[Planned], base: &[u32]) -> Result<(), Unclear> {
        let single = match self.config.schedules {
            Schedules::Optimal => self.single(before),
            _ => Vec::new(),
        };
        let history = &self.history;
        let depends = |one: &Planned, other: &Planned| match (one.origin, other.origin) {
            (Some(one), Some(other)) => history.before(one, other),
            (Some(index), None) => history.within(index, base) || one.footprint.conflicts(&other.footprint),
            _ => one.footprint.conflicts(&other.footprint),
        };
        let node = &mut self.nodes[before];
        if self.config.schedules == Schedules::Dpor {
            node.add_source(sequence, &depends);
            return Ok(());
        }
        let node = &self.nodes[before];
        let state = &node.state;
        let room = |slot: Slot, offset: u64| room_at_barrier(state, slot, offset);
        let relations = Relations { depends: &depends, room: &room, single: &single };
        let found: Vec<Begins> =
            node.sleep.iter().map(|known| relations.begins_with(&[], sequence, known)).collect();
        if found.iter().any(|found| matches!(found, Begins::With(_))) {
            return Ok(());
        }
        if found.iter().any(|found| matches!(found, Begins::Unclear)) {
            return Err(Unclear);
        }
        let Some(place) = relations.place(&node.tree, sequence.to_vec())? else { return Ok(()) };
        let behind = match self.left_asleep(before, &place, &single) {
            asleep if asleep.is_empty() => Vec::new(),
            _ if sequence.last().is_some_and(|last| last.ways.is_none()) => return Err(Unclear),
            asleep => match self.otherwise(before, &place, &asleep) {
                Some(behind) => behind,
                None => return Ok(()),
            },
        };
        place.put(&mut self.nodes[before].tree, behind);
        Ok(())
    }

    /// The state of a synchronisation object after a sequence from a node.
    fn word_after<'f>(
        &self,
        before: usize,
        sequence: impl Iterator<Item = &'f Footprint>,
        object: Object,
        waits: Waits,
    ) -> Option<u64> {
        let mut word = object.word(&self.nodes[before].state, waits)?;
        let there = |touch: &&Touch| {
            touch.synchronises && touch.slot == object.slot && touch.offset == Some(object.offset)
        };
        for touch in sequence.flat_map(|step| step.touches.iter()).filter(there) {
            if let (Some(found), Some(left)) = (touch.before, touch.after) {
                word = word.wrapping_add(left).wrapping_sub(found);
            }
        }
        Some(word)
    }

    /// Whether an operation need not wait after a sequence from a node.
    fn holds_after<'f>(
        &self,
        before: usize,
        sequence: impl Iterator<Item = &'f Footprint>,
        guard: &Guard,
    ) -> bool {
        let (slot, offset, waits) = match *guard {
            Guard::Object { slot, offset, waits } => (slot, offset, waits),
            Guard::Woken { slot, offset, .. } => (slot, offset, Waits::Mutex),
            Guard::Ended(_) | Guard::Change(_) => return true,
        };
        if let Waits::Round(_) = waits {
            return true;
        }
        let word = self.word_after(before, sequence, Object { slot, offset, size: 0 }, waits);
        word.is_none_or(|word| waits.holds(word))
    }

    /// What an event will touch after a sequence from a node: an exchange may succeed that failed, or fail.
    fn predict(&self, before: usize, sequence: &[&Footprint], footprint: &Rc<Footprint>) -> Rc<Footprint> {
        if is_fixed(footprint) {
            return footprint.clone();
        }
        let mut predicted = Footprint::clone(footprint);
        for touch in &mut predicted.touches {
            let Some(offset) = touch.offset else { continue };
            if let Some(round) = touch.mode.arrives() {
                let object = Object { slot: touch.slot, offset, size: touch.size };
                let round = self.round_after(before, sequence, object).unwrap_or(round);
                touch.mode = touch.mode.in_round(round);
                continue;
            }
            match touch.exchange {
                Exchange::Always => {}
                Exchange::If(expected) => {
                    let found = self.value_after(before, sequence, touch, offset);
                    touch.mode = if found.is_none_or(|it| it == expected) { Mode::Write } else { Mode::Read };
                }
                Exchange::IfFree(waits) => {
                    let object = Object { slot: touch.slot, offset, size: touch.size };
                    let word = self.word_after(before, sequence.iter().copied(), object, waits);
                    let taken = if waits == Waits::ReadLock { Mode::Share } else { Mode::Write };
                    touch.mode = if word.is_none_or(|it| waits.holds(it)) { taken } else { Mode::Read };
                }
            }
        }
        Rc::new(predicted)
    }

    /// The round of a barrier in which an arrival after a sequence from a node is.
    fn round_after(&self, before: usize, sequence: &[&Footprint], object: Object) -> Option<u32> {
        let state = &self.nodes[before].state;
        let [count, arrived, round] = [0, ARRIVED, ROUND].map(|at| object.read(state, at));
        let here = |touch: &&Touch| {
            let there = touch.slot == object.slot && touch.offset == Some(object.offset);
            there && touch.mode.arrives().is_some()
        };
        let more = sequence.iter().flat_map(|step| step.touches.iter()).filter(here).count() as u32;
        Some(round? + (arrived? + more) / count?.max(1))
    }

    /// The number in memory after a sequence from a node, if it is known.
    pub(super) fn value_after(
        &self,
        before: usize,
        sequence: &[&Footprint],
        touch: &Touch,
        offset: u64,
    ) -> Option<u64> {
        let touches = sequence.iter().rev().flat_map(|step| step.touches.iter().rev());
        if touch.size > 8 {
            // More than a number of this kind.
            return None;
        }
        for other in touches {
            if other.mode != Mode::Read && other.overlaps(touch) {
                let same = other.offset == touch.offset && other.size == touch.size;
                return other.after.filter(|_| same);
            }
        }
        self.nodes[before].state.memory.object(touch.slot)?.read_word(offset, touch.size)
    }

    /// Threads that wait for ever: what keeps them waiting could have come later.
    pub(super) fn reverse_stuck(&mut self, state: &State) {
        for thread in state.live_threads() {
            let Some(Operation::When(guard)) = thread.pending.as_deref() else { continue };
            let (slot, offset, waits) = match *guard {
                Guard::Ended(_) | Guard::Object { waits: Waits::Round(_), .. } => continue,
                Guard::Object { slot, offset, waits } => (slot, offset, waits),
                // Only a signal helps it, and that is no matter of its mutex.
                Guard::Woken { timed: false, .. }
                    if thread.own.as_ref().is_some_and(|own| own.asleep.is_some()) =>
                {
                    continue;
                }
                Guard::Woken { slot, offset, .. } => (slot, offset, Waits::Mutex),
                Guard::Change(ref reads) => {
                    let touches = reads.to_vec();
                    let footprint = Rc::new(Footprint { touches, ..Footprint::default() });
                    let (base, _) = self.history.base(thread.id.0, &[], None);
                    self.reverse_earlier(usize::MAX, thread.id.0, &footprint, &base);
                    continue;
                }
            };
            let mode = if waits == Waits::ReadLock { Mode::Share } else { Mode::Write };
            let touch = self.machine.decider.new_touch(state, slot, (mode, Kind::Lock));
            let touch = Touch { offset: Some(offset), size: 4, synchronises: true, ..touch };
            let woken = thread.own.as_ref().and_then(|own| own.woken).map(|(by, number)| (by.0, number));
            let (base, _) = self.history.base(thread.id.0, &[], woken);
            let partners = self.history.before_waiting(&touch, &base, |word| waits.holds(word));
            let footprint = Rc::new(Footprint { touches: vec![touch], ..Footprint::default() });
            for earlier in partners {
                let sequence = self.beside(earlier);
                let before = sequence.iter().map(|step| &*step.footprint);
                if self.holds_after(earlier, before, guard) {
                    self.plan(earlier, sequence, (thread.id.0, footprint.clone()), &base);
                }
            }
        }
    }

    /// The program has ended: other threads could have gone on before.
    pub(super) fn go_on_before_end(&mut self) {
        let Some(node) = self.nodes.last() else { return };
        let ending = self.history.events.last().map(|event| event.thread);
        let before = self.nodes.len() - 1;
        let others = able_threads(self.machine, &node.state);
        for thread in others.into_iter().filter(|&thread| Some(thread) != ending) {
            let footprint = self.try_out(before, thread);
            let (base, _) = self.history.base(thread, &[], None);
            self.plan(before, Vec::new(), (thread, footprint), &base);
        }
    }

    /// What a thread would touch if it went on from a node.
    fn try_out(&mut self, node: usize, thread: u32) -> Rc<Footprint> {
        let state = Box::new(self.nodes[node].state.fork());
        let operation = state.thread_named(ThreadId(thread)).and_then(|it| it.pending.clone());
        if let Some(Operation::End(_)) = operation.as_deref() {
            return Rc::new(Footprint { ends: true, ..Footprint::default() });
        }
        let outcomes = self.outcomes_of(state, thread);
        let mut footprint = Footprint::default();
        for outcome in outcomes {
            footprint.touches.extend(outcome.state.concurrency.iter().flat_map(|it| it.touches.clone()));
        }
        Rc::new(footprint)
    }

    /// The state after a sequence from a node, if it can be followed.
    pub(super) fn follow(&mut self, node: usize, sequence: &[Planned]) -> Option<Box<State>> {
        let mut state = Box::new(self.nodes[node].state.fork());
        for step in sequence {
            let id = ThreadId(step.thread);
            if self.unlooked && waits_for(state.thread_named(id)?).is_some() {
                // What it waited for has come; nobody looked.
                state.thread_named_mut(id)?.pending = Some(Rc::new(Operation::Now));
            }
            let thread = state.thread_named(id)?;
            if !self.may_go_on(&state, thread) {
                return None;
            }
            if !step.ahead && !self.machine.is_able(&state, thread) {
                // What it waits for comes later now.
                continue;
            }
            self.machine.give_turn(&mut state, id);
            let ways = step.ways.clone();
            let found = self.settle(state)?.into_iter().find(|settled| {
                let own = settled.state.concurrency.as_ref().map_or(&[][..], |it| &it.ways);
                settled.ended.is_none() && ways.as_ref().is_none_or(|ways| **ways == *own)
            })?;
            state = found.state;
            let touches = state.concurrency.as_ref().map_or_else(Vec::new, |it| it.touches.clone());
            self.look_at_waits(&mut state, &Footprint { touches, ..Footprint::default() });
        }
        Some(state)
    }
}

impl Node {
    /// Source sets: one of the threads with which a sequence can begin goes on from here, unless one has.
    fn add_source(&mut self, sequence: &[Planned], depends: &impl Fn(&Planned, &Planned) -> bool) {
        let mut first: Vec<(u32, bool)> = Vec::new();
        for (at, step) in sequence.iter().enumerate() {
            let earlier = &sequence[..at];
            if !earlier.iter().any(|it| it.thread == step.thread || depends(it, step)) {
                first.push((step.thread, step.ahead));
            }
        }
        let known = |(thread, _): &(u32, bool)| {
            self.explored.contains(thread) || self.tree.iter().any(|branch| branch.step.thread == *thread)
        };
        if first.iter().any(known) {
            return;
        }
        let Some(&(thread, ahead)) = first.first() else { return };
        let whole = |known: &Planned| known.ways.as_ref().is_none_or(|ways| ways.is_empty());
        match self.sleep.iter().any(|known| known.thread == thread && whole(known)) {
            true => self.explored.push(thread),
            false => self.tree.push(leaf(thread, ahead)),
        }
    }
}

/// Whether an event touches the same wherever it is.
fn is_fixed(footprint: &Footprint) -> bool {
    let fixed = |touch: &Touch| touch.exchange == Exchange::Always && touch.mode.arrives().is_none();
    footprint.touches.iter().all(fixed)
}

/// What the events of a sequence touch.
pub(super) fn footprints(sequence: &[Planned]) -> Vec<&Footprint> {
    sequence.iter().map(|step| &*step.footprint).collect()
}

/// How many more threads can come to a barrier before one that is still in the same round.
fn room_at_barrier(state: &State, slot: Slot, offset: u64) -> u32 {
    let object = Object { slot, offset, size: 0 };
    let [count, arrived] = [0, ARRIVED].map(|at| object.read(state, at).unwrap_or(0));
    count.saturating_sub(arrived + 1)
}
