//! Random programs with threads, against an interpreter that tries every interleaving and knows nothing of the engine:
//! as many executions as traces, and the same ends.

use incise_exec::{
    Config, Detail, ErrorKind, Exploration, InputValue, Outcome, Path, Schedules, Step, ThreadConfig, explore,
};
use incise_testing::{Random, hooks_with, in_parallel, program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const VARIABLES: usize = 2;
const LOCKS: usize = 2;

/// What a thread does; `r` is a number of its own.
#[derive(Clone, Debug)]
enum Op {
    /// `r = v`.
    Read(usize),
    /// `v = number`.
    Write(usize, i32),
    /// `v = r + number`.
    WriteSum(usize, i32),
    /// `r = fetch_add(v, number)`.
    Add(usize, i32),
    /// `r = compare_exchange(v, expected, new)`.
    Exchange(usize, i32, i32),
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    /// Skips so many operations if `r == number`.
    SkipIf(i32, usize),
    Post,
    Take,
    Arrive,
}

#[derive(Clone, Debug)]
struct Case {
    threads: Vec<Vec<Op>>,
    barrier: u32,
}

fn random_thread(random: &mut Random, length: usize, barrier: bool) -> Vec<Op> {
    let mut ops = Vec::new();
    let mut held: Vec<usize> = Vec::new();
    for _ in 0..length {
        let variable = random.below(VARIABLES);
        let number = random.below(3) as i32;
        let op = match random.below(16) {
            0..=3 => Op::Read(variable),
            4..=6 => Op::Write(variable, number + 1),
            7 => Op::WriteSum(variable, number),
            8 => Op::Add(variable, number + 1),
            9 => Op::Exchange(variable, number, number + 1),
            10 | 11 => {
                let lock = random.below(LOCKS);
                if held.contains(&lock) {
                    continue;
                }
                held.push(lock);
                Op::Lock(lock)
            }
            12 => Op::SkipIf(number, 1),
            13 => Op::Post,
            14 if random.percent(50) => Op::Take,
            _ => match held.pop() {
                Some(lock) => Op::Unlock(lock),
                None => continue,
            },
        };
        // What is skipped must leave locks as they are.
        if let Some(Op::SkipIf(..)) = ops.last()
            && matches!(op, Op::Lock(_) | Op::Unlock(_) | Op::SkipIf(..))
        {
            ops.push(Op::Read(variable));
        }
        ops.push(op);
    }
    if let Some(Op::SkipIf(..)) = ops.last() {
        ops.push(Op::Read(0));
    }
    ops.extend(held.into_iter().rev().map(Op::Unlock));
    if random.percent(10) {
        ops.insert(0, Op::TryLock(0));
    }
    if barrier {
        ops.insert(random.below(2).min(ops.len()), Op::Arrive);
        fix_skips(&mut ops);
    }
    ops
}

/// An operation that must not be skipped may have come behind a condition.
fn fix_skips(ops: &mut Vec<Op>) {
    let mut at = 0;
    while at + 1 < ops.len() {
        if let (Op::SkipIf(..), Op::Arrive | Op::Lock(_) | Op::Unlock(_) | Op::SkipIf(..)) =
            (&ops[at], &ops[at + 1])
        {
            ops.insert(at + 1, Op::Read(0));
        }
        at += 1;
    }
}

fn random_case(seed: u64) -> Case {
    let mut random = Random::new(seed, 18);
    let count = 2 + random.below(2);
    let length = if count == 2 { 5 } else { 3 };
    let barrier = random.percent(20);
    let threads: Vec<_> = (0..count)
        .map(|_| {
            let length = 1 + random.below(length);
            random_thread(&mut random, length, barrier)
        })
        .collect();
    let barrier = if random.percent(80) { count } else { 2 } as u32;
    Case { threads, barrier }
}

impl Case {
    fn text(&self) -> String {
        let mut text = "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n".to_owned();
        text.push_str("atomic_int v0, v1;\npthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1;\n");
        text.push_str("sem_t s;\npthread_barrier_t b;\n");
        for (number, ops) in self.threads.iter().enumerate() {
            let _ = write!(text, "int out{number};\nstatic void *t{number}(void *unused) {{\n  int r = 0;\n");
            let mut behind = 0;
            let mut got = false;
            for op in ops {
                let line = match op {
                    Op::Read(v) => format!("r = v{v};"),
                    Op::Write(v, n) => format!("v{v} = {n};"),
                    Op::WriteSum(v, n) => format!("v{v} = r + {n};"),
                    Op::Add(v, n) => format!("r = atomic_fetch_add(&v{v}, {n});"),
                    Op::Exchange(v, old, new) => {
                        format!("{{ int e = {old}; r = atomic_compare_exchange_strong(&v{v}, &e, {new}); }}")
                    }
                    Op::Lock(m) => format!("pthread_mutex_lock(&m{m});"),
                    Op::TryLock(m) => {
                        got = true;
                        format!(
                            "int got = pthread_mutex_trylock(&m{m}) == 0; r = got; if (got) pthread_mutex_unlock(&m{m});"
                        )
                    }
                    Op::Unlock(m) => format!("pthread_mutex_unlock(&m{m});"),
                    Op::SkipIf(n, count) => {
                        behind = *count + 1;
                        format!("if (r != {n}) {{")
                    }
                    Op::Post => "sem_post(&s);".to_owned(),
                    Op::Take => "sem_wait(&s);".to_owned(),
                    Op::Arrive => "pthread_barrier_wait(&b);".to_owned(),
                };
                let _ = writeln!(text, "  {line}");
                if behind > 0 {
                    behind -= 1;
                    if behind == 0 {
                        text.push_str("  }\n");
                    }
                }
            }
            let _ = got;
            let _ = write!(text, "  out{number} = r;\n  return unused;\n}}\n");
        }
        let count = self.threads.len();
        let _ = write!(
            text,
            "int main(void) {{\n  pthread_t t[{count}];\n  pthread_mutex_init(&m1, 0);\n  sem_init(&s, 0, 0);\n  \
             pthread_barrier_init(&b, 0, {});\n",
            self.barrier
        );
        for number in 0..count {
            let _ = writeln!(text, "  pthread_create(&t[{number}], 0, t{number}, 0);");
        }
        let _ = write!(text, "  for (int i = 0; i < {count}; i++) pthread_join(t[i], 0);\n  return 0;\n}}\n");
        text
    }
}

/// Everything that there is, at one moment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct World {
    at: Vec<usize>,
    r: Vec<i32>,
    v: [i32; VARIABLES],
    lock: [Option<usize>; LOCKS],
    /// Half of a `trylock` that has the lock.
    trying: Vec<bool>,
    semaphore: u32,
    arrived: u32,
    round: u32,
    /// The round in which a thread waits.
    waits: Vec<Option<u32>>,
}

