//! Under which type memory is accessed: how many bytes of what kind, and, as far as debug information tells, which
//! member of which struct.
//!
//! This tells memory of callers apart where the program in sight does not (`Sight::Program`): that a caller hands over
//! the same bytes under two types is left to what callers may do. Members of one union are the same memory, whoever
//! accesses it. Casts are not seen, so a member counts only if what is accessed there has its kind and size; a member of
//! a union, and bytes of an array, count by their kind alone.

use crate::pointers::Pointers;
use incise_ir::{
    ConstantId, ConstantKind, DebugType, DebugTypeId, Encoding, FloatKind, Op, Operand, Program, Type, TypeId,
};

/// Under which type a place is accessed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Access {
    kind: Kind,
    /// The struct and the bytes of it, if they are known.
    member: Option<(u64, u32, u32)>,
}

/// What a number of bytes is read as.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Kind {
    Byte,
    Short,
    Word,
    Long,
    Huge,
    Float,
    Double,
    Extended,
    Address,
}

const KINDS: [Kind; 9] = [
    Kind::Byte,
    Kind::Short,
    Kind::Word,
    Kind::Long,
    Kind::Huge,
    Kind::Float,
    Kind::Double,
    Kind::Extended,
    Kind::Address,
];

/// Types nest up to so deep; what is deeper is not told apart.
const NESTING: usize = 64;

/// Which kinds of data share memory in unions of a program.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Unions {
    /// For each kind, a bit for each one that it shares memory with.
    shared: [u16; KINDS.len()],
}

impl Unions {
    pub(crate) fn new(program: &Program) -> Self {
        let mut unions = Self::default();
        for (id, ty) in program.debug_types.iter() {
            if matches!(ty, DebugType::Composite { union: true, .. }) {
                let kinds = kinds_in(program, id, NESTING);
                for kind in KINDS.into_iter().filter(|kind| kinds & bit(*kind) != 0) {
                    unions.shared[kind as usize] |= kinds;
                }
            }
        }
        unions
    }

    /// Whether two accesses may be of the same memory.
    pub(crate) fn may_meet(&self, left: Access, right: Access) -> bool {
        match (left.member, right.member) {
            (Some((of, start, end)), Some((other, other_start, other_end))) => {
                of == other && start < other_end && other_start < end
            }
            _ => left.kind == right.kind || self.shared[left.kind as usize] & bit(right.kind) != 0,
        }
    }
}

fn bit(kind: Kind) -> u16 {
    1 << kind as u16
}

/// The kinds of data that a type holds.
fn kinds_in(program: &Program, ty: DebugTypeId, depth: usize) -> u16 {
    let all = KINDS.into_iter().map(bit).sum();
    let Some(depth) = depth.checked_sub(1) else { return all };
    match &program.debug_types[ty] {
        DebugType::Composite { members, .. } => {
            members.iter().map(|member| kinds_in(program, member.ty, depth)).fold(0, |all, each| all | each)
        }
        DebugType::Array { element, .. } => kinds_in(program, *element, depth),
        DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => {
            target.map_or(all, |target| kinds_in(program, target, depth))
        }
        other => scalar(other).map_or(all, |(kind, _)| bit(kind)),
    }
}

/// The kind of a scalar type of the source, and its size in bytes.
fn scalar(ty: &DebugType) -> Option<(Kind, u64)> {
    let integer = |bits: u64| match bits {
        8 => Some(Kind::Byte),
        16 => Some(Kind::Short),
        32 => Some(Kind::Word),
        64 => Some(Kind::Long),
        128 => Some(Kind::Huge),
        _ => None,
    };
    match ty {
        DebugType::Basic { bits, encoding: Encoding::Float, .. } => {
            let kind = match bits {
                32 => Kind::Float,
                64 => Kind::Double,
                80 | 96 | 128 => Kind::Extended,
                _ => return None,
            };
            Some((kind, bits / 8))
        }
        DebugType::Basic { bits, .. } | DebugType::Enumeration { bits, .. } => {
            Some((integer(*bits)?, bits / 8))
        }
        DebugType::Pointer(_) => Some((Kind::Address, 8)),
        _ => None,
    }
}

