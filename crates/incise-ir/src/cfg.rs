//! The control-flow graph of a function: edges in both directions and an order to visit the blocks in.

use crate::{BlockId, Function, Id};

/// The control-flow graph of a function.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// For each block, its place in the reverse postorder.
    order: Vec<Option<u32>>,
}

impl Cfg {
    /// The graph of a function; empty for a declaration.
    pub fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let successors: Vec<Vec<BlockId>> =
            function.blocks.ids().map(|block| function.successors(block)).collect();
        let mut predecessors = vec![Vec::new(); count];
        for block in function.blocks.ids() {
            for successor in &successors[block.index()] {
                predecessors[successor.index()].push(block);
            }
        }
        let reverse_postorder = reverse_postorder(&successors);
        let mut order = vec![None; count];
        for (place, block) in reverse_postorder.iter().enumerate() {
            order[block.index()] = Some(place as u32);
        }
        Self { successors, predecessors, reverse_postorder, order }
    }

    /// The blocks that control can go to, each once, in the order of the terminator.
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block.index()]
    }

    /// The blocks that control can come from, each once, in the order of the function.
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block.index()]
    }

    /// The blocks that can be reached from the entry, each before its successors except along back edges.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// Whether a block can be reached from the entry.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.order[block.index()].is_some()
    }

    /// The place of a block in the reverse postorder; `None` if it cannot be reached.
    pub fn order(&self, block: BlockId) -> Option<usize> {
        self.order[block.index()].map(|place| place as usize)
    }

    /// The number of blocks, those that cannot be reached included.
    pub fn block_count(&self) -> usize {
        self.successors.len()
    }
}

/// The blocks that can be reached from the first, in reverse postorder. A stack of its own, because functions may be
/// long.
fn reverse_postorder(successors: &[Vec<BlockId>]) -> Vec<BlockId> {
    if successors.is_empty() {
        return Vec::new();
    }
    let mut seen = vec![false; successors.len()];
    let mut postorder = Vec::with_capacity(successors.len());
    let mut stack = vec![(BlockId::from_index(0), 0)];
    seen[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        match successors[block.index()].get(*next) {
            Some(&successor) => {
                *next += 1;
                if !std::mem::replace(&mut seen[successor.index()], true) {
                    stack.push((successor, 0));
                }
            }
            None => {
                postorder.push(*block);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}
