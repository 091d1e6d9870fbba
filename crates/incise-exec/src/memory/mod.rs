//! Memory: objects at deterministic addresses, shared between forks and copied on write.
//!
//! Each object has a region of the address space to itself, so that an address tells its object without a search, a
//! pointer that strays outside is still known to be of that object, and no address is ever used twice on a path.

pub(crate) mod access;
pub(crate) mod bytes;
pub(crate) mod endless;
pub(crate) mod extent;
pub(crate) mod load;
mod object;
mod overlap;
pub(crate) mod pages;
mod vector;

pub(crate) use object::ObjectInfo;
pub use object::{Byte, Object, ObjectKind, PAGE, Page};

use crate::engine::thread::ThreadId;
use std::rc::Rc;
use vector::{PersistentVector, VectorNode};

/// Where the regions of objects start. Functions have their addresses below.
const REGIONS: u64 = 0x10_0000_0000;
const REGION_BITS: u32 = 24;
/// How far into its region an object starts, so that a small negative offset stays within.
const LEAD: u64 = 1 << 20;
/// Addresses below are null, or null with a small offset.
pub(crate) const NULL_ZONE: u64 = 1 << 16;
const FUNCTIONS: u64 = 0x40_0000;

/// The number of an object on a path: that of the thread that made it, and below these bits its own among that
/// thread's. So it does not depend on what other threads did in the meantime.
pub type Slot = u64;

const THREAD_SHIFT: u32 = 28;

#[derive(Clone, Default)]
enum Entry {
    #[default]
    Never,
    Live(Rc<Object>),
    /// Gone; what it was is kept for messages.
    Dead(Rc<ObjectInfo>),
    /// A further region of the object of that slot, which is too large for one.
    Continued(Slot),
}

/// What is at a place of a memory, for who looks at all of it.
pub(crate) enum Held<'a> {
    /// Nothing was ever there.
    Nothing,
    Live(&'a Rc<Object>),
    Dead(&'a ObjectInfo),
    /// A further region of an object.
    Continued(Slot),
}

/// A few places of a memory that lie together. As long as somebody has it, it does not change: who writes there gets a
/// copy.
pub(crate) struct Run(Option<Rc<VectorNode<Entry>>>);

impl Run {
    /// The same for the same places of two memories that share them, and no other's.
    pub(crate) fn number(&self) -> usize {
        self.0.as_ref().map_or(0, |leaf| Rc::as_ptr(leaf) as usize)
    }

    pub(crate) fn held(&self) -> impl Iterator<Item = Held<'_>> {
        let items = self.0.as_ref().map_or(&[][..], |leaf| leaf.items());
        items.iter().map(|entry| match entry {
            Entry::Never => Held::Nothing,
            Entry::Live(object) => Held::Live(object),
            Entry::Dead(info) => Held::Dead(info),
            Entry::Continued(slot) => Held::Continued(*slot),
        })
    }
}

/// The memory of a state.
#[derive(Clone)]
pub struct Memory {
    /// What the first thread made, globals and inputs included.
    entries: PersistentVector<Entry>,
    /// What the others made, by their numbers from 1 on.
    others: Vec<PersistentVector<Entry>>,
    /// The number of the thread that makes objects now.
    maker: u32,
    /// Whether accesses are told to the scheduler, because there is more than one thread.
    watched: bool,
    /// Whether somebody wants to know what the program writes to.
    notes_writes: bool,
}

