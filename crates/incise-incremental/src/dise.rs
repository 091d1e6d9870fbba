//! Directed incremental symbolic execution with a guarantee, within a function and across calls.
//!
//! Person, Yang, Rungta and Khurshid, "Directed Incremental Symbolic Execution" (PLDI 2011), explore one path for each
//! sequence of affected statements; Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving
//! Program Behaviors" (ICSM 2012), do the same across functions, with affected sets that depend on the calling context.
//! The first paper's Theorem 3.10 says that every feasible sequence is explored, and once; for the algorithm of its
//! Figure 6 that is not so (see [`crate::figure6`]), because its sets of explored statements forget in which sequence a
//! statement was explored. Here it is:
//!
//! **Guarantee.** Of all paths within the bounds that meet the change, exactly one is reported for each sequence of
//! affected statements and each way in which an affected statement fails.
//!
//! A path *meets the change* when it executes a statement that changed, is new, or calls what changed out of scope, or
//! goes where something was removed. Until then old and new do the same; so an input on which they differ takes, in the
//! new version, a path whose sequence is reported.
//!
//! How it works:
//! - The sequences form a trie, with the calling context of each statement. `next` is the static set of affected
//!   statements, or the end, that control can reach through unaffected statements, into calls and back to callers. A
//!   point of the trie is *closed* when a path that ends there was reported, if one can, and each of its possible
//!   continuations is closed. A state all of whose continuations are closed is pruned, before the solver is asked.
//! - A state that did not meet the change, and can no longer meet it, is pruned.
//! - Branches outside of the slice (`slice.rs`) are not explored: a state goes there the way of its model. If such a
//!   branch turns out to stand against a decision that matters, the executor begins again with a model that satisfies
//!   only what matters. So the number of states does not depend on how many branches the change does not concern.
//!
//! An affected statement that may fail keeps its sequence open, because whether it fails is not known statically. A
//! statement that is not affected and fails is an end like any other.
//!
//! The same machinery finds the combinations of impacted path fragments (Definition IV.4 of the second paper):
//! sequences are then made of the affected conditions and the sides taken there, and whether the change is met does not
//! matter.

use crate::slice::Slice;
use crate::subject::{ContextId, Event, Events, ROOT, Statement, Subject};
use incise_change::{FlowTarget, NodeId};
use incise_exec::{End, ErrorKind, Note, Outcome, Stack, Strategy, Visit, Watches};
use incise_ir::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a path can come to next, through unaffected statements only.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Next {
    /// Its end, with the change met.
    End,
    /// An affected statement, and whether the change is met then.
    Node(ContextId, NodeId, bool),
    /// Something deeper in a recursion: it is not followed, and never counts as reported.
    Deeper,
}

/// How a path ends, as far as it distinguishes paths of the same sequence.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ending {
    /// It returns, leaves the program, or fails where nothing is affected.
    Plain,
    /// Its last statement, an affected one, fails.
    Fails(ErrorKind),
    /// It was cut.
    Cut(String),
}

/// How a path ends. A value that is computed ahead of its statement, as in `x = c ? a / b : 0`, fails before control
/// comes to the statement.
pub(crate) fn ending(subject: &Subject<'_>, end: &End<'_>) -> Ending {
    match end.outcome {
        Outcome::Returned | Outcome::Exited { .. } => Ending::Plain,
        Outcome::Error(error) => {
            let frame = end.stack.frames().next();
            let owner = frame.and_then(|at| Some((at.function, subject.owner(at.function, at.instruction)?)));
            match owner {
                Some(statement)
                    if subject.is_affected(subject.context_of(&end.stack), statement.1)
                        && !subject.stops_for_good(statement) =>
                {
                    Ending::Fails(error.kind)
                }
                _ => Ending::Plain,
            }
        }
        Outcome::Limit(limit) => Ending::Cut(limit.name().to_owned()),
        other => Ending::Cut(format!("{other:?}")),
    }
}

