//! The constraints of a program: what its instructions and its initial data do with addresses.
//!
//! Every value that is large enough carries addresses, numbers and structs as well, so that a pointer may be copied
//! byte by byte or kept in a number. A variable whose own address goes nowhere is a node and no object.

use super::calls::VA_LIST;
use super::graph::{Graph, PointerNode, Use};
use super::objects::{OUTSIDE, Shift, UNKNOWN, gcd};
use crate::candidates::Candidates;
use crate::library;
use crate::pointers::{constant_integer, globals_in};
use crate::reachable::Reachable;
use incise_ir::{
    BinaryOp, CastOp, ConstantId, ConstantKind, Function, FunctionId, GlobalId, Id, Instruction,
    InstructionId, Linkage, Op, Operand, Program, Type, TypeId, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A call by address.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) function: FunctionId,
    pub(crate) instruction: InstructionId,
    /// The functions whose addresses come there, in order.
    pub(crate) targets: BTreeSet<FunctionId>,
    /// Whether an address of which nothing is known comes there.
    pub(crate) open: bool,
}

/// Makes the constraints.
pub(crate) struct Builder<'p> {
    pub(super) program: &'p Program,
    pub(super) candidates: &'p Candidates,
    /// For each function, the node of its first value.
    pub(crate) first_values: Vec<PointerNode>,
    /// For each function, the node of what it returns.
    pub(super) returns: Vec<PointerNode>,
    pub(super) constants: FxHashMap<ConstantId, Option<PointerNode>>,
    /// The variables that are nodes and no objects.
    pub(super) variables: FxHashSet<(FunctionId, ValueId)>,
    /// For each function, whether its instructions were looked at.
    pub(super) has_body: Vec<bool>,
    /// For each global variable, whether its initial value was looked at.
    pub(super) has_data: Vec<bool>,
    pub(super) pending_bodies: Vec<FunctionId>,
    pub(super) pending_data: Vec<GlobalId>,
    /// Whether execution may begin elsewhere than in `main`.
    pub(super) library: bool,
    /// Whether earlier executions are those of the entries, and all code that they may run is looked at.
    pub(super) complete: bool,
    /// Whether code is called that nobody can see.
    pub(super) unknown: bool,
    /// Whether such code, and who calls the entries, know variables by their names.
    pub(super) names_known: bool,
    pub(crate) sites: Vec<Site>,
    /// The node of what threads return.
    pub(super) thread_results: PointerNode,
    /// The numbers that become pointers, and these.
    pub(super) casts: Vec<(PointerNode, PointerNode)>,
}

impl<'p> Builder<'p> {
    /// Makes the constraints of a program. `entries` are called from outside.
    pub(crate) fn new(
        program: &'p Program,
        candidates: &'p Candidates,
        entries: &BTreeSet<FunctionId>,
        (names_known, complete): (bool, bool),
        graph: &mut Graph,
    ) -> Self {
        let mut builder = Self {
            program,
            candidates,
            first_values: Vec::with_capacity(program.functions.len()),
            returns: Vec::with_capacity(program.functions.len()),
            constants: FxHashMap::default(),
            variables: FxHashSet::default(),
            has_body: vec![false; program.functions.len()],
            has_data: vec![false; program.globals.len()],
            pending_bodies: Vec::new(),
            pending_data: Vec::new(),
            library: false,
            complete,
            unknown: false,
            names_known,
            sites: Vec::new(),
            thread_results: graph.add_node(),
            casts: Vec::new(),
        };
        builder.add_globals(graph);
        for (id, function) in program.functions.iter() {
            let first = graph.add_nodes(function.values.len() + 1);
            builder.first_values.push(first);
            builder.returns.push(first + function.values.len() as PointerNode);
            builder.add_frame(graph, id, function);
        }
        let reachable = Reachable::new(program, entries.iter().copied());
        let main = program.function_named("main");
        builder.library = entries.iter().any(|&entry| Some(entry) != main);
        builder.unknown = reachable.functions().any(|id| {
            let function = &program.functions[id];
            !function.is_definition() && library::pointing(&function.name).is_none()
        });
        for id in reachable.functions() {
            builder.add_body(graph, id);
        }
        for &entry in entries {
            match Some(entry) == main && !builder.library {
                true => builder.call_main(graph, entry),
                false => builder.call_from_outside(graph, entry),
            }
        }
        builder.settle(graph);
        builder
    }