/// The kind of a value, as it is loaded or stored.
fn value_kind(program: &Program, ty: TypeId) -> Option<Kind> {
    Some(match program.types.get(ty) {
        Type::Integer(1..=8) => Kind::Byte,
        Type::Integer(16) => Kind::Short,
        Type::Integer(32) => Kind::Word,
        Type::Integer(64) => Kind::Long,
        Type::Integer(128) => Kind::Huge,
        Type::Float(FloatKind::Single) => Kind::Float,
        Type::Float(FloatKind::Double) => Kind::Double,
        Type::Float(_) => Kind::Extended,
        Type::Pointer => Kind::Address,
        _ => return None,
    })
}

/// A place in the source: its type, and a distance from the start of it in bytes.
type Spot = (DebugTypeId, u64);

impl Pointers<'_> {
    /// Under which type a value of a type is loaded from, or stored to, an address.
    pub(crate) fn typed(&self, pointer: Operand, ty: TypeId) -> Option<Access> {
        let kind = value_kind(self.program, ty)?;
        let size = self.program.types.store_size(ty);
        let member = self.spot(pointer, NESTING).and_then(|spot| self.member(spot, kind, size));
        Some(Access { kind, member })
    }

    /// Under which type bytes are copied from, or to, an address: as bytes, if that is what it points to.
    pub(crate) fn typed_bytes(&self, pointer: Operand) -> Option<Access> {
        let (ty, _) = self.spot(pointer, NESTING)?;
        let ty = self.plain(self.element(ty)?)?;
        let is_byte = matches!(&self.program.debug_types[ty], DebugType::Basic { bits: 8, .. });
        is_byte.then_some(Access { kind: Kind::Byte, member: None })
    }

    /// The type of the elements of an array, or the type itself.
    fn element(&self, ty: DebugTypeId) -> Option<DebugTypeId> {
        let mut at = self.plain(ty)?;
        for _ in 0..NESTING {
            match &self.program.debug_types[at] {
                DebugType::Array { element, .. } => at = self.plain(*element)?,
                _ => return Some(at),
            }
        }
        None
    }

    /// The type behind its names.
    fn plain(&self, mut ty: DebugTypeId) -> Option<DebugTypeId> {
        for _ in 0..NESTING {
            match &self.program.debug_types[ty] {
                DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => ty = (*target)?,
                _ => return Some(ty),
            }
        }
        None
    }

    /// Where an address points, as far as the types of variables and members tell.
    fn spot(&self, pointer: Operand, depth: usize) -> Option<Spot> {
        let depth = depth.checked_sub(1)?;
        let value = match pointer {
            Operand::Constant(constant) => return self.constant_spot(constant),
            Operand::Value(value) => value,
        };
        let (_, instruction) = self.definition(value)?;
        match &instruction.op {
            Op::Alloca { .. } => {
                let mut variables = self.function.variables.iter();
                let variable =
                    variables.find(|each| each.by_address && each.storage == Some(Operand::Value(value)))?;
                Some((variable.ty?, 0))
            }
            Op::ElementPointer { base, offset, terms, .. } => {
                let (ty, start) = self.spot(*base, depth)?;
                let mut at = i64::try_from(start).ok()?.checked_add(*offset)?;
                for &(index, stride) in terms.iter() {
                    // Any element will do: it is found by its distance from the start of one.
                    at = at.checked_add(self.constant_integer(index).unwrap_or(0).checked_mul(stride)?)?;
                }
                Some((ty, u64::try_from(at).ok()?))
            }
            Op::Load { pointer, .. } => {
                let spot = self.spot(*pointer, depth)?;
                self.target(spot)
            }
            _ => None,
        }
    }

    fn constant_spot(&self, constant: ConstantId) -> Option<Spot> {
        let (mut at, mut start) = (constant, 0_i64);
        for _ in 0..NESTING {
            match &self.program.constants[at].kind {
                ConstantKind::Global(global) => {
                    return Some((self.program.globals[*global].debug_type?, u64::try_from(start).ok()?));
                }
                ConstantKind::Offset { base, offset } => {
                    (at, start) = (*base, start.checked_add(*offset)?);
                }
                _ => return None,
            }
        }
        None
    }

    /// Where the pointer points that is kept at a spot.
    fn target(&self, spot: Spot) -> Option<Spot> {
        let (ty, start, _) = self.innermost(spot)?;
        match (&self.program.debug_types[ty], start) {
            (DebugType::Pointer(Some(target)), 0) => Some((*target, 0)),
            _ => None,
        }
    }

    /// The scalar at a spot and the distance from its start, with the struct that it is a member of and where in it.
    fn innermost(&self, (ty, start): Spot) -> Option<(DebugTypeId, u64, Option<Spot>)> {
        let (mut at, mut start) = (self.plain(ty)?, start);
        let mut member = None;
        let mut outermost = true;
        for _ in 0..NESTING {
            let inner = match &self.program.debug_types[at] {
                DebugType::Composite { members, union: false, bits, .. } => {
                    // A pointer to a struct may be one to the first of several.
                    let size = bits / 8;
                    start = if outermost && size > 0 { start % size } else { start };
                    member = Some((at, start));
                    let inside = members.iter().find(|each| {
                        let first = each.offset_bits / 8;
                        !each.bit_field && first <= start && start < first + each.bits.div_ceil(8)
                    })?;
                    start -= inside.offset_bits / 8;
                    inside.ty
                }
                DebugType::Composite { .. } => return None,
                DebugType::Array { element, .. } => {
                    let size = self.size(*element)?;
                    start = start.checked_rem(size)?;
                    // Which element it is does not matter, and bytes are what they are wherever they lie.
                    let plain = self.plain(*element)?;
                    if scalar(&self.program.debug_types[plain]).is_some() {
                        member = None;
                    }
                    *element
                }
                _ => return Some((at, start, member)),
            };
            at = self.plain(inner)?;
            outermost = false;
        }
        None
    }

    /// The size of a type of the source in bytes.
    fn size(&self, ty: DebugTypeId) -> Option<u64> {
        let mut count = 1_u64;
        let mut at = self.plain(ty)?;
        for _ in 0..NESTING {
            match &self.program.debug_types[at] {
                DebugType::Array { element, counts } => {
                    for length in counts {
                        count = count.checked_mul((*length)?)?;
                    }
                    at = self.plain(*element)?;
                }
                DebugType::Composite { bits, .. } => return count.checked_mul(bits / 8),
                other => return count.checked_mul(scalar(other)?.1),
            }
        }
        None
    }

    /// The member of a struct that is accessed, if what is accessed is all of it.
    fn member(&self, spot: Spot, kind: Kind, size: u64) -> Option<(u64, u32, u32)> {
        let (ty, inside, member) = self.innermost(spot)?;
        let (found, found_size) = scalar(&self.program.debug_types[ty])?;
        let (record, start) = member?;
        let fits = inside == 0 && found == kind && found_size == size;
        let (start, end) = (u32::try_from(start).ok()?, u32::try_from(start + size).ok()?);
        fits.then(|| (fingerprint(self.program, record), start, end))
    }
}

/// What tells a struct from others, in all files of all versions.
fn fingerprint(program: &Program, ty: DebugTypeId) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    if let DebugType::Composite { name, bits, members, .. } = &program.debug_types[ty] {
        name.hash(&mut hasher);
        bits.hash(&mut hasher);
        for member in members {
            (&member.name, member.offset_bits, member.bits).hash(&mut hasher);
        }
    }
    hasher.finish()
}