/// Set in a note when the state met the change.
pub(crate) const MET: Note = 1 << 32;
/// Set in the note of a path whose last statement, an affected one, fails.
pub(crate) const FAILS: Note = 1 << 33;

/// A point of the trie.
type PointId = u32;
/// No point.
const NONE: PointId = u32::MAX;

/// A sequence of statements without their contexts, as a hash of 128 bits: paths of different contexts may have the
/// same.
type Sequence = u128;

fn then(sequence: Sequence, (function, node): Statement, side: Side) -> Sequence {
    // Two rounds of a multiplicative hash with different odd factors; a collision among billions of sequences is less
    // likely than a fault of the machine.
    let side = side.map_or(0, |side| u128::from(side) + 1);
    let word = side << 64 | (function.index() as u128) << 32 | node.index() as u128;
    let mixed = (sequence ^ word).wrapping_mul(0x2d35_8dcc_aa6c_78a5_8bb8_4b93_962e_acc9);
    (mixed ^ (mixed >> 59) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835).rotate_left(47)
}

/// What sequences are made of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Letters {
    /// Affected statements.
    Statements,
    /// Affected conditions with the sides that are taken.
    Fragments,
}

/// The side of a condition that is taken; `None` if a sequence is made of statements.
type Side = Option<u32>;

/// What a state remembers: its point of the trie, whether that is one after the change, and whether the state met the
/// change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Progress {
    point: PointId,
    /// Where it does not matter whether the change is met, all points count as such after it.
    met: bool,
    changed: bool,
}

impl Progress {
    fn note(self) -> Note {
        u64::from(self.point) | if self.changed { MET } else { 0 }
    }
}

struct Point {
    parent: PointId,
    /// The last statement and its side; `None` at the start.
    at: Option<(ContextId, NodeId, Side)>,
    met: bool,
    sequence: Sequence,
    /// All that can follow was reported.
    closed: bool,
    /// The continuations met so far, as a list: there are rarely more than two.
    first_child: PointId,
    next_sibling: PointId,
}

/// Explores one path for each affected sequence that meets the change, or for each combination of impacted path
/// fragments.
pub struct Exact<'a> {
    subject: &'a Subject<'a>,
    letters: Letters,
    slice: Slice,
    events: Events,
    points: Vec<Point>,
    /// The sequences that a reported path ended with.
    ended: FxHashSet<Sequence>,
    reported: FxHashSet<(Sequence, Ending)>,
    next: FxHashMap<(ContextId, FlowTarget, bool), Rc<[Next]>>,
    /// What a path can come to after a statement.
    after: FxHashMap<(ContextId, NodeId, bool), Rc<[Next]>>,
    /// For each watched place, what a path of the entry can come to from there, before and after it met the change.
    sides: Vec<[Option<Rc<[Next]>>; 2]>,
    /// Statements of no influence are explored as well: for when they turn out to have one.
    whole: bool,
}

