//! Which changed statements executions came by: what none of those that were compared came by is not known to be the
//! same, if others were cut.

use super::places::Places;
use incise_change::{NewStatus, OldStatus, StatementGraph};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use incise_ir::{FunctionId, InstructionId, Program, SourcePosition};
use std::collections::{BTreeMap, BTreeSet};

/// Explores everything, and notes the changed statements on the way.
pub(super) struct Meeting {
    /// Where each of them begins.
    statements: Vec<(FunctionId, InstructionId, Option<SourcePosition>)>,
    /// The sets of statements that states came by; the first is empty. A note is the number of one.
    sets: Vec<BTreeSet<u32>>,
    larger: BTreeMap<(Note, u32), Note>,
}

impl Meeting {
    /// For the new and the old version.
    pub(super) fn both(places: &Places<'_>) -> (Self, Self) {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for alignment in places.changed_functions() {
            let changed = |node: usize| alignment.new_status[node] != NewStatus::Unchanged;
            add(&mut new, places.new, &alignment.new_graph, changed);
            if let Some(graph) = &alignment.old_graph {
                let changed = |node: usize| alignment.old_status[node] != OldStatus::Unchanged;
                add(&mut old, places.old, graph, changed);
            }
        }
        (Self::new(new), Self::new(old))
    }

    fn new(statements: Vec<(FunctionId, InstructionId, Option<SourcePosition>)>) -> Self {
        Self { statements, sets: vec![BTreeSet::new()], larger: BTreeMap::new() }
    }

    /// Where the statements are that none of the executions with these notes came by.
    pub(super) fn missed(&self, notes: &BTreeSet<Note>) -> Vec<String> {
        let met: BTreeSet<u32> = notes.iter().flat_map(|&note| &self.sets[note as usize]).copied().collect();
        let all = self.statements.iter().zip(0..).filter(|(_, number)| !met.contains(number));
        let place = |position: &Option<SourcePosition>| match position {
            Some(position) => format!("{}:{}", position.file, position.line),
            None => "a changed statement without a place".to_owned(),
        };
        let places: BTreeSet<String> = all.map(|((_, _, position), _)| place(position)).collect();
        places.into_iter().collect()
    }
}

fn add(
    statements: &mut Vec<(FunctionId, InstructionId, Option<SourcePosition>)>,
    program: &Program,
    graph: &StatementGraph,
    changed: impl Fn(usize) -> bool,
) {
    for node in graph.ids().filter(|node| changed(node.index())) {
        let node = graph.node(node);
        let position = node.location.map(|location| program.position(location));
        statements.push((graph.function, node.first, position));
    }
}

impl Strategy for Meeting {
    fn watches(&self) -> Watches {
        let mut watches = Watches::new();
        for (&(function, instruction, _), point) in self.statements.iter().zip(0..) {
            watches.add(function, instruction, point);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, _stack: &Stack<'_>) -> Visit {
        let set = &self.sets[*note as usize];
        if !set.contains(&point) {
            *note = match self.larger.get(&(*note, point)) {
                Some(&known) => known,
                None => {
                    let mut larger = set.clone();
                    larger.insert(point);
                    let made = self.sets.len() as Note;
                    self.sets.push(larger);
                    self.larger.insert((*note, point), made);
                    made
                }
            };
        }
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}
