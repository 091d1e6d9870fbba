//! The values of constants: evaluated once, with the addresses that globals and functions have on every path.

use crate::engine::value::{Value, mask, sign_extend};
use crate::memory::Memory;
use incise_ir::{
    BinaryOp, CastOp, ConstantId, ConstantKind, GlobalId, Id, IntegerPredicate, Program, Type, TypeId,
};
use incise_solver::concrete;

/// How deep constant expressions may nest: deeper ones are undefined values.
const DEPTH: u32 = 256;

/// The table of constants' values.
pub struct Constants {
    values: Vec<Option<Value>>,
    /// The slot of each global.
    pub globals: Vec<u64>,
}

impl Constants {
    pub(crate) fn new(program: &Program, globals: Vec<u64>) -> Self {
        Self { values: vec![None; program.constants.len()], globals }
    }

    pub(crate) fn global_address(&self, global: GlobalId) -> u64 {
        Memory::address(self.globals[global.index()])
    }

    /// The value of a constant.
    pub(crate) fn value(&mut self, program: &Program, id: ConstantId) -> Value {
        self.value_at(program, id, 0)
    }

    fn value_at(&mut self, program: &Program, id: ConstantId, depth: u32) -> Value {
        if let Some(value) = &self.values[id.index()] {
            return value.clone();
        }
        if depth > DEPTH {
            return Value::Undefined;
        }
        let value = self.compute(program, id, depth + 1);
        self.values[id.index()] = Some(value.clone());
        value
    }

    fn compute(&mut self, program: &Program, id: ConstantId, depth: u32) -> Value {
        let constant = &program.constants[id];
        let width = program.types.scalar_bits(constant.ty).unwrap_or(0);
        match &constant.kind {
            ConstantKind::Integer(bits) | ConstantKind::Float(bits) if width <= 128 => {
                Value::concrete(*bits, width)
            }
            ConstantKind::Null => Value::Word(0),
            ConstantKind::Zero => zero(program, constant.ty, 0),
            ConstantKind::Bytes(bytes) => {
                Value::aggregate(bytes.iter().map(|&byte| Value::Word(u64::from(byte))))
            }
            ConstantKind::Aggregate(elements) => {
                let elements: Vec<Value> =
                    elements.iter().map(|&element| self.value_at(program, element, depth)).collect();
                Value::aggregate(elements)
            }
            ConstantKind::Global(global) => Value::Word(self.global_address(*global)),
            ConstantKind::Function(function) => Value::Word(Memory::function_address(*function)),
            ConstantKind::Offset { base, offset } => match self.value_at(program, *base, depth) {
                Value::Word(base) => Value::Word(base.wrapping_add_signed(*offset)),
                _ => Value::Undefined,
            },
            ConstantKind::Cast { op, value } => {
                let from = program.types.scalar_bits(program.constants[*value].ty).unwrap_or(0);
                let value = self.value_at(program, *value, depth);
                cast(*op, &value, from, width)
            }
            ConstantKind::Binary { op, left, right } => {
                let operands = (self.value_at(program, *left, depth), self.value_at(program, *right, depth));
                binary(*op, operands, width)
            }
            ConstantKind::Compare { predicate, left, right } => {
                let width = program.types.scalar_bits(program.constants[*left].ty).unwrap_or(64);
                let operands = (self.value_at(program, *left, depth), self.value_at(program, *right, depth));
                compare(*predicate, operands, width)
            }
            ConstantKind::Select { condition, then, otherwise } => {
                match self.value_at(program, *condition, depth).as_concrete() {
                    Some(0) => self.value_at(program, *otherwise, depth),
                    Some(_) => self.value_at(program, *then, depth),
                    None => Value::Undefined,
                }
            }
            ConstantKind::BlockAddress { function, block } => Value::Word(block_address(*function, *block)),
            _ => Value::Undefined,
        }
    }
}

/// The address that stands for a block in computed gotos. Nothing can be loaded from it.
pub(crate) fn block_address(function: incise_ir::FunctionId, block: incise_ir::BlockId) -> u64 {
    0x8_0000_0000 + ((function.index() as u64) << 16) + block.index() as u64
}

/// All bits zero, of any type.
pub(crate) fn zero(program: &Program, ty: TypeId, depth: u32) -> Value {
    let types = &program.types;
    if depth > DEPTH {
        return Value::Undefined;
    }
    match types.get(ty) {
        Type::Struct { fields, .. } => {
            Value::aggregate(fields.iter().map(|&field| zero(program, field, depth + 1)))
        }
        Type::Array { element, length } => {
            let element = zero(program, *element, depth + 1);
            Value::aggregate(vec![element; *length as usize])
        }
        Type::Vector { element, length } => {
            let element = zero(program, *element, depth + 1);
            Value::aggregate(vec![element; *length as usize])
        }
        _ => Value::concrete(0, types.scalar_bits(ty).unwrap_or(1)),
    }
}

fn cast(op: CastOp, value: &Value, from: u32, to: u32) -> Value {
    if let (CastOp::Bitcast | CastOp::AddressSpace, value) = (op, value)
        && from == to
    {
        return value.clone();
    }
    let Some(bits) = value.as_concrete() else { return Value::Undefined };
    match op {
        CastOp::Truncate | CastOp::ZeroExtend | CastOp::PointerToInteger | CastOp::IntegerToPointer => {
            Value::concrete(bits, to)
        }
        CastOp::SignExtend => Value::concrete(sign_extend(bits, from) as u128, to),
        _ => Value::Undefined,
    }
}

fn binary(op: BinaryOp, (left, right): (Value, Value), width: u32) -> Value {
    match (crate::engine::decode::integer_op(op), left.as_concrete(), right.as_concrete()) {
        (Some(op), Some(left), Some(right)) => {
            Value::concrete(concrete::binary(op, left, right, width), width)
        }
        _ => Value::Undefined,
    }
}

fn compare(predicate: IntegerPredicate, (left, right): (Value, Value), width: u32) -> Value {
    match (left.as_concrete(), right.as_concrete()) {
        (Some(left), Some(right)) => {
            let op = crate::engine::decode::compare_op(predicate);
            Value::Word(u64::from(concrete::compare(op, left & mask(width), right & mask(width), width)))
        }
        _ => Value::Undefined,
    }
}
