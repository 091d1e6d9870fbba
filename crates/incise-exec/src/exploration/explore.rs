//! An exploration: workers that take states, run them, and share the work.
//!
//! Workers share no expressions and no states. One that has nothing to do gets the decisions that lead to another's
//! waiting state, and follows them again by itself, without asking the solver. Paths are reported in the order of their
//! decisions, so that the result is the same for any number of workers.

use crate::config::{Config, SearcherKind};
use crate::decisions::decider::Decider;
use crate::decisions::oracle::Oracle;
use crate::decisions::strategy::{FullExploration, Strategy};
use crate::engine::machine::Machine;
use crate::engine::state::{Replay, State, Turning};
use crate::engine::step::Stop;
use crate::exploration::finish::{Detail, Sink, decisions};
use crate::exploration::found::{FoundPaths, FoundSoFar};
use crate::exploration::search::searcher;
use crate::exploration::stop::StopSignal;
use crate::outcome::LimitKind;
use crate::result::{Decision, Exploration, StageCounter};
use crate::threads::{Flow, explore_threads};
use incise_ir::{FunctionId, Program};
use incise_solver::{Exprs, Model, SymbolKind, Work};
use std::collections::{BTreeSet, BinaryHeap};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Why an exploration could not start.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    /// There is no function of that name with a body.
    #[error("there is no function '{name}' to start at{}", match nearest { Some(nearest) => format!("; did you mean '{nearest}'?"), None => String::new() })]
    NoSuchEntry {
        /// What was asked for.
        name: String,
        /// The function whose name is most like it.
        nearest: Option<String>,
    },
    /// More files are symbolic than there is room for.
    #[error("no more than {most} files can be symbolic")]
    TooManyFiles {
        /// So many can.
        most: usize,
    },
    /// Two symbolic files have one name.
    #[error("two symbolic files have the same name")]
    FileTwice,
    /// Two symbolic environment variables have one name.
    #[error("two symbolic environment variables have the same name")]
    VariableTwice,
    /// A global variable is to be symbolic that does not exist.
    #[error("there is no global variable '{name}'")]
    NoSuchGlobal {
        /// What was asked for.
        name: String,
    },
    /// An input is to lead to an array that is no pointer.
    #[error("'{name}' is no pointer input of '{entry}'")]
    NoSuchPointer {
        /// What was asked for.
        name: String,
        /// Where the exploration starts.
        entry: String,
        /// The inputs that are pointers.
        known: Vec<String>,
    },
}

/// How far an exploration is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Paths that ended.
    pub paths: u64,
    /// Errors found.
    pub errors: u64,
    /// States that wait.
    pub states_waiting: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// With threads: about how many paths there will be, 0 if nobody knows.
    pub expected: u64,
}

/// What connects an exploration with the world around it.
pub struct Hooks<'a> {
    /// Stops the exploration when set, solver included.
    pub interrupt: Arc<AtomicBool>,
    /// Which limit it was that set it; else it was the user.
    pub stopped_by: Option<fn() -> LimitKind>,
    /// Called from time to time.
    pub progress: Option<&'a (dyn Fn(&Progress) + Sync)>,
    /// The memory that the process uses, in bytes.
    pub memory_used: Option<fn() -> u64>,
    /// Of which paths everything is kept.
    pub detail: Detail,
    /// Where paths can be found before the exploration has ended.
    pub found: Option<&'a FoundSoFar>,
}

/// Explores every path.
pub fn explore(program: &Program, config: &Config, hooks: &Hooks<'_>) -> Result<Exploration, ExploreError> {
    if let Some(found) = hooks.found {
        found.begin();
    }
    if config.workers <= 1 {
        return explore_with(program, config, hooks, &mut FullExploration);
    }
    let entry = find_entry(program, config)?;
    let started = Instant::now();
    let shared = Shared::new(config);
    let work = || work(program, config, hooks, entry, &shared, started);
    Ok(merge(config, in_workers(config.workers, &work)?, started))
}

