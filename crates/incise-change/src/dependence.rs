//! Which statements may read what another wrote: the data dependence of the papers' rules.
//!
//! As in the papers (`IsCFGPath`), a write to memory is not taken to be lost because another write follows: a way from
//! the one statement to the other is enough. For variables whose address goes nowhere, a write that hides it in between
//! is seen where the impact on a library is followed forward ([`Overwritten`]).

use crate::bits::BitSet;
use crate::effects::Effects;
use crate::graph::{NodeId, StatementGraph};
use crate::overwritten::Overwritten;
use crate::places::{Base, Footprint, MemoryPlace, Places, Sight};
use crate::reach::Reach;
use incise_ir::{FunctionId, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The data dependence between the statements of a function.
#[derive(Debug)]
pub struct Dependence {
    places: Places,
    reach: Reach,
    overwritten: Overwritten,
    reads: Index,
    /// What statements read by themselves.
    own_reads: Index,
    writes: Index,
    /// How many statements there are.
    count: usize,
    /// For each statement, those that may read by themselves what it writes, once somebody asked. The impact of a
    /// change is found for many contexts.
    own_readers: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each statement, those that may read by themselves what it writes by itself, once somebody asked.
    own_to_own: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each statement, those that may write what it reads, once somebody asked.
    writers: Vec<OnceLock<Box<[NodeId]>>>,
    /// For each condition, the statements that it decides about, in order.
    decided: Vec<Vec<NodeId>>,
}

/// A place, and the statements that touch it.
type Touched = (MemoryPlace, Vec<NodeId>);

/// Statements by the places that they touch.
#[derive(Debug)]
struct Index {
    /// For each base, in order, its places and the statements that touch them.
    bases: Vec<(Base, Vec<Touched>)>,
    /// For each base, the others that it overlaps, once somebody asked.
    overlapping: Vec<OnceLock<Box<[u32]>>>,
}

impl Index {
    /// Sorts statements by what they touch.
    fn new<'f>(touched: impl Iterator<Item = (NodeId, &'f [MemoryPlace])>) -> Self {
        let mut by_place: BTreeMap<MemoryPlace, Vec<NodeId>> = BTreeMap::new();
        for (node, list) in touched {
            for &place in list {
                by_place.entry(place).or_default().push(node);
            }
        }
        let mut bases: Vec<(Base, Vec<Touched>)> = Vec::new();
        for (place, touching) in by_place {
            match bases.last_mut() {
                Some((base, list)) if *base == place.base => list.push((place, touching)),
                _ => bases.push((place.base, vec![(place, touching)])),
            }
        }
        let overlapping = bases.iter().map(|_| OnceLock::new()).collect();
        Self { bases, overlapping }
    }

    /// The bases, by their position, that another one overlaps, itself aside.
    fn others(&self, places: &Places, base: Base) -> Box<[u32]> {
        let all = (0..).zip(&self.bases);
        all.filter(|(_, (other, _))| *other != base && places.bases_overlap(base, *other))
            .map(|(number, _)| number)
            .collect()
    }

    /// Adds the statements that touch a place.
    fn add(&self, places: &Places, place: &MemoryPlace, found: &mut BitSet) {
        let position = self.bases.binary_search_by_key(&place.base, |(base, _)| *base);
        if let Ok(position) = position {
            self.add_of(places, place, position, found);
        }
        if places.is_private(place.base) {
            return;
        }
        let made;
        let others = match position {
            Ok(position) => {
                self.overlapping[position].get_or_init(|| self.others(places, place.base)).as_ref()
            }
            Err(_) => {
                made = self.others(places, place.base);
                made.as_ref()
            }
        };
        for &other in others {
            self.add_of(places, place, other as usize, found);
        }
    }

    /// Adds the statements that touch a place in what they touch of one base, which overlaps that of the place.
    fn add_of(&self, places: &Places, place: &MemoryPlace, position: usize, found: &mut BitSet) {
        for (other, touching) in &self.bases[position].1 {
            if places.parts_overlap(place, other) {
                for node in touching {
                    found.insert(node.index());
                }
            }
        }
    }
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
        Self::apart(program, effects, graph, &BTreeSet::new(), Sight::All)
    }

    /// The same, where these functions are looked at with their calls.
    pub(crate) fn apart(
        program: &Program,
        effects: &Effects,
        graph: &StatementGraph,
        apart: &BTreeSet<FunctionId>,
        sight: Sight,
    ) -> Self {
        let places = Places::apart(program, effects, graph, apart, sight);
        let count = graph.nodes.len();
        let reads = graph.ids().map(|node| (node, &*places.footprint(node).reads));
        let reads = Index::new(reads);
        let own_reads = graph.ids().map(|node| (node, &*places.footprint(node).own_reads));
        let own_reads = Index::new(own_reads);
        let writes = graph.ids().map(|node| (node, &*places.footprint(node).writes));
        let writes = Index::new(writes);
        let unknown = || (0..count).map(|_| OnceLock::new()).collect();
        Self {
            reach: Reach::new(graph),
            overwritten: match sight {
                Sight::All => Overwritten::nothing(),
                Sight::Program => Overwritten::new(program, graph, &places),
            },
            reads,
            own_reads,
            writes,
            places,
            count,
            own_readers: unknown(),
            own_to_own: unknown(),
            writers: unknown(),
            decided: decided(graph),
        }
    }

    /// As [`Self::writers`], kept for the next time.
    pub(crate) fn known_writers(&self, node: NodeId) -> &[NodeId] {
        self.writers[node.index()].get_or_init(|| self.writers(node).into())
    }

    /// The statements that may read by themselves what a statement writes, in order, kept for the next time.
    pub(crate) fn known_own_readers(&self, node: NodeId) -> &[NodeId] {
        let readers = || self.own_readers_of(node, &self.footprint(node).writes).into();
        self.own_readers[node.index()].get_or_init(readers)
    }

    /// The statements that may read by themselves what a statement writes by itself, in order, kept for the next time.
    pub(crate) fn known_own_to_own(&self, node: NodeId) -> &[NodeId] {
        let readers = || self.own_readers_of(node, &self.footprint(node).own_writes).into();
        self.own_to_own[node.index()].get_or_init(readers)
    }

    /// The statements that may read one of these places by themselves after a statement, in order; the statement itself
    /// only if it is in a loop.
    pub(crate) fn own_readers_of(&self, node: NodeId, places: &[MemoryPlace]) -> Vec<NodeId> {
        self.touching(&self.own_reads, places, |place, reader| self.is_still_there(place, node, reader))
    }

    /// The statements that touch one of these places, as far as they count, in order.
    fn touching(
        &self,
        index: &Index,
        places: &[MemoryPlace],
        counts: impl Fn(Option<&MemoryPlace>, NodeId) -> bool,
    ) -> Vec<NodeId> {
        let (mut found, mut others) = (BitSet::new(self.count), BitSet::new(self.count));
        for place in places {
            if !self.is_told(place) {
                index.add(&self.places, place, &mut others);
                continue;
            }
            let mut touching = BitSet::new(self.count);
            index.add(&self.places, place, &mut touching);
            for each in touching.iter().filter(|&each| counts(Some(place), NodeId::from_index(each))) {
                found.insert(each);
            }
        }
        for each in others.iter().filter(|&each| counts(None, NodeId::from_index(each))) {
            found.insert(each);
        }
        found.iter().map(NodeId::from_index).collect()
    }

    /// Whether it is known of a place which writes hide which.
    pub(crate) fn is_told(&self, place: &MemoryPlace) -> bool {
        matches!(place.base, Base::Local(local) if self.overwritten.tells(local))
    }

    /// Whether what one statement writes to a place may be what another one reads there.
    fn is_still_there(&self, place: Option<&MemoryPlace>, writer: NodeId, reader: NodeId) -> bool {
        let told = match place.map(|place| place.base) {
            Some(Base::Local(local)) => self.overwritten.may_reach(local, writer, reader),
            _ => None,
        };
        told.unwrap_or_else(|| self.reach.can_reach(writer, reader))
    }

    /// Whether a place may still hold in a statement what it held when the function began.
    pub(crate) fn is_from_start(&self, place: &MemoryPlace, node: NodeId) -> bool {
        match place.base {
            Base::Local(local) => self.overwritten.is_from_start(local, node),
            _ => true,
        }
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

    /// The statements that may have written what is in one of these places before a statement, in order; the statement
    /// itself only if it is in a loop.
    pub fn writers_of(&self, node: NodeId, places: &[MemoryPlace]) -> Vec<NodeId> {
        self.touching(&self.writes, places, |place, writer| self.is_still_there(place, writer, node))
    }

    /// The statements that may write a place, in order.
    pub(crate) fn all_writers_of(&self, place: &MemoryPlace) -> Vec<NodeId> {
        self.touching(&self.writes, std::slice::from_ref(place), |_, _| true)
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