/// How an execution ends: values of variables and results, or where threads wait.
type End = (bool, [i32; VARIABLES], Vec<i32>);
/// What was touched, with the number of its thread's event, and how: what conflicts keeps its order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Touched {
    thread: usize,
    number: usize,
    object: String,
    how: How,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum How {
    Read,
    Write,
    Arrive(u32),
    Leave(u32),
}

fn conflicts(one: &Touched, two: &Touched) -> bool {
    one.thread == two.thread
        || one.object == two.object
            && match (one.how, two.how) {
                (How::Read, How::Read) | (How::Leave(_), How::Leave(_)) => false,
                (How::Arrive(one), How::Arrive(two)) => one != two,
                (How::Arrive(arrive), How::Leave(leave)) | (How::Leave(leave), How::Arrive(arrive)) => {
                    arrive <= leave
                }
                _ => true,
            }
}

/// The one order that stands for all orders that differ in what does not matter: always the smallest that may be next.
fn canonical(events: &[Touched]) -> Vec<Touched> {
    let mut left: Vec<&Touched> = events.iter().collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let ready =
            (0..left.len()).filter(|&at| !left[..at].iter().any(|earlier| conflicts(earlier, left[at])));
        let next = ready.min_by_key(|&at| (left[at].thread, left[at].number)).expect("the first is ready");
        order.push(left.remove(next).clone());
    }
    order
}

struct Interpreter<'c> {
    case: &'c Case,
    ends: BTreeSet<End>,
    traces: BTreeSet<Vec<Touched>>,
    executions: usize,
}

/// Programs with more interleavings are left out.
const MOST: usize = 60_000;

