//! Dominators, post-dominators and control dependence.
//!
//! Dominators are found by the iterative algorithm of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001);
//! control dependence is that of Ferrante, Ottenstein and Warren, "The Program Dependence Graph and Its Use in
//! Optimization" (1987). Post-dominators are dominators of the reversed graph from a virtual exit, which all blocks without
//! successors lead to. A block that can reach no exit (an endless loop) has no post-dominator here; nothing is said to be control
//! dependent because of such a loop's endlessness.

use crate::{BlockId, Cfg, Id};

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

    /// Whether every way to `below` goes through `above`; a block dominates itself. False for blocks that cannot be reached.
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.tree.dominates(number(above), number(below))
    }
}

/// Which blocks every way from a block to the end of the function goes through.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    exit: u32,
}

impl PostDominators {
    /// The post-dominators of a function's blocks.
    pub fn new(cfg: &Cfg) -> Self {
        let count = cfg.block_count();
        let exit = count as u32;
        let is_exit = |node: u32| cfg.successors(block(node)).is_empty();
        // In the reversed graph, a node's successors are its predecessors, and the exit's are all blocks that end the function.
        let exits: Vec<u32> = (0..exit).filter(|&node| is_exit(node)).collect();
        let next = |node: u32| -> Vec<u32> {
            if node == exit {
                exits.clone()
            } else {
                cfg.predecessors(block(node)).iter().map(|&block| number(block)).collect()
            }
        };
        let order = reverse_postorder(count + 1, exit, next);
        let before = |node: u32| -> std::borrow::Cow<'_, [u32]> {
            if node < exit && is_exit(node) {
                vec![exit].into()
            } else if node < exit {
                cfg.successors(block(node)).iter().map(|&block| number(block)).collect::<Vec<_>>().into()
            } else {
                Vec::new().into()
            }
        };
        Self { tree: Tree::new(count + 1, &order, before), exit }
    }

    /// The nearest block, other than itself, that every way from `of` to the end goes through; `None` if there is none.
    pub fn immediate(&self, of: BlockId) -> Option<BlockId> {
        self.tree.parent(number(of)).filter(|&parent| parent != self.exit).map(block)
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
                let mut node = number(successor);
                while node != stop && node != self.exit && node != NONE {
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

    #[test]
    fn an_endless_loop_has_no_post_dominator() {
        let cfg = Cfg::new(&function(&[&[1, 2], &[1], &[]]));
        let post = PostDominators::new(&cfg);
        assert_eq!(post.immediate(BlockId::from_index(1)), None);
        assert!(!post.post_dominates(BlockId::from_index(2), BlockId::from_index(1)));
    }
}
