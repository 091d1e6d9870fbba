//! `memset`, `memcpy` and `memmove` of an unknown number of bytes as the loops that they stand for.
//!
//! Whoever compares loops turn by turn can then compare such a call with a loop that was written by hand. What is
//! copied or filled goes element by element, of as many bytes as the length is seen to be a multiple of. `memmove`
//! goes from the front where that is right, and else from the back. What the program does is the same, but that bytes
//! before a place that is out of bounds are touched first: for those who take an error in memory for the end of the
//! comparison.

use crate::slots::promotable;
use crate::{
    ArithmeticFlags, BinaryOp, Block, BlockId, Call, Callee, CastOp, Constant, ConstantId, ConstantKind,
    Function, FunctionId, Id, Instruction, InstructionId, IntegerPredicate, IntrinsicKind, Op, Operand,
    Program, Type, TypeId, ValueId, ValueInfo,
};

/// The bytes of the largest element.
const LARGEST_ELEMENT: u64 = 8;
/// So many steps back it is looked what a length is made of.
const DEPTH: u32 = 6;

/// The program with such calls spelled out; `None` if there are none.
pub fn spell_out(program: &Program) -> Option<Program> {
    let has_some = |id: &FunctionId| {
        program.functions[*id].instructions.iter().any(|(_, instruction)| spelled(instruction).is_some())
    };
    let found: Vec<FunctionId> = program.functions.ids().filter(has_some).collect();
    if found.is_empty() {
        return None;
    }
    let mut changed = program.clone();
    for id in found {
        let function =
            Spelling::new(&mut changed, &program.functions[id], promotable(program, &program.functions[id]));
        changed.functions[id] = function.spelled();
    }
    Some(changed)
}

/// Where the bytes come from.
#[derive(Copy, Clone)]
enum Source {
    Byte(Operand),
    /// Copied, where places may overlap if that is said.
    From(Operand, bool),
}

/// A call that is spelled out: where to, from where, and how many bytes.
fn spelled(instruction: &Instruction) -> Option<(Operand, Source, Operand)> {
    let Op::Call(call) = &instruction.op else { return None };
    let Call { callee: Callee::Intrinsic(intrinsic), arguments, .. } = &**call else { return None };
    let [to, from, length @ Operand::Value(_), ..] = **arguments else { return None };
    let source = match intrinsic.kind {
        IntrinsicKind::MemorySet => Source::Byte(from),
        IntrinsicKind::MemoryCopy => Source::From(from, false),
        IntrinsicKind::MemoryMove => Source::From(from, true),
        _ => return None,
    };
    Some((to, source, length))
}

/// A function whose calls are being spelled out.
struct Spelling<'p> {
    program: &'p mut Program,
    original: &'p Function,
    slots: Vec<bool>,
    function: Function,
    /// The instructions of each block.
    blocks: Vec<Vec<Instruction>>,
    word: TypeId,
}

impl<'p> Spelling<'p> {
    fn new(program: &'p mut Program, original: &'p Function, slots: Vec<bool>) -> Self {
        let block = |id: BlockId| {
            let ids = original.block_instructions(id);
            ids.map(|id| original.instructions[id].clone()).collect()
        };
        let blocks = original.blocks.ids().map(block).collect();
        let word = program.types.integer(64);
        Self { program, original, slots, function: original.clone(), blocks, word }
    }

    fn spelled(mut self) -> Function {
        let mut block = 0;
        while block < self.blocks.len() {
            if let Some(at) = self.blocks[block].iter().position(|each| self.found(each)) {
                self.spell(block, at);
            }
            block += 1;
        }
        self.laid_out()
    }

    fn found(&self, instruction: &Instruction) -> bool {
        let Op::Call(call) = &instruction.op else { return false };
        let volatile = |operand: &Operand| {
            !matches!(operand, Operand::Constant(id)
            if matches!(self.program.constants[*id].kind, ConstantKind::Integer(0) | ConstantKind::Zero))
        };
        spelled(instruction).is_some() && !call.arguments.get(3).is_some_and(volatile)
    }