impl<'a> Exact<'a> {
    /// For an entry.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        Self::with(subject, Letters::Statements, Slice::new(subject))
    }

    /// For an entry: one path for each combination of impacted path fragments, whether or not the change is met.
    pub fn fragments(subject: &'a Subject<'a>) -> Self {
        let mut conditions = Vec::new();
        for activation in subject.activations() {
            let activation = subject.scope.activation(activation);
            let graph = subject.graph(activation.function);
            conditions.extend(activation.affected.conditions(graph).map(|node| (activation.function, node)));
        }
        Self::with(subject, Letters::Fragments, Slice::towards(subject, conditions, false))
    }

    fn with(subject: &'a Subject<'a>, letters: Letters, slice: Slice) -> Self {
        let events = events(subject, &slice);
        let met = letters == Letters::Fragments || subject.entry_gap(subject.entry);
        Self {
            subject,
            letters,
            slice,
            events,
            points: vec![Point {
                parent: 0,
                at: None,
                met,
                sequence: 1,
                closed: false,
                first_child: NONE,
                next_sibling: NONE,
            }],
            ended: FxHashSet::default(),
            reported: FxHashSet::default(),
            next: FxHashMap::default(),
            after: FxHashMap::default(),
            sides: Vec::new(),
            whole: false,
        }
    }

    /// The same, with branches of no influence explored like all others.
    pub fn without_slice(self) -> Self {
        let fresh = Self::with(self.subject, self.letters, self.slice);
        Self { whole: true, ..fresh }
    }

    /// The affected statements of a path, by its note; of path fragments, the conditions.
    pub fn sequence(&self, note: Note) -> Vec<Statement> {
        self.taken(note).into_iter().map(|(statement, _)| statement).collect()
    }

    /// The affected conditions of a path and the sides taken there, by its note.
    pub fn taken(&self, note: Note) -> Vec<(Statement, usize)> {
        let mut found = Vec::new();
        let mut point = &self.points[note as u32 as usize];
        while let Some((context, node, side)) = point.at {
            let statement = (self.subject.context(context).function, node);
            found.push((statement, side.unwrap_or(0) as usize));
            point = &self.points[point.parent as usize];
        }
        found.reverse();
        found
    }

    /// Whether there is a condition that is affected.
    pub(crate) fn has_fragments(&self) -> bool {
        self.subject.activations().into_iter().any(|id| {
            let activation = self.subject.scope.activation(id);
            activation.affected.conditions(self.subject.graph(activation.function)).next().is_some()
        })
    }

    /// The number of statements that are explored, and of all.
    pub fn slice_size(&self) -> (usize, usize) {
        self.slice.size()
    }

    fn progress(&self, note: Note) -> Progress {
        let point = note as u32;
        let met = note & MET != 0 || self.points[point as usize].met;
        let changed = note & MET != 0 || (met && self.letters == Letters::Statements);
        Progress { point, met, changed }
    }

    /// What a path can come to from a place.
    fn next(&mut self, context: ContextId, target: FlowTarget, met: bool) -> Rc<[Next]> {
        if let Some(known) = self.next.get(&(context, target, met)) {
            return known.clone();
        }
        let mut walk = SequenceWalk::new(self.subject, &self.slice, self.letters, context);
        walk.work.push((context, target, met));
        let found = walk.run();
        self.next.insert((context, target, met), found.clone());
        found
    }

    fn is_closed(&self, point: PointId, next: &[Next]) -> bool {
        next.iter().all(|next| match *next {
            Next::End => self.ended.contains(&self.points[point as usize].sequence),
            Next::Deeper => false,
            Next::Node(context, node, met) => {
                let closed = |side| {
                    let child = self.child(point, (context, node, side), met);
                    child.is_some_and(|child| self.points[child as usize].closed)
                };
                match self.letters {
                    Letters::Statements => closed(None),
                    Letters::Fragments => {
                        let function = self.subject.context(context).function;
                        self.subject.sides((function, node)).all(|(side, _)| closed(Some(side as u32)))
                    }
                }
            }
        })
    }

    fn child(&self, point: PointId, at: (ContextId, NodeId, Side), met: bool) -> Option<PointId> {
        let mut child = self.points[point as usize].first_child;
        while let Some(known) = self.points.get(child as usize) {
            if known.at == Some(at) && known.met == met {
                return Some(child);
            }
            child = known.next_sibling;
        }
        None
    }

    /// Whether all that can follow a point was reported.
    fn continues_nowhere(&mut self, id: PointId) -> bool {
        let Point { at, met, .. } = self.points[id as usize];
        let Some((context, node, side)) = at else {
            let next = self.next(ROOT, self.subject.graph(self.subject.entry).entry, met);
            return self.is_closed(id, &next);
        };
        let statement = (self.subject.context(context).function, node);
        if let Some(side) = side {
            let target = self.subject.graph(statement.0).successors(node)[side as usize];
            let next = self.next(context, target, met);
            return self.is_closed(id, &next);
        }
        if self.subject.facts(statement.0).fails[node.index()] && !self.subject.stops_for_good(statement) {
            return false;
        }
        let next = match self.after.get(&(context, node, met)) {
            Some(known) => known.clone(),
            None => {
                let mut walk = SequenceWalk::new(self.subject, &self.slice, self.letters, context);
                walk.leave(context, node, met);
                walk.call(context, node, met);
                let next = walk.run();
                self.after.insert((context, node, met), next.clone());
                next
            }
        };
        self.is_closed(id, &next)
    }

    /// A path that ends at this point was reported: it may close the point, and those that lead to it.
    fn close(&mut self, mut id: PointId) {
        loop {
            if !self.points[id as usize].closed && !self.continues_nowhere(id) {
                return;
            }
            let was = std::mem::replace(&mut self.points[id as usize].closed, true);
            if was || id == 0 {
                return;
            }
            id = self.points[id as usize].parent;
        }
    }

    /// A state that goes to a successor of a statement, if it is of interest there.
    fn interesting(
        &mut self,
        progress: Progress,
        context: ContextId,
        statement: Statement,
        side: usize,
        watch: u32,
    ) -> Option<Progress> {
        let target = self.subject.graph(statement.0).successors(statement.1)[side];
        let gap = self.subject.is_gap(statement, side);
        let (met, changed) = (progress.met || gap, progress.changed || gap);
        if !met && !self.slice.can_meet(self.subject, context, target) {
            return None;
        }
        let progress = Progress { met, changed, ..progress };
        if self.is_fragment(context, statement) {
            let child = self.child(progress.point, (context, statement.1, Some(side as u32)), met);
            let open = child.is_none_or(|child| !self.points[child as usize].closed);
            return open.then_some(progress);
        }
        // Only a side of a condition has a watched place of its own.
        if context != ROOT || !self.subject.is_condition(statement) {
            let next = self.next(context, target, met);
            return (!self.is_closed(progress.point, &next)).then_some(progress);
        }
        let watch = watch as usize;
        if self.sides.len() <= watch {
            self.sides.resize(watch + 1, [None, None]);
        }
        if self.sides[watch][usize::from(met)].is_none() {
            self.sides[watch][usize::from(met)] = Some(self.next(context, target, met));
        }
        let open = match &self.sides[watch][usize::from(met)] {
            Some(next) => !self.is_closed(progress.point, next),
            None => true,
        };
        open.then_some(progress)
    }

    /// Whether a path fragment ends at a statement.
    fn is_fragment(&self, context: ContextId, statement: Statement) -> bool {
        self.letters == Letters::Fragments
            && self.subject.is_condition(statement)
            && self.subject.is_affected(context, statement.1)
    }

    fn visit(&mut self, progress: &mut Progress, context: ContextId, statement: Statement) -> Visit {
        let node = statement.1;
        if !self.subject.is_affected(context, node) {
            return Visit::Continue;
        }
        let change = self.subject.is_change(statement);
        progress.met |= change;
        progress.changed |= change;
        if self.letters == Letters::Fragments {
            return Visit::Continue;
        }
        progress.point = self.step(progress, (context, node, None));
        let closed = self.points[progress.point as usize].closed;
        let can_meet = progress.met || self.slice.can_meet(self.subject, context, FlowTarget::Node(node));
        if closed || !can_meet { Visit::Prune } else { Visit::Continue }
    }

    /// The point that a sequence comes to with one letter more.
    fn step(&mut self, progress: &Progress, at: (ContextId, NodeId, Side)) -> PointId {
        if let Some(known) = self.child(progress.point, at, progress.met) {
            return known;
        }
        let new = self.points.len() as u32;
        let statement = (self.subject.context(at.0).function, at.1);
        let parent = &mut self.points[progress.point as usize];
        let next_sibling = std::mem::replace(&mut parent.first_child, new);
        let sequence = then(parent.sequence, statement, at.2);
        self.points.push(Point {
            parent: progress.point,
            at: Some(at),
            met: progress.met,
            sequence,
            closed: false,
            first_child: NONE,
            next_sibling,
        });
        new
    }

    fn event(
        &mut self,
        progress: &mut Progress,
        context: ContextId,
        function: incise_ir::FunctionId,
        event: Event,
        watch: u32,
    ) -> Visit {
        match event {
            Event::Node(node) => self.visit(progress, context, (function, node)),
            Event::Side(node, side) => {
                match self.interesting(*progress, context, (function, node), side, watch) {
                    None => Visit::Prune,
                    Some(after) => {
                        *progress = after;
                        if self.is_fragment(context, (function, node)) {
                            progress.point = self.step(progress, (context, node, Some(side as u32)));
                        }
                        let target = self.subject.graph(function).successors(node)[side];
                        // At a statement that is no condition, the statement itself is still to be executed.
                        let leaving = self.subject.is_condition((function, node));
                        let tail = leaving && context == ROOT && self.slice.is_tail(target);
                        if tail && !self.whole { Visit::Follow } else { Visit::Continue }
                    }
                }
            }
            Event::Entered => {
                progress.met = true;
                progress.changed = true;
                Visit::Continue
            }
            Event::Tail if self.whole || context != ROOT => Visit::Continue,
            Event::Tail => Visit::Follow,
            Event::Exit(_) | Event::End | Event::Access(_) | Event::Behind(..) => Visit::Continue,
        }
    }
}

