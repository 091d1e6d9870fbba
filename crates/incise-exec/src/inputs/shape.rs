//! The shape of data as the source declares it: how bytes become named values, and back.

use crate::inputs::unions;
use crate::result::InputValue;
use incise_ir::{DebugMember, DebugType, DebugTypeId, Encoding, FloatKind, Program, Type, TypeId};
use std::collections::BTreeMap;

/// How deep types may nest before the rest is plain bytes.
const DEPTH: u32 = 24;
/// The most elements that get names of their own.
const ELEMENTS: u64 = 1 << 16;

/// How data is laid out and read.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A number.
    Scalar {
        /// How wide it is.
        bits: u32,
        /// How it is read.
        kind: ScalarKind,
    },
    /// A pointer to data of that type, if it is known.
    Pointer {
        /// What it points to.
        target: Option<DebugTypeId>,
        /// Whether that is a function.
        function: bool,
    },
    /// A struct or a union.
    Struct {
        /// Its size.
        bytes: u64,
        /// Its members.
        members: Vec<Member>,
        /// Another member of a union, which has numbers where the one in `members` has pointers, or pointers where that
        /// has numbers.
        other: Option<Box<Member>>,
    },
    /// An array.
    Array {
        /// What it consists of.
        element: Box<Shape>,
        /// How many of it.
        count: u64,
    },
    /// Data without a type.
    Bytes(u64),
}

/// How the bits of a scalar are read.
#[derive(Clone, Debug)]
pub enum ScalarKind {
    /// A signed number.
    Signed,
    /// An unsigned number.
    Unsigned,
    /// A character.
    Character,
    /// True or false.
    Boolean,
    /// A floating-point number.
    Float(FloatKind),
    /// One of named numbers.
    Enumeration {
        /// Whether they are signed.
        signed: bool,
        /// What they are called.
        names: Vec<(String, i64)>,
    },
}

#[derive(Clone, Debug)]
pub struct Member {
    pub(crate) name: String,
    pub(crate) offset_bits: u64,
    pub(crate) bits: u64,
    pub(crate) bit_field: bool,
    pub shape: Shape,
}

impl Shape {
    /// The shape of a global variable.
    pub fn of_global(program: &Program, global: &incise_ir::Global) -> Self {
        let known = global.debug_type.and_then(|ty| Self::of_debug_type(program, ty));
        known.unwrap_or_else(|| Self::of_type(program, global.ty))
    }

    /// The shape of a type of the source.
    pub fn of_debug_type(program: &Program, id: DebugTypeId) -> Option<Self> {
        Self::debug_shape(program, id, 0)
    }

    fn debug_shape(program: &Program, id: DebugTypeId, depth: u32) -> Option<Self> {
        if depth > DEPTH {
            return None;
        }
        Some(match &program.debug_types[program.resolve_debug_type(id)?] {
            DebugType::Basic { bits, encoding, .. } => {
                let bits = u32::try_from(*bits).ok().filter(|bits| *bits <= 128)?;
                basic_shape(bits, *encoding)?
            }
            DebugType::Pointer(target) => {
                let resolved = target.and_then(|target| program.resolve_debug_type(target));
                let function =
                    resolved.is_some_and(|id| matches!(program.debug_types[id], DebugType::Function(_)));
                Self::Pointer { target: *target, function }
            }
            DebugType::Composite { bits, members, union, .. } => {
                let shape = |member: &DebugMember| Member {
                    name: member.name.clone(),
                    offset_bits: member.offset_bits,
                    bits: member.bits,
                    bit_field: member.bit_field,
                    shape: Self::debug_shape(program, member.ty, depth + 1)
                        .unwrap_or(Self::Bytes(member.bits.div_ceil(8))),
                };
                let shapes: Vec<Member> = members.iter().map(shape).collect();
                if *union {
                    let (members, other) = unions::chosen(shapes);
                    Self::Struct { bytes: bits / 8, members, other }
                } else {
                    Self::Struct { bytes: bits / 8, members: shapes, other: None }
                }
            }
            DebugType::Array { element, counts } => {
                let mut shape = Self::debug_shape(program, *element, depth + 1)?;
                for count in counts.iter().rev() {
                    shape = Self::Array { element: Box::new(shape), count: count.unwrap_or(0) };
                }
                shape
            }
            DebugType::Enumeration { bits, signed, enumerators, .. } => Self::Scalar {
                bits: u32::try_from(*bits).ok().filter(|bits| *bits <= 128)?,
                kind: ScalarKind::Enumeration { signed: *signed, names: enumerators.clone() },
            },
            _ => return None,
        })
    }

