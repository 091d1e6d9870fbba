//! Dominators, post-dominators and control dependence.
//!
//! Dominators are found by the iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
//! (2001); control dependence is that of Ferrante, Ottenstein and Warren, "The Program Dependence Graph and Its Use in
//! Optimization" (1987). Post-dominators are dominators of the reversed graph from a virtual exit, which all blocks
//! without successors lead to. An endless loop leads to no such block. Its back edges are taken to go through a virtual
//! *latch*, which leads to the exit as well, as if the loop could be left at the end of each turn: what decides inside
//! of the loop is then as it would be in a loop that ends, and what decides whether the endless loop is entered decides
//! all that would come after. Latches and the exit are no blocks and never show in an answer.

use crate::{BlockId, Cfg, Id};
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// A dominator tree over the nodes of a graph.
#[derive(Clone, Debug)]
struct Tree {
    /// For each node, its immediate dominator; the root's is itself.
    parents: Vec<u32>,
    /// For each node, when a walk over the tree enters it and when it has left all nodes below it.
    spans: Vec<(u32, u32)>,
}

impl Tree {
    /// The tree of a graph, given its nodes in reverse postorder from the root and the predecessors of each node.
    fn new<'a>(
        count: usize,
        order: &[u32],
        predecessors: impl Fn(u32) -> std::borrow::Cow<'a, [u32]>,
    ) -> Self {
        let mut place = vec![NONE; count];
        for (index, &node) in order.iter().enumerate() {
            place[node as usize] = index as u32;
        }
        let mut parents = vec![NONE; count];
        if let Some(&root) = order.first() {
            parents[root as usize] = root;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &node in order.iter().skip(1) {
                let mut parent = NONE;
                for &predecessor in predecessors(node).iter() {
                    if parents[predecessor as usize] == NONE {
                        continue;
                    }
                    parent = match parent {
                        NONE => predecessor,
                        other => intersect(&parents, &place, other, predecessor),
                    };
                }
                if parent != parents[node as usize] {
                    parents[node as usize] = parent;
                    changed = true;
                }
            }
        }
        let spans = spans(&parents, order);
        Self { parents, spans }
    }

    fn parent(&self, node: u32) -> Option<u32> {
        Some(self.parents[node as usize]).filter(|&parent| parent != NONE && parent != node)
    }

    fn contains(&self, node: u32) -> bool {
        self.parents[node as usize] != NONE
    }

    fn dominates(&self, above: u32, below: u32) -> bool {
        let ((enter, leave), (other, _)) = (self.spans[above as usize], self.spans[below as usize]);
        self.contains(above) && self.contains(below) && enter <= other && other < leave
    }
}

/// The nearest node that dominates both.
fn intersect(parents: &[u32], place: &[u32], mut left: u32, mut right: u32) -> u32 {
    while left != right {
        while place[left as usize] > place[right as usize] {
            left = parents[left as usize];
        }
        while place[right as usize] > place[left as usize] {
            right = parents[right as usize];
        }
    }
    left
}

fn spans(parents: &[u32], order: &[u32]) -> Vec<(u32, u32)> {
    let mut children = vec![Vec::new(); parents.len()];
    for &node in order {
        let parent = parents[node as usize];
        if parent != NONE && parent != node {
            children[parent as usize].push(node);
        }
    }
    let mut spans = vec![(0, 0); parents.len()];
    let mut clock = 0;
    let mut stack: Vec<(u32, usize)> = order.first().map(|&root| (root, 0)).into_iter().collect();
    while let Some((node, next)) = stack.last_mut() {
        if *next == 0 {
            spans[*node as usize].0 = clock;
            clock += 1;
        }
        match children[*node as usize].get(*next) {
            Some(&child) => {
                *next += 1;
                stack.push((child, 0));
            }
            None => {
                spans[*node as usize].1 = clock;
                stack.pop();
            }
        }
    }
    spans
}

fn number(block: BlockId) -> u32 {
    block.index() as u32
}

fn block(number: u32) -> BlockId {
    BlockId::from_index(number as usize)
}