/// What the strategy wants to be told of.
fn events(subject: &Subject<'_>, slice: &Slice) -> Events {
    let mut events = Events::default();
    for (&function, facts) in &subject.scope.functions {
        if let (true, Some((first, _))) =
            (subject.entry_gap(function), subject.function(function).instructions.iter().next())
        {
            events.before(function, first, Event::Entered);
        }
        let ever_affected = |node: NodeId| {
            let activations = subject.scope.activations();
            activations.into_iter().any(|(_, each)| each.function == function && each.affected.contains(node))
        };
        for node in facts.graph.ids() {
            let statement = (function, node);
            if ever_affected(node) {
                events.at(&facts.graph, node, Event::Node(node));
            }
            let explored = slice.is_relevant(statement) && subject.is_condition(statement);
            let entry = function == subject.entry;
            for (side, target) in subject.sides(statement) {
                if explored {
                    events.side(statement, side);
                } else if subject.is_gap(statement, side) {
                    events.at(&facts.graph, node, Event::Side(node, side));
                } else if entry
                    && !slice.is_tail(FlowTarget::Node(node))
                    && slice.is_tail(target)
                    && let FlowTarget::Node(next) = target
                {
                    events.at(&facts.graph, next, Event::Tail);
                }
            }
        }
    }
    events
}

