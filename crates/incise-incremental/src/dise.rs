//! Directed incremental symbolic execution with a guarantee.
//!
//! Person, Yang, Rungta and Khurshid, "Directed Incremental Symbolic Execution" (PLDI 2011), explore one path for each sequence of affected statements. Their
//! Theorem 3.10 says that every feasible sequence is explored, and once; for the algorithm of their Figure 6 that is not so (see [`crate::figure6`]), because its sets of explored
//! statements forget in which sequence a statement was explored. Here it is:
//!
//! **Guarantee.** Of all paths within the bounds that meet the change, exactly one is reported for each sequence of affected statements and each way in which an
//! affected statement fails.
//!
//! A path *meets the change* when it executes a statement that changed, is new, or calls what changed, or goes where something was removed. Until then old and new do the same; so an input on
//! which they differ takes, in the new version, a path whose sequence is reported.
//!
//! How it works:
//! - The sequences form a trie. `next` is the static set of affected statements, or the end, that control can reach through unaffected statements. A sequence is *closed* when it was
//!   reported and each of its possible continuations is closed. A state all of whose continuations are closed is pruned, before the solver is asked.
//! - A state that did not meet the change, and can no longer meet it, is pruned.
//! - Branches outside of the slice (`slice.rs`) are not explored: a state goes there the way of its model. If such a branch turns out to stand against a decision that matters, the executor begins
//!   again with a model that satisfies only what matters. So the number of states does not depend on how many branches the change does not concern.
//!
//! An affected statement that may fail keeps its sequence open, because whether it fails is not known statically. A statement that is not affected and fails is an end like any other.
//! A function that may call itself is explored whole, and only what is reported is chosen.

use crate::sequences::{SequenceId, Sequences};
use crate::slice::Slice;
use crate::subject::{Event, Events, Subject};
use incise_change::{NodeId, Target};
use incise_exec::{End, ErrorKind, Note, Outcome, Strategy, Visit, Watches};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What a path can come to next, through unaffected statements only.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Next {
    /// Its end, with the change met.
    End,
    /// An affected statement, and whether the change is met then.
    Node(NodeId, bool),
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

/// How a path ends. A value that is computed ahead of its statement, as in `x = c ? a / b : 0`, fails before control comes to the statement.
pub(crate) fn ending(subject: &Subject<'_>, end: &End<'_>) -> Ending {
    match end.outcome {
        Outcome::Returned | Outcome::Exited { .. } => Ending::Plain,
        Outcome::Error(error) => {
            let origin = end.origin.filter(|origin| origin.function == subject.graph.function);
            match origin.and_then(|origin| subject.owner(origin.instruction)) {
                Some(node) if subject.affected.contains(node) && !subject.stops_for_good(node) => {
                    Ending::Fails(error.kind)
                }
                _ => Ending::Plain,
            }
        }
        Outcome::Limit(limit) => Ending::Cut(limit.name().to_owned()),
        other => Ending::Cut(format!("{other:?}")),
    }
}

/// What a state remembers: its sequence, and whether it met the change.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Progress {
    pub(crate) sequence: SequenceId,
    pub(crate) met: bool,
}

/// Set in the note of a path whose last statement, an affected one, fails.
pub(crate) const FAILS: Note = 1 << 33;

impl Progress {
    const MET: u64 = 1 << 32;

    pub(crate) fn of(note: Note) -> Self {
        Self { sequence: SequenceId(note as u32), met: note & Self::MET != 0 }
    }

    pub(crate) fn note(self) -> Note {
        u64::from(self.sequence.0) | if self.met { Self::MET } else { 0 }
    }
}

/// Explores one path for each affected sequence that meets the change.
pub struct Exact<'a> {
    subject: &'a Subject<'a>,
    slice: Slice,
    events: Events,
    sequences: Sequences,
    /// The sequences that a reported path ended with.
    ended: FxHashSet<SequenceId>,
    reported: FxHashSet<(SequenceId, Ending)>,
    /// Of sequence and whether the change was met: all that can follow was reported.
    closed: FxHashSet<Progress>,
    next: FxHashMap<(Target, bool), Rc<[Next]>>,
    /// Statements of no influence are explored as well: for when they turn out to have one.
    whole: bool,
}

