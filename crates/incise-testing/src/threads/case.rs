//! Random programs with threads: what they do, and their text in C.

use crate::Random;
use std::fmt::Write;

/// The atomic variables, plain variables, elements of the array, and mutexes.
pub const ATOMICS: usize = 2;
pub const PLAIN: usize = 2;
pub const ELEMENTS: usize = 3;
pub const LOCKS: usize = 2;
/// The symbolic input is one of so many numbers.
pub const INPUTS: i32 = 3;

/// A number in memory that threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    Atomic(usize),
    Plain(usize),
    /// An element of an atomic array.
    Element(usize),
    /// The element whose index is the input.
    InputElement,
}

/// What a thread looks at where it branches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// `r == number`.
    Register(i32),
    /// `in == number`.
    Input(i32),
    /// `number < in`.
    BelowInput(i32),
}

/// What a thread does; `r` is a number of its own.
#[derive(Clone, Debug)]
pub enum Op {
    /// `r = variable`.
    Read(Variable),
    /// `variable = number`.
    Write(Variable, i32),
    /// `variable = r + number`.
    WriteSum(Variable, i32),
    /// `variable = in + number`.
    WriteInput(Variable, i32),
    /// `r = fetch_add(variable, number)`.
    Add(usize, i32),
    /// `r = compare_exchange(variable, expected, new)`.
    Exchange(usize, i32, i32),
    /// A read of one and a write of another in one step.
    Block(usize, usize, i32),
    /// `while (variable == number) ;`. A round that waits for what is symbolic is an event, so that is not.
    Await(usize, i32),
    /// `while (v0 == one && v1 == other) ;`.
    AwaitEither(i32, i32),
    /// `do { r = v0; q = v1; } while (r == q);`.
    AwaitDifferent,
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    ReadLock,
    WriteLock,
    /// `r` is whether it had it, and gave it back.
    TryReadLock,
    UnlockShared,
    /// Skips so many operations if a condition holds.
    SkipIf(Condition, usize),
    Post,
    Take,
    TryTake,
    Arrive,
    /// Waits for the condition variable once, with mutex 0.
    Wait,
    /// The same, or until time has passed, which `r` tells.
    TimedWait,
    /// `while (plain == number) wait`.
    WaitWhile(usize, i32),
    Signal,
    Broadcast,
    /// Fails if `r` is that.
    Assert(i32),
    /// The program exits if `r` is that.
    ExitIf(i32),
    /// Does what follows so many times, or as often as the input says: what is in it, flat, comes behind.
    Repeat(Option<i32>, Vec<Op>),
    Create(usize),
    Join(usize),
}

impl Op {
    /// Whether it must be done in any case.
    pub fn is_structural(&self) -> bool {
        !matches!(
            self,
            Self::Read(_)
                | Self::Write(..)
                | Self::WriteSum(..)
                | Self::WriteInput(..)
                | Self::Add(..)
                | Self::Exchange(..)
                | Self::Block(..)
                | Self::Post
                | Self::Signal
                | Self::Broadcast
        )
    }

    /// Whether what it accesses depends on the input.
    fn has_symbolic_place(&self) -> bool {
        match self {
            Self::Read(place)
            | Self::Write(place, _)
            | Self::WriteSum(place, _)
            | Self::WriteInput(place, _) => *place == Variable::InputElement,
            Self::Repeat(_, body) => body.iter().any(Self::has_symbolic_place),
            _ => false,
        }
    }

    /// Whether the input has to do with it.
    fn uses_input(&self) -> bool {
        match self {
            Self::Read(Variable::InputElement) | Self::Write(Variable::InputElement, _) => true,
            Self::WriteSum(Variable::InputElement, _) | Self::WriteInput(..) | Self::Repeat(None, _) => true,
            Self::SkipIf(condition, _) => !matches!(condition, Condition::Register(_)),
            Self::Repeat(_, body) => body.iter().any(Self::uses_input),
            _ => false,
        }
    }
}

