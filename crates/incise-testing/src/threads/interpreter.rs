//! Executes random programs with threads in every order, and knows nothing of the engine.

use super::case::{ATOMICS, Case, Condition, ELEMENTS, INPUTS, LOCKS, Lines, Op, PLAIN, Variable};
use super::order::{Clocks, Event, How, Thing, canonical};
use std::collections::{BTreeMap, BTreeSet};

/// How an execution ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ending {
    Done,
    Stuck,
    /// An assertion fails: that of this number.
    Failed(i32),
    Exited,
}

/// The end of an execution, and what is in memory then; what threads returned, if all were waited for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct End {
    pub ending: Ending,
    pub memory: Vec<i32>,
    pub returned: Vec<i32>,
}

/// An operation without loops, with its line.
type Flat = (Op, u32);

/// Everything that there is, at one moment.
#[derive(Clone)]
pub struct World {
    at: Vec<usize>,
    /// How far a thread is within its operation.
    phase: Vec<u32>,
    r: Vec<i32>,
    started: Vec<bool>,
    joined: Vec<bool>,
    /// Atomic variables, plain ones, elements.
    memory: Vec<i32>,
    lock: [Option<usize>; LOCKS],
    readers: Vec<usize>,
    writer: Option<usize>,
    semaphore: u32,
    arrived: u32,
    round: u32,
    asleep: Vec<bool>,
    woken_by: Vec<Option<(usize, usize)>>,
    ended: Option<Ending>,
    branches: Vec<Vec<bool>>,
    events: Vec<usize>,
    /// The reads of rounds in which nothing had changed.
    vain: BTreeSet<(usize, usize)>,
    clocks: Clocks,
}

/// What is found of a program.
pub struct Interpreter<'c> {
    case: &'c Case,
    flat: Vec<Vec<Flat>>,
    input: i32,
    /// Each trace, with what becomes of each input.
    pub traces: BTreeMap<Trace, BTreeMap<i32, End>>,
    /// All orders.
    pub orders: BTreeSet<Trace>,
    /// The lines of accesses that nothing orders.
    pub races: BTreeSet<(u32, u32)>,
    pub executions: usize,
    most: usize,
    /// Whether rounds in vain are done too, since a schedule says so.
    follows: bool,
}

/// Events in an order, and the branches of each thread.
pub type Trace = (Vec<Event>, Vec<Vec<bool>>);

fn flatten(ops: &[Op], lines: &mut std::slice::Iter<'_, u32>, flat: &mut Vec<Flat>) {
    for op in ops {
        let line = *lines.next().expect("each operation has a line");
        let Op::Repeat(times, body) = op else {
            flat.push((op.clone(), line));
            continue;
        };
        let mut inner = Vec::new();
        flatten(body, lines, &mut inner);
        match times {
            Some(times) => (0..*times).for_each(|_| flat.extend(inner.iter().cloned())),
            None => {
                for round in 0..INPUTS {
                    // As long as the round is below the input.
                    let rest = (INPUTS - round - 1) as usize * (inner.len() + 2) + inner.len() + 1;
                    flat.push((Op::SkipIf(Condition::BelowInput(round), 1), line));
                    flat.push((Op::SkipIf(Condition::BelowInput(-1), rest - 1), line));
                    flat.extend(inner.iter().cloned());
                }
            }
        }
    }
}

impl<'c> Interpreter<'c> {
    pub fn new(case: &'c Case, lines: &Lines, most: usize) -> Self {
        let flat = case.threads.iter().zip(lines).map(|(ops, lines)| {
            let mut flat = Vec::new();
            flatten(ops, &mut lines.iter(), &mut flat);
            flat
        });
        Self {
            case,
            flat: flat.collect(),
            input: 0,
            traces: BTreeMap::new(),
            follows: false,
            orders: BTreeSet::new(),
            races: BTreeSet::new(),
            executions: 0,
            most,
        }
    }

    /// The ends that are possible with each input.
    pub fn outcomes(&self) -> BTreeMap<i32, BTreeSet<End>> {
        let mut outcomes: BTreeMap<i32, BTreeSet<End>> = BTreeMap::new();
        for (input, end) in self.traces.values().flatten() {
            outcomes.entry(*input).or_default().insert(end.clone());
        }
        // What does not look at the input does the same with any.
        if !self.case.uses_input()
            && let Some(only) = outcomes.get(&0).cloned()
        {
            (1..INPUTS).for_each(|input| drop(outcomes.insert(input, only.clone())));
        }
        outcomes
    }