/// Finds what a path can come to next.
struct SequenceWalk<'w, 'a> {
    subject: &'w Subject<'a>,
    slice: &'w Slice,
    letters: Letters,
    /// The context that it starts in.
    start: ContextId,
    found: Vec<Next>,
    work: Vec<(ContextId, FlowTarget, bool)>,
}

impl<'w, 'a> SequenceWalk<'w, 'a> {
    fn new(subject: &'w Subject<'a>, slice: &'w Slice, letters: Letters, start: ContextId) -> Self {
        Self { subject, slice, letters, start, found: Vec::new(), work: Vec::new() }
    }

    fn run(mut self) -> Rc<[Next]> {
        let mut seen = FxHashSet::default();
        while let Some((context, target, met)) = self.work.pop() {
            let hopeless = !met && !self.slice.can_meet(self.subject, context, target);
            if hopeless || !seen.insert((context, target, met)) {
                continue;
            }
            match target {
                FlowTarget::Node(node) => self.node(context, node, met),
                FlowTarget::Nowhere => {}
                FlowTarget::End => match self.subject.context(context).caller {
                    None if met => self.found.push(Next::End),
                    None => {}
                    Some((caller, node)) => {
                        self.finish(caller, node, met);
                        let facts = self.subject.facts(self.subject.context(caller).function);
                        if facts.several_calls[node.index()] {
                            self.call(caller, node, met);
                        }
                    }
                },
            }
        }
        self.found.sort_unstable();
        self.found.dedup();
        self.found.into()
    }

