//! Turns an IR function into [`Code`].

use crate::config::Checks;
use crate::decisions::strategy::Watches;
use crate::engine::code::{
    AllocaCode, Argument, ArgumentKind, CallCode, CalleeCode, Code, Edge, EdgeId, Inst, Register, Source,
    SwitchCode, float_format,
};
use crate::engine::constants::Constants;
use crate::memory::{ObjectInfo, ObjectKind};
use incise_ir::{
    BinaryOp as IrBinary, BlockId, Call, Callee, CastOp, Function, FunctionId, Id, Instruction,
    InstructionId, IntegerPredicate, Op, Operand, Program, Type, TypeId, ValueId,
};
use incise_solver::{BinaryOp, CompareOp, FloatBinary};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::rc::Rc;

/// Decodes `id`, which has a body.
pub(crate) fn decode(
    program: &Program,
    constants: &mut Constants,
    id: FunctionId,
    checks: Checks,
    watches: &Watches,
) -> Code {
    let function = &program.functions[id];
    let decoder = Decoder {
        program,
        function,
        constants,
        check_overflow: checks.overflow || checks.note_overflow,
        note_indices: checks.note_indices,
        slots: incise_ir::promotable(program, function),
        private: incise_ir::private_addresses(function),
        code: Code {
            function: id,
            model: function.model,
            atomic: function.name.starts_with(crate::threads::native::ATOMIC),
            instructions: Vec::new(),
            origins: Vec::new(),
            block_of: Vec::new(),
            constants: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            registers: function.values.len(),
            returned: vec![Cell::new(false); function.blocks.len()],
            lengths: function.blocks.ids().map(|block| block_length(function, block)).collect(),
            followed: Default::default(),
        },
        pool: FxHashMap::default(),
        starts: Vec::new(),
        watches,
        forwarded: vec![None; function.values.len()],
    };
    decoder.run()
}

/// The instructions of a block, as they are counted.
fn block_length(function: &Function, block: BlockId) -> u32 {
    (function.blocks[block].end.index() - function.blocks[block].first.index()) as u32
}

struct Decoder<'a> {
    program: &'a Program,
    function: &'a Function,
    constants: &'a mut Constants,
    check_overflow: bool,
    note_indices: bool,
    /// For each value, whether it is an alloca that lives in a register.
    slots: Vec<bool>,
    /// For each value, whether it is an address that nobody else has.
    private: Vec<bool>,
    code: Code,
    pool: FxHashMap<incise_ir::ConstantId, Source>,
    starts: Vec<u32>,
    watches: &'a Watches,
    /// For the result of a load from a slot that is not needed: the slot.
    forwarded: Vec<Option<Register>>,
}

