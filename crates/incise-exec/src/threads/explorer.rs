//! Explores everything below a state with several threads, depth first: one execution for each trace.
//!
//! The algorithm is optimal DPOR of Abdulla, Aronis, Jonsson and Sagonas; `docs/internals/threads.md` says what
//! symbolic data and waiting add. The state before each event of the current execution is at hand, so that nothing is
//! executed again when an order is reversed.

use super::awaits::{has_read_ahead, may_read_ahead};
use super::event::{Footprint, Guard, Mode, Operation, Ways};
use super::executions::Executions;
use super::history::{Fresh, History};
use super::native::barrier::ROUND;
use super::wakeup::{Branch, Planned, without};
use super::{Races, Schedules, ThreadConfig};
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::engine::step::Stop;
use crate::engine::thread::{Thread, ThreadId, Turn};
use crate::exploration::ended::Ended;
use crate::exploration::explore::order_forks;
use crate::outcome::{LimitKind, Outcome};
use crate::result::Decision;
use crate::threads::objects::Object;
use std::rc::Rc;

/// A place in the tree of executions: all threads have stopped before what others can see.
pub(super) struct Node {
    pub(super) state: Box<State>,
    /// What was explored elsewhere.
    pub(super) sleep: Vec<Planned>,
    /// What is to be explored.
    pub(super) tree: Vec<Branch>,
    /// What is being explored.
    running: Option<Running>,
    /// The threads that went on from here, or need not.
    pub(super) explored: Vec<u32>,
    /// How often a thread was interrupted that could have gone on.
    preemptions: u32,
    /// Whether no more than one thing was planned when it was made.
    pub(super) clean: bool,
    /// Whether threads have only one outcome from here, as far as anybody has asked.
    pub(super) single: Vec<(u32, bool)>,
    /// The threads of which everything that could come of them sleeps.
    tried: Vec<u32>,
    /// How many sequences were begun.
    begun: u32,
    /// What it has besides, where states are matched.
    pub(super) place: Option<Box<super::states::MatchedPlace>>,
}

/// A thread that goes on from a node, and the outcomes of that.
struct Running {
    thread: u32,
    ways: Option<Ways>,
    guard: Option<Guard>,
    awaits: bool,
    plain: bool,
    ahead: bool,
    /// Those that are still to be explored, the next one last.
    outcomes: Vec<Settled>,
    children: Vec<Branch>,
    /// What the explored ones touched.
    footprint: Option<Rc<Footprint>>,
}

/// A state in which all threads have stopped, or that has ended.
pub(super) struct Settled {
    pub(super) state: Box<State>,
    /// The number of its path, if it has ended with one.
    pub(super) ended: Option<Option<usize>>,
    /// Its end, if somebody takes executions.
    kept: Option<Ended>,
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
    told: &'m mut dyn FnMut(&Machine<'a>, usize, u64),
    /// Who takes executions as they end, instead of their paths.
    pub(super) taker: Option<&'m mut dyn Executions>,
    executions: u64,
    pub(super) live: super::awaits::Remembered,
    /// What need not be explored again, if that is remembered.
    pub(super) matching: super::states::Matching,
    /// Whether nobody looks if threads wait in loops: it is known that they do not.
    pub(super) unlooked: bool,
    /// The events of the race that is looked at, if the later one is a read of a loop that may wait.
    pub(super) reversed: Option<(usize, usize)>,
    /// Events beside the one that is reversed; kept for its memory.
    pub(super) beside: Vec<usize>,
    /// The outcome of events without decisions.
    no_ways: Ways,
}