/// Which blocks every way to a block goes through.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    /// The dominators of a function's blocks.
    pub fn new(cfg: &Cfg) -> Self {
        let order: Vec<u32> = cfg.reverse_postorder().iter().map(|&block| number(block)).collect();
        let predecessors = |node: u32| {
            cfg.predecessors(block(node)).iter().map(|&block| number(block)).collect::<Vec<_>>().into()
        };
        Self { tree: Tree::new(cfg.block_count(), &order, predecessors) }
    }

    /// The nearest block, other than itself, that every way to `of` goes through; `None` for the entry and for a block
    /// that cannot be reached.
    pub fn immediate(&self, of: BlockId) -> Option<BlockId> {
        self.tree.parent(number(of)).map(block)
    }

    /// Whether every way to `below` goes through `above`; a block dominates itself. False for blocks that cannot be
    /// reached.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.tree.dominates(number(above), number(below))
    }
}

/// Which blocks every way from a block to the end of the function goes through.
#[derive(Clone, Debug)]
pub struct PostDominators {
    /// Over the blocks, the exit and the latches, numbered in this order.
    tree: Tree,
    exit: u32,
    /// For each back edge of an endless loop, the latch that it goes through.
    latches: FxHashMap<(u32, u32), u32>,
}

impl PostDominators {
    /// The post-dominators of a function's blocks.
    pub fn new(cfg: &Cfg) -> Self {
        let exit = cfg.block_count() as u32;
        let headers = endless_loops(cfg);
        let count = cfg.block_count() + 1 + headers.len();
        let latches: FxHashMap<(u32, u32), u32> = back_edges(cfg, &headers, exit + 1).collect();
        let mut successors = vec![Vec::new(); count];
        for node in 0..exit {
            successors[node as usize] = cfg
                .successors(block(node))
                .iter()
                .map(|&next| *latches.get(&(node, number(next))).unwrap_or(&number(next)))
                .collect();
            if successors[node as usize].is_empty() {
                successors[node as usize].push(exit);
            }
        }
        for (index, &header) in headers.iter().enumerate() {
            successors[exit as usize + 1 + index] = vec![number(header), exit];
        }
        let mut predecessors = vec![Vec::new(); count];
        for (node, targets) in successors.iter().enumerate() {
            targets.iter().for_each(|&target| predecessors[target as usize].push(node as u32));
        }
        let order = reverse_postorder(count, exit, |node| predecessors[node as usize].clone());
        let before = |node: u32| std::borrow::Cow::from(&successors[node as usize]);
        Self { tree: Tree::new(count, &order, before), exit, latches }
    }

    /// The nearest block, other than itself, that every way from `of` to the end goes through; `None` if there is none.
    pub fn immediate(&self, of: BlockId) -> Option<BlockId> {
        self.tree.parent(number(of)).filter(|&parent| parent < self.exit).map(block)
    }

    /// Whether every way from `above` to the end goes through `below`; a block post-dominates itself.
    pub fn post_dominates(&self, below: BlockId, above: BlockId) -> bool {
        self.tree.dominates(number(below), number(above))
    }

    /// For each block, the blocks whose branch decides whether it is executed, in order.
    pub fn control_dependence(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut dependence = vec![Vec::new(); cfg.block_count()];
        for &branch in cfg.reverse_postorder() {
            let stop = self.tree.parents[branch.index()];
            for &successor in cfg.successors(branch) {
                let edge = (number(branch), number(successor));
                let mut node = *self.latches.get(&edge).unwrap_or(&number(successor));
                // Blocks are numbered before the exit and the latches, above which no block stands.
                while node != stop && node < self.exit {
                    let deciders: &mut Vec<BlockId> = &mut dependence[node as usize];
                    if deciders.last() == Some(&branch) {
                        break;
                    }
                    deciders.push(branch);
                    node = self.tree.parents[node as usize];
                }
            }
        }
        dependence.iter_mut().for_each(|deciders| deciders.sort_unstable());
        dependence
    }
}

/// The headers of the loops that cannot be left, one for each: the first block that control meets of the blocks that
/// reach each other and nothing else.
fn endless_loops(cfg: &Cfg) -> Vec<BlockId> {
    let mut leaves = vec![false; cfg.block_count()];
    let ends = (0..leaves.len()).map(BlockId::from_index).filter(|&end| cfg.successors(end).is_empty());
    mark(ends.collect(), &mut leaves, |at| cfg.predecessors(at));
    let endless: Vec<u32> = (cfg.reverse_postorder().iter())
        .filter(|block| !leaves[block.index()])
        .map(|&block| number(block))
        .collect();
    if endless.is_empty() {
        return Vec::new();
    }
    // In the reversed graph the blocks of a loop that leads nowhere else come before those that lead to it.
    let root = cfg.block_count() as u32;
    let order = reverse_postorder(cfg.block_count() + 1, root, |node| match node == root {
        true => endless.clone(),
        false => cfg.predecessors(block(node)).iter().map(|&before| number(before)).collect(),
    });
    let mut headers = Vec::new();
    for &node in order.iter().filter(|&&node| node != root && cfg.is_reachable(block(node))) {
        if !leaves[node as usize] {
            let mut members = vec![false; cfg.block_count()];
            mark(vec![block(node)], &mut members, |at| cfg.successors(at));
            let header = cfg.reverse_postorder().iter().find(|block| members[block.index()]);
            headers.extend(header);
            mark(vec![block(node)], &mut leaves, |at| cfg.predecessors(at));
        }
    }
    headers
}