impl<'a> Exact<'a> {
    /// For a function that changed.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let slice = Slice::new(subject);
        let mut events = Events::default();
        for node in subject.graph.ids() {
            if subject.affected.contains(node) {
                events.at(subject.graph, node, Event::Node(node));
            }
            let explored = slice.relevant[node.index()] && subject.is_condition(node);
            for (side, target) in subject.sides(node) {
                if explored {
                    events.side(node, side);
                } else if subject.is_gap(node, side) {
                    events.at(subject.graph, node, Event::Side(node, side));
                } else if !slice.is_tail(Target::Node(node))
                    && slice.is_tail(target)
                    && let Target::Node(next) = target
                {
                    events.at(subject.graph, next, Event::Tail);
                }
            }
        }
        Self {
            subject,
            slice,
            events,
            sequences: Sequences::new(),
            ended: FxHashSet::default(),
            reported: FxHashSet::default(),
            closed: FxHashSet::default(),
            next: FxHashMap::default(),
            whole: false,
        }
    }

    /// The same, with branches of no influence explored like all others.
    pub fn without_slice(subject: &'a Subject<'a>) -> Self {
        Self { whole: true, ..Self::new(subject) }
    }

    /// The affected statements of a path, by its note.
    pub fn sequence(&self, note: Note) -> Vec<NodeId> {
        self.sequences.nodes(Progress::of(note).sequence)
    }

    /// The number of statements that are explored, and of all.
    pub fn slice_size(&self) -> (usize, usize) {
        (self.slice.relevant.iter().filter(|&&relevant| relevant).count(), self.slice.relevant.len())
    }

    fn met_at(&self, note: Note) -> Progress {
        let progress = Progress::of(note);
        Progress { met: progress.met || self.subject.entry_gap(), ..progress }
    }

    /// What a path can come to from a place.
    fn next(&mut self, target: Target, met: bool) -> Rc<[Next]> {
        if let Some(known) = self.next.get(&(target, met)) {
            return known.clone();
        }
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![(target, met)];
        while let Some((target, met)) = work.pop() {
            if !met && !self.slice.can_meet(target) || !seen.insert((target, met)) {
                continue;
            }
            let Target::Node(node) = target else {
                if target == Target::End && met {
                    found.push(Next::End);
                }
                continue;
            };
            if self.subject.affected.contains(node) {
                found.push(Next::Node(node, met || self.subject.changes[node.index()]));
                continue;
            }
            if met && self.subject.dependence.footprint(node).may_stop {
                found.push(Next::End);
            }
            for (side, target) in self.subject.sides(node) {
                work.push((target, met || self.subject.is_gap(node, side)));
            }
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[Next]> = found.into();
        self.next.insert((target, met), found.clone());
        found
    }

    fn is_closed(&self, sequence: SequenceId, next: &[Next]) -> bool {
        next.iter().all(|next| match next {
            Next::End => self.ended.contains(&sequence),
            Next::Node(node, met) => self
                .sequences
                .known(sequence, *node)
                .is_some_and(|sequence| self.closed.contains(&Progress { sequence, met: *met })),
        })
    }

    /// Whether all that can follow the last statement of a sequence was reported.
    fn continues_nowhere(&mut self, progress: Progress) -> bool {
        let Some((_, node)) = self.sequences.split(progress.sequence) else {
            let next = self.next(self.subject.graph.entry, progress.met || self.subject.entry_gap());
            return self.is_closed(progress.sequence, &next);
        };
        if self.subject.dependence.footprint(node).may_stop && !self.subject.stops_for_good(node) {
            return false;
        }
        let sides: Vec<(usize, Target)> = self.subject.sides(node).collect();
        sides.into_iter().all(|(side, target)| {
            let next = self.next(target, progress.met || self.subject.is_gap(node, side));
            self.is_closed(progress.sequence, &next)
        })
    }

    /// A path with this sequence was reported: it may close the sequence, and those that it continues.
    fn close(&mut self, sequence: SequenceId) {
        let mut open = Some(sequence);
        while let Some(sequence) = open {
            let mut changed = false;
            for met in [false, true] {
                let progress = Progress { sequence, met };
                if !self.closed.contains(&progress) && self.continues_nowhere(progress) {
                    changed |= self.closed.insert(progress);
                }
            }
            open = self.sequences.split(sequence).map(|(parent, _)| parent).filter(|_| changed);
        }
    }

    /// Whether a state is of interest when it goes to a side of a condition.
    fn interesting(&mut self, progress: Progress, node: NodeId, side: usize) -> Option<Progress> {
        let target = self.subject.graph.successors(node)[side];
        let met = progress.met || self.subject.is_gap(node, side);
        if self.subject.recursive {
            return Some(Progress { met, ..progress });
        }
        if !met && !self.slice.can_meet(target) {
            return None;
        }
        let next = self.next(target, met);
        (!self.is_closed(progress.sequence, &next)).then_some(Progress { met, ..progress })
    }

    fn event(&mut self, progress: &mut Progress, event: Event) -> Visit {
        match event {
            Event::Node(node) => {
                progress.sequence = self.sequences.then(progress.sequence, node);
                progress.met |= self.subject.changes[node.index()];
                let closed = self.closed.contains(progress);
                let hopeless = !progress.met && !self.slice.can_meet(Target::Node(node));
                match !self.subject.recursive && (closed || hopeless) {
                    true => Visit::Prune,
                    false => Visit::Continue,
                }
            }
            Event::Side(node, side) => match self.interesting(*progress, node, side) {
                None => Visit::Prune,
                Some(met) => {
                    *progress = met;
                    match self.slice.is_tail(self.subject.graph.successors(node)[side]) && !self.whole {
                        true if !self.subject.recursive => Visit::Follow,
                        _ => Visit::Continue,
                    }
                }
            },
            Event::Tail if self.whole => Visit::Continue,
            Event::Tail => Visit::Follow,
        }
    }
}

