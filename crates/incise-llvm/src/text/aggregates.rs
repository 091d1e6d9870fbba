//! Instructions on struct, array and vector values.

use super::failure::{Failure, Parse};
use super::reader::Reader;
use incise_ir::{ConstantKind, Op, Type, TypeId};

/// The most lanes that a shuffle may give.
const MAXIMUM_LANES: u32 = 1 << 16;

impl<'a> Reader<'a, '_> {
    pub(super) fn extract_value(&mut self) -> Parse<(Op, TypeId)> {
        let at = self.cursor.at;
        let aggregate = self.typed_operand()?;
        let indices = self.value_indices()?;
        let ty = self.element_at(self.operand_type(aggregate), &indices, at)?;
        Ok((Op::ExtractValue { aggregate, indices }, ty))
    }

    pub(super) fn insert_value(&mut self) -> Parse<(Op, TypeId)> {
        let at = self.cursor.at;
        let aggregate = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let value = self.typed_operand()?;
        let indices = self.value_indices()?;
        let ty = self.operand_type(aggregate);
        if self.element_at(ty, &indices, at)? != self.operand_type(value) {
            return Failure::broken(at, "this value does not fit the element that it replaces");
        }
        Ok((Op::InsertValue { aggregate, value, indices }, ty))
    }

    fn value_indices(&mut self) -> Parse<Box<[u32]>> {
        let mut indices = Vec::new();
        loop {
            let comma = self.cursor.at;
            if !self.cursor.eat(b',') {
                break;
            }
            if self.cursor.peek() == b'!' {
                self.cursor.at = comma;
                break;
            }
            indices.push(self.cursor.small_number()?);
        }
        Ok(indices.into())
    }

    fn element_at(&self, mut ty: TypeId, indices: &[u32], at: usize) -> Parse<TypeId> {
        let types = &self.builder.program.types;
        for &index in indices {
            let is_vector = matches!(types.get(ty), Type::Vector { .. });
            match types.element_type(ty, u64::from(index)) {
                Some(element) if !is_vector => ty = element,
                _ => return Failure::broken(at, "this value has no such element"),
            }
        }
        Ok(ty)
    }

    /// The lane type and length of a vector type.
    fn vector_parts(&self, ty: TypeId, at: usize) -> Parse<(TypeId, u32)> {
        match *self.builder.program.types.get(ty) {
            Type::Vector { element, length } => Ok((element, length)),
            _ => Failure::broken(at, "expected a vector"),
        }
    }

    pub(super) fn extract_element(&mut self) -> Parse<(Op, TypeId)> {
        let at = self.cursor.at;
        let vector = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let index = self.typed_operand()?;
        let (element, _) = self.vector_parts(self.operand_type(vector), at)?;
        Ok((Op::ExtractElement { vector, index }, element))
    }

    pub(super) fn insert_element(&mut self) -> Parse<(Op, TypeId)> {
        let at = self.cursor.at;
        let vector = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let value = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let index = self.typed_operand()?;
        let ty = self.operand_type(vector);
        let (element, _) = self.vector_parts(ty, at)?;
        if self.operand_type(value) != element {
            return Failure::broken(at, "this value does not fit the lane that it replaces");
        }
        Ok((Op::InsertElement { vector, value, index }, ty))
    }

    pub(super) fn shuffle_vector(&mut self) -> Parse<(Op, TypeId)> {
        let at = self.cursor.at;
        let left = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let right = self.typed_operand()?;
        self.cursor.expect(b',')?;
        let (element, length) = self.vector_parts(self.operand_type(left), at)?;
        if self.operand_type(left) != self.operand_type(right) {
            return Failure::broken(at, "the two vectors of a shuffle have different types");
        }
        let mask = self.shuffle_mask(length)?;
        let ty = self.builder.program.types.intern(Type::Vector { element, length: mask.len() as u32 });
        Ok((Op::ShuffleVector { left, right, mask }, ty))
    }

    fn shuffle_mask(&mut self, length: u32) -> Parse<Box<[Option<u32>]>> {
        let at = self.cursor.at;
        let mask = self.typed_constant()?;
        let constants = &self.builder.program.constants;
        let (_, lanes) = self.vector_parts(constants[mask].ty, at)?;
        if lanes > MAXIMUM_LANES {
            return Failure::unknown(at, "vectors of this length are not supported");
        }
        let lane = |kind: &ConstantKind| match kind {
            ConstantKind::Integer(value) if *value < u128::from(length) * 2 => Ok(Some(*value as u32)),
            ConstantKind::Undef | ConstantKind::Poison => Ok(None),
            _ => Failure::broken(at, "this mask of a shuffle names a lane that is not there"),
        };
        match &constants[mask].kind {
            ConstantKind::Zero => Ok(vec![Some(0); lanes as usize].into()),
            ConstantKind::Undef | ConstantKind::Poison => Ok(vec![None; lanes as usize].into()),
            ConstantKind::Aggregate(elements) => {
                elements.iter().map(|&element| lane(&constants[element].kind)).collect()
            }
            _ => Failure::unknown(at, "this mask of a shuffle is not supported"),
        }
    }
}
