//! Functions that inputs point to: callbacks.
//!
//! A function pointer of an input is null, or the address of a function that nobody knows, one for each input; or one
//! of those functions of the program that the reading of the inputs names. The unknown function is an object of its own
//! kind, so that its address can be copied and compared like any other, and is not that of any function of the program.

use super::Outsider;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::inputs::maker::InputMaker;
use crate::memory::{AddressTarget, Memory, NULL_ZONE, ObjectInfo, ObjectKind, Slot};
use crate::outcome::{ErrorKind, LimitKind, Outcome, ProgramError};
use crate::result::InputOrigin;
use incise_ir::{ConstantKind, DebugType, DebugTypeId, FunctionId, MemoryUse};
use incise_reading::What;
use incise_solver::{CompareOp, ExprId, SymbolKind};
use std::rc::Rc;

/// The most functions that a symbolic function pointer is compared with.
const REACHABLE_FUNCTIONS: usize = 512;

/// What a function pointer points to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Called {
    /// A function of the program.
    Function(FunctionId),
    /// The unknown function that an input points to.
    Unknown(Slot),
}

impl InputMaker<'_> {
    /// A function pointer as an input. `path` is its C expression.
    pub(crate) fn callback_input(
        &mut self,
        state: &mut State,
        path: &str,
        target: Option<DebugTypeId>,
    ) -> ExprId {
        let listed = self.config.inputs.reading.of(path).find_map(|what| match what {
            What::Calls { functions, unknown } => Some((functions.clone(), *unknown)),
            _ => None,
        });
        let (names, unknown) = listed.unwrap_or((Vec::new(), true));
        let known = names.iter().filter_map(|name| Some((name, self.program.function_named(name)?)));
        let mut known: Vec<(String, FunctionId)> = known.map(|(name, id)| (name.clone(), id)).collect();
        let mut pointer = match known.pop_if(|_| !unknown) {
            Some((_, function)) => self.exprs.constant(u128::from(Memory::function_address(function)), 64),
            None => {
                let slot = self.unknown_function(state, path, target);
                self.exprs.base(Memory::address(slot))
            }
        };
        for (name, function) in known.into_iter().rev() {
            let chosen = self.leaf_symbol(&format!("{path} is {name}"), 1, SymbolKind::Bool);
            let address = self.exprs.constant(u128::from(Memory::function_address(function)), 64);
            pointer = self.exprs.ite(chosen, address, pointer);
        }
        pointer
    }

    fn unknown_function(&mut self, state: &mut State, path: &str, target: Option<DebugTypeId>) -> Slot {
        let info = ObjectInfo {
            kind: ObjectKind::Callback,
            name: format!("unknown({path})"),
            ty: None,
            debug_type: target,
            read_only: true,
            private: false,
        };
        let object = self.zeroed_object(Rc::new(info), 1);
        state.memory.add(object)
    }
}

impl Machine<'_> {
    /// The unknown function at a slot, as somebody to call.
    pub(crate) fn unknown_outsider(&self, state: &State, slot: Slot) -> Outsider {
        let info = state.memory.object(slot).map(|object| object.info.clone());
        let name = info.as_ref().map_or("", |info| info.name.as_str());
        let pointer = name.strip_prefix("unknown(").and_then(|name| name.strip_suffix(')')).unwrap_or(name);
        let declared = info.as_ref().and_then(|info| self.program.resolve_debug_type(info.debug_type?));
        let signature = match declared.map(|id| &self.program.debug_types[id]) {
            Some(DebugType::Function(signature)) => signature.clone(),
            _ => Vec::new(),
        };
        Outsider {
            name: format!("{pointer}()"),
            results: format!("{pointer}()"),
            origin: InputOrigin::Callback { pointer: pointer.to_owned() },
            signature,
            memory: MemoryUse::Any,
            no_return: false,
            gives: super::Gives::Known,
            callback: true,
        }
    }

    /// What a function pointer points to; forks where it can be several.
    pub(crate) fn called_through(&mut self, state: &mut State, pointer: &Value) -> Result<Called, Exit> {
        let mut pointer = self.decider.expr(state, pointer, 64);
        loop {
            if let Some(address) = self.decider.exprs.as_constant(pointer) {
                return self.called_at(state, address as u64);
            }
            if let Some((base, offset)) = self.decider.exprs.split_base(pointer)
                && let Some(offset) = self.decider.exprs.as_constant(offset)
            {
                return self.called_at(state, base.wrapping_add(offset as u64));
            }
            if let Some((condition, then, otherwise)) = self.decider.exprs.split_ite(pointer) {
                let negated = self.decider.exprs.not(condition);
                pointer =
                    if self.decider.choose(state, &[condition, negated])? == 0 { then } else { otherwise };
                continue;
            }
            break;
        }
        let mut candidates: Vec<(Called, u64)> = Vec::new();
        for function in self.address_taken() {
            candidates.push((Called::Function(function), Memory::function_address(function)));
        }
        for (slot, object) in state.memory.live() {
            if object.info.kind == ObjectKind::Callback {
                candidates.push((Called::Unknown(slot), Memory::address(slot)));
            }
        }
        if candidates.len() > REACHABLE_FUNCTIONS {
            return Err(Exit::End(Outcome::Unsupported(format!(
                "a symbolic function pointer that could be any of {} functions",
                candidates.len()
            ))));
        }
        let mut conditions = Vec::new();
        let mut none = self.decider.exprs.constant(1, 1);
        for &(_, address) in &candidates {
            let address = self.decider.exprs.constant(u128::from(address), 64);
            let equal = self.decider.exprs.compare(CompareOp::Eq, pointer, address);
            let differs = self.decider.exprs.not(equal);
            none = self.decider.exprs.and(none, differs);
            conditions.push(equal);
        }
        let valid = self.decider.exprs.not(none);
        self.decider.require(state, valid, |_, _| ProgramError {
            kind: ErrorKind::BadCall,
            message: "call through a symbolic pointer that need not be a function's address".into(),
        })?;
        Ok(candidates[self.decider.choose(state, &conditions)?].0)
    }

    fn called_at(&self, state: &State, address: u64) -> Result<Called, Exit> {
        if let Some(function) = Memory::function_at(address, self.function_count()) {
            return Ok(Called::Function(function));
        }
        match state.memory.target(address) {
            AddressTarget::Live(slot, object, 0) if object.info.kind == ObjectKind::Callback => {
                return Ok(Called::Unknown(slot));
            }
            // What is beyond the depth may well be a function.
            AddressTarget::Live(_, object, 0) if object.info.kind == ObjectKind::BeyondDepth => {
                return Err(Exit::End(Outcome::Limit(LimitKind::PointerDepth)));
            }
            _ => {}
        }
        let (kind, message) = if address < NULL_ZONE {
            (ErrorKind::NullPointer, "call through a null pointer".to_string())
        } else {
            (ErrorKind::BadCall, format!("call of address {address:#x}, where there is no function"))
        };
        Err(Exit::End(Outcome::Error(ProgramError { kind, message })))
    }

    /// The functions whose address the program takes, in order.
    fn address_taken(&self) -> Vec<FunctionId> {
        let mut taken: Vec<FunctionId> = self
            .program
            .constants
            .iter()
            .filter_map(|(_, constant)| match constant.kind {
                ConstantKind::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        taken.sort_unstable();
        taken.dedup();
        taken
    }
}
