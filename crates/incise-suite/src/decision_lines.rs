//! Where the decisions of an old path are in the new version: the lines of functions move, also where nothing changed.

use incise_change::Versions;
use incise_ir::{Function, FunctionId, Id, InstructionId, Program};
use incise_report::suite::path::{NOBODY, NoPath, PathText, Written, function_of, shared_words, written};
use std::collections::BTreeMap;

/// The lines of both versions that belong together, counted from the start of their functions.
pub(crate) struct DecisionLines<'a> {
    old: &'a Program,
    new: &'a Program,
    versions: &'a Versions,
    /// For each function as paths have it, the lines that are others now.
    known: BTreeMap<&'a str, BTreeMap<i64, i64>>,
    walk: LineWalk<'a>,
}

/// A path of the old version in the new one. The next path mostly begins in the same way, and is followed from where
/// they part.
#[derive(Default)]
pub(super) struct LineWalk<'a> {
    path: &'a str,
    steps: Vec<Walked<'a>>,
    choices: Vec<u32>,
    text: PathText<&'a str>,
}

/// Where a path is after a decision, or several of it in a row.
struct Walked<'a> {
    /// In the old text.
    end: usize,
    function: &'a str,
    choices: usize,
    /// Whether a line until there is another now.
    moved: bool,
}

impl LineWalk<'_> {
    /// Whether a line is another now.
    pub(super) fn is_moved(&self) -> bool {
        self.steps.last().is_some_and(|last| last.moved)
    }

    /// The path with the lines of the new version.
    pub(super) fn text(&self) -> String {
        self.text.text()
    }

    /// The choices of the engine.
    pub(super) fn choices(&self) -> &[u32] {
        &self.choices
    }

    fn truncate(&mut self, steps: usize) {
        self.steps.truncate(steps);
        self.choices.truncate(self.steps.last().map_or(0, |last| last.choices));
        self.text.truncate(steps);
    }
}

impl<'a> DecisionLines<'a> {
    /// Of two versions.
    pub(crate) fn new(old: &'a Program, new: &'a Program, versions: &'a Versions) -> Self {
        Self { old, new, versions, known: BTreeMap::new(), walk: LineWalk::default() }
    }

    /// Follows a path of the old version that the new one has too.
    pub(super) fn walk(&mut self, path: &'a str) -> Result<&LineWalk<'a>, NoPath> {
        let shared = shared_words(self.walk.path, path);
        let steps = self.walk.steps.partition_point(|step| step.end <= shared);
        self.walk.truncate(steps);
        self.walk.path = path;
        let start = self.walk.steps.last().map_or(0, |last| last.end);
        let mut rest = written(&path[start..]);
        while let Some(step) = rest.next() {
            // What cannot be read leaves a path of those that can, and nobody asks for it.
            let Written { function, line, side, count } = step?;
            let last = self.walk.steps.last();
            let function = match last {
                _ if !function.is_empty() => function,
                Some(last) => last.function,
                None => NOBODY,
            };
            let mut moved = last.is_some_and(|last| last.moved);
            let now = line.map(|line| match self.moved_in(function).get(&line) {
                Some(&now) => {
                    moved = true;
                    now
                }
                None => line,
            });
            let walk = &mut self.walk;
            walk.text.push(function, now, side, count);
            walk.choices.extend(std::iter::repeat_n(side.choice(), count));
            let end = path.len() - rest.rest().len();
            walk.steps.push(Walked { end, function, choices: walk.choices.len(), moved });
        }
        Ok(&self.walk)
    }

    /// The lines of a function that are others now.
    fn moved_in(&mut self, function: &'a str) -> &BTreeMap<i64, i64> {
        if !self.known.contains_key(function) {
            let mut lines = self.of(&function_of(function));
            lines.retain(|before, after| before != after);
            self.known.insert(function, lines);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_from_where_they_part() {
        let program = Program::new(16);
        let versions = Versions::compare(&program, &program);
        let lines = || {
            let mut lines = DecisionLines::new(&program, &program, &versions);
            lines.known.insert("f", BTreeMap::from([(2, 5), (-1, 3)]));
            lines.known.insert("g%20", BTreeMap::from([(1, 2)]));
            lines.known.insert("h", BTreeMap::new());
            lines.known.insert(NOBODY, BTreeMap::from([(7, 8)]));
            lines
        };
        let texts = [
            ("f+1T +2F", "f+1T +5F", true),
            ("f+1T +3F", "f+1T +3F", false),
            ("f+1T +3F h+2T*3 +3F", "f+1T +3F h+2T*3 +3F", false),
            ("f+1T +3F h+2T*3 g%20+1F*2 +2F", "f+1T +3F h+2T*3 g%20+2F*3", true),
            ("f+1T +3F h+2T*3", "f+1T +3F h+2T*3", false),
            ("f+1T +3F h+2T*3 +2T f-1=4", "f+1T +3F h+2T*4 f+3=4", true),
            ("", "", false),
            ("+7T +8T", "+8T*2", true),
            ("?T", "?T", false),
        ];
        let mut all = lines();
        for (old, new, moved) in texts.iter().chain(texts.iter().rev()).chain(&texts[2..]) {
            let alone = &mut lines();
            let alone = alone.walk(old).unwrap();
            let walk = all.walk(old).unwrap();
            assert_eq!((walk.text().as_str(), walk.is_moved()), (*new, *moved), "{old}");
            assert_eq!((walk.text(), walk.choices()), (alone.text(), alone.choices()), "{old}");
            assert_eq!(walk.choices().len(), walk.steps.last().map_or(0, |last| last.choices));
            assert!(all.walk("f+1T +3F h+2T*3 g").is_err());
        }
        assert_eq!(all.walk("f+1T +3F h+2T*3 +2T f-1=4").unwrap().choices(), [0, 1, 0, 0, 0, 0, 4]);
    }
}
