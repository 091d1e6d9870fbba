//! Which statements can be executed after which.
//!
//! Statements of one block follow each other; between blocks, the question is asked of the strongly connected
//! components of the block graph. What a component leads to is found when it is first asked for, and kept.

use crate::bits::BitSet;
use crate::components::Components;
use crate::graph::{NodeId, StatementGraph};
use incise_ir::{BlockId, Id};
use std::sync::OnceLock;

/// Which statements of a graph can be executed after which.
#[derive(Debug)]
pub struct Reach {
    /// For each statement, the component of its block and its block.
    places: Vec<(u32, BlockId)>,
    /// For each component, whether it is a loop.
    cyclic: Vec<bool>,
    /// For each component, the other components that an edge leads to.
    next: Vec<Vec<u32>>,
    /// For each component, all components that it leads to, itself if it is a loop.
    reached: Vec<OnceLock<BitSet>>,
}

impl Reach {
    /// Prepares the answers for a graph.
    pub fn new(graph: &StatementGraph) -> Self {
        let count = graph.cfg.block_count();
        let numbers = |blocks: &[BlockId]| blocks.iter().map(|block| block.index() as u32).collect();
        let successors: Vec<Vec<u32>> =
            (0..count).map(|block| numbers(graph.cfg.successors(BlockId::from_index(block)))).collect();
        let components = Components::new(count, |block| &successors[block as usize]);
        let mut next = vec![Vec::new(); components.members.len()];
        for (block, targets) in successors.iter().enumerate() {
            let from = components.of[block];
            let others = targets.iter().map(|&target| components.of[target as usize]);
            next[from as usize].extend(others.filter(|&to| to != from));
        }
        next.iter_mut().for_each(|targets: &mut Vec<u32>| {
            targets.sort_unstable();
            targets.dedup();
        });
        let places = graph.nodes.iter().map(|node| (components.of[node.block.index()], node.block)).collect();
        let reached = (0..next.len()).map(|_| OnceLock::new()).collect();
        Self { places, cyclic: components.cyclic, next, reached }
    }

    /// Whether there is a way of at least one step from one statement to another. A statement reaches itself only in a
    /// loop.
    pub fn can_reach(&self, from: NodeId, to: NodeId) -> bool {
        let ((source, source_block), (target, target_block)) =
            (self.places[from.index()], self.places[to.index()]);
        if source == target {
            self.cyclic[source as usize] || (source_block == target_block && from < to)
        } else {
            // A component has a higher number than those that it leads to.
            source > target && self.reached(source).contains(target as usize)
        }
    }

    /// Whether a statement can be executed again after itself.
    pub fn in_loop(&self, node: NodeId) -> bool {
        self.cyclic[self.places[node.index()].0 as usize]
    }

    fn reached(&self, component: u32) -> &BitSet {
        if let Some(known) = self.reached[component as usize].get() {
            return known;
        }
        if self.next.len() <= FILLED {
            // Components come after those that they lead to, so that each is the union of known ones.
            for below in 0..component {
                self.reached[below as usize].get_or_init(|| self.walk(below));
            }
        }
        self.reached[component as usize].get_or_init(|| self.walk(component))
    }

    /// What a component leads to, with the help of what is known of those below.
    fn walk(&self, component: u32) -> BitSet {
        let mut found = BitSet::new(component as usize + 1);
        let mut work = self.next[component as usize].clone();
        while let Some(at) = work.pop() {
            if found.insert(at as usize) {
                match self.reached[at as usize].get() {
                    Some(known) => found.extend(known),
                    None => work.extend(&self.next[at as usize]),
                }
            }
        }
        found
    }
}

/// Up to so many components, all sets below one that is asked for are filled at once: 64 MiB at most. Beyond, only
/// those that are asked for are kept.
const FILLED: usize = 1 << 15;
