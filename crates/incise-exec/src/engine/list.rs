//! A persistent list: a fork shares what came before it.

use std::rc::Rc;

/// A singly linked list that grows at one end. A clone is a pointer; dropping a long one does not recurse.
pub struct SharedList<T> {
    head: Option<Rc<ListNode<T>>>,
    len: usize,
}

struct ListNode<T> {
    item: T,
    rest: Option<Rc<ListNode<T>>>,
}

impl<T> SharedList<T> {
    /// No items.
    pub fn new() -> Self {
        Self { head: None, len: 0 }
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) {
        let rest = self.head.take();
        self.head = Some(Rc::new(ListNode { item, rest }));
        self.len += 1;
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether it is the same list: not only one with the same items.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        match (&self.head, &other.head) {
            (Some(one), Some(other)) => Rc::ptr_eq(one, other),
            (None, None) => true,
            _ => false,
        }
    }

    /// The items, newest first.
    pub fn iter_newest_first(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.head.as_deref(), |node| node.rest.as_deref()).map(|node| &node.item)
    }

    /// The items, oldest first.
    pub fn to_vec(&self) -> Vec<&T> {
        let mut items = Vec::with_capacity(self.len);
        items.extend(self.iter_newest_first());
        items.reverse();
        items
    }
}

impl<T: Clone> SharedList<T> {
    /// Takes the newest item off.
    pub fn pop(&mut self) -> Option<T> {
        let node = self.head.take()?;
        self.len -= 1;
        match Rc::try_unwrap(node) {
            Ok(node) => {
                self.head = node.rest;
                Some(node.item)
            }
            Err(shared) => {
                self.head.clone_from(&shared.rest);
                Some(shared.item.clone())
            }
        }
    }
}

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Clone for SharedList<T> {
    fn clone(&self) -> Self {
        Self { head: self.head.clone(), len: self.len }
    }
}

impl<T> Drop for SharedList<T> {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(node) = next {
            match Rc::try_unwrap(node) {
                Ok(mut node) => next = node.rest.take(),
                Err(_) => break,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_dropped_without_recursion() {
        let mut list = SharedList::new();
        for number in 0..1_000_000 {
            list.push(number);
        }
        let fork = list.clone();
        drop(list);
        assert_eq!((fork.len(), fork.iter_newest_first().next()), (1_000_000, Some(&999_999)));
    }

    #[test]
    fn forks_do_not_see_each_other() {
        let mut list = SharedList::new();
        list.push(1);
        let mut fork = list.clone();
        fork.push(2);
        list.push(3);
        assert_eq!(fork.to_vec(), [&1, &2]);
        assert_eq!(list.pop(), Some(3));
        assert_eq!(list.to_vec(), [&1]);
        assert_eq!(fork.pop(), Some(2));
    }
}
