//! Writes down the combination of impacted path fragments that each path is made of, whatever explores it.

use super::failing;
use crate::subject::{Event, Events, Statement, Subject};
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};
use rustc_hash::FxHashMap;

/// Looks on, and notes the affected conditions of each path with the sides taken.
pub struct Fragments<'a> {
    subject: &'a Subject<'a>,
    events: Events,
    /// Each combination is an earlier one and a side of a condition; the first is empty.
    parents: Vec<(u32, Option<(Statement, usize)>)>,
    children: FxHashMap<(u32, Statement, usize), u32>,
}

impl<'a> Fragments<'a> {
    /// For an entry.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let mut events = Events::default();
        let mut seen = std::collections::BTreeSet::new();
        for activation in subject.activations() {
            let activation = subject.scope.activation(activation);
            let graph = subject.graph(activation.function);
            for node in activation.affected.conditions(graph) {
                let statement = (activation.function, node);
                if seen.insert(statement) {
                    subject.sides(statement).for_each(|(side, _)| events.side(statement, side));
                }
            }
        }
        Self { subject, events, parents: vec![(0, None)], children: FxHashMap::default() }
    }

    /// The combination of a path, by its note.
    pub fn taken(&self, note: Note) -> Vec<(Statement, usize)> {
        let mut found = Vec::new();
        let mut at = note as u32;
        while let (parent, Some(fragment)) = self.parents[at as usize] {
            found.push(fragment);
            at = parent;
        }
        found.reverse();
        found
    }
}

impl Strategy for Fragments<'_> {
    fn watches(&self) -> Watches {
        self.events.watches(self.subject)
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        let (function, events) = self.events.of(point);
        for event in events {
            let Event::Side(node, side) = *event else { continue };
            if self.subject.is_affected(self.subject.context_of(stack), node) {
                let (parents, parent) = (&mut self.parents, *note as u32);
                let next = *self.children.entry((parent, (function, node), side)).or_insert_with(|| {
                    parents.push((parent, Some(((function, node), side))));
                    parents.len() as u32 - 1
                });
                *note = u64::from(next);
            }
        }
        Visit::Continue
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.subject.is_at_affected(stack)
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        *note |= failing(self.subject, end);
        true
    }
}
