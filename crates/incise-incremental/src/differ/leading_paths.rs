//! The paths of the new version that meet the change: only on those can it do something else than the old one.

use super::changes::{Ahead, CameBy, Changes, NUMBER, Unmet};
use crate::dise::MET;
use crate::slice::Slice;
use crate::subject::{Event, Subject};
use crate::update::last_chances;
use incise_change::FlowTarget;
use incise_exec::{End, Note, Outcome, Stack, Strategy, Visit, Watches};
use incise_ir::SourcePosition;
use std::collections::BTreeMap;

/// Explores every path of the new version that meets the change, or some part of it.
pub(super) struct LeadingPaths<'a> {
    subject: &'a Subject<'a>,
    /// What lies ahead.
    slice: Slice,
    /// What has an influence on what is compared; without it everything has.
    influence: Option<&'a Slice>,
    changes: Changes<'a>,
    /// The part of the change that is looked for, if not all of it is, and from where control can come there.
    towards: Option<(Unmet, Ahead)>,
    /// Whether functions may run after the entry returned, of which the statement graph of the entry does not tell.
    runs_more: bool,
    /// Whether the change is met before the first statement.
    at_once: bool,
}

impl<'a> LeadingPaths<'a> {
    pub(super) fn new(
        subject: &'a Subject<'a>,
        influence: Option<&'a Slice>,
        towards: Option<&Unmet>,
    ) -> Self {
        let slice = Slice::towards(subject, Vec::new(), true);
        // What was removed is met by any path of the new version.
        let towards = towards.filter(|unmet| unmet.old.is_empty()).map(|unmet| {
            let statements = Changes::new(subject, |_| {}).statements(&unmet.new);
            (unmet.clone(), Ahead::of(subject, &statements))
        });
        let changes = Changes::new(subject, |events| {
            for (&function, facts) in &subject.scope.functions {
                let ahead = |node: &incise_change::NodeId| match &towards {
                    Some((_, ahead)) => ahead.from((function, *node)),
                    None => slice.is_ahead((function, *node)),
                };
                for node in last_chances(subject.graph(function), ahead) {
                    events.at(&facts.graph, node, Event::Tail);
                }
            }
        });
        let program = subject.program;
        let runs_more = !program.destructors.is_empty() || program.function_named("atexit").is_some();
        let at_once = subject.entry_gap(subject.entry);
        Self { subject, slice, influence, changes, towards, runs_more, at_once }
    }

    /// Whether a path can meet the change at all.
    pub(super) fn can_begin(&self) -> bool {
        let entry = self.subject.graph(self.subject.entry).entry;
        self.at_once || self.runs_more || self.slice.can_meet(self.subject, crate::subject::ROOT, entry)
    }

    /// How many changes there are.
    pub(super) fn changes(&self) -> usize {
        self.changes.count()
    }

    /// The note of paths that meet the change, if it is in one place only.
    pub(super) fn only_change(&self) -> Option<Note> {
        (self.changes.count() == 1).then_some(MET | 1 << NUMBER)
    }

    /// The change that a path met first, by its note: a number, and where it is.
    pub(super) fn met(&self, note: Note) -> (u32, Option<SourcePosition>) {
        let number = (note >> NUMBER) as u32;
        (number, self.changes.position(number))
    }

    /// The changes that no path which was compared came by, and that one could have come by.
    pub(super) fn unmet(
        &self,
        came_by: &CameBy,
        by_cuts: bool,
        allocations_fail: bool,
    ) -> BTreeMap<u32, Option<SourcePosition>> {
        self.changes.unmet(came_by, by_cuts && !self.runs_more, allocations_fail)
    }

    /// The changed statements that only paths on inputs that were left out came to, or could have.
    pub(super) fn hidden(&self, came_by: &CameBy) -> BTreeMap<u32, Option<SourcePosition>> {
        self.changes.hidden(came_by)
    }

    /// Whether a state that is at a statement can still meet the change, or what is looked for of it.
    fn can_meet(&self, note: Note, stack: &Stack<'_>) -> bool {
        let Some(frame) = stack.frames().next() else { return true };
        let Some(node) = self.subject.owner(frame.function, frame.instruction) else { return true };
        if let Some((_, ahead)) = &self.towards {
            let from = |frame: incise_exec::Origin| {
                let node = self.subject.owner(frame.function, frame.instruction);
                node.is_none_or(|node| ahead.from((frame.function, node)))
            };
            return self.has_met(note) || self.runs_more || stack.frames().any(from);
        }
        let context = self.subject.context_of(stack);
        // What runs before or after the entry is in none of its contexts.
        let inside = self.subject.context(context).function == frame.function;
        !inside || self.runs_more || self.slice.can_meet(self.subject, context, FlowTarget::Node(node))
    }

    /// Whether a path met what is looked for.
    fn has_met(&self, note: Note) -> bool {
        match &self.towards {
            Some((wanted, _)) => self.changes.has_one_of(note, &wanted.new),
            None => note & MET != 0,
        }
    }
}

impl Strategy for LeadingPaths<'_> {
    fn watches(&self) -> Watches {
        let mut watches = self.changes.events.watches(self.subject);
        if let Some(slice) = self.influence {
            slice.follow(&mut watches, self.subject);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        self.changes.reached(note, point);
        let (_, events) = self.changes.events.of(point);
        let tail = events.contains(&Event::Tail) && !self.has_met(*note);
        match tail && !self.can_meet(*note, stack) {
            true => Visit::Prune,
            false => Visit::Continue,
        }
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        self.changes.finished(note, end);
        // What was cut might have met the change later. What is assumed away does not go on.
        let cut = end.outcome.is_cut() && *end.outcome != Outcome::Discarded;
        self.has_met(*note) || self.runs_more || cut
    }
}
