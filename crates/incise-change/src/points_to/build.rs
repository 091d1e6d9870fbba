//! The constraints of a program: what its instructions and its initial data do with addresses.
//!
//! Every value that is large enough carries addresses, numbers and structs as well, so that a pointer may be copied byte by byte or kept in a number. A variable whose own address goes
//! nowhere is a node and no object.

use super::graph::{Graph, Hooks, KNOWN_OUTSIDE, Node, Use};
use super::objects::{LocationNumber, OUTSIDE, ObjectId, ObjectKind, Shift, UNKNOWN, gcd};
use crate::candidates::Candidates;
use crate::library::{self, Pointing};
use crate::pointers::{constant_integer, for_each_constant, globals_in, is_marker};
use crate::reachable::Reachable;
use incise_ir::{
    Call, Callee, CastOp, ConstantId, ConstantKind, Function, FunctionId, GlobalId, Id, Instruction,
    InstructionId, IntrinsicKind, Linkage, Op, Operand, Program, Type, TypeId, ValueId,
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
    program: &'p Program,
    candidates: &'p Candidates,
    /// For each function, the node of its first value.
    pub(crate) first_values: Vec<Node>,
    /// For each function, the node of what it returns.
    returns: Vec<Node>,
    constants: FxHashMap<ConstantId, Option<Node>>,
    /// The variables that are nodes and no objects.
    variables: FxHashSet<(FunctionId, ValueId)>,
    /// For each function, whether its instructions were looked at.
    has_body: Vec<bool>,
    /// For each global variable, whether its initial value was looked at.
    has_data: Vec<bool>,
    pending_bodies: Vec<FunctionId>,
    pending_data: Vec<GlobalId>,
    /// Whether execution may begin elsewhere than in `main`.
    library: bool,
    /// Whether code is called that nobody can see.
    unknown: bool,
    pub(crate) sites: Vec<Site>,
}

/// The size of the largest `va_list`.
const VA_LIST: u32 = 32;

