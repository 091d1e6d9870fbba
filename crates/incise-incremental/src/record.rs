//! Full exploration that writes down the affected sequence of each path: the oracle of the others.

use crate::dise::{Ending, FAILS, Progress, ending};
use crate::sequences::Sequences;
use crate::subject::{Event, Events, Subject};
use incise_change::NodeId;
use incise_exec::{End, Note, Strategy, Visit, Watches};

/// Explores every path and notes the affected statements on it.
pub struct Record<'a> {
    subject: &'a Subject<'a>,
    events: Events,
    sequences: Sequences,
}

impl<'a> Record<'a> {
    /// For a function that changed.
    pub fn new(subject: &'a Subject<'a>) -> Self {
        let mut events = Events::default();
        for node in subject.affected.nodes() {
            events.at(subject.graph, node, Event::Node(node));
        }
        for gap in &subject.gaps {
            let Some(node) = gap.from else { continue };
            if subject.is_condition(node) {
                events.side(node, gap.side);
            } else {
                events.at(subject.graph, node, Event::Side(node, gap.side));
            }
        }
        Self { subject, events, sequences: Sequences::new() }
    }

    /// The affected statements of a path, by its note.
    pub fn sequence(&self, note: Note) -> Vec<NodeId> {
        self.sequences.nodes(Progress::of(note).sequence)
    }

    /// Whether a path met the change, by its note.
    pub fn met(&self, note: Note) -> bool {
        Progress::of(note).met || self.subject.entry_gap()
    }
}

impl Strategy for Record<'_> {
    fn watches(&self) -> Watches {
        self.events.watches(self.subject.graph)
    }

    fn reached(&mut self, note: &mut Note, point: u32) -> Visit {
        let mut progress = Progress::of(*note);
        for &event in self.events.of(point) {
            match event {
                Event::Node(node) => {
                    progress.sequence = self.sequences.then(progress.sequence, node);
                    progress.met |= self.subject.changes[node.index()];
                }
                Event::Side(node, side) => progress.met |= self.subject.is_gap(node, side),
                Event::Tail => {}
            }
        }
        *note = progress.note();
        Visit::Continue
    }

    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool {
        if matches!(ending(self.subject, end), Ending::Fails(_)) {
            *note |= FAILS;
        }
        true
    }
}