/// What is at an address.
pub enum AddressTarget<'a> {
    /// An object, and the offset of the address from its start, possibly outside of it.
    Live(Slot, &'a Rc<Object>, i64),
    /// An object that is gone.
    Dead(&'a Rc<ObjectInfo>),
    /// Null or nearly.
    Null,
    /// Nothing.
    Nothing,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            entries: PersistentVector::new(),
            others: Vec::new(),
            maker: 0,
            watched: false,
            notes_writes: false,
        }
    }

    /// All that there is and was, maker by maker, each in the order in which it was made; how much each has made.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (u64, impl Iterator<Item = Run>)> {
        let all = std::iter::once(&self.entries).chain(&self.others);
        all.map(|entries| (entries.len(), entries.leaves().map(|leaf| Run(leaf.cloned()))))
    }

    /// Adds an object; returns its slot.
    pub(crate) fn add(&mut self, object: Object) -> Slot {
        let first = Slot::from(self.maker) << THREAD_SHIFT;
        let entries = match self.maker {
            0 => &mut self.entries,
            maker => &mut self.others[maker as usize - 1],
        };
        let slot = first + entries.len();
        let regions = (object.size + 2 * LEAD) >> REGION_BITS;
        entries.push(Entry::Live(Rc::new(object)));
        for _ in 0..regions {
            entries.push(Entry::Continued(slot));
        }
        slot
    }

    /// The memory of two paths, where `object` makes one object of two; `None` if the paths have not the same objects.
    /// What is gone in both may have been different things.
    pub(crate) fn merged(
        &self,
        other: &Self,
        mut object: impl FnMut(&Rc<Object>, &Rc<Object>) -> Option<Object>,
    ) -> Option<Self> {
        if !self.others.is_empty() || !other.others.is_empty() {
            return None;
        }
        let longer = if self.entries.len() >= other.entries.len() { self } else { other };
        let mut merged = longer.clone();
        for slot in 0..longer.entries.len() {
            let made = match (self.entries.get(slot), other.entries.get(slot)) {
                (Some(Entry::Live(one)), Some(Entry::Live(two))) if Rc::ptr_eq(one, two) => continue,
                (Some(Entry::Live(one)), Some(Entry::Live(two))) => object(one, two)?,
                (Some(Entry::Dead(_)), Some(Entry::Dead(_))) => continue,
                (Some(Entry::Never), Some(Entry::Never)) => continue,
                (Some(Entry::Continued(one)), Some(Entry::Continued(two))) if one == two => continue,
                (Some(Entry::Dead(_)), None) | (None, Some(Entry::Dead(_))) => continue,
                _ => return None,
            };
            *merged.entries.get_mut(slot)? = Entry::Live(Rc::new(made));
        }
        Some(merged)
    }

    /// From now on this thread makes objects.
    pub(crate) fn set_maker(&mut self, thread: ThreadId) {
        self.maker = thread.0;
        while self.others.len() < thread.0 as usize {
            self.others.push(PersistentVector::new());
        }
    }

    /// Whether accesses are told to the scheduler.
    #[inline]
    pub(crate) fn is_watched(&self) -> bool {
        self.watched
    }

    pub(crate) fn has_noted_writes(&self) -> bool {
        self.notes_writes
    }

    /// Has every write of the program come by `written_apart`.
    pub(crate) fn note_writes(&mut self) {
        self.notes_writes = true;
    }

    pub(crate) fn watch(&mut self, watched: bool) {
        self.watched = watched;
    }

    #[inline]
    fn entry(&self, slot: Slot) -> Option<&Entry> {
        match self.entries.get(slot) {
            None => self.entry_of_other(slot),
            found => found,
        }
    }

    #[cold]
    fn entry_of_other(&self, slot: Slot) -> Option<&Entry> {
        let maker = usize::try_from(slot >> THREAD_SHIFT).ok()?.checked_sub(1)?;
        self.others.get(maker)?.get(slot & ((1 << THREAD_SHIFT) - 1))
    }

    #[inline]
    fn entry_mut(&mut self, slot: Slot) -> Option<&mut Entry> {
        match slot >> THREAD_SHIFT {
            0 => self.entries.get_mut(slot),
            maker => self.others.get_mut(maker as usize - 1)?.get_mut(slot & ((1 << THREAD_SHIFT) - 1)),
        }
    }

    /// The address of an object's first byte.
    #[inline]
    pub fn address(slot: Slot) -> u64 {
        REGIONS + (slot << REGION_BITS) + LEAD
    }

    /// Whether two addresses are those of objects, and not in one region.
    #[inline]
    pub(crate) fn are_apart(one: u64, other: u64) -> bool {
        one >= REGIONS && other >= REGIONS && (one ^ other) >> REGION_BITS != 0
    }

    /// Whether two addresses are those of the same object.
    pub(crate) fn are_together(one: u64, other: u64) -> bool {
        one >= REGIONS && (one ^ other) >> REGION_BITS == 0
    }

    /// The address of a function.
    pub fn function_address(function: incise_ir::FunctionId) -> u64 {
        FUNCTIONS + incise_ir::Id::index(function) as u64 * 16
    }

    /// The function at an address, if it is one.
    pub fn function_at(address: u64, count: usize) -> Option<incise_ir::FunctionId> {
        let index = address.checked_sub(FUNCTIONS)?;
        (index % 16 == 0 && index / 16 < count as u64)
            .then(|| incise_ir::Id::from_index((index / 16) as usize))
    }

    /// What an address leads to.
    #[inline]
    pub fn target(&self, address: u64) -> AddressTarget<'_> {
        if let Some(region) = address.checked_sub(REGIONS)
            && let slot = region >> REGION_BITS
            && let Some(Entry::Live(object)) = self.entry(slot)
        {
            return AddressTarget::Live(slot, object, address.wrapping_sub(Self::address(slot)) as i64);
        }
        self.rare_target(address)
    }

    /// What an address leads to that is not in the first region of a live object.
    #[cold]
    fn rare_target(&self, address: u64) -> AddressTarget<'_> {
        if address < REGIONS {
            return if address < NULL_ZONE { AddressTarget::Null } else { AddressTarget::Nothing };
        }
        let slot = (address - REGIONS) >> REGION_BITS;
        match self.entry(slot) {
            Some(Entry::Live(object)) => {
                AddressTarget::Live(slot, object, address.wrapping_sub(Self::address(slot)) as i64)
            }
            Some(Entry::Dead(info)) => AddressTarget::Dead(info),
            Some(Entry::Continued(first)) => match self.entry(*first) {
                Some(Entry::Live(object)) => {
                    AddressTarget::Live(*first, object, address.wrapping_sub(Self::address(*first)) as i64)
                }
                Some(Entry::Dead(info)) => AddressTarget::Dead(info),
                _ => AddressTarget::Nothing,
            },
            Some(Entry::Never) | None => {
                if address >> 63 == 1 {
                    // A small negative number is null with a negative offset.
                    return if address > u64::MAX - NULL_ZONE {
                        AddressTarget::Null
                    } else {
                        AddressTarget::Nothing
                    };
                }
                AddressTarget::Nothing
            }
        }
    }

    /// The address of the first byte of the object, live or dead, that an address belongs to.
    pub fn base_of(&self, address: u64) -> Option<u64> {
        let slot = address.checked_sub(REGIONS)? >> REGION_BITS;
        match self.entry(slot)? {
            Entry::Continued(first) => Some(Self::address(*first)),
            _ => Some(Self::address(slot)),
        }
    }

    /// How many objects a thread has made.
    pub(crate) fn made_by(&self, thread: ThreadId) -> u64 {
        match thread.0.checked_sub(1) {
            None => self.entries.len(),
            Some(other) => self.others.get(other as usize).map_or(0, PersistentVector::len),
        }
    }

    /// How many slots the first thread has, of objects that are gone included.
    pub fn slots(&self) -> u64 {
        self.entries.len()
    }

    /// A live object.
    #[inline]
    pub fn object(&self, slot: Slot) -> Option<&Rc<Object>> {
        match self.entry(slot) {
            Some(Entry::Live(object)) => Some(object),
            _ => None,
        }
    }

    /// A live object to write to; copied if a fork shares it.
    #[inline]
    pub fn object_mut(&mut self, slot: Slot) -> Option<&mut Object> {
        match self.entry_mut(slot) {
            Some(Entry::Live(object)) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    /// Ends an object's life.
    pub(crate) fn remove(&mut self, slot: Slot) {
        if let Some(entry) = self.entry_mut(slot)
            && let Entry::Live(object) = entry
        {
            *entry = Entry::Dead(object.info.clone());
        }
    }

    /// All live objects, by thread and then in the order of their making.
    pub fn live(&self) -> impl Iterator<Item = (Slot, &Rc<Object>)> {
        let counts = std::iter::once(&self.entries).chain(&self.others).map(|entries| entries.len());
        let slots = counts.enumerate().flat_map(|(maker, count)| {
            let first = (maker as Slot) << THREAD_SHIFT;
            first..first + count
        });
        slots.filter_map(|slot| Some((slot, self.object(slot)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Object {
        let (kind, name) = (ObjectKind::Heap, "block".to_owned());
        let info = ObjectInfo { kind, name, ty: None, debug_type: None, read_only: false, private: false };
        Object::filled(Rc::new(info), 8, Rc::new(Page::zeroed(8)), None)
    }

    #[test]
    fn addresses_do_not_depend_on_what_other_threads_make() {
        let made = |order: &[u32]| {
            let mut memory = Memory::new();
            let mut slots: Vec<(u32, Slot)> = Vec::new();
            for &thread in order {
                memory.set_maker(ThreadId(thread));
                slots.push((thread, memory.add(object())));
            }
            assert_eq!(memory.live().count(), order.len());
            for &(_, slot) in &slots {
                let address = Memory::address(slot);
                assert!(
                    matches!(memory.target(address + 3), AddressTarget::Live(found, _, 3) if found == slot)
                );
                assert!(memory.object_mut(slot).is_some());
            }
            slots.sort_unstable();
            slots
        };
        assert_eq!(made(&[0, 1, 2, 0, 1]), made(&[1, 2, 0, 1, 0]));
        let mut memory = Memory::new();
        memory.set_maker(ThreadId(1));
        let slot = memory.add(object());
        memory.remove(slot);
        assert!(matches!(memory.target(Memory::address(slot)), AddressTarget::Dead(_)));
        assert_eq!(memory.live().count(), 0);
    }
}
