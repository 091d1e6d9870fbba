//! Explores everything below a state with several threads, depth first: one execution for each trace.
//!
//! The algorithm is optimal DPOR of Abdulla, Aronis, Jonsson and Sagonas; `docs/internals/threads.md` says what
//! symbolic data and waiting add. The state before each event of the current execution is at hand, so that nothing is
//! executed again when an order is reversed.

use super::event::{Footprint, Guard, Kind, Mode, Operation, Touch, Waits, Ways};
use super::history::{Fresh, History};
use super::wakeup::{self, Branch, Planned};
use super::{Races, Schedules, ThreadConfig};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::engine::step::Stop;
use crate::engine::thread::{Thread, ThreadId, Turn};
use crate::exploration::explore::order_forks;
use crate::outcome::{LimitKind, Outcome};
use crate::result::Decision;
use crate::threads::objects::Object;
use std::rc::Rc;

/// A place in the tree of executions: all threads have stopped before what others can see.
pub(super) struct Node {
    pub(super) state: Box<State>,
    /// What was explored elsewhere.
    sleep: Vec<Planned>,
    /// What is to be explored.
    tree: Vec<Branch>,
    /// What is being explored.
    running: Option<Running>,
    /// The threads that went on from here, or need not.
    explored: Vec<u32>,
    /// How often a thread was interrupted that could have gone on.
    preemptions: u32,
}

/// A thread that goes on from a node, and the outcomes of that.
struct Running {
    thread: u32,
    ways: Option<Ways>,
    guard: Option<Guard>,
    awaits: bool,
    /// Those that are still to be explored, the next one last.
    outcomes: Vec<Settled>,
    children: Vec<Branch>,
    /// What the explored ones touched.
    footprint: Footprint,
}

/// A state in which all threads have stopped, or that has ended.
struct Settled {
    state: Box<State>,
    /// The number of its path, if it has ended with one.
    ended: Option<Option<usize>>,
    /// How the program ends, if that is what the event is.
    ends: Option<Outcome>,
}

/// Whether the exploration goes on.
pub(crate) enum Flow {
    /// It does.
    On,
    /// A limit is reached.
    Stopped,
}

pub(super) struct Explorer<'m, 'a> {
    pub(super) machine: &'m mut Machine<'a>,
    pub(super) config: ThreadConfig,
    pub(super) nodes: Vec<Node>,
    pub(super) history: History,
    told: &'m mut dyn FnMut(&Machine<'a>, usize),
    executions: u64,
    pub(super) live: super::awaits::Remembered,
}

/// Explores everything below a state with several threads.
pub(crate) fn explore_threads<'a>(
    machine: &mut Machine<'a>,
    state: &State,
    told: &mut dyn FnMut(&Machine<'a>, usize),
) -> Flow {
    let config = machine.config.threads.unwrap_or_default();
    let (nodes, history) = (Vec::new(), History::default());
    let mut explorer =
        Explorer { machine, config, nodes, history, told, executions: 0, live: Default::default() };
    let Some(first) = explorer.settle(Box::new(state.fork())) else { return Flow::Stopped };
    for settled in first {
        if settled.ended.is_some() {
            continue;
        }
        explorer.history = History::default();
        explorer.enter_node(settled.state, Vec::new(), Vec::new(), 0);
        if let Flow::Stopped = explorer.run() {
            return Flow::Stopped;
        }
    }
    Flow::On
}

impl Explorer<'_, '_> {
    fn run(&mut self) -> Flow {
        while let Some(node) = self.nodes.last_mut() {
            if let Some(running) = &mut node.running {
                match running.outcomes.pop() {
                    Some(outcome) => self.enter(outcome),
                    None => self.leave_running(),
                }
            } else if !node.tree.is_empty() {
                let branch = node.tree.remove(0);
                if !self.start(branch) {
                    return self.stop(LimitKind::Interrupt);
                }
            } else {
                self.nodes.pop();
                if !self.nodes.is_empty() {
                    self.history.pop();
                }
            }
            if self.machine.decider.stop.check() {
                return self.stop(LimitKind::Interrupt);
            }
            let found = self.machine.decider.sink.paths.len() as u64;
            if found >= self.machine.config.limits.paths && !self.is_done() {
                self.machine.decider.stop.reason.get_or_insert(LimitKind::Paths);
                return self.stop(LimitKind::Paths);
            }
        }
        Flow::On
    }

