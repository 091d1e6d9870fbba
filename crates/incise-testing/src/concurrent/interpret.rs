//! Executes programs with threads in every order, and knows nothing of the engine: all states that there are.

use super::text::Lines;
use super::{Concurrent, Condition, INPUTS, LOCKS, Op, SEMAPHORES, VARIABLES};
use std::collections::{BTreeMap, BTreeSet};

/// What a program does with one input, over all orders.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Behaviour {
    /// For each line of an operation, the numbers that it reads or writes.
    pub values: BTreeMap<u32, BTreeSet<i32>>,
    /// Whether all executions come to their ends: nothing fails, and nobody waits for ever.
    pub ends_well: bool,
}

/// What a program does with each input; nothing if there are too many states.
pub fn interpret(program: &Concurrent, most: usize) -> Option<Vec<Behaviour>> {
    let (_, lines) = program.printed();
    let lists = [&program.main].into_iter().chain(&program.threads).chain(&program.helpers);
    let code: Vec<Vec<Flat>> = lists.zip(&lines).map(|(ops, lines)| flat(ops, lines)).collect();
    (0..INPUTS).map(|input| Search { program, code: &code, input }.run(most)).collect()
}

/// An operation with its line, and how many are skipped if it is a condition that does not hold.
#[derive(Clone, Debug)]
struct Flat {
    op: Op,
    line: u32,
    skips: usize,
}

fn flat(ops: &[Op], lines: &Lines) -> Vec<Flat> {
    fn add(ops: &[Op], lines: &mut std::slice::Iter<'_, u32>, found: &mut Vec<Flat>) {
        for op in ops {
            let line = *lines.next().expect("each operation has a line");
            let at = found.len();
            found.push(Flat { op: op.clone(), line, skips: 0 });
            if let Op::If(_, inner) = op {
                add(inner, lines, found);
                found[at].skips = found.len() - at - 1;
            }
        }
    }
    let mut found = Vec::new();
    add(ops, &mut lines.iter(), &mut found);
    found
}

/// Where a thread is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Thread {
    started: bool,
    /// The list and the position in it, and where it goes on after a call.
    at: (usize, usize),
    back: Option<(usize, usize)>,
    r: i32,
    /// The round of the barrier that it waits for.
    round: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct State {
    threads: Vec<Thread>,
    memory: [i32; VARIABLES],
    locks: [Option<usize>; LOCKS],
    semaphores: [u32; SEMAPHORES],
    arrived: usize,
    round: u32,
}

struct Search<'c> {
    program: &'c Concurrent,
    code: &'c [Vec<Flat>],
    input: i32,
}

/// What became of a try to do something.
enum Step {
    Done(State, Option<i32>),
    Waits,
    Fails,
}

