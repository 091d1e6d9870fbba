//! Where executions of the new version may depart from the old one, and where that still lies ahead.
//!
//! Until a path of the new version meets a changed or added statement or a gap, the old version does the same. Unlike
//! what a change *affects*, where it is *met* follows from the alignment of functions and the call graph alone: nothing
//! needs to be known of what statements read and write.

use crate::reachable::Reachable;
use crate::versions::address_taken;
use crate::{FunctionChange, Gap, NewStatus, NodeId, StatementGraph, Versions};
use incise_ir::{Callee, FunctionId, Id, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// The functions of the new version in which, or below which, the change may be met.
#[derive(Clone, Debug)]
pub struct Departures {
    /// Those that executions from the entry may come to.
    pub functions: BTreeMap<FunctionId, Departing>,
}

/// A function in which, or below which, the change may be met.
#[derive(Clone, Debug)]
pub struct Departing {
    /// Its statements.
    pub graph: StatementGraph,
    /// For each statement, whether the change is met there.
    pub changes: Vec<bool>,
    /// The ways on which it is met.
    pub gaps: Vec<Gap>,
    /// For each statement, whether the change may be met there, in what it calls, or later in the function.
    pub ahead: Vec<bool>,
}

impl Departures {
    /// Those of executions that begin in a function of the new version.
    pub fn new(old: &Program, new: &Program, versions: &Versions, entry: FunctionId) -> Self {
        let calling = versions.calls_changed(old, new);
        let mut dirty = versions.changed_new();
        dirty.extend(&calling);
        let reachable: BTreeSet<FunctionId> = Reachable::new(new, [entry]).functions().collect();
        let calls = Calls::new(old, new, versions, &dirty);
        let mut functions = BTreeMap::new();
        for pair in &versions.functions {
            let Some(id) = pair.new.filter(|id| dirty.contains(id) && reachable.contains(id)) else {
                continue;
            };
            let graph = StatementGraph::new(new, id);
            let count = graph.nodes.len();
            let (graph, changes, gaps) = match pair.old {
                // Its calls may lead to the change, but its own code is the same.
                Some(_) if pair.change != FunctionChange::Changed => (graph, vec![false; count], Vec::new()),
                Some(before) => {
                    let alignment = versions.align(old, StatementGraph::new(old, before), new, graph);
                    let changed = alignment.new_status.iter().map(|&status| status != NewStatus::Unchanged);
                    (alignment.new_graph, changed.collect(), alignment.gaps)
                }
                // A function that is new is new from its first to its last statement.
                None => (graph, vec![true; count], Vec::new()),
            };
            let ahead = calls.ahead(id, &graph, &changes, &gaps);
            functions.insert(id, Departing { graph, changes, gaps, ahead });
        }
        Self { functions }
    }
}

/// Which calls may lead to the change.
struct Calls<'a> {
    program: &'a Program,
    dirty: &'a BTreeSet<FunctionId>,
    /// Whether a call through a pointer, or of the library, may.
    through_pointers: bool,
}

impl<'a> Calls<'a> {
    fn new(old: &Program, new: &'a Program, versions: &Versions, dirty: &'a BTreeSet<FunctionId>) -> Self {
        let mut callable = address_taken(new).into_iter();
        let through_pointers = callable.any(|id| dirty.contains(&id)) || versions.removes_callable(old);
        Self { program: new, dirty, through_pointers }
    }

    /// For each statement of a function, whether the change may be met there, in what it calls, or later.
    fn ahead(&self, id: FunctionId, graph: &StatementGraph, changes: &[bool], gaps: &[Gap]) -> Vec<bool> {
        let mut from: Vec<NodeId> = graph.ids().filter(|node| changes[node.index()]).collect();
        from.extend(gaps.iter().filter_map(|gap| gap.from));
        for (instruction, content) in self.program.functions[id].instructions.iter() {
            if let Op::Call(call) | Op::Invoke { call, .. } = &content.op
                && self.leads(&call.callee)
            {
                from.extend(graph.owners.get(instruction.index()).copied().flatten());
            }
        }
        graph.leading_to(from)
    }

    fn leads(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Direct(callee) => {
                let function = &self.program.functions[*callee];
                let foreign = function.model || !function.is_definition();
                self.dirty.contains(callee) || (foreign && self.through_pointers)
            }
            Callee::Indirect(_) => self.through_pointers,
            Callee::Intrinsic(_) | Callee::Assembly(_) => false,
        }
    }
}