/// A program: the first thread is the one of the entry.
#[derive(Clone, Debug)]
pub struct Case {
    pub threads: Vec<Vec<Op>>,
    /// How many must come to the barrier.
    pub barrier: u32,
    pub semaphore: u32,
}

struct Generator<'r> {
    random: &'r mut Random,
    symbolic: bool,
    waits: bool,
    shares: bool,
    ops: Vec<Op>,
    held: Vec<usize>,
    shared: bool,
}

impl Generator<'_> {
    fn number(&mut self) -> i32 {
        self.random.below(3) as i32
    }

    fn variable(&mut self) -> Variable {
        match self.random.below(10) {
            0..=3 => Variable::Atomic(self.random.below(ATOMICS)),
            4..=6 => Variable::Plain(self.random.below(PLAIN)),
            7 => Variable::Element(self.random.below(ELEMENTS)),
            _ if self.symbolic => Variable::InputElement,
            _ => Variable::Element(self.random.below(2)),
        }
    }

    /// The same, but not the first variable: what is compared and exchanged is never symbolic.
    fn other_variable(&mut self) -> Variable {
        match self.variable() {
            Variable::Atomic(_) => Variable::Atomic(1),
            other => other,
        }
    }

    fn access(&mut self) -> Op {
        let number = self.number();
        match self.random.below(12) {
            0..=3 => Op::Read(self.variable()),
            4..=6 => Op::Write(self.variable(), number + 1),
            7 => Op::WriteSum(self.other_variable(), number),
            8 if self.symbolic => Op::WriteInput(self.other_variable(), number),
            8 | 9 => Op::Add(self.random.below(ATOMICS), number + 1),
            10 => Op::Exchange(0, number, number + 1),
            _ => Op::Block(self.random.below(ATOMICS), 1, number),
        }
    }

    fn condition(&mut self) -> Condition {
        let number = self.number();
        match self.symbolic && self.random.percent(50) {
            true => Condition::Input(number),
            false => Condition::Register(number),
        }
    }

    fn synchronisation(&mut self) -> Vec<Op> {
        let number = self.number();
        match self.random.below(if self.waits { 16 } else { 11 }) {
            0..=2 => {
                let lock = self.random.below(LOCKS);
                if self.held.contains(&lock) {
                    return vec![Op::Unlock(self.held.pop().unwrap_or(lock))];
                }
                self.held.push(lock);
                vec![Op::Lock(lock)]
            }
            3 => self.held.pop().map(Op::Unlock).into_iter().collect(),
            4 | 5 if self.shares => {
                self.shared = !self.shared;
                vec![match self.shared {
                    false => Op::UnlockShared,
                    true if self.random.percent(60) => Op::ReadLock,
                    true => Op::WriteLock,
                }]
            }
            6 if self.shares && !self.shared => vec![Op::TryReadLock],
            4..=6 => match self.held.contains(&0) {
                true => Vec::new(),
                false => vec![Op::TryLock(0)],
            },
            7 => vec![Op::Post],
            8 => vec![if self.random.percent(50) { Op::Take } else { Op::TryTake }],
            9 if !self.symbolic && self.random.percent(50) => vec![match self.random.below(3) {
                0 => Op::AwaitDifferent,
                other => Op::AwaitEither(number, other as i32 - 1),
            }],
            9 => vec![Op::Await(0, number)],
            10 => vec![if self.random.percent(60) { Op::Assert(number) } else { Op::ExitIf(number) }],
            11 | 12 => vec![if self.random.percent(60) { Op::Signal } else { Op::Broadcast }],
            _ if !self.held.is_empty() => vec![Op::Signal],
            13 => vec![Op::Lock(0), Op::Wait, Op::Unlock(0)],
            14 => vec![Op::Lock(0), Op::TimedWait, Op::Unlock(0)],
            _ => vec![Op::Lock(0), Op::WaitWhile(self.random.below(PLAIN), number), Op::Unlock(0)],
        }
    }

    fn add(&mut self) {
        let new = match self.random.below(20) {
            0..=10 => vec![self.access()],
            11..=12 => vec![Op::SkipIf(self.condition(), 1)],
            13 => {
                let times = if self.symbolic && self.random.percent(50) { None } else { Some(2) };
                vec![Op::Repeat(times, vec![self.access()])]
            }
            _ => self.synchronisation(),
        };
        // What is skipped must leave locks as they are.
        if let (Some(Op::SkipIf(..)), Some(first)) = (self.ops.last(), new.first())
            && first.is_structural()
        {
            let variable = self.variable();
            self.ops.push(Op::Read(variable));
        }
        self.ops.extend(new);
    }

    fn finished(mut self) -> Vec<Op> {
        if let Some(Op::SkipIf(..)) = self.ops.last() {
            self.ops.push(Op::Read(Variable::Atomic(0)));
        }
        if self.shared {
            self.ops.push(Op::UnlockShared);
        }
        let held = std::mem::take(&mut self.held);
        self.ops.extend(held.into_iter().rev().map(Op::Unlock));
        self.ops
    }
}

