//! The start of an exploration: globals, arguments, and what of them is symbolic.

use crate::config::SymbolicGlobals;
use crate::engine::constants::Constants;
use crate::engine::list::SharedList;
use crate::engine::machine::Machine;
use crate::engine::state::{Frame, ReturnTo, State};
use crate::engine::thread::{Thread, Turn};
use crate::engine::value::Value;
use crate::exploration::explore::ExploreError;
use crate::inputs::input::{InputObject, NewInput};
use crate::inputs::maker::InputMaker;
use crate::inputs::reached::Reached;
use crate::inputs::shape::Shape;
use crate::memory::extent::{Assumed, Before};
use crate::memory::load;
use crate::memory::{Memory, Object, ObjectInfo, ObjectKind, Slot};
use crate::result::InputOrigin;
use incise_ir::{ConstantId, ConstantKind, DebugTypeId, Function, FunctionId, Global, Id, Type};
use incise_reading::What;
use incise_solver::{Constraints, Model};
use std::rc::Rc;

/// A global variable of more bytes is looked at closely: whether anything can come to it.
const LARGE: u64 = 1 << 16;
/// One of more bytes has its initial value, or zeros, and the result says so.
const LARGEST: u64 = 1 << 18;

/// What natively runs as `argv[0]`.
pub const PROGRAM_NAME: &str = "program";
/// What messages call a constant that the source has no name for.
pub(crate) const STRING_LITERAL: &str = "a string literal";

/// A parameter of an entry.
struct EntryParameter {
    /// Its first register.
    index: usize,
    /// The registers of a small struct; none of anything else.
    parts: usize,
    /// Which one it is in the source, from 0.
    number: u32,
    /// What the input is called.
    name: String,
    /// Its type, if that is known.
    shape: Option<Shape>,
}

impl Machine<'_> {
    /// The first state: at the entry, with symbolic inputs.
    pub fn start(&mut self, entry: FunctionId) -> Result<Box<State>, ExploreError> {
        let memory = self.decider.inputs().globals();
        let code = self.code(entry);
        let registers = vec![Value::Undefined; code.registers];
        let frame = Frame {
            code,
            pc: 0,
            registers,
            objects: Vec::new(),
            variable_arguments: None,
            return_to: ReturnTo::Entry,
            branch_counts: Vec::new(),
        };
        let mut state = Box::new(State {
            thread: Thread::first(frame),
            parked: Vec::new(),
            concurrency: None,
            threads: 0,
            turn: Turn::Open,
            memory,
            constraints: Constraints::new(),
            relevant: None,
            path: SharedList::new(),
            model: self
                .decider
                .tracing
                .as_ref()
                .map_or_else(Model::new, |tracing| tracing.values.model.clone()),
            decisions: SharedList::new(),
            depth: 0,
            decided: 0,
            instructions: 0,
            inputs: SharedList::new(),
            outputs: SharedList::new(),
            calls: SharedList::new(),
            touched: SharedList::new(),
            outside: Default::default(),
            exit_handlers: SharedList::new(),
            exiting: None,
            allocations: 0,
            odd: SharedList::new(),
            made_up: 0,
            indeterminate: false,
            choices: Vec::new(),
            next_choice: 0,
            replay: None,
            note: 0,
            ticket: self.decider.oracle.as_mut().map_or_else(Default::default, |oracle| oracle.begin()),
            following: self.decider.tracing.is_some(),
            constructor: 0,
            destructor: 0,
            returned: None,
        });
        self.decider.inputs().fill(&mut state, entry);
        // Constructors run on top of the entry's frame, which waits.
        let _ = self.start_next(&mut state);
        self.decider.sink.counters.states += 1;
        Ok(state)
    }
}