    fn node(&mut self, context: ContextId, node: NodeId, met: bool) {
        let function = self.subject.context(context).function;
        if self.letters == Letters::Statements && self.subject.is_affected(context, node) {
            let met = met || self.subject.is_change((function, node));
            self.found.push(Next::Node(context, node, met));
            return;
        }
        if met && self.subject.facts(function).fails[node.index()] {
            self.found.push(Next::End);
        }
        self.call(context, node, met);
        self.finish(context, node, met);
    }

    /// To the end of a statement: a path fragment, or what comes after it.
    fn finish(&mut self, context: ContextId, node: NodeId, met: bool) {
        let statement = (self.subject.context(context).function, node);
        let affected = self.letters == Letters::Fragments && self.subject.is_affected(context, node);
        match affected && self.subject.is_condition(statement) {
            true => self.found.push(Next::Node(context, node, met)),
            false => self.leave(context, node, met),
        }
    }

    /// Into what a statement calls.
    fn call(&mut self, context: ContextId, node: NodeId, met: bool) {
        let function = self.subject.context(context).function;
        for &callee in &self.subject.facts(function).callees[node.index()] {
            let called = self.subject.enter(context, node, callee);
            if self.subject.context(called).activation.is_none() {
                // Nothing is affected there, but it may not come back.
                if met && self.subject.facts(callee).may_stop {
                    self.found.push(Next::End);
                }
                continue;
            }
            if self.subject.is_deeper(self.start, context, callee) {
                self.found.push(Next::Deeper);
                continue;
            }
            let met = met || self.subject.entry_gap(callee);
            self.work.push((called, self.subject.graph(callee).entry, met));
        }
    }

    /// To what comes after a statement.
    fn leave(&mut self, context: ContextId, node: NodeId, met: bool) {
        let function = self.subject.context(context).function;
        for (side, target) in self.subject.sides((function, node)) {
            self.work.push((context, target, met || self.subject.is_gap((function, node), side)));
        }
    }
}

impl Strategy for Exact<'_> {
    fn watches(&self) -> Watches {
        let mut watches = self.events.watches(self.subject);
        if !self.whole {
            self.slice.follow(&mut watches, self.subject);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        let mut progress = self.progress(*note);
        let context = self.subject.context_of(stack);
        let mut visit = Visit::Continue;
        for index in 0..self.events.of(point).1.len() {
            let (function, events) = self.events.of(point);
            match self.event(&mut progress, context, function, events[index], point) {
                Visit::Prune => return Visit::Prune,
                Visit::Follow => visit = Visit::Follow,
                Visit::Continue | Visit::Consult => {}
            }
        }
        *note = progress.note();
        visit
    }

    fn wants(&mut self, note: Note, point: u32, stack: &Stack<'_>) -> bool {
        let progress = self.progress(note);
        match self.events.of(point) {
            (function, &[Event::Side(node, side)]) => {
                if self.subject.facts(function).dependence.reach().in_loop(node) {
                    return true;
                }
                let context = self.subject.context_of(stack);
                self.interesting(progress, context, (function, node), side, point).is_some()
            }
            _ => true,
        }
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.subject.is_at_affected(stack)
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        let progress = self.progress(*note);
        let ending = match ending(self.subject, end) {
            Ending::Fails(_) if self.letters == Letters::Fragments => Ending::Plain,
            ending => ending,
        };
        *note = progress.note() | if matches!(ending, Ending::Fails(_)) { FAILS } else { 0 };
        // What was cut might have met the change later.
        if !progress.met && !matches!(ending, Ending::Cut(_)) {
            return false;
        }
        let plain = ending == Ending::Plain;
        let sequence = self.points[progress.point as usize].sequence;
        // A path without a fragment is no combination of fragments.
        let empty = plain && self.letters == Letters::Fragments && progress.point == 0;
        let new = self.reported.insert((sequence, ending)) && !empty;
        if plain {
            self.ended.insert(sequence);
            self.close(progress.point);
        }
        new
    }
}
