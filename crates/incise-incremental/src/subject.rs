//! What directed exploration needs to know: the functions in scope, which of their statements are affected in which
//! calling context, and where the change is met.

use incise_change::{
    ActivationId, Affected, FlowTarget, FunctionFacts, NodeId, NodeKind, Scope, StatementGraph,
};
use incise_exec::{Stack, Watches};
use incise_ir::{BlockId, Function, FunctionId, Id, InstructionId, Program};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A chain of calls from the entry: the calling context of the papers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ContextId(u32);

/// The entry itself, called by nobody.
pub(crate) const ROOT: ContextId = ContextId(0);

/// A function in a calling context.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Context {
    pub(crate) function: FunctionId,
    /// Who called it, by which statement.
    pub(crate) caller: Option<(ContextId, NodeId)>,
    /// What is affected in it; `None` if nothing is.
    pub(crate) activation: Option<ActivationId>,
}

#[derive(Debug)]
struct Contexts {
    all: Vec<Context>,
    index: FxHashMap<(ContextId, NodeId, FunctionId), ContextId>,
}

/// A statement of a function.
pub type Statement = (FunctionId, NodeId);

/// An entry of the new version and what the change means for what it does.
#[derive(Debug)]
pub struct Subject<'a> {
    /// The new version.
    pub program: &'a Program,
    /// The functions in scope.
    pub scope: &'a Scope<'a>,
    /// Where exploration starts.
    pub entry: FunctionId,
    /// For each function of the program, what is known of it, if it is in scope.
    facts: Vec<Option<&'a FunctionFacts>>,
    contexts: RefCell<Contexts>,
}

impl<'a> Subject<'a> {
    /// For an entry whose activation is known.
    pub fn new(scope: &'a Scope<'a>, root: ActivationId) -> Self {
        let entry = scope.activation(root).function;
        let first = Context { function: entry, caller: None, activation: Some(root) };
        Self {
            program: scope.program,
            scope,
            entry,
            facts: scope.program.functions.ids().map(|id| scope.functions.get(&id)).collect(),
            contexts: RefCell::new(Contexts { all: vec![first], index: FxHashMap::default() }),
        }
    }

    pub(crate) fn facts(&self, function: FunctionId) -> &'a FunctionFacts {
        self.facts[function.index()].expect("a function in scope")
    }

    pub(crate) fn graph(&self, function: FunctionId) -> &'a StatementGraph {
        &self.facts(function).graph
    }

    pub(crate) fn function(&self, function: FunctionId) -> &'a Function {
        &self.program.functions[function]
    }

    pub(crate) fn context(&self, id: ContextId) -> Context {
        self.contexts.borrow().all[id.0 as usize]
    }

    /// The context of a function that is called by a statement.
    pub(crate) fn enter(&self, caller: ContextId, node: NodeId, callee: FunctionId) -> ContextId {
        let mut contexts = self.contexts.borrow_mut();
        if let Some(&known) = contexts.index.get(&(caller, node, callee)) {
            return known;
        }
        let from = contexts.all[caller.0 as usize];
        let activation = from
            .activation
            .and_then(|activation| self.scope.activation(activation).calls.get(&(node, callee)).copied());
        let id = ContextId(contexts.all.len() as u32);
        contexts.all.push(Context { function: callee, caller: Some((caller, node)), activation });
        contexts.index.insert((caller, node, callee), id);
        id
    }

    /// Whether a function that a context calls is already being executed in it, in a call that is not one of those that
    /// lead to `start`.
    pub(crate) fn is_deeper(&self, start: ContextId, context: ContextId, callee: FunctionId) -> bool {
        let contexts = self.contexts.borrow();
        let chain = |from: ContextId| {
            std::iter::successors(Some(from), |at| {
                contexts.all[at.0 as usize].caller.map(|(caller, _)| caller)
            })
        };
        let known: Vec<ContextId> = chain(start).collect();
        chain(context)
            .take_while(|at| !known.contains(at))
            .any(|at| contexts.all[at.0 as usize].function == callee)
    }

    /// The context that a state is in.
    pub(crate) fn context_of(&self, stack: &Stack<'_>) -> ContextId {
        if stack.is_flat() {
            return ROOT;
        }
        let mut frames: Vec<_> = stack.frames().collect();
        frames.reverse();
        let mut frames = frames.into_iter().skip_while(|frame| frame.function != self.entry);
        let Some(mut outer) = frames.next() else { return ROOT };
        let mut context = ROOT;
        for frame in frames {
            // A call belongs to a statement, or the statement graph would be wrong.
            let Some(node) = self.owner(outer.function, outer.instruction) else { continue };
            context = self.enter(context, node, frame.function);
            outer = frame;
        }
        context
    }

    /// The affected statements in a context.
    pub(crate) fn affected(&self, context: ContextId) -> Option<&'a Affected> {
        let activation = self.context(context).activation?;
        Some(&self.scope.activation(activation).affected)
    }

    /// Whether a statement is affected in a context.
    pub(crate) fn is_affected(&self, context: ContextId, node: NodeId) -> bool {
        self.affected(context).is_some_and(|affected| affected.contains(node))
    }

    /// Whether a state is at an affected statement.
    pub(crate) fn is_at_affected(&self, stack: &Stack<'_>) -> bool {
        let Some(frame) = stack.frames().next() else { return false };
        let Some(node) = self.owner(frame.function, frame.instruction) else { return false };
        self.is_affected(self.context_of(stack), node)
    }

    /// The activations of the entry and of what it calls.
    pub fn activations(&self) -> Vec<ActivationId> {
        let mut found: Vec<ActivationId> = self.context(ROOT).activation.into_iter().collect();
        let mut next = 0;
        while let Some(&activation) = found.get(next) {
            next += 1;
            for &called in self.scope.activation(activation).calls.values() {
                if !found.contains(&called) {
                    found.push(called);
                }
            }
        }
        found
    }

    /// Whether the change is met at a statement.
    pub(crate) fn is_change(&self, (function, node): Statement) -> bool {
        self.facts(function).changes[node.index()]
    }

    /// Whether the change is met on the way from a statement to its successor.
    pub(crate) fn is_gap(&self, (function, node): Statement, side: usize) -> bool {
        let gaps = &self.facts(function).gaps;
        !gaps.is_empty() && gaps.contains(&incise_change::Gap { from: Some(node), side })
    }

    /// Whether the change is met before the first statement of a function.
    pub(crate) fn entry_gap(&self, function: FunctionId) -> bool {
        let gaps = &self.facts(function).gaps;
        !gaps.is_empty() && gaps.contains(&incise_change::Gap { from: None, side: 0 })
    }

    /// Where control goes from a statement, side by side.
    pub(crate) fn sides(
        &self,
        (function, node): Statement,
    ) -> impl Iterator<Item = (usize, FlowTarget)> + use<'a> {
        self.graph(function).successors(node).iter().copied().enumerate()
    }

    /// Whether control never leaves a statement by its end: it calls `exit` or `abort`.
    pub(crate) fn stops_for_good(&self, (function, node): Statement) -> bool {
        let graph = self.graph(function);
        let at = graph.node(node);
        let last = graph.block_nodes[at.block.index()].end == node.index() + 1;
        let function = self.function(function);
        let terminator = function.terminator(at.block);
        last && matches!(function.instructions[terminator].op, incise_ir::Op::Unreachable)
    }

    /// The statement that an instruction belongs to.
    pub fn owner(&self, function: FunctionId, instruction: InstructionId) -> Option<NodeId> {
        let facts = self.facts[function.index()]?;
        facts.graph.owners.get(instruction.index()).copied().flatten()
    }

    /// The statements of a function from which one of the given can be reached, those included.
    pub(crate) fn backwards(
        &self,
        function: FunctionId,
        from: impl IntoIterator<Item = NodeId>,
    ) -> Vec<bool> {
        self.graph(function).leading_to(from)
    }

    pub(crate) fn is_condition(&self, (function, node): Statement) -> bool {
        self.graph(function).node(node).kind == NodeKind::Condition
    }
}

