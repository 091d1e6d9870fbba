//! Pages that nobody wrote to yet: all objects of a size share them.

use crate::memory::{Object, ObjectInfo, PAGE, Page};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Blank pages, by size.
#[derive(Default)]
pub(crate) struct BlankPages {
    uninitialised: FxHashMap<u64, Rc<Page>>,
    zero: FxHashMap<u64, Rc<Page>>,
}

impl BlankPages {
    /// An object of `size` bytes that were never written.
    pub(crate) fn uninitialised_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        filled(&mut self.uninitialised, info, size, Page::uninitialised)
    }

    /// An object of `size` zero bytes.
    pub(crate) fn zeroed_object(&mut self, info: Rc<ObjectInfo>, size: u64) -> Object {
        filled(&mut self.zero, info, size, Page::zeroed)
    }
}

fn filled(
    known: &mut FxHashMap<u64, Rc<Page>>,
    info: Rc<ObjectInfo>,
    size: u64,
    make: fn(usize) -> Page,
) -> Object {
    let mut page = |size: u64| known.entry(size).or_insert_with(|| Rc::new(make(size as usize))).clone();
    let first = page(size.min(PAGE));
    let tail = (size > PAGE && !size.is_multiple_of(PAGE)).then(|| page(size % PAGE));
    Object::filled(info, size, first, tail)
}