    /// Puts loops in the place of a call; what comes after it becomes a block of its own.
    fn spell(&mut self, block: usize, at: usize) {
        let rest = self.blocks[block].split_off(at + 1);
        let Some(call) = self.blocks[block].pop() else { return };
        let Some((to, source, length)) = spelled(&call) else { return };
        let behind = self.blocks.len();
        self.blocks.push(rest);
        self.move_edges(block, behind);
        let bytes = match source {
            Source::Byte(_) => 1,
            Source::From(..) => self.divisor(length, DEPTH).min(LARGEST_ELEMENT),
        };
        let spot = Spot { before: block, behind: BlockId::from_index(behind), location: call.location };
        let length = self.widened(spot, length);
        let forward = self.forward(spot, (to, source, length), bytes);
        let Source::From(from, true) = source else {
            self.put(spot, block, Op::Branch(forward));
            return;
        };
        // From the front, unless that would overwrite what is still to be read.
        let backward = self.backward(spot, (to, from, length), bytes);
        let [to, from] = [to, from].map(|pointer| {
            self.make(spot, block, self.word, Op::Cast { op: CastOp::PointerToInteger, value: pointer })
        });
        let apart = self.make(spot, block, self.word, arithmetic(BinaryOp::Sub, to, from));
        let condition = self.compare(spot, block, IntegerPredicate::UnsignedGreaterEqual, apart, length);
        self.put(spot, block, Op::ConditionalBranch { condition, then: forward, otherwise: backward });
    }

    /// What came from one block comes from another one now.
    fn move_edges(&mut self, from: usize, to: usize) {
        let (old, new) = (BlockId::from_index(from), BlockId::from_index(to));
        let mut next = Vec::new();
        if let Some(last) = self.blocks[to].last() {
            last.op.for_each_successor(|block| next.push(block.index()));
        }
        for block in next {
            for instruction in &mut self.blocks[block] {
                let Op::Phi(incoming) = &mut instruction.op else { break };
                incoming.iter_mut().filter(|(block, _)| *block == old).for_each(|(block, _)| *block = new);
            }
        }
    }

    /// A loop from the first element to the last.
    fn forward(
        &mut self,
        spot: Spot,
        (to, source, length): (Operand, Source, Operand),
        bytes: u64,
    ) -> BlockId {
        let (head, body) = self.two_blocks();
        let (zero, step) = (self.constant(0), self.constant(bytes));
        let (index, next) = (self.fresh(self.word), self.fresh(self.word));
        let phi =
            [(BlockId::from_index(spot.before), zero), (BlockId::from_index(body), Operand::Value(next))];
        self.set(spot, head, index, Op::Phi(phi.into()));
        let index = Operand::Value(index);
        let inside = self.compare(spot, head, IntegerPredicate::UnsignedLess, index, length);
        let (then, otherwise) = (BlockId::from_index(body), spot.behind);
        self.put(spot, head, Op::ConditionalBranch { condition: inside, then, otherwise });
        self.element(spot, body, (to, source, index), bytes);
        self.set(spot, body, next, arithmetic(BinaryOp::Add, index, step));
        self.put(spot, body, Op::Branch(BlockId::from_index(head)));
        BlockId::from_index(head)
    }

    /// A loop from the last element to the first.
    fn backward(
        &mut self,
        spot: Spot,
        (to, from, length): (Operand, Operand, Operand),
        bytes: u64,
    ) -> BlockId {
        let (head, body) = self.two_blocks();
        let (zero, step) = (self.constant(0), self.constant(bytes));
        let (left, next) = (self.fresh(self.word), self.fresh(self.word));
        let phi =
            [(BlockId::from_index(spot.before), length), (BlockId::from_index(body), Operand::Value(next))];
        self.set(spot, head, left, Op::Phi(phi.into()));
        let left = Operand::Value(left);
        let some = self.compare(spot, head, IntegerPredicate::NotEqual, left, zero);
        let (then, otherwise) = (BlockId::from_index(body), spot.behind);
        self.put(spot, head, Op::ConditionalBranch { condition: some, then, otherwise });
        self.set(spot, body, next, arithmetic(BinaryOp::Sub, left, step));
        self.element(spot, body, (to, Source::From(from, true), Operand::Value(next)), bytes);
        self.put(spot, body, Op::Branch(BlockId::from_index(head)));
        BlockId::from_index(head)
    }

    /// Copies or fills one element.
    fn element(
        &mut self,
        spot: Spot,
        block: usize,
        (to, source, index): (Operand, Source, Operand),
        bytes: u64,
    ) {
        let value = match source {
            Source::Byte(byte) => byte,
            Source::From(from, _) => {
                let pointer = self.place(spot, block, from, index);
                let ty = self.program.types.integer(bytes as u32 * 8);
                self.make(spot, block, ty, Op::Load { ty, pointer, volatile: false, ordering: None })
            }
        };
        let pointer = self.place(spot, block, to, index);
        self.put(spot, block, Op::Store { value, pointer, volatile: false, ordering: None });
    }

    fn place(&mut self, spot: Spot, block: usize, base: Operand, index: Operand) -> Operand {
        let ty = self.program.types.pointer();
        let op = Op::ElementPointer { base, offset: 0, terms: [(index, 1)].into(), in_bounds: false };
        self.make(spot, block, ty, op)
    }