/// Something that a strategy wants to be told of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// Control is at a statement.
    Node(NodeId),
    /// Control is behind what a statement does in a block.
    Behind(NodeId, BlockId),
    /// Control goes from a statement to one of its successors.
    Side(NodeId, usize),
    /// Control came into a function by a way that is a change.
    Entered,
    /// Control is at a statement from which on nothing matters any more.
    Tail,
    /// A statement is about to give the function's result.
    Exit(NodeId),
    /// Control is at the end of a function without a result.
    End,
    /// Something is about to be read or written, by its number.
    Access(u32),
}

/// The events of a strategy: several may happen at one place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    points: Vec<(FunctionId, Vec<Event>)>,
    instructions: BTreeMap<(FunctionId, InstructionId), u32>,
    edges: Vec<(Statement, usize, u32)>,
}

impl Events {
    /// Control is at a statement.
    pub(crate) fn at(&mut self, graph: &StatementGraph, node: NodeId, event: Event) {
        self.before(graph.function, graph.node(node).first, event);
    }

    /// Control is at an instruction.
    pub(crate) fn before(&mut self, function: FunctionId, instruction: InstructionId, event: Event) {
        let points = &mut self.points;
        let point = *self.instructions.entry((function, instruction)).or_insert_with(|| {
            points.push((function, Vec::new()));
            points.len() as u32 - 1
        });
        let events = &mut self.points[point as usize].1;
        if !events.contains(&event) {
            events.push(event);
        }
    }

    /// Control leaves a condition by a side.
    pub(crate) fn side(&mut self, statement: Statement, side: usize) {
        let point = self.points.len() as u32;
        self.points.push((statement.0, vec![Event::Side(statement.1, side)]));
        self.edges.push((statement, side, point));
    }

    /// How many points there are.
    pub(crate) fn count(&self) -> u32 {
        self.points.len() as u32
    }

    /// What happens at a point, in order, and the function that it is in.
    pub(crate) fn of(&self, point: u32) -> (FunctionId, &[Event]) {
        let (function, events) = &self.points[point as usize];
        (*function, events)
    }

    /// The places where they happen; all functions in scope are traced.
    pub(crate) fn watches(&self, subject: &Subject<'_>) -> Watches {
        let functions = subject.scope.functions.iter();
        self.watches_in(functions.map(|(&function, facts)| (function, &facts.graph)).collect())
    }

    /// The places where they happen, in these functions, all of which are traced.
    pub(crate) fn watches_in(&self, graphs: BTreeMap<FunctionId, &StatementGraph>) -> Watches {
        let mut watches = Watches::new();
        for &function in graphs.keys() {
            watches.trace(function);
        }
        for (&(function, instruction), &point) in &self.instructions {
            watches.add(function, instruction, point);
        }
        for &((function, node), side, point) in &self.edges {
            let graph = graphs[&function];
            watches.add_edge(function, graph.node(node).block, graph.side_blocks(node)[side], point);
        }
        watches
    }
}
