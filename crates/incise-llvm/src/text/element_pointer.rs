//! `getelementptr`, lowered to bytes: a constant offset and strides, by the layout of the types.

use super::failure::{Failure, Parse};
use super::reader::Reader;
use incise_ir::{ConstantId, ConstantKind, Op, Operand, Type, TypeId};

/// The most lanes that are written out.
const MAXIMUM_LANES: u32 = 64;

/// What a `getelementptr` adds to its base.
struct Lowered {
    offset: i64,
    terms: Vec<(Operand, i64)>,
    /// The number of elements of the array that the last index goes into, if it is not a constant.
    elements: Option<u64>,
}

impl<'a> Reader<'a, '_> {
    /// Reads the flags of a `getelementptr`; the result says whether `inbounds` is one of them.
    fn element_pointer_flags(&mut self) -> Parse<bool> {
        let mut in_bounds = false;
        loop {
            let word = self.cursor.peek_word();
            match word {
                b"inbounds" => in_bounds = true,
                b"nuw" | b"nusw" | b"inrange" => {}
                _ => return Ok(in_bounds),
            }
            self.cursor.at += word.len();
            if word == b"inrange" && self.cursor.peek() == b'(' {
                self.cursor.skip_balanced()?;
            }
        }
    }

    /// Reads a `getelementptr` instruction after its name.
    pub(crate) fn element_pointer(&mut self) -> Parse<(Op, TypeId)> {
        let in_bounds = self.element_pointer_flags()?;
        let structure = self.named_structure();
        let source = self.value_type()?;
        self.cursor.expect(b',')?;
        let at = self.cursor.at;
        let base = self.typed_operand()?;
        let mut indices = std::mem::take(&mut self.body.operands);
        indices.clear();
        while self.cursor.peek() == b',' && !self.metadata_follows() {
            self.cursor.at += 1;
            self.cursor.eat_word(b"inrange");
            indices.push(self.typed_operand()?);
        }
        let result = match self.vector_length(base, &indices, at)? {
            Some(lanes) => self.element_pointers_by_lane(source, base, &indices, in_bounds, lanes, at),
            None => {
                self.body.member_of = structure;
                self.scalar_element_pointer(source, base, &indices, in_bounds, at)
            }
        };
        self.body.operands = indices;
        result
    }

    /// The name of the struct that comes next, if it has one.
    fn named_structure(&mut self) -> Option<&'a [u8]> {
        if self.cursor.peek() != b'%' {
            return None;
        }
        let at = self.cursor.at;
        self.cursor.at += 1;
        let name = self.cursor.raw_name();
        self.cursor.at = at;
        name.ok()
    }

    fn scalar_element_pointer(
        &mut self,
        source: TypeId,
        base: Operand,
        indices: &[Operand],
        in_bounds: bool,
        at: usize,
    ) -> Parse<(Op, TypeId)> {
        let pointer = self.builder.common.pointer;
        if self.operand_type(base) != pointer {
            return Failure::broken(at, "expected a pointer ('ptr')");
        }
        let lowered = self.lower_indices(source, indices, at)?;
        self.body.element_of = lowered.elements;
        let terms = lowered.terms.into_boxed_slice();
        Ok((Op::ElementPointer { base, offset: lowered.offset, terms, in_bounds }, pointer))
    }

    /// The number of lanes of a `getelementptr` on vectors; `None` if it is on scalars only.
    fn vector_length(&self, base: Operand, indices: &[Operand], at: usize) -> Parse<Option<u32>> {
        let mut found = None;
        for &operand in std::iter::once(&base).chain(indices) {
            if let Type::Vector { length, .. } = *self.builder.program.types.get(self.operand_type(operand)) {
                if found.is_some_and(|known| known != length) {
                    return Failure::broken(at, "the vectors of this 'getelementptr' differ in length");
                }
                found = Some(length);
            }
        }
        match found {
            Some(length) if length > MAXIMUM_LANES => {
                Failure::unknown(at, "vectors of this length are not supported")
            }
            found => Ok(found),
        }
    }

    /// A `getelementptr` on vectors, written out lane by lane.
    fn element_pointers_by_lane(
        &mut self,
        source: TypeId,
        base: Operand,
        indices: &[Operand],
        in_bounds: bool,
        lanes: u32,
        at: usize,
    ) -> Parse<(Op, TypeId)> {
        let pointer = self.builder.common.pointer;
        let ty = self.builder.program.types.intern(Type::Vector { element: pointer, length: lanes });
        let index_type = self.builder.program.types.integer(32);
        let undefined = self.builder.constant(ty, ConstantKind::Undef);
        let mut vector = Operand::Constant(undefined);
        for lane in 0..lanes {
            let number = self.builder.constant(index_type, ConstantKind::Integer(u128::from(lane)));
            let base = self.lane(base, lane, number, at)?;
            let mut lane_indices = Vec::with_capacity(indices.len());
            for &index in indices {
                lane_indices.push(self.lane(index, lane, number, at)?);
            }
            let (op, _) = self.scalar_element_pointer(source, base, &lane_indices, in_bounds, at)?;
            let value = Operand::Value(self.emit(op, pointer, at)?);
            let op = Op::InsertElement { vector, value, index: Operand::Constant(number) };
            if lane + 1 == lanes {
                return Ok((op, ty));
            }
            vector = Operand::Value(self.emit(op, ty, at)?);
        }
        Failure::broken(at, "a vector has at least one lane")
    }

    /// A lane of an operand; a scalar is the same in each lane.
    fn lane(&mut self, operand: Operand, lane: u32, number: ConstantId, at: usize) -> Parse<Operand> {
        let ty = self.operand_type(operand);
        let Type::Vector { element, .. } = *self.builder.program.types.get(ty) else { return Ok(operand) };
        if let Operand::Constant(constant) = operand {
            let found = match &self.builder.program.constants[constant].kind {
                ConstantKind::Aggregate(elements) => elements.get(lane as usize).copied(),
                ConstantKind::Zero => Some(self.zero_constant(element)),
                _ => None,
            };
            if let Some(found) = found {
                return Ok(Operand::Constant(found));
            }
        }
        let op = Op::ExtractElement { vector: operand, index: Operand::Constant(number) };
        Ok(Operand::Value(self.emit(op, element, at)?))
    }

    /// Whether a metadata attachment comes after the comma that is next.
    fn metadata_follows(&mut self) -> bool {
        let here = self.cursor.at;
        self.cursor.at += 1;
        let found = self.cursor.peek() == b'!';
        self.cursor.at = here;
        found
    }

    /// Reads a constant `getelementptr` after its name.
    pub(crate) fn element_pointer_expression(&mut self, ty: TypeId, at: usize) -> Parse<ConstantId> {
        self.element_pointer_flags()?;
        self.cursor.expect(b'(')?;
        let source = self.ty()?;
        self.cursor.expect(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.cursor.eat(b',') {
            self.cursor.eat_word(b"inrange");
            indices.push(Operand::Constant(self.typed_constant()?));
        }
        self.cursor.expect(b')')?;
        let pointer = self.builder.common.pointer;
        let text = String::from_utf8_lossy(&self.cursor.bytes[at..self.cursor.at]).into_owned();
        if ty != pointer || self.builder.program.constants[base].ty != pointer {
            return Ok(self.builder.constant(ty, ConstantKind::Unsupported(text.into())));
        }
        let lowered = self.lower_indices(source, &indices, at)?;
        if !lowered.terms.is_empty() {
            return Ok(self.builder.constant(ty, ConstantKind::Unsupported(text.into())));
        }
        Ok(self.offset_constant(base, lowered.offset))
    }

    /// A constant address plus a number of bytes.
    fn offset_constant(&mut self, base: ConstantId, offset: i64) -> ConstantId {
        let (base, offset) = match self.builder.program.constants[base].kind {
            ConstantKind::Offset { base, offset: inner } => (base, inner.wrapping_add(offset)),
            _ => (base, offset),
        };
        if offset == 0 {
            return base;
        }
        self.builder.constant(self.builder.common.pointer, ConstantKind::Offset { base, offset })
    }

    fn lower_indices(&self, source: TypeId, indices: &[Operand], at: usize) -> Parse<Lowered> {
        let types = &self.builder.program.types;
        let mut lowered = Lowered { offset: 0, terms: Vec::new(), elements: None };
        let mut ty = source;
        for (position, &index) in indices.iter().enumerate() {
            let constant = self.constant_index(index, at)?;
            lowered.elements = match types.get(ty) {
                Type::Array { length, .. } if position > 0 && constant.is_none() => Some(*length),
                _ => None,
            };
            let stride = if position == 0 {
                types.size_of(source)
            } else {
                match types.get(ty) {
                    Type::Struct { .. } => {
                        let field = constant.and_then(|field| u64::try_from(field).ok());
                        let found = field.and_then(|field| {
                            Some((types.offset_of(ty, field)?, types.element_type(ty, field)?))
                        });
                        let Some((offset, field)) = found else {
                            return Failure::broken(
                                at,
                                "this 'getelementptr' names a field that its struct does not have",
                            );
                        };
                        lowered.offset = lowered.offset.wrapping_add(offset as i64);
                        ty = field;
                        continue;
                    }
                    Type::Array { element, .. } | Type::Vector { element, .. } => {
                        ty = *element;
                        types.size_of(ty)
                    }
                    _ => {
                        return Failure::broken(
                            at,
                            "this 'getelementptr' has an index into something without elements",
                        );
                    }
                }
            };
            let stride = stride as i64;
            match constant {
                Some(index) => lowered.offset = lowered.offset.wrapping_add(index.wrapping_mul(stride)),
                None => lowered.terms.push((index, stride)),
            }
        }
        Ok(lowered)
    }

    /// The value of an index that is a literal; `None` for one that is only known at run time.
    fn constant_index(&self, index: Operand, at: usize) -> Parse<Option<i64>> {
        let bits = match self.builder.program.types.get(self.operand_type(index)) {
            Type::Integer(bits) => *bits,
            _ => return Failure::unknown(at, "an index that is not an integer is not supported"),
        };
        let Operand::Constant(constant) = index else {
            return if bits > 64 {
                Failure::unknown(at, "an index of more than 64 bits is not supported")
            } else {
                Ok(None)
            };
        };
        match self.builder.program.constants[constant].kind {
            ConstantKind::Integer(value) => {
                let shift = 128 - bits.min(128);
                Ok(Some(((value << shift) as i128 >> shift) as i64))
            }
            _ if bits > 64 => Failure::unknown(at, "an index of more than 64 bits is not supported"),
            _ => Ok(None),
        }
    }
}
