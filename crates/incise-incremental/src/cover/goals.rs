//! Explores until every obligation of a plan is covered that can be, or looks on and notes what paths cover.
//!
//! A state remembers which obligations it met; a path covers them when it comes to its end, so that what is assumed
//! away later covers nothing.

use super::bits::Bits;
use super::data_flow::{Flow, Frames, Link, decides};
use super::plan::Plan;
use super::{cut_for, failing};
use crate::sequences::{EMPTY, SequenceId, Sequences};
use crate::subject::{ContextId, Event, ROOT, Statement, Subject};
use incise_change::{FlowTarget, NodeId};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use incise_ir::FunctionId;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a state remembers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Progress {
    /// The obligations that it met, in order.
    visited: Vec<u32>,
    flow: Flow,
    sequence: SequenceId,
    met: bool,
}

impl Progress {
    fn visit(&mut self, obligations: &[u32]) {
        for &obligation in obligations {
            if let Err(position) = self.visited.binary_search(&obligation) {
                self.visited.insert(position, obligation);
            }
        }
    }
}

/// A path that came to its end: what it covers, and its progress.
struct Claim {
    obligations: Vec<u32>,
    sequence: SequenceId,
    met: bool,
}

/// Covers the obligations of a plan.
pub struct Goals<'p, 'a> {
    plan: &'p Plan<'a>,
    /// Whether it steers, and does not only look on.
    steers: bool,
    /// Branches of no influence are explored as well: for when they turn out to have one.
    whole: bool,
    /// The obligations that no path covered yet.
    uncovered: Bits,
    progress: Vec<Progress>,
    index: FxHashMap<Progress, u32>,
    sequences: Sequences,
    claims: Vec<Claim>,
    /// For each obligation that lay ahead of a path which was cut, why.
    cuts: BTreeMap<u32, BTreeSet<String>>,
    /// Which accesses may overwrite which definitions.
    kills: FxHashMap<Link, bool>,
    frames: Frames,
}

impl<'p, 'a> Goals<'p, 'a> {
    /// Explores until all obligations but those in `known` are covered.
    pub fn directed(plan: &'p Plan<'a>, known: &BTreeSet<usize>) -> Self {
        let mut goals = Self::looking_on(plan);
        goals.steers = true;
        for index in
            (0..plan.obligations().len()).filter(|index| known.contains(index) || !plan.is_reachable(*index))
        {
            goals.uncovered.remove(index as u32);
        }
        goals
    }

    /// Looks on: no path is left out, and each says all that it covers.
    pub fn looking_on(plan: &'p Plan<'a>) -> Self {
        let start = Progress { visited: Vec::new(), flow: Flow::default(), sequence: EMPTY, met: false };
        let count = plan.obligations().len();
        let mut uncovered = plan.empty_marks();
        (0..count as u32).for_each(|index| uncovered.insert(index));
        Self {
            plan,
            steers: false,
            whole: false,
            uncovered,
            index: FxHashMap::from_iter([(start.clone(), 0)]),
            progress: vec![start],
            sequences: Sequences::new(),
            claims: Vec::new(),
            cuts: BTreeMap::new(),
            kills: FxHashMap::default(),
            frames: Frames::new(),
        }
    }

    /// The same, with branches of no influence explored like all others.
    pub fn without_slice(self) -> Self {
        Self { whole: true, ..self }
    }

    /// Whether there is an obligation that may be covered and is not.
    pub(crate) fn has_something_to_do(&self) -> bool {
        !self.uncovered.is_empty()
    }

    /// The obligations that a finished path covers, by its note.
    pub fn covered_by(&self, note: Note) -> &[u32] {
        &self.claims[note as u32 as usize].obligations
    }

    /// The affected statements of a finished path, by its note.
    pub fn sequence(&self, note: Note) -> Vec<Statement> {
        self.sequences.nodes(self.claims[note as u32 as usize].sequence)
    }

    /// Whether a finished path met the change, by its note.
    pub fn met(&self, note: Note) -> bool {
        self.claims[note as u32 as usize].met
    }

    /// For each obligation that lay ahead of a path which was cut, why.
    pub(crate) fn cuts(&self) -> &BTreeMap<u32, BTreeSet<String>> {
        &self.cuts
    }

    fn subject(&self) -> &'a Subject<'a> {
        self.plan.subject
    }

    fn intern(&mut self, progress: Progress) -> Note {
        if let Some(&known) = self.index.get(&progress) {
            return Note::from(known);
        }
        let id = self.progress.len() as u32;
        self.progress.push(progress.clone());
        self.index.insert(progress, id);
        Note::from(id)
    }

