//! Memory: objects at deterministic addresses, shared between forks and copied on write.
//!
//! Each object has a region of the address space to itself, so that an address tells its object without a search, a pointer
//! that strays outside is still known to be of that object, and no address is ever used twice on a path.

pub(crate) mod access;
pub(crate) mod bytes;
pub(crate) mod endless;
pub(crate) mod extent;
mod object;
mod vector;

pub(crate) use object::ObjectInfo;
pub use object::{Byte, Object, ObjectKind, PAGE, Page};

use std::rc::Rc;
use vector::PersistentVector;

/// Where the regions of objects start. Functions have their addresses below.
const REGIONS: u64 = 0x10_0000_0000;
const REGION_BITS: u32 = 24;
/// How far into its region an object starts, so that a small negative offset stays within.
const LEAD: u64 = 1 << 20;
/// Addresses below are null, or null with a small offset.
pub(crate) const NULL_ZONE: u64 = 1 << 16;
const FUNCTIONS: u64 = 0x40_0000;

/// The number of an object on a path.
pub type Slot = u64;

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

/// The memory of a state.
#[derive(Clone)]
pub struct Memory {
    entries: PersistentVector<Entry>,
}

/// What is at an address.
pub enum Target<'a> {
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
        Self { entries: PersistentVector::new() }
    }

    /// Adds an object; returns its slot.
    pub(crate) fn add(&mut self, object: Object) -> Slot {
        let slot = self.entries.len();
        let regions = (object.size + 2 * LEAD) >> REGION_BITS;
        self.entries.push(Entry::Live(Rc::new(object)));
        for _ in 0..regions {
            self.entries.push(Entry::Continued(slot));
        }
        slot
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
    pub fn target(&self, address: u64) -> Target<'_> {
        if address < REGIONS {
            return if address < NULL_ZONE { Target::Null } else { Target::Nothing };
        }
        let slot = (address - REGIONS) >> REGION_BITS;
        match self.entries.get(slot) {
            Some(Entry::Live(object)) => {
                Target::Live(slot, object, address.wrapping_sub(Self::address(slot)) as i64)
            }
            Some(Entry::Dead(info)) => Target::Dead(info),
            Some(Entry::Continued(first)) => match self.entries.get(*first) {
                Some(Entry::Live(object)) => {
                    Target::Live(*first, object, address.wrapping_sub(Self::address(*first)) as i64)
                }
                Some(Entry::Dead(info)) => Target::Dead(info),
                _ => Target::Nothing,
            },
            Some(Entry::Never) | None => {
                if address >> 63 == 1 {
                    // A small negative number is null with a negative offset.
                    return if address > u64::MAX - NULL_ZONE { Target::Null } else { Target::Nothing };
                }
                Target::Nothing
            }
        }
    }

    /// The address of the first byte of the object, live or dead, that an address belongs to.
    pub fn base_of(&self, address: u64) -> Option<u64> {
        let slot = address.checked_sub(REGIONS)? >> REGION_BITS;
        match self.entries.get(slot)? {
            Entry::Continued(first) => Some(Self::address(*first)),
            _ => Some(Self::address(slot)),
        }
    }

    /// How many slots there are, of objects that are gone included.
    pub fn slots(&self) -> u64 {
        self.entries.len()
    }

    /// A live object.
    pub fn object(&self, slot: Slot) -> Option<&Rc<Object>> {
        match self.entries.get(slot) {
            Some(Entry::Live(object)) => Some(object),
            _ => None,
        }
    }

    /// A live object to write to; copied if a fork shares it.
    #[inline]
    pub fn object_mut(&mut self, slot: Slot) -> Option<&mut Object> {
        match self.entries.get_mut(slot) {
            Some(Entry::Live(object)) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    /// Ends an object's life.
    pub(crate) fn remove(&mut self, slot: Slot) {
        if let Some(entry) = self.entries.get_mut(slot)
            && let Entry::Live(object) = entry
        {
            *entry = Entry::Dead(object.info.clone());
        }
    }

    /// All live objects in the order of their making.
    pub fn live(&self) -> impl Iterator<Item = (Slot, &Rc<Object>)> {
        (0..self.entries.len()).filter_map(|slot| Some((slot, self.object(slot)?)))
    }
}