impl Interpreter<'_> {
    fn run(&mut self, world: &World, events: &mut Vec<Touched>) {
        if self.executions > MOST {
            return;
        }
        let mut stuck = true;
        for thread in 0..self.case.threads.len() {
            let mut next = world.clone();
            if let Some((object, how)) = self.step(&mut next, thread) {
                stuck = false;
                let number = events.iter().filter(|event| event.thread == thread).count();
                events.push(Touched { thread, number, object, how });
                self.run(&next, events);
                events.pop();
            }
        }
        if stuck {
            self.executions += 1;
            let done = (0..self.case.threads.len())
                .all(|thread| world.at[thread] >= self.case.threads[thread].len());
            let end = if done { (true, world.v, world.r.clone()) } else { (false, world.v, Vec::new()) };
            self.ends.insert(end);
            self.traces.insert(canonical(events));
        }
    }

    /// The next thing that a thread does, if it can.
    fn step(&self, world: &mut World, thread: usize) -> Option<(String, How)> {
        let ops = &self.case.threads[thread];
        loop {
            let op = ops.get(world.at[thread])?;
            if let Op::SkipIf(number, count) = op {
                world.at[thread] += 1 + if world.r[thread] == *number { *count } else { 0 };
                continue;
            }
            let variable = |v: usize| format!("v{v}");
            let lock = |m: usize| format!("m{m}");
            let mut done = true;
            let touched = match *op {
                Op::Read(v) => {
                    world.r[thread] = world.v[v];
                    (variable(v), How::Read)
                }
                Op::Write(v, n) => {
                    world.v[v] = n;
                    (variable(v), How::Write)
                }
                Op::WriteSum(v, n) => {
                    world.v[v] = world.r[thread] + n;
                    (variable(v), How::Write)
                }
                Op::Add(v, n) => {
                    world.r[thread] = world.v[v];
                    world.v[v] += n;
                    (variable(v), How::Write)
                }
                Op::Exchange(v, old, new) => {
                    let same = world.v[v] == old;
                    world.r[thread] = i32::from(same);
                    if same {
                        world.v[v] = new;
                    }
                    (variable(v), if same { How::Write } else { How::Read })
                }
                Op::Lock(m) => {
                    if world.lock[m].is_some() {
                        return None;
                    }
                    world.lock[m] = Some(thread);
                    (lock(m), How::Write)
                }
                Op::TryLock(m) if world.trying[thread] => {
                    world.trying[thread] = false;
                    world.lock[m] = None;
                    (lock(m), How::Write)
                }
                Op::TryLock(m) => {
                    let free = world.lock[m].is_none();
                    world.r[thread] = i32::from(free);
                    if free {
                        world.lock[m] = Some(thread);
                        world.trying[thread] = true;
                        done = false;
                    }
                    (lock(m), if free { How::Write } else { How::Read })
                }
                Op::Unlock(m) => {
                    world.lock[m] = None;
                    (lock(m), How::Write)
                }
                Op::Post => {
                    world.semaphore += 1;
                    ("s".to_owned(), How::Write)
                }
                Op::Take => {
                    world.semaphore = world.semaphore.checked_sub(1)?;
                    ("s".to_owned(), How::Write)
                }
                Op::Arrive => match world.waits[thread] {
                    None => {
                        done = false;
                        world.waits[thread] = Some(world.round);
                        let round = world.round;
                        world.arrived += 1;
                        if world.arrived == self.case.barrier {
                            (world.arrived, world.round) = (0, world.round + 1);
                        }
                        ("b".to_owned(), How::Arrive(round))
                    }
                    Some(round) => {
                        if world.round == round {
                            return None;
                        }
                        world.waits[thread] = None;
                        ("b".to_owned(), How::Leave(round))
                    }
                },
                Op::SkipIf(..) => return None,
            };
            if done {
                world.at[thread] += 1;
            }
            // What is skipped at the end is no event.
            while let Some(Op::SkipIf(number, count)) = ops.get(world.at[thread]) {
                world.at[thread] += 1 + if world.r[thread] == *number { *count } else { 0 };
            }
            return Some(touched);
        }
    }
}

fn interpret(case: &Case) -> Interpreter<'_> {
    let count = case.threads.len();
    let mut world = World {
        at: vec![0; count],
        r: vec![0; count],
        v: [0; VARIABLES],
        lock: [None; LOCKS],
        trying: vec![false; count],
        semaphore: 0,
        arrived: 0,
        round: 0,
        waits: vec![None; count],
    };
    for (thread, ops) in case.threads.iter().enumerate() {
        while let Some(Op::SkipIf(number, count)) = ops.get(world.at[thread]) {
            world.at[thread] += 1 + if *number == 0 { *count } else { 0 };
        }
    }
    let mut interpreter = Interpreter { case, ends: BTreeSet::new(), traces: BTreeSet::new(), executions: 0 };
    interpreter.run(&world, &mut Vec::new());
    interpreter
}

fn explored(text: &str, schedules: Schedules, detail: Detail) -> Exploration {
    let program = program(text);
    let mut config = Config::new("main");
    config.threads = Some(ThreadConfig { schedules, ..ThreadConfig::default() });
    explore(&program, &config, &hooks_with(detail)).expect("it is explored")
}

