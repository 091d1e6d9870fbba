//! The types of the source, decoded from debug information.
//!
//! Types refer to each other in cycles (a struct with a pointer to itself), so each gets its id before it is decoded,
//! and a worklist replaces recursion.

use super::cursor::unescape_text;
use super::debug::node_key;
use super::metadata::{FieldValue, NodeReference};
use super::reader::Reader;
use incise_ir::{DebugMember, DebugType, DebugTypeId, Encoding};

/// The fields of type nodes that we use.
#[derive(Default)]
struct TypeFields<'a> {
    tag: &'a [u8],
    name: &'a [u8],
    bits: u64,
    offset: u64,
    base: Option<NodeReference>,
    elements: Option<NodeReference>,
    encoding: &'a [u8],
    bit_field: bool,
    static_member: bool,
}

impl<'a> Reader<'a, '_> {
    /// The type of a debug node.
    pub(crate) fn debug_type(&mut self, reference: NodeReference) -> DebugTypeId {
        if let Some(&known) = self.state.debug.types.get(&node_key(reference)) {
            return known;
        }
        let mut work = Vec::new();
        let id = self.reserve_type(reference, &mut work);
        while let Some((id, reference)) = work.pop() {
            let ty = self.decode_type(reference, &mut work);
            self.builder.program.debug_types[id] = ty;
        }
        id
    }

    fn reserve_type(
        &mut self,
        reference: NodeReference,
        work: &mut Vec<(DebugTypeId, NodeReference)>,
    ) -> DebugTypeId {
        let key = node_key(reference);
        if let Some(&known) = self.state.debug.types.get(&key) {
            return known;
        }
        let id = self.builder.program.debug_types.push(DebugType::Unknown);
        self.state.debug.types.insert(key, id);
        work.push((id, reference));
        id
    }

    fn type_fields(&self, reference: NodeReference) -> Option<(&'a [u8], TypeFields<'a>)> {
        let node = self.module.node(reference)?;
        let kind = node.kind;
        let mut fields = TypeFields::default();
        node.fields(|name, value| match name {
            b"tag" => fields.tag = value.text,
            b"name" => fields.name = value.string(),
            b"size" => fields.bits = value.number(),
            b"offset" => fields.offset = value.number(),
            b"baseType" => fields.base = value.node(),
            b"elements" => fields.elements = value.node(),
            b"encoding" => fields.encoding = value.text,
            b"flags" => {
                fields.bit_field = value.has_flag(b"DIFlagBitField");
                fields.static_member = value.has_flag(b"DIFlagStaticMember");
            }
            _ => {}
        });
        Some((kind, fields))
    }

    fn decode_type(
        &mut self,
        reference: NodeReference,
        work: &mut Vec<(DebugTypeId, NodeReference)>,
    ) -> DebugType {
        let Some((kind, fields)) = self.type_fields(reference) else { return DebugType::Unknown };
        match kind {
            b"DIBasicType" => DebugType::Basic {
                name: unescape_text(fields.name),
                bits: fields.bits,
                encoding: encoding(fields.encoding),
            },
            b"DIDerivedType" => self.derived_type(&fields, work),
            b"DICompositeType" => self.composite_type(&fields, work),
            b"DISubroutineType" => {
                let types = self.subroutine_types(reference).into_iter();
                DebugType::Function(types.map(|ty| ty.map(|ty| self.reserve_type(ty, work))).collect())
            }
            _ => DebugType::Unknown,
        }
    }

    fn derived_type(
        &mut self,
        fields: &TypeFields<'a>,
        work: &mut Vec<(DebugTypeId, NodeReference)>,
    ) -> DebugType {
        let target = fields.base.map(|base| self.reserve_type(base, work));
        match fields.tag {
            b"DW_TAG_pointer_type" | b"DW_TAG_reference_type" | b"DW_TAG_rvalue_reference_type" => {
                DebugType::Pointer(target)
            }
            b"DW_TAG_typedef" => DebugType::Typedef { name: unescape_text(fields.name), target },
            b"DW_TAG_const_type" => DebugType::Qualified { constant: true, target },
            b"DW_TAG_volatile_type" | b"DW_TAG_restrict_type" | b"DW_TAG_atomic_type" => {
                DebugType::Qualified { constant: false, target }
            }
            _ => DebugType::Unknown,
        }
    }

    fn composite_type(
        &mut self,
        fields: &TypeFields<'a>,
        work: &mut Vec<(DebugTypeId, NodeReference)>,
    ) -> DebugType {
        let name = unescape_text(fields.name);
        match fields.tag {
            b"DW_TAG_structure_type" | b"DW_TAG_class_type" | b"DW_TAG_union_type" => DebugType::Composite {
                name,
                bits: fields.bits,
                members: self.members(fields.elements, work),
                union: fields.tag == b"DW_TAG_union_type",
            },
            b"DW_TAG_array_type" => match fields.base {
                Some(base) => DebugType::Array {
                    element: self.reserve_type(base, work),
                    counts: self.counts(fields.elements),
                },
                None => DebugType::Unknown,
            },
            b"DW_TAG_enumeration_type" => {
                let (enumerators, signed_values) = self.enumerators(fields.elements);
                let signed = self.is_signed(fields.base).unwrap_or(signed_values);
                DebugType::Enumeration { name, bits: fields.bits, signed, enumerators }
            }
            _ => DebugType::Unknown,
        }
    }

    fn members(
        &mut self,
        elements: Option<NodeReference>,
        work: &mut Vec<(DebugTypeId, NodeReference)>,
    ) -> Vec<DebugMember> {
        let mut members = Vec::new();
        for element in self.tuple(elements).iter().filter_map(FieldValue::node) {
            let Some((b"DIDerivedType", fields)) = self.type_fields(element) else { continue };
            let is_member =
                matches!(fields.tag, b"DW_TAG_member" | b"DW_TAG_inheritance") && !fields.static_member;
            let (true, Some(base)) = (is_member, fields.base) else { continue };
            members.push(DebugMember {
                name: unescape_text(fields.name),
                ty: self.reserve_type(base, work),
                offset_bits: fields.offset,
                bits: fields.bits,
                bit_field: fields.bit_field,
            });
        }
        members
    }

    /// The length of each dimension of an array.
    fn counts(&self, elements: Option<NodeReference>) -> Vec<Option<u64>> {
        let dimension = |element: &FieldValue<'a>| {
            let node = element.node().and_then(|node| self.module.node(node))?;
            let (mut count, mut lower, mut upper) = (None, 0, None);
            node.fields(|name, value| match name {
                b"count" => count = value.signed(),
                b"lowerBound" => lower = value.signed().unwrap_or(0),
                b"upperBound" => upper = value.signed(),
                _ => {}
            });
            count.or_else(|| Some(upper? - lower + 1)).and_then(|count| u64::try_from(count).ok())
        };
        self.tuple(elements).iter().map(dimension).collect()
    }

    /// The names and values of an enumeration, and whether the values are signed.
    fn enumerators(&self, elements: Option<NodeReference>) -> (Vec<(String, i64)>, bool) {
        let mut signed = true;
        let mut found = Vec::new();
        for node in self.tuple(elements).iter().filter_map(FieldValue::node) {
            let Some(node) = self.module.node(node).filter(|node| node.kind == b"DIEnumerator") else {
                continue;
            };
            let (mut name, mut value) = (String::new(), 0);
            node.fields(|field, text| match field {
                b"name" => name = unescape_text(text.string()),
                b"value" => value = text.signed().unwrap_or(0) as i64,
                b"isUnsigned" => signed &= text.text != b"true",
                _ => {}
            });
            found.push((name, value));
        }
        (found, signed)
    }

    /// Whether the basic type under an enumeration is signed; `None` if there is none.
    fn is_signed(&self, base: Option<NodeReference>) -> Option<bool> {
        let mut next = base?;
        for _ in 0..64 {
            let (kind, fields) = self.type_fields(next)?;
            if kind == b"DIBasicType" {
                return Some(matches!(encoding(fields.encoding), Encoding::Signed | Encoding::SignedChar));
            }
            next = fields.base?;
        }
        None
    }
}

fn encoding(word: &[u8]) -> Encoding {
    match word {
        b"DW_ATE_signed" => Encoding::Signed,
        b"DW_ATE_unsigned" => Encoding::Unsigned,
        b"DW_ATE_signed_char" => Encoding::SignedChar,
        b"DW_ATE_unsigned_char" | b"DW_ATE_UTF" => Encoding::UnsignedChar,
        b"DW_ATE_boolean" => Encoding::Boolean,
        b"DW_ATE_float" => Encoding::Float,
        _ => Encoding::Other,
    }
}
