//! Loops that only read until something changes: their thread waits for another thread's write.

use super::event::{Footprint, Guard, Kind, Mode, Operation, Touch};
use super::explorer::Explorer;
use super::live::LiveRegisters;
use super::reversal::footprints;
use super::visible::{Alone, Seen};
use super::wakeup::Planned;
use crate::engine::state::{Frame, State};
use crate::engine::thread::{Thread, ThreadId, Turn};
use crate::engine::value::Value;
use crate::memory::Slot;
use std::rc::Rc;

/// So many functions deep a loop may look for what it waits for.
const DEPTH: usize = 4;

impl Explorer<'_, '_> {
    /// The running thread has stopped: if it is about to read in a loop, does it do anything else?
    pub(super) fn look_at_wait(&mut self, state: &mut State) {
        let now = matches!(state.thread.pending.as_deref(), Some(Operation::Now));
        if now && !self.unlooked && self.is_in_loop(state) {
            let id = state.thread.id;
            self.look_again(state, id);
        }
    }

    /// Something was written: what threads in loops look at may be another.
    pub(super) fn look_at_waits(&mut self, state: &mut State, footprint: &Footprint) {
        let mut writes = footprint.touches.iter().filter(|touch| touch.mode != Mode::Read).peekable();
        if writes.peek().is_none() || self.unlooked {
            return;
        }
        let writes = writes.clone();
        let concerned = |operation: &Operation| match operation {
            Operation::Reading(reads) | Operation::When(Guard::Change(reads)) => {
                reads.iter().any(|read| writes.clone().any(|write| write.overlaps(read)))
            }
            _ => false,
        };
        let concerned = state.each_live().filter(|thread| thread.pending.as_deref().is_some_and(concerned));
        let mut threads: Vec<ThreadId> = concerned.map(|thread| thread.id).collect();
        threads.sort_unstable();
        for thread in threads {
            self.look_again(state, thread);
        }
    }

    /// Whether a thread in a loop could go on after a sequence from a node.
    pub(super) fn goes_on_after(&mut self, node: usize, sequence: &[Planned], thread: u32) -> Going {
        // What an event has found it finds again, since all that it depends on comes before it still. If that alone
        // told that it does not wait, nobody need look.
        let plain = |step: &Planned| step.origin.is_some_and(|index| self.history.events[index].plain);
        self.unlooked = sequence.iter().all(plain);
        let followed = self.follow(node, sequence);
        let unlooked = std::mem::take(&mut self.unlooked);
        let Some(mut state) = followed else { return Going::Nowhere };
        if unlooked && state.thread_named(ThreadId(thread)).is_some_and(looks) {
            self.look_again(&mut state, ThreadId(thread));
        }
        match state.thread_named(ThreadId(thread)) {
            Some(thread) if self.machine.is_able(&state, thread) => Going::On,
            Some(thread) => waits_for(thread).map_or(Going::Nowhere, |reads| Going::Round(reads.clone())),
            None => Going::Nowhere,
        }
    }

    /// The same for the event whose place is behind the node and a sequence, without following it: its thread is as it
    /// stood there, and memory is put to what it would be. `None` if that cannot be told so.
    pub(super) fn goes_on_beside(
        &mut self,
        node: usize,
        behind: usize,
        sequence: &[Planned],
    ) -> Option<Going> {
        // The event was reversed with the one before the place where it is looked for.
        let later = self.reversed.filter(|&(earlier, _)| earlier + 1 == behind && earlier == node)?.1;
        let thread = self.history.events[later].thread;
        let mut state = self.nodes[later].state.fork();
        let before = footprints(sequence);
        let mut words: Vec<(Slot, u64, u64, u64)> = Vec::new();
        for event in &self.history.events[node..] {
            if !event.ways.is_empty() || !event.created.is_empty() || event.footprint.ends {
                return None;
            }
            for touch in event.footprint.touches.iter().filter(|touch| touch.mode != Mode::Read) {
                let offset = touch.offset.filter(|_| !touch.synchronises && touch.kind != Kind::Free)?;
                words.push((touch.slot, offset, touch.size, self.value_after(node, &before, touch, offset)?));
            }
        }
        for (slot, offset, size, word) in words {
            state.memory.object_mut(slot)?.write_word(offset, size, word);
        }
        self.look_again(&mut state, ThreadId(thread));
        match state.thread_named(ThreadId(thread)) {
            Some(thread) if self.machine.is_able(&state, thread) => Some(Going::On),
            // What it reads first is looked at more closely.
            _ => None,
        }
    }

