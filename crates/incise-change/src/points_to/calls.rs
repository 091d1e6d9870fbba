//! What calls do with addresses: of functions of the program, of library functions, of intrinsics, and of code that
//! nobody can see.

use super::build::{Builder, Site};
use super::graph::{Graph, Hooks, KNOWN_OUTSIDE, PointerNode, Use};
use super::objects::{LocationNumber, OUTSIDE, ObjectId, ObjectKind, Shift, UNKNOWN};
use crate::library::{self, Pointing};
use crate::pointers::constant_integer;
use crate::synchronisation;
use incise_ir::{Call, Callee, FunctionId, Id, InstructionId, IntrinsicKind, Op, Type, TypeId, ValueId};
use std::collections::BTreeSet;

/// The size of the largest `va_list`.
pub(super) const VA_LIST: u32 = 32;

impl Builder<'_> {
    pub(super) fn add_call(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<PointerNode>,
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
    pub(super) fn call_outside(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        call: &Call,
        to: Option<PointerNode>,
    ) {
        for &argument in &call.arguments {
            self.flow(graph, id, argument, Shift::By(0), KNOWN_OUTSIDE);
        }
        if let Some(to) = to {
            graph.insert(to, OUTSIDE);
        }
    }

    /// Calls a function.
    pub(super) fn bind(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<PointerNode>,
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
    pub(super) fn add_extra_argument(
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

    pub(super) fn call_library(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<PointerNode>,
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
            Pointing::CallsArgument => self.add_inner_call(graph, id, at, call, to),
            Pointing::EndsThread => self.flow_argument(graph, id, call, 0, Shift::By(0), self.thread_results),
            Pointing::StoresThreadResult => {
                if let Some(pointer) = argument(1).and_then(|pointer| self.node(graph, id, pointer)) {
                    graph.add_use(pointer, Use::Store(self.thread_results, 8));
                }
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

    /// A call of a function that is given to another one: a new thread, or what is done once.
    fn add_inner_call(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        at: InstructionId,
        call: &Call,
        to: Option<PointerNode>,
    ) {
        // Called by an address, it is no call that is looked into.
        let Some(Callee::Indirect(function)) =
            synchronisation::inner_call(self.program, call).map(|inner| inner.callee)
        else {
            return self.call_outside(graph, id, call, to);
        };
        let number = self.sites.len() as u32;
        self.sites.push(Site { function: id, instruction: at, targets: BTreeSet::new(), open: false });
        if let Some(function) = self.node(graph, id, function) {
            graph.add_use(function, Use::Call(number));
        }
    }

    /// The start of what a call allocates; `size` are the arguments whose product is its size.
    pub(super) fn heap(
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

    pub(super) fn add_copy(&mut self, graph: &mut Graph, id: FunctionId, call: &Call) {
        let [to, from, ..] = call.arguments[..] else { return };
        let size = call.arguments.get(2).and_then(|&size| constant_integer(self.program, size));
        let size = size.and_then(|size| u64::try_from(size).ok());
        if let (Some(to), Some(from)) = (self.node(graph, id, to), self.node(graph, id, from)) {
            graph.copy(from, to, size);
        }
    }

    pub(super) fn flow_argument(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        call: &Call,
        index: usize,
        shift: Shift,
        to: PointerNode,
    ) {
        if let Some(&argument) = call.arguments.get(index) {
            self.flow(graph, id, argument, shift, to);
        }
    }

    pub(super) fn add_intrinsic(
        &mut self,
        graph: &mut Graph,
        id: FunctionId,
        kind: IntrinsicKind,
        call: &Call,
        to: Option<PointerNode>,
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
    pub(super) fn fits(&self, caller: FunctionId, call: &Call, callee: FunctionId) -> bool {
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
        let inner = synchronisation::inner_call(program, call);
        let is_inner = inner.is_some();
        let call = inner.as_ref().unwrap_or(call);
        let carries = |value: &ValueId| self.carries(program.functions[id].values[*value].ty);
        let result = instruction.result.filter(|_| !is_inner);
        let to = match is_inner {
            true => Some(self.thread_results),
            false => result.filter(carries).map(|result| self.value(id, result)),
        };
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