    /// Looks at the functions and global variables that turned out to matter.
    pub(super) fn settle(&mut self, graph: &mut Graph) {
        loop {
            if let Some(global) = self.pending_data.pop() {
                self.add_data(graph, global);
            } else if let Some(function) = self.pending_bodies.pop() {
                self.add_body(graph, function);
            } else {
                return;
            }
        }
    }

    /// Adds what the instructions of a function do.
    pub(super) fn add_body(&mut self, graph: &mut Graph, id: FunctionId) {
        if std::mem::replace(&mut self.has_body[id.index()], true) {
            return;
        }
        let function = &self.program.functions[id];
        for (at, instruction) in function.instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    self.add_named(constant);
                }
            });
            self.add_instruction(graph, id, function, at, instruction);
        }
    }

    /// Notes the global variables that a constant names: outside code may use them as well, whatever is done with them
    /// here.
    pub(super) fn add_named(&mut self, constant: ConstantId) {
        use ConstantKind::*;
        match self.program.constants[constant].kind {
            Integer(_) | Float(_) | Null | Zero | Undef | Poison | Bytes(_) | Function(_) => {}
            _ => {
                for global in globals_in(self.program, constant) {
                    if !self.has_data[global.index()] {
                        self.pending_data.push(global);
                    }
                }
            }
        }
    }

    /// The node of a value.
    pub(super) fn value(&self, function: FunctionId, value: ValueId) -> PointerNode {
        self.first_values[function.index()] + value.index() as PointerNode
    }

    /// Whether values of a type are large enough for at least a part of an address.
    pub(super) fn carries(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Integer(bits) => *bits >= 8,
            Type::Float(kind) => kind.bits() >= 64,
            Type::Pointer | Type::Array { .. } | Type::Struct { .. } | Type::Vector { .. } => true,
            Type::Void | Type::Function { .. } | Type::Opaque => false,
        }
    }

    /// Whether values of a type are large enough for an address.
    pub(super) fn holds_address(&self, ty: TypeId) -> bool {
        self.carries(ty) && self.program.types.store_size(ty) >= 8
    }

    /// The node of an operand, if it may hold addresses.
    pub(super) fn node(
        &mut self,
        graph: &mut Graph,
        function: FunctionId,
        operand: Operand,
    ) -> Option<PointerNode> {
        match operand {
            Operand::Constant(constant) => self.constant(graph, constant),
            Operand::Value(value) => {
                let ty = self.program.functions[function].values[value].ty;
                self.carries(ty).then(|| self.value(function, value))
            }
        }
    }

    /// One node holds what an operand holds, with something added.
    pub(super) fn flow(
        &mut self,
        graph: &mut Graph,
        function: FunctionId,
        from: Operand,
        shift: Shift,
        to: PointerNode,
    ) {
        let Some(from) = self.node(graph, function, from) else { return };
        match shift {
            Shift::By(0) => graph.include(from, to),
            shift => graph.add_use(from, Use::Shift(shift, to)),
        }
    }

    /// An operand and a value are the same.
    pub(super) fn same(&mut self, graph: &mut Graph, function: FunctionId, from: Operand, to: PointerNode) {
        let Some(node) = self.node(graph, function, from) else { return };
        match from {
            Operand::Value(_) => graph.unify(node, to),
            Operand::Constant(_) => graph.include(node, to),
        }
    }

    pub(super) fn add_instruction(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        function: &Function,
        at: InstructionId,
        instruction: &Instruction,
    ) {
        let result = instruction.result.filter(|&result| self.carries(function.values[result].ty));
        let to = result.map(|result| self.value(id, result));
        match (&instruction.op, to) {
            (Op::Store { value, pointer, .. }, _) => self.add_store(graph, id, function, *value, *pointer),
            (Op::Call(call) | Op::Invoke { call, .. }, to) => self.add_call(graph, id, at, call, to),
            (Op::Return(Some(value)), _) => {
                self.flow(graph, id, *value, Shift::By(0), self.returns[id.index()]);
            }
            (Op::AtomicReadModifyWrite { pointer, value, .. }, to) => {
                self.add_store(graph, id, function, *value, *pointer);
                if let Some(to) = to {
                    self.add_load(graph, id, function, *pointer, to);
                }
            }
            (Op::CompareExchange { pointer, replacement, .. }, to) => {
                self.add_store(graph, id, function, *replacement, *pointer);
                if let Some(to) = to {
                    self.add_load(graph, id, function, *pointer, to);
                }
            }
            (op, Some(to)) => self.add_value(graph, id, function, op, to),
            _ => {}
        }
    }

    /// Adds what makes a value.
    pub(super) fn add_value(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        function: &Function,
        op: &Op,
        to: PointerNode,
    ) {
        let plain = Shift::By(0);
        match op {
            Op::Binary { op: BinaryOp::SDiv, left, .. } | Op::Cast { op: CastOp::Truncate, value: left }
                if is_distance(self.program, function, *left) => {}
            Op::Binary { left, right, .. } => {
                self.flow(graph, id, *left, Shift::ANY, to);
                self.flow(graph, id, *right, Shift::ANY, to);
            }
            Op::Cast { op: CastOp::IntegerToPointer, value } => {
                self.flow(graph, id, *value, plain, to);
                if self.may_be_any_address(function, *value)
                    && let Some(from) = self.node(graph, id, *value)
                {
                    self.casts.push((from, to));
                }
            }
            Op::Cast { value, .. } | Op::Freeze(value) => self.same(graph, id, *value, to),
            Op::Load { pointer, .. } => self.add_load(graph, id, function, *pointer, to),
            Op::ElementPointer { base, offset, terms, .. } => {
                self.add_address_arithmetic(graph, id, *base, *offset, terms, to);
            }
            Op::Select { then, otherwise, .. } => {
                self.flow(graph, id, *then, plain, to);
                self.flow(graph, id, *otherwise, plain, to);
            }
            Op::Phi(incoming) => {
                incoming.iter().for_each(|&(_, value)| self.flow(graph, id, value, plain, to));
            }
            Op::ExtractValue { aggregate: value, .. } | Op::ExtractElement { vector: value, .. } => {
                self.flow(graph, id, *value, plain, to);
            }
            Op::InsertValue { aggregate: left, value: right, .. }
            | Op::InsertElement { vector: left, value: right, .. }
            | Op::ShuffleVector { left, right, .. } => {
                self.flow(graph, id, *left, plain, to);
                self.flow(graph, id, *right, plain, to);
            }
            Op::VaArg { list } => {
                if let Some(list) = self.node(graph, id, *list) {
                    let area = graph.add_node();
                    graph.add_use(list, Use::Load(area, VA_LIST));
                    graph.add_use(area, Use::Load(to, 8));
                }
            }
            Op::LandingPad | Op::Unsupported(_) => graph.insert(to, OUTSIDE),
            _ => {}
        }
    }

    /// Lets pointers that were made from numbers which are no addresses point anywhere; says whether there was one that
    /// did not.
    pub(crate) fn forge(&mut self, graph: &mut Graph) -> bool {
        let mut found = false;
        self.casts.retain(|&(from, to)| {
            let forged = graph.points(from).is_empty();
            if forged {
                graph.insert(to, UNKNOWN);
                found = true;
            }
            !forged
        });
        found
    }

    /// Whether a number that becomes a pointer may be an address that it was not made from. One that was extended from
    /// half the size of an address is none.
    pub(super) fn may_be_any_address(&self, function: &Function, number: Operand) -> bool {
        let Operand::Value(value) = number else { return false };
        let definition = function.instructions.iter().find(|(_, each)| each.result == Some(value));
        match definition.map(|(_, instruction)| &instruction.op) {
            Some(Op::Cast { op: CastOp::ZeroExtend | CastOp::SignExtend, value }) => {
                let ty = self.program.operand_type(function, *value);
                self.program.types.scalar_bits(ty).is_none_or(|bits| bits > 32)
            }
            Some(Op::Cast { op: CastOp::PointerToInteger, .. }) => false,
            _ => true,
        }
    }

    /// The variable without an object that a pointer is the address of.
    pub(super) fn variable(&self, function: FunctionId, pointer: Operand) -> Option<PointerNode> {
        let Operand::Value(value) = pointer else { return None };
        self.variables.contains(&(function, value)).then(|| self.value(function, value))
    }

    pub(super) fn add_load(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        function: &Function,
        pointer: Operand,
        to: PointerNode,
    ) {
        if let Some(variable) = self.variable(id, pointer) {
            return graph.unify(variable, to);
        }
        let size = self.value_size(function, to - self.first_values[id.index()]);
        if let Some(pointer) = self.node(graph, id, pointer) {
            graph.add_use(pointer, Use::Load(to, size));
        }
    }

    pub(super) fn value_size(&self, function: &Function, value: u32) -> u32 {
        let ty = function.values[ValueId::from_index(value as usize)].ty;
        u32::try_from(self.program.types.store_size(ty)).unwrap_or(u32::MAX)
    }

    pub(super) fn add_store(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        function: &Function,
        value: Operand,
        pointer: Operand,
    ) {
        let Some(from) = self.node(graph, id, value) else { return };
        if let Some(variable) = self.variable(id, pointer) {
            return graph.include(from, variable);
        }
        let size = self.program.types.store_size(self.program.operand_type(function, value));
        if let Some(pointer) = self.node(graph, id, pointer) {
            graph.add_use(pointer, Use::Store(from, u32::try_from(size).unwrap_or(u32::MAX)));
        }
    }

    pub(super) fn add_address_arithmetic(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        base: Operand,
        offset: i64,
        terms: &[(Operand, i64)],
        to: PointerNode,
    ) {
        let mut by = Some(offset);
        let mut stride = 0;
        for &(index, step) in terms {
            match constant_integer(self.program, index) {
                Some(index) => by = by.and_then(|by| by.checked_add(index.checked_mul(step)?)),
                None => stride = gcd(stride, step.unsigned_abs()),
            }
        }
        let shift = match (by, stride) {
            (Some(by), 0) => Shift::By(by),
            (Some(by), stride) => Shift::Stride(by, stride),
            (None, _) => Shift::ANY,
        };
        if let Operand::Constant(constant) = base
            && self.constant(graph, constant).is_none()
        {
            // An address that is kept as the distance from nothing.
            for &(index, _) in terms {
                self.flow(graph, id, index, Shift::ANY, to);
            }
        }
        match shift {
            Shift::By(0) => self.same(graph, id, base, to),
            shift => self.flow(graph, id, base, shift, to),
        }
    }
}

