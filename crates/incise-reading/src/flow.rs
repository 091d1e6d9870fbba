//! Where the values of a function come from: the inputs that a pointer or a number was read from, and how far it was
//! moved since.

use crate::containers::Around;
use crate::library;
use crate::locals::{Join, LocalNode, Locals};
use crate::places::{InputPlace, PlaceId, Places, Wanted, pointee};
use crate::summary::{Claim, Summaries, translate};
use crate::sums::{Condition, Sum};
use incise_ir::{
    BinaryOp, BlockId, Call, Callee, CastOp, Cfg, ConstantId, ConstantKind, DebugType, Dominators, Function,
    FunctionId, Id, InstructionId, Op, Operand, PostDominators, Program, SourcePosition, Type, ValueId,
};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The value of a place, moved by a number of bytes: `offset` and any multiple of `stride`.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Origin {
    pub(crate) place: PlaceId,
    pub(crate) offset: i64,
    pub(crate) stride: u64,
}

impl Origin {
    pub(crate) fn exact(place: PlaceId) -> Self {
        Self { place, offset: 0, stride: 0 }
    }

    pub(crate) fn is_exact(&self) -> bool {
        self.offset == 0 && self.stride == 0
    }

    pub(crate) fn moved(self, offset: i64, stride: u64) -> Self {
        Self { offset: self.offset.wrapping_add(offset), stride: gcd(self.stride, stride), ..self }
    }
}

/// Where a value may come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Origins {
    /// The places, each once, in order.
    pub(crate) list: Vec<Origin>,
    /// Whether it may come from elsewhere too.
    pub(crate) elsewhere: bool,
}

/// The most places that are kept for a value.
const MOST: usize = 8;

impl Origins {
    pub(crate) fn elsewhere() -> Self {
        Self { list: Vec::new(), elsewhere: true }
    }

    pub(crate) fn one(origin: Origin) -> Self {
        Self { list: vec![origin], elsewhere: false }
    }

    /// The place whose value it is, if there is only one.
    pub(crate) fn single_exact(&self) -> Option<PlaceId> {
        match self.list.as_slice() {
            [origin] if origin.is_exact() && !self.elsewhere => Some(origin.place),
            _ => None,
        }
    }

    pub(crate) fn add(&mut self, origin: Origin) -> bool {
        match self.list.binary_search_by_key(&origin.place, |known| known.place) {
            Ok(at) => {
                let known = &mut self.list[at];
                let apart = known.offset.abs_diff(origin.offset);
                let stride = gcd(gcd(known.stride, origin.stride), apart);
                std::mem::replace(&mut known.stride, stride) != stride
            }
            Err(_) if self.list.len() >= MOST => !std::mem::replace(&mut self.elsewhere, true),
            Err(at) => {
                self.list.insert(at, origin);
                true
            }
        }
    }

    fn join(&mut self, other: &Self) -> bool {
        let mut changed = other.elsewhere && !std::mem::replace(&mut self.elsewhere, true);
        for &origin in &other.list {
            changed |= self.add(origin);
        }
        changed
    }
}

pub(crate) fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// A function, its locals followed and the origins of its values known.
pub(crate) struct Flow<'p> {
    pub(crate) program: &'p Program,
    pub(crate) function: &'p Function,
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    pub(crate) post_dominators: PostDominators,
    pub(crate) locals: Locals,
    pub(crate) places: Places,
    values: Vec<Origins>,
    joins: Vec<Origins>,
    /// What local variables hold that are not followed, by their place and the bytes from its start.
    memory: BTreeMap<(ValueId, i64), Origins>,
    /// The other pointers that inputs are overwritten with.
    overwritten: BTreeMap<PlaceId, Origins>,
    /// For each value, the instruction that makes it.
    definitions: Vec<Option<InstructionId>>,
    /// For each instruction, its block.
    blocks: Vec<BlockId>,
    /// Parameters that are structs and live in the frame.
    structures: BTreeMap<ValueId, PlaceId>,
    /// The conditions of blocks that were asked for.
    pub(crate) known_conditions: BTreeMap<BlockId, Rc<Vec<Condition>>>,
    /// The first value of each operation on the same operands.
    pub(crate) numbers: BTreeMap<(u8, Sum, Sum), LocalNode>,
}

