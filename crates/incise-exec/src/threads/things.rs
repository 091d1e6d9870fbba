//! What people call the things that threads touch.

use crate::engine::state::State;
use crate::memory::access::describe;
use crate::memory::{ObjectInfo, Slot};
use incise_ir::c_types::size_of_debug_type;
use incise_ir::{Program, part_in_c};
use std::fmt;

/// A thing that several threads touch: an object, or a part of it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Thing {
    /// The object, as messages name it.
    pub object: String,
    /// Where in it, in bytes.
    pub offset: u64,
    /// The part as C calls it, if the type of the object says: `'pool.first'`.
    pub part: Option<String>,
}

impl fmt::Display for Thing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.part, self.offset) {
            (Some(part), _) => out.write_str(part),
            (None, 0) => out.write_str(&self.object),
            (None, offset) => write!(out, "{} at offset {offset}", self.object),
        }
    }
}

/// The thing at so many bytes from an offset on.
pub(crate) fn thing(program: &Program, state: &State, slot: Slot, (offset, size): (u64, u64)) -> Thing {
    let Some(object) = state.memory.object(slot) else {
        return Thing { object: "an object that is gone".to_owned(), ..Thing::default() };
    };
    let part = part_of(program, &object.info, offset, Some(size)).map(|part| format!("'{part}'"));
    Thing { object: describe(&object.info), offset, part }
}

/// A part of an object as C calls it; without a size the largest that begins there.
pub(crate) fn part_of(
    program: &Program,
    info: &ObjectInfo,
    offset: u64,
    size: Option<u64>,
) -> Option<String> {
    let ty = info.debug_type.filter(|_| !info.name.is_empty())?;
    let whole = size_of_debug_type(program, ty).filter(|&whole| whole > 0)?;
    let (index, inner) = (offset / whole, offset % whole);
    let part = part_in_c(program, ty, inner, size)?;
    let pointer = info.name.strip_prefix('*');
    let name = pointer.unwrap_or(&info.name);
    Some(match (pointer, index, part.strip_prefix('.')) {
        (Some(_), 0, Some(member)) => format!("{name}->{member}"),
        (Some(_), 0, None) if part.is_empty() => info.name.clone(),
        (None, 0, _) => format!("{name}{part}"),
        _ => format!("{name}[{index}]{part}"),
    })
}