    /// The shape of a type of the IR, for what has no debug information.
    pub fn of_type(program: &Program, ty: TypeId) -> Self {
        Self::type_shape(program, ty, 0)
    }

    fn type_shape(program: &Program, ty: TypeId, depth: u32) -> Self {
        let types = &program.types;
        if depth > DEPTH {
            return Self::Bytes(types.size_of(ty));
        }
        match types.get(ty) {
            Type::Integer(8) => Self::Scalar { bits: 8, kind: ScalarKind::Character },
            Type::Integer(bits) if *bits % 8 == 0 && *bits <= 128 => {
                Self::Scalar { bits: *bits, kind: ScalarKind::Signed }
            }
            Type::Integer(1) => Self::Scalar { bits: 8, kind: ScalarKind::Boolean },
            Type::Float(kind) => Self::Scalar { bits: kind.bits(), kind: ScalarKind::Float(*kind) },
            Type::Pointer => Self::Pointer { target: None, function: false },
            Type::Array { element, length } => Self::Array {
                element: Box::new(Self::type_shape(program, *element, depth + 1)),
                count: *length,
            },
            Type::Struct { fields, .. } => {
                let members = fields
                    .iter()
                    .enumerate()
                    .map(|(index, &field)| Member {
                        name: format!("field{index}"),
                        offset_bits: types.offset_of(ty, index as u64).unwrap_or(0) * 8,
                        bits: types.size_of(field) * 8,
                        bit_field: false,
                        shape: Self::type_shape(program, field, depth + 1),
                    })
                    .collect();
                Self::Struct { bytes: types.size_of(ty), members, other: None }
            }
            _ => Self::Bytes(types.size_of(ty)),
        }
    }

    /// The bytes that data of this shape takes in an array.
    pub fn size(&self) -> u64 {
        match self {
            // A long double is stored in ten bytes and takes sixteen.
            Self::Scalar { bits: 80, .. } => 16,
            Self::Scalar { bits, .. } => u64::from(bits.div_ceil(8)),
            Self::Pointer { .. } => 8,
            Self::Struct { bytes, .. } | Self::Bytes(bytes) => *bytes,
            Self::Array { element, count } => element.size().saturating_mul(*count),
        }
    }