    /// Whether nothing is left to explore.
    fn is_done(&self) -> bool {
        let done = |node: &Node| {
            node.tree.is_empty() && node.running.as_ref().is_none_or(|running| running.outcomes.is_empty())
        };
        self.nodes.iter().all(done)
    }

    fn stop(&mut self, limit: LimitKind) -> Flow {
        let sink = &mut self.machine.decider.sink;
        sink.limits.insert(self.machine.decider.stop.reason.unwrap_or(limit));
        sink.abandoned +=
            self.nodes.iter().filter(|node| !node.tree.is_empty() || node.running.is_some()).count() as u64;
        self.nodes.clear();
        Flow::Stopped
    }

    /// Runs all threads that have not stopped, until they have. `None` if the exploration must stop.
    fn settle(&mut self, state: Box<State>) -> Option<Vec<Settled>> {
        let mut work = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = work.pop() {
            loop {
                let next = match state.thread.pending {
                    None => Some(state.thread.id),
                    Some(_) => state.parked.iter().filter(|it| it.pending.is_none()).map(|it| it.id).min(),
                };
                let Some(next) = next else {
                    done.push(Settled { state, ended: None, ends: None });
                    break;
                };
                state.switch_to(next);
                let before = self.machine.decider.sink.paths.len();
                let stop = self.machine.run(&mut state, false);
                state.turn = Turn::Open;
                work.extend(order_forks(std::mem::take(&mut self.machine.decider.forked)));
                match stop {
                    Stop::Paused | Stop::Forked => self.look_at_wait(&mut state),
                    Stop::Ended => {
                        let after = self.machine.decider.sink.paths.len();
                        done.push(Settled {
                            state,
                            ended: Some((after > before).then(|| after - 1)),
                            ends: None,
                        });
                        break;
                    }
                    Stop::SetBack => {}
                    Stop::Stopped => return None,
                }
            }
        }
        Some(done)
    }

    /// A thread goes on from the last node.
    fn start(&mut self, branch: Branch) -> bool {
        let Branch { step, children } = branch;
        let Some(node) = self.nodes.last_mut() else { return true };
        let id = ThreadId(step.thread);
        let mut state = Box::new(node.state.fork());
        let mut operation = state.thread_named(id).and_then(|thread| thread.pending.clone());
        let done = state.thread_named(id).and_then(|thread| thread.own.as_ref()).map_or(0, |own| own.events);
        if u64::from(done) >= self.machine.config.limits.loop_iterations {
            // A loop that does things that others see, and does not end.
            operation = Some(Rc::new(Operation::End(Outcome::Limit(LimitKind::Loop))));
        }
        let able = state.thread_named(id).is_some_and(|thread| self.machine.is_able(&state, thread));
        let choices = able_threads(self.machine, &state).len();
        if !able {
            // What was planned is not possible any more: nothing is lost, since it was never.
            self.machine.decider.sink.blocked += 1;
            return true;
        }
        state.decide(Decision::Schedule(step.thread), choices == 1);
        self.machine.give_turn(&mut state, id);
        let (guard, awaits) = match operation.as_deref() {
            Some(Operation::When(guard)) => (Some(guard.clone()), false),
            Some(Operation::Reading(_)) => (None, true),
            _ => (None, false),
        };
        let mut outcomes = match operation.as_deref() {
            Some(Operation::End(outcome)) => {
                vec![Settled { state, ended: None, ends: Some(outcome.clone()) }]
            }
            _ => match self.settle(state) {
                Some(outcomes) => outcomes,
                None => return false,
            },
        };
        let Some(node) = self.nodes.last_mut() else { return true };
        let sleeps = |ways: &[u32]| {
            let same = |known: &Planned| known.ways.as_ref().is_some_and(|known| **known == *ways);
            node.sleep.iter().any(|known| known.thread == step.thread && same(known))
        };
        outcomes.retain(|outcome| {
            let ways = outcome.state.concurrency.as_ref().map_or(&[][..], |it| &it.ways);
            step.ways.as_ref().is_none_or(|wanted| **wanted == *ways) && !sleeps(ways)
        });
        if outcomes.is_empty() {
            self.machine.decider.sink.blocked += 1;
        }
        outcomes.reverse();
        node.explored.push(step.thread);
        node.running = Some(Running {
            thread: step.thread,
            ways: step.ways,
            guard,
            awaits,
            outcomes,
            children,
            footprint: Footprint::default(),
        });
        true
    }

