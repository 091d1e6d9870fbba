//! What single instructions read and write, in the order in which they are executed: definitions and uses of variables.
//!
//! The footprint of a statement tells what it may touch as a whole. Data-flow coverage must know more: in
//! `r = c ? x : 0` the variable `x` is used only on one way through the statement, and in `x = f(&x)` there are two
//! definitions. So an access is an instruction; where its address shows the variable, that is all it touches, and else
//! it may touch what the footprint of its statement leaves over.

use crate::subject::{Statement, Subject};
use incise_change::{Base, Effects, FunctionFacts, MemoryPlace};
use incise_ir::{
    BlockId, Callee, ConstantId, ConstantKind, Function, FunctionId, Id, InstructionId, Op, Operand, Program,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A load, a store, or a call of code that is not in scope.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) statement: Statement,
    pub(crate) instruction: InstructionId,
    /// What it may read.
    pub(crate) reads: Vec<MemoryPlace>,
    /// What it may write.
    pub(crate) writes: Vec<MemoryPlace>,
    /// Whether there is one place that it touches for certain.
    exact: bool,
}

/// Something that happens in a block.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Item {
    /// An access.
    Access(u32),
    /// A statement calls functions in scope.
    Call(incise_change::NodeId),
}

/// The accesses of all functions in scope.
pub(crate) struct Accesses<'a> {
    program: &'a Program,
    effects: &'a Effects,
    /// For each function, for each value, the instruction that makes it.
    definitions: BTreeMap<FunctionId, Vec<Option<InstructionId>>>,
    /// For each statement, the variables that its instructions touch by name.
    shown: FxHashMap<Statement, Vec<Base>>,
    pub(crate) all: Vec<Access>,
    /// For each function, for each block, what happens in it, in order.
    pub(crate) items: BTreeMap<FunctionId, Vec<Vec<Item>>>,
}

impl<'a> Accesses<'a> {
    pub(crate) fn new(subject: &Subject<'a>, effects: &'a Effects) -> Self {
        let mut found = Self {
            program: subject.program,
            effects,
            definitions: BTreeMap::new(),
            shown: FxHashMap::default(),
            all: Vec::new(),
            items: BTreeMap::new(),
        };
        for (&id, facts) in &subject.scope.functions {
            let function = &subject.program.functions[id];
            found.definitions.insert(id, definitions(function));
            found.show(facts, id);
            let mut blocks = vec![Vec::new(); function.blocks.len()];
            for block in function.blocks.ids().filter(|&block| facts.graph.cfg.is_reachable(block)) {
                blocks[block.index()] = found.block(subject, facts, function, block);
            }
            found.items.insert(id, blocks);
        }
        found
    }

    fn block(
        &mut self,
        subject: &Subject<'_>,
        facts: &FunctionFacts,
        function: &Function,
        block: BlockId,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for instruction in function.block_instructions(block) {
            // What belongs to no statement puts parameters where they live, and takes the result from there.
            let Some(node) = facts.graph.owners[instruction.index()] else { continue };
            let statement = (facts.graph.function, node);
            let op = &function.instructions[instruction].op;
            let (reads, writes) = match op {
                Op::Load { .. } => (true, false),
                Op::Store { .. } => (false, true),
                Op::AtomicReadModifyWrite { .. } | Op::CompareExchange { .. } | Op::VaArg { .. } => {
                    (true, true)
                }
                Op::Call(call) | Op::Invoke { call, .. } => {
                    let known = |callee: &FunctionId| subject.scope.functions.contains_key(callee);
                    let calls = &facts.dependence.footprint(node).calls;
                    let (inside, outside) = match &call.callee {
                        Callee::Direct(callee) => (known(callee), !known(callee)),
                        Callee::Indirect(_) => (true, calls.is_empty() || !calls.iter().all(known)),
                        Callee::Intrinsic(_) | Callee::Assembly(_) => (false, true),
                    };
                    if outside {
                        let access = self.outside(facts, statement, instruction);
                        items.extend(self.add(access));
                    }
                    // Functions that are not in scope may call back.
                    if (inside || outside) && !facts.callees[node.index()].is_empty() {
                        items.push(Item::Call(node));
                    }
                    continue;
                }
                _ => continue,
            };
            let access = self.access(facts, function, statement, instruction, (reads, writes));
            items.extend(self.add(access));
        }
        items
    }

    fn add(&mut self, access: Access) -> Option<Item> {
        if access.reads.is_empty() && access.writes.is_empty() {
            return None;
        }
        self.all.push(access);
        Some(Item::Access(self.all.len() as u32 - 1))
    }

    /// A call of code that is not in scope: it may touch all that its statement touches.
    fn outside(&self, facts: &FunctionFacts, statement: Statement, instruction: InstructionId) -> Access {
        let footprint = facts.dependence.footprint(statement.1);
        let variables = |places: &[MemoryPlace]| places.iter().copied().filter(is_variable).collect();
        let (reads, writes) = (variables(&footprint.reads), variables(&footprint.writes));
        Access { statement, instruction, reads, writes, exact: false }
    }

