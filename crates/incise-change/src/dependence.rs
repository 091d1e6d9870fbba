//! Which statements may read what another wrote: the data dependence of the papers' rules.
//!
//! As in the papers (`IsCFGPath`), a write is not taken to be lost because another write follows: a way from the one
//! statement to the other is enough.

use crate::bits::BitSet;
use crate::effects::Effects;
use crate::graph::{NodeId, StatementGraph};
use crate::places::{Base, Footprint, MemoryPlace, Places};
use crate::reach::Reach;
use incise_ir::Program;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// The data dependence between the statements of a function.
#[derive(Debug)]
pub struct Dependence {
    places: Places,
    reach: Reach,
    reads: Index,
    writes: Index,
    /// How many statements there are.
    count: usize,
    /// For each statement, those that may read what it writes, once somebody asked. The impact of a change is found for
    /// many contexts.
    readers: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each statement, those that may write what it reads, once somebody asked.
    writers: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each statement, those that may write memory before it, once somebody asked.
    memory_writers: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each condition, the statements that it decides about, in order.
    decided: Vec<Vec<NodeId>>,
}

/// Statements by the places that they touch.
#[derive(Debug)]
struct Index {
    by_base: FxHashMap<Base, Vec<(MemoryPlace, NodeId)>>,
    /// For each base that pointers lead to, in order, the statements that touch it and those that touch what overlaps
    /// it, itself aside.
    pointed: Vec<(Base, BitSet, BitSet)>,
}

/// Whether a base is no object with a name: two different objects never overlap.
fn is_pointed(base: Base) -> bool {
    !matches!(base, Base::Result(_) | Base::Local(_) | Base::Global(_))
}

impl Index {
    /// Sorts statements by what they touch. `pointed` are the bases that pointers lead to, of this index and others.
    fn new<'f>(
        places: &'f Places,
        pointed: &[Base],
        nodes: usize,
        touched: impl Iterator<Item = (NodeId, &'f [MemoryPlace])>,
    ) -> Self {
        let mut by_base: FxHashMap<Base, Vec<(MemoryPlace, NodeId)>> = FxHashMap::default();
        for (node, list) in touched {
            for &place in list {
                by_base.entry(place.base).or_default().push((place, node));
            }
        }
        let mut found = Vec::with_capacity(pointed.len());
        for &base in pointed {
            let (mut touching, mut overlapping) = (BitSet::new(nodes), BitSet::new(nodes));
            for (&other, entries) in &by_base {
                let set = match other == base {
                    true => &mut touching,
                    false if places.bases_overlap(base, other) => &mut overlapping,
                    false => continue,
                };
                for (_, node) in entries {
                    set.insert(node.index());
                }
            }
            found.push((base, touching, overlapping));
        }
        Self { by_base, pointed: found }
    }

    /// Adds the statements that touch a place.
    fn add(&self, places: &Places, place: &MemoryPlace, found: &mut BitSet) {
        for &(other, node) in self.by_base.get(&place.base).into_iter().flatten() {
            if places.may_overlap(place, &other) {
                found.insert(node.index());
            }
        }
        if places.is_private(place.base) {
            return;
        }
        for (base, touching, overlapping) in &self.pointed {
            if *base == place.base {
                found.extend(overlapping);
            } else if !is_pointed(place.base) && places.bases_overlap(place.base, *base) {
                found.extend(touching);
            }
        }
    }
}

/// The bases among the places of all statements that pointers lead to, in order.
fn pointed_bases(places: &Places, graph: &StatementGraph) -> Vec<Base> {
    let footprints = graph.ids().map(|node| places.footprint(node));
    let all = footprints.flat_map(|footprint| footprint.reads.iter().chain(&footprint.writes));
    let mut bases: Vec<Base> = all.map(|place| place.base).filter(|&base| is_pointed(base)).collect();
    // Asked for by `readers_of` and `writers_of`, whether a statement touches them or not.
    bases.extend([Base::Memory, Base::Everything]);
    bases.sort_unstable();
    bases.dedup();
    bases
}