    /// Whether an obligation that this state did not meet, and no path covered, lies ahead.
    fn wanted(&self, progress: &Progress, context: ContextId, target: FlowTarget) -> bool {
        let (within, above) = self.plan.ahead.of(self.subject(), context, target);
        self.uncovered.among(&within, &above).any(|obligation| {
            progress.visited.binary_search(&obligation).is_err()
                && self.plan.flow.as_ref().is_none_or(|flow| {
                    let mark = flow.defined_at[obligation as usize];
                    let definitions = &flow.definitions[obligation as usize];
                    within.contains(mark)
                        || above.contains(mark)
                        || progress.flow.is_alive(&self.frames, definitions)
                })
        })
    }

    /// Whether a state met something that no path covered yet.
    fn has_news(&self, progress: &Progress) -> bool {
        progress.visited.iter().any(|&obligation| self.uncovered.contains(obligation))
    }

    fn node(
        &mut self,
        progress: &mut Progress,
        kind: Option<usize>,
        context: ContextId,
        statement: Statement,
    ) {
        if !self.subject().is_affected(context, statement.1) {
            return;
        }
        progress.sequence = self.sequences.then(progress.sequence, statement);
        progress.met |= self.subject().is_change(statement);
        let goals = kind.and_then(|kind| self.plan.goals.nodes.get(&(kind, statement.1)));
        progress.visit(goals.map_or(&[], Vec::as_slice));
    }

    /// The obligations that taking a side meets.
    fn at_side(
        &self,
        progress: &Progress,
        kind: Option<usize>,
        node: NodeId,
        side: usize,
        depth: u32,
    ) -> Vec<u32> {
        let goals = kind.and_then(|kind| self.plan.goals.sides.get(&(kind, node, side)));
        let mut found = goals.cloned().unwrap_or_default();
        if let Some(flow) = &self.plan.flow {
            let here = |link: &&Link| flow.accesses.all[link.1 as usize].statement.1 == node;
            let waiting = progress.flow.waiting(&self.frames, depth).iter().filter(here);
            found.extend(waiting.filter_map(|link| flow.goals.get(link)?.get(side).copied()));
        }
        found
    }

    fn access(&mut self, progress: &mut Progress, context: ContextId, access: u32, depth: u32) {
        let (plan, subject) = (self.plan, self.subject());
        let Some(flow) = &plan.flow else { return };
        let at = &flow.accesses.all[access as usize];
        if !at.reads.is_empty() {
            for link in progress.flow.used(&self.frames, access, depth) {
                let Some(goals) = flow.goals.get(&link) else {
                    // What no way connects is not met on one.
                    debug_assert!(!flow.accesses.may_read(subject, link.0, link.1, link.2), "{link:?}");
                    continue;
                };
                match decides(subject, at.statement) {
                    true => progress.flow.wait(&mut self.frames, depth, link),
                    false => progress.visit(goals),
                }
            }
        }
        if !at.writes.is_empty() {
            let defines = subject.is_affected(context, at.statement.1);
            let defines = defines.then(|| flow.private[access as usize]);
            let known = &mut self.kills;
            let kills = |write: u32, same: bool| {
                let kills = || flow.accesses.may_kill(subject, write, access, same);
                *known.entry((write, access, same)).or_insert_with(kills)
            };
            progress.flow.write(&mut self.frames, (access, depth), kills, defines);
        }
    }

    /// Leaves a condition: what was read for it is done with.
    fn side(&mut self, progress: &mut Progress, here: Here, node: NodeId, side: usize) {
        progress.met |= self.subject().is_gap((here.function, node), side);
        let met = self.at_side(progress, here.kind, node, side, here.depth);
        progress.visit(&met);
        if let Some(flow) = &self.plan.flow {
            let done = |link: &Link| flow.accesses.all[link.1 as usize].statement.1 == node;
            progress.flow.decided(&mut self.frames, here.depth, done);
        }
    }

    /// What happens at a place; says where the state is then, if that is one to look ahead from.
    fn event(&mut self, progress: &mut Progress, here: Here, event: Event) -> Option<FlowTarget> {
        let graph = self.subject().graph(here.function);
        let plan = self.plan;
        match event {
            Event::Entered => {
                progress.met |= self.subject().entry_gap(here.function);
                if plan.flow.is_some() {
                    progress.flow.enter(&self.frames, here.depth);
                }
                progress.visit(here.kind.map_or(&[], |kind| plan.ahead.starts(kind)));
                return Some(graph.entry);
            }
            Event::Node(node) => {
                self.node(progress, here.kind, here.context, (here.function, node));
                return Some(FlowTarget::Node(node));
            }
            Event::Side(node, side) if self.subject().is_condition((here.function, node)) => {
                self.side(progress, here, node, side);
                return Some(graph.successors(node)[side]);
            }
            Event::Side(node, side) => progress.met |= self.subject().is_gap((here.function, node), side),
            Event::Exit(node) => {
                let goals = here.kind.and_then(|kind| plan.goals.exits.get(&(kind, node)));
                progress.visit(goals.map_or(&[], Vec::as_slice));
            }
            Event::End => progress.visit(here.kind.map_or(&[], |kind| plan.ahead.ends(kind))),
            Event::Access(access) => self.access(progress, here.context, access, here.depth),
            Event::Tail | Event::Behind(..) => {}
        }
        None
    }