    fn access(
        &self,
        facts: &FunctionFacts,
        function: &Function,
        statement: Statement,
        instruction: InstructionId,
        (reads, writes): (bool, bool),
    ) -> Access {
        let (pointer, size) = self.address(function, instruction);
        let places = |all: &[MemoryPlace]| match self.variable(statement.0, pointer) {
            Some((base, offset)) => vec![MemoryPlace { base, range: range(offset, size) }],
            None => {
                let shown = self.shown.get(&statement).map_or(&[][..], Vec::as_slice);
                all.iter()
                    .copied()
                    .filter(|place| is_variable(place) && !shown.contains(&place.base))
                    .collect()
            }
        };
        let footprint = facts.dependence.footprint(statement.1);
        let reads = if reads { places(&footprint.reads) } else { Vec::new() };
        let writes = if writes { places(&footprint.writes) } else { Vec::new() };
        let one = |places: &[MemoryPlace]| places.len() <= 1;
        Access { exact: one(&reads) && one(&writes), statement, instruction, reads, writes }
    }

    /// Notes the variables that the instructions of each statement touch by name.
    fn show(&mut self, facts: &FunctionFacts, id: FunctionId) {
        let function = &self.program.functions[id];
        for (instruction, each) in function.instructions.iter() {
            let Some(node) = facts.graph.owners[instruction.index()] else { continue };
            if matches!(each.op, Op::Load { .. } | Op::Store { .. })
                && let Some((base, _)) = self.variable(id, self.address(function, instruction).0)
            {
                self.shown.entry((id, node)).or_default().push(base);
            }
        }
    }

    /// The address that an instruction goes to, and how many bytes it touches.
    fn address(&self, function: &Function, instruction: InstructionId) -> (Option<Operand>, Option<u64>) {
        let types = &self.program.types;
        let size = |operand| Some(types.store_size(self.program.operand_type(function, operand)));
        match function.instructions[instruction].op {
            Op::Load { ty, pointer, .. } => (Some(pointer), Some(types.store_size(ty))),
            Op::Store { value, pointer, .. } => (Some(pointer), size(value)),
            Op::AtomicReadModifyWrite { pointer, value, .. } => (Some(pointer), size(value)),
            Op::CompareExchange { pointer, replacement, .. } => (Some(pointer), size(replacement)),
            _ => (None, None),
        }
    }

    /// The variable that an address shows, and the constant distance from its start.
    fn variable(&self, id: FunctionId, pointer: Option<Operand>) -> Option<(Base, Option<i64>)> {
        let function = &self.program.functions[id];
        let mut offset = Some(0i64);
        let mut pointer = pointer?;
        // Each step goes to an earlier instruction, but damaged IR may go round.
        for _ in 0..function.instructions.len() + 1 {
            let value = match pointer {
                Operand::Constant(constant) => return self.global(constant, offset),
                Operand::Value(value) => value,
            };
            let Some(definition) = self.definitions[&id][value.index()] else {
                let parameter = function.parameters.get(value.index())?;
                return parameter.by_value.is_some().then_some((Base::Local(value), offset));
            };
            match &function.instructions[definition].op {
                Op::Alloca { .. } => return Some((Base::Local(value), offset)),
                Op::ElementPointer { base, offset: more, terms, .. } => {
                    pointer = *base;
                    offset = if terms.is_empty() {
                        offset.and_then(|known| known.checked_add(*more))
                    } else {
                        None
                    };
                }
                _ => return None,
            }
        }
        None
    }

    fn global(&self, mut constant: ConstantId, mut offset: Option<i64>) -> Option<(Base, Option<i64>)> {
        for _ in 0..self.program.constants.len() + 1 {
            match self.program.constants[constant].kind {
                ConstantKind::Global(global) => return Some((Base::Global(global), offset)),
                ConstantKind::Offset { base, offset: more } => {
                    constant = base;
                    offset = offset.and_then(|known| known.checked_add(more));
                }
                _ => return None,
            }
        }
        None
    }

    /// The name of what an access writes, if it is a variable of the source.
    pub(crate) fn name(&self, write: u32) -> Option<String> {
        let access = &self.all[write as usize];
        let [place] = access.writes.as_slice() else { return None };
        match place.base {
            Base::Local(value) => {
                let function = &self.program.functions[access.statement.0];
                let storage = Some(Operand::Value(value));
                let variable = function.variables.iter().find(|variable| variable.storage == storage)?;
                Some(variable.name.clone())
            }
            Base::Global(global) => {
                let global = &self.program.globals[global];
                Some(global.source_name.clone().unwrap_or_else(|| global.name.clone()))
            }
            _ => None,
        }
    }

