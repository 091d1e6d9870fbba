//! Which statements may read what another wrote: the data dependence of the papers' rules.
//!
//! As in the papers (`IsCFGPath`), a write is not taken to be lost because another write follows: a way from the one statement to the other is enough.

use crate::effects::Effects;
use crate::graph::{NodeId, StatementGraph};
use crate::places::{Base, Footprint, Place, Places};
use crate::reach::Reach;
use incise_ir::Program;
use rustc_hash::FxHashMap;

/// The data dependence between the statements of a function.
#[derive(Debug)]
pub struct Dependence {
    places: Places,
    reach: Reach,
    reads: Index,
    writes: Index,
}

/// Statements by the places that they touch.
#[derive(Debug, Default)]
struct Index {
    by_base: FxHashMap<Base, Vec<(Place, NodeId)>>,
    /// The bases that may overlap other bases, in order.
    shared: Vec<Base>,
    /// Those of them that are no object with a name.
    pointed: Vec<Base>,
}

impl Index {
    fn new<'f>(places: &'f Places, touched: impl Iterator<Item = (NodeId, &'f [Place])>) -> Self {
        let mut index = Self::default();
        for (node, list) in touched {
            for &place in list {
                index.by_base.entry(place.base).or_default().push((place, node));
            }
        }
        index.shared = index.by_base.keys().copied().filter(|&base| !places.is_private(base)).collect();
        index.shared.sort_unstable();
        let pointed = |base: &Base| matches!(base, Base::Pointee(_) | Base::Memory | Base::Everything);
        index.pointed = index.shared.iter().copied().filter(pointed).collect();
        index
    }

    /// Calls `visit` with each statement that touches a place, possibly more than once.
    fn for_each(&self, places: &Places, place: &Place, mut visit: impl FnMut(NodeId)) {
        for &(other, node) in self.by_base.get(&place.base).into_iter().flatten() {
            if places.may_overlap(place, &other) {
                visit(node);
            }
        }
        // Two different objects with names never overlap.
        let others = match place.base {
            base if places.is_private(base) => &[],
            Base::Local(_) | Base::Global(_) => self.pointed.as_slice(),
            _ => self.shared.as_slice(),
        };
        for &base in others {
            if base != place.base && places.bases_overlap(place.base, base) {
                self.by_base.get(&base).into_iter().flatten().for_each(|&(_, node)| visit(node));
            }
        }
    }
}

impl Dependence {
    /// The dependence between the statements of a graph.
    pub fn new(program: &Program, effects: &Effects, graph: &StatementGraph) -> Self {
        let places = Places::new(program, effects, graph);
        let reads = Index::new(&places, graph.ids().map(|node| (node, &*places.footprint(node).reads)));
        let writes = Index::new(&places, graph.ids().map(|node| (node, &*places.footprint(node).writes)));
        Self { reach: Reach::new(graph), reads, writes, places }
    }

    /// The statements that may read what a statement writes, in order; the statement itself only if it is in a loop.
    pub fn readers(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        for place in &self.footprint(node).writes {
            self.reads.for_each(&self.places, place, |reader| found.push(reader));
        }
        sorted(found, |&reader| self.reach.can_reach(node, reader))
    }

    /// The statements that may write what a statement reads, in order; the statement itself only if it is in a loop.
    pub fn writers(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        for place in &self.footprint(node).reads {
            self.writes.for_each(&self.places, place, |writer| found.push(writer));
        }
        sorted(found, |&writer| self.reach.can_reach(writer, node))
    }

    /// What a statement reads and writes.
    pub fn footprint(&self, node: NodeId) -> &Footprint {
        self.places.footprint(node)
    }

    /// What all statements read and write.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Which statements can be executed after which.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }
}

/// The statements that pass, each once, in order.
fn sorted(mut nodes: Vec<NodeId>, pass: impl FnMut(&NodeId) -> bool) -> Vec<NodeId> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes.retain(pass);
    nodes
}