    /// Whether a state goes on from a place.
    fn verdict(&self, progress: &Progress, here: Here, target: FlowTarget) -> Visit {
        if here.kind.is_none() || self.wanted(progress, here.context, target) {
            return Visit::Continue;
        }
        let tail = here.context == ROOT && !self.whole && self.plan.slice.is_tail(target);
        match self.has_news(progress) {
            false => Visit::Prune,
            true if tail => Visit::Follow,
            true => Visit::Continue,
        }
    }

    fn here(&self, function: FunctionId, stack: &Stack<'_>) -> Here {
        let context = self.subject().context_of(stack);
        let kind = self.plan.ahead.kind(self.subject(), context);
        let depth = if self.plan.flow.is_some() { stack.frames().count() as u32 } else { 0 };
        Here { function, context, kind, depth }
    }

    /// A path was cut: what it met, and what lay ahead of it, may be covered by paths that nobody saw.
    fn cut(&mut self, progress: &Progress, end: &End<'_>, reason: &str) {
        let subject = self.subject();
        let context = subject.context_of(&end.stack);
        let frame = end.stack.frames().next();
        let node = frame.and_then(|at| subject.owner(at.function, at.instruction));
        let known = node.filter(|_| self.plan.ahead.kind(subject, context).is_some());
        let doubtful: Vec<u32> = match known {
            Some(node) => {
                let (within, above) = self.plan.ahead.of(subject, context, FlowTarget::Node(node));
                let met = progress.visited.iter().copied();
                self.uncovered.among(&within, &above).chain(met).collect()
            }
            None => self.uncovered.iter().collect(),
        };
        for obligation in doubtful {
            self.cuts.entry(obligation).or_default().insert(reason.to_owned());
        }
    }
}

/// Where a state is.
#[derive(Copy, Clone)]
struct Here {
    function: FunctionId,
    context: ContextId,
    kind: Option<usize>,
    depth: u32,
}

impl Strategy for Goals<'_, '_> {
    fn watches(&self) -> Watches {
        let subject = self.subject();
        let mut watches = self.plan.events.watches(subject);
        if !self.whole && self.steers {
            self.plan.slice.follow(&mut watches, subject);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        let (function, events) = self.plan.events.of(point);
        let here = self.here(function, stack);
        let mut progress = self.progress[*note as usize].clone();
        let mut target = None;
        for &event in events {
            target = self.event(&mut progress, here, event).or(target);
        }
        let visit = match target {
            Some(target) if self.steers => self.verdict(&progress, here, target),
            None if self.steers && events.contains(&Event::Tail) && here.context == ROOT && !self.whole => {
                if self.has_news(&progress) {
                    Visit::Follow
                } else {
                    Visit::Prune
                }
            }
            _ => Visit::Continue,
        };
        if progress != self.progress[*note as usize] {
            *note = self.intern(progress);
        }
        visit
    }

    fn wants(&mut self, note: Note, point: u32, stack: &Stack<'_>) -> bool {
        let (function, &[Event::Side(node, side)]) = self.plan.events.of(point) else { return true };
        let subject = self.subject();
        if !self.steers || subject.facts(function).dependence.reach().in_loop(node) {
            return true;
        }
        let here = self.here(function, stack);
        let progress = &self.progress[note as usize];
        let is_new = |&obligation: &u32| {
            self.uncovered.contains(obligation) && progress.visited.binary_search(&obligation).is_err()
        };
        here.kind.is_none()
            || self.has_news(progress)
            || self.at_side(progress, here.kind, node, side, here.depth).iter().any(is_new)
            || self.wanted(progress, here.context, subject.graph(function).successors(node)[side])
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.subject().is_at_affected(stack)
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        let progress = self.progress[*note as u32 as usize].clone();
        let obligations = progress.visited.clone();
        if self.steers {
            if let Some(reason) = cut_for(end.outcome) {
                self.cut(&progress, end, &reason);
                return false;
            }
            if !self.has_news(&progress) {
                return false;
            }
            obligations.iter().for_each(|&obligation| self.uncovered.remove(obligation));
        }
        let flags = failing(self.subject(), end);
        self.claims.push(Claim { obligations, sequence: progress.sequence, met: progress.met });
        *note = (self.claims.len() - 1) as Note | flags;
        true
    }
}