/// Does the same work in several threads, and gives what each of them found.
pub(crate) fn in_workers<T: Send>(
    workers: usize,
    work: &(impl Fn() -> Result<T, ExploreError> + Sync),
) -> Result<Vec<T>, ExploreError> {
    if workers <= 1 {
        return Ok(vec![work()?]);
    }
    std::thread::scope(|scope| {
        let start = |number: usize| {
            // Deep values are walked with care, but the solver's library is not ours.
            let thread = std::thread::Builder::new().stack_size(64 << 20).name(format!("worker {number}"));
            thread.spawn_scoped(scope, || (work(), Work::done()))
        };
        // Where no more threads can be had, those that there are do the work.
        let mut threads: Vec<_> = (0..workers).map(start).map_while(Result::ok).collect();
        if threads.is_empty() {
            return Ok(vec![work()?]);
        }
        let join = |thread: std::thread::ScopedJoinHandle<'_, (Result<T, ExploreError>, Work)>| {
            let (found, done) = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            done.add_here();
            found
        };
        threads.drain(..).map(join).collect()
    })
}

/// Explores the paths that a strategy wants, with one worker.
pub fn explore_with(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    strategy: &mut dyn Strategy,
) -> Result<Exploration, ExploreError> {
    let entry = find_entry(program, config)?;
    let started = Instant::now();
    let shared = Shared::new(config);
    let mut machine =
        Machine::new(program, config, strategy, stop_signal(config, hooks, started), Sink::of(hooks));
    run_jobs(&mut machine, entry, &shared, hooks, true)?;
    let finished = Finished::from(machine);
    Ok(merge(config, vec![finished], started))
}

/// Explores with an oracle beside the strategy. Every worker has a pair of its own, made for its number; `take` says
/// what is kept of an oracle in the end.
pub fn explore_with_oracle<S: Strategy, O: Oracle, T: Send>(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    make: &(impl Fn(usize) -> (S, O) + Sync),
    take: &(impl Fn(O) -> T + Sync),
) -> Result<(Exploration, Vec<T>), ExploreError> {
    let entry = find_entry(program, config)?;
    let started = Instant::now();
    let shared = Shared::new(config);
    let numbers = AtomicUsize::new(0);
    let work = || -> Result<(Finished, T), ExploreError> {
        let (mut strategy, mut oracle) = make(numbers.fetch_add(1, Ordering::Relaxed));
        let stop = stop_signal(config, hooks, started);
        let mut machine = Machine::new(program, config, &mut strategy, stop, Sink::of(hooks));
        machine.decider.oracle = Some(&mut oracle);
        run_jobs(&mut machine, entry, &shared, hooks, config.workers <= 1)?;
        let finished = Finished::from(machine);
        Ok((finished, take(oracle)))
    };
    let (finished, taken): (Vec<Finished>, Vec<T>) = in_workers(config.workers, &work)?.into_iter().unzip();
    Ok((merge(config, finished, started), taken))
}

impl Decider<'_> {
    /// Explores another program, from its entry of the same name, with the expressions and the solver of this one,
    /// until it is done or time is up. What is found is the oracle's and the strategy's business.
    pub fn explore_aside(&mut self, program: &Program, strategy: &mut dyn Strategy, oracle: &mut dyn Oracle) {
        let Ok(entry) = find_entry(program, self.config) else { return };
        let exprs = std::mem::replace(&mut self.exprs, Exprs::new());
        let fresh = crate::engine::machine::solver(self.config, &self.stop.interrupt);
        let solver = std::mem::replace(&mut self.solver, fresh);
        let config = Config { workers: 1, ..self.config.clone() };
        let hooks = Hooks {
            interrupt: Arc::clone(&self.stop.interrupt),
            stopped_by: None,
            progress: None,
            memory_used: None,
            detail: Detail::First(0),
            found: None,
        };
        let (stop, sink) = (self.stop.clone(), Sink::new(hooks.detail));
        let mut machine = Machine::with(program, &config, strategy, stop, sink, (exprs, solver));
        machine.decider.oracle = Some(oracle);
        // That it was cut does no harm.
        let _ = run_jobs(&mut machine, entry, &Shared::new(&config), &hooks, true);
        let Decider { exprs, solver, .. } = machine.decider;
        (self.exprs, self.solver) = (exprs, solver);
    }
}

/// The function where an exploration starts.
pub fn find_entry(program: &Program, config: &Config) -> Result<FunctionId, ExploreError> {
    if let Some(entry) = program.function_named(&config.entry)
        && program.functions[entry].is_definition()
    {
        return Ok(entry);
    }
    let candidates =
        program.functions.iter().filter(|(_, function)| function.is_definition() && !function.model);
    let nearest = candidates
        .map(|(_, function)| (distance(&function.name, &config.entry), &function.name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().max(config.entry.len()) / 2)
        .map(|(_, name)| name.clone());
    Err(ExploreError::NoSuchEntry { name: config.entry.clone(), nearest })
}

/// The number of single-character edits from one name to another.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, &b) in right.iter().enumerate() {
            let best = (diagonal + usize::from(a != b)).min(row[column] + 1).min(row[column + 1] + 1);
            diagonal = std::mem::replace(&mut row[column + 1], best);
        }
    }
    row[right.len()]
}