impl<'p> Builder<'p> {
    /// Makes the constraints of a program. `entries` are called from outside.
    pub(crate) fn new(
        program: &'p Program,
        candidates: &'p Candidates,
        entries: &BTreeSet<FunctionId>,
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
            unknown: false,
            sites: Vec::new(),
        };
        builder.add_globals(graph);
        for (id, function) in program.functions.iter() {
            let first = graph.add_nodes(function.values.len() + 1);
            builder.first_values.push(first);
            builder.returns.push(first + function.values.len() as Node);
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
    fn settle(&mut self, graph: &mut Graph) {
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
    fn add_body(&mut self, graph: &mut Graph, id: FunctionId) {
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

    /// Notes the global variables that a constant names: outside code may use them as well, whatever is done with them here.
    fn add_named(&mut self, constant: ConstantId) {
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

    fn add_globals(&mut self, graph: &mut Graph) {
        let literals = graph.objects.add_single(ObjectKind::Literals);
        graph.objects.set_constant(literals);
        graph.add_cells(literals);
        for (id, global) in self.program.globals.iter() {
            let kind = ObjectKind::Global(id);
            if global.constant && global.initializer.is_some_and(|constant| !self.has_address(constant)) {
                graph.objects.stand_for(literals, kind);
                continue;
            }
            let object = match global.initializer {
                Some(_) => graph.objects.add_typed(self.program, kind, global.ty),
                // Another module knows better how large it is.
                None => graph.objects.add_sized(kind, None),
            };
            if global.constant {
                graph.objects.set_constant(object);
            }
            graph.add_cells(object);
        }
    }

    /// Whether an address is a part of a constant.
    fn has_address(&self, constant: ConstantId) -> bool {
        let mut found = false;
        for_each_constant(self.program, constant, |part| {
            use ConstantKind::*;
            found |= matches!(
                self.program.constants[part].kind,
                Global(_) | Function(_) | BlockAddress { .. } | Unsupported(_)
            );
        });
        found
    }

    /// Adds the objects of a function's frame.
    fn add_frame(&mut self, graph: &mut Graph, id: FunctionId, function: &Function) {
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value = function.parameter_value(index);
            if let (Some(ty), true) = (parameter.by_value, function.is_definition()) {
                let object = graph.objects.add_typed(self.program, ObjectKind::Local(id, value), ty);
                self.add_address(graph, object, self.value(id, value));
            }
        }
        if function.variadic && function.is_definition() {
            let object = graph.objects.add_single(ObjectKind::Arguments(id));
            graph.add_cells(object);
        }
        let variables = self.find_variables(function);
        for (_, instruction) in function.instructions.iter() {
            let (Op::Alloca { ty, count, .. }, Some(value)) = (&instruction.op, instruction.result) else {
                continue;
            };
            if variables.contains(&value) {
                self.variables.insert((id, value));
                continue;
            }
            let kind = ObjectKind::Local(id, value);
            let object = match count {
                None => graph.objects.add_typed(self.program, kind, *ty),
                Some(count) => {
                    let count =
                        constant_integer(self.program, *count).and_then(|count| u64::try_from(count).ok());
                    let size = count.and_then(|count| count.checked_mul(self.program.types.size_of(*ty)));
                    graph.objects.add_sized(kind, size)
                }
            };
            self.add_address(graph, object, self.value(id, value));
        }
    }

    fn add_address(&mut self, graph: &mut Graph, object: ObjectId, node: Node) {
        graph.add_cells(object);
        let start = graph.objects.start(object);
        graph.insert(node, start);
    }

    /// The scalar variables of a function whose address is used for nothing but reading and writing them.
    fn find_variables(&self, function: &Function) -> FxHashSet<ValueId> {
        let types = &self.program.types;
        let mut variables: FxHashMap<ValueId, u64> = FxHashMap::default();
        for (_, instruction) in function.instructions.iter() {
            if let (&Op::Alloca { ty, count: None, .. }, Some(result)) = (&instruction.op, instruction.result)
                && matches!(types.get(ty), Type::Integer(_) | Type::Pointer | Type::Float(_))
            {
                variables.insert(result, types.size_of(ty));
            }
        }
        for (_, instruction) in function.instructions.iter() {
            let mut disqualify = |operand: Operand| {
                if let Operand::Value(value) = operand {
                    variables.remove(&value);
                }
            };
            match &instruction.op {
                Op::Load { .. } => {}
                Op::Store { value, .. } => disqualify(*value),
                Op::Call(call) if is_marker(call) => {}
                op => op.for_each_operand(disqualify),
            }
        }
        variables.into_keys().collect()
    }

    /// Adds what a global variable holds at the start.
    fn add_data(&mut self, graph: &mut Graph, id: GlobalId) {
        let global = &self.program.globals[id];
        let Some(object) = graph.objects.find(ObjectKind::Global(id)) else { return };
        if std::mem::replace(&mut self.has_data[id.index()], true) || graph.objects.is_harmless(object) {
            return;
        }
        let declared = global.initializer.is_none();
        let visible = global.linkage != Linkage::Internal && (self.library || self.unknown);
        if declared || visible {
            let start = graph.objects.start(object);
            graph.insert(KNOWN_OUTSIDE, start);
        }
        // Who begins elsewhere than in `main` finds the global variables as earlier calls left them.
        if declared || (self.library && !global.constant) {
            graph.cells(object).for_each(|cell| graph.insert(cell, OUTSIDE));
        }
        let mut work: Vec<(ConstantId, u64)> =
            global.initializer.map(|constant| (constant, 0)).into_iter().collect();
        while let Some((constant, offset)) = work.pop() {
            let types = &self.program.types;
            let ty = self.program.constants[constant].ty;
            match &self.program.constants[constant].kind {
                ConstantKind::Aggregate(elements) => {
                    let at = |index| offset + types.offset_of(ty, index as u64).unwrap_or(0);
                    work.extend(elements.iter().enumerate().map(|(index, &each)| (each, at(index))));
                }
                ConstantKind::Integer(_) | ConstantKind::Float(_) | ConstantKind::Bytes(_) => {}
                ConstantKind::Null | ConstantKind::Zero | ConstantKind::Undef => {}
                _ => {
                    let Some(from) = self.constant(graph, constant) else { continue };
                    for word in offset / 8..=(offset + 7) / 8 {
                        let cell = graph.cell(object, word);
                        graph.include(from, cell);
                    }
                }
            }
        }
    }

    /// Calls `main` with strings that nothing else points to.
    fn call_main(&mut self, graph: &mut Graph, main: FunctionId) {
        let function = &self.program.functions[main];
        for (index, parameter) in function.parameters.iter().enumerate() {
            if matches!(self.program.types.get(parameter.ty), Type::Pointer) {
                let value = function.parameter_value(index);
                let object = graph.objects.add_single(ObjectKind::Input(value));
                graph.add_cells(object);
                let anywhere = graph.objects.anywhere(object);
                graph.insert(self.value(main, value), anywhere);
                graph.cells(object).for_each(|cell| graph.insert(cell, anywhere));
            }
        }
    }

    fn call_from_outside(&mut self, graph: &mut Graph, id: FunctionId) {
        let function = &self.program.functions[id];
        if !function.is_definition() {
            return;
        }
        for (index, parameter) in function.parameters.iter().enumerate() {
            let value = function.parameter_value(index);
            match parameter.by_value {
                Some(_) => self.fill_outside(graph, ObjectKind::Local(id, value)),
                None if self.holds_address(parameter.ty) => graph.insert(self.value(id, value), OUTSIDE),
                None => {}
            }
        }
        self.fill_outside(graph, ObjectKind::Arguments(id));
        graph.include(self.returns[id.index()], KNOWN_OUTSIDE);
    }

    fn fill_outside(&mut self, graph: &mut Graph, kind: ObjectKind) {
        if let Some(object) = graph.objects.find(kind) {
            graph.cells(object).for_each(|cell| graph.insert(cell, OUTSIDE));
        }
    }

    /// The node of a value.
    fn value(&self, function: FunctionId, value: ValueId) -> Node {
        self.first_values[function.index()] + value.index() as Node
    }

    /// Whether values of a type are large enough for at least a part of an address.
    fn carries(&self, ty: TypeId) -> bool {
        match self.program.types.get(ty) {
            Type::Integer(bits) => *bits >= 8,
            Type::Float(kind) => kind.bits() >= 64,
            Type::Pointer | Type::Array { .. } | Type::Struct { .. } | Type::Vector { .. } => true,
            Type::Void | Type::Function { .. } | Type::Opaque => false,
        }
    }

    /// Whether values of a type are large enough for an address.
    fn holds_address(&self, ty: TypeId) -> bool {
        self.carries(ty) && self.program.types.store_size(ty) >= 8
    }

    /// The node of an operand, if it may hold addresses.
    fn node(&mut self, graph: &mut Graph, function: FunctionId, operand: Operand) -> Option<Node> {
        match operand {
            Operand::Constant(constant) => self.constant(graph, constant),
            Operand::Value(value) => {
                let ty = self.program.functions[function].values[value].ty;
                self.carries(ty).then(|| self.value(function, value))
            }
        }
    }

    /// The node of a constant, if it holds addresses.
    fn constant(&mut self, graph: &mut Graph, constant: ConstantId) -> Option<Node> {
        if let Some(&known) = self.constants.get(&constant) {
            return known;
        }
        let locations = self.constant_locations(graph, constant);
        let node = (!locations.is_empty()).then(|| graph.add_node());
        if let Some(node) = node {
            locations.into_iter().for_each(|location| graph.insert(node, location));
        }
        self.constants.insert(constant, node);
        node
    }

    fn constant_locations(&mut self, graph: &mut Graph, constant: ConstantId) -> BTreeSet<LocationNumber> {
        let mut found = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut work = vec![(constant, Shift::By(0))];
        while let Some((constant, shift)) = work.pop() {
            if !seen.insert((constant, shift)) {
                continue;
            }
            let object = match &self.program.constants[constant].kind {
                ConstantKind::Global(global) => {
                    if !self.has_data[global.index()] {
                        self.pending_data.push(*global);
                    }
                    graph.objects.find(ObjectKind::Global(*global))
                }
                ConstantKind::Function(function) => Some(self.function_object(graph, *function)),
                ConstantKind::Offset { base, offset } => {
                    work.push((*base, add(shift, *offset)));
                    None
                }
                ConstantKind::Cast { value, .. } => {
                    work.push((*value, shift));
                    None
                }
                ConstantKind::Binary { left, right, .. } => {
                    work.extend([(*left, Shift::ANY), (*right, Shift::ANY)]);
                    None
                }
                ConstantKind::Select { then, otherwise, .. } => {
                    work.extend([(*then, shift), (*otherwise, shift)]);
                    None
                }
                ConstantKind::Aggregate(elements) => {
                    work.extend(elements.iter().map(|&each| (each, shift)));
                    None
                }
                ConstantKind::Unsupported(_) => {
                    found.extend([OUTSIDE, UNKNOWN]);
                    None
                }
                _ => None,
            };
            if let Some(object) = object {
                let start = graph.objects.start(object);
                found.insert(graph.objects.shift(start, shift, &mut Vec::new()));
            }
        }
        found
    }

    fn function_object(&mut self, graph: &mut Graph, function: FunctionId) -> ObjectId {
        let kind = ObjectKind::Function(function);
        graph.objects.find(kind).unwrap_or_else(|| {
            let object = graph.objects.add_single(kind);
            graph.objects.set_constant(object);
            graph.add_cells(object);
            object
        })
    }

    /// One node holds what an operand holds, with something added.
    fn flow(&mut self, graph: &mut Graph, function: FunctionId, from: Operand, shift: Shift, to: Node) {
        let Some(from) = self.node(graph, function, from) else { return };
        match shift {
            Shift::By(0) => graph.include(from, to),
            shift => graph.add_use(from, Use::Shift(shift, to)),
        }
    }

    /// An operand and a value are the same.
    fn same(&mut self, graph: &mut Graph, function: FunctionId, from: Operand, to: Node) {
        match from {
            Operand::Value(value) => graph.unify(self.value(function, value), to),
            Operand::Constant(_) => self.flow(graph, function, from, Shift::By(0), to),
        }
    }

    fn add_instruction(
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
    fn add_value(&mut self, graph: &mut Graph, id: FunctionId, function: &Function, op: &Op, to: Node) {
        let plain = Shift::By(0);
        match op {
            Op::Binary { left, right, .. } => {
                self.flow(graph, id, *left, Shift::ANY, to);
                self.flow(graph, id, *right, Shift::ANY, to);
            }
            Op::Cast { op: CastOp::IntegerToPointer, value } => {
                self.flow(graph, id, *value, plain, to);
                if self.may_be_any_address(function, *value) {
                    graph.insert(to, UNKNOWN);
                }
            }
            Op::Cast { value, .. } | Op::Freeze(value) => match self.node(graph, id, *value) {
                Some(_) => self.same(graph, id, *value, to),
                None => {}
            },
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

    /// Whether a number that becomes a pointer may be an address that it was not made from. One that was extended from half the size of an address is none.
    fn may_be_any_address(&self, function: &Function, number: Operand) -> bool {
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
    fn variable(&self, function: FunctionId, pointer: Operand) -> Option<Node> {
        let Operand::Value(value) = pointer else { return None };
        self.variables.contains(&(function, value)).then(|| self.value(function, value))
    }

    fn add_load(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        function: &Function,
        pointer: Operand,
        to: Node,
    ) {
        if let Some(variable) = self.variable(id, pointer) {
            return graph.unify(variable, to);
        }
        let size = self.value_size(function, to - self.first_values[id.index()]);
        if let Some(pointer) = self.node(graph, id, pointer) {
            graph.add_use(pointer, Use::Load(to, size));
        }
    }

    fn value_size(&self, function: &Function, value: u32) -> u32 {
        let ty = function.values[ValueId::from_index(value as usize)].ty;
        u32::try_from(self.program.types.store_size(ty)).unwrap_or(u32::MAX)
    }

    fn add_store(
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

    fn add_address_arithmetic(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        base: Operand,
        offset: i64,
        terms: &[(Operand, i64)],
        to: Node,
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

    fn add_call(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<Node>,
    ) {
        match &call.callee {
            Callee::Direct(callee) => self.bind(graph, id, at, call, to, *callee),
            Callee::Indirect(pointer) => {
                let number = self.sites.len() as u32;
                let targets = BTreeSet::new();
                self.sites.push(Site { function: id, instruction: at, targets, open: false });
                if let Some(pointer) = self.node(graph, id, *pointer) {
                    graph.add_use(pointer, Use::Call(number));
                }
            }
            Callee::Intrinsic(intrinsic) => self.add_intrinsic(graph, id, intrinsic.kind, call, to),
            Callee::Assembly(template) => {
                if !template.trim().is_empty() {
                    self.call_outside(graph, id, call, to);
                }
            }
        }
    }

    /// Calls code that nobody can see.
    fn call_outside(&mut self, graph: &mut Graph, id: FunctionId, call: &Call, to: Option<Node>) {
        for &argument in &call.arguments {
            self.flow(graph, id, argument, Shift::By(0), KNOWN_OUTSIDE);
        }
        if let Some(to) = to {
            graph.insert(to, OUTSIDE);
        }
    }

    /// Calls a function.
    fn bind(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<Node>,
        callee: FunctionId,
    ) {
        let function = &self.program.functions[callee];
        if !function.is_definition() {
            return match library::pointing(&function.name) {
                Some(known) => self.call_library(graph, id, at, call, to, known),
                None => self.call_outside(graph, id, call, to),
            };
        }
        if !self.has_body[callee.index()] {
            self.pending_bodies.push(callee);
        }
        for (index, &argument) in call.arguments.iter().enumerate() {
            match function.parameters.get(index) {
                Some(parameter) => {
                    let value = self.value(callee, function.parameter_value(index));
                    match parameter.by_value {
                        Some(ty) => {
                            let size = self.program.types.size_of(ty);
                            if let Some(from) = self.node(graph, id, argument) {
                                graph.copy(from, value, Some(size));
                            }
                        }
                        None => self.flow(graph, id, argument, Shift::By(0), value),
                    }
                }
                None => self.add_extra_argument(graph, id, call, index, callee),
            }
        }
        if let Some(to) = to {
            graph.include(self.returns[callee.index()], to);
        }
    }

    /// Passes an argument that comes after the parameters.
    fn add_extra_argument(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        call: &Call,
        index: usize,
        callee: FunctionId,
    ) {
        let Some(object) = graph.objects.find(ObjectKind::Arguments(callee)) else { return };
        let cell = graph.cell(object, 0);
        let copied = call.by_value.iter().find(|(number, _)| *number as usize == index);
        match copied {
            Some(_) => {
                if let Some(from) = self.node(graph, id, call.arguments[index]) {
                    let anywhere = graph.add_node();
                    graph.add_use(from, Use::Shift(Shift::ANY, anywhere));
                    graph.add_use(anywhere, Use::Load(cell, 8));
                }
            }
            None => self.flow(graph, id, call.arguments[index], Shift::By(0), cell),
        }
    }

    fn call_library(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<Node>,
        known: Pointing,
    ) {
        let argument = |index: usize| call.arguments.get(index).copied();
        match known {
            Pointing::Nothing => {}
            Pointing::Invents => {
                if let Some(to) = to.filter(|_| matches!(self.program.types.get(call.result), Type::Pointer))
                {
                    graph.insert(to, UNKNOWN);
                }
            }
            Pointing::Allocates { size } => {
                let start = self.heap(graph, id, at, call, size);
                to.into_iter().for_each(|to| graph.insert(to, start));
            }
            Pointing::Reallocates { size } => {
                let start = self.heap(graph, id, at, call, size);
                let new = graph.add_node();
                graph.insert(new, start);
                to.into_iter().for_each(|to| graph.insert(to, start));
                if let Some(old) = argument(0).and_then(|old| self.node(graph, id, old)) {
                    graph.copy(old, new, None);
                }
            }
            Pointing::StoresAllocation { size } => {
                let start = self.heap(graph, id, at, call, size);
                let new = graph.add_node();
                graph.insert(new, start);
                if let Some(pointer) = argument(0).and_then(|pointer| self.node(graph, id, pointer)) {
                    graph.add_use(pointer, Use::Store(new, 8));
                }
            }
            Pointing::Copies => {
                self.add_copy(graph, id, call);
                to.into_iter().for_each(|to| self.flow_argument(graph, id, call, 0, Shift::By(0), to));
            }
            Pointing::ReturnsFirst => {
                to.into_iter().for_each(|to| self.flow_argument(graph, id, call, 0, Shift::By(0), to));
            }
            Pointing::MakesUnknown => {
                let size = argument(1).and_then(|size| constant_integer(self.program, size));
                let pointer = argument(0).and_then(|pointer| self.node(graph, id, pointer));
                // What is smaller than an address is none.
                if let (Some(pointer), true) = (pointer, size.is_none_or(|size| size >= 8)) {
                    let unknown = graph.add_node();
                    graph.insert(unknown, OUTSIDE);
                    graph.insert(unknown, UNKNOWN);
                    let size = size.and_then(|size| u32::try_from(size).ok()).unwrap_or(u32::MAX);
                    graph.add_use(pointer, Use::Store(unknown, size));
                }
            }
        }
    }

    /// The start of what a call allocates; `size` are the arguments whose product is its size.
    fn heap(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        size: &[usize],
    ) -> LocationNumber {
        let kind = ObjectKind::Heap(id, at);
        let object = graph.objects.find(kind).unwrap_or_else(|| {
            let factors = size.iter().map(|&index| {
                let value = constant_integer(self.program, *call.arguments.get(index)?)?;
                u64::try_from(value).ok()
            });
            let size = factors.reduce(|left, right| left?.checked_mul(right?)).flatten();
            let object = graph.objects.add_sized(kind, size.filter(|&size| size != 0));
            graph.add_cells(object);
            object
        });
        graph.objects.start(object)
    }

    fn add_copy(&mut self, graph: &mut Graph, id: FunctionId, call: &Call) {
        let [to, from, ..] = call.arguments[..] else { return };
        let size = call.arguments.get(2).and_then(|&size| constant_integer(self.program, size));
        let size = size.and_then(|size| u64::try_from(size).ok());
        if let (Some(to), Some(from)) = (self.node(graph, id, to), self.node(graph, id, from)) {
            graph.copy(from, to, size);
        }
    }

    fn flow_argument(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        call: &Call,
        index: usize,
        shift: Shift,
        to: Node,
    ) {
        if let Some(&argument) = call.arguments.get(index) {
            self.flow(graph, id, argument, shift, to);
        }
    }

    fn add_intrinsic(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        kind: IntrinsicKind,
        call: &Call,
        to: Option<Node>,
    ) {
        use IntrinsicKind::*;
        let function = &self.program.functions[id];
        let argument = |index: usize| call.arguments.get(index).copied();
        match (kind, to) {
            (MemoryCopy | MemoryCopyInline | MemoryMove, _) => self.add_copy(graph, id, call),
            (VaCopy, _) => {
                if let [to, from, ..] = call.arguments[..]
                    && let (Some(to), Some(from)) = (self.node(graph, id, to), self.node(graph, id, from))
                {
                    graph.copy(from, to, Some(VA_LIST.into()));
                }
            }
            (VaStart, _) => {
                let area = graph.objects.find(ObjectKind::Arguments(id));
                let list = argument(0).and_then(|list| self.node(graph, id, list));
                if let (Some(area), Some(list)) = (area, list) {
                    let (node, anywhere) = (graph.add_node(), graph.objects.anywhere(area));
                    graph.insert(node, anywhere);
                    graph.add_use(list, Use::Store(node, VA_LIST));
                }
            }
            (MaskedStore, _) => {
                if let [value, pointer, ..] = call.arguments[..] {
                    self.add_store(graph, id, function, value, pointer);
                }
            }
            (Unknown, to) => self.call_outside(graph, id, call, to),
            (MemorySet | MemorySetInline | StackSave, _) | (_, None) => {}
            (
                LaunderInvariant
                | StripInvariant
                | SsaCopy
                | PtrAnnotation
                | ThreadLocalAddress
                | Expect
                | ExpectWithProbability
                | Annotation,
                Some(to),
            ) => self.flow_argument(graph, id, call, 0, Shift::By(0), to),
            (MaskedLoad, Some(to)) => {
                if let Some(pointer) = argument(0) {
                    self.add_load(graph, id, function, pointer, to);
                }
                self.flow_argument(graph, id, call, 3, Shift::By(0), to);
            }
            (ReturnAddress | FrameAddress | LoadRelative, Some(to)) => {
                graph.insert(to, UNKNOWN);
                self.flow_argument(graph, id, call, 0, Shift::ANY, to);
            }
            (_, Some(to)) => {
                (0..call.arguments.len())
                    .for_each(|index| self.flow_argument(graph, id, call, index, Shift::ANY, to));
            }
        }
    }

    /// Whether a function can be called with the arguments of a call: numbers and addresses may stand for each other.
    fn fits(&self, caller: FunctionId, call: &Call, callee: FunctionId) -> bool {
        let (program, callee) = (self.program, &self.program.functions[callee]);
        let class = |ty: TypeId| match program.types.get(ty) {
            Type::Integer(_) | Type::Pointer => 0,
            Type::Float(_) => 1,
            _ => 2,
        };
        let caller = &program.functions[caller];
        call.arguments.len() >= callee.parameters.len()
            && (call.arguments.iter().zip(&callee.parameters)).all(|(&argument, parameter)| {
                class(program.operand_type(caller, argument)) == class(parameter.ty)
            })
    }
}

impl Hooks for Builder<'_> {
    fn call(&mut self, graph: &mut Graph, site: u32, target: LocationNumber) {
        let Site { function: id, instruction: at, .. } = self.sites[site as usize];
        let program = self.program;
        let instruction = &program.functions[id].instructions[at];
        let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { return };
        let carries = |value: &ValueId| self.carries(program.functions[id].values[*value].ty);
        let to = instruction.result.filter(carries).map(|result| self.value(id, result));
        let targets = match graph.objects.location(target) {
            Some(location) => match graph.objects.get(location.object).kind {
                ObjectKind::Function(function) if self.fits(id, call, function) => vec![function],
                _ => return,
            },
            None => {
                if std::mem::replace(&mut self.sites[site as usize].open, true) {
                    return;
                }
                self.call_outside(graph, id, call, to);
                self.candidates.of_call(program, &program.functions[id], call)
            }
        };
        for function in targets {
            if self.sites[site as usize].targets.insert(function) {
                self.bind(graph, id, at, call, to, function);
            }
        }
        self.settle(graph);
    }

    fn expose(&mut self, graph: &mut Graph, object: ObjectId) {
        if let ObjectKind::Function(function) = graph.objects.get(object).kind {
            self.call_from_outside(graph, function);
            self.pending_bodies.push(function);
            self.settle(graph);
        }
    }
}

fn add(shift: Shift, more: i64) -> Shift {
    match shift {
        Shift::By(by) => by.checked_add(more).map_or(Shift::ANY, Shift::By),
        Shift::Stride(by, stride) => by.checked_add(more).map_or(Shift::ANY, |by| Shift::Stride(by, stride)),
    }
}