impl<'p> Flow<'p> {
    pub(crate) fn new(program: &'p Program, id: FunctionId, summaries: &Summaries) -> Self {
        let function = &program.functions[id];
        let cfg = Cfg::new(function);
        let dominators = Dominators::new(&cfg);
        let post_dominators = PostDominators::new(&cfg);
        let locals = Locals::new(function, &cfg, &dominators);
        let mut definitions = vec![None; function.values.len()];
        let mut blocks = vec![BlockId::from_index(0); function.instructions.len()];
        for block in function.blocks.ids() {
            for at in function.block_instructions(block) {
                blocks[at.index()] = block;
                if let Some(result) = function.instructions[at].result {
                    definitions[result.index()] = Some(at);
                }
            }
        }
        let mut flow = Self {
            program,
            function,
            dominators,
            post_dominators,
            values: vec![Origins::default(); function.values.len()],
            joins: vec![Origins::default(); locals.joins.len()],
            locals,
            places: Places::default(),
            memory: BTreeMap::new(),
            overwritten: BTreeMap::new(),
            definitions,
            blocks,
            structures: BTreeMap::new(),
            known_conditions: BTreeMap::new(),
            numbers: BTreeMap::new(),
            cfg,
        };
        flow.start();
        flow.solve(summaries);
        flow
    }

    fn start(&mut self) {
        for index in 0..self.function.parameters.len() {
            let value = self.function.parameter_value(index);
            let origin = if self.function.parameters[index].by_value.is_some() {
                let (name, ty) = self.variable_at(value).unwrap_or((format!("arg{index}"), None));
                self.places.structure(value, &name, ty)
            } else {
                self.places.parameter(self.function, index as u32)
            };
            self.values[value.index()] = Origins::one(Origin::exact(origin));
        }
        for variable in &self.function.variables {
            let (Some(Operand::Value(storage)), true, Some(_)) =
                (variable.storage, variable.by_address, variable.parameter)
            else {
                continue;
            };
            if crate::places::composite(self.program, variable.ty).is_some()
                && self.definitions[storage.index()].is_some()
            {
                let place = self.places.structure(storage, &variable.name, variable.ty);
                self.structures.insert(storage, place);
            }
        }
    }

    fn variable_at(&self, value: ValueId) -> Option<(String, Option<incise_ir::DebugTypeId>)> {
        let found = self
            .function
            .variables
            .iter()
            .find(|variable| variable.storage == Some(Operand::Value(value)))?;
        Some((found.name.clone(), found.ty))
    }