impl Case {
    pub fn random(seed: u64, attempt: u64) -> Self {
        let mut random = Random::new(seed, 18 + attempt);
        let count = random.pick(&[2, 2, 2, 3, 3, 4]);
        let length = [0, 0, 5, 3, 2][count];
        let (symbolic, waits) = (random.percent(50), random.percent(40));
        let shares = random.percent(25);
        let barrier = random.percent(15);
        let mut threads = vec![Vec::new()];
        for _ in 0..count {
            let length = 1 + random.below(length);
            let mut generator = Generator {
                random: &mut random,
                symbolic,
                waits,
                shares,
                ops: Vec::new(),
                held: Vec::new(),
                shared: false,
            };
            if barrier {
                generator.ops.push(Op::Arrive);
            }
            (0..length).for_each(|_| generator.add());
            if barrier && generator.random.percent(20) {
                generator.ops.insert(0, Op::Arrive);
            }
            threads.push(generator.finished());
        }
        threads[0] = first_thread(&mut random, count, symbolic);
        let participants = if random.percent(80) { count } else { 2 } as u32;
        Self { threads, barrier: participants, semaphore: random.below(2) as u32 }
    }

    /// The same, with a first thread that waits for all others.
    pub fn joining(mut self) -> Self {
        self.threads[0].retain(|op| !matches!(op, Op::Join(_)));
        let others = 1..self.threads.len();
        self.threads[0].extend(others.map(Op::Join));
        self
    }

    pub fn uses_input(&self) -> bool {
        self.threads.iter().flatten().any(Op::uses_input)
    }

    /// Whether there are accesses whose place is symbolic.
    pub fn has_symbolic_places(&self) -> bool {
        self.threads.iter().flatten().any(Op::has_symbolic_place)
    }

    /// Whether there are loops that read two things.
    pub fn awaits_two(&self) -> bool {
        self.threads.iter().flatten().any(|op| matches!(op, Op::AwaitEither(..) | Op::AwaitDifferent))
    }

    /// Whether the first thread waits for all others.
    pub fn joins(&self) -> bool {
        self.threads[0].iter().filter(|op| matches!(op, Op::Join(_))).count() + 1 == self.threads.len()
    }
}

/// Starts the others, now and then does something in between, and waits for them, mostly.
fn first_thread(random: &mut Random, count: usize, symbolic: bool) -> Vec<Op> {
    let mut ops = Vec::new();
    for thread in 1..=count {
        ops.push(Op::Create(thread));
        if random.percent(8) {
            let (held, own) = (Vec::new(), Vec::new());
            let mut generator =
                Generator { random, symbolic, waits: false, shares: false, ops: own, held, shared: false };
            let access = generator.access();
            ops.push(access);
        }
    }
    if random.percent(90) {
        ops.extend((1..=count).map(Op::Join));
    } else if random.percent(50) {
        ops.push(Op::Join(1));
    }
    ops
}

/// Writes programs into one file, and remembers the lines of operations.
pub struct Text {
    pub text: String,
    line: u32,
}

/// The line of each operation of each thread; those of a loop come behind it.
pub type Lines = Vec<Vec<u32>>;

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

