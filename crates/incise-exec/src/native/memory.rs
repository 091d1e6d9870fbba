//! The heap, and the memory functions that are worth doing in one step.

use super::{Native, NativeCall};
use crate::engine::arithmetic::overflows;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::input::InputObject;
use crate::inputs::shape::{ScalarKind, Shape};
use crate::memory::access::Access;
use crate::memory::bytes::Fill;
use crate::memory::{AddressTarget, Memory, Object, ObjectInfo, ObjectKind, Slot};
use crate::outcome::{ErrorKind, LimitKind, Outcome, ProgramError};
use crate::result::{FAILING_MALLOC, InputOrigin};
use incise_solver::{BinaryOp, CompareOp, ExprId};
use std::rc::Rc;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "malloc" | "valloc" => malloc,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" | "cfree" => free,
        "aligned_alloc" | "memalign" => aligned_alloc,
        "posix_memalign" => posix_memalign,
        "memcpy" | "__memcpy_chk" => copy_apart,
        "memmove" | "__memmove_chk" => copy,
        "__incise_apart" => apart,
        "memset" | "__memset_chk" => set,
        _ => return None,
    })
}

fn malloc(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    machine.allocate_or_fail(state, &call.argument(0), false).map(Some)
}

fn calloc(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    match machine.product(state, &call.argument(0), &call.argument(1))? {
        Some(size) => machine.allocate_or_fail(state, &size, true).map(Some),
        None => machine.fail_to_allocate(state).map(Some),
    }
}

fn aligned_alloc(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    // Every object starts at an address that is a multiple of a mebibyte.
    machine.allocate_or_fail(state, &call.argument(1), false).map(Some)
}

fn posix_memalign(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    /// What `posix_memalign` returns where there is no memory.
    const ENOMEM: u64 = 12;
    let place = machine.memory().resolve(state, &call.argument(0), 8, Access::WRITE)?;
    let address = machine.allocate_or_fail(state, &call.argument(2), false)?;
    if address.as_concrete() == Some(0) {
        return Ok(Some(Value::Word(ENOMEM)));
    }
    machine.memory().write_scalar(state, place, 64, &address);
    Ok(Some(Value::Word(0)))
}

fn realloc(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    machine.reallocate(state, &call.argument(0), &call.argument(1)).map(Some)
}

fn reallocarray(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    match machine.product(state, &call.argument(1), &call.argument(2))? {
        Some(size) => machine.reallocate(state, &call.argument(0), &size).map(Some),
        None => machine.fail_to_allocate(state).map(Some),
    }
}

fn free(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    machine.free_value(state, &call.argument(0))?;
    Ok(None)
}

fn copy(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let target = call.argument(0);
    machine.memory().fill_bytes(state, &target, &Fill::From(call.argument(1)), &call.argument(2), 64)?;
    Ok(Some(target))
}

fn copy_apart(
    machine: &mut Machine<'_>,
    state: &mut State,
    call: &NativeCall<'_>,
) -> Result<Option<Value>, Exit> {
    machine.memory().require_apart(state, (&call.argument(0), &call.argument(1)), &call.argument(2), 64)?;
    copy(machine, state, call)
}

fn apart(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let (target, source) = ((call.argument(0), call.argument(1)), (call.argument(2), call.argument(3)));
    machine.memory().require_disjoint(state, (&target.0, &target.1), (&source.0, &source.1))?;
    Ok(None)
}

fn set(machine: &mut Machine<'_>, state: &mut State, call: &NativeCall<'_>) -> Result<Option<Value>, Exit> {
    let (target, byte) = (call.argument(0), call.argument(1));
    let byte = match byte.as_concrete() {
        Some(bits) => Value::Word(bits as u64 & 0xff),
        None => {
            let expr = machine.decider.expr(state, &byte, 32);
            let expr = machine.decider.exprs.trunc(expr, 8);
            Value::from_expr(&machine.decider.exprs, expr)
        }
    };
    machine.memory().fill_bytes(state, &target, &Fill::Byte(byte), &call.argument(2), 64)?;
    Ok(Some(target))
}