/// For each condition, what it decides about: whether a statement is executed, or which of the values it joins is
/// taken.
fn decided(graph: &StatementGraph) -> Vec<Vec<NodeId>> {
    let mut decided = vec![Vec::new(); graph.nodes.len()];
    for node in graph.ids() {
        let deciders = graph.controlled_by[node.index()].iter().chain(&graph.gated_by[node.index()]);
        for decider in deciders {
            let decided: &mut Vec<NodeId> = &mut decided[decider.index()];
            if decided.last() != Some(&node) {
                decided.push(node);
            }
        }
    }
    decided
}

impl Dependence {
    /// The dependence between the statements of a graph.
    pub fn new(program: &Program, effects: &Effects, graph: &StatementGraph) -> Self {
        let places = Places::new(program, effects, graph);
        let (pointed, count) = (pointed_bases(&places, graph), graph.nodes.len());
        let reads = graph.ids().map(|node| (node, &*places.footprint(node).reads));
        let reads = Index::new(&places, &pointed, count, reads);
        let writes = graph.ids().map(|node| (node, &*places.footprint(node).writes));
        let writes = Index::new(&places, &pointed, count, writes);
        let unknown = || (0..count).map(|_| OnceLock::new()).collect();
        Self {
            reach: Reach::new(graph),
            reads,
            writes,
            places,
            count,
            readers: unknown(),
            writers: unknown(),
            memory_writers: unknown(),
            decided: decided(graph),
        }
    }

    /// As [`Self::readers`], kept for the next time.
    pub(crate) fn known_readers(&self, node: NodeId) -> &[NodeId] {
        self.readers[node.index()].get_or_init(|| self.readers(node).into())
    }

    /// As [`Self::writers`], kept for the next time.
    pub(crate) fn known_writers(&self, node: NodeId) -> &[NodeId] {
        self.writers[node.index()].get_or_init(|| self.writers(node).into())
    }

    /// The statements that may write anywhere in memory before a statement, in order.
    pub(crate) fn memory_writers(&self, node: NodeId) -> &[NodeId] {
        let writers = || self.writers_of(node, &[MemoryPlace::memory()]).into();
        self.memory_writers[node.index()].get_or_init(writers)
    }

    /// The statements that a condition decides about, in order.
    pub(crate) fn decided(&self, node: NodeId) -> &[NodeId] {
        &self.decided[node.index()]
    }

    /// The statements that may read what a statement writes, in order; the statement itself only if it is in a loop.
    pub fn readers(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = BitSet::new(self.count);
        for place in &self.footprint(node).writes {
            self.reads.add(&self.places, place, &mut found);
        }
        let readers = found.iter().map(NodeId::from_index);
        readers.filter(|&reader| self.reach.can_reach(node, reader)).collect()
    }

    /// The statements that may write what a statement reads, in order; the statement itself only if it is in a loop.
    pub fn writers(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = BitSet::new(self.count);
        for place in &self.footprint(node).reads {
            self.writes.add(&self.places, place, &mut found);
        }
        let writers = found.iter().map(NodeId::from_index);
        writers.filter(|&writer| self.reach.can_reach(writer, node)).collect()
    }

    /// The statements that may read one of these places after a statement, in order; the statement itself only if it is
    /// in a loop.
    pub fn readers_of(&self, node: NodeId, places: &[MemoryPlace]) -> Vec<NodeId> {
        let mut found = BitSet::new(self.count);
        for place in places {
            self.reads.add(&self.places, place, &mut found);
        }
        let readers = found.iter().map(NodeId::from_index);
        readers.filter(|&reader| self.reach.can_reach(node, reader)).collect()
    }

    /// The statements that may write one of these places before a statement, in order; the statement itself only if it
    /// is in a loop.
    pub fn writers_of(&self, node: NodeId, places: &[MemoryPlace]) -> Vec<NodeId> {
        let mut found = BitSet::new(self.count);
        for place in places {
            self.writes.add(&self.places, place, &mut found);
        }
        let writers = found.iter().map(NodeId::from_index);
        writers.filter(|&writer| self.reach.can_reach(writer, node)).collect()
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
