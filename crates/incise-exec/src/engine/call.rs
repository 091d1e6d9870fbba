//! Calls and returns: frames, arguments, function pointers, and the way into and out of the program.

use crate::engine::code::{Argument, ArgumentKind, CallCode, CalleeCode, Code, Source};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{
    Exiting, ExternalCall, Frame, ReturnTo, State, VariableArgument, VariableArguments, VariableValue,
};
use crate::engine::value::Value;
use crate::externals::{Called, Outsider};
use crate::memory::Memory;
use crate::native::NativeCall;
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_ir::FunctionId;
use std::rc::Rc;

impl Machine<'_> {
    pub(crate) fn call(&mut self, code: &Code, state: &mut State, call: &CallCode) -> Result<(), Exit> {
        match &call.callee {
            CalleeCode::Function(function) => self.call_function(code, state, *function, call),
            CalleeCode::Pointer(pointer) => {
                let pointer = state.get(*pointer).clone();
                match self.called_through(state, &pointer)? {
                    Called::Function(function) => self.call_function(code, state, function, call),
                    Called::Unknown(slot) => {
                        let who = self.unknown_outsider(state, slot);
                        let arguments = self.argument_values(state, &call.arguments);
                        let result = self.call_outside(state, &who, call, arguments)?;
                        self.give_result(code, state, call, result);
                        Ok(())
                    }
                }
            }
            CalleeCode::Intrinsic(intrinsic) => {
                let arguments = self.argument_values(state, &call.arguments);
                let result = self.intrinsic(state, intrinsic, &arguments, call)?;
                self.give_result(code, state, call, result);
                Ok(())
            }
            CalleeCode::Assembly(text) if text.is_empty() => {
                // An empty template is a barrier for the compiler. Its results are its inputs, which it keeps in place.
                let result = (call.to.is_some()).then(|| match call.arguments.first() {
                    Some(argument) => state.get(argument.source).clone(),
                    None => Value::Undefined,
                });
                self.give_result(code, state, call, result);
                Ok(())
            }
            CalleeCode::Assembly(text) => {
                Err(Exit::End(Outcome::Unsupported(format!("inline assembly \"{}\"", text.escape_default()))))
            }
        }
    }

    fn argument_values(&mut self, state: &State, arguments: &[Argument]) -> Vec<Value> {
        arguments.iter().map(|argument| state.get(argument.source).clone()).collect()
    }

    /// Gives the result of a call that is over to its register, and goes on.
    pub(crate) fn give_result(
        &mut self,
        code: &Code,
        state: &mut State,
        call: &CallCode,
        result: Option<Value>,
    ) {
        if let Some(to) = call.to {
            state.set(to, result.unwrap_or(Value::Undefined));
        }
        if let Some(edge) = call.normal {
            self.decider.take(code, state, edge);
        }
    }

    fn call_function(
        &mut self,
        code: &Code,
        state: &mut State,
        function: FunctionId,
        call: &CallCode,
    ) -> Result<(), Exit> {
        if !self.opaque.is_empty()
            && let Some(name) = self.opaque.get(&function).cloned()
        {
            let arguments = self.argument_values(state, &call.arguments);
            // It depends on nothing but its arguments.
            let again = |known: &&ExternalCall| {
                let same = |(one, other): (&Value, &Value)| one.is_same(other);
                known.function == name
                    && known.arguments.len() == arguments.len()
                    && known.arguments.iter().zip(&arguments).all(same)
            };
            let known = state.calls.iter_newest_first().find(again).map(|known| known.result.clone());
            let result = match known {
                Some(result) => result,
                None => {
                    let who =
                        Outsider { name: name.clone(), results: name.clone(), ..self.outsider(function) };
                    let result = self.any_result(state, &who, call);
                    let (arguments, known) = (arguments.into(), result.clone());
                    let wrote = Vec::new().into();
                    let call = ExternalCall {
                        function: name,
                        arguments,
                        result: known,
                        sight: None,
                        wrote,
                        device: None,
                    };
                    state.calls.push(call);
                    result
                }
            };
            self.give_result(code, state, call, result);
            return Ok(());
        }
        if self.program.functions[function].is_definition() {
            if !self.atomic_functions.is_empty() && self.atomic_functions.contains(&function) {
                self.enter_atomic(state)?;
            }
            let return_to = ReturnTo::Caller { to: call.to, edge: call.normal };
            let arguments = self.argument_values(state, &call.arguments);
            let kinds: Vec<ArgumentKind> = call.arguments.iter().map(|argument| argument.kind).collect();
            self.push_frame(state, function, arguments, &kinds, return_to)?;
            return Err(Exit::Switch);
        }
        let arguments = self.argument_values(state, &call.arguments);
        match self.decider.natives.get(function) {
            Some(native) => {
                if self.decider.natives.is_worldly(function) {
                    self.decider.touch_world(state)?;
                }
                let native_call = NativeCall { function, arguments, call };
                let result = native(self, state, &native_call);
                if let Err(Exit::End(_)) = result {
                    self.decider.failed_at(state, &native_call.arguments);
                }
                self.give_result(code, state, call, result?);
                Ok(())
            }
            None => {
                self.decider.touch_world(state)?;
                let who = self.outsider(function);
                let result = self.call_outside(state, &who, call, arguments)?;
                self.give_result(code, state, call, result);
                Ok(())
            }
        }
    }

    /// Makes a frame for a function with a body and puts it on top.
    pub(crate) fn push_frame(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<Value>,
        kinds: &[ArgumentKind],
        return_to: ReturnTo,
    ) -> Result<(), Exit> {
        let frame = self.make_frame(state, function, arguments, kinds, return_to)?;
        let caller = std::mem::replace(&mut state.thread.frame, frame);
        state.thread.below.push(caller);
        Ok(())
    }

    /// Makes a frame for a function with a body.
    pub(crate) fn make_frame(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<Value>,
        kinds: &[ArgumentKind],
        return_to: ReturnTo,
    ) -> Result<Frame, Exit> {
        let code = self.code(function);
        let definition = &self.program.functions[function];
        let fixed = definition.parameters.len();
        if arguments.len() < fixed {
            return Err(Exit::End(Outcome::Error(ProgramError {
                kind: ErrorKind::BadCall,
                message: format!(
                    "{} is called with {} of its {} arguments",
                    definition.name,
                    arguments.len(),
                    fixed
                ),
            })));
        }
        let mut objects = Vec::new();
        let mut registers = Vec::with_capacity(code.registers);
        let mut rest = arguments;
        let extra = rest.split_off(fixed);
        for (index, argument) in rest.into_iter().enumerate() {
            registers.push(match kinds.get(index) {
                Some(&ArgumentKind::ByValue { size, .. }) => {
                    let slot =
                        self.copy_argument(state, &argument, size, &definition.parameters[index].name)?;
                    objects.push(slot);
                    Value::Word(Memory::address(slot))
                }
                _ => argument,
            });
        }
        // A filler that is made anew, not cloned: a plain loop of stores.
        let rest = code.registers.saturating_sub(registers.len());
        registers.extend(std::iter::repeat_with(|| Value::Undefined).take(rest));
        let variable_arguments = (definition.variadic && !extra.is_empty())
            .then(|| Rc::new(lay_out(extra, kinds.get(fixed..).unwrap_or(&[]))));
        Ok(Frame {
            code,
            pc: 0,
            registers,
            objects,
            variable_arguments,
            return_to,
            branch_counts: Vec::new(),
        })
    }

    /// Copies a struct that is passed by value into an object of the callee's.
    fn copy_argument(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
        name: &str,
    ) -> Result<u64, Exit> {
        let info = crate::memory::ObjectInfo {
            kind: crate::memory::ObjectKind::Stack,
            name: name.to_string(),
            ty: None,
            debug_type: None,
            read_only: false,
            private: false,
        };
        let object = self.decider.uninitialised_object(Rc::new(info), size);
        if size == 0 {
            return Ok(state.memory.add(object));
        }
        let source = self.memory().resolve(state, pointer, size, crate::memory::access::Access::READ)?;
        let slot = state.memory.add(object);
        let target =
            crate::memory::access::ObjectPlace { slot, offset: crate::memory::access::Offset::Concrete(0) };
        self.memory().copy_bytes(state, target, source, size);
        Ok(slot)
    }

    pub(crate) fn return_from(
        &mut self,
        code: &Code,
        state: &mut State,
        value: Option<Source>,
    ) -> Result<(), Exit> {
        let value = value.map(|source| state.get(source).clone());
        let block = code.block_of[state.thread.frame.pc as usize - 1] as usize;
        code.returned[block].set(true);
        self.decider.count(state, u64::from(code.lengths[block]));
        let return_to = state.thread.frame.return_to;
        if state.memory.is_watched() {
            let objects = std::mem::take(&mut state.thread.frame.objects);
            let ended = self.end_objects(state, &objects);
            state.thread.frame.objects = objects;
            ended?;
        }
        if code.atomic && state.thread.atomic() > 0 {
            self.leave_atomic(state)?;
        }
        if let ReturnTo::Entry = return_to {
            state.returned = value.clone();
            if self.decider.natives.is_main(code.function) {
                return self.exit_program(state, value.unwrap_or(Value::Word(0)));
            }
            return Err(Exit::End(Outcome::Returned));
        }
        if let ReturnTo::Thread = return_to {
            for slot in std::mem::take(&mut state.thread.frame.objects) {
                state.memory.remove(slot);
            }
            return self.thread_ended(state, value);
        }
        let Some(caller) = state.thread.below.pop() else { return Err(Exit::End(Outcome::Returned)) };
        let finished = std::mem::replace(&mut state.thread.frame, caller);
        for slot in finished.objects {
            state.memory.remove(slot);
        }
        match return_to {
            ReturnTo::Caller { to, edge } => {
                if let Some(to) = to {
                    state.set(to, value.unwrap_or(Value::Undefined));
                }
                if let Some(edge) = edge {
                    let code = state.thread.frame.code.clone();
                    self.decider.take(&code, state, edge);
                }
                Err(Exit::Switch)
            }
            ReturnTo::Exit => self.next_exit_step(state),
            ReturnTo::Start => self.start_next(state),
            ReturnTo::Once { slot, offset, to, edge } => {
                self.once_done(state, slot, offset)?;
                if let Some(to) = to {
                    state.set(to, Value::Word(0));
                }
                if let Some(edge) = edge {
                    let code = state.thread.frame.code.clone();
                    self.decider.take(&code, state, edge);
                }
                Err(Exit::Switch)
            }
            ReturnTo::Entry | ReturnTo::Thread => Err(Exit::End(Outcome::Returned)),
        }
    }

    /// Leaves the program with a status: exit handlers and destructors first.
    pub(crate) fn exit_program(&mut self, state: &mut State, status: Value) -> Result<(), Exit> {
        state.exiting = Some(Rc::new(Exiting { status }));
        self.next_exit_step(state)
    }

    fn next_exit_step(&mut self, state: &mut State) -> Result<(), Exit> {
        let next = match state.exit_handlers.pop() {
            Some(handler) => Some(handler),
            None => {
                let destructor = self.program.destructors.get(state.destructor as usize).copied();
                state.destructor += 1;
                destructor
            }
        };
        match next {
            Some(function) if self.program.functions[function].is_definition() => {
                self.push_frame(state, function, Vec::new(), &[], ReturnTo::Exit)?;
                Err(Exit::Switch)
            }
            Some(_) => self.next_exit_step(state),
            None => Err(Exit::End(Outcome::Exited { status: 0 })),
        }
    }

    /// Runs the next constructor, or goes on with the entry, whose frame waits below.
    pub(crate) fn start_next(&mut self, state: &mut State) -> Result<(), Exit> {
        while let Some(&constructor) = self.program.constructors.get(state.constructor as usize) {
            state.constructor += 1;
            if self.program.functions[constructor].is_definition() {
                self.push_frame(state, constructor, Vec::new(), &[], ReturnTo::Start)?;
                break;
            }
        }
        Err(Exit::Switch)
    }

    /// The object that holds the variable arguments of the current frame.
    pub(crate) fn variable_arguments(&mut self, state: &mut State) -> Result<u64, Exit> {
        let arguments = state.thread.frame.variable_arguments.clone();
        if arguments.is_none() && state.thread.frame.return_to == ReturnTo::Entry {
            let what = "what callers pass behind `...` of the entry";
            return Err(Exit::End(Outcome::Unsupported(what.to_owned())));
        }
        let size = arguments.as_ref().map_or(0, |arguments| arguments.size);
        let slot = self.make_variable_arguments(state, arguments.as_deref(), size)?;
        state.thread.frame.objects.push(slot);
        Ok(slot)
    }

    /// An object with variable arguments as `va_arg` reads them.
    pub(crate) fn make_variable_arguments(
        &mut self,
        state: &mut State,
        arguments: Option<&VariableArguments>,
        size: u64,
    ) -> Result<u64, Exit> {
        let info = crate::memory::ObjectInfo {
            kind: crate::memory::ObjectKind::Stack,
            name: "variable arguments".into(),
            ty: None,
            debug_type: None,
            read_only: false,
            private: true,
        };
        let object = self.decider.uninitialised_object(Rc::new(info), size.max(8));
        let items = arguments.map_or(&[][..], |arguments| &arguments.items[..]);
        // All pointers are resolved before memory changes, because resolving can fork.
        let mut sources = Vec::new();
        for item in items {
            if let VariableValue::Copy { address, size } = &item.value {
                sources.push(self.memory().resolve(
                    state,
                    address,
                    *size,
                    crate::memory::access::Access::READ,
                )?);
            }
        }
        let slot = state.memory.add(object);
        let mut sources = sources.into_iter();
        for item in items {
            let place = crate::memory::access::ObjectPlace {
                slot,
                offset: crate::memory::access::Offset::Concrete(item.offset),
            };
            match &item.value {
                VariableValue::Scalar(value) => self.memory().write_scalar(state, place, item.width, value),
                VariableValue::Copy { size, .. } => {
                    if let Some(source) = sources.next() {
                        self.memory().copy_bytes(state, place, source, *size);
                    }
                }
            }
        }
        Ok(slot)
    }
}

