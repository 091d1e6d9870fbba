//! Types and their layout in memory on 64-bit Linux.
//!
//! Types are interned by structure; a named struct is its body. Layout is computed once, when a type is made.

use crate::arena::{Arena, define_id};
use rustc_hash::FxHashMap;

define_id!(
    /// An interned type.
    TypeId,
    "type"
);

/// The floating-point formats of LLVM that C uses.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// IEEE 16 bits.
    Half,
    /// Brain float, 16 bits.
    BFloat,
    /// IEEE 32 bits: `float`.
    Single,
    /// IEEE 64 bits: `double`.
    Double,
    /// The 80 bits of the x87: `long double`.
    X87,
    /// IEEE 128 bits.
    Quad,
}

impl FloatKind {
    /// The number of bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            Self::Half | Self::BFloat => 16,
            Self::Single => 32,
            Self::Double => 64,
            Self::X87 => 80,
            Self::Quad => 128,
        }
    }
}

/// The structure of a type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of that many bits.
    Integer(u32),
    /// A floating-point number.
    Float(FloatKind),
    /// An address; what it points to is not part of the type.
    Pointer,
    /// `length` elements one after the other.
    Array {
        /// The type of each element.
        element: TypeId,
        /// How many there are.
        length: u64,
    },
    /// Fields one after the other, padded to their alignment unless packed.
    Struct {
        /// The fields' types.
        fields: Box<[TypeId]>,
        /// Whether fields follow each other without padding.
        packed: bool,
    },
    /// A SIMD vector, executed lane by lane.
    Vector {
        /// The type of each lane.
        element: TypeId,
        /// How many lanes there are.
        length: u32,
    },
    /// The type of a function.
    Function {
        /// What it returns.
        result: TypeId,
        /// Its fixed parameters.
        parameters: Box<[TypeId]>,
        /// Whether more arguments may follow.
        variadic: bool,
    },
    /// A struct whose body is not known, a label, a token, metadata: has no values that we execute.
    Opaque,
}

#[derive(Copy, Clone, Debug)]
struct Layout {
    size: u64,
    align: u64,
    depth: u32,
}

/// The interner of types.
#[derive(Clone, Debug)]
pub struct Types {
    types: Arena<TypeId, Type>,
    layouts: Vec<Layout>,
    offsets: FxHashMap<TypeId, Box<[u64]>>,
    interned: FxHashMap<Type, TypeId>,
    wide_integer_align: u64,
}

/// Everything else follows from the types in their order.
impl std::hash::Hash for Types {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.types.hash(state);
        self.wide_integer_align.hash(state);
    }
}

impl Types {
    /// An empty interner. `wide_integer_align` is the alignment of `i128` in bytes: 16 from LLVM 18 on, 8 before.
    pub fn new(wide_integer_align: u64) -> Self {
        Self {
            types: Arena::new(),
            layouts: Vec::new(),
            offsets: FxHashMap::default(),
            interned: FxHashMap::default(),
            wide_integer_align,
        }
    }

