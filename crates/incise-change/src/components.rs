//! The strongly connected components of a graph, by Tarjan's "Depth-First Search and Linear Graph Algorithms" (1972),
//! with a stack of its own.

/// The components of a graph. A component has a higher number than all other components that it leads to.
pub(crate) struct Components {
    /// For each node, its component.
    pub(crate) of: Vec<u32>,
    /// For each component, its nodes in order.
    pub(crate) members: Vec<Vec<u32>>,
    /// For each component, whether it holds a cycle.
    pub(crate) cyclic: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl Components {
    /// The components of the graph of nodes below `count`.
    pub(crate) fn new<'g>(count: usize, successors: impl Fn(u32) -> &'g [u32]) -> Self {
        let mut found = Self { of: vec![NONE; count], members: Vec::new(), cyclic: Vec::new() };
        let mut entered = vec![NONE; count];
        let mut lowest = vec![NONE; count];
        let mut open: Vec<u32> = Vec::new();
        let mut stack: Vec<(u32, usize)> = Vec::new();
        let mut clock = 0;
        for root in 0..count as u32 {
            if entered[root as usize] != NONE {
                continue;
            }
            stack.push((root, 0));
            while let Some((node, next)) = stack.last_mut() {
                let at = *node as usize;
                if *next == 0 {
                    (entered[at], lowest[at]) = (clock, clock);
                    clock += 1;
                    open.push(*node);
                }
                let Some(&target) = successors(*node).get(*next) else {
                    let node = *node;
                    stack.pop();
                    if let Some((above, _)) = stack.last() {
                        lowest[*above as usize] = lowest[*above as usize].min(lowest[at]);
                    }
                    if lowest[at] == entered[at] {
                        found.close(node, &mut open, successors(node).contains(&node));
                    }
                    continue;
                };
                *next += 1;
                if entered[target as usize] == NONE {
                    // The visit of the target starts at zero, so a node that was entered is never entered again.
                    stack.push((target, 0));
                } else if found.of[target as usize] == NONE {
                    lowest[at] = lowest[at].min(entered[target as usize]);
                }
            }
        }
        found
    }

    /// Makes a component of the open nodes down to `node`.
    fn close(&mut self, node: u32, open: &mut Vec<u32>, calls_itself: bool) {
        let number = self.members.len() as u32;
        let start = open.iter().rposition(|&each| each == node).unwrap_or(0);
        let mut members = open.split_off(start);
        members.sort_unstable();
        members.iter().for_each(|&member| self.of[member as usize] = number);
        self.cyclic.push(members.len() > 1 || calls_itself);
        self.members.push(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_after_what_they_lead_to() {
        let edges: &[&[u32]] = &[&[1], &[2, 3], &[1], &[4], &[4], &[0], &[]];
        let found = Components::new(edges.len(), |node| edges[node as usize]);
        for (node, targets) in edges.iter().enumerate() {
            for &target in *targets {
                assert!(found.of[node] >= found.of[target as usize], "{node} leads to {target}");
            }
        }
        assert_eq!(found.of[1], found.of[2]);
        assert_eq!(found.members[found.of[1] as usize], [1, 2]);
        let cyclic: Vec<bool> = (0..edges.len()).map(|node| found.cyclic[found.of[node] as usize]).collect();
        assert_eq!(cyclic, [false, true, true, false, true, false, false]);
    }

    #[test]
    fn a_long_chain_does_not_overflow_the_stack() {
        let edges: Vec<Vec<u32>> =
            (0..200_000).map(|node| if node == 199_999 { vec![0] } else { vec![node + 1] }).collect();
        let found = Components::new(edges.len(), |node| &edges[node as usize]);
        assert_eq!(found.members.len(), 1);
    }
}
