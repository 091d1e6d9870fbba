//! Sets of objects with a name, so that a place may be one of many objects.

use super::ObjectId;
use super::set::SparseSet;
use rustc_hash::FxHashMap;

/// A set of objects of a program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectSetId(u32);

impl std::fmt::Debug for ObjectSetId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "set{}", self.0)
    }
}

/// The objects that a pointer may point into.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct View {
    pub(crate) objects: SparseSet,
    /// Whether it may point to what code outside of the program knows.
    pub(crate) outside: bool,
    /// Whether it may point anywhere.
    pub(crate) unknown: bool,
    /// Whether it may point to what is never written and holds no addresses.
    pub(crate) harmless: bool,
}

impl View {
    pub(crate) fn of(object: ObjectId) -> Self {
        Self { objects: SparseSet::from_iter([object.index() as u32]), ..Self::default() }
    }

    pub(crate) fn borrow(&self) -> ViewRef<'_> {
        ViewRef {
            objects: &self.objects,
            outside: self.outside,
            unknown: self.unknown,
            harmless: self.harmless,
        }
    }
}

/// A [`View`] of somebody else's.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ViewRef<'a> {
    pub(crate) objects: &'a SparseSet,
    pub(crate) outside: bool,
    pub(crate) unknown: bool,
    pub(crate) harmless: bool,
}

impl ViewRef<'_> {
    /// Whether nothing is known: a pointer that seems to point nowhere may be used in ways that the analysis does not
    /// see.
    pub(crate) fn is_anything(self) -> bool {
        self.unknown || (self.objects.is_empty() && !self.outside && !self.harmless)
    }
}

/// The sets of objects that have a name.
#[derive(Debug, Default)]
pub(crate) struct ObjectSets {
    list: Vec<SparseSet>,
    numbers: FxHashMap<SparseSet, ObjectSetId>,
    /// The objects that code outside of the program may know.
    exposed: SparseSet,
}

impl ObjectSets {
    pub(crate) fn new(count: usize, exposed: &[bool]) -> Self {
        let exposed = (0..count as u32).filter(|&number| exposed[number as usize]).collect();
        Self { list: Vec::new(), numbers: FxHashMap::default(), exposed }
    }

    /// The name of a set.
    pub(crate) fn intern(&mut self, set: SparseSet) -> ObjectSetId {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let id = ObjectSetId(self.list.len() as u32);
        self.list.push(set.clone());
        self.numbers.insert(set, id);
        id
    }

    pub(crate) fn get(&self, id: ObjectSetId) -> &SparseSet {
        &self.list[id.0 as usize]
    }

    /// Whether a pointer may point into an object.
    pub(crate) fn contains(&self, view: ViewRef<'_>, object: ObjectId) -> bool {
        let number = object.index() as u32;
        view.is_anything() || view.objects.contains(number) || (view.outside && self.exposed.contains(number))
    }

    /// Whether two pointers may point into the same object.
    pub(crate) fn overlap(&self, left: ViewRef<'_>, right: ViewRef<'_>) -> bool {
        left.is_anything()
            || right.is_anything()
            || (left.outside && right.outside)
            || (left.outside && right.objects.intersects(&self.exposed))
            || (right.outside && left.objects.intersects(&self.exposed))
            || left.objects.intersects(right.objects)
    }
}
