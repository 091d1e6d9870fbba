//! The order of decisions: a binary heap of nodes by activity (VSIDS, with exponentially growing increments
//! as in MiniSat). Ties go to the older node, so that the order does not depend on how the heap came about.

use crate::blast::gates::GateNode;

const ABSENT: u32 = u32::MAX;
const RESCALE_ABOVE: f64 = 1e100;
const DECAY: f64 = 0.95;

pub(super) struct ActivityHeap {
    heap: Vec<GateNode>,
    /// By node: its position in the heap, or `ABSENT`.
    positions: Vec<u32>,
    activities: Vec<f64>,
    increment: f64,
}

impl ActivityHeap {
    pub(super) fn new() -> Self {
        ActivityHeap { heap: Vec::new(), positions: Vec::new(), activities: Vec::new(), increment: 1.0 }
    }

    /// Makes room for all nodes of a graph of this size.
    pub(super) fn grow(&mut self, node_count: usize) {
        self.positions.resize(node_count, ABSENT);
        self.activities.resize(node_count, 0.0);
    }

    /// Whether a node took part in a conflict, not too long ago.
    pub(super) fn is_active(&self, node: GateNode) -> bool {
        self.activities[node.index()] > 0.0
    }

    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    /// Takes all nodes out, whatever their order.
    pub(super) fn clear(&mut self) {
        for node in self.heap.drain(..) {
            self.positions[node.index()] = ABSENT;
        }
    }

    pub(super) fn insert(&mut self, node: GateNode) {
        if self.positions[node.index()] == ABSENT {
            self.heap.push(node);
            self.sift_up(self.heap.len() - 1);
        }
    }

    pub(super) fn pop(&mut self) -> Option<GateNode> {
        let top = *self.heap.first()?;
        self.positions[top.index()] = ABSENT;
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.heap[0] = last;
            self.sift_down(0);
        }
        Some(top)
    }

    /// Makes a node that took part in a conflict more likely to be decided next.
    pub(super) fn bump(&mut self, node: GateNode) {
        self.activities[node.index()] += self.increment;
        if self.activities[node.index()] > RESCALE_ABOVE {
            self.rescale();
        }
        let position = self.positions[node.index()];
        if position != ABSENT {
            self.sift_up(position as usize);
        }
    }

    /// Lets all earlier bumps count less from now on.
    pub(super) fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn rescale(&mut self) {
        for activity in &mut self.activities {
            *activity /= RESCALE_ABOVE;
        }
        self.increment /= RESCALE_ABOVE;
        // Activities that vanish become equal, and equal ones are in the order of the nodes.
        let nodes = std::mem::take(&mut self.heap);
        for node in &nodes {
            self.positions[node.index()] = ABSENT;
        }
        for node in nodes {
            self.insert(node);
        }
    }

    fn before(&self, a: GateNode, b: GateNode) -> bool {
        let (x, y) = (self.activities[a.index()], self.activities[b.index()]);
        x > y || (x == y && a < b)
    }

    fn place(&mut self, position: usize, node: GateNode) {
        self.heap[position] = node;
        self.positions[node.index()] = position as u32;
    }

    fn sift_up(&mut self, mut position: usize) {
        let node = self.heap[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            if !self.before(node, self.heap[parent]) {
                break;
            }
            self.place(position, self.heap[parent]);
            position = parent;
        }
        self.place(position, node);
    }

    fn sift_down(&mut self, mut position: usize) {
        let node = self.heap[position];
        loop {
            let mut child = 2 * position + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.before(self.heap[child + 1], self.heap[child]) {
                child += 1;
            }
            if !self.before(self.heap[child], node) {
                break;
            }
            self.place(position, self.heap[child]);
            position = child;
        }
        self.place(position, node);
    }
}