/// When an exploration that started then has to stop.
pub fn stop_signal(config: &Config, hooks: &Hooks<'_>, started: Instant) -> StopSignal {
    let deadline = config.limits.deadline_since(started);
    StopSignal::new(hooks, deadline, config.limits.memory)
}

/// The way to a waiting state, for another worker.
struct Job {
    decisions: Vec<Turning>,
    /// The state's model, by name.
    model: Vec<(String, u32, SymbolKind, u128)>,
}

/// What the workers share.
pub(crate) struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Workers that wait for a job.
    hungry: AtomicUsize,
    workers: usize,
    path_limit: u64,
    paths: AtomicU64,
    errors: AtomicU64,
    waiting: AtomicU64,
    expected: AtomicU64,
    instructions: AtomicU64,
    /// The decisions of the smallest paths, as many as the limit allows; only with several workers.
    smallest: Mutex<BinaryHeap<Vec<Decision>>>,
}

struct Queue {
    jobs: Vec<Job>,
    /// Workers that run.
    busy: usize,
    stopped: bool,
}

impl Shared {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            queue: Mutex::new(Queue {
                jobs: vec![Job { decisions: Vec::new(), model: Vec::new() }],
                busy: 0,
                stopped: false,
            }),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            workers: config.workers.max(1),
            path_limit: config.limits.paths,
            paths: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            expected: AtomicU64::new(0),
            instructions: AtomicU64::new(0),
            smallest: Mutex::new(BinaryHeap::new()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next job; `None` when all work is done or the exploration stops.
    fn take(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.stopped {
                return None;
            }
            if let Some(job) = queue.jobs.pop() {
                queue.busy += 1;
                return Some(job);
            }
            if queue.busy == 0 {
                self.changed.notify_all();
                return None;
            }
            self.hungry.fetch_add(1, Ordering::Relaxed);
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            self.hungry.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn give(&self, job: Job) {
        self.lock().jobs.push(job);
        self.changed.notify_one();
    }

    fn done(&self, stop: bool) {
        let mut queue = self.lock();
        queue.busy -= 1;
        queue.stopped |= stop;
        self.changed.notify_all();
    }

    /// Whether a worker waits and no job does.
    fn wants_work(&self) -> bool {
        self.workers > 1 && self.hungry.load(Ordering::Relaxed) > 0
    }
}

fn work(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    entry: FunctionId,
    shared: &Shared,
    started: Instant,
) -> Result<Finished, ExploreError> {
    let mut strategy = FullExploration;
    let stop = stop_signal(config, hooks, started);
    let mut machine = Machine::new(program, config, &mut strategy, stop, Sink::of(hooks));
    run_jobs(&mut machine, entry, shared, hooks, false)?;
    Ok(Finished::from(machine))
}

/// Runs jobs until there is none left.
pub(crate) fn run_jobs(
    machine: &mut Machine<'_>,
    entry: FunctionId,
    shared: &Shared,
    hooks: &Hooks<'_>,
    alone: bool,
) -> Result<(), ExploreError> {
    while let Some(job) = shared.take() {
        machine.decider.sink.detailed = 0;
        let state = start_job(machine, entry, job);
        let result = state.map(|state| run_job(machine, state, shared, hooks, alone));
        let stop = !matches!(result, Ok(true));
        shared.done(stop);
        result?;
    }
    Ok(())
}

fn start_job(machine: &mut Machine<'_>, entry: FunctionId, job: Job) -> Result<Box<State>, ExploreError> {
    let mut state = machine.start(entry)?;
    machine.decider.oracle_sees_start(&mut state);
    if job.decisions.is_empty() {
        check_names(machine, &state)?;
        machine.decider.keep_start(&state);
        return Ok(state);
    }
    machine.decider.sink.counters.states -= 1;
    let exprs = &mut machine.decider.exprs;
    let values: Vec<_> = job
        .model
        .into_iter()
        .filter_map(|(name, width, kind, value)| {
            let symbol = exprs.symbol(&name, width, kind);
            Some((exprs.as_symbol(symbol)?, value))
        })
        .collect();
    state.model = Model::new().with(values);
    state.replay = Some(Box::new(Replay { decisions: job.decisions, next: 0 }));
    Ok(state)
}

/// What is said of inputs must be said of some that exist, as far as the start can tell.
pub fn check_names(machine: &Machine<'_>, state: &State) -> Result<(), ExploreError> {
    let inputs = machine.config.inputs.clone();
    if inputs.files.len() > crate::inputs::world::MOST_FILES {
        return Err(ExploreError::TooManyFiles { most: crate::inputs::world::MOST_FILES });
    }
    let unique = |named: &[(String, u32)]| {
        let names: BTreeSet<&String> = named.iter().map(|(name, _)| name).collect();
        names.len() == named.len()
    };
    if !unique(&inputs.files) {
        return Err(ExploreError::FileTwice);
    }
    if !unique(&inputs.environment) {
        return Err(ExploreError::VariableTwice);
    }
    if inputs.may_be_unknown {
        return Ok(());
    }
    if let crate::config::SymbolicGlobals::Named(names) = &inputs.globals {
        for name in names {
            let mut globals = machine.program.globals.iter();
            let known =
                globals.any(|(_, global)| global.name == *name || global.source_name.as_ref() == Some(name));
            if !known {
                return Err(ExploreError::NoSuchGlobal { name: name.clone() });
            }
        }
    }
    let pointers: BTreeSet<String> = state
        .inputs
        .iter_newest_first()
        .filter_map(|input| match &input.origin {
            crate::result::InputOrigin::Pointee { pointer }
            | crate::result::InputOrigin::Stream { pointer } => Some(pointer.clone()),
            _ => None,
        })
        .collect();
    match inputs.arrays.iter().find(|(name, _)| !pointers.contains(name)) {
        Some((name, _)) => Err(ExploreError::NoSuchPointer {
            name: name.clone(),
            entry: machine.config.entry.clone(),
            known: pointers.into_iter().collect(),
        }),
        None => Ok(()),
    }
}

/// A path of so many instructions waits until the others had their turn: it may have no end.
const PATIENCE: u64 = 2_000_000;

/// Explores below a state; false when the exploration must stop.
fn run_job(
    machine: &mut Machine<'_>,
    first: Box<State>,
    shared: &Shared,
    hooks: &Hooks<'_>,
    alone: bool,
) -> bool {
    let kind = machine.config.searcher;
    let mut waiting = searcher(kind, machine.config.seed);
    let goes_on = waiting.goes_on();
    let mut reported = Report::default();
    waiting.push(first);
    while let Some(mut state) = waiting.pop(&machine.decider.coverage) {
        if !alone && beyond_limit(shared, &state) {
            machine.decider.sink.limits.insert(LimitKind::Paths);
            machine.decider.sink.abandoned += 1;
            continue;
        }
        let mut finished_before = machine.decider.sink.paths.len();
        let mut stop = match state.memory.is_watched() {
            true => Stop::Paused,
            false => machine.run_at_most(&mut state, !goes_on, PATIENCE),
        };
        if let Stop::Paused = stop {
            // What the state forked off comes later.
            let rest = std::mem::take(&mut machine.decider.forked);
            machine.thread_numbers_for(&state);
            let mut counted = finished_before;
            let begun = shared.paths.load(Ordering::Relaxed);
            let mut told = |machine: &Machine<'_>, waiting: usize, expected: u64| {
                shared.expected.store(begun + expected, Ordering::Relaxed);
                report(machine, shared, hooks, &mut reported, waiting, counted, alone);
                counted = machine.decider.sink.paths.len();
            };
            stop = match explore_threads(machine, &state, &mut told, None) {
                Flow::On => Stop::Ended,
                Flow::Stopped => Stop::Stopped,
            };
            shared.expected.store(0, Ordering::Relaxed);
            finished_before = counted;
            machine.decider.forked = rest;
        }
        // The first of the forked states is the last to be pushed, and so the next to be run depth first.
        let forked = std::mem::take(&mut machine.decider.forked);
        match kind {
            SearcherKind::DepthFirst => {
                if let Stop::SetBack = stop {
                    waiting.set_back(state);
                }
                for state in order_forks(forked) {
                    waiting.push(state);
                }
            }
            _ => {
                match stop {
                    Stop::Forked => waiting.push(state),
                    Stop::SetBack => waiting.set_back(state),
                    _ => {}
                }
                for state in forked {
                    waiting.push(state);
                }
            }
        }
        machine.decider.sink.counters.peak_states =
            machine.decider.sink.counters.peak_states.max(waiting.len() as u64 + 1);
        report(machine, shared, hooks, &mut reported, waiting.len(), finished_before, alone);
        let full = alone && shared.paths.load(Ordering::Relaxed) >= shared.path_limit && waiting.len() > 0;
        if full {
            machine.decider.sink.limits.insert(LimitKind::Paths);
            machine.decider.sink.abandoned += waiting.len() as u64;
            return false;
        }
        if matches!(stop, Stop::Stopped) || machine.decider.stop.check() {
            let running = u64::from(matches!(stop, Stop::Stopped));
            if waiting.len() as u64 + running > 0 {
                machine.decider.sink.limits.extend(machine.decider.stop.reason);
                machine.decider.sink.abandoned += waiting.len() as u64 + running;
            }
            return false;
        }
        if shared.wants_work()
            && waiting.len() > 1
            && let Some(state) = waiting.give()
        {
            shared.give(job_of(machine, &state));
        }
    }
    true
}

/// Forks of one run in the order in which a depth-first search pushes them: those of later instructions last, and among
/// the alternatives of one instruction the first one last.
pub fn order_forks(forked: Vec<Box<State>>) -> Vec<Box<State>> {
    let mut groups: Vec<Vec<Box<State>>> = Vec::new();
    for state in forked {
        match groups.last_mut() {
            Some(group) if group[0].decisions.len() == state.decisions.len() => group.push(state),
            _ => groups.push(vec![state]),
        }
    }
    groups.into_iter().flat_map(|group| group.into_iter().rev()).collect()
}

fn job_of(machine: &Machine<'_>, state: &State) -> Job {
    let mut decisions: Vec<Turning> = state.decisions.iter_newest_first().copied().collect();
    decisions.reverse();
    let model = state
        .model
        .iter()
        .map(|(symbol, value)| {
            let info = machine.decider.exprs.symbol_info(symbol);
            (info.name.clone(), info.width, info.kind, value)
        })
        .collect();
    Job { decisions, model }
}

/// Whether the path limit is reached and all paths below this state come after the ones that are kept.
fn beyond_limit(shared: &Shared, state: &State) -> bool {
    if shared.paths.load(Ordering::Relaxed) < shared.path_limit {
        return false;
    }
    let smallest = shared.smallest.lock().unwrap_or_else(PoisonError::into_inner);
    smallest.peek().is_some_and(|largest| decisions(state) > *largest)
}

#[derive(Default)]
struct Report {
    instructions: u64,
    waiting: u64,
    errors: u64,
    calls: u32,
}

fn report(
    machine: &Machine<'_>,
    shared: &Shared,
    hooks: &Hooks<'_>,
    before: &mut Report,
    waiting: usize,
    finished_before: usize,
    alone: bool,
) {
    let sink = &machine.decider.sink;
    let new = sink.paths.len().saturating_sub(finished_before);
    shared.paths.fetch_add(new as u64, Ordering::Relaxed);
    if !alone && shared.path_limit < u64::MAX {
        let mut smallest = shared.smallest.lock().unwrap_or_else(PoisonError::into_inner);
        sink.paths.with(|paths| {
            for path in paths.iter().skip(finished_before) {
                smallest.push(path.decisions.clone());
                if smallest.len() as u64 > shared.path_limit {
                    smallest.pop();
                }
            }
        });
    }
    let Some(progress) = hooks.progress else { return };
    before.calls += 1;
    if before.calls % 64 != 1 {
        return;
    }
    shared.instructions.fetch_add(sink.counters.instructions - before.instructions, Ordering::Relaxed);
    shared.waiting.fetch_add((waiting as u64).wrapping_sub(before.waiting), Ordering::Relaxed);
    shared.errors.fetch_add(sink.errors.saturating_sub(before.errors), Ordering::Relaxed);
    (before.instructions, before.waiting, before.errors) =
        (sink.counters.instructions, waiting as u64, sink.errors);
    progress(&Progress {
        paths: shared.paths.load(Ordering::Relaxed),
        errors: shared.errors.load(Ordering::Relaxed),
        states_waiting: shared.waiting.load(Ordering::Relaxed),
        expected: shared.expected.load(Ordering::Relaxed),
        instructions: shared.instructions.load(Ordering::Relaxed),
    });
}

/// What a worker leaves behind: data that may leave its thread.
pub(crate) struct Finished {
    result: Exploration,
    /// Taken only when all workers have ended: until then they can be had by others.
    paths: FoundPaths,
}

impl Finished {
    pub(crate) fn from(machine: Machine<'_>) -> Self {
        let Decider { program, mut solver, mut sink, coverage, stop, .. } = machine.decider;
        let mut result = Exploration {
            paths: Vec::new(),
            limits: sink.limits,
            concretised: sink.concretised,
            needs: sink.needs,
            counters: sink.counters,
            coverage: Default::default(),
            abandoned_states: sink.abandoned,
            diverged: sink.diverged,
            threads: sink.threads,
            blocked: sink.blocked,
            summarised: sink.summarised,
            races: sink.races.take(),
            contradictions: solver.take_contradictions(),
        };
        coverage.add_to(program, &mut result.coverage);
        let stats = solver.stats();
        result.counters.queries = stats.queries();
        result.counters.solver_time = stats.query_time();
        result.counters.first_and_last_tenth = stats.first_and_last_tenth();
        result.counters.peak_memory = stop.peak_memory;
        result.counters.stages = incise_solver::Stage::ALL
            .iter()
            .map(|&stage| {
                let counters = stats.stage(stage);
                StageCounter {
                    name: stage.name().to_string(),
                    asked: counters.asked,
                    answered: counters.sat + counters.unsat,
                    time: std::time::Duration::from_nanos(counters.nanoseconds),
                }
            })
            .collect();
        Self { result, paths: sink.paths }
    }
}

/// The places of a data race: what it is known by.
fn places(race: &crate::Race) -> Vec<(Option<&incise_ir::SourcePosition>, &'static str)> {
    let mut places: Vec<_> =
        race.accesses.iter().map(|access| (access.position.as_ref(), access.kind.name())).collect();
    places.sort();
    places
}

/// Puts the results of the workers together, in the order of the paths' decisions.
pub(crate) fn merge(config: &Config, finished: Vec<Finished>, started: Instant) -> Exploration {
    let mut whole = Exploration::default();
    for Finished { result, paths } in finished {
        // Those of the only worker are many, and stay where they are.
        match whole.paths.is_empty() {
            true => whole.paths = paths.take(),
            false => whole.paths.extend(paths.take()),
        }
        whole.limits.extend(result.limits);
        whole.concretised.extend(result.concretised);
        whole.needs.extend(&result.needs);
        whole.abandoned_states += result.abandoned_states;
        whole.diverged += result.diverged;
        whole.threads = whole.threads.max(result.threads);
        whole.blocked += result.blocked;
        whole.summarised += result.summarised;
        whole.races.extend(result.races);
        whole.contradictions.extend(&result.contradictions);
        let (counters, more) = (&mut whole.counters, result.counters);
        counters.states += more.states;
        counters.forks += more.forks;
        counters.instructions += more.instructions;
        counters.queries += more.queries;
        counters.solver_time += more.solver_time;
        counters.first_and_last_tenth = more.first_and_last_tenth;
        counters.peak_memory = counters.peak_memory.max(more.peak_memory);
        counters.peak_states += more.peak_states;
        for stage in more.stages {
            match counters.stages.iter_mut().find(|known| known.name == stage.name) {
                Some(known) => {
                    known.asked += stage.asked;
                    known.answered += stage.answered;
                    known.time += stage.time;
                }
                None => counters.stages.push(stage),
            }
        }
        for (file, lines) in result.coverage.lines {
            let known = whole.coverage.lines.entry(file).or_default();
            for (line, hit) in lines {
                *known.entry(line).or_default() |= hit;
            }
        }
        for (position, sides) in result.coverage.branches {
            let known = whole.coverage.branches.entry(position).or_insert_with(|| vec![false; sides.len()]);
            for (known, hit) in known.iter_mut().zip(sides) {
                *known |= hit;
            }
        }
    }
    whole.races.sort_by(|one, two| (places(one), !one.adjacent).cmp(&(places(two), !two.adjacent)));
    whole.races.dedup_by(|one, two| places(one) == places(two));
    whole.paths.sort_by(|left, right| left.decisions.cmp(&right.decisions));
    if whole.paths.len() as u64 > config.limits.paths {
        whole.paths.truncate(config.limits.paths as usize);
        whole.limits.insert(LimitKind::Paths);
    }
    whole.counters.time = started.elapsed();
    tracing::debug!(
        entry = config.entry,
        paths = whole.paths.len(),
        states = whole.counters.states,
        instructions = whole.counters.instructions,
        limits = ?whole.limits,
        "explored"
    );
    whole
}