impl Machine<'_> {
    /// `free` of a value.
    pub(crate) fn free_value(&mut self, state: &mut State, pointer: &Value) -> Result<(), Exit> {
        if let Some((slot, _)) = self.heap_object(state, pointer, "free")? {
            self.end_objects(state, &[slot])?;
            state.memory.remove(slot);
        }
        Ok(())
    }

    /// The address of a heap object of `size` bytes, or null where the allocation fails.
    fn allocate_or_fail(&mut self, state: &mut State, size: &Value, zero: bool) -> Result<Value, Exit> {
        if self.allocation_fails(state)? {
            return self.fail_to_allocate(state);
        }
        let slot = self.allocate(state, size, zero)?;
        self.count_allocation(state);
        Ok(Value::Word(Memory::address(slot)))
    }

    /// An allocation that fails is counted as well.
    fn fail_to_allocate(&mut self, state: &mut State) -> Result<Value, Exit> {
        self.count_allocation(state);
        Ok(Value::Word(0))
    }

    /// Whether the path goes on where this allocation fails: that is an input, the number of the allocation that does,
    /// so that there is one on a path at most.
    fn allocation_fails(&mut self, state: &mut State) -> Result<bool, Exit> {
        if !self.may_fail_to_allocate(state) {
            return Ok(false);
        }
        let failing = self.failing_allocation(state);
        let number = self.decider.exprs.constant(u128::from(state.allocations) + 1, 32);
        let fails = self.decider.exprs.eq(failing, number);
        let succeeds = self.decider.exprs.not(fails);
        Ok(self.decider.choose(state, &[succeeds, fails])? == 1)
    }

    /// After everything is decided: a fork repeats the instruction.
    fn count_allocation(&mut self, state: &mut State) {
        if self.may_fail_to_allocate(state) {
            state.allocations += 1;
        }
    }

    /// What the C library allocates for itself never fails.
    fn may_fail_to_allocate(&self, state: &State) -> bool {
        let function = &self.program.functions[state.thread.frame.code.function];
        let asked = || !function.model || matches!(function.name.as_str(), "strdup" | "__strdup" | "strndup");
        self.config.inputs.malloc_fails && asked()
    }

    /// The input that says which allocation fails.
    fn failing_allocation(&mut self, state: &mut State) -> ExprId {
        let origin = InputOrigin::Nondet { function: FAILING_MALLOC.to_owned() };
        let known = state.inputs.iter_newest_first().find(|input| input.origin == origin);
        if let Some(leaf) = known.and_then(|input| input.leaves.first()) {
            return leaf.expr;
        }
        let name = crate::inputs::input::unique_name(state, "failing_malloc");
        let shape = Shape::Scalar { bits: 32, kind: ScalarKind::Unsigned };
        let (object, value) =
            InputObject::scalar_of_shape(&mut self.decider.inputs(), name, origin, 32, shape);
        self.decider.inputs().give(state, &object, None);
        state.inputs.push(Rc::new(object));
        self.decider.expr(state, &value, 32)
    }

    /// A heap object of `size` bytes.
    fn allocate(&mut self, state: &mut State, size: &Value, zero: bool) -> Result<Slot, Exit> {
        let (bytes, symbolic_size) = self.memory().object_size(state, size)?;
        let location = self.decider.location(state);
        let place = location.map(|location| format!(" allocated at {}", self.program.position(location)));
        let info = Rc::new(ObjectInfo {
            kind: ObjectKind::Heap,
            name: format!("the heap object{}", place.unwrap_or_default()),
            ty: None,
            debug_type: None,
            read_only: false,
            private: false,
        });
        let mut object = if zero {
            self.decider.zeroed_object(info, bytes)
        } else {
            self.decider.uninitialised_object(info, bytes)
        };
        object.symbolic_size = symbolic_size;
        Ok(state.memory.add(object))
    }

    /// `left * right`, or `None` on the side where it overflows.
    fn product(&mut self, state: &mut State, left: &Value, right: &Value) -> Result<Option<Value>, Exit> {
        let (a, b) = (self.decider.expr(state, left, 64), self.decider.expr(state, right, 64));
        let overflow = overflows(&mut self.decider.exprs, BinaryOp::Mul, false, a, b);
        let fits = self.decider.exprs.not(overflow);
        if self.decider.choose(state, &[fits, overflow])? == 1 {
            return Ok(None);
        }
        let product = self.decider.exprs.binary(BinaryOp::Mul, a, b);
        Ok(Some(Value::from_expr(&self.decider.exprs, product)))
    }

    fn reallocate(&mut self, state: &mut State, pointer: &Value, size: &Value) -> Result<Value, Exit> {
        let old = self.heap_object(state, pointer, "realloc")?;
        let is_empty = match size.as_concrete() {
            Some(size) => size == 0,
            None => {
                let size = self.decider.expr(state, size, 64);
                let zero = self.decider.exprs.constant(0, 64);
                let empty = self.decider.exprs.compare(CompareOp::Eq, size, zero);
                let some = self.decider.exprs.not(empty);
                self.decider.choose(state, &[empty, some])? == 0
            }
        };
        if is_empty && let Some((old, _)) = old {
            // As glibc does it: the object is freed.
            self.end_objects(state, &[old])?;
            state.memory.remove(old);
            return self.fail_to_allocate(state);
        }
        if self.allocation_fails(state)? {
            return self.fail_to_allocate(state);
        }
        if let Some((old, _)) = old {
            self.end_objects(state, &[old])?;
        }
        let slot = self.allocate(state, size, false)?;
        self.count_allocation(state);
        if let Some((old, begin)) = old {
            let common = match (state.memory.object(old), state.memory.object(slot)) {
                (Some(old), Some(new)) => old.size.saturating_sub(begin).min(new.size),
                _ => 0,
            };
            let place = |slot, offset| crate::memory::access::ObjectPlace {
                slot,
                offset: crate::memory::access::Offset::Concrete(offset),
            };
            self.memory().copy_bytes(state, place(slot, 0), place(old, begin), common);
            state.memory.remove(old);
        }
        Ok(Value::Word(Memory::address(slot)))
    }

    /// The heap object that a pointer given to `free` or `realloc` is the start of, and where in what was made it
    /// begins; `None` for null.
    fn heap_object(
        &mut self,
        state: &mut State,
        pointer: &Value,
        verb: &str,
    ) -> Result<Option<(Slot, u64)>, Exit> {
        let error = |kind, message: String| Exit::End(Outcome::Error(ProgramError { kind, message }));
        let address = match pointer.as_concrete() {
            Some(address) => address as u64,
            None => self.freed_address(state, pointer, verb)?,
        };
        if address == 0 {
            return Ok(None);
        }
        match state.memory.target(address) {
            AddressTarget::Live(slot, object, offset) => match (object.info.kind, offset) {
                (ObjectKind::Heap, 0) => Ok(Some((slot, 0))),
                // What a pointer input leads to is taken to be allocated where the program frees it.
                (ObjectKind::Input, 0)
                    if is_pointee(state, slot) || self.decider.inputs().is_stream_object(slot) =>
                {
                    Ok(Some((slot, 0)))
                }
                (ObjectKind::Input, offset)
                    if is_pointee(state, slot) && self.may_begin_at(object, offset) =>
                {
                    self.begins_at(object, slot, offset).map(Some)
                }
                (ObjectKind::BeyondDepth, _) => Err(Exit::End(Outcome::Limit(LimitKind::PointerDepth))),
                (ObjectKind::Heap, _) => Err(error(
                    ErrorKind::InvalidFree,
                    format!(
                        "{verb} of a pointer to offset {offset} of {}",
                        crate::memory::access::describe(&object.info)
                    ),
                )),
                _ => Err(error(
                    ErrorKind::InvalidFree,
                    format!(
                        "{verb} of {}, which is not on the heap",
                        crate::memory::access::describe(&object.info)
                    ),
                )),
            },
            AddressTarget::Dead(info) if matches!(info.kind, ObjectKind::Heap | ObjectKind::Input) => {
                Err(error(
                    ErrorKind::DoubleFree,
                    format!("{verb} of {}, which was freed before", crate::memory::access::describe(info)),
                ))
            }
            _ => Err(error(
                ErrorKind::InvalidFree,
                format!("{verb} of {address:#x}, where there is no object"),
            )),
        }
    }
}