    /// All outcomes of what a thread did from the last node are explored.
    fn leave_running(&mut self) {
        let Some(node) = self.nodes.last_mut() else { return };
        let Some(running) = node.running.take() else { return };
        if self.config.schedules == Schedules::All || self.config.preemptions.is_some() {
            return;
        }
        let footprint = Rc::new(running.footprint);
        node.sleep.push(Planned { thread: running.thread, ways: running.ways, footprint, origin: None });
    }

    /// An event happens with one of its outcomes.
    fn enter(&mut self, mut outcome: Settled) {
        let Some(node) = self.nodes.last_mut() else { return };
        let Some(running) = &mut node.running else { return };
        let thread = running.thread;
        let (guard, awaits) = (running.guard.clone(), running.awaits);
        let children = std::mem::take(&mut running.children);
        let concurrency = outcome.state.concurrency_mut();
        let footprint = Rc::new(Footprint {
            touches: std::mem::take(&mut concurrency.touches),
            ends: outcome.ends.is_some(),
            fenced: concurrency.fences.1,
        });
        running.footprint.touches.extend(footprint.touches.iter().cloned());
        running.footprint.ends |= footprint.ends;
        let numbers = |ids: &[ThreadId]| ids.iter().map(|id| id.0).collect::<Vec<u32>>();
        let fresh = Fresh {
            thread,
            footprint: footprint.clone(),
            ways: concurrency.ways.clone().into(),
            guard,
            joined: numbers(&concurrency.joined),
            woken: concurrency.woken.map(|(by, number)| (by.0, number)),
            created: numbers(&concurrency.created),
            fences: concurrency.fences,
            awaits,
            location: footprint.touches.first().and_then(|touch| touch.location),
        };
        let sleep: Vec<Planned> = node
            .sleep
            .iter()
            .filter(|known| known.thread != thread && !known.footprint.conflicts(&footprint))
            .cloned()
            .collect();
        let preemptions = node.preemptions + u32::from(self.is_preemption(thread));
        let unordered = self.history.push(fresh, self.config.races != Races::Off);
        self.tell_races(&outcome.state, &unordered);
        if let Some(ending) = outcome.ends.take() {
            self.end_with(outcome.state, ending);
        } else if let Some(path) = outcome.ended {
            self.add_schedule(path);
            self.maximal(None);
            self.history.pop();
        } else {
            self.look_at_waits(&mut outcome.state, &footprint);
            self.enter_node(outcome.state, sleep, children, preemptions);
        }
    }

    /// Whether the last event of another thread than that was followed although its thread could have gone on.
    fn is_preemption(&self, thread: u32) -> bool {
        let (Some(last), Some(node)) = (self.history.events.last(), self.nodes.last()) else { return false };
        let could = |it: &Thread| self.machine.is_able(&node.state, it);
        last.thread != thread && node.state.thread_named(ThreadId(last.thread)).is_some_and(could)
    }

    /// All threads have stopped again.
    fn enter_node(&mut self, state: Box<State>, sleep: Vec<Planned>, tree: Vec<Branch>, preemptions: u32) {
        let able = able_threads(self.machine, &state);
        if able.is_empty() {
            return self.nobody_goes_on(state);
        }
        self.nodes.push(Node { state, sleep, tree, running: None, explored: Vec::new(), preemptions });
        if let Some(most) = self.config.preemptions {
            return self.plan_all(&able, Some(most));
        }
        if self.config.schedules == Schedules::All {
            return self.plan_all(&able, None);
        }
        let last = self.history.events.last().map(|event| event.thread);
        let Some(node) = self.nodes.last_mut() else { return };
        if !node.tree.is_empty() {
            return;
        }
        let sleeps = |thread: u32| {
            let whole = |known: &Planned| known.ways.as_ref().is_none_or(|ways| ways.is_empty());
            node.sleep.iter().any(|known| known.thread == thread && whole(known))
        };
        // Who went on last goes on: that shows the fewest switches.
        let awake: Vec<u32> = able.into_iter().filter(|&thread| !sleeps(thread)).collect();
        match awake.iter().copied().find(|&thread| Some(thread) == last).or(awake.first().copied()) {
            Some(thread) => node.tree.push(leaf(thread)),
            None => {
                self.machine.decider.sink.blocked += 1;
                self.nodes.pop();
                self.maximal(None);
                if !self.nodes.is_empty() {
                    self.history.pop();
                }
            }
        }
    }