    /// Whether a thread that would wait after a sequence from a node may all the same read there what it looks at
    /// first: an event after the node changes that, and what the thread looks at after that is changed later, so that
    /// it waits no longer.
    pub(super) fn reads_ahead(
        &mut self,
        earlier: usize,
        sequence: &[Planned],
        thread: u32,
        round: &[Touch],
    ) -> bool {
        let Some((first, rest)) = round.split_first() else { return false };
        if !self.history.events[earlier].footprint.touches.iter().any(|touch| touch.conflicts(first)) {
            // Whether it reads before that event or after it is the same.
            return false;
        }
        let later = &self.history.events[earlier..];
        let others = later.iter().filter(|event| event.thread != thread);
        let changes = |touch: &&Touch| {
            touch.mode != Mode::Read
                && rest.iter().any(|read| read.overlaps(touch))
                && [&[], sequence].iter().any(|before| self.is_another(earlier, before, touch))
        };
        let changes: Vec<Touch> =
            others.flat_map(|event| event.footprint.touches.iter()).filter(changes).cloned().collect();
        match rest {
            [read] => self.is_freed(earlier, sequence, thread, (read, &changes)),
            // Several changes together may do it.
            _ => !changes.is_empty(),
        }
    }

    /// Whether one of these changes of what a thread reads next lets it leave the loop in which it has read ahead.
    fn is_freed(
        &mut self,
        earlier: usize,
        sequence: &[Planned],
        thread: u32,
        (read, changes): (&Touch, &[Touch]),
    ) -> bool {
        let Some(state) = self.follow(earlier, sequence).filter(|_| !changes.is_empty()) else {
            return !changes.is_empty();
        };
        let outcomes = self.outcomes_of(state, thread);
        let [ahead] = &outcomes[..] else { return true };
        let mut tried: Vec<u64> = Vec::new();
        for change in changes {
            let same = change.offset == read.offset && change.size == read.size;
            let (Some(offset), Some(word)) = (read.offset, change.after.filter(|_| same)) else {
                return true;
            };
            if tried.contains(&word) {
                continue;
            }
            tried.push(word);
            let mut state = ahead.state.fork();
            if !state.memory.object_mut(read.slot).is_some_and(|it| it.write_word(offset, read.size, word)) {
                return true;
            }
            self.look_again(&mut state, ThreadId(thread));
            if state.thread_named(ThreadId(thread)).is_none_or(|thread| waits_for(thread).is_none()) {
                return true;
            }
        }
        false
    }

    /// Whether a write leaves something else than what is in memory after a sequence from a node.
    fn is_another(&self, node: usize, sequence: &[Planned], write: &Touch) -> bool {
        let (Some(offset), Some(after)) = (write.offset, write.after) else { return true };
        self.value_after(node, &footprints(sequence), write, offset) != Some(after)
    }

    fn is_in_loop(&mut self, state: &State) -> bool {
        let program = self.machine.program;
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        let live = &mut self.live;
        frames.take(DEPTH).any(|frame| live.is_in_loop(program, &frame.code, frame.pc))
    }

    /// Lets a thread go on alone, to see if it comes back to where it is with nothing changed.
    fn look_again(&mut self, state: &mut State, thread: ThreadId) {
        let mut copy = state.fork();
        copy.switch_to(thread);
        copy.thread.pending = None;
        copy.turn = Turn::Open;
        let home = (copy.thread.own.as_ref().and_then(|own| own.home.clone()), None);
        let (seen, reads, marks) = (Vec::new(), Vec::new(), Vec::new());
        copy.concurrency_mut().alone = Some(Box::new(Alone { seen, reads, marks, acts: false, home }));
        let forked = std::mem::take(&mut self.machine.decider.forked);
        let states = self.machine.decider.sink.counters.states;
        self.machine.run(&mut copy, true);
        let split = !std::mem::replace(&mut self.machine.decider.forked, forked).is_empty();
        self.machine.decider.sink.counters.states = states;
        let alone = copy.concurrency_mut().alone.take();
        let Some(alone) = alone else { return };
        let Alone { seen, reads, marks, acts, home } = *alone;
        let only_reads = !acts && !split;
        let round = match home {
            // What it has read ahead was in vain, whatever it would find in the next round.
            (Some(then), Some(now)) if only_reads && self.is_unchanged(&then, &now) => Some(reads.len()),
            _ if only_reads
                && seen.len() == 3
                && seen.windows(2).all(|pair| self.is_unchanged(&pair[0], &pair[1])) =>
            {
                let own = state.thread_named(thread).and_then(|thread| thread.own.as_ref());
                Some(marks[1].saturating_sub(own.map_or(0, |own| own.ahead) as usize).max(1))
            }
            _ => None,
        };
        if let Some(thread) = state.thread_named_mut(thread) {
            let operation = match round {
                Some(round) => Operation::When(Guard::Change(reads[..round].into())),
                None => Operation::Reading(reads.into()),
            };
            thread.pending = Some(Rc::new(operation));
        }
    }