impl Machine<'_> {
    /// The address of the object that a symbolic pointer leads to.
    fn freed_address(&mut self, state: &mut State, pointer: &Value, verb: &str) -> Result<u64, Exit> {
        let mut expr = self.decider.expr(state, pointer, 64);
        loop {
            if let Some(address) = self.decider.exprs.as_constant(expr) {
                return Ok(address as u64);
            }
            if let Some((condition, then, otherwise)) = self.decider.exprs.split_ite(expr) {
                let negated = self.decider.exprs.not(condition);
                expr = if self.decider.choose(state, &[condition, negated])? == 0 { then } else { otherwise };
                continue;
            }
            if let Some((base, offset)) = self.decider.exprs.split_base(expr) {
                let zero = self.decider.exprs.constant(0, 64);
                let start = self.decider.exprs.compare(CompareOp::Eq, offset, zero);
                self.decider.require(state, start, |_, _| ProgramError {
                    kind: ErrorKind::InvalidFree,
                    message: format!("{verb} of a pointer into the middle of an object"),
                })?;
                return Ok(base);
            }
            match self.decider.unique_value(state, expr)? {
                Some(address) => return Ok(address as u64),
                None => {
                    return Err(Exit::End(Outcome::Unsupported(format!("{verb} of a symbolic address"))));
                }
            }
        }
    }

    /// Whether what a pointer input leads to may begin at an offset: at the element that it points to, or before. A
    /// program that frees what is there keeps a header before its data.
    fn may_begin_at(&self, object: &Object, offset: i64) -> bool {
        let Some(assumed) = object.assumed.as_deref() else { return false };
        let before = self.config.inputs.sizes.before(&assumed.input).saturating_mul(assumed.element);
        object.symbolic_size.is_none() && offset <= i64::try_from(before).unwrap_or(i64::MAX)
    }

    /// The object that begins there, if so much of it was made.
    fn begins_at(&mut self, object: &Object, slot: Slot, offset: i64) -> Result<(Slot, u64), Exit> {
        match (u64::try_from(offset), object.assumed.as_deref()) {
            (Ok(offset), _) => Ok((slot, offset)),
            (Err(_), Some(assumed)) => Err(Exit::End(self.decider.too_early(assumed))),
            (Err(_), None) => Err(Exit::End(Outcome::Limit(LimitKind::InputSize))),
        }
    }
}

/// Whether an object is what a pointer of the inputs leads to.
fn is_pointee(state: &State, slot: Slot) -> bool {
    let leads_there = |input: &Rc<InputObject>| {
        input.slot == Some(slot) && matches!(input.origin, InputOrigin::Pointee { .. })
    };
    state.inputs.iter_newest_first().any(leads_there)
}