/// Explores everything below a state with several threads.
pub(crate) fn explore_threads<'m, 'a>(
    machine: &'m mut Machine<'a>,
    state: &State,
    told: &'m mut dyn FnMut(&Machine<'a>, usize, u64),
    taker: Option<&'m mut dyn Executions>,
) -> Flow {
    let config = machine.config.threads.unwrap_or_default();
    let (nodes, history) = (Vec::new(), History::default());
    let mut explorer = Explorer {
        machine,
        config,
        nodes,
        history,
        told,
        taker,
        executions: 0,
        live: Default::default(),
        matching: Default::default(),
        unlooked: false,
        reversed: None,
        beside: Vec::new(),
        no_ways: Rc::new([]),
    };
    explorer.begin_matching(state);
    let Some(first) = explorer.settle(Box::new(state.fork())) else { return Flow::Stopped };
    for settled in first {
        explorer.history = History::default();
        if settled.ended.is_some() {
            explorer.hand_over(settled.kept, Some(&settled.state));
            continue;
        }
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
                self.leave();
            }
            if self.machine.decider.stop.check() {
                return self.stop(LimitKind::Interrupt);
            }
            let found = match &self.taker {
                Some(taker) => taker.count(),
                None => self.machine.decider.sink.paths.len() as u64,
            };
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
        self.end_those_that_have();
        self.tell_limits();
        let sink = &mut self.machine.decider.sink;
        sink.limits.insert(self.machine.decider.stop.reason.unwrap_or(limit));
        sink.abandoned +=
            self.nodes.iter().filter(|node| !node.tree.is_empty() || node.running.is_some()).count() as u64;
        self.nodes.clear();
        Flow::Stopped
    }

    /// Executions whose last event came to an end of the program are whole, whatever limit is reached with them.
    fn end_those_that_have(&mut self) {
        let running = self.nodes.last_mut().and_then(|node| node.running.as_mut());
        let outcomes = running.map_or_else(Vec::new, |running| std::mem::take(&mut running.outcomes));
        for outcome in outcomes.into_iter().rev().filter(|outcome| outcome.ended.is_some()) {
            self.enter(outcome);
        }
    }

    /// Runs all threads that have not stopped, until they have. `None` if the exploration must stop.
    pub(super) fn settle(&mut self, state: Box<State>) -> Option<Vec<Settled>> {
        let mut work = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = work.pop() {
            loop {
                let next = match state.thread.pending {
                    None => Some(state.thread.id),
                    Some(_) => state.parked.iter().filter(|it| it.pending.is_none()).map(|it| it.id).min(),
                };
                let Some(next) = next else {
                    done.push(Settled { state, ended: None, kept: None, ends: None });
                    break;
                };
                state.switch_to(next);
                let before = self.machine.decider.sink.paths.len();
                let stop = self.machine.run(&mut state, false);
                state.turn = Turn::Open;
                work.extend(order_forks(std::mem::take(&mut self.machine.decider.forked)));
                match stop {
                    Stop::Paused | Stop::Forked => {
                        self.look_at_wait(&mut state);
                        self.hold_after_many(&mut state);
                    }
                    Stop::Ended => {
                        let after = self.machine.decider.sink.paths.len();
                        done.push(Settled {
                            state,
                            ended: Some((after > before).then(|| after - 1)),
                            kept: self.machine.decider.ends.as_mut().and_then(Vec::pop),
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

    /// A loop that does things that others see, and does not end, goes no further.
    fn hold_after_many(&mut self, state: &mut State) {
        let done = state.thread.own.as_ref().map_or(0, |own| own.events);
        let most = self.config.steps.unwrap_or(self.machine.config.limits.loop_iterations);
        if u64::from(done) >= most && self.machine.is_able(state, &state.thread) {
            self.machine.decider.sink.limits.insert(LimitKind::Loop);
            state.thread.pending = Some(Rc::new(Operation::Held(LimitKind::Loop)));
        }
    }

    /// A thread goes on from the last node.
    fn start(&mut self, branch: Branch) -> bool {
        if self.waits_unplanned(&branch.step) {
            self.pass_over(branch);
            return true;
        }
        let Branch { step, children } = branch;
        let Some(node) = self.nodes.last_mut() else { return true };
        let branch_is_free = node.tree.is_empty() && node.explored.is_empty() && children.is_empty();
        let id = ThreadId(step.thread);
        let mut state = Box::new(node.state.fork());
        self.machine.decider.sink.counters.states += 1;
        let operation = state.thread_named(id).and_then(|thread| thread.pending.clone());
        let able = state.thread_named(id).is_some_and(|thread| self.may_go_on(&state, thread));
        let choices = state.each_live().filter(|it| self.may_go_on(&state, it)).take(2).count();
        if !able {
            // What was planned is not possible any more: nothing is lost, since it was never.
            self.machine.decider.sink.blocked += 1;
            return true;
        }
        state.decide(Decision::Schedule(step.thread), choices == 1);
        self.machine.give_turn(&mut state, id);
        let (guard, awaits, ahead) = match operation.as_deref() {
            Some(Operation::When(Guard::Change(_))) => (None, true, true),
            Some(Operation::Reading(_)) => (None, true, false),
            Some(Operation::When(guard)) => (Some(guard.clone()), false, false),
            _ => (None, false, false),
        };
        let plain = match operation.as_deref() {
            Some(Operation::Reading(reads)) => reads.len() <= 1,
            _ => !awaits,
        };
        let mut outcomes = match operation.as_deref() {
            Some(Operation::End(outcome)) => {
                vec![Settled { state, ended: None, kept: None, ends: Some(outcome.clone()) }]
            }
            _ => match self.settle(state) {
                Some(outcomes) => outcomes,
                None => return false,
            },
        };
        let Some(node) = self.nodes.last_mut() else { return true };
        let all = outcomes.len();
        let sleeps = |ways: &[u32]| {
            let same = |known: &Planned| known.ways.as_ref().is_some_and(|known| **known == *ways);
            node.sleep.iter().any(|known| known.thread == step.thread && same(known))
        };
        outcomes.retain(|outcome| {
            let ways = outcome.ways();
            step.ways.as_ref().is_none_or(|wanted| **wanted == *ways) && !sleeps(ways)
        });
        if outcomes.is_empty() && all > 0 && step.ways.is_none() && branch_is_free {
            // Everything that could come of it was explored elsewhere: another one goes on.
            node.tried.push(step.thread);
            let able = able_threads(self.machine, &node.state);
            self.choose(able, None);
            return true;
        }
        if outcomes.is_empty() {
            self.machine.decider.sink.blocked += 1;
        }
        outcomes.reverse();
        node.explored.push(step.thread);
        node.begun += 1;
        node.running = Some(Running {
            thread: step.thread,
            ways: step.ways.filter(|_| !(node.clean && all == 1)),
            guard,
            awaits,
            plain,
            ahead,
            outcomes,
            children,
            footprint: None,
        });
        true
    }

    /// Whether a thread would wait in a loop at the last node, although what was planned is that it goes on.
    fn waits_unplanned(&self, step: &Planned) -> bool {
        let Some(node) = self.nodes.last() else { return false };
        let thread = node.state.thread_named(ThreadId(step.thread));
        !step.ahead
            && thread
                .is_some_and(|thread| may_read_ahead(thread) && !self.machine.is_able(&node.state, thread))
    }

    /// What a thread waits for comes later now than when it was planned that it goes on: the others go on without it.
    fn pass_over(&mut self, branch: Branch) {
        let Some(node) = self.nodes.last_mut() else { return };
        node.tree.splice(0..0, without(branch.children, branch.step.thread));
        if !node.tree.is_empty() {
            return;
        }
        let mut able = able_threads(self.machine, &node.state);
        if node.explored.is_empty() {
            self.choose(able, None);
        } else if self.config.schedules == Schedules::Dpor {
            // Of a source set only the first is planned: it is one of the others.
            able.retain(|thread| !node.explored.contains(thread));
            node.tree.extend(able.into_iter().map(|thread| leaf(thread, false)));
        }
    }

    /// All outcomes of what a thread did from the last node are explored.
    fn leave_running(&mut self) {
        let Some(node) = self.nodes.last_mut() else { return };
        let Some(running) = node.running.take() else { return };
        if self.config.schedules.try_all() || self.config.preemptions.is_some() {
            return;
        }
        let footprint = running.footprint.unwrap_or_default();
        node.sleep.push(Planned {
            thread: running.thread,
            ways: running.ways,
            footprint,
            origin: None,
            ahead: false,
        });
    }

    /// An event happens with one of its outcomes.
    fn enter(&mut self, mut outcome: Settled) {
        let Some(node) = self.nodes.last_mut() else { return };
        let Some(running) = &mut node.running else { return };
        let thread = running.thread;
        let (guard, awaits, ahead) = (running.guard.clone(), running.awaits, running.ahead);
        let plain = running.plain;
        let children = std::mem::take(&mut running.children);
        let concurrency = outcome.state.concurrency_mut();
        let footprint = Rc::new(Footprint {
            touches: std::mem::take(&mut concurrency.touches),
            ends: outcome.ends.is_some(),
            fenced: concurrency.fences.1,
        });
        match &mut running.footprint {
            None => running.footprint = Some(footprint.clone()),
            Some(known) => {
                let known = Rc::make_mut(known);
                known.touches.extend(footprint.touches.iter().cloned());
                known.ends |= footprint.ends;
            }
        }
        let numbers = |ids: &[ThreadId]| ids.iter().map(|id| id.0).collect::<Vec<u32>>();
        let fresh = Fresh {
            thread,
            footprint: footprint.clone(),
            ways: match &*concurrency.ways {
                [] => self.no_ways.clone(),
                ways => ways.into(),
            },
            guard,
            joined: numbers(&concurrency.joined),
            woken: concurrency.woken.map(|(by, number)| (by.0, number)),
            created: numbers(&concurrency.created),
            fences: concurrency.fences,
            awaits,
            plain,
            ahead,
            location: footprint.touches.first().and_then(|touch| touch.location),
        };
        let after = &outcome.state;
        let sleeps = |known: &&Planned| {
            let apart = !known.footprint.conflicts(&footprint);
            known.thread != thread && apart && is_in_its_round(after, &known.footprint)
        };
        let sleep: Vec<Planned> = node.sleep.iter().filter(sleeps).cloned().collect();
        let mut preemptions = node.preemptions;
        if self.config.preemptions.is_some() {
            preemptions += u32::from(self.is_preemption(thread));
        }
        let unordered = self.history.push(fresh, self.config.races != Races::Off);
        self.tell_races(&outcome.state, &unordered);
        if self.matches_states() {
            self.has_happened();
        }
        if let Some(ending) = outcome.ends.take() {
            self.end_with(outcome.state, ending);
        } else if let Some(path) = outcome.ended {
            self.add_schedule(path, Some(&outcome.state));
            self.hand_over(outcome.kept.take(), Some(&outcome.state));
            self.maximal(None);
            self.history.pop();
        } else {
            self.look_at_waits(&mut outcome.state, &footprint);
            self.enter_node(outcome.state, sleep, children, preemptions);
        }
    }

    /// Whether a thread can do what it is about to do, or what it looks at in a loop in which it waits.
    pub(super) fn may_go_on(&self, state: &State, thread: &Thread) -> bool {
        self.machine.is_able(state, thread) || may_read_ahead(thread)
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
        let place = match self.matches_states().then(|| self.arrive(&state)) {
            None => None,
            Some(Some(place)) => Some(Box::new(place)),
            Some(None) => {
                // The first node has no event that leads to it.
                if !self.nodes.is_empty() {
                    self.history.pop();
                }
                return;
            }
        };
        let clean = tree.len() <= 1;
        let (explored, single, tried) = (Vec::new(), Vec::new(), Vec::new());
        let (running, begun) = (None, 0);
        self.nodes.push(Node {
            state,
            sleep,
            tree,
            running,
            explored,
            preemptions,
            clean,
            single,
            tried,
            begun,
            place,
        });
        if let Some(most) = self.config.preemptions {
            return self.plan_all(&able, Some(most));
        }
        if self.matches_states() {
            self.reverse_looks();
        } else if self.config.schedules.try_all() {
            return self.plan_all(&able, None);
        }
        let last = self.history.events.last().map(|event| event.thread);
        if self.nodes.last().is_some_and(|node| node.tree.is_empty()) {
            self.choose(able, last);
        }
    }

    /// One of the threads that can go on from the last node does, if one does not sleep.
    fn choose(&mut self, able: Vec<u32>, last: Option<u32>) {
        let Some(node) = self.nodes.last_mut() else { return };
        let sleeps = |thread: u32| {
            let whole = |known: &Planned| known.ways.as_ref().is_none_or(|ways| ways.is_empty());
            node.sleep.iter().any(|known| known.thread == thread && whole(known))
                || node.tried.contains(&thread)
        };
        // Who went on last goes on: that shows the fewest switches. Who waits for the end of others does so last, for
        // all of them at once.
        let joins = |thread: u32| {
            let pending = node.state.thread_named(ThreadId(thread)).and_then(|it| it.pending.as_deref());
            matches!(pending, Some(Operation::When(Guard::Ended(_))))
        };
        let awake: Vec<u32> = able.into_iter().filter(|&thread| !sleeps(thread)).collect();
        let on = awake.iter().copied().find(|&thread| Some(thread) == last && !joins(thread));
        let other = || awake.iter().copied().find(|&thread| !joins(thread));
        match on.or_else(other).or(awake.first().copied()) {
            Some(thread) => node.tree.push(leaf(thread, false)),
            None => {
                self.machine.decider.sink.blocked += 1;
                let state = self.nodes.pop().map(|node| node.state);
                self.maximal(state.as_deref());
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
        let ahead = node.state.live_threads().into_iter().filter(|thread| may_read_ahead(thread));
        let ahead: Vec<u32> = ahead.map(|thread| thread.id.0).collect();
        for &thread in able.iter().chain(&ahead) {
            if spent && goes_on.is_some_and(|last| last != thread) {
                self.machine.decider.sink.limits.insert(LimitKind::Preemptions);
                continue;
            }
            node.tree.push(leaf(thread, ahead.contains(&thread)));
        }
    }

    /// The program ends with the last event.
    fn end_with(&mut self, mut state: Box<State>, outcome: Outcome) {
        // What a thread would have done that a limit holds is not known: that is an end of its own.
        if let Some((thread, limit)) = state.each_live().filter_map(held).min_by_key(|(thread, _)| *thread) {
            self.finish(&mut state.fork(), thread, Outcome::Limit(limit));
        }
        let ending = ThreadId(self.history.events.last().map_or(0, |event| event.thread));
        self.finish(&mut state, ending, outcome);
        self.maximal(None);
        self.history.pop();
    }

    /// A path ends in a thread.
    fn finish(&mut self, state: &mut State, thread: ThreadId, outcome: Outcome) {
        state.switch_to(thread);
        let before = self.machine.decider.sink.paths.len();
        state.memory.watch(false);
        self.machine.decider.finish_in_place(state, outcome);
        state.memory.watch(true);
        let after = self.machine.decider.sink.paths.len();
        self.add_schedule((after > before).then(|| after - 1), None);
        let kept = self.machine.decider.ends.as_mut().and_then(Vec::pop);
        self.hand_over(kept, None);
    }

    /// No thread can go on.
    fn nobody_goes_on(&mut self, mut state: Box<State>) {
        let before = self.machine.decider.sink.paths.len();
        let stood = state.fork();
        let held = state.each_live().filter_map(held).min_by_key(|(thread, _)| *thread);
        let live: Vec<ThreadId> = state.live_threads().iter().map(|thread| thread.id).collect();
        let assumed = |thread: &&&Thread| matches!(thread.pending.as_deref(), Some(Operation::Assumed));
        if live.is_empty() {
            let outcome = self.machine.all_ended(&mut state);
            self.machine.decider.finish_in_place(&mut state, outcome);
        } else if state.live_threads().iter().any(|thread| assumed(&thread) || has_read_ahead(thread)) {
            self.machine.decider.sink.blocked += 1;
        } else if let Some((thread, limit)) = held {
            state.switch_to(thread);
            self.machine.decider.finish_in_place(&mut state, Outcome::Limit(limit));
        } else {
            let outcome = self.stuck(&mut state);
            self.machine.decider.finish_in_place(&mut state, outcome);
        }
        let after = self.machine.decider.sink.paths.len();
        self.add_schedule((after > before).then(|| after - 1), Some(&stood));
        let kept = self.machine.decider.ends.as_mut().and_then(Vec::pop);
        self.hand_over(kept, Some(&stood));
        self.maximal(Some(&state));
        // The first node has no event that leads to it.
        if !self.nodes.is_empty() {
            self.history.pop();
        }
    }

    /// About how many executions there will be: as many as there were, by the part of the tree that is done. More is
    /// planned on the way, so that it grows at first.
    fn expected(&self) -> u64 {
        let (mut done, mut share) = (0.0, 1.0);
        for node in &self.nodes {
            let begun = f64::from(node.begun.max(1));
            let all = begun + node.tree.len() as f64;
            done += share * (begun - 1.0) / all;
            share /= all;
        }
        let expected = self.executions as f64 / (done + share);
        if expected.is_finite() { expected as u64 } else { 0 }
    }

    /// An execution is at its end: what else could have come first is planned. `stuck` is where threads wait for ever.
    fn maximal(&mut self, stuck: Option<&State>) {
        self.executions += 1;
        if self.executions.is_multiple_of(64) {
            let expected = self.expected();
            (self.told)(self.machine, self.nodes.len(), expected);
        }
        if self.matches_states() {
            return self.reverse_at_end(stuck);
        }
        if self.config.schedules.try_all() || self.config.preemptions.is_some() {
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
            // Who waits now need not have waited before something that came earlier.
            if let Some(state) = self.nodes.last().map(|node| node.state.fork()) {
                self.reverse_stuck(&state);
            }
            self.go_on_before_end();
        }
    }
}

impl Settled {
    /// Which ways the decisions of the event went.
    pub(super) fn ways(&self) -> &[u32] {
        self.state.concurrency.as_ref().map_or(&[][..], |it| &it.ways)
    }
}

/// Whether arrivals at barriers would still be in the round in which they were.
fn is_in_its_round(state: &State, footprint: &Footprint) -> bool {
    footprint.touches.iter().all(|touch| match (touch.mode, touch.offset) {
        (Mode::Arrive(round), Some(offset)) => {
            let object = Object { slot: touch.slot, offset, size: touch.size };
            object.read(state, ROUND).is_none_or(|now| now == round)
        }
        _ => true,
    })
}

/// The limit that holds a thread.
fn held(thread: &Thread) -> Option<(ThreadId, LimitKind)> {
    match thread.pending.as_deref() {
        Some(&Operation::Held(limit)) => Some((thread.id, limit)),
        _ => None,
    }
}

/// A thread that goes on, whatever comes of it.
pub(super) fn leaf(thread: u32, ahead: bool) -> Branch {
    let step = Planned { thread, ways: None, footprint: Rc::default(), origin: None, ahead };
    Branch { step, children: Vec::new() }
}

/// The threads that can go on, in the order of their numbers.
pub(super) fn able_threads(machine: &Machine<'_>, state: &State) -> Vec<u32> {
    let able = state.each_live().filter(|thread| machine.is_able(state, thread));
    let mut able: Vec<u32> = able.map(|thread| thread.id.0).collect();
    able.sort_unstable();
    able
}
