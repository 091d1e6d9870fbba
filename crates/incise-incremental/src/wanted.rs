//! What is wanted of a statement that calls: a function does many things, and who asks for one of them need not look at
//! the branches that decide about the others.
//!
//! Only global variables are told apart. What is returned, and what is written through pointers or to what nobody can
//! name, always counts.

use crate::subject::{Statement, Subject};
use incise_change::{Base, MemoryPlace, NodeKind};
use incise_ir::{FunctionId, GlobalId};
use incise_relate::Concerned;
use std::collections::BTreeSet;

/// The global variables among what a statement writes that matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// All of them.
    Everything,
    /// These.
    Globals(BTreeSet<GlobalId>),
}

impl Wanted {
    /// No variable: the result, and what is reached by pointers.
    pub(crate) fn nothing() -> Self {
        Self::Globals(BTreeSet::new())
    }

    /// What a statement reads of what was written before it, by itself or in what it calls.
    pub(crate) fn before(subject: &Subject<'_>, (function, node): Statement) -> Self {
        Self::read(&subject.facts(function).dependence.footprint(node).reads)
    }

    /// What a statement reads of what it writes itself: behind a call in it, or in another call in it.
    pub(crate) fn within(subject: &Subject<'_>, (function, node): Statement) -> Self {
        let facts = subject.facts(function);
        let footprint = facts.dependence.footprint(node);
        match facts.several_calls[node.index()] {
            true => Self::read(&footprint.reads),
            false => Self::read(&footprint.own_reads),
        }
    }

    /// What is compared at the end.
    pub(crate) fn of_observed(subject: &Subject<'_>, observed: &Concerned) -> Self {
        let Some(named) = &observed.globals else { return Self::Everything };
        let globals = subject.program.globals.iter();
        Self::Globals(globals.filter(|(_, global)| named.contains(&global.name)).map(|(id, _)| id).collect())
    }

    fn read(places: &[MemoryPlace]) -> Self {
        let mut globals = BTreeSet::new();
        for place in places {
            match place.base {
                // A call gives its result in any case, and writes to variables of its callers through pointers.
                Base::Result(_) | Base::Local(_) => {}
                Base::Global(global) => {
                    globals.insert(global);
                }
                // It may be any variable whose address is known.
                Base::Pointee(_)
                | Base::Object(_)
                | Base::Objects(_)
                | Base::Outside
                | Base::Memory
                | Base::Everything => return Self::Everything,
            }
        }
        Self::Globals(globals)
    }

    /// Adds what else is wanted. Whether that is more.
    pub(crate) fn add(&mut self, more: &Self) -> bool {
        match (&mut *self, more) {
            (Self::Everything, _) => false,
            (Self::Globals(_), Self::Everything) => {
                *self = Self::Everything;
                true
            }
            (Self::Globals(known), Self::Globals(more)) => {
                let before = known.len();
                known.extend(more);
                known.len() > before
            }
        }
    }

    /// The statements of a function that give it: the result, or what outlives the function.
    pub(crate) fn given_by(&self, subject: &Subject<'_>, function: FunctionId) -> Vec<Statement> {
        let facts = subject.facts(function);
        let places = facts.dependence.places();
        let memory = MemoryPlace { base: Base::Memory, range: None };
        let counts = |place: &MemoryPlace| match place.base {
            Base::Global(global) => match self {
                Self::Everything => true,
                Self::Globals(globals) => globals.contains(&global),
            },
            Base::Result(_) | Base::Local(_) => places.may_overlap(place, &memory),
            _ => true,
        };
        let gives = facts.graph.ids().filter(|&node| {
            facts.graph.node(node).kind == NodeKind::Return
                || facts.dependence.footprint(node).writes.iter().any(counts)
        });
        gives.map(|node| (function, node)).collect()
    }
}