    /// A length with 64 bits.
    fn widened(&mut self, spot: Spot, length: Operand) -> Operand {
        let ty = self.program.operand_type(&self.function, length);
        match self.program.types.get(ty) {
            Type::Integer(64) => length,
            _ => {
                let op = Op::Cast { op: CastOp::ZeroExtend, value: length };
                self.make(spot, spot.before, self.word, op)
            }
        }
    }

    /// A power of two that a number is a multiple of, whether it wraps or not.
    fn divisor(&self, operand: Operand, depth: u32) -> u64 {
        let value = match operand {
            Operand::Constant(id) => {
                let ConstantKind::Integer(bits) = self.program.constants[id].kind else { return 1 };
                return 1 << bits.trailing_zeros().min(LARGEST_ELEMENT.trailing_zeros());
            }
            Operand::Value(value) => value,
        };
        let made =
            |(_, each): (InstructionId, &'p Instruction)| (each.result == Some(value)).then_some(&each.op);
        let Some(op) = self.original.instructions.iter().find_map(made).filter(|_| depth > 0) else {
            return 1;
        };
        let of = |operand: &Operand| self.divisor(*operand, depth - 1);
        match op {
            Op::Binary { op: BinaryOp::Mul, left, right, .. } => of(left) * of(right),
            Op::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right, .. } => of(left).min(of(right)),
            Op::Binary { op: BinaryOp::Shl, left, right: Operand::Constant(id), .. } => {
                match self.program.constants[*id].kind {
                    ConstantKind::Integer(bits) if bits <= 8 => of(left) << bits,
                    _ => 1,
                }
            }
            Op::Cast { op: CastOp::ZeroExtend | CastOp::SignExtend, value } => of(value),
            Op::Load { pointer: Operand::Value(slot), .. } if self.slots[slot.index()] => {
                let stored = self.original.instructions.iter().filter_map(|(_, each)| match &each.op {
                    Op::Store { value, pointer: Operand::Value(to), .. } if to == slot => Some(of(value)),
                    _ => None,
                });
                stored.min().unwrap_or(1)
            }
            _ => 1,
        }
        .min(LARGEST_ELEMENT)
    }

    fn two_blocks(&mut self) -> (usize, usize) {
        let head = self.blocks.len();
        self.blocks.extend([Vec::new(), Vec::new()]);
        (head, head + 1)
    }

    fn constant(&mut self, bits: u64) -> Operand {
        let constant = Constant { ty: self.word, kind: ConstantKind::Integer(bits.into()) };
        let id: ConstantId = self.program.constants.push(constant);
        Operand::Constant(id)
    }

    fn fresh(&mut self, ty: TypeId) -> ValueId {
        self.function.values.push(ValueInfo { ty, name: "".into() })
    }

    fn put(&mut self, spot: Spot, block: usize, op: Op) {
        self.blocks[block].push(Instruction { op, result: None, location: spot.location });
    }

    fn set(&mut self, spot: Spot, block: usize, result: ValueId, op: Op) {
        self.blocks[block].push(Instruction { op, result: Some(result), location: spot.location });
    }

    fn make(&mut self, spot: Spot, block: usize, ty: TypeId, op: Op) -> Operand {
        let result = self.fresh(ty);
        self.set(spot, block, result, op);
        Operand::Value(result)
    }

    fn compare(
        &mut self,
        spot: Spot,
        block: usize,
        predicate: IntegerPredicate,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let ty = self.program.types.integer(1);
        self.make(spot, block, ty, Op::IntegerCompare { predicate, left, right })
    }

    /// Puts the blocks one after the other.
    fn laid_out(self) -> Function {
        let mut function = self.function;
        function.instructions = crate::Arena::new();
        let labels: Vec<_> = function.blocks.iter().map(|(_, block)| block.label.clone()).collect();
        let mut blocks = crate::Arena::new();
        for (index, instructions) in self.blocks.into_iter().enumerate() {
            let first = InstructionId::from_index(function.instructions.len());
            for instruction in instructions {
                function.instructions.push(instruction);
            }
            let end = InstructionId::from_index(function.instructions.len());
            blocks.push(Block { label: labels.get(index).cloned().unwrap_or_default(), first, end });
        }
        function.blocks = blocks;
        function
    }
}

/// The block before a loop, the one behind it, and the line that both are of.
#[derive(Copy, Clone)]
struct Spot {
    before: usize,
    behind: BlockId,
    location: Option<crate::LocationId>,
}

fn arithmetic(op: BinaryOp, left: Operand, right: Operand) -> Op {
    Op::Binary { op, left, right, flags: ArithmeticFlags::default() }
}