    /// All of these go on, in turn, as far as the number of interruptions allows it.
    fn plan_all(&mut self, able: &[u32], most: Option<u32>) {
        let last = self.history.events.last().map(|event| event.thread);
        let Some(node) = self.nodes.last_mut() else { return };
        let goes_on = last.filter(|last| able.contains(last));
        let spent = most.is_some_and(|most| node.preemptions >= most);
        for &thread in able {
            if spent && goes_on.is_some_and(|last| last != thread) {
                self.machine.decider.sink.limits.insert(LimitKind::Preemptions);
                continue;
            }
            node.tree.push(leaf(thread));
        }
    }

    /// The program ends with the last event.
    fn end_with(&mut self, mut state: Box<State>, outcome: Outcome) {
        state.switch_to(ThreadId(self.history.events.last().map_or(0, |event| event.thread)));
        let before = self.machine.decider.sink.paths.len();
        state.memory.watch(false);
        self.machine.decider.finish_in_place(&mut state, outcome);
        state.memory.watch(true);
        let after = self.machine.decider.sink.paths.len();
        self.add_schedule((after > before).then(|| after - 1));
        self.maximal(None);
        self.history.pop();
    }

    /// No thread can go on.
    fn nobody_goes_on(&mut self, mut state: Box<State>) {
        let before = self.machine.decider.sink.paths.len();
        let live: Vec<ThreadId> = state.live_threads().iter().map(|thread| thread.id).collect();
        let assumed = |thread: &&Thread| matches!(thread.pending.as_deref(), Some(Operation::Assumed));
        if live.is_empty() {
            let outcome = self.machine.all_ended(&mut state);
            self.machine.decider.finish_in_place(&mut state, outcome);
        } else if state.live_threads().iter().any(assumed) {
            self.machine.decider.sink.blocked += 1;
        } else {
            let outcome = self.stuck(&mut state);
            self.machine.decider.finish_in_place(&mut state, outcome);
        }
        let after = self.machine.decider.sink.paths.len();
        self.add_schedule((after > before).then(|| after - 1));
        self.maximal(Some(&state));
        // The first node has no event that leads to it.
        if !self.nodes.is_empty() {
            self.history.pop();
        }
    }

    /// An execution is at its end: what else could have come first is planned. `stuck` is where threads wait for ever.
    fn maximal(&mut self, stuck: Option<&State>) {
        self.executions += 1;
        if self.executions.is_multiple_of(64) {
            (self.told)(self.machine, self.nodes.len());
        }
        if self.config.schedules == Schedules::All || self.config.preemptions.is_some() {
            return;
        }
        for index in 0..self.history.events.len() {
            for race in 0..self.history.events[index].races.len() {
                let earlier = self.history.events[index].races[race];
                self.reverse(earlier, index);
            }
        }
        if let Some(state) = stuck {
            self.reverse_stuck(state);
        }
        if self.history.events.last().is_some_and(|event| event.footprint.ends) {
            self.go_on_before_end();
        }
    }

    /// What does not come after an event, and would so come before it or beside it.
    fn beside(&self, earlier: usize) -> Vec<Planned> {
        let later = earlier + 1..self.history.events.len();
        let planned = |index: usize| {
            let event = &self.history.events[index];
            let (thread, footprint) = (event.thread, event.footprint.clone());
            Planned { thread, ways: Some(event.ways.clone()), footprint, origin: Some(index) }
        };
        later.filter(|&index| !self.history.before(earlier, index)).map(planned).collect()
    }