    /// Goes over the function until nothing new is found. Strides only shrink and lists only grow, so it ends; the
    /// bound is for broken input.
    fn solve(&mut self, summaries: &Summaries) {
        let order: Vec<BlockId> = self.cfg.reverse_postorder().to_vec();
        let mut joins = vec![Vec::new(); self.function.blocks.len()];
        for (number, join) in self.locals.live_joins() {
            joins[join.block.index()].push(number as usize);
        }
        for _ in 0..32 {
            let mut changed = false;
            for &block in &order {
                for &join in &joins[block.index()] {
                    changed |= self.solve_join(join);
                }
                for at in self.function.block_instructions(block) {
                    changed |= self.solve_instruction(at, summaries);
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn solve_join(&mut self, join: usize) -> bool {
        let mut found = std::mem::take(&mut self.joins[join]);
        let mut changed = false;
        for at in 0..self.locals.joins[join].incoming.len() {
            let (_, node) = self.locals.joins[join].incoming[at];
            if node != LocalNode::Unset {
                changed |= found.join(&self.origins(node));
            }
        }
        self.joins[join] = found;
        changed
    }

    fn solve_instruction(&mut self, at: InstructionId, summaries: &Summaries) -> bool {
        let instruction = &self.function.instructions[at];
        let mut changed = self.solve_members(at, summaries);
        if let Op::Store { value, pointer, .. } = instruction.op {
            return self.solve_store(value, pointer) || changed;
        }
        let Some(result) = instruction.result else { return changed };
        let found = match &instruction.op {
            Op::Alloca { .. } if !self.locals.is_followed(result) => {
                let place = match self.structures.get(&result) {
                    Some(&place) => place,
                    None => self.places.local(result),
                };
                Origins::one(Origin::exact(place))
            }
            Op::ElementPointer { base, offset, terms, .. } => {
                let mut origins = self.operand_origins(*base);
                let stride = terms.iter().fold(0, |stride, &(_, each)| gcd(stride, each.unsigned_abs()));
                origins.list.iter_mut().for_each(|origin| *origin = origin.moved(*offset, stride));
                origins
            }
            Op::Load { pointer, ty, .. } => match pointer {
                Operand::Value(value) if self.locals.is_followed(*value) => {
                    self.origins(self.locals.node(Operand::Value(result)))
                }
                pointer => {
                    let origins = self.operand_origins(*pointer);
                    let pointer = matches!(self.program.types.get(*ty), Type::Pointer);
                    self.loaded(&origins, if pointer { Wanted::Pointer } else { Wanted::Scalar })
                }
            },
            Op::Cast {
                op:
                    CastOp::Truncate
                    | CastOp::ZeroExtend
                    | CastOp::SignExtend
                    | CastOp::PointerToInteger
                    | CastOp::IntegerToPointer
                    | CastOp::Bitcast,
                value,
            } => self.operand_origins(*value),
            Op::Cast { .. } => Origins::elsewhere(),
            Op::Freeze(value) => self.operand_origins(*value),
            Op::Select { then, otherwise, .. } => {
                let mut origins = self.operand_origins(*then);
                origins.join(&self.operand_origins(*otherwise));
                origins
            }
            Op::Phi(incoming) => {
                let mut origins = Origins::default();
                for &(_, operand) in incoming {
                    origins.join(&self.operand_origins(operand));
                }
                origins
            }
            Op::Call(call) => self.returned(call, summaries),
            Op::Invoke { call, .. } => self.returned(call, summaries),
            _ => Origins::elsewhere(),
        };
        changed |= self.values[result.index()].join(&found);
        changed
    }

    /// Finds the structs that pointers lead into by what they are used as.
    fn solve_members(&mut self, at: InstructionId, summaries: &Summaries) -> bool {
        let instruction = &self.function.instructions[at];
        match &instruction.op {
            Op::ElementPointer { base, .. } => {
                let casts = &self.function.cast_members;
                let cast =
                    instruction.result.and_then(|it| casts.binary_search_by_key(&it, |each| each.0).ok());
                let Some(cast) = cast else { return false };
                let origins = self.operand_origins(*base);
                self.used_as(at, &origins, Some(casts[cast].1))
            }
            Op::Store { value, pointer: Operand::Value(variable), .. } if self.is_address(*value) => {
                let Some((_, ty)) = self.variable_at(*variable) else { return false };
                let origins = self.operand_origins(*value);
                self.used_as(at, &origins, pointee(self.program, ty))
            }
            Op::Return(Some(value)) if self.is_address(*value) => {
                let origins = self.operand_origins(*value);
                let ty = self.function.debug_signature.first().copied().flatten();
                self.used_as(at, &origins, pointee(self.program, ty))
            }
            Op::Call(call) => self.passed_members(at, call, summaries),
            Op::Invoke { call, .. } => self.passed_members(at, call, summaries),
            _ => false,
        }
    }

    /// The structs that pointers lead into by what a function does with them that they are passed to.
    fn passed_members(&mut self, at: InstructionId, call: &Call, summaries: &Summaries) -> bool {
        let Callee::Direct(callee) = call.callee else { return false };
        let function = &self.program.functions[callee];
        let mut changed = false;
        for (index, &argument) in call.arguments.iter().enumerate() {
            let ty = function.debug_signature.get(index + 1).copied().flatten();
            if self.is_address(argument)
                && let Some(target) = pointee(self.program, ty)
            {
                let origins = self.operand_origins(argument);
                changed |= self.used_as(at, &origins, Some(target));
            }
        }
        let Some(summary) = summaries.get(callee) else { return changed };
        for fact in summary.places.members() {
            let Claim::MemberOf(around) = &fact.claim else { continue };
            let words = format!("it is passed to {}, where {}", function.name, fact.words);
            for origin in translate(self, &summary.places, call, fact.place).list {
                // What is passed may be a part itself of what it is said to be a part of.
                let offset = (around.offset as i64).wrapping_sub(origin.offset);
                if let (Ok(offset), 0) = (u64::try_from(offset), origin.stride) {
                    let around = Around { whole: around.whole, offset };
                    changed |= self.is_member(at, origin.place, around, Some(words.clone()));
                }
            }
        }
        changed
    }

    fn solve_store(&mut self, value: Operand, pointer: Operand) -> bool {
        if let Operand::Value(place) = pointer
            && self.locals.is_followed(place)
        {
            return false;
        }
        let stored = self.operand_origins(value);
        let mut changed = false;
        for origin in self.operand_origins(pointer).list {
            if let InputPlace::Local(local) = self.places.info(origin.place).place
                && origin.stride == 0
            {
                changed |= self.memory.entry((local, origin.offset)).or_default().join(&stored);
                continue;
            }
            // A pointer that is there afterwards may be another input; one that is only moved is still this one.
            if stored.list.is_empty() || !self.is_address(value) {
                continue;
            }
            let content = self.places.content(
                self.program,
                origin.place,
                origin.offset,
                origin.stride,
                Wanted::Pointer,
            );
            if let Some(place) = content {
                let mut others = Origins { elsewhere: false, ..stored.clone() };
                others.list.retain(|origin| origin.place != place);
                changed |= self.overwritten.entry(place).or_default().join(&others);
            }
        }
        changed
    }

    fn is_address(&self, operand: Operand) -> bool {
        let ty = self.program.operand_type(self.function, operand);
        matches!(self.program.types.get(ty), Type::Pointer)
    }

    /// What is read where pointers lead.
    pub(crate) fn loaded(&mut self, pointers: &Origins, wanted: Wanted) -> Origins {
        let mut found =
            Origins { list: Vec::new(), elsewhere: pointers.elsewhere || pointers.list.is_empty() };
        for origin in &pointers.list {
            if let InputPlace::Local(local) = self.places.info(origin.place).place {
                match self.memory.get(&(local, origin.offset)) {
                    Some(stored) if origin.stride == 0 => {
                        found.join(&stored.clone());
                    }
                    _ => found.elsewhere = true,
                }
                continue;
            }
            match self.places.content(self.program, origin.place, origin.offset, origin.stride, wanted) {
                Some(place) => {
                    found.add(Origin::exact(place));
                    if let Some(others) = self.overwritten.get(&place) {
                        found.join(&others.clone());
                    }
                }
                None => found.elsewhere = true,
            }
        }
        found
    }

    /// The arrays that begin where pointers lead.
    pub(crate) fn arrays(&mut self, pointers: &Origins) -> Origins {
        let mut found = Origins { list: Vec::new(), elsewhere: pointers.elsewhere };
        for origin in &pointers.list {
            match self.places.content(self.program, origin.place, origin.offset, origin.stride, Wanted::Array)
            {
                Some(place) => {
                    found.add(Origin::exact(place));
                }
                None => found.elsewhere = true,
            }
        }
        found
    }

    /// What a call returns: a library function may return one of its arguments, moved; so may one of the program.
    fn returned(&mut self, call: &Call, summaries: &Summaries) -> Origins {
        let Callee::Direct(callee) = call.callee else { return Origins::elsewhere() };
        let called = &self.program.functions[callee];
        if let Some(index) = library::returns_into(&called.name) {
            let mut origins =
                call.arguments.get(index).map_or_else(Origins::elsewhere, |&it| self.operand_origins(it));
            origins.list.iter_mut().for_each(|origin| origin.stride = 1);
            return origins;
        }
        summaries.returned(self, callee, call).unwrap_or_else(Origins::elsewhere)
    }

    pub(crate) fn operand_origins(&mut self, operand: Operand) -> Origins {
        self.origins(self.locals.node(operand))
    }

    pub(crate) fn origins(&mut self, node: LocalNode) -> Origins {
        match node {
            LocalNode::Value(value) => self.values[value.index()].clone(),
            LocalNode::Join(join) => self.joins[join as usize].clone(),
            LocalNode::Constant(constant) => self.constant_origins(constant),
            LocalNode::Unset => Origins::default(),
        }
    }

    pub(crate) fn origins_ref(&self, node: LocalNode) -> Option<&Origins> {
        match node {
            LocalNode::Value(value) => Some(&self.values[value.index()]),
            LocalNode::Join(join) => Some(&self.joins[join as usize]),
            _ => None,
        }
    }

    fn constant_origins(&mut self, constant: ConstantId) -> Origins {
        match self.program.constants[constant].kind {
            ConstantKind::Global(global) => {
                Origins::one(Origin::exact(self.places.global(self.program, global)))
            }
            ConstantKind::Offset { base, offset } => {
                let mut origins = self.constant_origins(base);
                origins.list.iter_mut().for_each(|origin| *origin = origin.moved(offset, 0));
                origins
            }
            ConstantKind::Cast { value, .. } => self.constant_origins(value),
            _ => Origins::elsewhere(),
        }
    }

    /// The instruction that makes a value.
    pub(crate) fn definition(&self, node: LocalNode) -> Option<&'p Op> {
        match node {
            LocalNode::Value(value) => {
                self.definitions[value.index()].map(|at| &self.function.instructions[at].op)
            }
            _ => None,
        }
    }

    /// The instruction that makes a value, by its number.
    pub(crate) fn definition_at(&self, node: LocalNode) -> Option<InstructionId> {
        match node {
            LocalNode::Value(value) => self.definitions[value.index()],
            _ => None,
        }
    }

    pub(crate) fn join(&self, node: LocalNode) -> Option<&Join> {
        match node {
            LocalNode::Join(join) => Some(&self.locals.joins[join as usize]),
            _ => None,
        }
    }

    /// The block that a value is made in.
    pub(crate) fn defining_block(&self, node: LocalNode) -> Option<BlockId> {
        match node {
            LocalNode::Value(value) => self.definitions[value.index()].map(|at| self.blocks[at.index()]),
            LocalNode::Join(join) => Some(self.locals.joins[join as usize].block),
            _ => None,
        }
    }

    pub(crate) fn block(&self, at: InstructionId) -> BlockId {
        self.blocks[at.index()]
    }

    pub(crate) fn node(&self, operand: Operand) -> LocalNode {
        self.locals.node(operand)
    }

    /// The number that a value is, if it is a constant.
    pub(crate) fn constant(&self, node: LocalNode) -> Option<i64> {
        let LocalNode::Constant(id) = node else { return None };
        let constant = &self.program.constants[id];
        match constant.kind {
            ConstantKind::Integer(bits) => {
                let width = self.program.types.scalar_bits(constant.ty)?.min(64);
                let shift = 64 - width;
                Some((((bits as u64) << shift) as i64) >> shift)
            }
            ConstantKind::Zero | ConstantKind::Null => Some(0),
            _ => None,
        }
    }

    /// Whether a value is the null pointer.
    pub(crate) fn is_null(&self, operand: Operand) -> bool {
        matches!(self.node(operand), LocalNode::Constant(id)
            if matches!(self.program.constants[id].kind, ConstantKind::Null | ConstantKind::Zero))
    }

    pub(crate) fn position(&self, at: InstructionId) -> Option<SourcePosition> {
        self.function.instructions[at].location.map(|location| self.program.position(location))
    }

    /// All instructions that can be reached, in order.
    pub(crate) fn instructions(&self) -> Vec<InstructionId> {
        let mut all: Vec<InstructionId> = Vec::new();
        for block in self.function.blocks.ids().filter(|&block| self.cfg.is_reachable(block)) {
            all.extend(self.function.block_instructions(block));
        }
        all
    }

    /// Whether every way through the function executes a block.
    pub(crate) fn always(&self, block: BlockId) -> bool {
        self.function.entry().is_some_and(|entry| self.post_dominators.post_dominates(block, entry))
    }

    /// The debug type of a place.
    pub(crate) fn debug_type(&self, place: PlaceId) -> Option<&'p DebugType> {
        let id = self.program.resolve_debug_type(self.places.info(place).ty?)?;
        Some(&self.program.debug_types[id])
    }

    /// The operands of an integer operation.
    pub(crate) fn binary(&self, node: LocalNode) -> Option<(BinaryOp, LocalNode, LocalNode)> {
        match self.definition(node)? {
            Op::Binary { op, left, right, .. } => Some((*op, self.node(*left), self.node(*right))),
            _ => None,
        }
    }
}
