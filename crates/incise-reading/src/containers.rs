//! Structs around what a pointer leads to: `container_of`, and structs that begin with another one.
//!
//! A pointer to `struct link` that is moved back by the offset of a member and used as a pointer to `struct item` leads
//! to that member of an item. What shows it: the address of a member of an item is computed from it, it is kept in a
//! variable of that type, passed to a parameter of that type, or returned as one.

use crate::flow::{Flow, Origins};
use crate::places::{PlaceId, composite, pointee, size};
use crate::summary::{Claim, Fact};
use incise_ir::{DebugType, DebugTypeId, Encoding, InstructionId, Program};

/// How deep members may nest.
const DEPTH: u32 = 8;
/// The most structs that one pointer may lead into.
const MOST: usize = 4;

/// A struct that a pointer leads into.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Around {
    /// The struct.
    pub(crate) whole: DebugTypeId,
    /// The bytes from its start to where the pointer leads.
    pub(crate) offset: u64,
}

impl Flow<'_> {
    /// A pointer is used as one to a type: what it is a member of if it was moved to the start of a struct.
    pub(crate) fn used_as(&mut self, at: InstructionId, origins: &Origins, ty: Option<DebugTypeId>) -> bool {
        let Some(whole) = composite(self.program, ty) else { return false };
        let mut changed = false;
        for origin in &origins.list {
            let back = u64::try_from(origin.offset.wrapping_neg());
            if let (Ok(offset), 0) = (back, origin.stride) {
                changed |= self.is_member(at, origin.place, Around { whole, offset }, None);
            }
        }
        changed
    }

    /// Notes that a pointer leads into a struct, if it can.
    pub(crate) fn is_member(
        &mut self,
        at: InstructionId,
        place: PlaceId,
        around: Around,
        words: Option<String>,
    ) -> bool {
        if !self.places.is_input(place) || self.places.info(place).array {
            return false;
        }
        let target = pointee(self.program, self.places.info(place).ty);
        if !can_be_member(self.program, target) || member(self.program, &around, target).is_none() {
            return false;
        }
        let known = self.places.around(place);
        let inside = |inner: &Around, outer: &Around| {
            let distance = outer.offset.checked_sub(inner.offset);
            distance.is_some_and(|offset| {
                let around = Around { whole: outer.whole, offset };
                same_type(self.program, inner.whole, outer.whole) && offset == 0
                    || member(self.program, &around, Some(inner.whole)).is_some()
            })
        };
        if known.iter().any(|(known, _)| inside(&around, known)) {
            return false;
        }
        let mut all: Vec<(Around, Fact)> =
            known.iter().filter(|(known, _)| !inside(known, &around)).cloned().collect();
        let words = words.unwrap_or_else(|| {
            format!("it is used as one of a {}", name(self.program, around.whole).unwrap_or_default())
        });
        let claim = Claim::MemberOf(around.clone());
        all.push((around, Fact { place, claim, words, at: self.position(at) }));
        if all.len() > MOST || all.iter().any(|(around, _)| name(self.program, around.whole).is_none()) {
            return false;
        }
        self.places.set_around(place, all);
        true
    }
}

/// Whether what a pointer leads to can be found in a struct by its type: characters are in everything.
fn can_be_member(program: &Program, ty: Option<DebugTypeId>) -> bool {
    let Some(id) = ty.and_then(|ty| program.resolve_debug_type(ty)) else { return false };
    match &program.debug_types[id] {
        DebugType::Basic { encoding, .. } => {
            !matches!(encoding, Encoding::SignedChar | Encoding::UnsignedChar)
        }
        DebugType::Composite { .. } | DebugType::Pointer(_) | DebugType::Enumeration { .. } => true,
        _ => false,
    }
}

/// How the member of a type is written that begins at an offset in a struct.
pub(crate) fn member(program: &Program, around: &Around, wanted: Option<DebugTypeId>) -> Option<String> {
    let wanted = program.resolve_debug_type(wanted?)?;
    find(program, around.whole, around.offset, wanted, 0).filter(|way| !way.is_empty())
}