/// The edges back to the headers, with the latches that they go through.
fn back_edges<'c>(
    cfg: &'c Cfg,
    headers: &'c [BlockId],
    first_latch: u32,
) -> impl Iterator<Item = ((u32, u32), u32)> + 'c {
    headers.iter().zip(first_latch..).flat_map(move |(&header, latch)| {
        let mut members = vec![false; cfg.block_count()];
        mark(vec![header], &mut members, |at| cfg.successors(at));
        let sources = cfg.predecessors(header).iter().filter(move |block| members[block.index()]);
        sources.map(move |&from| ((number(from), number(header)), latch))
    })
}

/// Marks all blocks that can be reached from those of `work` along `next`.
fn mark<'c>(mut work: Vec<BlockId>, marked: &mut [bool], next: impl Fn(BlockId) -> &'c [BlockId]) {
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut marked[block.index()], true) {
            work.extend(next(block));
        }
    }
}

fn reverse_postorder(count: usize, root: u32, next: impl Fn(u32) -> Vec<u32>) -> Vec<u32> {
    let mut seen = vec![false; count];
    let mut postorder = Vec::with_capacity(count);
    let mut stack = vec![(root, next(root))];
    seen[root as usize] = true;
    while let Some((node, open)) = stack.last_mut() {
        match open.pop() {
            Some(found) => {
                if !std::mem::replace(&mut seen[found as usize], true) {
                    stack.push((found, next(found)));
                }
            }
            None => {
                postorder.push(*node);
                stack.pop();
            }
        }
    }
    postorder.reverse();
    postorder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, Block, Function, Instruction, InstructionId, Linkage, Op, Operand, Types};

    /// A function with a block for each list of successors.
    fn function(edges: &[&[usize]]) -> Function {
        let mut types = Types::new(16);
        let mut constants: Arena<crate::ConstantId, ()> = Arena::new();
        let condition = Operand::Constant(constants.push(()));
        let mut function = Function::declaration("f", Linkage::External, types.void());
        for targets in edges {
            let target = |index: usize| BlockId::from_index(targets[index]);
            let op = match targets.len() {
                0 => Op::Return(None),
                1 => Op::Branch(target(0)),
                _ => Op::ConditionalBranch { condition, then: target(0), otherwise: target(1) },
            };
            let first = function.instructions.push(Instruction { op, result: None, location: None });
            let end = InstructionId::from_index(first.index() + 1);
            function.blocks.push(Block { label: String::new(), first, end });
        }
        function
    }

    /// Whether `above` dominates `below` by the definition: without it, `below` cannot be reached.
    fn dominates_by_definition(edges: &[&[usize]], from: usize, above: usize, below: usize) -> bool {
        let mut seen = vec![false; edges.len()];
        let mut work = if from == above { vec![] } else { vec![from] };
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                work.extend(edges[node].iter().filter(|&&next| next != above));
            }
        }
        !seen[below]
    }

    const GRAPHS: &[&[&[usize]]] = &[
        &[&[1, 2], &[3], &[3], &[]],
        &[&[1], &[2, 3], &[1], &[]],
        &[&[1, 2], &[3, 4], &[4], &[5], &[5], &[1, 6], &[]],
        &[&[1, 2], &[2, 3], &[1, 3], &[]],
        &[&[1, 4], &[2, 3], &[3], &[0], &[]],
    ];

    #[test]
    fn dominators_are_those_of_the_definition() {
        for edges in GRAPHS {
            let dominators = Dominators::new(&Cfg::new(&function(edges)));
            for above in 0..edges.len() {
                for below in 0..edges.len() {
                    let found = dominators.dominates(BlockId::from_index(above), BlockId::from_index(below));
                    assert_eq!(
                        found,
                        dominates_by_definition(edges, 0, above, below),
                        "{edges:?} {above} {below}"
                    );
                }
            }
        }
    }

    #[test]
    fn post_dominators_are_those_of_the_definition() {
        for edges in GRAPHS {
            let post = PostDominators::new(&Cfg::new(&function(edges)));
            let exit = edges.iter().position(|targets| targets.is_empty()).expect("one block returns");
            let mut reversed = vec![Vec::new(); edges.len()];
            for (from, targets) in edges.iter().enumerate() {
                targets.iter().for_each(|&to| reversed[to].push(from));
            }
            let reversed: Vec<&[usize]> = reversed.iter().map(Vec::as_slice).collect();
            for below in 0..edges.len() {
                for above in 0..edges.len() {
                    let found = post.post_dominates(BlockId::from_index(below), BlockId::from_index(above));
                    assert_eq!(
                        found,
                        dominates_by_definition(&reversed, exit, below, above),
                        "{edges:?} {below} {above}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_branch_decides_its_sides_and_a_loop_itself() {
        let names = |dependence: &[BlockId]| dependence.iter().map(|block| block.index()).collect::<Vec<_>>();
        let diamond = Cfg::new(&function(GRAPHS[0]));
        let dependence = PostDominators::new(&diamond).control_dependence(&diamond);
        assert_eq!(
            dependence.iter().map(|blocks| names(blocks)).collect::<Vec<_>>(),
            [vec![], vec![0], vec![0], vec![]]
        );
        let cycle = Cfg::new(&function(GRAPHS[1]));
        let dependence = PostDominators::new(&cycle).control_dependence(&cycle);
        assert_eq!(
            dependence.iter().map(|blocks| names(blocks)).collect::<Vec<_>>(),
            [vec![], vec![1], vec![1], vec![]]
        );
    }

    /// For each block, the blocks that decide whether it is executed.
    fn deciders(edges: &[&[usize]]) -> Vec<Vec<usize>> {
        let cfg = Cfg::new(&function(edges));
        let dependence = PostDominators::new(&cfg).control_dependence(&cfg);
        dependence.iter().map(|blocks| blocks.iter().map(|block| block.index()).collect()).collect()
    }

    #[test]
    fn an_endless_loop_is_followed_by_nothing() {
        let cfg = Cfg::new(&function(&[&[1, 2], &[1], &[]]));
        let post = PostDominators::new(&cfg);
        assert_eq!(post.immediate(BlockId::from_index(1)), None);
        assert!(!post.post_dominates(BlockId::from_index(2), BlockId::from_index(1)));
        assert_eq!(deciders(&[&[1, 2], &[1], &[]]), [vec![], vec![0], vec![0]]);
    }

    #[test]
    fn decisions_inside_an_endless_loop_are_those_of_a_turn() {
        // while (1) { if (1) 2; else 3; 4; }
        let diamond: &[&[usize]] = &[&[1], &[2, 3], &[4], &[4], &[1]];
        assert_eq!(deciders(diamond), [vec![], vec![], vec![1], vec![1], vec![]]);
        let post = PostDominators::new(&Cfg::new(&function(diamond)));
        assert_eq!(post.immediate(BlockId::from_index(1)), Some(BlockId::from_index(4)));
        // while (1) { 1; if (1) continue; 2; }
        assert_eq!(deciders(&[&[1], &[1, 2], &[1]]), [vec![], vec![], vec![1]]);
        // while (1) { 1; while (2) 3; 4; }
        assert_eq!(deciders(&[&[1], &[2], &[3, 4], &[2], &[1]]), [vec![], vec![], vec![2], vec![2], vec![]]);
    }

    #[test]
    fn each_endless_loop_has_its_own_end() {
        // if (0) while (1) 2; else while (3) 4;  both without end, and a loop in front that leads to the second
        let edges: &[&[usize]] = &[&[1, 3], &[2], &[1], &[3, 4], &[5], &[4]];
        assert_eq!(deciders(edges), [vec![], vec![0], vec![0], vec![0, 3], vec![0], vec![0]]);
    }

    #[test]
    fn an_endless_loop_decides_what_would_come_after() {
        // while (1) { if (1) return 2; while (3) 3; }
        let edges: &[&[usize]] = &[&[1], &[2, 3], &[], &[3]];
        assert_eq!(deciders(edges), [vec![], vec![], vec![1], vec![1]]);
    }

    #[test]
    fn blocks_that_cannot_be_reached_do_not_matter() {
        assert_eq!(deciders(&[&[1], &[1], &[2], &[2, 1]])[1], Vec::<usize>::new());
    }
}
