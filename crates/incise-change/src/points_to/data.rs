//! The objects of a program, what they hold at the start, what constants are the address of, and what code outside of
//! the program does from the start.

use super::build::Builder;
use super::graph::{Graph, KNOWN_OUTSIDE, PointerNode};
use super::objects::{LocationNumber, OUTSIDE, ObjectId, ObjectKind, Shift, UNKNOWN};
use crate::pointers::{constant_integer, for_each_constant, is_marker};
use incise_ir::{
    ConstantId, ConstantKind, Function, FunctionId, GlobalId, Id, Linkage, Op, Operand, Type, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

impl Builder<'_> {
    pub(super) fn add_globals(&mut self, graph: &mut Graph) {
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
    pub(super) fn has_address(&self, constant: ConstantId) -> bool {
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
    pub(super) fn add_frame(&mut self, graph: &mut Graph, id: FunctionId, function: &Function) {
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

    pub(super) fn add_address(&mut self, graph: &mut Graph, object: ObjectId, node: PointerNode) {
        graph.add_cells(object);
        let start = graph.objects.start(object);
        graph.insert(node, start);
    }

    /// The scalar variables of a function whose address is used for nothing but reading and writing them.
    pub(super) fn find_variables(&self, function: &Function) -> FxHashSet<ValueId> {
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
    pub(super) fn add_data(&mut self, graph: &mut Graph, id: GlobalId) {
        let global = &self.program.globals[id];
        let Some(object) = graph.objects.find(ObjectKind::Global(id)) else { return };
        if std::mem::replace(&mut self.has_data[id.index()], true) || graph.objects.is_harmless(object) {
            return;
        }
        let declared = global.initializer.is_none();
        let called_from_outside = self.names_known && (self.library || self.unknown);
        let visible = global.linkage != Linkage::Internal && called_from_outside;
        if declared || visible {
            let start = graph.objects.start(object);
            graph.insert(KNOWN_OUTSIDE, start);
        }
        // Who begins elsewhere than in `main` finds the global variables as earlier calls left them: these put there
        // what the program puts there, if all of it is looked at and nobody else knows the variable by its name.
        let left_by_program = self.complete && global.linkage == Linkage::Internal && !global.model;
        if declared || (self.library && !global.constant && !left_by_program) {
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
                    for word in offset / 8..=offset.div_ceil(8) {
                        let cell = graph.cell(object, word);
                        graph.include(from, cell);
                    }
                }
            }
        }
    }

    /// Calls `main` with strings that nothing else points to.
    pub(super) fn call_main(&mut self, graph: &mut Graph, main: FunctionId) {
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

    pub(super) fn call_from_outside(&mut self, graph: &mut Graph, id: FunctionId) {
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

    pub(super) fn fill_outside(&mut self, graph: &mut Graph, kind: ObjectKind) {
        if let Some(object) = graph.objects.find(kind) {
            graph.cells(object).for_each(|cell| graph.insert(cell, OUTSIDE));
        }
    }

    /// The node of a constant, if it holds addresses.
    pub(super) fn constant(&mut self, graph: &mut Graph, constant: ConstantId) -> Option<PointerNode> {
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

    pub(super) fn constant_locations(
        &mut self,
        graph: &mut Graph,
        constant: ConstantId,
    ) -> BTreeSet<LocationNumber> {
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

    pub(super) fn function_object(&mut self, graph: &mut Graph, function: FunctionId) -> ObjectId {
        let kind = ObjectKind::Function(function);
        graph.objects.find(kind).unwrap_or_else(|| {
            let object = graph.objects.add_single(kind);
            graph.objects.set_constant(object);
            graph.add_cells(object);
            object
        })
    }
}

fn add(shift: Shift, more: i64) -> Shift {
    match shift {
        Shift::By(by) => by.checked_add(more).map_or(Shift::ANY, Shift::By),
        Shift::Stride(by, stride) => by.checked_add(more).map_or(Shift::ANY, |by| Shift::Stride(by, stride)),
    }
}
