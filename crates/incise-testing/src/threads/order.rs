//! When operations of random programs commute, which orders are one trace, and what happens before what.

use std::collections::{BTreeMap, BTreeSet};

/// What is touched.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Thing {
    Variable(usize),
    Plain(usize),
    Element(usize),
    /// An element whose index is symbolic: any.
    SomeElement,
    Mutex(usize),
    /// The read-write lock; what its readers leave behind is apart.
    Shared,
    Readers,
    Semaphore,
    Barrier,
    Condition,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum How {
    Read,
    Write,
    Share,
    Arrive(u32),
    Leave(u32),
    Sleep,
}

/// Something that a thread does, and others can see.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Event {
    pub thread: usize,
    pub number: usize,
    pub touches: Vec<(Thing, How)>,
    pub ends: bool,
    pub joins: Option<usize>,
    pub creates: Vec<usize>,
    pub wakes: Vec<usize>,
    /// The event that has woken it.
    pub woken: Option<(usize, usize)>,
}

impl Event {
    pub fn new(thread: usize, number: usize) -> Self {
        Self {
            thread,
            number,
            touches: Vec::new(),
            ends: false,
            joins: None,
            creates: Vec::new(),
            wakes: Vec::new(),
            woken: None,
        }
    }

    pub fn touch(&mut self, thing: Thing, how: How) {
        self.touches.push((thing, how));
    }

    /// Whether an event must stay before another one.
    fn precedes(&self, later: &Self) -> bool {
        self.thread == later.thread
            || self.ends
            || later.ends
            || later.joins == Some(self.thread)
            || self.creates.contains(&later.thread)
            || later.woken == Some((self.thread, self.number))
            || self.touches.iter().any(|one| later.touches.iter().any(|two| conflicts(*one, *two)))
    }
}

fn conflicts((one, how): (Thing, How), (two, other): (Thing, How)) -> bool {
    use Thing::{Element, SomeElement};
    let same = one == two || matches!((one, two), (SomeElement, Element(_)) | (Element(_), SomeElement));
    same && match (how, other) {
        (How::Read, How::Read) | (How::Share, How::Share) | (How::Sleep, How::Sleep) => false,
        (How::Leave(_), How::Leave(_)) => false,
        (How::Arrive(one), How::Arrive(two)) => one != two,
        (How::Arrive(arrive), How::Leave(leave)) | (How::Leave(leave), How::Arrive(arrive)) => {
            arrive <= leave
        }
        _ => true,
    }
}

/// The one order that stands for all that differ in what does not matter: always the smallest that may be next.
pub fn canonical(events: &[Event]) -> Vec<Event> {
    let mut left: Vec<&Event> = events.iter().collect();
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let ready = |&at: &usize| !left[..at].iter().any(|earlier| earlier.precedes(left[at]));
        let next = (0..left.len()).filter(ready).min_by_key(|&at| (left[at].thread, left[at].number));
        order.push(left.remove(next.expect("the first is ready")).clone());
    }
    order
}

type Clock = Vec<u32>;

fn join(clock: &mut Clock, other: &[u32]) {
    clock.iter_mut().zip(other).for_each(|(mine, &theirs)| *mine = (*mine).max(theirs));
}

/// An access to a plain variable.
#[derive(Clone)]
struct Access {
    thread: usize,
    time: u32,
    place: usize,
    writes: bool,
    line: u32,
}

/// What happens before what, by creation, joining, locks and atomic accesses.
#[derive(Clone)]
pub struct Clocks {
    threads: Vec<Clock>,
    /// What was released to things, rounds of barriers, and atomic variables.
    things: BTreeMap<Thing, Clock>,
    rounds: BTreeMap<u32, Clock>,
    places: BTreeMap<usize, Clock>,
    accesses: Vec<Access>,
    /// The lines of accesses that nothing orders.
    pub races: BTreeSet<(u32, u32)>,
}

impl Clocks {
    pub fn new(count: usize) -> Self {
        Self {
            threads: vec![vec![0; count]; count],
            things: BTreeMap::new(),
            rounds: BTreeMap::new(),
            places: BTreeMap::new(),
            accesses: Vec::new(),
            races: BTreeSet::new(),
        }
    }

    /// Time goes on for a thread.
    pub fn tick(&mut self, thread: usize) {
        self.threads[thread][thread] += 1;
    }

    pub fn start(&mut self, parent: usize, child: usize) {
        let clock = self.threads[parent].clone();
        join(&mut self.threads[child], &clock);
    }

    pub fn join(&mut self, parent: usize, child: usize) {
        let clock = self.threads[child].clone();
        join(&mut self.threads[parent], &clock);
    }

    pub fn release(&mut self, thread: usize, thing: Thing) {
        let count = self.threads.len();
        join(self.things.entry(thing).or_insert_with(|| vec![0; count]), &self.threads[thread]);
    }

    pub fn acquire(&mut self, thread: usize, thing: Thing) {
        if let Some(clock) = self.things.get(&thing) {
            join(&mut self.threads[thread], clock);
        }
    }

    pub fn arrive(&mut self, thread: usize, round: u32) {
        let count = self.threads.len();
        join(self.rounds.entry(round).or_insert_with(|| vec![0; count]), &self.threads[thread]);
    }

    pub fn leave(&mut self, thread: usize, round: u32) {
        if let Some(clock) = self.rounds.get(&round) {
            join(&mut self.threads[thread], clock);
        }
    }

    /// An atomic read.
    pub fn read(&mut self, thread: usize, place: usize) {
        if let Some(clock) = self.places.get(&place) {
            join(&mut self.threads[thread], clock);
        }
    }

    /// An atomic write.
    pub fn write(&mut self, thread: usize, place: usize) {
        self.places.insert(place, self.threads[thread].clone());
    }

    /// An atomic update.
    pub fn update(&mut self, thread: usize, place: usize) {
        self.read(thread, place);
        self.write(thread, place);
    }

    /// An access to a plain variable.
    pub fn plain(&mut self, thread: usize, place: usize, writes: bool, line: u32) {
        let own = &self.threads[thread];
        let apart = |access: &&Access| {
            access.place == place
                && access.thread != thread
                && (access.writes || writes)
                && own[access.thread] < access.time
        };
        let found: Vec<u32> = self.accesses.iter().filter(apart).map(|access| access.line).collect();
        self.races.extend(found.into_iter().map(|other| (other.min(line), other.max(line))));
        let time = own[thread];
        self.accesses.push(Access { thread, time, place, writes, line });
    }
}
