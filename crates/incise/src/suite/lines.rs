//! Where the decisions of an old path are in the new version: the lines of functions move, also where nothing changed.

use incise_change::Versions;
use incise_ir::{Function, FunctionId, Id, InstructionId, Program};
use incise_report::suite_path::DecisionPath;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The lines of both versions that belong together, counted from the start of their functions.
pub(crate) struct Lines<'a> {
    old: &'a Program,
    new: &'a Program,
    versions: &'a Versions,
    /// For each function, the lines that are others now.
    known: BTreeMap<Arc<str>, BTreeMap<i64, i64>>,
}

impl<'a> Lines<'a> {
    /// Of two versions.
    pub(crate) fn new(old: &'a Program, new: &'a Program, versions: &'a Versions) -> Self {
        Self { old, new, versions, known: BTreeMap::new() }
    }

    /// Puts the lines of the new version into a path of the old version that the new one has too; says whether one of them is another.
    pub(super) fn move_path(&mut self, path: &mut DecisionPath) -> bool {
        let mut moved = false;
        for step in &mut path.steps {
            if !self.known.contains_key(&*step.function) {
                let mut lines = self.of(&step.function);
                lines.retain(|before, after| before != after);
                self.known.insert(Arc::clone(&step.function), lines);
            }
            if let Some(line) = &mut step.line
                && let Some(&now) = self.known[&*step.function].get(line)
            {
                *line = now;
                moved = true;
            }
        }
        moved
    }

    fn of(&self, name: &str) -> BTreeMap<i64, i64> {
        let pair = self.versions.named(name);
        let Some((old, new)) = pair.and_then(|pair| Some((pair.old?, pair.new?))) else {
            return BTreeMap::new();
        };
        let (before, after) = (&self.old.functions[old], &self.new.functions[new]);
        let mut lines = BTreeMap::new();
        for (one, other) in self.instructions(old, new) {
            let line = |program: &Program, function: &Function, id: InstructionId| {
                let line = program.locations[function.instructions[id].location?].line;
                Some(i64::from(line) - i64::from(function.line))
            };
            if let (Some(one), Some(other)) = (line(self.old, before, one), line(self.new, after, other)) {
                lines.entry(one).or_insert(other);
            }
        }
        lines
    }

    /// The instructions that belong together.
    fn instructions(&self, old: FunctionId, new: FunctionId) -> Vec<(InstructionId, InstructionId)> {
        let graph = |program, function| incise_change::StatementGraph::new(program, function);
        let alignment = self.versions.align(self.old, graph(self.old, old), self.new, graph(self.new, new));
        let Some(before) = &alignment.old_graph else { return Vec::new() };
        let mut owned: BTreeMap<usize, Vec<InstructionId>> = BTreeMap::new();
        for (index, owner) in alignment.new_graph.owners.iter().enumerate() {
            if let Some(node) = owner {
                owned.entry(node.index()).or_default().push(InstructionId::from_index(index));
            }
        }
        let mut taken: BTreeMap<usize, usize> = BTreeMap::new();
        let mut pairs = Vec::new();
        for (index, owner) in before.owners.iter().enumerate() {
            let Some(there) = owner.and_then(|owner| alignment.to_new[owner.index()]) else { continue };
            let next = taken.entry(there.index()).or_default();
            if let Some(&other) = owned.get(&there.index()).and_then(|all| all.get(*next)) {
                pairs.push((InstructionId::from_index(index), other));
            }
            *next += 1;
        }
        pairs
    }
}