    /// The id of `ty`, the same for equal types.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.interned.get(&ty) {
            return id;
        }
        let (mut layout, offsets) = self.compute_layout(&ty);
        layout.depth = self.compute_depth(&ty);
        let id = self.types.push(ty.clone());
        self.layouts.push(layout);
        if let Some(offsets) = offsets {
            self.offsets.insert(id, offsets);
        }
        self.interned.insert(ty, id);
        id
    }

    /// The number of types.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The id of the integer type of `bits` bits.
    pub fn integer(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Integer(bits))
    }

    /// The id of the pointer type.
    pub fn pointer(&mut self) -> TypeId {
        self.intern(Type::Pointer)
    }

    /// The id of the void type.
    pub fn void(&mut self) -> TypeId {
        self.intern(Type::Void)
    }

    /// The structure of a type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The bytes from one element of an array of this type to the next.
    pub fn size_of(&self, id: TypeId) -> u64 {
        let layout = self.layouts[crate::Id::index(id)];
        round_up(layout.size, layout.align)
    }

    /// The bytes that a store of this type writes.
    pub fn store_size(&self, id: TypeId) -> u64 {
        self.layouts[crate::Id::index(id)].size
    }

    /// The ABI alignment in bytes.
    pub fn align_of(&self, id: TypeId) -> u64 {
        self.layouts[crate::Id::index(id)].align
    }

    /// How deep types nest in this type: 0 for a scalar. A reader bounds it, so that code may recurse over a type.
    pub fn depth_of(&self, id: TypeId) -> u32 {
        self.layouts[crate::Id::index(id)].depth
    }

    /// The number of bits of a scalar (integer, float, pointer), or `None` for anything else.
    pub fn scalar_bits(&self, id: TypeId) -> Option<u32> {
        match self.get(id) {
            Type::Integer(bits) => Some(*bits),
            Type::Float(kind) => Some(kind.bits()),
            Type::Pointer => Some(64),
            _ => None,
        }
    }

    /// The byte offset of element `index` of a struct, array or vector; `None` where there is none.
    pub fn offset_of(&self, id: TypeId, index: u64) -> Option<u64> {
        match self.get(id) {
            Type::Struct { .. } => self.offsets.get(&id)?.get(usize::try_from(index).ok()?).copied(),
            Type::Array { element, .. } => self.size_of(*element).checked_mul(index),
            Type::Vector { element, .. } => self.store_size(*element).checked_mul(index),
            _ => None,
        }
    }

    /// The type of element `index` of a struct, array or vector; `None` where there is none.
    pub fn element_type(&self, id: TypeId, index: u64) -> Option<TypeId> {
        match self.get(id) {
            Type::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            Type::Array { element, length } => (index < *length).then_some(*element),
            Type::Vector { element, length } => (index < u64::from(*length)).then_some(*element),
            _ => None,
        }
    }

    /// The number of elements of a struct, array or vector.
    pub fn element_count(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Struct { fields, .. } => Some(fields.len() as u64),
            Type::Array { length, .. } => Some(*length),
            Type::Vector { length, .. } => Some(u64::from(*length)),
            _ => None,
        }
    }

    fn compute_depth(&self, ty: &Type) -> u32 {
        match ty {
            Type::Array { element, .. } | Type::Vector { element, .. } => self.depth_of(*element) + 1,
            Type::Struct { fields, .. } => self.deepest(fields) + 1,
            Type::Function { result, parameters, .. } => {
                self.deepest(parameters).max(self.depth_of(*result)) + 1
            }
            _ => 0,
        }
    }

    fn deepest(&self, types: &[TypeId]) -> u32 {
        types.iter().map(|&ty| self.depth_of(ty)).max().unwrap_or(0)
    }

    fn compute_layout(&self, ty: &Type) -> (Layout, Option<Box<[u64]>>) {
        let plain = |size, align| (Layout { size, align, depth: 0 }, None);
        match ty {
            Type::Void | Type::Function { .. } | Type::Opaque => plain(0, 1),
            Type::Integer(bits) => {
                let size = u64::from(bits.div_ceil(8));
                let align = match bits {
                    0..=64 => size.next_power_of_two().max(1),
                    _ => self.wide_integer_align,
                };
                plain(size, align)
            }
            Type::Float(FloatKind::X87) => plain(10, 16),
            Type::Float(kind) => plain(u64::from(kind.bits() / 8), u64::from(kind.bits() / 8)),
            Type::Pointer => plain(8, 8),
            Type::Array { element, length } => {
                plain(self.size_of(*element).saturating_mul(*length), self.align_of(*element))
            }
            Type::Vector { element, length } => {
                let bits = match self.scalar_bits(*element) {
                    Some(bits) => u64::from(bits) * u64::from(*length),
                    None => 0,
                };
                let size = bits.div_ceil(8);
                plain(size, size.next_power_of_two().max(1))
            }
            Type::Struct { fields, packed } => self.struct_layout(fields, *packed),
        }
    }

    fn struct_layout(&self, fields: &[TypeId], packed: bool) -> (Layout, Option<Box<[u64]>>) {
        let mut size = 0u64;
        let mut align = 1;
        let mut offsets = Vec::with_capacity(fields.len());
        for &field in fields {
            if !packed {
                let field_align = self.align_of(field);
                size = round_up(size, field_align);
                align = align.max(field_align);
            }
            offsets.push(size);
            size = size.saturating_add(self.size_of(field));
        }
        (Layout { size: round_up(size, align), align, depth: 0 }, Some(offsets.into()))
    }
}

fn round_up(value: u64, align: u64) -> u64 {
    value.checked_next_multiple_of(align.max(1)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_are_padded_as_on_linux() {
        let mut types = Types::new(16);
        let (byte, int, wide) = (types.integer(8), types.integer(32), types.integer(64));
        let padded = types.intern(Type::Struct { fields: [byte, int, byte, wide].into(), packed: false });
        assert_eq!(types.size_of(padded), 24);
        assert_eq!((0..4).map(|i| types.offset_of(padded, i).unwrap()).collect::<Vec<_>>(), [0, 4, 8, 16]);
        let packed = types.intern(Type::Struct { fields: [byte, int, byte, wide].into(), packed: true });
        assert_eq!((types.size_of(packed), types.align_of(packed)), (14, 1));
    }

    #[test]
    fn long_double_takes_sixteen_bytes_and_stores_ten() {
        let mut types = Types::new(16);
        let x87 = types.intern(Type::Float(FloatKind::X87));
        assert_eq!((types.size_of(x87), types.store_size(x87)), (16, 10));
    }

    #[test]
    fn vector_lanes_are_dense() {
        let mut types = Types::new(16);
        let int = types.integer(32);
        let vector = types.intern(Type::Vector { element: int, length: 3 });
        assert_eq!((types.store_size(vector), types.size_of(vector)), (12, 16));
    }
}