    /// The shape of the first bytes of data of this shape, if there are no more.
    pub(crate) fn cut_to(&self, bytes: u64) -> std::borrow::Cow<'_, Self> {
        use std::borrow::Cow;
        if bytes >= self.size() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(match self {
            Self::Array { element, .. } => {
                Self::Array { element: element.clone(), count: bytes / element.size().max(1) }
            }
            Self::Struct { members, .. } => {
                let mut members = members.clone();
                if let Some(last) = members.last_mut() {
                    let shape = last.shape.cut_to(bytes.saturating_sub(last.offset_bits / 8)).into_owned();
                    last.shape = shape;
                }
                Self::Struct { bytes, members, other: None }
            }
            _ => Self::Bytes(bytes),
        })
    }

    /// Whether there is a pointer in it. Types nest only as deep as the source has them.
    pub(crate) fn has_pointers(&self) -> bool {
        match self {
            Self::Pointer { .. } => true,
            Self::Struct { members, other, .. } => {
                members.iter().chain(other.as_deref()).any(|member| member.shape.has_pointers())
            }
            Self::Array { element, .. } => element.has_pointers(),
            Self::Scalar { .. } | Self::Bytes(_) => false,
        }
    }

    /// Whether there are too many elements to give each a name.
    pub fn is_large(&self) -> bool {
        match self {
            Self::Array { element, count } => element.leaves().saturating_mul(*count) > ELEMENTS,
            other => other.leaves() > ELEMENTS,
        }
    }

    fn leaves(&self) -> u64 {
        match self {
            Self::Scalar { .. } | Self::Pointer { .. } => 1,
            Self::Struct { members, .. } => {
                members.iter().fold(0, |sum: u64, member| sum.saturating_add(member.shape.leaves()))
            }
            Self::Array { element, count } => element.leaves().saturating_mul(*count),
            Self::Bytes(count) => *count,
        }
    }

    /// Reads bytes as a value of this shape. `name_of` gives the name of what an address points to.
    pub(crate) fn value(&self, bytes: &[u8], name_of: &dyn Fn(u64) -> String) -> InputValue {
        match self {
            Self::Scalar { bits, kind } => kind.value(*bits, read(bytes, 0, u64::from(*bits))),
            Self::Pointer { .. } => match read(bytes, 0, 64) as u64 {
                0 => InputValue::Pointer(None),
                address => InputValue::Pointer(Some(name_of(address))),
            },
            Self::Struct { members, other, .. } => InputValue::Struct(
                unions::held(members, other.as_deref(), bytes, name_of)
                    .map(|member| {
                        let value = match (&member.shape, member.bit_field) {
                            (Self::Scalar { kind, .. }, true) => {
                                kind.value(member.bits as u32, read(bytes, member.offset_bits, member.bits))
                            }
                            (shape, _) => {
                                let start = (member.offset_bits / 8) as usize;
                                shape.value(bytes.get(start..).unwrap_or(&[]), name_of)
                            }
                        };
                        (member.name.clone(), value)
                    })
                    .collect(),
            ),
            Self::Array { element, count } => {
                let size = element.size() as usize;
                if let Self::Scalar { bits: 8, kind: ScalarKind::Character } = **element {
                    return InputValue::Text(bytes.iter().take(*count as usize).copied().collect());
                }
                InputValue::Array(
                    (0..*count as usize)
                        .map(|index| element.value(bytes.get(index * size..).unwrap_or(&[]), name_of))
                        .collect(),
                )
            }
            Self::Bytes(count) => InputValue::Bytes(bytes.iter().take(*count as usize).copied().collect()),
        }
    }

    /// The pointers in these bytes: where they are, their addresses, and whether there can be nothing else.
    pub(crate) fn pointers(&self, bytes: &[u8]) -> Vec<(u64, u64, bool)> {
        let mut found = Vec::new();
        self.find_pointers(bytes, (0, true), &mut found);
        found
    }

    fn find_pointers(&self, bytes: &[u8], (offset, sure): (u64, bool), found: &mut Vec<(u64, u64, bool)>) {
        let from = |start: u64| bytes.get(start as usize..).unwrap_or(&[]);
        match self {
            Self::Pointer { .. } if found.iter().any(|(known, ..)| *known == offset) => {}
            Self::Pointer { .. } => found.push((offset, read(bytes, 0, 64) as u64, sure)),
            Self::Struct { members, other, .. } => {
                for member in members.iter().chain(other.as_deref()).filter(|member| !member.bit_field) {
                    let start = member.offset_bits / 8;
                    let sure = sure && other.is_none();
                    member.shape.find_pointers(from(start), (offset + start, sure), found);
                }
            }
            Self::Array { element, count } if element.may_point() => {
                for start in (0..*count).map(|index| index * element.size()) {
                    element.find_pointers(from(start), (offset + start, sure), found);
                }
            }
            Self::Array { .. } | Self::Scalar { .. } | Self::Bytes(_) => {}
        }
    }

    /// Whether there can be a pointer in it.
    fn may_point(&self) -> bool {
        match self {
            Self::Pointer { .. } => true,
            Self::Struct { members, other, .. } => {
                members.iter().chain(other.as_deref()).any(|member| member.shape.may_point())
            }
            Self::Array { element, .. } => element.may_point(),
            Self::Scalar { .. } | Self::Bytes(_) => false,
        }
    }

    /// Marks the bytes that a run on another machine can be compared by: data, not padding and not addresses.
    pub fn mark_comparable(&self, offset: u64, marks: &mut [bool]) {
        match self {
            Self::Scalar { bits, .. } => {
                for byte in 0..u64::from(bits.div_ceil(8)) {
                    if let Some(mark) = marks.get_mut((offset + byte) as usize) {
                        *mark = true;
                    }
                }
            }
            Self::Pointer { .. } => {}
            Self::Struct { members, other, .. } => {
                // Only whole bytes of bit-fields, one or several together: other bits are padding. Where a union has
                // pointers or numbers, the addresses among them are left out by what they are.
                let mut bits: BTreeMap<u64, u64> = BTreeMap::new();
                for member in members.iter().chain(other.as_deref()) {
                    if !member.bit_field {
                        member.shape.mark_comparable(offset + member.offset_bits / 8, marks);
                        continue;
                    }
                    for bit in member.offset_bits..member.offset_bits + member.bits {
                        *bits.entry(bit / 8).or_default() |= 1 << (bit % 8);
                    }
                }
                for (byte, _) in bits.into_iter().filter(|(_, held)| *held == 0xff) {
                    if let Some(mark) = marks.get_mut((offset + byte) as usize) {
                        *mark = true;
                    }
                }
            }
            Self::Array { element, count } => {
                for index in 0..*count {
                    element.mark_comparable(offset + index * element.size(), marks);
                }
            }
            Self::Bytes(count) => {
                for byte in 0..*count {
                    if let Some(mark) = marks.get_mut((offset + byte) as usize) {
                        *mark = true;
                    }
                }
            }
        }
    }
}

