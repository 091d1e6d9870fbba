//! What enters and leaves the cone. Assumptions form a stack, each with the nodes that it was the first to
//! need.

use super::{Sat, UserLink};
use crate::blast::gates::{Bit, Gate, GateNode, Gates};

/// The assumptions need more gates than the caller allows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct ConeTooLarge;

impl Sat {
    /// Replaces the assumptions, none of which may be a constant. What the old and the new list begin with in
    /// common is kept with all its consequences. If the cone would exceed `limit` nodes, a prefix of the
    /// assumptions is left in place.
    pub(crate) fn assume(
        &mut self,
        gates: &Gates,
        assumptions: &[Bit],
        limit: usize,
    ) -> Result<(), ConeTooLarge> {
        self.grow(gates.len());
        let shared = self.assumptions.iter().zip(assumptions).take_while(|(old, new)| old.0 == **new).count();
        self.backtrack(shared);
        if let Some(&(_, size)) = self.assumptions.get(shared) {
            self.shrink_cone(gates, size);
            self.assumptions.truncate(shared);
        }
        for &assumption in &assumptions[shared..] {
            let size = self.cone.len();
            self.enter_cone(gates, assumption.node());
            if self.cone.len() > limit {
                self.shrink_cone(gates, size);
                return Err(ConeTooLarge);
            }
            self.assumptions.push((assumption, size));
        }
        self.tidy_heap();
        Ok(())
    }

    fn enter_cone(&mut self, gates: &Gates, root: GateNode) {
        let mut next = self.cone.len();
        self.add_to_cone(gates, root);
        // The cone itself is the queue: the nodes from `next` on still wait for their operands.
        while let Some(&node) = self.cone.get(next) {
            next += 1;
            let (operands, count) = gates.gate(node).operands();
            for operand in &operands[..count] {
                let before =
                    std::mem::replace(&mut self.users[operand.node().index()], self.links.len() as u32);
                self.links.push(UserLink { user: node, before });
                self.add_to_cone(gates, operand.node());
            }
            if count > 0 {
                self.entered.push(node);
            }
        }
    }

    fn add_to_cone(&mut self, gates: &Gates, node: GateNode) {
        let data = &mut self.nodes[node.index()];
        if data.in_cone {
            return;
        }
        data.in_cone = true;
        data.is_input = matches!(gates.gate(node), Gate::Input);
        self.cone.push(node);
        if self.values[node.bit(true).index()] == 0 {
            self.unassigned += 1;
            self.offer_decision(node);
        }
    }

    /// Takes the nodes that entered last out of the cone, until `size` are left.
    fn shrink_cone(&mut self, gates: &Gates, size: usize) {
        for &node in self.cone[size..].iter().rev() {
            self.nodes[node.index()].in_cone = false;
            if self.values[node.bit(true).index()] == 0 {
                self.unassigned -= 1;
            }
            let (operands, count) = gates.gate(node).operands();
            for operand in operands[..count].iter().rev() {
                if let Some(link) = self.links.pop() {
                    debug_assert_eq!(link.user, node);
                    self.users[operand.node().index()] = link.before;
                }
            }
        }
        self.cone.truncate(size);
    }

    /// Nodes that left the cone stay in the heap until they come to its top; when there are many, it is made
    /// anew.
    fn tidy_heap(&mut self) {
        if self.heap.len() > 2 * self.cone.len() + 1000 {
            self.heap.clear();
            for position in 0..self.cone.len() {
                let node = self.cone[position];
                if self.values[node.bit(true).index()] == 0 {
                    self.offer_decision(node);
                }
            }
        }
    }

    /// Makes a node a candidate for decisions: an input, or a gate that took part in a conflict. The values
    /// of all other gates follow from those of the inputs.
    pub(super) fn offer_decision(&mut self, node: GateNode) {
        if self.nodes[node.index()].is_input || self.heap.is_active(node) {
            self.heap.insert(node);
        }
    }
}
