//! Instructions that are rare in C: interpreted from the IR, vectors lane by lane.

use crate::decisions::decider::Decider;
use crate::engine::code::{Code, float_format};
use crate::engine::constants::block_address;
use crate::engine::decode::{compare_op, float_op, integer_op};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::externals::VolatilePlace;
use crate::memory::access::{Access, AccessKind, ObjectPlace};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_ir::{
    AtomicOp, AtomicOrdering, BinaryOp as IrBinary, BlockId, CastOp, FloatKind, Function, InstructionId, Op,
    Operand, Type, TypeId,
};
use incise_solver::{BinaryOp, CompareOp, FloatBinary};

/// How deep the types of values may nest.
const DEPTH: u32 = 64;

fn unsupported(what: impl Into<String>) -> Exit {
    Exit::End(Outcome::Unsupported(what.into()))
}

impl Decider<'_> {
    /// The type of a vector's lanes; the type itself if it is no vector.
    pub(crate) fn lane_type(&self, ty: TypeId) -> TypeId {
        match self.program.types.get(ty) {
            Type::Vector { element, .. } => *element,
            _ => ty,
        }
    }

    pub(crate) fn float_kind(&self, ty: TypeId) -> Option<FloatKind> {
        match self.program.types.get(ty) {
            Type::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    pub(crate) fn scalar_width(&self, ty: TypeId) -> Result<u32, Exit> {
        match self.program.types.scalar_bits(ty) {
            Some(bits) if (1..=128).contains(&bits) => Ok(bits),
            Some(bits) => Err(unsupported(format!("an integer of {bits} bits"))),
            None => Err(unsupported(format!("a value of type {:?}", self.program.types.get(ty)))),
        }
    }
}

impl Machine<'_> {
    /// Executes an IR instruction that was not decoded into a form of its own.
    pub(crate) fn slow(&mut self, code: &Code, state: &mut State, id: InstructionId) -> Result<(), Exit> {
        let program = self.program;
        let function = &program.functions[code.function];
        let instruction = &function.instructions[id];
        let ty = instruction.result.map(|result| function.values[result].ty);
        let value = match &instruction.op {
            Op::Return(_) | Op::Branch(_) | Op::ConditionalBranch { .. } => None,
            Op::Unreachable => {
                return Err(Exit::End(Outcome::Error(ProgramError {
                    kind: ErrorKind::Unreachable,
                    message: "code that must not be reached is reached".into(),
                })));
            }
            Op::IndirectBranch { address, targets } => {
                return self.indirect_branch(code, state, function, *address, targets);
            }
            Op::Store { value, pointer, ordering, volatile } => {
                let ty = program.operand_type(function, *value);
                let (value, at) = (self.operand(state, *value), *pointer);
                let pointer = match self.accessed_place(state, at, ty, *volatile && ordering.is_none())? {
                    VolatilePlace::Memory(pointer) => pointer,
                    VolatilePlace::Device(address) => {
                        return self.device_write(state, address, ty, &value);
                    }
                };
                if *volatile && self.others_change(code) {
                    return self.volatile_write(state, (at, &pointer), ty, &value);
                }
                match (ordering, program.types.scalar_bits(ty)) {
                    (&Some(_), Some(width)) => {
                        let access = Access { ordering: *ordering, ..Access::WRITE };
                        self.memory().store_with(state, &pointer, width, &value, access)?;
                    }
                    _ => self.store_typed(state, &pointer, ty, &value)?,
                }
                None
            }
            Op::Fence { ordering } => {
                self.decider.fenced(state, *ordering);
                None
            }
            Op::Unsupported(text) | Op::UnsupportedTerminator(text) => return Err(unsupported(&**text)),
            Op::LandingPad | Op::Resume => return Err(unsupported("an exception")),
            Op::Switch { .. } => return Err(unsupported("a switch over more than 128 bits")),
            op => {
                let Some(ty) = ty else { return Err(unsupported(format!("{op:?}"))) };
                if let (Op::ElementPointer { terms, .. }, Some(result)) = (op, instruction.result)
                    && let Some(&(index, stride)) = terms.last()
                    && let Some(width) = program.types.scalar_bits(program.operand_type(function, index))
                {
                    let index = self.operand(state, index);
                    self.note_index(code, state, result, (&index, width), stride);
                }
                Some(self.slow_value(state, (code, function), op, ty)?)
            }
        };
        if let (Some(result), Some(value)) = (instruction.result, value) {
            state.set(incise_ir::Id::index(result) as u32, value);
        }
        Ok(())
    }

    /// Where an access leads: volatile ones may lead to devices.
    fn accessed_place(
        &mut self,
        state: &mut State,
        pointer: Operand,
        ty: TypeId,
        volatile: bool,
    ) -> Result<VolatilePlace, Exit> {
        let value = self.operand(state, pointer);
        match volatile && self.program.types.scalar_bits(ty).is_some() {
            true => self.volatile_place(state, pointer, value, self.program.types.store_size(ty)),
            false => Ok(VolatilePlace::Memory(value)),
        }
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, state: &State, operand: Operand) -> Value {
        match operand {
            Operand::Value(value) => state.thread.frame.registers[incise_ir::Id::index(value)].clone(),
            Operand::Constant(constant) => self.decider.constants.value(self.program, constant),
        }
    }

    fn slow_value(
        &mut self,
        state: &mut State,
        (code, function): (&Code, &Function),
        op: &Op,
        ty: TypeId,
    ) -> Result<Value, Exit> {
        let program = self.program;
        match op {
            Op::Binary { op, left, right, .. } => {
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                self.map_lanes(state, ty, &[&left, &right], |machine, state, element, lanes| {
                    machine.scalar_binary(state, *op, element, &lanes[0], &lanes[1])
                })
            }
            Op::FloatNegate(value) => {
                let value = self.operand(state, *value);
                self.map_lanes(state, ty, &[&value], |machine, state, element, lanes| {
                    let Some(kind) = machine.decider.float_kind(element) else {
                        return Err(unsupported("fneg"));
                    };
                    let expr = machine.decider.expr(state, &lanes[0], kind.bits());
                    let negated = machine.decider.exprs.float_neg(float_format(kind), expr);
                    Ok(Value::from_expr(&machine.decider.exprs, negated))
                })
            }
            Op::IntegerCompare { predicate, left, right } => {
                let element = self.decider.lane_type(program.operand_type(function, *left));
                let width = self.decider.scalar_width(element)?;
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                self.map_lanes(state, ty, &[&left, &right], |machine, state, _, lanes| {
                    let a = machine.decider.expr(state, &lanes[0], width);
                    let b = machine.decider.expr(state, &lanes[1], width);
                    let result = machine.decider.exprs.compare(compare_op(*predicate), a, b);
                    Ok(Value::from_expr(&machine.decider.exprs, result))
                })
            }
            Op::FloatCompare { predicate, left, right } => {
                let element = self.decider.lane_type(program.operand_type(function, *left));
                let Some(kind) = self.decider.float_kind(element) else { return Err(unsupported("fcmp")) };
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                self.map_lanes(state, ty, &[&left, &right], |machine, state, _, lanes| {
                    Ok(machine.calculator().float_compare_values(
                        state,
                        *predicate,
                        float_format(kind),
                        &lanes[0],
                        &lanes[1],
                    ))
                })
            }
            Op::Cast { op, value } => {
                let from = program.operand_type(function, *value);
                let value = self.operand(state, *value);
                self.slow_cast(state, *op, from, ty, &value)
            }
            Op::Load { ty, pointer, ordering, volatile } => {
                let at = *pointer;
                let pointer = match self.accessed_place(state, at, *ty, *volatile && ordering.is_none())? {
                    VolatilePlace::Memory(pointer) => pointer,
                    VolatilePlace::Device(address) => return self.device_read(state, address, *ty),
                };
                if *volatile && self.others_change(code) {
                    return self.volatile_read(state, (at, &pointer), *ty);
                }
                match (ordering, program.types.scalar_bits(*ty)) {
                    (&Some(_), Some(width)) => {
                        let access = Access { ordering: *ordering, ..Access::READ };
                        self.memory().load_with(state, &pointer, width, access)
                    }
                    _ => self.load_typed(state, &pointer, *ty),
                }
            }
            Op::ElementPointer { base, offset, terms, .. } => {
                if !matches!(program.types.get(ty), Type::Pointer) {
                    return Err(unsupported("address arithmetic on vectors"));
                }
                let base = self.operand(state, *base);
                let mut values = Vec::with_capacity(terms.len());
                for &(index, stride) in terms.iter() {
                    let width = self.decider.scalar_width(program.operand_type(function, index))?;
                    values.push((self.operand(state, index), width, stride));
                }
                Ok(self.memory().element_values(state, &base, *offset, &values))
            }
            Op::Select { condition, then, otherwise } => {
                let per_lane = matches!(
                    program.types.get(program.operand_type(function, *condition)),
                    Type::Vector { .. }
                );
                let condition = self.operand(state, *condition);
                let (then, otherwise) = (self.operand(state, *then), self.operand(state, *otherwise));
                self.slow_select(state, ty, per_lane, &condition, &then, &otherwise)
            }
            Op::ExtractValue { aggregate, indices } => {
                let mut value = self.operand(state, *aggregate);
                for &index in indices.iter() {
                    value = element(&value, index as usize);
                }
                Ok(value)
            }
            Op::InsertValue { aggregate, value, indices } => {
                let aggregate = self.operand(state, *aggregate);
                let value = self.operand(state, *value);
                self.insert_value(&aggregate, ty, indices, value)
            }
            Op::ExtractElement { vector, index } => {
                let vector = self.operand(state, *vector);
                match self.operand(state, *index).as_concrete() {
                    Some(index) => Ok(element(&vector, index as usize)),
                    None => Err(unsupported("a vector lane with a symbolic number")),
                }
            }
            Op::InsertElement { vector, value, index } => {
                let vector = self.operand(state, *vector);
                let value = self.operand(state, *value);
                match self.operand(state, *index).as_concrete() {
                    Some(index) => self.insert_value(&vector, ty, &[index as u32], value),
                    None => Err(unsupported("a vector lane with a symbolic number")),
                }
            }
            Op::ShuffleVector { left, right, mask } => {
                let source = program.operand_type(function, *left);
                let count = program.types.element_count(source).unwrap_or(0) as u32;
                let (left, right) = (self.operand(state, *left), self.operand(state, *right));
                let lanes = mask.iter().map(|lane| match *lane {
                    None => Value::Undefined,
                    Some(lane) if lane < count => element(&left, lane as usize),
                    Some(lane) => element(&right, (lane - count) as usize),
                });
                Ok(Value::aggregate(lanes))
            }
            Op::Freeze(value) => {
                let value = self.operand(state, *value);
                self.freeze(state, ty, value, 0)
            }
            Op::AtomicReadModifyWrite { op, pointer, value, ordering } => {
                let pointer = self.operand(state, *pointer);
                let value = self.operand(state, *value);
                self.atomic(state, (*op, *ordering), ty, &pointer, &value)
            }
            Op::CompareExchange { pointer, expected, replacement, success, .. } => {
                let width = self.decider.scalar_width(program.operand_type(function, *expected))?;
                let pointer = self.operand(state, *pointer);
                let (expected, replacement) =
                    (self.operand(state, *expected), self.operand(state, *replacement));
                let access = Access { kind: AccessKind::Update, ordering: Some(*success) };
                let place = self.memory().resolve(state, &pointer, u64::from(width.div_ceil(8)), access)?;
                let old = self.memory().read_scalar(state, place, width);
                let (a, b) =
                    (self.decider.expr(state, &old, width), self.decider.expr(state, &expected, width));
                let equal = self.decider.exprs.compare(CompareOp::Eq, a, b);
                let new = self.decider.select_values(state, width, equal, &replacement, &old);
                self.memory().write_scalar(state, place, width, &new);
                if state.memory.is_watched() {
                    self.decider.noted_update(state, place, (&old, &new), Some(&expected));
                }
                Ok(Value::aggregate([old, Value::from_expr(&self.decider.exprs, equal)]))
            }
            Op::VaArg { .. } => Err(unsupported("the va_arg instruction")),
            Op::Alloca { .. } => Err(unsupported("an alloca with a count of more than 128 bits")),
            other => Err(unsupported(format!("{other:?}"))),
        }
    }

    fn scalar_binary(
        &mut self,
        state: &mut State,
        op: IrBinary,
        ty: TypeId,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Exit> {
        let width = self.decider.scalar_width(ty)?;
        match (integer_op(op), self.decider.float_kind(ty)) {
            (Some(op), None) => self.calculator().binary_values(state, op, width, false, left, right),
            (None, Some(kind)) => Ok(self.calculator().float_binary_values(
                state,
                float_op(op),
                float_format(kind),
                left,
                right,
            )),
            _ => Err(unsupported(format!("{op:?}"))),
        }
    }

    fn slow_cast(
        &mut self,
        state: &mut State,
        op: CastOp,
        from: TypeId,
        to: TypeId,
        value: &Value,
    ) -> Result<Value, Exit> {
        if op == CastOp::Bitcast {
            return self.bitcast(state, from, to, value);
        }
        let (from, element) = (self.decider.lane_type(from), self.decider.lane_type(to));
        let (from_width, to_width) = (self.decider.scalar_width(from)?, self.decider.scalar_width(element)?);
        let kinds = (self.decider.float_kind(from), self.decider.float_kind(element));
        self.map_lanes(state, to, &[value], |machine, state, _, lanes| match op {
            CastOp::Truncate | CastOp::ZeroExtend | CastOp::SignExtend => {
                let expr = machine.decider.expr(state, &lanes[0], from_width);
                let expr = match op {
                    CastOp::Truncate => machine.decider.exprs.trunc(expr, to_width),
                    CastOp::ZeroExtend => machine.decider.exprs.zext(expr, to_width),
                    _ => machine.decider.exprs.sext(expr, to_width),
                };
                Ok(Value::from_expr(&machine.decider.exprs, expr))
            }
            CastOp::PointerToInteger | CastOp::IntegerToPointer if from_width == to_width => {
                Ok(lanes[0].clone())
            }
            _ => machine.calculator().float_cast(
                state,
                op,
                (kinds.0, from_width),
                (kinds.1, to_width),
                &lanes[0],
            ),
        })
    }

    /// Reads the bits of a value as another type of the same size.
    fn bitcast(&mut self, state: &mut State, from: TypeId, to: TypeId, value: &Value) -> Result<Value, Exit> {
        let lanes_of = |machine: &Self, ty: TypeId| -> Result<(u32, u64), Exit> {
            let element = machine.decider.lane_type(ty);
            Ok((machine.decider.scalar_width(element)?, machine.program.types.element_count(ty).unwrap_or(1)))
        };
        let ((from_width, from_count), (to_width, to_count)) = (lanes_of(self, from)?, lanes_of(self, to)?);
        if u64::from(from_width) * from_count > 128 {
            // Lane by lane where the lanes are as wide; otherwise through narrower parts.
            return self.bitcast_wide(state, (from_width, from_count), (to_width, to_count), value);
        }
        let mut whole = None;
        for index in 0..from_count as usize {
            let lane = if from_count == 1 && !matches!(value, Value::Aggregate(_)) {
                value.clone()
            } else {
                element(value, index)
            };
            let lane = self.decider.expr(state, &lane, from_width);
            whole = Some(match whole {
                None => lane,
                Some(low) => self.decider.exprs.concat(lane, low),
            });
        }
        let Some(whole) = whole else { return Ok(Value::Undefined) };
        if !matches!(self.program.types.get(to), Type::Vector { .. }) {
            return Ok(Value::from_expr(&self.decider.exprs, whole));
        }
        let mut lanes = Vec::new();
        for index in 0..to_count as u32 {
            let lane = self.decider.exprs.extract(whole, index * to_width, to_width);
            lanes.push(Value::from_expr(&self.decider.exprs, lane));
        }
        Ok(Value::aggregate(lanes))
    }

    fn bitcast_wide(
        &mut self,
        state: &mut State,
        (from_width, from_count): (u32, u64),
        (to_width, to_count): (u32, u64),
        value: &Value,
    ) -> Result<Value, Exit> {
        if from_width == to_width {
            return Ok(value.clone());
        }
        // Bytes are the common measure.
        if from_width % 8 != 0 || to_width % 8 != 0 {
            return Err(unsupported("a conversion between wide vectors of odd lanes"));
        }
        let mut bytes = Vec::new();
        for index in 0..from_count as usize {
            let lane = self.decider.expr(state, &element(value, index), from_width);
            for byte in 0..from_width / 8 {
                bytes.push(self.decider.exprs.extract(lane, byte * 8, 8));
            }
        }
        let mut lanes = Vec::new();
        for chunk in bytes.chunks((to_width / 8) as usize).take(to_count as usize) {
            let mut lane = chunk[0];
            for &byte in &chunk[1..] {
                lane = self.decider.exprs.concat(byte, lane);
            }
            lanes.push(Value::from_expr(&self.decider.exprs, lane));
        }
        Ok(Value::aggregate(lanes))
    }

    fn slow_select(
        &mut self,
        state: &mut State,
        ty: TypeId,
        per_lane: bool,
        condition: &Value,
        then: &Value,
        otherwise: &Value,
    ) -> Result<Value, Exit> {
        if per_lane {
            return self.map_lanes(
                state,
                ty,
                &[condition, then, otherwise],
                |machine, state, element, lanes| {
                    let width = machine.decider.scalar_width(element)?;
                    let condition = machine.decider.expr(state, &lanes[0], 1);
                    Ok(machine.decider.select_values(state, width, condition, &lanes[1], &lanes[2]))
                },
            );
        }
        match condition.as_concrete() {
            Some(0) => Ok(otherwise.clone()),
            Some(_) => Ok(then.clone()),
            None => {
                let condition = self.decider.expr(state, condition, 1);
                self.select_aggregate(state, ty, condition, then, otherwise, 0)
            }
        }
    }

    fn select_aggregate(
        &mut self,
        state: &mut State,
        ty: TypeId,
        condition: incise_solver::ExprId,
        then: &Value,
        otherwise: &Value,
        depth: u32,
    ) -> Result<Value, Exit> {
        let Some(count) = self.program.types.element_count(ty) else {
            let width = self.decider.scalar_width(ty)?;
            return Ok(self.decider.select_values(state, width, condition, then, otherwise));
        };
        if depth > DEPTH {
            return Err(unsupported("a value that nests too deep"));
        }
        let mut elements = Vec::new();
        for index in 0..count {
            let Some(inner) = self.program.types.element_type(ty, index) else { continue };
            let (then, otherwise) = (element(then, index as usize), element(otherwise, index as usize));
            elements.push(self.select_aggregate(state, inner, condition, &then, &otherwise, depth + 1)?);
        }
        Ok(Value::aggregate(elements))
    }

    fn insert_value(
        &mut self,
        aggregate: &Value,
        ty: TypeId,
        indices: &[u32],
        value: Value,
    ) -> Result<Value, Exit> {
        let Some((&index, rest)) = indices.split_first() else { return Ok(value) };
        let count = self.program.types.element_count(ty).unwrap_or(0) as usize;
        let mut elements: Vec<Value> = (0..count).map(|index| element(aggregate, index)).collect();
        let (Some(slot), Some(inner)) =
            (elements.get(index as usize).cloned(), self.program.types.element_type(ty, u64::from(index)))
        else {
            return Ok(Value::Undefined);
        };
        elements[index as usize] = self.insert_value(&slot, inner, rest, value)?;
        Ok(Value::aggregate(elements))
    }

    fn freeze(&mut self, state: &mut State, ty: TypeId, value: Value, depth: u32) -> Result<Value, Exit> {
        match self.program.types.element_count(ty) {
            None => match value {
                Value::Undefined => {
                    let width = self.decider.scalar_width(ty)?;
                    Ok(Value::Symbolic(self.decider.arbitrary(state, width)))
                }
                value => Ok(value),
            },
            Some(count) if depth < DEPTH => {
                let mut elements = Vec::new();
                for index in 0..count {
                    let Some(inner) = self.program.types.element_type(ty, index) else { continue };
                    elements.push(self.freeze(state, inner, element(&value, index as usize), depth + 1)?);
                }
                Ok(Value::aggregate(elements))
            }
            Some(_) => Err(unsupported("a value that nests too deep")),
        }
    }

    fn atomic(
        &mut self,
        state: &mut State,
        (op, ordering): (AtomicOp, AtomicOrdering),
        ty: TypeId,
        pointer: &Value,
        value: &Value,
    ) -> Result<Value, Exit> {
        let width = self.decider.scalar_width(ty)?;
        let access = Access { kind: AccessKind::Update, ordering: Some(ordering) };
        let place = self.memory().resolve(state, pointer, u64::from(width.div_ceil(8)), access)?;
        let old = self.memory().read_scalar(state, place, width);
        let new = self.atomic_result(state, op, ty, width, &old, value)?;
        self.memory().write_scalar(state, place, width, &new);
        if state.memory.is_watched() {
            self.decider.noted_update(state, place, (&old, &new), None);
        }
        Ok(old)
    }

    fn atomic_result(
        &mut self,
        state: &mut State,
        op: AtomicOp,
        ty: TypeId,
        width: u32,
        old: &Value,
        value: &Value,
    ) -> Result<Value, Exit> {
        let operation = match op {
            AtomicOp::Exchange => return Ok(value.clone()),
            AtomicOp::Add => Some(BinaryOp::Add),
            AtomicOp::Sub => Some(BinaryOp::Sub),
            AtomicOp::And | AtomicOp::Nand => Some(BinaryOp::And),
            AtomicOp::Or => Some(BinaryOp::Or),
            AtomicOp::Xor => Some(BinaryOp::Xor),
            _ => None,
        };
        let (a, b) = (self.decider.expr(state, old, width), self.decider.expr(state, value, width));
        if let Some(operation) = operation {
            let mut result = self.decider.exprs.binary(operation, a, b);
            if op == AtomicOp::Nand {
                result = self.decider.exprs.not(result);
            }
            return Ok(Value::from_expr(&self.decider.exprs, result));
        }
        let pick = match op {
            AtomicOp::SignedMax => CompareOp::Sgt,
            AtomicOp::SignedMin => CompareOp::Slt,
            AtomicOp::UnsignedMax => CompareOp::Ugt,
            AtomicOp::UnsignedMin => CompareOp::Ult,
            AtomicOp::FAdd | AtomicOp::FSub | AtomicOp::FMax | AtomicOp::FMin => {
                let Some(kind) = self.decider.float_kind(ty) else { return Err(unsupported("atomicrmw")) };
                let op = match op {
                    AtomicOp::FAdd => FloatBinary::Add,
                    AtomicOp::FSub => FloatBinary::Sub,
                    AtomicOp::FMax => FloatBinary::Max,
                    _ => FloatBinary::Min,
                };
                return Ok(self.calculator().float_binary_values(state, op, float_format(kind), old, value));
            }
            other => return Err(unsupported(format!("atomicrmw {other:?}"))),
        };
        let keep = self.decider.exprs.compare(pick, a, b);
        let result = self.decider.exprs.ite(keep, a, b);
        Ok(Value::from_expr(&self.decider.exprs, result))
    }

    fn indirect_branch(
        &mut self,
        code: &Code,
        state: &mut State,
        function: &Function,
        address: Operand,
        targets: &[BlockId],
    ) -> Result<(), Exit> {
        let address = self.operand(state, address);
        let address = self.decider.expr(state, &address, 64);
        let mut distinct: Vec<BlockId> = Vec::new();
        for &target in targets {
            if !distinct.contains(&target) {
                distinct.push(target);
            }
        }
        let mut conditions = Vec::new();
        let mut valid = self.decider.exprs.constant(0, 1);
        for &target in &distinct {
            let block = self.decider.exprs.constant(u128::from(block_address(code.function, target)), 64);
            let equal = self.decider.exprs.compare(CompareOp::Eq, address, block);
            valid = self.decider.exprs.or(valid, equal);
            conditions.push(equal);
        }
        self.decider.require(state, valid, |_, _| ProgramError {
            kind: ErrorKind::BadCall,
            message: "jump to an address that is no label of this function".into(),
        })?;
        let choice = self.decider.choose(state, &conditions)?;
        let Some(&target) = distinct.get(choice) else { return Err(unsupported("computed goto")) };
        self.enter_block(code, state, function, target)
    }

    /// Goes to a block that no edge was decoded for: computed gotos have too many of them.
    fn enter_block(
        &mut self,
        code: &Code,
        state: &mut State,
        function: &Function,
        target: BlockId,
    ) -> Result<(), Exit> {
        let from = self.block_at(code, function, state.thread.frame.pc - 1);
        let mut copies = Vec::new();
        for id in function.block_instructions(target) {
            let instruction = &function.instructions[id];
            let Op::Phi(incoming) = &instruction.op else { break };
            if let (Some(result), Some(&(_, operand))) =
                (instruction.result, incoming.iter().find(|(block, _)| Some(*block) == from))
            {
                copies.push((incise_ir::Id::index(result) as u32, self.operand(state, operand)));
            }
        }
        for (to, value) in copies {
            state.set(to, value);
        }
        self.decider.coverage.until(code, state.thread.frame.pc);
        let first = function.blocks[target].first;
        // The first decoded instruction of the block: phi nodes and debug markers have none.
        let start =
            code.origins.iter().position(|&origin| origin >= first && origin < function.blocks[target].end);
        state.thread.frame.pc = start.unwrap_or(0) as u32;
        Ok(())
    }

    fn block_at(&self, code: &Code, function: &Function, pc: u32) -> Option<BlockId> {
        let origin = *code.origins.get(pc as usize)?;
        function
            .blocks
            .iter()
            .find(|(_, block)| origin >= block.first && origin < block.end)
            .map(|(id, _)| id)
    }

    /// Applies `apply` to each lane of vectors, or once to scalars.
    pub(crate) fn map_lanes(
        &mut self,
        state: &mut State,
        ty: TypeId,
        operands: &[&Value],
        mut apply: impl FnMut(&mut Self, &mut State, TypeId, &[Value]) -> Result<Value, Exit>,
    ) -> Result<Value, Exit> {
        match self.program.types.get(ty) {
            Type::Vector { element: inner, length } => {
                let (inner, length) = (*inner, *length);
                let mut lanes = Vec::with_capacity(length as usize);
                for index in 0..length as usize {
                    let values: Vec<Value> = operands.iter().map(|value| element(value, index)).collect();
                    lanes.push(apply(self, state, inner, &values)?);
                }
                Ok(Value::aggregate(lanes))
            }
            _ => {
                let values: Vec<Value> = operands.iter().map(|&value| value.clone()).collect();
                apply(self, state, ty, &values)
            }
        }
    }

    /// Reads a value of any type.
    pub(crate) fn load_typed(
        &mut self,
        state: &mut State,
        pointer: &Value,
        ty: TypeId,
    ) -> Result<Value, Exit> {
        let size = self.program.types.store_size(ty);
        let place = self.memory().resolve(state, pointer, size, Access::READ)?;
        self.read_typed(state, place, ty, 0)
    }

    pub(crate) fn read_typed(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        ty: TypeId,
        depth: u32,
    ) -> Result<Value, Exit> {
        let Some(count) = self.program.types.element_count(ty) else {
            let width = self.decider.scalar_width(ty)?;
            return Ok(self.memory().read_scalar(state, place, width));
        };
        if depth > DEPTH {
            return Err(unsupported("a value that nests too deep"));
        }
        self.check_packed_lanes(ty)?;
        let mut elements = Vec::new();
        for index in 0..count {
            let (Some(inner), Some(offset)) =
                (self.program.types.element_type(ty, index), self.program.types.offset_of(ty, index))
            else {
                continue;
            };
            let place = self.memory().advance(place, offset);
            elements.push(self.read_typed(state, place, inner, depth + 1)?);
        }
        Ok(Value::aggregate(elements))
    }

    /// Writes a value of any type.
    pub(crate) fn store_typed(
        &mut self,
        state: &mut State,
        pointer: &Value,
        ty: TypeId,
        value: &Value,
    ) -> Result<(), Exit> {
        let size = self.program.types.store_size(ty);
        let place = self.memory().resolve(state, pointer, size, Access::WRITE)?;
        self.write_typed(state, place, ty, value, 0)
    }

    fn write_typed(
        &mut self,
        state: &mut State,
        place: ObjectPlace,
        ty: TypeId,
        value: &Value,
        depth: u32,
    ) -> Result<(), Exit> {
        let Some(count) = self.program.types.element_count(ty) else {
            let width = self.decider.scalar_width(ty)?;
            self.memory().write_scalar(state, place, width, value);
            return Ok(());
        };
        if depth > DEPTH {
            return Err(unsupported("a value that nests too deep"));
        }
        self.check_packed_lanes(ty)?;
        for index in 0..count {
            let (Some(inner), Some(offset)) =
                (self.program.types.element_type(ty, index), self.program.types.offset_of(ty, index))
            else {
                continue;
            };
            let place = self.memory().advance(place, offset);
            self.write_typed(state, place, inner, &element(value, index as usize), depth + 1)?;
        }
        Ok(())
    }

    /// Vectors of odd lanes (`<4 x i1>`) are packed bit by bit, which memory here is not.
    fn check_packed_lanes(&self, ty: TypeId) -> Result<(), Exit> {
        if let Type::Vector { element, .. } = self.program.types.get(ty)
            && self.program.types.scalar_bits(*element).is_some_and(|bits| bits % 8 != 0)
        {
            return Err(unsupported("a vector of lanes that are not whole bytes in memory"));
        }
        Ok(())
    }
}

/// An element of an aggregate; undefined if there is none.
pub(crate) fn element(value: &Value, index: usize) -> Value {
    match value {
        Value::Aggregate(elements) => elements.get(index).cloned().unwrap_or(Value::Undefined),
        _ => Value::Undefined,
    }
}
