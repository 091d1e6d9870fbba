//! A persistent vector: a radix tree whose nodes are shared between forks and copied on write.

use std::rc::Rc;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// Some items that lie together, or the way to more of them.
#[derive(Clone)]
pub(super) enum VectorNode<T> {
    Branch([Option<Rc<VectorNode<T>>>; FAN_OUT]),
    Leaf([T; FAN_OUT]),
}

/// A vector of `T`. A clone is a pointer; a write copies one node a level.
#[derive(Clone)]
pub(crate) struct PersistentVector<T> {
    root: Option<Rc<VectorNode<T>>>,
    /// The number of branch levels above the leaves.
    height: u32,
    len: u64,
}

impl<T: Clone + Default> PersistentVector<T> {
    pub(crate) fn new() -> Self {
        Self { root: None, height: 0, len: 0 }
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    pub(crate) fn get(&self, index: u64) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match node {
                VectorNode::Branch(children) => {
                    let slot = (index >> (level * BITS)) as usize & (FAN_OUT - 1);
                    node = children[slot].as_deref()?;
                    level -= 1;
                }
                VectorNode::Leaf(items) => return Some(&items[index as usize & (FAN_OUT - 1)]),
            }
        }
    }

    /// What is shared between forks, in order: each has as many items, and the last more than there are.
    pub(super) fn leaves(&self) -> impl Iterator<Item = Option<&Rc<VectorNode<T>>>> {
        (0..self.len).step_by(FAN_OUT).map(|index| {
            let mut node = self.root.as_ref()?;
            for level in (0..=self.height).rev() {
                let VectorNode::Branch(children) = &**node else { break };
                node = children[(index >> (level * BITS)) as usize & (FAN_OUT - 1)].as_ref()?;
            }
            Some(node)
        })
    }

    pub(crate) fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        if index >= self.len {
            return None;
        }
        let mut node = Rc::make_mut(self.root.as_mut()?);
        let mut level = self.height;
        loop {
            match node {
                VectorNode::Branch(children) => {
                    let slot = (index >> (level * BITS)) as usize & (FAN_OUT - 1);
                    level -= 1;
                    let child = children[slot].get_or_insert_with(|| Rc::new(Self::empty_node(level)));
                    node = Rc::make_mut(child);
                }
                VectorNode::Leaf(items) => return Some(&mut items[index as usize & (FAN_OUT - 1)]),
            }
        }
    }

    pub(crate) fn push(&mut self, item: T) {
        let index = self.len;
        self.len += 1;
        match self.root.take() {
            None => self.root = Some(Rc::new(Self::empty_node(0))),
            Some(root) if index >> ((self.height + 1) * BITS) != 0 => {
                let mut children = [const { None }; FAN_OUT];
                children[0] = Some(root);
                self.height += 1;
                self.root = Some(Rc::new(VectorNode::Branch(children)));
            }
            root => self.root = root,
        }
        if let Some(slot) = self.get_mut(index) {
            *slot = item;
        }
    }

    fn empty_node(level: u32) -> VectorNode<T> {
        if level == 0 {
            VectorNode::Leaf(std::array::from_fn(|_| T::default()))
        } else {
            VectorNode::Branch([const { None }; FAN_OUT])
        }
    }
}

impl<T> VectorNode<T> {
    /// The items of a leaf.
    pub(super) fn items(&self) -> &[T] {
        match self {
            Self::Branch(_) => &[],
            Self::Leaf(items) => items,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_have_all_items_in_order() {
        for length in [0, 1, 15, 16, 17, 255, 256, 257, 5000] {
            let mut vector = PersistentVector::new();
            (0..length).for_each(|number: u32| vector.push(number));
            let leaves = vector.leaves().flatten();
            let items: Vec<u32> = leaves.flat_map(|leaf| leaf.items()).copied().collect();
            assert!(items.len() - (length as usize) < FAN_OUT);
            assert_eq!(items[..length as usize], (0..length).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn grows_and_keeps_forks_apart() {
        let mut vector = PersistentVector::new();
        for number in 0..5000u32 {
            vector.push(number);
        }
        let fork = vector.clone();
        *vector.get_mut(4321).unwrap() = 7;
        assert!((0..5000).all(|index| fork.get(index) == Some(&(index as u32))));
        assert_eq!(vector.get(4321), Some(&7));
        assert_eq!(vector.get(5000), None);
    }
}