fn number(path: &Path, name: &str) -> i32 {
    let value = path.finals.iter().find(|value| value.name == name).map(|value| &value.value);
    match value {
        Some(InputValue::Signed(number)) => *number as i32,
        Some(other) => panic!("{name} is {other:?}"),
        // What is not written is not listed.
        None => 0,
    }
}

fn ends(exploration: &Exploration, case: &Case) -> Result<BTreeSet<End>, String> {
    let end = |path: &Path| {
        let v = [number(path, "v0"), number(path, "v1")];
        match &path.outcome {
            Outcome::Exited { status: 0 } => {
                Ok((true, v, (0..case.threads.len()).map(|it| number(path, &format!("out{it}"))).collect()))
            }
            Outcome::Error(error) if matches!(error.kind, ErrorKind::Deadlock | ErrorKind::EndlessWait) => {
                Ok((false, v, Vec::new()))
            }
            other => Err(format!("a path ends with {other:?}")),
        }
    };
    exploration.paths.iter().map(end).collect()
}

fn check(seed: &u64) -> Result<(), String> {
    let case = random_case(*seed);
    let expected = interpret(&case);
    if expected.executions > MOST {
        return Ok(());
    }
    let text = case.text();
    let failed = |what: String| Err(format!("seed {seed}: {what}\n{text}"));
    let optimal = explored(&text, Schedules::Optimal, Detail::All);
    if !optimal.races.is_empty() || optimal.blocked > 0 {
        return failed(format!("{} races, {} blocked", optimal.races.len(), optimal.blocked));
    }
    let found = ends(&optimal, &case)?;
    if found != expected.ends {
        return failed(format!("ends {found:?}, expected {:?}", expected.ends));
    }
    if optimal.paths.len() != expected.traces.len() {
        return failed(format!("{} executions of {} traces", optimal.paths.len(), expected.traces.len()));
    }
    let sources = explored(&text, Schedules::Dpor, Detail::All);
    if ends(&sources, &case)? != expected.ends || sources.paths.len() < expected.traces.len() {
        return failed("source sets lose something".to_owned());
    }
    if expected.executions <= 2_000 {
        let all = explored(&text, Schedules::All, Detail::All);
        if ends(&all, &case)? != expected.ends {
            return failed("all orders have other ends".to_owned());
        }
        let traces: BTreeSet<_> = all.paths.iter().map(|path| trace(&path.schedule, case.barrier)).collect();
        let once: Vec<_> = optimal.paths.iter().map(|path| trace(&path.schedule, case.barrier)).collect();
        let distinct: BTreeSet<_> = once.iter().cloned().collect();
        if distinct.len() != once.len() || distinct != traces {
            return failed(format!(
                "{} traces in {} executions, {} in all",
                distinct.len(),
                once.len(),
                traces.len()
            ));
        }
    }
    Ok(())
}

/// For each object, its events in groups that commute: thread, number and kind.
type Objects = BTreeMap<String, Vec<Vec<(u32, u32, &'static str)>>>;

/// What was done to each object, in order; reads between two writes in the order of their threads. Of a barrier it is
/// who came in which round.
fn trace(schedule: &[Step], barrier: u32) -> Objects {
    let mut objects: Objects = BTreeMap::new();
    for step in schedule {
        let Some(object) = &step.object else { continue };
        if step.kind.name() == "leave" {
            continue;
        }
        let groups = objects.entry(object.clone()).or_default();
        let entry = (step.thread, step.number, step.kind.name());
        let alike = |group: &Vec<(u32, u32, &'static str)>| {
            let room = entry.2 != "arrive" || group.len() < barrier as usize;
            let commutes = matches!(entry.2, "read" | "try-lock" | "arrive");
            commutes && room && group.iter().all(|other| other.2 == entry.2)
        };
        match groups.last_mut().filter(|group| alike(group)) {
            Some(group) => {
                group.push(entry);
                group.sort_unstable();
            }
            None => groups.push(vec![entry]),
        }
    }
    objects.retain(|name, _| !name.contains("'out"));
    objects
}

#[test]
fn each_trace_has_one_execution_as_an_interpreter_of_all_interleavings_says() {
    let seeds: Vec<u64> = (0..incise_testing::shorter(150, 3_000)).collect();
    let failures = in_parallel(&seeds, check);
    let heads: Vec<&str> = failures.iter().filter_map(|failure| failure.lines().next()).collect();
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}\n{}",
        failures.len(),
        seeds.len(),
        heads.join("\n"),
        failures.join("\n")
    );
}