    /// All executions for all inputs; whether there are not too many.
    pub fn run(&mut self) -> bool {
        let inputs = if self.case.uses_input() { INPUTS } else { 1 };
        for input in 0..inputs {
            let world = self.first(input);
            self.go_on(&world, &mut Vec::new());
        }
        self.executions <= self.most
    }

    fn first(&mut self, input: i32) -> World {
        self.input = input;
        let count = self.flat.len();
        let mut world = World {
            at: vec![0; count],
            phase: vec![0; count],
            r: vec![0; count],
            started: vec![false; count],
            joined: vec![false; count],
            memory: vec![0; ATOMICS + PLAIN + ELEMENTS],
            lock: [None; LOCKS],
            readers: Vec::new(),
            writer: None,
            semaphore: self.case.semaphore,
            arrived: 0,
            round: 0,
            asleep: vec![false; count],
            woken_by: vec![None; count],
            ended: None,
            branches: vec![Vec::new(); count],
            events: vec![0; count],
            vain: BTreeSet::new(),
            clocks: Clocks::new(count),
        };
        world.started[0] = true;
        self.settle(&mut world, 0, &mut Vec::new());
        world
    }

    fn go_on(&mut self, world: &World, events: &mut Vec<Event>) {
        if self.executions > self.most {
            return;
        }
        let mut stuck = true;
        let goes_on =
            |thread: &usize| !self.steps(world, *thread).is_empty() && !self.may_turn_idle(world, *thread);
        let idle = world.ended.is_none() && !(0..self.flat.len()).any(|thread| goes_on(&thread));
        for thread in 0..self.flat.len() {
            // Where nobody else goes on, nothing comes of a round in which nothing has changed.
            for (next, event) in self.steps(world, thread).into_iter().filter(|_| !idle) {
                stuck = false;
                events.push(event);
                self.go_on(&next, events);
                events.pop();
            }
        }
        if !stuck {
            return;
        }
        if !(0..self.flat.len()).any(|thread| self.is_idle(world, thread)) {
            self.executions += 1;
            let (trace, end) = self.finished(world, events);
            self.orders.insert((events.clone(), world.branches.clone()));
            let known = self.traces.entry(trace).or_default().insert(self.input, end.clone());
            assert!(known.is_none_or(|known| known == end), "one trace has two ends");
            self.races.extend(world.clocks.races.iter().copied());
        }
    }

    fn finished(&self, world: &World, events: &[Event]) -> (Trace, End) {
        let done = |thread: usize| !world.started[thread] || world.at[thread] >= self.flat[thread].len();
        let all = (0..self.flat.len()).all(done);
        let ending = world.ended.unwrap_or(if all { Ending::Done } else { Ending::Stuck });
        let returned = match ending == Ending::Done && self.case.joins() {
            true => world.r[1..].to_vec(),
            false => Vec::new(),
        };
        let end = End { ending, memory: world.memory.clone(), returned };
        let mut vain = world.vain.clone();
        let idle = (0..self.flat.len()).filter(|&thread| self.is_idle(world, thread));
        vain.extend(idle.map(|thread| (thread, world.events[thread] - 1)));
        ((canonical(&without(events, &vain)), world.branches.clone()), end)
    }

    /// Follows a schedule: the traces that it may be, with their ends. Which thread a signal wakes is not in it.
    pub fn follow(&mut self, input: i32, schedule: &[usize]) -> Result<Vec<(Trace, End)>, String> {
        let world = self.first(input);
        let mut found = Vec::new();
        self.follows = true;
        let furthest = self.follow_from(&world, (schedule, 0), &mut Vec::new(), &mut found);
        self.follows = false;
        if found.is_empty() {
            return Err(format!("step {furthest} of {schedule:?} with input {input} is not possible"));
        }
        Ok(found)
    }