impl Text {
    pub fn new() -> Self {
        let mut text = Self { text: String::new(), line: 1 };
        for header in ["assert", "pthread", "semaphore", "stdatomic", "stdlib"] {
            text.put(&format!("#include <{header}.h>"));
        }
        text.put("void __VERIFIER_atomic_begin(void);");
        text.put("void __VERIFIER_atomic_end(void);");
        text
    }

    fn put(&mut self, line: &str) -> u32 {
        let _ = writeln!(self.text, "{line}");
        self.line += 1;
        self.line - 1
    }

    /// Adds a program of that number.
    pub fn add(&mut self, case: &Case, n: usize) -> Lines {
        self.add_with(case, n, false)
    }

    /// The same; on demand what synchronises threads is left as if it had never been used, so that nobody sees what
    /// became of it.
    pub fn add_with(&mut self, case: &Case, n: usize, forgets: bool) -> Lines {
        self.put(&format!("atomic_int v0_{n}, v1_{n}, a_{n}[{ELEMENTS}]; int p0_{n}, p1_{n};"));
        self.put(&format!(
            "pthread_mutex_t m0_{n} = PTHREAD_MUTEX_INITIALIZER, m1_{n} = PTHREAD_MUTEX_INITIALIZER;"
        ));
        self.put(&format!("pthread_rwlock_t w_{n} = PTHREAD_RWLOCK_INITIALIZER; sem_t s_{n};"));
        self.put(&format!("pthread_cond_t c_{n} = PTHREAD_COND_INITIALIZER; pthread_barrier_t b_{n};"));
        let count = case.threads.len();
        self.put(&format!("long o_{n}[{count}];"));
        let mut lines = vec![Vec::new()];
        for (thread, ops) in case.threads.iter().enumerate().skip(1) {
            self.put(&format!(
                "static void *t{thread}_{n}(void *arg) {{ int r = 0; int in = (int)(long)arg;"
            ));
            lines.push(self.ops(ops, n));
            self.put("return (void *)(long)r; }");
        }
        self.put(&format!("int e{n}(unsigned char in) {{ if (in >= {INPUTS}) return 0; int r = 0;"));
        self.put(&format!("pthread_t t[{count}]; void *res[{count}] = {{0}};"));
        self.put(&format!(
            "sem_init(&s_{n}, 0, {}); pthread_barrier_init(&b_{n}, 0, {});",
            case.semaphore, case.barrier
        ));
        lines[0] = self.ops(&case.threads[0], n);
        if case.joins() {
            self.put(&format!("for (int k = 1; k < {count}; k++) o_{n}[k] = (long)res[k];"));
        }
        if forgets {
            self.put("{ static pthread_mutex_t m; static pthread_rwlock_t w; static sem_t s;");
            self.put("static pthread_cond_t c; static pthread_barrier_t b;");
            self.put(&format!("m0_{n} = m; m1_{n} = m; w_{n} = w; s_{n} = s; c_{n} = c; b_{n} = b; }}"));
        }
        self.put("return 1; }");
        lines
    }

    fn ops(&mut self, ops: &[Op], n: usize) -> Vec<u32> {
        let mut lines = Vec::new();
        let mut behind = 0;
        for op in ops {
            let (before, line, after) = statement(op, n);
            if !before.is_empty() {
                self.put(&before);
            }
            lines.push(self.put(&line));
            if let Op::Repeat(_, body) = op {
                lines.extend(self.ops(body, n));
            }
            if !after.is_empty() {
                self.put(&after);
            }
            if behind > 0 {
                behind -= 1;
                if behind == 0 {
                    self.put("}");
                }
            }
            if let Op::SkipIf(_, count) = op {
                behind = *count;
            }
        }
        lines
    }
}

fn named(variable: Variable, n: usize) -> String {
    match variable {
        Variable::Atomic(v) => format!("v{v}_{n}"),
        Variable::Plain(p) => format!("p{p}_{n}"),
        Variable::Element(at) => format!("a_{n}[{at}]"),
        Variable::InputElement => format!("a_{n}[in]"),
    }
}