impl ScalarKind {
    /// Bits as a value.
    pub fn value(&self, width: u32, bits: u128) -> InputValue {
        let signed = || crate::engine::value::sign_extend(bits, width);
        match self {
            Self::Signed => InputValue::Signed(signed()),
            Self::Unsigned => InputValue::Unsigned(bits),
            Self::Character => InputValue::Character(bits as u8),
            Self::Boolean => InputValue::Boolean(bits & 1 != 0),
            Self::Float(format) => InputValue::Float { format: *format, bits },
            Self::Enumeration { signed: is_signed, names } => {
                let value = if *is_signed { signed() } else { bits as i128 };
                let name = names.iter().find(|(_, known)| i128::from(*known) == value);
                InputValue::Enumerator(name.map(|(name, _)| name.clone()), value)
            }
        }
    }
}

fn basic_shape(bits: u32, encoding: Encoding) -> Option<Shape> {
    let kind = match encoding {
        Encoding::Signed => ScalarKind::Signed,
        Encoding::Unsigned => ScalarKind::Unsigned,
        Encoding::SignedChar | Encoding::UnsignedChar if bits != 8 => return None,
        Encoding::SignedChar => ScalarKind::Character,
        Encoding::UnsignedChar => ScalarKind::Unsigned,
        Encoding::Boolean => ScalarKind::Boolean,
        Encoding::Float => ScalarKind::Float(match bits {
            16 => FloatKind::Half,
            32 => FloatKind::Single,
            64 => FloatKind::Double,
            // The debug information of a long double counts its padding.
            80 | 128 => return Some(Shape::Scalar { bits: 80, kind: ScalarKind::Float(FloatKind::X87) }),
            _ => return None,
        }),
        Encoding::Other => return None,
    };
    Some(Shape::Scalar { bits, kind })
}

/// The little-endian number of `bits` bits at a bit offset; bytes that are not there are zero.
fn read(bytes: &[u8], offset_bits: u64, bits: u64) -> u128 {
    if offset_bits.is_multiple_of(8) {
        let mut word = [0u8; 16];
        let present = bytes.get((offset_bits / 8) as usize..).unwrap_or(&[]);
        let count = (bits.min(128).div_ceil(8) as usize).min(present.len());
        word[..count].copy_from_slice(&present[..count]);
        return u128::from_le_bytes(word) & crate::engine::value::mask(bits.min(128) as u32);
    }
    let mut value = 0u128;
    for bit in 0..bits.min(128) {
        let at = offset_bits + bit;
        let byte = bytes.get((at / 8) as usize).copied().unwrap_or(0);
        value |= u128::from(byte >> (at % 8) & 1) << bit;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_are_read_across_bytes() {
        assert_eq!(read(&[0b1010_0000, 0b0000_0101], 5, 6), 0b10_1101);
        assert_eq!(read(&[1, 2, 3], 8, 12), 0x302);
        assert_eq!(read(&[1, 2], 8, 32), 2);
    }

    #[test]
    fn bytes_that_several_bit_fields_fill_are_compared() {
        let member = |offset_bits: u64, bits: u64| Member {
            name: String::new(),
            shape: Shape::Scalar { kind: ScalarKind::Unsigned, bits: 32 },
            offset_bits,
            bits,
            bit_field: true,
        };
        let members = vec![member(0, 1), member(1, 3), member(4, 4), member(8, 5)];
        let mut marks = vec![false; 4];
        Shape::Struct { bytes: 4, members }.mark_comparable(0, &mut marks);
        assert_eq!(marks, [true, false, false, false]);
    }
}
