//! An order of the events of a trace in which threads take turns as seldom as possible.
//!
//! A thread that goes on does so as long as it can: that never makes the rest longer. So an order is told by who comes
//! next, and those with few turns are looked at first. Where they are too many, or nobody will look at it, the next
//! thread is the one whose event came first.

use super::explorer::Explorer;
use super::history::History;
use rustc_hash::FxHashSet;

/// So many beginnings are looked at.
const MOST_BEGINNINGS: usize = 2_000;

/// How far each thread has come in an order, and who went on last.
type Beginning = (Vec<u32>, u32);

struct Threads<'h> {
    history: &'h History,
    /// The events of each thread, by their places in the execution.
    events: Vec<Vec<usize>>,
}

impl<'h> Threads<'h> {
    /// Of events of which none comes after one that is left out.
    fn of(history: &'h History, among: &[usize]) -> Self {
        let mut events: Vec<Vec<usize>> = Vec::new();
        for &index in among {
            let thread = history.events[index].thread as usize;
            events.resize_with(events.len().max(thread + 1), Vec::new);
            events[thread].push(index);
        }
        Self { history, events }
    }

    /// The next event of a thread, if all that comes before it is done.
    fn next(&self, done: &[u32], thread: usize) -> Option<usize> {
        let index = *self.events[thread].get(done[thread] as usize)?;
        let clock = &self.history.events[index].clock;
        let ready =
            |(other, &count): (usize, &u32)| other == thread || done.get(other).is_none_or(|it| *it >= count);
        clock.iter().enumerate().all(ready).then_some(index)
    }

    /// Lets a thread go on as long as it can.
    fn run(&self, done: &mut [u32], thread: usize, order: &mut Vec<usize>) {
        while let Some(index) = self.next(done, thread) {
            order.push(index);
            done[thread] += 1;
        }
    }

    /// Those that can go on, the one whose event came first in front.
    fn ready(&self, done: &[u32]) -> Vec<usize> {
        let mut ready: Vec<(usize, usize)> =
            (0..done.len()).filter_map(|thread| Some((self.next(done, thread)?, thread))).collect();
        ready.sort_unstable();
        ready.into_iter().map(|(_, thread)| thread).collect()
    }

    /// The order in which whose event came first goes on.
    fn as_it_comes(&self) -> (Vec<usize>, usize) {
        let mut done = vec![0; self.events.len()];
        let (mut order, mut turns) = (Vec::new(), 0);
        while let Some(&thread) = self.ready(&done).first() {
            self.run(&mut done, thread, &mut order);
            turns += 1;
        }
        (order, turns)
    }

    /// An order with fewer turns, if there is one and it is found.
    fn with_fewer(&self, turns: usize) -> Option<Vec<usize>> {
        let count: usize = self.events.iter().map(Vec::len).sum();
        let mut level: Vec<(Vec<u32>, Vec<usize>)> = vec![(vec![0; self.events.len()], Vec::new())];
        let mut seen: FxHashSet<Beginning> = FxHashSet::default();
        for _ in 1..turns {
            let mut further = Vec::new();
            for (done, order) in level {
                for thread in self.ready(&done) {
                    let (mut done, mut order) = (done.clone(), order.clone());
                    self.run(&mut done, thread, &mut order);
                    if order.len() == count {
                        return Some(order);
                    }
                    if seen.len() >= MOST_BEGINNINGS {
                        return None;
                    }
                    if seen.insert((done.clone(), thread as u32)) {
                        further.push((done, order));
                    }
                }
            }
            level = further;
        }
        None
    }
}

impl Explorer<'_, '_> {
    /// An order of events of the same trace with few turns: each thread goes on as long as it can.
    pub(super) fn few_switches(&self, among: &[usize]) -> Vec<usize> {
        if self.machine.config.ordered.is_some() {
            // Nobody knows what depends on what among that of which the order does not count.
            return among.to_vec();
        }
        Threads::of(&self.history, among).as_it_comes().0
    }

    /// The same with the fewest, for those who look at an error.
    pub(super) fn fewest_switches(&self, among: &[usize]) -> Vec<usize> {
        if self.machine.config.ordered.is_some() {
            return among.to_vec();
        }
        let threads = Threads::of(&self.history, among);
        let (order, turns) = threads.as_it_comes();
        let least = threads.events.iter().filter(|events| !events.is_empty()).count();
        if turns <= least {
            return order;
        }
        threads.with_fewer(turns).unwrap_or(order)
    }
}