impl InputMaker<'_> {
    /// Makes the inputs of the first state.
    fn fill(&mut self, state: &mut State, entry: FunctionId) {
        self.made.streams.clear();
        self.made.starting = true;
        let reserved = self.parameter_names(entry);
        self.symbolic_globals(state, entry, &reserved);
        let environment = self.environment(state, entry);
        let arguments = if self.natives.is_main(entry) && self.has_main_signature(entry) {
            self.main_arguments(state, entry, environment)
        } else {
            self.entry_arguments(state, entry)
        };
        for (index, argument) in arguments.into_iter().enumerate() {
            state.thread.frame.registers[index] = argument;
        }
        self.symbolic_streams(state);
        self.made.starting = false;
        self.made.unnatural = !self.assume_reading(state);
    }

    /// Memory with all globals in it.
    fn globals(&mut self) -> Memory {
        let program = self.program;
        let mut memory = Memory::new();
        let mut slots = Vec::with_capacity(program.globals.len());
        for (_, global) in program.globals.iter() {
            let info = Rc::new(self.global_info(global));
            let size = program.types.size_of(global.ty);
            let object = match (global.initializer, self.table(global)) {
                (Some(_), _) => self.zeroed_object(info, size),
                (None, Some((shape, assumed))) => {
                    let mut object = self.zeroed_object(info, shape.size());
                    object.assumed = Some(Rc::new(assumed));
                    object
                }
                // Too large for symbols.
                (None, None) if size > LARGEST => self.zeroed_object(info, size),
                (None, None) => self.pages.uninitialised_object(info, size),
            };
            slots.push(memory.add(object));
        }
        *self.constants = Constants::new(program, slots.clone());
        for (id, global) in program.globals.iter() {
            let Some(initializer) = global.initializer else { continue };
            // Zero needs no writing; large zero arrays are common.
            if let Some(object) = memory.object_mut(slots[id.index()]) {
                self.initialise(object, 0, initializer, 0);
                object.written = false;
            }
        }
        memory
    }

    /// A global variable as it begins, once more: what a thread has of its own.
    pub(crate) fn fresh_copy(&mut self, global: &Global) -> Object {
        let info = Rc::new(self.global_info(global));
        let size = self.program.types.size_of(global.ty);
        let mut object = self.zeroed_object(info, size);
        if let Some(initializer) = global.initializer {
            self.initialise(&mut object, 0, initializer, 0);
            object.written = false;
        }
        object
    }

    /// An array that is only declared, without a size: how it is made.
    fn table(&self, global: &Global) -> Option<(Shape, Assumed)> {
        let program = self.program;
        if !is_declared(global) || program.types.size_of(global.ty) > 0 {
            return None;
        }
        let known = global.debug_type.and_then(|ty| Shape::of_debug_type(program, ty));
        let element = match (known, program.types.get(global.ty)) {
            (Some(Shape::Array { element, .. }), _) => *element,
            (None, Type::Array { element, .. }) => Shape::of_type(program, *element),
            _ => return None,
        };
        let size = element.size();
        let input = global.source_name.clone().unwrap_or_else(|| global.name.clone());
        let made = self.config.inputs.sizes.elements(&input, true);
        let shape = Shape::Array { element: Box::new(element), count: made };
        let endless = self.config.inputs.endless;
        (size > 0).then_some((
            shape,
            Assumed { input, header: 0, element: size, before: Before::default(), made, endless },
        ))
    }

    fn global_info(&self, global: &Global) -> ObjectInfo {
        ObjectInfo {
            kind: ObjectKind::Global,
            name: global.source_name.clone().unwrap_or_else(|| match global.name.starts_with(".str") {
                true => STRING_LITERAL.to_string(),
                false => global.name.clone(),
            }),
            ty: Some(global.ty),
            debug_type: global.debug_type,
            read_only: global.constant,
            private: false,
        }
    }

    /// Writes a constant into an object, without making values of large arrays.
    fn initialise(&mut self, object: &mut Object, offset: u64, id: ConstantId, depth: u32) {
        let program = self.program;
        let constant = &program.constants[id];
        match &constant.kind {
            ConstantKind::Zero | ConstantKind::Null => {}
            ConstantKind::Bytes(bytes) => {
                for (index, &byte) in bytes.iter().enumerate() {
                    if byte != 0 {
                        object.write_word(offset + index as u64, 1, u64::from(byte));
                    }
                }
            }
            ConstantKind::Aggregate(elements) if depth < 64 => {
                for (index, &element) in elements.iter().enumerate() {
                    if let Some(at) = program.types.offset_of(constant.ty, index as u64) {
                        self.initialise(object, offset + at, element, depth + 1);
                    }
                }
            }
            ConstantKind::Undef | ConstantKind::Poison => {
                for byte in 0..program.types.size_of(constant.ty) {
                    object.write_byte(self.exprs, offset + byte, crate::memory::Byte::Uninitialised);
                }
            }
            _ => {
                let value = self.constants.value(program, id);
                if let Some(width) = program.types.scalar_bits(constant.ty).filter(|width| *width <= 128) {
                    object.write_scalar(self.exprs, offset, width, &value);
                }
            }
        }
    }

    /// The names that the entry's parameters will have.
    fn parameter_names(&self, entry: FunctionId) -> Vec<String> {
        let function = &self.program.functions[entry];
        let declared = function.variables.iter().filter(|variable| variable.parameter.is_some());
        let mut names: Vec<String> = declared.map(|variable| variable.name.clone()).collect();
        names.extend(function.parameters.iter().map(|parameter| parameter.name.clone()));
        names.extend(self.config.inputs.parameter_names.iter().flatten().cloned());
        names
    }

    /// What a symbolic global is called: by its name if no parameter and no other global has it, else with its function
    /// or file behind.
    fn global_input_name(&self, state: &State, global: &Global, reserved: &[String]) -> String {
        let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
        let free = |candidate: &str| {
            !reserved.iter().any(|known| known == candidate)
                && !state.inputs.iter_newest_first().any(|input| input.name == candidate)
        };
        if free(&name) {
            return name;
        }
        let place = match global.name.split_once('.') {
            // A static local's symbol begins with its function.
            Some((function, _)) => function.to_string(),
            None => match global.location {
                Some(location) => {
                    let file = self.program.position(location).file;
                    file.rsplit('/').next().unwrap_or_default().replace('.', "_")
                }
                None => "global".to_string(),
            },
        };
        crate::inputs::input::unique_name(state, &format!("{name}@{place}"))
    }

    fn symbolic_globals(&mut self, state: &mut State, entry: FunctionId, reserved: &[String]) {
        let program = self.program;
        let is_main = self.natives.is_main(entry);
        let mut reached = None;
        for (id, global) in program.globals.iter() {
            let name = global.source_name.clone().unwrap_or_else(|| global.name.clone());
            let named = |names: &[String]| names.iter().any(|known| *known == name || *known == global.name);
            let wanted = match &self.config.inputs.globals {
                SymbolicGlobals::Default => !is_main && !self.config.inputs.initial.contains(&global.name),
                SymbolicGlobals::All => true,
                SymbolicGlobals::None => false,
                SymbolicGlobals::Named(names) => named(names),
            };
            let table = self.table(global);
            let size = table.as_ref().map_or(program.types.size_of(global.ty), |(shape, _)| shape.size());
            // What is defined elsewhere has some value, also if nobody may write it.
            let wanted = is_declared(global) || wanted && !global.constant;
            let foreign = global.model && !global.is_errno_of_program();
            if !wanted || foreign || size == 0 || global.name.starts_with("llvm.") {
                continue;
            }
            // Each byte of a large one is a symbol, which is a lot for what nobody reads, and too much at some size.
            if size > LARGE && !reached.get_or_insert_with(|| Reached::from(program, entry)).has(id) {
                continue;
            }
            if size > LARGEST {
                let what = format!("the content of {name} ({size} bytes are too many for symbols)");
                self.sink.concretised.insert(what);
                continue;
            }
            let shape = match table {
                Some((shape, _)) => shape,
                None => global
                    .debug_type
                    .and_then(|ty| Shape::of_debug_type(program, ty))
                    .filter(|shape| shape.size() == size)
                    .unwrap_or_else(|| Shape::of_type(program, global.ty)),
            };
            let slot = self.constants.globals[id.index()];
            let origin = InputOrigin::Global { symbol: global.name.clone() };
            let name = self.global_input_name(state, global, reserved);
            let path = crate::inputs::input::path_root(&name);
            let place = (slot, 0, size);
            self.make_symbolic(state, NewInput { name, path: &path, origin, shape, place, depth: 0 });
        }
    }

    /// Whether `main` has the parameters that C gives it.
    fn has_main_signature(&self, entry: FunctionId) -> bool {
        let function = &self.program.functions[entry];
        function.parameters.len() <= 3
            && function.parameters.iter().enumerate().all(|(index, parameter)| {
                let ty = self.program.types.get(parameter.ty);
                if index == 0 { matches!(ty, Type::Integer(32)) } else { matches!(ty, Type::Pointer) }
            })
    }

    pub(crate) fn plain_object(
        &mut self,
        state: &mut State,
        kind: ObjectKind,
        name: &str,
        size: u64,
    ) -> Slot {
        let info = ObjectInfo {
            kind,
            name: name.to_string(),
            ty: None,
            debug_type: None,
            read_only: false,
            private: false,
        };
        let object = self.zeroed_object(Rc::new(info), size);
        state.memory.add(object)
    }

    /// Symbolic arguments for an entry that is not `main`. What another one may lead into is made before that one.
    fn entry_arguments(&mut self, state: &mut State, entry: FunctionId) -> Vec<Value> {
        let function = &self.program.functions[entry];
        let parameters = self.entry_parameters(function);
        let mut made: Vec<Option<Vec<Value>>> = vec![None; parameters.len()];
        let mut begun = vec![false; parameters.len()];
        // Those that wait for others are below these.
        let mut work: Vec<usize> = (0..parameters.len()).rev().collect();
        while let Some(&at) = work.last() {
            if made[at].is_some() {
                work.pop();
                continue;
            }
            let first = match std::mem::replace(&mut begun[at], true) {
                true => None,
                false => self.led_into(&parameters, at).filter(|&first| !begun[first]),
            };
            match first {
                Some(first) => work.push(first),
                None => made[at] = Some(self.entry_argument(state, function, &parameters[at])),
            }
        }
        made.into_iter().flatten().flatten().collect()
    }

    /// The parameter that one may lead into what it leads to, by what is said of it.
    fn led_into(&self, parameters: &[EntryParameter], at: usize) -> Option<usize> {
        let facts = self.config.inputs.reading.facts(&parameters[at].name);
        let others = facts.into_iter().filter_map(|taken| match taken.what {
            What::MayOverlap { other } => Some(other),
            _ => None,
        });
        let mut roots = others.map(|other| other.split(['-', '.', '[']).next().unwrap_or("").to_owned());
        roots.find_map(|root| parameters.iter().position(|parameter| parameter.name == root))
    }

    /// The parameters that the source has, in their order.
    fn entry_parameters(&self, function: &Function) -> Vec<EntryParameter> {
        let mut parameters = Vec::new();
        let (mut number, mut index) = (0, 0);
        while index < function.parameters.len() {
            let parameter = &function.parameters[index];
            if parameter.struct_return {
                let name = String::new();
                parameters.push(EntryParameter { index, parts: 0, number, name, shape: None });
                index += 1;
                continue;
            }
            let (own_name, ty) = source_parameter(function, number, &parameter.name);
            let given = self.config.inputs.parameter_names.get(number as usize).cloned().flatten();
            let name = given.unwrap_or_else(|| own_name.clone());
            let shape = ty.and_then(|ty| Shape::of_debug_type(self.program, ty));
            // A small struct travels in one or two registers that the front end named after it.
            let parts = match (&shape, parameter.by_value) {
                (Some(Shape::Struct { .. }), None) => coerced_parts(function, index, &own_name),
                _ => 0,
            };
            parameters.push(EntryParameter { index, parts, number, name, shape });
            number += 1;
            index += parts.max(1);
        }
        parameters
    }

    /// The registers of a parameter.
    fn entry_argument(
        &mut self,
        state: &mut State,
        function: &Function,
        parameter: &EntryParameter,
    ) -> Vec<Value> {
        let EntryParameter { index, parts, number, ref name, ref shape } = *parameter;
        let own = &function.parameters[index];
        let origin = InputOrigin::Parameter { index: number };
        if own.struct_return {
            let slot = self.plain_object(state, ObjectKind::Stack, "result", 4096);
            return vec![Value::Word(Memory::address(slot))];
        }
        if let Some(size) = own.by_value.map(|ty| self.program.types.size_of(ty)) {
            let shape = shape.clone().unwrap_or(Shape::Bytes(size));
            let slot = self.struct_argument(state, name, origin, shape, size);
            return vec![Value::Word(Memory::address(slot))];
        }
        let Some(shape) = shape.clone().filter(|_| parts > 0) else {
            return vec![self.scalar_argument(state, name, origin, own.ty, shape.clone())];
        };
        let size = shape.size();
        let slot = self.struct_argument(state, name, origin, shape, size.max(16));
        let part = |part: usize| {
            let ty = function.parameters[index + part].ty;
            let offset = part as u64 * 8;
            match self.program.types.scalar_bits(ty) {
                Some(width) => load::scalar(self.exprs, state, slot, offset, width),
                None => self.vector_argument(state, slot, offset, ty),
            }
        };
        (0..parts).map(part).collect()
    }

    /// Two floats of a struct travel as a vector.
    fn vector_argument(
        &mut self,
        state: &mut State,
        slot: Slot,
        offset: u64,
        ty: incise_ir::TypeId,
    ) -> Value {
        let types = &self.program.types;
        let mut elements = Vec::new();
        for index in 0..types.element_count(ty).unwrap_or(0) {
            let (inner, at) = (types.element_type(ty, index), types.offset_of(ty, index));
            let (Some(width), Some(at)) = (inner.and_then(|inner| types.scalar_bits(inner)), at) else {
                return Value::Undefined;
            };
            elements.push(load::scalar(self.exprs, state, slot, offset + at, width));
        }
        Value::aggregate(elements)
    }

    fn struct_argument(
        &mut self,
        state: &mut State,
        name: &str,
        origin: InputOrigin,
        shape: Shape,
        size: u64,
    ) -> Slot {
        let slot = self.plain_object(state, ObjectKind::Stack, name, size);
        let place = (slot, 0, shape.size());
        let new = NewInput { name: name.to_string(), path: name, origin, shape, place, depth: 0 };
        self.make_symbolic(state, new);
        slot
    }

    fn scalar_argument(
        &mut self,
        state: &mut State,
        name: &str,
        origin: InputOrigin,
        ty: incise_ir::TypeId,
        shape: Option<Shape>,
    ) -> Value {
        let program = self.program;
        if let Type::Pointer = program.types.get(ty) {
            let (target, function) = match &shape {
                Some(Shape::Pointer { target, function }) => (*target, *function),
                _ => (None, false),
            };
            let place = state.inputs.len();
            let expr = self.pointer_input(state, name, target, function, 0);
            let shape = Shape::Pointer { target, function };
            let leaves = vec![crate::inputs::input::Leaf { offset: 0, bytes: 8, expr }];
            let input = InputObject::plain(name.to_string(), origin, shape, 8, leaves, None);
            self.give(state, &input, None);
            crate::inputs::input::insert_at(&mut state.inputs, place, Rc::new(input));
            return match program.types.scalar_bits(ty) {
                Some(_) => self.pointer_value(expr),
                None => Value::Undefined,
            };
        }
        let Some(width) = program.types.scalar_bits(ty).filter(|width| (1..=128).contains(width)) else {
            return Value::Undefined;
        };
        let shape = shape
            .filter(|shape| matches!(shape, Shape::Scalar { bits, .. } if *bits == width || width == 1))
            .unwrap_or_else(|| Shape::of_type(program, ty));
        let (object, value) = InputObject::scalar_of_shape(self, name.to_string(), origin, width, shape);
        self.give(state, &object, None);
        state.inputs.push(Rc::new(object));
        value
    }

    /// An address expression as a value: concrete if it is one object's for sure.
    pub(crate) fn pointer_value(&mut self, expr: incise_solver::ExprId) -> Value {
        match self.exprs.split_base(expr) {
            Some((base, offset)) => match self.exprs.as_constant(offset) {
                Some(offset) => Value::Word(base.wrapping_add(offset as u64)),
                None => Value::Symbolic(expr),
            },
            None => Value::from_expr(self.exprs, expr),
        }
    }
}