impl Search<'_> {
    fn run(&self, most: usize) -> Option<Behaviour> {
        let mut first = State::default();
        for number in 0..=self.program.threads.len() {
            first.threads.push(Thread { at: (number, 0), ..Thread::default() });
        }
        first.threads[0].started = true;
        let mut behaviour = Behaviour { ends_well: true, ..Behaviour::default() };
        let mut seen = BTreeSet::from([first.clone()]);
        let mut work = vec![first];
        while let Some(state) = work.pop() {
            if seen.len() > most {
                return None;
            }
            let mut goes_on = false;
            // The end of the first thread ends the others.
            let over = self.next(&state.threads[0]).is_none();
            for number in (0..state.threads.len()).filter(|_| !over) {
                let Some(flat) = self.next(&state.threads[number]) else { continue };
                match self.step(&state, number, flat) {
                    Step::Waits => {}
                    Step::Fails => {
                        goes_on = true;
                        behaviour.ends_well = false;
                    }
                    Step::Done(next, value) => {
                        goes_on = true;
                        behaviour.values.entry(flat.line).or_default().extend(value);
                        if seen.insert(next.clone()) {
                            work.push(next);
                        }
                    }
                }
            }
            behaviour.ends_well &= goes_on || over;
        }
        Some(behaviour)
    }

    /// What a thread does next; nothing if it has ended or not begun.
    fn next(&self, thread: &Thread) -> Option<&Flat> {
        self.code[thread.at.0].get(thread.at.1).filter(|_| thread.started)
    }

    /// Goes on after an operation, out of a helper at its end.
    fn advance(&self, thread: &mut Thread, by: usize) {
        thread.at.1 += by;
        while thread.at.1 >= self.code[thread.at.0].len() {
            let Some(back) = thread.back.take() else { return };
            thread.at = back;
        }
    }

    fn step(&self, state: &State, number: usize, flat: &Flat) -> Step {
        let mut next = state.clone();
        let thread = &mut next.threads[number];
        let mut skips = 0;
        let value = match flat.op {
            Op::Read(variable) => {
                thread.r = state.memory[variable];
                Some(thread.r)
            }
            Op::Write(variable, value) => write(&mut next.memory, variable, value),
            Op::WriteSum(variable, more) => write(&mut next.memory, variable, thread.r + more),
            Op::WriteInput(variable, more) => write(&mut next.memory, variable, self.input + more),
            Op::Compute(more) => {
                thread.r = (thread.r * 2 + more) & 7;
                Some(thread.r)
            }
            Op::Lock(lock) => match state.locks[lock] {
                Some(_) => return Step::Waits,
                None => {
                    next.locks[lock] = Some(number);
                    None
                }
            },
            Op::Unlock(lock) if state.locks[lock] != Some(number) => return Step::Fails,
            Op::Unlock(lock) => {
                next.locks[lock] = None;
                None
            }
            Op::Post(semaphore) => {
                next.semaphores[semaphore] += 1;
                None
            }
            Op::Take(semaphore) if state.semaphores[semaphore] == 0 => return Step::Waits,
            Op::Take(semaphore) => {
                next.semaphores[semaphore] -= 1;
                None
            }
            Op::Arrive => match thread.round {
                None => {
                    thread.round = Some(state.round);
                    next.arrived += 1;
                    if next.arrived == self.program.barrier {
                        (next.arrived, next.round) = (0, state.round + 1);
                    }
                    return Step::Done(next, None);
                }
                Some(round) if round == state.round => return Step::Waits,
                Some(_) => {
                    thread.round = None;
                    None
                }
            },
            Op::Await(variable, value) if state.memory[variable] == value => return Step::Waits,
            Op::Await(variable, _) => Some(state.memory[variable]),
            Op::If(condition, _) => {
                let holds = match condition {
                    Condition::Register(value) => thread.r == value,
                    Condition::Input(value) => self.input == value,
                };
                skips = if holds { 0 } else { flat.skips };
                Some(i32::from(holds))
            }
            Op::Call(helper) | Op::CallWith(helper, _) => {
                if let Op::CallWith(_, variable) = flat.op {
                    thread.r = state.memory[variable];
                }
                let list = 1 + self.program.threads.len() + helper;
                let mut back = thread.clone();
                self.advance(&mut back, 1);
                // A call at the end of a thread comes back to its end.
                thread.back = Some(back.at);
                thread.at = (list, 0);
                let r = thread.r;
                self.advance(thread, 0);
                return Step::Done(next, Some(r));
            }
            Op::Assert(value) if thread.r == value => return Step::Fails,
            Op::Assert(_) => Some(thread.r),
            Op::Create(other) => {
                next.threads[other + 1].started = true;
                None
            }
            Op::Join(other) => {
                let other = &state.threads[other + 1];
                if !other.started || self.next(other).is_some() {
                    return if other.started { Step::Waits } else { Step::Fails };
                }
                None
            }
        };
        self.advance(&mut next.threads[number], 1 + skips);
        Step::Done(next, value)
    }
}

fn write(memory: &mut [i32; VARIABLES], variable: usize, value: i32) -> Option<i32> {
    memory[variable] = value;
    Some(value)
}