/// What comes on a line before an operation, on its line, and on one after it.
fn statement(op: &Op, n: usize) -> (String, String, String) {
    let mut after = String::new();
    let mut before = String::new();
    let line = match op {
        Op::Read(v) => format!("r = {};", named(*v, n)),
        Op::Write(v, number) => format!("{} = {number};", named(*v, n)),
        Op::WriteSum(v, number) => format!("{} = r + {number};", named(*v, n)),
        Op::WriteInput(v, number) => format!("{} = in + {number};", named(*v, n)),
        Op::Add(v, number) => format!("r = atomic_fetch_add(&v{v}_{n}, {number});"),
        Op::Exchange(v, old, new) => {
            format!("{{ int e = {old}; r = atomic_compare_exchange_strong(&v{v}_{n}, &e, {new}); }}")
        }
        Op::Block(read, written, number) => format!(
            "__VERIFIER_atomic_begin(); r = v{read}_{n}; v{written}_{n} = r + {number}; __VERIFIER_atomic_end();"
        ),
        Op::Await(v, number) => format!("while (v{v}_{n} == {number}) ;"),
        Op::AwaitEither(one, other) => format!("while (v0_{n} == {one} && v1_{n} == {other}) ;"),
        Op::AwaitDifferent => format!("{{ int q; do {{ r = v0_{n}; q = v1_{n}; }} while (r == q); }}"),
        Op::Lock(m) => format!("pthread_mutex_lock(&m{m}_{n});"),
        Op::TryLock(m) => {
            format!("r = pthread_mutex_trylock(&m{m}_{n}) == 0; if (r) pthread_mutex_unlock(&m{m}_{n});")
        }
        Op::Unlock(m) => format!("pthread_mutex_unlock(&m{m}_{n});"),
        Op::ReadLock => format!("pthread_rwlock_rdlock(&w_{n});"),
        Op::WriteLock => format!("pthread_rwlock_wrlock(&w_{n});"),
        Op::TryReadLock => {
            format!("r = pthread_rwlock_tryrdlock(&w_{n}) == 0; if (r) pthread_rwlock_unlock(&w_{n});")
        }
        Op::UnlockShared => format!("pthread_rwlock_unlock(&w_{n});"),
        Op::SkipIf(Condition::Register(number), _) => format!("if (!(r == {number})) {{"),
        Op::SkipIf(Condition::Input(number), _) => format!("if (!(in == {number})) {{"),
        Op::SkipIf(Condition::BelowInput(number), _) => format!("if (!({number} < in)) {{"),
        Op::Post => format!("sem_post(&s_{n});"),
        Op::Take => format!("sem_wait(&s_{n});"),
        Op::TryTake => format!("r = sem_trywait(&s_{n}) == 0;"),
        Op::Arrive => format!("pthread_barrier_wait(&b_{n});"),
        Op::Wait => format!("pthread_cond_wait(&c_{n}, &m0_{n});"),
        Op::TimedWait => {
            format!("{{ struct timespec s = {{0}}; r = pthread_cond_timedwait(&c_{n}, &m0_{n}, &s) != 0; }}")
        }
        Op::WaitWhile(p, number) => {
            after = format!("pthread_cond_wait(&c_{n}, &m0_{n});");
            format!("while (p{p}_{n} == {number})")
        }
        Op::Signal => format!("pthread_cond_signal(&c_{n});"),
        Op::Broadcast => format!("pthread_cond_broadcast(&c_{n});"),
        Op::Assert(number) => format!("assert(r != {number});"),
        Op::ExitIf(number) => format!("if (r == {number}) exit(7);"),
        Op::Repeat(times, _) => {
            before = "for (int k = 0;".to_owned();
            after = "}".to_owned();
            match times {
                Some(times) => format!("k < {times}; k++) {{"),
                None => "k < in; k++) {".to_owned(),
            }
        }
        Op::Create(thread) => {
            format!("pthread_create(&t[{thread}], 0, t{thread}_{n}, (void *)(long)in);")
        }
        Op::Join(thread) => format!("pthread_join(t[{thread}], &res[{thread}]);"),
    };
    (before, line, after)
}