    /// Plans the order in which a later event comes before an earlier one.
    fn reverse(&mut self, earlier: usize, later: usize) {
        let event = &self.history.events[later];
        let (thread, guard, base) = (event.thread, event.guard.clone(), event.base.clone());
        let (footprint, awaits) = (event.footprint.clone(), event.awaits);
        let sequence = self.beside(earlier);
        if let Some(guard) = &guard
            && !self.holds_after(earlier, &sequence, guard)
        {
            return;
        }
        if awaits && !self.goes_on_after(earlier, &sequence, thread) {
            return self.reverse_earlier(earlier, thread, &footprint, &base);
        }
        let footprint = self.predict(earlier, &sequence, &footprint);
        self.plan(earlier, sequence, (thread, footprint), &base);
    }

    /// A read of a loop that waits would wait before an event: perhaps not before an earlier one.
    pub(super) fn reverse_earlier(
        &mut self,
        before: usize,
        thread: u32,
        footprint: &Rc<Footprint>,
        base: &[u32],
    ) {
        let mut all: Vec<usize> =
            footprint.touches.iter().flat_map(|touch| self.history.all_conflicts(touch)).collect();
        all.sort_unstable_by(|one, two| two.cmp(one));
        all.dedup();
        for earlier in all.into_iter().filter(|&index| index < before) {
            if self.history.within(earlier, base) {
                return;
            }
            let sequence = self.beside(earlier);
            if self.goes_on_after(earlier, &sequence, thread) {
                let footprint = self.predict(earlier, &sequence, footprint);
                return self.plan(earlier, sequence, (thread, footprint), base);
            }
        }
    }

    /// Plans a sequence and then the next event of a thread before an event, unless that is explored elsewhere.
    pub(super) fn plan(
        &mut self,
        before: usize,
        mut sequence: Vec<Planned>,
        (thread, footprint): (u32, Rc<Footprint>),
        base: &[u32],
    ) {
        sequence.push(Planned { thread, ways: None, footprint, origin: None });
        let history = &self.history;
        let depends = |one: &Planned, other: &Planned| match (one.origin, other.origin) {
            (Some(one), Some(other)) => history.before(one, other),
            (Some(index), None) => history.within(index, base) || one.footprint.conflicts(&other.footprint),
            _ => one.footprint.conflicts(&other.footprint),
        };
        let node = &mut self.nodes[before];
        if self.config.schedules == Schedules::Dpor {
            return node.add_source(&sequence, &depends);
        }
        if node.sleep.iter().any(|known| wakeup::begins_with(&sequence, known, &depends).is_some()) {
            return;
        }
        wakeup::insert(&mut node.tree, sequence, &depends);
    }

    /// The state of a synchronisation object after a sequence from a node.
    fn word_after(&self, before: usize, sequence: &[Planned], object: Object, waits: Waits) -> Option<u64> {
        let mut word = object.word(&self.nodes[before].state, waits)?;
        let there = |touch: &&Touch| {
            touch.synchronises && touch.slot == object.slot && touch.offset == Some(object.offset)
        };
        for touch in sequence.iter().flat_map(|step| step.footprint.touches.iter()).filter(there) {
            if let (Some(found), Some(left)) = (touch.before, touch.after) {
                word = word.wrapping_add(left).wrapping_sub(found);
            }
        }
        Some(word)
    }

    /// Whether an operation need not wait after a sequence from a node.
    fn holds_after(&self, before: usize, sequence: &[Planned], guard: &Guard) -> bool {
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
    fn predict(&self, before: usize, sequence: &[Planned], footprint: &Rc<Footprint>) -> Rc<Footprint> {
        use super::event::Exchange;
        let is_fixed =
            |touch: &Touch| touch.exchange == Exchange::Always && !matches!(touch.mode, Mode::Arrive(_));
        if footprint.touches.iter().all(is_fixed) {
            return footprint.clone();
        }
        let mut predicted = Footprint::clone(footprint);
        for touch in &mut predicted.touches {
            let Some(offset) = touch.offset else { continue };
            if let Mode::Arrive(round) = touch.mode {
                let object = Object { slot: touch.slot, offset, size: touch.size };
                touch.mode = Mode::Arrive(self.round_after(before, sequence, object).unwrap_or(round));
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
                    let word = self.word_after(before, sequence, object, waits);
                    let taken = if waits == Waits::ReadLock { Mode::Share } else { Mode::Write };
                    touch.mode = if word.is_none_or(|it| waits.holds(it)) { taken } else { Mode::Read };
                }
            }
        }
        Rc::new(predicted)
    }