/// Lays arguments out as the System V ABI has those that did not fit into registers: in eight-byte steps.
pub(crate) fn lay_out(arguments: Vec<Value>, kinds: &[ArgumentKind]) -> VariableArguments {
    let mut items = Vec::new();
    let mut size = 0u64;
    for (index, value) in arguments.into_iter().enumerate() {
        let kind = kinds.get(index).copied().unwrap_or(ArgumentKind::Integer(64));
        let (bytes, align, width) = match kind {
            ArgumentKind::Integer(width) => {
                (u64::from(width.div_ceil(8)), if width > 64 { 16 } else { 8 }, width)
            }
            ArgumentKind::Float(kind) => {
                let bits = kind.bits();
                (u64::from(bits / 8), if bits > 64 { 16 } else { 8 }, bits)
            }
            ArgumentKind::ByValue { size, align } => (size, align.max(8), 0),
            ArgumentKind::Aggregate => (8, 8, 64),
        };
        size = size.next_multiple_of(align);
        let value = match kind {
            ArgumentKind::ByValue { size, .. } => VariableValue::Copy { address: value, size },
            _ => VariableValue::Scalar(value),
        };
        items.push(VariableArgument { offset: size, width, value });
        size += bytes.next_multiple_of(8);
    }
    VariableArguments { items, size }
}
