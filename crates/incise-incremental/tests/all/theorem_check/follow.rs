//! Native runs of a version, followed through the statements in scope.

use incise_change::{ActivationId, Impact, NodeId, StatementGraph};
use incise_incremental::{Statement, Subject};
use incise_ir::{FunctionId, Program};
use incise_testing::judge::{End, Mark, Run};
use std::collections::BTreeMap;

/// The functions of a version, by the lines that they begin on.
pub(super) type Lines<'a> = BTreeMap<u32, &'a str>;

/// Follows native runs of a version through the statements in scope. Those of the old version are known by what they
/// are in the new one.
pub(super) struct Follower<'a> {
    subject: &'a Subject<'a>,
    /// The functions in scope, by the lines that they begin on.
    functions: BTreeMap<u32, FunctionId>,
    /// The statements, by their lines and their positions there; without a node if the new version does not have it.
    statements: BTreeMap<(u32, u32), (FunctionId, Option<NodeId>)>,
}

/// A function that is being executed: what is affected in it, and the statement that control is at.
struct Frame {
    function: Option<FunctionId>,
    activation: Option<ActivationId>,
    at: Option<NodeId>,
    /// Whether an affected statement called it, or one that only the old version has.
    below: bool,
}

/// What a run did in terms of the new version.
#[derive(Default)]
pub(super) struct Followed {
    /// The affected statements, each in its calling context.
    pub(super) affected: Vec<Statement>,
    /// The others, without what affected statements called.
    pub(super) unaffected: Vec<Statement>,
}

/// The statements of a function by their lines and their positions there.
pub(crate) fn positions(program: &Program, graph: &StatementGraph) -> Vec<((u32, u32), NodeId)> {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    let position = |node| {
        let location = graph.node(node).location;
        let line = location.map_or(0, |location| program.locations[location].line);
        let part = counts.entry(line).or_default();
        *part += 1;
        ((line, *part - 1), node)
    };
    graph.ids().map(position).collect()
}

impl<'a> Follower<'a> {
    pub(super) fn of_new(subject: &'a Subject<'a>, lines: &Lines<'_>) -> Self {
        let mut follower = Self { subject, functions: BTreeMap::new(), statements: BTreeMap::new() };
        follower.name_functions(lines);
        for (&function, facts) in &subject.scope.functions {
            for (position, node) in positions(subject.program, &facts.graph) {
                follower.statements.insert(position, (function, Some(node)));
            }
        }
        follower
    }

    pub(super) fn of_old(subject: &'a Subject<'a>, lines: &Lines<'_>, impact: &Impact<'_>) -> Self {
        let mut follower = Self { subject, functions: BTreeMap::new(), statements: BTreeMap::new() };
        follower.name_functions(lines);
        for &function in subject.scope.functions.keys() {
            let name = &subject.program.functions[function].name;
            let Some(old) = impact.old.function_named(name) else { continue };
            let alignment = impact.function(name).map(|function| &function.alignment);
            for (position, node) in positions(impact.old, &StatementGraph::new(impact.old, old)) {
                // A function that is not among those of the impact is the same statement by statement.
                let new = alignment.map_or(Some(node), |alignment| alignment.to_new[node.index()]);
                follower.statements.insert(position, (function, new));
            }
        }
        follower
    }

    fn name_functions(&mut self, lines: &Lines<'_>) {
        let known = lines.iter().filter_map(|(&line, name)| {
            let function = self.subject.program.function_named(name)?;
            self.subject.scope.functions.contains_key(&function).then_some((line, function))
        });
        self.functions = known.collect();
    }

    pub(super) fn follow(&self, run: &Run) -> Followed {
        let mut stack: Vec<Frame> = Vec::new();
        let mut found = Followed::default();
        for mark in &run.trace {
            match *mark {
                Mark::Enter(line) => {
                    let function = self.functions.get(&line).copied();
                    stack.push(self.enter(stack.last(), function));
                }
                Mark::Leave => {
                    stack.pop();
                }
                Mark::Statement(line, part) => {
                    let Some(&(function, node)) = self.statements.get(&(line, part)) else { continue };
                    let frame = stack.last_mut().expect("a statement is executed in a function");
                    assert_eq!(
                        frame.function,
                        Some(function),
                        "line {line} is in the function that was entered"
                    );
                    frame.at = node;
                    let Some(node) = node else { continue };
                    if self.is_affected(frame) {
                        found.affected.push((function, node));
                    } else if !frame.below {
                        found.unaffected.push((function, node));
                    }
                }
            }
        }
        found
    }

    fn is_affected(&self, frame: &Frame) -> bool {
        let activation = frame.activation.map(|id| self.subject.scope.activation(id));
        activation.zip(frame.at).is_some_and(|(activation, node)| activation.affected.contains(node))
    }

    fn enter(&self, caller: Option<&Frame>, function: Option<FunctionId>) -> Frame {
        let Some(caller) = caller else {
            let activation = self.subject.activations().first().copied();
            return Frame { function, activation, at: None, below: false };
        };
        let call = caller.at.zip(function);
        let calls = caller.activation.map(|id| &self.subject.scope.activation(id).calls);
        let activation = calls.zip(call).and_then(|(calls, call)| calls.get(&call).copied());
        let below = caller.below || call.is_none() || self.is_affected(caller);
        Frame { function, activation, at: None, below }
    }
}

/// Whether what both runs did that is not affected is the same. A run that stops early does a part of it.
pub(super) fn alike(old: (&Run, &Followed), new: (&Run, &Followed)) -> bool {
    let (left, right) = (&old.1.unaffected[..], &new.1.unaffected[..]);
    let ends = |run: &Run| matches!(run.end, End::Returned(_));
    left == right || (!ends(old.0) && right.starts_with(left)) || (!ends(new.0) && left.starts_with(right))
}