fn find(program: &Program, ty: DebugTypeId, offset: u64, wanted: DebugTypeId, depth: u32) -> Option<String> {
    let id = program.resolve_debug_type(ty)?;
    if offset == 0 && same_type(program, id, wanted) {
        return Some(String::new());
    }
    if depth > DEPTH {
        return None;
    }
    match &program.debug_types[id] {
        DebugType::Composite { members, .. } => members.iter().find_map(|member| {
            let start = member.offset_bits / 8;
            if member.bit_field || offset < start || offset >= (member.offset_bits + member.bits) / 8 {
                return None;
            }
            let rest = find(program, member.ty, offset - start, wanted, depth + 1)?;
            let dot =
                if rest.is_empty() || rest.starts_with('[') || member.name.is_empty() { "" } else { "." };
            Some(format!("{}{dot}{rest}", member.name))
        }),
        DebugType::Array { element, counts } if counts.len() == 1 => {
            let bytes = size(program, Some(*element));
            let rest = find(program, *element, offset.checked_rem(bytes)?, wanted, depth + 1)?;
            let dot = if rest.is_empty() || rest.starts_with('[') { "" } else { "." };
            Some(format!("[{}]{dot}{rest}", offset / bytes))
        }
        _ => None,
    }
}

/// Whether two types are the same one. Each file has its own description of a struct.
fn same_type(program: &Program, one: DebugTypeId, other: DebugTypeId) -> bool {
    let both = program.resolve_debug_type(one).zip(program.resolve_debug_type(other));
    let Some((one, other)) = both else { return false };
    if one == other {
        return true;
    }
    match (&program.debug_types[one], &program.debug_types[other]) {
        (
            DebugType::Composite { name: first, bits: one, .. },
            DebugType::Composite { name: second, bits: other, .. },
        ) => !first.is_empty() && first == second && one == other,
        (
            DebugType::Basic { name: first, bits: one, .. },
            DebugType::Basic { name: second, bits: other, .. },
        ) => first == second && one == other,
        (DebugType::Pointer(one), DebugType::Pointer(other)) => match (one, other) {
            (Some(one), Some(other)) => {
                let named = |id| composite(program, Some(id)).and_then(|id| name(program, id));
                program.resolve_debug_type(*one) == program.resolve_debug_type(*other)
                    || named(*one).is_some() && named(*one) == named(*other)
            }
            (one, other) => one == other,
        },
        _ => false,
    }
}

/// What a struct is called in C: by its tag, or by a name that was given to it.
pub(crate) fn name(program: &Program, whole: DebugTypeId) -> Option<String> {
    let DebugType::Composite { name, union, .. } = &program.debug_types[whole] else { return None };
    if !name.is_empty() {
        return Some(format!("{} {name}", if *union { "union" } else { "struct" }));
    }
    program.debug_types.iter().find_map(|(_, ty)| match ty {
        DebugType::Typedef { name, target } if *target == Some(whole) => Some(name.clone()),
        _ => None,
    })
}

/// The struct of a name in a program that has a member, and the bytes to that from its start.
pub fn containing(program: &Program, whole: &str, member: &str) -> Option<(DebugTypeId, u64)> {
    let tag = whole.trim().trim_start_matches("struct ").trim_start_matches("union ").trim();
    let called = |ty: &DebugType| match ty {
        DebugType::Composite { name, members, .. } => name == tag && !members.is_empty(),
        DebugType::Typedef { name, .. } => name == tag,
        _ => false,
    };
    let named = program.debug_types.iter().filter(|(_, ty)| called(ty));
    named.into_iter().find_map(|(id, _)| {
        let whole = composite(program, Some(id))?;
        Some((whole, offset_of(program, whole, member)?))
    })
}

