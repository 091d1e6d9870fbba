//! How far functions are from the change: over how many calls, returns, or executions of other entries impact came
//! there at least.

use crate::scope::{ActivationId, Scope};
use incise_ir::FunctionId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// For each function with something affected in it, the number of steps from those that changed. `passed` are functions
/// of which the first passes impact on to the second in another thread.
pub(crate) fn distances(
    scope: &Scope<'_>,
    reached: &BTreeMap<FunctionId, BTreeSet<ActivationId>>,
    changed: &BTreeSet<FunctionId>,
    (sharing, passed): (&[FunctionId], &[(FunctionId, FunctionId)]),
) -> BTreeMap<FunctionId, u32> {
    let mut steps = Steps::new(scope, reached, sharing);
    for &(from, to) in passed.iter().filter(|(from, to)| from != to) {
        steps.next.entry(from).or_default().insert(to);
    }
    let mut found: BTreeMap<Option<FunctionId>, u32> = BTreeMap::new();
    // What an entry leaves behind for the others is `None`: one step to there, and none from there.
    let mut work: VecDeque<(Option<FunctionId>, u32)> = changed.iter().map(|&id| (Some(id), 0)).collect();
    while let Some((at, distance)) = work.pop_front() {
        if found.contains_key(&at) {
            continue;
        }
        found.insert(at, distance);
        match at {
            None => steps.finding.iter().rev().for_each(|&id| work.push_front((Some(id), distance))),
            Some(id) => {
                let next = steps.next.get(&id).into_iter().flatten();
                work.extend(next.map(|&next| (Some(next), distance + 1)));
                work.extend(steps.leaving.contains(&id).then_some((None, distance + 1)));
            }
        }
    }
    found.into_iter().filter_map(|(id, distance)| Some((id?, distance))).collect()
}

/// Who hands impact on to whom.
struct Steps {
    next: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    /// The entries that leave impact behind.
    leaving: BTreeSet<FunctionId>,
    /// The entries that find impact.
    finding: BTreeSet<FunctionId>,
}

impl Steps {
    fn new(
        scope: &Scope<'_>,
        reached: &BTreeMap<FunctionId, BTreeSet<ActivationId>>,
        sharing: &[FunctionId],
    ) -> Self {
        let mut steps = Self { next: BTreeMap::new(), leaving: BTreeSet::new(), finding: BTreeSet::new() };
        for (&function, ids) in reached {
            for activation in ids.iter().map(|&id| scope.activation(id)) {
                for (&(_, callee), &called) in &activation.calls {
                    let called = scope.activation(called);
                    if !called.inputs.is_empty() {
                        steps.next.entry(function).or_default().insert(callee);
                    }
                    if called.hands_on() {
                        steps.next.entry(callee).or_default().insert(function);
                    }
                }
                let leaves = !activation.outputs.globals.is_empty() || !activation.outputs.memory.is_empty();
                if leaves && sharing.contains(&function) {
                    steps.leaving.insert(function);
                }
                if !activation.inputs.is_empty() && sharing.contains(&function) {
                    steps.finding.insert(function);
                }
            }
        }
        steps
    }
}