impl Strategy for Exact<'_> {
    fn watches(&self) -> Watches {
        let graph = self.subject.graph;
        let mut watches = self.events.watches(graph);
        for node in graph.ids() {
            if self.subject.is_condition(node) && !self.slice.relevant[node.index()] && !self.whole {
                watches.follow(graph.function, self.subject.function.terminator(graph.node(node).block));
            }
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32) -> Visit {
        let mut progress = self.met_at(*note);
        let mut visit = Visit::Continue;
        for index in 0..self.events.of(point).len() {
            let event = self.events.of(point)[index];
            match self.event(&mut progress, event) {
                Visit::Prune => return Visit::Prune,
                Visit::Follow => visit = Visit::Follow,
                Visit::Continue => {}
            }
        }
        *note = progress.note();
        visit
    }

    fn wants(&mut self, note: Note, point: u32) -> bool {
        let progress = self.met_at(note);
        match self.events.of(point) {
            &[Event::Side(node, side)] => {
                self.subject.dependence.reach().in_loop(node)
                    || self.interesting(progress, node, side).is_some()
            }
            _ => true,
        }
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        let progress = self.met_at(*note);
        let ending = ending(self.subject, end);
        *note = progress.note() | if matches!(ending, Ending::Fails(_)) { FAILS } else { 0 };
        // What was cut might have met the change later.
        if !progress.met && !matches!(ending, Ending::Cut(_)) {
            return false;
        }
        let plain = ending == Ending::Plain;
        let new = self.reported.insert((progress.sequence, ending));
        if new && plain {
            self.ended.insert(progress.sequence);
            self.close(progress.sequence);
        }
        new
    }
}
