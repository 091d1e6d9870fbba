//! The paths of the new version that meet the change: only on those can it do something else than the old one.

use crate::dise::MET;
use crate::slice::Slice;
use crate::subject::{Event, Events, Statement, Subject};
use crate::update::last_chances;
use incise_change::Target;
use incise_exec::{End, Note, Outcome, Stack, Strategy, Visit, Watches};
use incise_ir::SourcePosition;
use std::collections::BTreeMap;

/// Explores every path of the new version that meets the change.
pub(super) struct Lead<'a> {
    subject: &'a Subject<'a>,
    /// What lies ahead.
    slice: Slice,
    /// What has an influence on what is compared; without it everything has.
    influence: Option<&'a Slice>,
    events: Events,
    /// Where the change is, by the number in a note.
    places: Vec<Option<SourcePosition>>,
    /// For each point, the number of the change that is met there.
    numbers: Vec<Option<u32>>,
    /// For each changed statement, its number.
    changes: BTreeMap<Statement, u32>,
    /// Whether functions may run after the entry returned, of which the statement graph of the entry does not tell.
    runs_more: bool,
    /// Whether the change is met before the first statement.
    at_once: bool,
}

/// Where the number of the first change that was met begins in a note.
pub(super) const NUMBER: u32 = 40;

impl<'a> Lead<'a> {
    pub(super) fn new(subject: &'a Subject<'a>, influence: Option<&'a Slice>) -> Self {
        let slice = Slice::towards(subject, Vec::new(), true);
        let mut events = Events::default();
        for (&function, facts) in &subject.scope.functions {
            for node in facts.graph.ids().filter(|&node| subject.is_change((function, node))) {
                events.at(&facts.graph, node, Event::Node(node));
            }
            for gap in &facts.gaps {
                match gap.from {
                    None => {
                        if let Some((first, _)) = subject.function(function).instructions.iter().next() {
                            events.before(function, first, Event::Entered);
                        }
                    }
                    Some(node) if subject.is_condition((function, node)) => {
                        events.side((function, node), gap.side);
                    }
                    Some(node) => events.at(&facts.graph, node, Event::Side(node, gap.side)),
                }
            }
            for node in last_chances(subject.graph(function), |&node| slice.is_ahead((function, node))) {
                events.at(&facts.graph, node, Event::Tail);
            }
        }
        let program = subject.program;
        let runs_more = !program.destructors.is_empty() || program.function_named("atexit").is_some();
        let at_once = subject.entry_gap(subject.entry);
        let mut lead = Self {
            subject,
            slice,
            influence,
            events,
            places: Vec::new(),
            numbers: Vec::new(),
            changes: BTreeMap::new(),
            runs_more,
            at_once,
        };
        lead.number();
        lead
    }

    /// Gives the changes their numbers.
    fn number(&mut self) {
        for point in 0..self.events.count() {
            let (function, events) = self.events.of(point);
            let place = events.iter().find_map(|event| match *event {
                Event::Node(node) => Some(self.position((function, node))),
                Event::Side(node, side) if self.subject.is_gap((function, node), side) => {
                    Some(self.position((function, node)))
                }
                Event::Entered => {
                    let first = self.subject.graph(function).ids().next();
                    Some(first.and_then(|node| self.position((function, node))))
                }
                _ => None,
            });
            let changed = events.iter().find_map(|event| match *event {
                Event::Node(node) => Some((function, node)),
                _ => None,
            });
            let number = place.map(|place| {
                self.places.push(place);
                self.places.len() as u32
            });
            self.changes.extend(changed.zip(number));
            self.numbers.push(number);
        }
    }

    fn position(&self, (function, node): Statement) -> Option<SourcePosition> {
        self.subject
            .graph(function)
            .node(node)
            .location
            .map(|location| self.subject.program.position(location))
    }

    /// Whether a path can meet the change at all.
    pub(super) fn can_begin(&self) -> bool {
        let entry = self.subject.graph(self.subject.entry).entry;
        self.at_once || self.runs_more || self.slice.can_meet(self.subject, crate::subject::ROOT, entry)
    }

    /// The note of paths that meet the change, if it is in one place only.
    pub(super) fn only_change(&self) -> Option<Note> {
        (self.places.len() == 1).then_some(MET | 1 << NUMBER)
    }

    /// The change that a path met first, by its note: a number, and where it is.
    pub(super) fn met(&self, note: Note) -> (u32, Option<SourcePosition>) {
        let number = (note >> NUMBER) as u32;
        let place = number.checked_sub(1).and_then(|index| self.places.get(index as usize).cloned());
        (number, place.flatten())
    }

    /// Whether a state that is at a statement can still meet the change.
    fn can_meet(&self, stack: &Stack<'_>) -> bool {
        let Some(frame) = stack.frames().next() else { return true };
        let Some(node) = self.subject.owner(frame.function, frame.instruction) else { return true };
        let context = self.subject.context_of(stack);
        // What runs before or after the entry is in none of its contexts.
        let inside = self.subject.context(context).function == frame.function;
        !inside || self.runs_more || self.slice.can_meet(self.subject, context, Target::Node(node))
    }
}

impl Strategy for Lead<'_> {
    fn watches(&self) -> Watches {
        let mut watches = self.events.watches(self.subject);
        if let Some(slice) = self.influence {
            super::concern::follow(&mut watches, self.subject, slice);
        }
        watches
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        if let Some(number) = self.numbers[point as usize]
            && *note & MET == 0
        {
            *note |= MET | Note::from(number) << NUMBER;
        }
        let (_, events) = self.events.of(point);
        let tail = events.contains(&Event::Tail) && *note & MET == 0;
        match tail && !self.can_meet(stack) {
            true => Visit::Prune,
            false => Visit::Continue,
        }
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        // A value that is computed ahead of its statement, as in `x = c ? a / b : 0`, fails before control comes to the statement.
        if *note & MET == 0 {
            let number = end.stack.frames().find_map(|frame| {
                let node = self.subject.owner(frame.function, frame.instruction)?;
                self.changes.get(&(frame.function, node)).copied()
            });
            if let Some(number) = number {
                *note |= MET | Note::from(number) << NUMBER;
            }
        }
        // What was cut might have met the change later. What is assumed away does not go on.
        let cut = end.outcome.is_cut() && *end.outcome != Outcome::Discarded;
        *note & MET != 0 || self.runs_more || cut
    }
}
