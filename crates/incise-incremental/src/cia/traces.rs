//! Traces of affected events: what executions have in common that a change does not tell apart.

use incise_change::ThreadSlice;
use incise_exec::{Decided, Decision, EventKind, Outcome, Path, Step};
use incise_ir::{Function, FunctionId, Id, InstructionId, LocationId, Program};
use std::collections::{BTreeMap, BTreeSet};

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

/// The trace of the affected events of an execution, which ways affected decisions went, and how it ended. A decision
/// that an unaffected one took before is none, so that of two executions with the same trace one may have more of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AffectedTrace {
    events: Vec<AffectedEvent>,
    decisions: Vec<(u32, u32)>,
    end: String,
}

impl AffectedTrace {
    /// Whether two are the same, as far as decisions were made in both.
    pub fn is_like(&self, other: &Self) -> bool {
        let within = |few: &Self, many: &Self| few.decisions.iter().all(|one| many.decisions.contains(one));
        (&self.events, &self.end) == (&other.events, &other.end)
            && (within(self, other) || within(other, self))
    }
}

/// What an execution has to do with a change.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExecutionChange {
    /// Whether something affected happens in it that others can see, or is decided.
    pub affected: bool,
    /// For each constraint of its condition, whether it comes from an affected statement.
    pub constraints: Vec<bool>,
    /// The affected steps, in the order of its schedule.
    pub sequence: Vec<(FunctionId, InstructionId)>,
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
            locations.extend(affected_locations(slice, id, function));
        }
        Self { slice, functions, locations }
    }

    /// That of an execution.
    pub fn of(&self, path: &Path) -> AffectedTrace {
        let events = path.schedule.iter().filter_map(|step| self.event(step)).collect();
        AffectedTrace { events: canonical(events), decisions: self.decisions(path), end: end_of(path) }
    }

    /// Which ways affected decisions went, in the order of the source.
    fn decisions(&self, path: &Path) -> Vec<(u32, u32)> {
        let affected =
            |decided: &Decided| decided.location.filter(|location| self.locations.contains(location));
        let of_data = |decision: &Decision| !matches!(decision, Decision::Schedule(_));
        let both = path.decisions.iter().zip(&path.decided).filter(|(decision, _)| of_data(decision));
        let ways = both
            .filter_map(|(decision, decided)| Some((affected(decided)?.index() as u32, decision.number())));
        let mut ways: Vec<(u32, u32)> = ways.collect();
        ways.sort_unstable();
        ways
    }

    /// An affected event, or the end of the program.
    fn event(&self, step: &Step) -> Option<AffectedEvent> {
        let function = self.function_of(step);
        let instruction = step.site.as_ref().map_or(0, |site| site.instruction);
        let affected = function.is_none_or(|function| {
            self.slice.is_affected(function, InstructionId::from_index(instruction as usize))
        });
        let ends = step.kind == EventKind::End;
        // Waiting for an end is ordered by that end alone.
        if step.kind == EventKind::Join || !(affected || ends) {
            return None;
        }
        Some(AffectedEvent {
            thread: step.thread,
            function: function.map_or(u32::MAX, |function| function.index() as u32),
            instruction,
            kind: match step.kind {
                EventKind::Signal | EventKind::Broadcast if step.wakes.is_empty() => VAIN,
                kind => kind.name(),
            },
            touched: touched(step),
        })
    }

    /// What an execution has to do with the change.
    pub fn change(&self, path: &Path) -> ExecutionChange {
        let mut constraints = vec![false; path.condition.len()];
        for decided in &path.decided {
            let affected = decided.location.is_some_and(|location| self.locations.contains(&location));
            if let Some(known) = decided.conjunct.and_then(|conjunct| constraints.get_mut(conjunct as usize))
            {
                *known |= affected;
            }
        }
        let sequence: Vec<_> = path.schedule.iter().filter_map(|step| self.affected_site(step)).collect();
        let affected = !sequence.is_empty() || constraints.contains(&true);
        ExecutionChange { affected, constraints, sequence }
    }

    /// The affected instruction that a step is at.
    fn affected_site(&self, step: &Step) -> Option<(FunctionId, InstructionId)> {
        let function = self.function_of(step)?;
        let instruction = InstructionId::from_index(step.site.as_ref()?.instruction as usize);
        let affected = step.kind != EventKind::Join && self.slice.is_affected(function, instruction);
        affected.then_some((function, instruction))
    }

    fn function_of(&self, step: &Step) -> Option<FunctionId> {
        let site = step.site.as_ref()?;
        self.functions.get(site.function.as_str())?.get(site.same_named as usize).copied()
    }
}

/// The places of the affected statements of a function in the source.
fn affected_locations(slice: &ThreadSlice, id: FunctionId, function: &Function) -> Vec<LocationId> {
    let affected = function.instructions.iter().filter(|(at, _)| slice.is_affected(id, *at));
    affected.filter(|_| !function.model).filter_map(|(_, instruction)| instruction.location).collect()
}

/// The object that a step touches, with its bytes.
fn touched(step: &Step) -> Option<(String, u64, u64)> {
    let thing = step.object.as_ref()?;
    Some((thing.object.clone(), thing.offset, step.size))
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

/// A signal that wakes nobody.
const VAIN: &str = "signal in vain";

/// Whether two operations on one thing may change places.
fn commute(one: &str, other: &str) -> bool {
    const TOGETHER: [&[&str]; 5] =
        [&["read", "try-lock"], &["arrive", "leave"], &["read-lock"], &["wait"], &[VAIN]];
    TOGETHER.iter().any(|kinds| kinds.contains(&one) && kinds.contains(&other))
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