/// Whether a variable is only declared, and defined elsewhere.
fn is_declared(global: &Global) -> bool {
    global.initializer.is_none() && !global.model && !global.name.starts_with("llvm.")
}

/// The name and type of parameter `number` in the source; without debug information the name is the IR's.
fn source_parameter(function: &Function, number: u32, ir_name: &str) -> (String, Option<DebugTypeId>) {
    let variable = function.variables.iter().find(|variable| variable.parameter == Some(number + 1));
    let declared = function.debug_signature.get(number as usize + 1).copied().flatten();
    match variable {
        Some(variable) => (variable.name.clone(), variable.ty.or(declared)),
        None if ir_name.is_empty() || ir_name.chars().all(|c| c.is_ascii_digit()) => {
            (format!("arg{number}"), declared)
        }
        None => (ir_name.trim_end_matches(".coerce").trim_end_matches(".coerce0").to_string(), declared),
    }
}

/// How many parameters from `index` on carry the parts of the struct `name`.
fn coerced_parts(function: &Function, index: usize, name: &str) -> usize {
    let named = |index: usize, suffix: &str| {
        function.parameters.get(index).is_some_and(|parameter| parameter.name == format!("{name}{suffix}"))
    };
    if named(index, ".coerce0") {
        1 + usize::from(named(index + 1, ".coerce1"))
    } else {
        usize::from(named(index, ".coerce"))
    }
}
