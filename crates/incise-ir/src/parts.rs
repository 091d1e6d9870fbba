//! Parts of objects as C calls them: `.first`, `[3].name`.

use crate::c_types::size_of_debug_type;
use crate::{DebugMember, DebugType, DebugTypeId, Program};
use std::fmt::Write as _;

/// Types are not taken apart deeper than this: broken debug information may hold a cycle.
const DEEPEST: usize = 24;
/// What these are made of is nobody's business.
const OPAQUE: [&str; 3] = ["pthread_", "mtx_t", "cnd_t"];

/// What follows the name of a variable of a type for a part of it: nothing for the whole; `None` if the type does not
/// say. With a size it is the smallest part that has all of these bytes, without one the largest that begins there.
pub fn part_in_c(program: &Program, ty: DebugTypeId, offset: u64, size: Option<u64>) -> Option<String> {
    part(program, ty, (offset, size), DEEPEST)
}

fn part(
    program: &Program,
    ty: DebugTypeId,
    (offset, size): (u64, Option<u64>),
    depth: usize,
) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    if is_opaque(program, ty) {
        return Some(String::new());
    }
    let whole = size_of_debug_type(program, ty);
    let begins = offset == 0;
    match &program.debug_types[program.resolve_debug_type(ty)?] {
        DebugType::Composite { .. } if begins && size.is_none() => Some(String::new()),
        DebugType::Composite { members, union, .. } => {
            if begins && !union && members.len() > 1 && size.is_some() && size >= whole {
                return Some(String::new());
            }
            let named = |member: &DebugMember| {
                let start = member.offset_bits / 8;
                let bytes = size_of_debug_type(program, member.ty).unwrap_or(u64::MAX / 16);
                let end = offset + size.unwrap_or(1).max(1);
                if member.bit_field || offset < start || end > start + bytes.max(1) {
                    return None;
                }
                let inner = part(program, member.ty, (offset - start, size), depth)?;
                Some(if member.name.is_empty() { inner } else { format!(".{}{inner}", member.name) })
            };
            members.iter().find_map(named)
        }
        DebugType::Array { element, counts } => {
            if begins && size.is_some_and(|size| size > 0) && size >= whole && whole.is_some() {
                return Some(String::new());
            }
            let bytes = size_of_debug_type(program, *element).filter(|&bytes| bytes > 0)?;
            let (mut path, mut offset) = (String::new(), offset);
            for dimension in 1..=counts.len() {
                let below = counts[dimension..].iter().map(|count| count.unwrap_or(1));
                let row = below.product::<u64>().checked_mul(bytes).filter(|&row| row > 0)?;
                let _ = write!(path, "[{}]", offset / row);
                offset %= row;
            }
            path += &part(program, *element, (offset, size), depth)?;
            Some(path)
        }
        _ => {
            let fits = size.zip(whole).is_none_or(|(size, whole)| size <= whole);
            (begins && fits).then(String::new)
        }
    }
}

/// Whether the C library keeps to itself what a type is made of.
fn is_opaque(program: &Program, mut ty: DebugTypeId) -> bool {
    for _ in 0..DEEPEST {
        match &program.debug_types[ty] {
            DebugType::Typedef { name, target } => {
                let library = OPAQUE.iter().any(|word| name.starts_with(word));
                if library || matches!(name.as_str(), "sem_t" | "once_flag") {
                    return true;
                }
                let Some(target) = target else { return false };
                ty = *target;
            }
            DebugType::Qualified { target: Some(target), .. } => ty = *target,
            _ => return false,
        }
    }
    false
}
