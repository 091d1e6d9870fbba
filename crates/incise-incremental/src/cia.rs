//! Directed exploration of programs with threads: one execution for each trace of affected events.
//!
//! The mode +CIA of Guo, Kusano, Wang, "Conc-iSE: Incremental Symbolic Execution of Concurrent Software" (ASE 2016),
//! made sound. The paper explores one side of a branch that is not in its forward set, which may be one that the change
//! depends on; we explore the orders of all that is in the backward slice of what is affected, over all threads
//! ([`ThreadSlice`]). What is not in the slice is executed, and no order of it is explored. Of executions that have the
//! same trace of affected events, and end alike, one is reported.
//!
//! *Guarantee:* for every trace of affected events that a feasible execution of the new version has, exactly one
//! execution is reported; and every error that the old version does not have is found. An execution that a statement
//! outside of the slice ends early ends there like any other.
//!
//! Not done: sides of branches outside of the slice are explored, although what they lead to is reported once.

use incise_change::ThreadSlice;
use incise_exec::{
    Config, Decision, EventKind, Exploration, ExploreError, Hooks, OrderedInstructions, Outcome, Path, Step,
    explore,
};
use incise_ir::{FunctionId, Id, InstructionId, LocationId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a directed exploration of threads found.
#[derive(Debug)]
pub struct ConcernedExecutions {
    /// What was explored; of executions with the same trace of affected events only the first is kept.
    pub exploration: Exploration,
    /// How many executions were explored.
    pub executions: usize,
}

/// The slice as the executor asks for it.
#[derive(Debug)]
struct Ordered(ThreadSlice);

impl OrderedInstructions for Ordered {
    fn counts(&self, function: FunctionId, instruction: InstructionId) -> bool {
        self.0.is_in_slice(function, instruction)
    }
}

/// Explores the executions of the new version that a change concerns. The hooks must ask for all details.
pub fn explore_concerned(
    program: &Program,
    config: &Config,
    hooks: &Hooks<'_>,
    slice: &ThreadSlice,
) -> Result<ConcernedExecutions, ExploreError> {
    let config = Config { ordered: Some(Arc::new(Ordered(slice.clone()))), ..config.clone() };
    let mut exploration = explore(program, &config, hooks)?;
    let traces = AffectedTraces::new(program, slice);
    let executions = exploration.paths.len();
    let mut known = BTreeSet::new();
    exploration.paths.retain(|path| known.insert(traces.of(path)));
    Ok(ConcernedExecutions { exploration, executions })
}

/// An affected event of a trace.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct AffectedEvent {
    thread: u32,
    function: u32,
    instruction: u32,
    kind: &'static str,
    /// The object with the bytes that are touched.
    touched: Option<(String, u64, u64)>,
}

/// The trace of the affected events of an execution, which ways affected decisions went in each thread, and how it
/// ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AffectedTrace {
    events: Vec<AffectedEvent>,
    decisions: BTreeMap<u32, Vec<(u32, u32)>>,
    end: String,
}

/// Finds the traces of affected events.
#[derive(Debug)]
pub struct AffectedTraces<'s> {
    slice: &'s ThreadSlice,
    /// The functions of each name that have a body, in order.
    functions: BTreeMap<&'s str, Vec<FunctionId>>,
    /// The places of affected statements in the source.
    locations: BTreeSet<LocationId>,
}

impl<'s> AffectedTraces<'s> {
    /// Of executions of a program.
    pub fn new(program: &'s Program, slice: &'s ThreadSlice) -> Self {
        let (mut functions, mut locations) = (BTreeMap::<&str, Vec<FunctionId>>::new(), BTreeSet::new());
        for (id, function) in program.functions.iter().filter(|(_, function)| function.is_definition()) {
            functions.entry(&function.name).or_default().push(id);
            for (at, instruction) in function.instructions.iter() {
                if slice.is_affected(id, at) && !function.model {
                    locations.extend(instruction.location);
                }
            }
        }
        Self { slice, functions, locations }
    }

    /// That of an execution.
    pub fn of(&self, path: &Path) -> AffectedTrace {
        let events = path.schedule.iter().filter_map(|step| self.event(step)).collect();
        let mut decisions: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        let mut thread = 0;
        for (decision, decided) in path.decisions.iter().zip(&path.decided) {
            if let Decision::Schedule(next) = decision {
                thread = *next;
                continue;
            }
            if let Some(location) = decided.location.filter(|location| self.locations.contains(location)) {
                let ways = decisions.entry(thread).or_default();
                ways.push((location.index() as u32, decision.number()));
            }
        }
        AffectedTrace { events: canonical(events), decisions, end: end_of(path) }
    }

    /// An affected event, or the end of the program.
    fn event(&self, step: &Step) -> Option<AffectedEvent> {
        let site = step.site.as_ref();
        let function = site.and_then(|site| {
            self.functions.get(site.function.as_str())?.get(site.same_named as usize).copied()
        });
        let instruction = site.map_or(0, |site| site.instruction);
        let affected = function.is_none_or(|function| {
            self.slice.is_affected(function, InstructionId::from_index(instruction as usize))
        });
        let ends = step.kind == EventKind::End;
        // Waiting for an end is ordered by that end alone.
        if step.kind == EventKind::Join || !(affected || ends) {
            return None;
        }
        let touched = step.object.as_ref().map(|name| match name.split_once(" at offset ") {
            Some((name, offset)) => (name.to_owned(), offset.parse().unwrap_or(0), step.size),
            None => (name.clone(), 0, step.size),
        });
        Some(AffectedEvent {
            thread: step.thread,
            function: function.map_or(u32::MAX, |function| function.index() as u32),
            instruction,
            kind: step.kind.name(),
            touched,
        })
    }
}

/// How an execution ended, and where if that is an error.
fn end_of(path: &Path) -> String {
    match &path.outcome {
        Outcome::Error(error) => {
            let place = path.position.as_ref().map(|position| position.line);
            format!("{:?} {place:?}", error.kind)
        }
        other => format!("{other:?}"),
    }
}

impl AffectedEvent {
    fn must_precede(&self, later: &Self) -> bool {
        let end = EventKind::End.name();
        if self.thread == later.thread || self.kind == end || later.kind == end {
            return true;
        }
        let (Some(one), Some(other)) = (&self.touched, &later.touched) else { return false };
        let overlaps = one.0 == other.0 && one.1 < other.1 + other.2.max(1) && other.1 < one.1 + one.2.max(1);
        overlaps && !commute(self.kind, later.kind)
    }
}

/// Whether two operations on one thing may change places.
fn commute(one: &str, other: &str) -> bool {
    let only_looks = |kind: &str| kind == "read" || kind == "try-lock";
    let at_barrier = |kind: &str| kind == "arrive" || kind == "leave";
    let shares = |kind: &str| kind == "read-lock";
    let sleeps = |kind: &str| kind == "wait";
    only_looks(one) && only_looks(other)
        || at_barrier(one) && at_barrier(other)
        || shares(one) && shares(other)
        || sleeps(one) && sleeps(other)
}

/// The one order that stands for all that differ in what does not matter: always the smallest that may be next.
fn canonical(mut left: Vec<AffectedEvent>) -> Vec<AffectedEvent> {
    let mut order = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let ready = |&at: &usize| !left[..at].iter().any(|earlier| earlier.must_precede(&left[at]));
        let Some(next) = (0..left.len()).filter(ready).min_by_key(|&at| left[at].thread) else { break };
        order.push(left.remove(next));
    }
    order
}
