//! Where the decisions of an old path are in the new version: the lines of functions move, also where nothing changed.

use incise_change::Versions;
use incise_ir::{Function, FunctionId, Id, InstructionId, Program};
use incise_report::suite_path::{DecisionPath, NoPath, function_of};
use std::collections::BTreeMap;

/// The lines of both versions that belong together, counted from the start of their functions.
pub(crate) struct Lines<'a> {
    old: &'a Program,
    new: &'a Program,
    versions: &'a Versions,
    /// For each function, the lines that are others now.
    known: BTreeMap<Box<str>, BTreeMap<i64, i64>>,
    /// The function that was asked for last: paths stay in a function for long.
    last: Option<(Box<str>, bool)>,
}

impl<'a> Lines<'a> {
    /// Of two versions.
    pub(crate) fn new(old: &'a Program, new: &'a Program, versions: &'a Versions) -> Self {
        Self { old, new, versions, known: BTreeMap::new(), last: None }
    }

    /// A path of the old version that the new one has too, with the lines of the new version, and whether one of them is another.
    pub(super) fn moved(&mut self, path: &str) -> Result<(String, bool), NoPath> {
        let mut path = path.parse::<DecisionPath>()?;
        let mut moved = false;
        for step in &mut path.steps {
            if let Some(line) = &mut step.line
                && let Some(&now) = self.moved_in(&step.function).get(line)
            {
                *line = now;
                moved = true;
            }
        }
        Ok((path.to_string(), moved))
    }

    /// Whether a line of a function, whose name is as in the text of a path, is another now.
    pub(super) fn is_moved(&mut self, written: &str) -> bool {
        match &self.last {
            Some((last, moved)) if **last == *written => *moved,
            _ => {
                let moved = !self.moved_in(&function_of(written)).is_empty();
                self.last = Some((written.into(), moved));
                moved
            }
        }
    }

    /// The lines of a function that are others now.
    fn moved_in(&mut self, function: &str) -> &BTreeMap<i64, i64> {
        if !self.known.contains_key(function) {
            let mut lines = self.of(function);
            lines.retain(|before, after| before != after);
            self.known.insert(function.into(), lines);
        }
        &self.known[function]
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