    fn follow_from(
        &self,
        world: &World,
        (schedule, taken): (&[usize], usize),
        events: &mut Vec<Event>,
        found: &mut Vec<(Trace, End)>,
    ) -> usize {
        let Some(&thread) = schedule.get(taken) else {
            // The end of the first thread is no step if there is no other.
            let last = self.steps(world, 0);
            let waits = |thread| {
                let vain = self.may_turn_idle(world, thread) || self.is_idle(world, thread);
                vain || self.steps(world, thread).is_empty()
            };
            let idle = (1..self.flat.len()).all(waits);
            match (last.into_iter().next(), idle) {
                (None, true) => found.push(self.finished(world, events)),
                (Some((next, event)), true) if event.ends => {
                    events.push(event);
                    found.push(self.finished(&next, events));
                    events.pop();
                }
                _ => {}
            }
            return taken;
        };
        let mut furthest = taken;
        for (mut next, event) in self.steps(world, thread) {
            let before = events.len();
            let joins = event.joins.is_some();
            events.push(event);
            loop {
                furthest = furthest.max(self.follow_from(&next, (schedule, taken + 1), events, found));
                // The last thread takes one step to wait for all that have ended; which it was the last for is not
                // told by the order of the schedule.
                let further =
                    || self.steps(&next, thread).into_iter().find(|(_, event)| event.joins.is_some());
                let further = if joins && self.is_last(&next, thread) { further() } else { None };
                let Some((after, event)) = further else { break };
                events.push(event);
                next = after;
            }
            events.truncate(before);
        }
        furthest
    }

    /// Whether all other threads have ended.
    fn is_last(&self, world: &World, thread: usize) -> bool {
        let over = |other: usize| !world.started[other] || world.at[other] >= self.flat[other].len();
        (0..self.flat.len()).all(|other| other == thread || over(other))
    }

    /// Does what nobody else can see, up to the next thing that they can; what threads it starts is noted.
    fn settle(&self, world: &mut World, thread: usize, created: &mut Vec<usize>) {
        while world.ended.is_none()
            && let Some((op, _)) = self.flat[thread].get(world.at[thread])
        {
            match *op {
                Op::SkipIf(Condition::BelowInput(-1), count) => world.at[thread] += 1 + count,
                Op::SkipIf(condition, count) => {
                    let holds = match condition {
                        Condition::Register(number) => world.r[thread] == number,
                        Condition::Input(number) => self.input == number,
                        Condition::BelowInput(number) => number < self.input,
                    };
                    world.branches[thread].push(holds);
                    world.at[thread] += 1 + if holds { count } else { 0 };
                }
                Op::Assert(number) | Op::ExitIf(number) if world.phase[thread] == 0 => {
                    let ends = world.r[thread] == number;
                    world.branches[thread].push(ends);
                    match ends {
                        true => world.phase[thread] = 1,
                        false => world.at[thread] += 1,
                    }
                }
                Op::Create(other) => {
                    world.at[thread] += 1;
                    world.started[other] = true;
                    created.push(other);
                    world.clocks.start(thread, other);
                    self.settle(world, other, created);
                }
                _ => return,
            }
        }
    }

    fn place(&self, variable: Variable) -> usize {
        match variable {
            Variable::Atomic(v) => v,
            Variable::Plain(p) => ATOMICS + p,
            Variable::Element(at) => ATOMICS + PLAIN + at,
            Variable::InputElement => ATOMICS + PLAIN + self.input as usize,
        }
    }

    /// Whether a thread has come to its end.
    fn is_over(&self, world: &World, thread: usize) -> bool {
        world.started[thread] && world.at[thread] >= self.flat[thread].len()
    }

