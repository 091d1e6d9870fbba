//! Full exploration that writes down the affected sequence of each path: the oracle of the others.

use crate::dise::{Ending, FAILS, MET, ending};
use crate::sequences::{SequenceId, Sequences};
use crate::subject::{Event, Events, Statement, Subject};
use incise_change::NodeId;
use incise_exec::{End, Note, Stack, Strategy, Visit, Watches};

/// Explores every path and notes the affected statements on it.
pub struct Record<'a> {
    subject: &'a Subject<'a>,
    events: Events,
    sequences: Sequences,
}

impl<'a> Record<'a> {
    /// For an entry.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let mut events = Events::default();
        for activation in subject.activations() {
            let activation = subject.scope.activation(activation);
            for node in activation.affected.nodes() {
                events.at(subject.graph(activation.function), node, Event::Node(node));
            }
        }
        for (&function, facts) in &subject.scope.functions {
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
        }
        Self { subject, events, sequences: Sequences::new() }
    }

    /// The affected statements of a path, by its note.
    pub fn sequence(&self, note: Note) -> Vec<Statement> {
        self.sequences.nodes(SequenceId(note as u32))
    }

    /// Whether a path met the change, by its note.
    pub fn met(&self, note: Note) -> bool {
        note & MET != 0
    }

    fn then(&mut self, note: &mut Note, statement: Statement) {
        let flags = *note & !u64::from(u32::MAX);
        let sequence = self.sequences.then(SequenceId(*note as u32), statement);
        *note = flags | u64::from(sequence.0);
    }

    fn node(&mut self, note: &mut Note, function: incise_ir::FunctionId, node: NodeId, stack: &Stack<'_>) {
        if self.subject.is_affected(self.subject.context_of(stack), node) {
            self.then(note, (function, node));
            if self.subject.is_change((function, node)) {
                *note |= MET;
            }
        }
    }
}

impl Strategy for Record<'_> {
    fn watches(&self) -> Watches {
        self.events.watches(self.subject)
    }

    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit {
        for index in 0..self.events.of(point).1.len() {
            let (function, events) = self.events.of(point);
            match events[index] {
                Event::Node(node) => self.node(note, function, node, stack),
                Event::Side(node, side) if self.subject.is_gap((function, node), side) => *note |= MET,
                Event::Entered => *note |= MET,
                Event::Side(..)
                | Event::Behind(..)
                | Event::Tail
                | Event::Exit(_)
                | Event::End
                | Event::Access(_) => {}
            }
        }
        Visit::Continue
    }

    fn marks(&self, stack: &Stack<'_>) -> bool {
        self.subject.is_at_affected(stack)
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        if matches!(ending(self.subject, end), Ending::Fails(_)) {
            *note |= FAILS;
        }
        true
    }
}