/// Whether a number is the distance of two addresses. Counted in elements, or in fewer bits, it tells of neither where
/// it is.
fn is_distance(program: &Program, function: &Function, number: Operand) -> bool {
    let definition = |operand: Operand| {
        let Operand::Value(value) = operand else { return None };
        let found = function.instructions.iter().find(|(_, each)| each.result == Some(value));
        found.map(|(_, instruction)| &instruction.op)
    };
    let is_address = |operand: Operand| match operand {
        Operand::Constant(constant) => {
            matches!(
                program.constants[constant].kind,
                ConstantKind::Cast { op: CastOp::PointerToInteger, .. }
            )
        }
        value => matches!(definition(value), Some(Op::Cast { op: CastOp::PointerToInteger, .. })),
    };
    match definition(number) {
        Some(Op::Binary { op: BinaryOp::Sub, left, right, .. }) => is_address(*left) && is_address(*right),
        _ => false,
    }
}

/// Whether every function that other files can see is an entry: then no code of the program runs that is not looked at.
pub(super) fn is_complete(program: &Program, entries: &BTreeSet<FunctionId>) -> bool {
    let is_own = |function: &Function| function.is_definition() && !function.model;
    let mut visible =
        program.functions.iter().filter(|(_, each)| each.linkage != Linkage::Internal && is_own(each));
    visible.all(|(id, _)| entries.contains(&id))
}