    /// The next things that a thread can do.
    fn steps(&self, world: &World, thread: usize) -> Vec<(World, Event)> {
        if world.ended.is_some() || !world.started[thread] {
            return Vec::new();
        }
        let mut event = Event::new(thread, world.events[thread]);
        let Some((op, line)) = self.flat[thread].get(world.at[thread]) else {
            // The return of the first thread ends all others.
            let alone = (1..self.flat.len()).all(|other| !world.started[other] || world.joined[other]);
            if thread != 0 || alone {
                return Vec::new();
            }
            let mut next = world.clone();
            next.ended = Some(Ending::Done);
            event.ends = true;
            next.events[0] += 1;
            return vec![(next, event)];
        };
        let choices = match op {
            Op::Signal => (1..self.flat.len()).filter(|&other| world.asleep[other]).collect(),
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        for choice in 0..choices.len().max(1) {
            let (mut next, mut event) = (world.clone(), event.clone());
            next.events[thread] += 1;
            next.clocks.tick(thread);
            let woken = choices.get(choice).copied();
            if self.step(&mut next, &mut event, (op, *line), woken) {
                let mut created = Vec::new();
                self.settle(&mut next, thread, &mut created);
                event.creates = created;
                found.push((next, event));
            }
        }
        found
    }

    /// Does one thing, if it can be done now.
    fn step(
        &self,
        world: &mut World,
        event: &mut Event,
        (op, line): (&Op, u32),
        woken: Option<usize>,
    ) -> bool {
        let thread = event.thread;
        let phase = world.phase[thread];
        let mut over = true;
        match *op {
            Op::Read(variable) => self.read(world, event, variable, line),
            Op::Write(variable, number) => self.write(world, event, variable, (number, line)),
            Op::WriteSum(variable, number) => {
                let sum = world.r[thread] + number;
                self.write(world, event, variable, (sum, line));
            }
            Op::WriteInput(variable, number) => {
                let sum = self.input + number;
                self.write(world, event, variable, (sum, line));
            }
            Op::Add(v, number) => {
                world.r[thread] = world.memory[v];
                world.memory[v] += number;
                event.touch(Thing::Variable(v), How::Write);
                world.clocks.update(thread, v);
            }
            Op::Exchange(v, old, new) => {
                let same = world.memory[v] == old;
                world.r[thread] = i32::from(same);
                match same {
                    true => {
                        world.memory[v] = new;
                        event.touch(Thing::Variable(v), How::Write);
                        world.clocks.update(thread, v);
                    }
                    false => {
                        event.touch(Thing::Variable(v), How::Read);
                        world.clocks.read(thread, v);
                    }
                }
            }
            Op::Block(from, to, number) => {
                self.read(world, event, Variable::Atomic(from), line);
                let sum = world.r[thread] + number;
                self.write(world, event, Variable::Atomic(to), (sum, line));
            }
            Op::Await(v, number) => {
                if world.memory[v] == number {
                    return false;
                }
                event.touch(Thing::Variable(v), How::Read);
                world.clocks.read(thread, v);
            }
            Op::AwaitEither(..) | Op::AwaitDifferent => match self.await_two(world, event, op) {
                Some(done) => over = done,
                None => return false,
            },
            Op::Lock(_) | Op::TryLock(_) | Op::Unlock(_) => match self.lock(world, event, op) {
                Some(done) => over = done,
                None => return false,
            },
            Op::ReadLock | Op::WriteLock | Op::TryReadLock | Op::UnlockShared => {
                match self.share(world, event, op) {
                    Some(done) => over = done,
                    None => return false,
                }
            }
            Op::Post => {
                world.semaphore += 1;
                event.touch(Thing::Semaphore, How::Write);
                world.clocks.release(thread, Thing::Semaphore);
            }
            Op::Take | Op::TryTake => {
                let free = world.semaphore > 0;
                if !free && matches!(op, Op::Take) {
                    return false;
                }
                if matches!(op, Op::TryTake) {
                    world.r[thread] = i32::from(free);
                }
                if free {
                    world.semaphore -= 1;
                    world.clocks.acquire(thread, Thing::Semaphore);
                }
                event.touch(Thing::Semaphore, if free { How::Write } else { How::Read });
            }
            Op::Arrive if phase == 0 => {
                over = false;
                let round = world.round;
                world.phase[thread] = round + 1;
                world.arrived += 1;
                if world.arrived == self.case.barrier {
                    (world.arrived, world.round) = (0, world.round + 1);
                }
                event.touch(Thing::Barrier, How::Arrive(round));
                world.clocks.arrive(thread, round);
            }
            Op::Arrive => {
                let round = phase - 1;
                if world.round == round {
                    return false;
                }
                event.touch(Thing::Barrier, How::Leave(round));
                world.clocks.leave(thread, round);
            }
            Op::Wait | Op::TimedWait | Op::WaitWhile(..) => match self.wait(world, event, (op, line)) {
                Some(done) => over = done,
                None => return false,
            },
            Op::Signal => {
                let by = (thread, event.number);
                event.touch(Thing::Condition, if woken.is_some() { How::Write } else { How::Read });
                if let Some(other) = woken {
                    (world.asleep[other], world.woken_by[other]) = (false, Some(by));
                    event.wakes.push(other);
                }
            }
            Op::Broadcast => {
                let by = (thread, event.number);
                let sleepers: Vec<usize> = (1..self.flat.len()).filter(|&it| world.asleep[it]).collect();
                event.touch(Thing::Condition, if sleepers.is_empty() { How::Read } else { How::Write });
                for other in sleepers {
                    (world.asleep[other], world.woken_by[other]) = (false, Some(by));
                    event.wakes.push(other);
                }
            }
            Op::Assert(_) | Op::ExitIf(_) => {
                let failed = match op {
                    Op::Assert(number) => Some(*number),
                    _ => None,
                };
                world.ended = Some(failed.map_or(Ending::Exited, Ending::Failed));
                event.ends = true;
            }
            Op::Join(other) => {
                if !self.is_over(world, other) {
                    return false;
                }
                world.joined[other] = true;
                event.joins = Some(other);
                world.clocks.join(thread, other);
            }
            Op::SkipIf(..) | Op::Create(_) | Op::Repeat(..) => return false,
        }
        if over {
            world.at[thread] += 1;
            world.phase[thread] = 0;
        }
        true
    }

    /// Loops that read two variables until something changes: whether the operation is over; nothing if what is read
    /// second would only lead to the next round. Such a round is not there; one in which the first was read before
    /// the second changes is.
    fn await_two(&self, world: &mut World, event: &mut Event, op: &Op) -> Option<bool> {
        let (thread, phase) = (event.thread, world.phase[event.thread]);
        let in_vain = phase == 1 && self.is_idle(world, thread);
        if in_vain && !self.follows {
            return None;
        }
        let found = world.memory[phase as usize];
        event.touch(Thing::Variable(phase as usize), How::Read);
        world.clocks.read(thread, phase as usize);
        if in_vain {
            world.vain.extend([(thread, event.number - 1), (thread, event.number)]);
            world.phase[thread] = 0;
            return Some(false);
        }
        world.phase[thread] = 1;
        match op {
            Op::AwaitDifferent if phase == 0 => world.r[thread] = found,
            Op::AwaitEither(one, _) if phase == 0 => return Some(found != *one),
            _ => return Some(true),
        }
        Some(false)
    }

    /// Whether a thread has read the first of two variables in vain, as far as is known now.
    fn is_idle(&self, world: &World, thread: usize) -> bool {
        if world.phase[thread] != 1 {
            return false;
        }
        match self.flat[thread].get(world.at[thread]) {
            Some((Op::AwaitEither(_, other), _)) => world.memory[1] == *other,
            Some((Op::AwaitDifferent, _)) => world.memory[1] == world.r[thread],
            _ => false,
        }
    }

    /// Whether a thread reads the first of two variables in vain, if nothing else happens.
    fn may_turn_idle(&self, world: &World, thread: usize) -> bool {
        if world.phase[thread] != 0 {
            return false;
        }
        match self.flat[thread].get(world.at[thread]) {
            Some((Op::AwaitEither(one, other), _)) => world.memory[..2] == [*one, *other],
            Some((Op::AwaitDifferent, _)) => world.memory[0] == world.memory[1],
            _ => false,
        }
    }

    fn thing(variable: Variable) -> Thing {
        match variable {
            Variable::Atomic(v) => Thing::Variable(v),
            Variable::Plain(p) => Thing::Plain(p),
            Variable::Element(at) => Thing::Element(at),
            Variable::InputElement => Thing::SomeElement,
        }
    }

    fn read(&self, world: &mut World, event: &mut Event, variable: Variable, line: u32) {
        let place = self.place(variable);
        world.r[event.thread] = world.memory[place];
        event.touch(Self::thing(variable), How::Read);
        match variable {
            Variable::Plain(_) => world.clocks.plain(event.thread, place, false, line),
            _ => world.clocks.read(event.thread, place),
        }
    }

    fn write(&self, world: &mut World, event: &mut Event, variable: Variable, (value, line): (i32, u32)) {
        let place = self.place(variable);
        world.memory[place] = value;
        event.touch(Self::thing(variable), How::Write);
        match variable {
            Variable::Plain(_) => world.clocks.plain(event.thread, place, true, line),
            _ => world.clocks.write(event.thread, place),
        }
    }

    /// Mutexes: whether the operation is over; nothing if it must wait.
    fn lock(&self, world: &mut World, event: &mut Event, op: &Op) -> Option<bool> {
        let thread = event.thread;
        match *op {
            Op::Lock(m) => {
                if world.lock[m].is_some() {
                    return None;
                }
                take(world, event, m);
            }
            Op::TryLock(m) if world.phase[thread] == 0 => {
                let free = world.lock[m].is_none();
                world.r[thread] = i32::from(free);
                if free {
                    take(world, event, m);
                    world.phase[thread] = 1;
                    return Some(false);
                }
                event.touch(Thing::Mutex(m), How::Read);
            }
            Op::TryLock(m) | Op::Unlock(m) => give(world, event, m),
            _ => return None,
        }
        Some(true)
    }

    /// Read-write locks, the same.
    fn share(&self, world: &mut World, event: &mut Event, op: &Op) -> Option<bool> {
        let thread = event.thread;
        match op {
            Op::ReadLock | Op::TryReadLock if world.phase[thread] == 0 => {
                let free = world.writer.is_none();
                if matches!(op, Op::TryReadLock) {
                    world.r[thread] = i32::from(free);
                }
                match (free, op) {
                    (false, Op::TryReadLock) => event.touch(Thing::Shared, How::Read),
                    (false, _) => return None,
                    (true, _) => {
                        world.readers.push(thread);
                        event.touch(Thing::Shared, How::Share);
                        world.clocks.acquire(thread, Thing::Shared);
                        if matches!(op, Op::TryReadLock) {
                            world.phase[thread] = 1;
                            return Some(false);
                        }
                    }
                }
            }
            Op::WriteLock => {
                if world.writer.is_some() || !world.readers.is_empty() {
                    return None;
                }
                world.writer = Some(thread);
                event.touch(Thing::Shared, How::Write);
                world.clocks.acquire(thread, Thing::Shared);
                world.clocks.acquire(thread, Thing::Readers);
            }
            _ if world.writer == Some(thread) => {
                world.writer = None;
                event.touch(Thing::Shared, How::Write);
                world.clocks.release(thread, Thing::Shared);
            }
            _ => {
                world.readers.retain(|&reader| reader != thread);
                event.touch(Thing::Shared, How::Share);
                world.clocks.release(thread, Thing::Readers);
            }
        }
        Some(true)
    }

    /// Condition variables, the same.
    fn wait(&self, world: &mut World, event: &mut Event, (op, line): (&Op, u32)) -> Option<bool> {
        let thread = event.thread;
        if let Op::WaitWhile(p, number) = *op
            && world.phase[thread] == 0
        {
            let place = ATOMICS + p;
            event.touch(Thing::Plain(p), How::Read);
            world.clocks.plain(thread, place, false, line);
            let waits = world.memory[place] == number;
            world.branches[thread].push(waits);
            world.phase[thread] = 1;
            return Some(!waits);
        }
        let asleep = if matches!(op, Op::WaitWhile(..)) { 2 } else { 1 };
        if world.phase[thread] < asleep {
            give(world, event, 0);
            event.touch(Thing::Condition, How::Sleep);
            world.asleep[thread] = true;
            world.phase[thread] = asleep;
            return Some(false);
        }
        let late = world.asleep[thread];
        if world.lock[0].is_some() || late && !matches!(op, Op::TimedWait) {
            return None;
        }
        if late {
            event.touch(Thing::Condition, How::Sleep);
        }
        event.woken = if late { None } else { world.woken_by[thread] };
        world.asleep[thread] = false;
        take(world, event, 0);
        if matches!(op, Op::TimedWait) {
            world.r[thread] = i32::from(late);
        }
        world.phase[thread] = 0;
        Some(!matches!(op, Op::WaitWhile(..)))
    }
}

/// Events without some of them, numbered anew.
fn without(events: &[Event], vain: &BTreeSet<(usize, usize)>) -> Vec<Event> {
    let number = |thread: usize, number: usize| number - vain.range((thread, 0)..(thread, number)).count();
    let left = events.iter().filter(|event| !vain.contains(&(event.thread, event.number)));
    let numbered = left.map(|event| Event {
        number: number(event.thread, event.number),
        woken: event.woken.map(|(by, at)| (by, number(by, at))),
        ..event.clone()
    });
    numbered.collect()
}

fn take(world: &mut World, event: &mut Event, m: usize) {
    world.lock[m] = Some(event.thread);
    event.touch(Thing::Mutex(m), How::Write);
    world.clocks.acquire(event.thread, Thing::Mutex(m));
}

fn give(world: &mut World, event: &mut Event, m: usize) {
    world.lock[m] = None;
    event.touch(Thing::Mutex(m), How::Write);
    world.clocks.release(event.thread, Thing::Mutex(m));
}