    /// The round of a barrier in which an arrival after a sequence from a node is.
    fn round_after(&self, before: usize, sequence: &[Planned], object: Object) -> Option<u32> {
        let state = &self.nodes[before].state;
        let [count, arrived, round] = [0, 4, 8].map(|at| object.read(state, at));
        let here = |touch: &&Touch| {
            let there = touch.slot == object.slot && touch.offset == Some(object.offset);
            there && matches!(touch.mode, Mode::Arrive(_))
        };
        let more = sequence.iter().flat_map(|step| step.footprint.touches.iter()).filter(here).count() as u32;
        Some(round? + (arrived? + more) / count?.max(1))
    }

    /// The number in memory after a sequence from a node, if it is known.
    fn value_after(&self, before: usize, sequence: &[Planned], touch: &Touch, offset: u64) -> Option<u64> {
        let touches = sequence.iter().rev().flat_map(|step| step.footprint.touches.iter().rev());
        for other in touches {
            if other.mode != Mode::Read && other.overlaps(touch) {
                let same = other.offset == touch.offset && other.size == touch.size;
                return other.after.filter(|_| same);
            }
        }
        self.nodes[before].state.memory.object(touch.slot)?.read_word(offset, touch.size)
    }

    /// Threads that wait for ever: what keeps them waiting could have come later.
    fn reverse_stuck(&mut self, state: &State) {
        for thread in state.live_threads() {
            let Some(Operation::When(guard)) = thread.pending.as_deref() else { continue };
            let (slot, offset, waits) = match *guard {
                Guard::Ended(_) | Guard::Object { waits: Waits::Round(_), .. } => continue,
                Guard::Object { slot, offset, waits } => (slot, offset, waits),
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
                if self.holds_after(earlier, &sequence, guard) {
                    self.plan(earlier, sequence, (thread.id.0, footprint.clone()), &base);
                }
            }
        }
    }

    /// The program has ended: other threads could have gone on before.
    fn go_on_before_end(&mut self) {
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
        let mut state = Box::new(self.nodes[node].state.fork());
        let operation = state.thread_named(ThreadId(thread)).and_then(|it| it.pending.clone());
        if let Some(Operation::End(_)) = operation.as_deref() {
            return Rc::new(Footprint { ends: true, ..Footprint::default() });
        }
        self.machine.give_turn(&mut state, ThreadId(thread));
        let outcomes = self.settle(state).unwrap_or_default();
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
            let thread = state.thread_named(id)?;
            if !self.machine.is_able(&state, thread) {
                return None;
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
        let mut first: Vec<u32> = Vec::new();
        for (at, step) in sequence.iter().enumerate() {
            let earlier = &sequence[..at];
            if !earlier.iter().any(|it| it.thread == step.thread || depends(it, step)) {
                first.push(step.thread);
            }
        }
        let known = |thread: &u32| {
            self.explored.contains(thread) || self.tree.iter().any(|branch| branch.step.thread == *thread)
        };
        if first.iter().any(known) {
            return;
        }
        let Some(&thread) = first.first() else { return };
        let whole = |known: &Planned| known.ways.as_ref().is_none_or(|ways| ways.is_empty());
        match self.sleep.iter().any(|known| known.thread == thread && whole(known)) {
            true => self.explored.push(thread),
            false => self.tree.push(leaf(thread)),
        }
    }
}

/// A thread that goes on, whatever comes of it.
fn leaf(thread: u32) -> Branch {
    let step = Planned { thread, ways: None, footprint: Rc::default(), origin: None };
    Branch { step, children: Vec::new() }
}

/// The threads that can go on, in the order of their numbers.
fn able_threads(machine: &Machine<'_>, state: &State) -> Vec<u32> {
    let live = state.live_threads();
    live.into_iter().filter(|thread| machine.is_able(state, thread)).map(|thread| thread.id.0).collect()
}