    /// Whether all that is still of use to a thread was the same both times.
    fn is_unchanged(&mut self, one: &Seen, two: &Seen) -> bool {
        let counts = |seen: &Seen| [seen.counts[0], seen.counts[1], seen.counts[3]];
        let mut below =
            one.thread.below.iter_newest_first().zip(two.thread.below.iter_newest_first()).take(DEPTH);
        counts(one) == counts(two)
            && self.is_same_frame(&one.thread.frame, &two.thread.frame)
            && below.all(|(one, two)| self.is_same_frame(one, two))
            && one.thread.frame.objects.iter().all(|&slot| is_same_object(one, two, slot))
            && one
                .thread
                .below
                .iter_newest_first()
                .flat_map(|frame| frame.objects.iter())
                .all(|&slot| is_same_object(one, two, slot))
    }

    fn is_same_frame(&mut self, one: &Frame, two: &Frame) -> bool {
        if one.pc != two.pc || !Rc::ptr_eq(&one.code, &two.code) || one.objects != two.objects {
            return false;
        }
        // The instruction is being executed: what it uses is compared, and not what it makes.
        let live = self.live.at(self.machine.program, &one.code, one.pc.saturating_sub(1));
        live.iter().all(|&register| is_same(&one.registers[register], &two.registers[register]))
    }
}

/// Whether a thread is about to read where it may wait.
fn looks(thread: &Thread) -> bool {
    matches!(
        thread.pending.as_deref(),
        Some(Operation::Now | Operation::Reading(_) | Operation::When(Guard::Change(_)))
    )
}

/// Whether a thread in a loop could go on at some place.
pub(super) enum Going {
    /// It could.
    On,
    /// It would come back with nothing changed: what it reads until then.
    Round(Rc<[Touch]>),
    /// It does not come there.
    Nowhere,
}

/// What a thread reads in a loop in which it waits, up to where it began to.
pub(super) fn waits_for(thread: &Thread) -> Option<&Rc<[Touch]>> {
    match thread.pending.as_deref() {
        Some(Operation::When(Guard::Change(reads))) => Some(reads),
        _ => None,
    }
}

/// Whether a thread that waits in a loop may have read what it looks at first before something changes that it looks at
/// later.
pub(super) fn may_read_ahead(thread: &Thread) -> bool {
    waits_for(thread).is_some_and(|reads| reads.len() > 1)
}

/// Whether a thread waits in a loop in which it has read ahead: what it does is no other than if it had not.
pub(super) fn has_read_ahead(thread: &Thread) -> bool {
    waits_for(thread).is_some() && thread.own.as_ref().is_some_and(|own| own.ahead > 0)
}

pub(super) fn is_same(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::Undefined, Value::Undefined) => true,
        (Value::Aggregate(one), Value::Aggregate(two)) => {
            one.len() == two.len() && one.iter().zip(two.iter()).all(|(one, two)| is_same(one, two))
        }
        _ => one.is_same(two),
    }
}

/// Whether an object of the stack holds the same. Others can only be changed by what others can see.
fn is_same_object(one: &Seen, two: &Seen, slot: Slot) -> bool {
    match (one.memory.object(slot), two.memory.object(slot)) {
        (Some(one), Some(two)) => Rc::ptr_eq(one, two) || one.is_same_bytes(two),
        (None, None) => true,
        _ => false,
    }
}

/// What the explorer remembers of functions.
pub(super) type Remembered = LiveRegisters;