    /// Whether a definition may be what another access reads; `same` tells whether both happen in the same call of a
    /// function.
    pub(crate) fn may_read(&self, subject: &Subject<'_>, write: u32, read: u32, same: bool) -> bool {
        let places = &self.all[read as usize].reads;
        self.overlap(subject, write, (self.all[read as usize].statement.0, places), same)
    }

    /// Whether a definition may be overwritten by another access.
    pub(crate) fn may_kill(&self, subject: &Subject<'_>, write: u32, other: u32, same: bool) -> bool {
        let places = &self.all[other as usize].writes;
        self.overlap(subject, write, (self.all[other as usize].statement.0, places), same)
    }

    /// Whether it is open if some other access overwrites a definition or leaves it alone: its address does not tell.
    pub(crate) fn is_blurred(&self, subject: &Subject<'_>, write: u32) -> bool {
        let unclear = |other: u32| {
            !self.kills(write, other)
                && [true, false].into_iter().any(|same| self.may_kill(subject, write, other, same))
        };
        (0..self.all.len() as u32).filter(|&other| !self.all[other as usize].writes.is_empty()).any(unclear)
    }

    /// Whether an access overwrites a definition for certain; `same` tells whether both happen in the same call of a
    /// function.
    pub(crate) fn must_kill(&self, write: u32, other: u32, same: bool) -> bool {
        let outlives = |place: &MemoryPlace| matches!(place.base, Base::Global(_));
        (same || self.all[write as usize].writes.iter().all(outlives)) && self.kills(write, other)
    }

    /// Whether an access overwrites a definition for certain, if both happen in the same call or outlive it.
    fn kills(&self, write: u32, other: u32) -> bool {
        let (write, other) = (&self.all[write as usize], &self.all[other as usize]);
        let ([place], [new]) = (write.writes.as_slice(), other.writes.as_slice()) else { return false };
        let covers = match (place.range, new.range) {
            (Some((start, end)), Some((first, last))) => first <= start && end <= last,
            _ => false,
        };
        let variable = matches!(place.base, Base::Global(_) | Base::Local(_));
        variable && write.exact && other.exact && place.base == new.base && covers
    }

    fn overlap(
        &self,
        subject: &Subject<'_>,
        write: u32,
        (function, others): (FunctionId, &[MemoryPlace]),
        same: bool,
    ) -> bool {
        let access = &self.all[write as usize];
        let own = access.statement.0;
        let mut pairs = access.writes.iter().flat_map(|place| others.iter().map(move |other| (place, other)));
        if same {
            let places = subject.facts(own).dependence.places();
            return own == function && pairs.any(|(place, other)| places.may_overlap(place, other));
        }
        pairs.any(|(place, other)| {
            !self.is_private(subject, own, place)
                && !self.is_private(subject, function, other)
                && self.effects.may_overlap(self.program, (own, place), (function, other))
        })
    }

    /// Whether only the call of the function that it is in can touch a place.
    fn is_private(&self, subject: &Subject<'_>, function: FunctionId, place: &MemoryPlace) -> bool {
        let memory = MemoryPlace { base: Base::Memory, range: None };
        let places = subject.facts(function).dependence.places();
        matches!(place.base, Base::Local(_)) && !places.may_overlap(place, &memory)
    }

    /// Whether a definition cannot be read once its function has returned.
    pub(crate) fn ends_with_call(&self, subject: &Subject<'_>, write: u32) -> bool {
        let access = &self.all[write as usize];
        access.writes.iter().all(|place| self.is_private(subject, access.statement.0, place))
    }

    /// Whether an access reads for certain what a definition wrote, if nothing else was written there in between.
    pub(crate) fn is_certain(&self, write: u32, read: u32, same: bool) -> bool {
        let (write, read) = (&self.all[write as usize], &self.all[read as usize]);
        let ([place], [other]) = (write.writes.as_slice(), read.reads.as_slice()) else { return false };
        let stays = match place.base {
            Base::Global(_) => true,
            Base::Local(_) | Base::Pointee(_) => same,
            _ => false,
        };
        let known = write.exact && read.exact && place.range.is_some() && other.range.is_some();
        stays && known && place.base == other.base
    }
}

/// Whether a place is more than a value between two instructions.
fn is_variable(place: &MemoryPlace) -> bool {
    !matches!(place.base, Base::Result(_))
}

fn range(offset: Option<i64>, size: Option<u64>) -> Option<(u64, u64)> {
    let start = u64::try_from(offset?).ok()?;
    Some((start, start.checked_add(size?)?))
}

/// For each value, the instruction that makes it.
fn definitions(function: &Function) -> Vec<Option<InstructionId>> {
    let mut found = vec![None; function.values.len()];
    for (id, instruction) in function.instructions.iter() {
        if let Some(result) = instruction.result {
            found[result.index()] = Some(id);
        }
    }
    found
}