impl Decoder<'_> {
    fn run(mut self) -> Code {
        // Once to see which instructions stay slow: those read registers by themselves.
        self.blocks();
        self.forward_loads();
        self.code.instructions.clear();
        self.code.origins.clear();
        self.code.edges.clear();
        self.code.moves.clear();
        self.code.followed.clear();
        self.starts.clear();
        self.blocks();
        self.finish()
    }

    fn blocks(&mut self) {
        for block in self.function.blocks.ids() {
            self.starts.push(self.code.instructions.len() as u32);
            if self.watches.pauses(self.code.function, block) {
                self.emit(self.function.blocks[block].first, Inst::Pause);
            }
            for id in self.function.block_instructions(block) {
                if self.watches.follows(self.code.function, id) {
                    // The watch, if there is one, comes first.
                    let watched = self.watches.point(self.code.function, id).is_some();
                    self.code.followed.insert(self.code.instructions.len() as u32 + u32::from(watched));
                }
                if let Some(point) = self.watches.point(self.code.function, id) {
                    self.emit(id, Inst::Watch { point });
                }
                self.instruction(block, id);
            }
        }
    }

    /// Finds the loads from slots whose users can read the slot itself: all in the same block, and before the slot
    /// changes.
    fn forward_loads(&mut self) {
        let function = self.function;
        if function
            .instructions
            .iter()
            .any(|(_, instruction)| matches!(instruction.op, Op::IndirectBranch { .. }))
        {
            return;
        }
        // The last place, within its block, where each value is used; none if it is used elsewhere or by a slow
        // instruction.
        let mut slow = vec![false; function.instructions.len()];
        for (inst, origin) in self.code.instructions.iter().zip(&self.code.origins) {
            slow[origin.index()] |= matches!(inst, Inst::Slow);
        }
        let mut last_use: Vec<Option<InstructionId>> = vec![None; function.values.len()];
        let mut pinned = vec![false; function.values.len()];
        let mut home = vec![None; function.values.len()];
        for block in function.blocks.ids() {
            for id in function.block_instructions(block) {
                let instruction = &function.instructions[id];
                if let Some(result) = instruction.result {
                    home[result.index()] = Some(block);
                }
            }
        }
        for block in function.blocks.ids() {
            for id in function.block_instructions(block) {
                let instruction = &function.instructions[id];
                let phi = matches!(instruction.op, Op::Phi(_));
                instruction.op.for_each_operand(|operand| {
                    if let Operand::Value(value) = operand {
                        let elsewhere = phi || slow[id.index()] || home[value.index()] != Some(block);
                        pinned[value.index()] |= elsewhere;
                        last_use[value.index()] = last_use[value.index()].max(Some(id));
                    }
                });
            }
        }
        for block in function.blocks.ids() {
            // Backwards: the next store to each slot is known when a load is met.
            let mut next_store: FxHashMap<usize, InstructionId> = FxHashMap::default();
            for id in function.block_instructions(block).rev() {
                let instruction = &function.instructions[id];
                match (&instruction.op, instruction.result) {
                    (Op::Store { pointer, .. }, _) => {
                        if let Some(slot) = self.is_slot(*pointer) {
                            next_store.insert(slot as usize, id);
                        }
                    }
                    (Op::Alloca { .. }, Some(result)) => {
                        next_store.insert(result.index(), id);
                    }
                    (Op::Load { pointer, .. }, Some(result)) => {
                        let Some(slot) = self.is_slot(*pointer) else { continue };
                        let before_store = match (last_use[result.index()], next_store.get(&(slot as usize)))
                        {
                            // The store itself still reads the old value.
                            (Some(last), Some(&store)) => last <= store,
                            _ => true,
                        };
                        if !pinned[result.index()] && before_store {
                            self.forwarded[result.index()] = Some(slot);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn finish(mut self) -> Code {
        let mut block = 0;
        for pc in 0..self.code.instructions.len() as u32 {
            while self.starts.get(block + 1).is_some_and(|&start| start <= pc) {
                block += 1;
            }
            self.code.block_of.push(block as u32);
        }
        for edge in &mut self.code.edges {
            edge.target = self.starts[edge.to.index()];
        }
        self.watch_edges();
        self.code
    }

    /// A watched edge leads to a place of its own, which tells the strategy and then goes on.
    fn watch_edges(&mut self) {
        for index in 0..self.code.edges.len() {
            let (from, to, target) = {
                let edge = &self.code.edges[index];
                (edge.from, edge.to, edge.target)
            };
            let Some(point) = self.code.edges[index].watch else { continue };
            self.code.edges[index].target = self.code.instructions.len() as u32;
            let onwards =
                Edge { from, to, target, length: 0, taken: Cell::new(false), moves: 0..0, watch: None };
            self.code.edges.push(onwards);
            let edge = self.code.edges.len() as u32 - 1;
            let origin = self.function.terminator(from);
            for inst in [Inst::Watch { point }, Inst::Jump { edge }] {
                self.emit(origin, inst);
                self.code.block_of.push(from.index() as u32);
            }
        }
    }

    fn emit(&mut self, origin: InstructionId, inst: Inst) {
        self.code.instructions.push(inst);
        self.code.origins.push(origin);
    }

    fn source(&mut self, operand: Operand) -> Source {
        match operand {
            Operand::Value(value) => match self.forwarded[value.index()] {
                Some(slot) => Source::register(slot as usize),
                None => Source::register(value.index()),
            },
            Operand::Constant(constant) => {
                if let Some(&source) = self.pool.get(&constant) {
                    return source;
                }
                let value = self.constants.value(self.program, constant);
                let source = Source::constant(self.code.constants.len());
                self.code.constants.push(value);
                self.pool.insert(constant, source);
                source
            }
        }
    }

    fn type_of(&self, operand: Operand) -> TypeId {
        self.program.operand_type(self.function, operand)
    }

    /// The bits of an operand that is an integer, a pointer or a float of at most 128 bits.
    fn scalar(&self, operand: Operand) -> Option<u8> {
        self.scalar_type(self.type_of(operand))
    }

    fn scalar_type(&self, ty: TypeId) -> Option<u8> {
        let bits = self.program.types.scalar_bits(ty)?;
        (1..=128).contains(&bits).then_some(bits as u8)
    }

    /// Whether a volatile access by this pointer may be one of what others see or change.
    fn is_shared(&self, pointer: Operand) -> bool {
        !self.code.model && !matches!(pointer, Operand::Value(value) if self.private[value.index()])
    }

    fn is_slot(&self, operand: Operand) -> Option<Register> {
        match operand {
            Operand::Value(value) if self.slots[value.index()] => Some(value.index() as u32),
            _ => None,
        }
    }

    fn instruction(&mut self, block: BlockId, id: InstructionId) {
        let function = self.function;
        let instruction = &function.instructions[id];
        let inst = if instruction.op.is_terminator() {
            self.terminator(block, instruction)
        } else {
            match &instruction.op {
                Op::Phi(_) => return,
                Op::Call(call) => self.call(call, instruction.result, None),
                op => match instruction.result {
                    Some(to) => self.value_inst(op, to),
                    None => self.effect_inst(op),
                },
            }
        };
        let Some(inst) = inst else { return };
        self.emit(id, inst);
    }

    /// An instruction without a result.
    fn effect_inst(&mut self, op: &Op) -> Option<Inst> {
        Some(match op {
            Op::Store { value, pointer, ordering, volatile } => {
                match (self.is_slot(*pointer), self.scalar(*value)) {
                    (Some(slot), _) => Inst::StoreSlot { slot, value: self.source(*value) },
                    (None, Some(_)) if ordering.is_some() || *volatile && self.is_shared(*pointer) => {
                        Inst::Slow
                    }
                    (None, Some(width)) => {
                        Inst::Store { value: self.source(*value), width, pointer: self.source(*pointer) }
                    }
                    (None, None) => Inst::Slow,
                }
            }
            _ => Inst::Slow,
        })
    }

    fn value_inst(&mut self, op: &Op, result: ValueId) -> Option<Inst> {
        let to = result.index() as u32;
        Some(match op {
            Op::Binary { op, left, right, flags } => {
                let Some(width) = self.scalar(*left) else { return Some(Inst::Slow) };
                let (left_source, right_source) = (self.source(*left), self.source(*right));
                match integer_op(*op) {
                    Some(op) => {
                        let arithmetic = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                        Inst::Binary {
                            op,
                            width,
                            signed_overflow: self.check_overflow
                                && arithmetic
                                && flags.no_signed_wrap
                                && !self.function.model,
                            to,
                            left: left_source,
                            right: right_source,
                        }
                    }
                    None => match self.program.types.get(self.type_of(*left)) {
                        Type::Float(kind) => Inst::FloatBinary {
                            op: float_op(*op),
                            format: float_format(*kind),
                            to,
                            left: left_source,
                            right: right_source,
                        },
                        _ => Inst::Slow,
                    },
                }
            }
            Op::IntegerCompare { predicate, left, right } => match self.scalar(*left) {
                Some(width) => Inst::Compare {
                    op: compare_op(*predicate),
                    width,
                    pointers: matches!(self.program.types.get(self.type_of(*left)), Type::Pointer),
                    to,
                    left: self.source(*left),
                    right: self.source(*right),
                },
                None => Inst::Slow,
            },
            Op::FloatCompare { predicate, left, right } => {
                match self.program.types.get(self.type_of(*left)) {
                    Type::Float(kind) => Inst::FloatCompare {
                        predicate: *predicate,
                        format: float_format(*kind),
                        to,
                        left: self.source(*left),
                        right: self.source(*right),
                    },
                    _ => Inst::Slow,
                }
            }
            Op::Cast { op, value } => self.cast(*op, *value, to),
            Op::Alloca { ty, count, .. } => {
                if self.slots[result.index()] {
                    return Some(Inst::ClearSlot { slot: to });
                }
                self.alloca(*ty, *count, result)
            }
            Op::Load { ty, pointer, ordering, volatile } => {
                match (self.is_slot(*pointer), self.scalar_type(*ty)) {
                    (Some(_), Some(_)) if self.forwarded[result.index()].is_some() => return None,
                    (Some(slot), Some(width)) => Inst::LoadSlot { to, slot, width },
                    (None, Some(_)) if ordering.is_some() || *volatile && self.is_shared(*pointer) => {
                        Inst::Slow
                    }
                    (None, Some(width)) => Inst::Load { to, width, pointer: self.source(*pointer) },
                    _ => Inst::Slow,
                }
            }
            Op::ElementPointer { base, offset, terms, .. } => self.element_pointer(to, *base, *offset, terms),
            Op::Select { condition, then, otherwise } => {
                match (self.scalar(*then), self.scalar(*condition)) {
                    (Some(width), Some(1)) => Inst::Select {
                        to,
                        width,
                        condition: self.source(*condition),
                        then: self.source(*then),
                        otherwise: self.source(*otherwise),
                    },
                    _ => Inst::Slow,
                }
            }
            _ => Inst::Slow,
        })
    }

    fn cast(&mut self, op: CastOp, value: Operand, to: Register) -> Inst {
        let result = self.scalar_type(self.function.values[ValueId::from_index(to as usize)].ty);
        let (Some(from), Some(width)) = (self.scalar(value), result) else { return Inst::Slow };
        let source = self.source(value);
        match op {
            CastOp::ZeroExtend => Inst::ZeroExtend { from, width, to, value: source },
            CastOp::SignExtend => Inst::SignExtend { from, width, to, value: source },
            CastOp::Truncate => Inst::Truncate { from, width, to, value: source },
            CastOp::PointerToInteger | CastOp::IntegerToPointer => match width.cmp(&from) {
                std::cmp::Ordering::Less => Inst::Truncate { from, width, to, value: source },
                std::cmp::Ordering::Equal => Inst::Move { to, value: source },
                std::cmp::Ordering::Greater => Inst::ZeroExtend { from, width, to, value: source },
            },
            CastOp::Bitcast | CastOp::AddressSpace if from == width => Inst::Move { to, value: source },
            _ => Inst::Slow,
        }
    }

    fn alloca(&mut self, ty: TypeId, count: Option<Operand>, result: ValueId) -> Inst {
        let variable = self
            .function
            .variables
            .iter()
            .find(|variable| variable.by_address && variable.storage == Some(Operand::Value(result)));
        let name = match variable {
            Some(variable) => variable.name.clone(),
            None => self.function.values[result].name.to_string(),
        };
        let info = Rc::new(ObjectInfo {
            kind: ObjectKind::Stack,
            name,
            ty: count.is_none().then_some(ty),
            debug_type: variable.and_then(|variable| variable.ty),
            read_only: false,
            private: self.is_private(result),
        });
        let count = match count {
            Some(count) => match self.scalar(count) {
                Some(width) => Some((self.source(count), u32::from(width))),
                None => return Inst::Slow,
            },
            None => None,
        };
        let to = result.index() as u32;
        Inst::Alloca(Box::new(AllocaCode { to, size: self.program.types.size_of(ty), count, info }))
    }

    /// Whether no other thread can come by a local variable. Where there are no others, nobody asks.
    fn is_private(&self, variable: ValueId) -> bool {
        let starts = |name: &&str| self.program.symbols.contains_key(*name);
        let threads = crate::threads::native::STARTS.iter().any(starts);
        threads && crate::threads::is_private(self.program, self.function, variable)
    }

    fn element_pointer(
        &mut self,
        to: Register,
        base: Operand,
        offset: i64,
        terms: &[(Operand, i64)],
    ) -> Inst {
        if self.scalar(base) != Some(64) {
            return Inst::Slow;
        }
        match terms {
            [] => Inst::Offset { to, base: self.source(base), offset },
            _ if self.note_indices && !self.function.model => Inst::Slow,
            [(index, stride)] => match (self.scalar(*index), i32::try_from(*stride), i32::try_from(offset)) {
                (Some(width), Ok(stride), Ok(offset)) if width <= 64 => Inst::Element {
                    to,
                    width,
                    stride,
                    base: self.source(base),
                    index: self.source(*index),
                    offset,
                },
                _ => Inst::Slow,
            },
            _ => Inst::Slow,
        }
    }

    fn terminator(&mut self, block: BlockId, instruction: &Instruction) -> Option<Inst> {
        Some(match &instruction.op {
            Op::Branch(target) => Inst::Jump { edge: self.edge(block, *target) },
            Op::ConditionalBranch { then, otherwise, .. } if then == otherwise => {
                Inst::Jump { edge: self.edge(block, *then) }
            }
            Op::ConditionalBranch { condition, then, otherwise } => Inst::Branch {
                condition: self.source(*condition),
                then: self.edge(block, *then),
                otherwise: self.edge(block, *otherwise),
            },
            Op::Switch { value, default, cases } => match self.scalar(*value) {
                Some(width) => self.switch(block, *value, u32::from(width), *default, cases),
                None => Inst::Slow,
            },
            Op::Invoke { call, normal, .. } => {
                let edge = self.edge(block, *normal);
                return self.call(call, instruction.result, Some(edge));
            }
            Op::Return(value) => Inst::Return { value: value.map(|value| self.source(value)) },
            _ => Inst::Slow,
        })
    }

    fn switch(
        &mut self,
        block: BlockId,
        value: Operand,
        width: u32,
        default: BlockId,
        cases: &[(u128, BlockId)],
    ) -> Inst {
        let mut targets: Vec<(Vec<u128>, BlockId)> = Vec::new();
        let mut index_of: FxHashMap<BlockId, usize> = FxHashMap::default();
        for &(case, target) in cases.iter().filter(|(_, target)| *target != default) {
            let index = *index_of.entry(target).or_insert_with(|| {
                targets.push((Vec::new(), target));
                targets.len() - 1
            });
            targets[index].0.push(case);
        }
        let default_index = targets.len() as u32;
        targets.push((Vec::new(), default));
        let mut sorted: Vec<(u128, u32)> = targets
            .iter()
            .enumerate()
            .flat_map(|(index, (values, _))| values.iter().map(move |&value| (value, index as u32)))
            .collect();
        sorted.sort_unstable();
        let targets =
            targets.into_iter().map(|(values, target)| (values, self.edge(block, target))).collect();
        let value = self.source(value);
        Inst::Switch(Box::new(SwitchCode { value, width, targets, sorted, default: default_index }))
    }

    fn edge(&mut self, from: BlockId, to: BlockId) -> EdgeId {
        let start = self.code.moves.len() as u32;
        for id in self.function.block_instructions(to) {
            let instruction = &self.function.instructions[id];
            let Op::Phi(incoming) = &instruction.op else {
                break;
            };
            let Some(result) = instruction.result else { continue };
            if let Some(&(_, operand)) = incoming.iter().find(|(block, _)| *block == from) {
                let source = self.source(operand);
                self.code.moves.push((result.index() as u32, source));
            }
        }
        let end = self.code.moves.len() as u32;
        let length = self.code.lengths[from.index()];
        self.code.edges.push(Edge {
            from,
            to,
            target: 0,
            length,
            taken: Cell::new(false),
            moves: start..end,
            watch: self.watches.edge(self.code.function, from, to),
        });
        self.code.edges.len() as u32 - 1
    }

    fn call(&mut self, call: &Call, result: Option<ValueId>, normal: Option<EdgeId>) -> Option<Inst> {
        use incise_ir::IntrinsicKind as K;
        let callee = match &call.callee {
            Callee::Direct(function) => CalleeCode::Function(*function),
            Callee::Indirect(pointer) => CalleeCode::Pointer(self.source(*pointer)),
            Callee::Intrinsic(intrinsic) => match intrinsic.kind {
                K::DebugDeclare | K::DebugValue | K::DebugLabel | K::DebugAssign if normal.is_none() => {
                    return None;
                }
                _ => CalleeCode::Intrinsic(intrinsic.clone()),
            },
            Callee::Assembly(text) => CalleeCode::Assembly(text.clone()),
        };
        let arguments = call
            .arguments
            .iter()
            .enumerate()
            .map(|(index, &operand)| {
                let by_value = call.by_value.iter().find(|(number, _)| *number as usize == index);
                let ty = self.type_of(operand);
                let types = &self.program.types;
                let kind = match (by_value, types.get(ty)) {
                    (Some(&(_, ty)), _) => {
                        ArgumentKind::ByValue { size: types.size_of(ty), align: types.align_of(ty) }
                    }
                    (None, Type::Integer(bits)) => ArgumentKind::Integer(*bits),
                    (None, Type::Pointer) => ArgumentKind::Integer(64),
                    (None, Type::Float(kind)) => ArgumentKind::Float(*kind),
                    _ => ArgumentKind::Aggregate,
                };
                Argument { source: self.source(operand), kind }
            })
            .collect();
        Some(Inst::Call(Box::new(CallCode {
            callee,
            arguments,
            to: result.map(|value| value.index() as u32),
            result_width: self.program.types.scalar_bits(call.result).unwrap_or(0),
            normal,
            result_type: call.result,
        })))
    }
}

/// The integer operation of the solver; `None` for a floating-point one.
pub(crate) fn integer_op(op: IrBinary) -> Option<BinaryOp> {
    Some(match op {
        IrBinary::Add => BinaryOp::Add,
        IrBinary::Sub => BinaryOp::Sub,
        IrBinary::Mul => BinaryOp::Mul,
        IrBinary::UDiv => BinaryOp::UDiv,
        IrBinary::SDiv => BinaryOp::SDiv,
        IrBinary::URem => BinaryOp::URem,
        IrBinary::SRem => BinaryOp::SRem,
        IrBinary::Shl => BinaryOp::Shl,
        IrBinary::LShr => BinaryOp::LShr,
        IrBinary::AShr => BinaryOp::AShr,
        IrBinary::And => BinaryOp::And,
        IrBinary::Or => BinaryOp::Or,
        IrBinary::Xor => BinaryOp::Xor,
        IrBinary::FAdd | IrBinary::FSub | IrBinary::FMul | IrBinary::FDiv | IrBinary::FRem => return None,
    })
}

/// The floating-point operation of the solver; addition for an integer one, which callers have excluded.
pub(crate) fn float_op(op: IrBinary) -> FloatBinary {
    match op {
        IrBinary::FSub => FloatBinary::Sub,
        IrBinary::FMul => FloatBinary::Mul,
        IrBinary::FDiv => FloatBinary::Div,
        IrBinary::FRem => FloatBinary::Rem,
        _ => FloatBinary::Add,
    }
}

/// The solver's name of a comparison.
pub(crate) fn compare_op(predicate: IntegerPredicate) -> CompareOp {
    match predicate {
        IntegerPredicate::Equal => CompareOp::Eq,
        IntegerPredicate::NotEqual => CompareOp::Ne,
        IntegerPredicate::UnsignedGreater => CompareOp::Ugt,
        IntegerPredicate::UnsignedGreaterEqual => CompareOp::Uge,
        IntegerPredicate::UnsignedLess => CompareOp::Ult,
        IntegerPredicate::UnsignedLessEqual => CompareOp::Ule,
        IntegerPredicate::SignedGreater => CompareOp::Sgt,
        IntegerPredicate::SignedGreaterEqual => CompareOp::Sge,
        IntegerPredicate::SignedLess => CompareOp::Slt,
        IntegerPredicate::SignedLessEqual => CompareOp::Sle,
    }
}