/// The bytes to a member that is written as in C: `queue.link`, `links[1]`.
fn offset_of(program: &Program, whole: DebugTypeId, member: &str) -> Option<u64> {
    let (mut ty, mut offset, mut rest) = (whole, 0, member.trim());
    for _ in 0..4 * DEPTH {
        rest = rest.trim_start_matches('.');
        if rest.is_empty() {
            return Some(offset);
        }
        let id = program.resolve_debug_type(ty)?;
        match &program.debug_types[id] {
            DebugType::Composite { .. } => {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (found, start) = member_named(program, id, &rest[..end], 0)?;
                (ty, offset, rest) = (found, offset + start, &rest[end..]);
            }
            DebugType::Array { element, counts } if counts.len() == 1 => {
                let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
                offset += index.trim().parse::<u64>().ok()?.checked_mul(size(program, Some(*element)))?;
                (ty, rest) = (*element, after);
            }
            _ => return None,
        }
    }
    None
}

/// A member by its name, also of a struct without a name in a struct.
fn member_named(program: &Program, id: DebugTypeId, name: &str, depth: u32) -> Option<(DebugTypeId, u64)> {
    let DebugType::Composite { members, .. } = &program.debug_types[program.resolve_debug_type(id)?] else {
        return None;
    };
    if let Some(found) = members.iter().find(|member| member.name == name && !member.bit_field) {
        return Some((found.ty, found.offset_bits / 8));
    }
    let unnamed = members.iter().filter(|member| member.name.is_empty() && depth < DEPTH);
    unnamed.into_iter().find_map(|member| {
        let (ty, offset) = member_named(program, member.ty, name, depth + 1)?;
        Some((ty, offset + member.offset_bits / 8))
    })
}

/// The pointer to the whole that a pointer leads into, as an expression of C.
pub fn container_of(pointer: &str, whole: &str, member: &str) -> String {
    format!("{CONTAINER_OF}{pointer}, {whole}, {member})")
}

pub(crate) const CONTAINER_OF: &str = "container_of(";

/// The pointer that leads into a struct, the struct and the member, of the pointer to the whole.
pub fn split_container(path: &str) -> Option<(&str, &str, &str)> {
    let inside = path.strip_prefix(CONTAINER_OF)?.strip_suffix(')')?;
    let (end, _) = closing(inside)?;
    let (whole, member) = inside[end + 2..].split_once(", ")?;
    (!member.contains(')')).then_some((&inside[..end], whole, member))
}

/// Behind the name of a container: where the pointer ends, and where the container does.
pub(crate) fn closing(inside: &str) -> Option<(usize, usize)> {
    let (mut depth, mut comma) = (0, None);
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            b')' => return comma.map(|comma| (comma, at)),
            b',' if depth == 0 && comma.is_none() => comma = Some(at),
            _ => {}
        }
    }
    comma.map(|comma| (comma, inside.len()))
}

/// The variable that an expression over inputs begins with.
pub fn root(path: &str) -> &str {
    let rest = &path[root_start(path)..];
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    &rest[..end]
}

/// Where the variable is that an expression over inputs begins with.
pub(crate) fn root_start(path: &str) -> usize {
    let mut start = 0;
    loop {
        let inner = path[start..].trim_start_matches(['*', '(', '&', ' ']);
        start = path.len() - inner.len();
        if !inner.starts_with(CONTAINER_OF) {
            return start;
        }
        start += CONTAINER_OF.len();
    }
}

/// Whether an expression over inputs has a call in it: it is what a function returned.
pub fn has_call(path: &str) -> bool {
    let rest = path.replace(CONTAINER_OF, "");
    rest.contains('(')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_begin_with_the_variable_that_leads_into_them() {
        let whole = container_of("*heads", "struct item", "link");
        assert_eq!(whole, "container_of(*heads, struct item, link)");
        let deeper = container_of(&format!("{whole}->child.next"), "struct item", "link");
        assert_eq!([root(&deeper), root("*p->next"), root("&table")], ["heads", "p", "table"]);
        assert_eq!(split_container(&whole), Some(("*heads", "struct item", "link")));
        let inner = format!("{whole}->child.next");
        assert_eq!(split_container(&deeper), Some((inner.as_str(), "struct item", "link")));
        assert_eq!((split_container(&inner), split_container("f(a, b, c)")), (None, None));
        assert!(!has_call(&deeper) && has_call("next(l)") && has_call("*f()"));
    }
}
