//! Synchronisation objects: their state is in their bytes, where glibc has it if a static initialiser shows it.
//!
//! | object | bytes |
//! |---|---|
//! | mutex | 0: locked, 4: how often by its owner, 8: the owner's number and 1, 16: the kind |
//! | read-write lock | 0: readers, 4: the writer's number and 1 |
//! | condition variable | 0: whether it is there; who sleeps is kept with the threads |
//! | barrier | 0: how many must come, 4: how many are there, 8: the round |
//! | semaphore | 0: the value |
//! | spin lock | 0: 1 if it is free |
//! | once | 0: 1 while it is done, 2 when it is done |

use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::Held;
use crate::engine::value::Value;
use crate::memory::Slot;
use crate::memory::access::{Access, Offset};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use crate::threads::event::{Exchange, Kind, Mode, Touch, Waits};
use crate::threads::things::thing;
use incise_ir::Program;
use incise_solver::CompareOp;

/// What an object holds after it was destroyed.
pub(crate) const DESTROYED: u32 = u32::MAX;
/// Of how many places a symbolic pointer to a lock is followed to each.
const MOST_PLACES: u64 = 1024;

/// A synchronisation object: where it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) slot: Slot,
    pub(crate) offset: u64,
    pub(crate) size: u64,
}

/// Wrong use of threads.
pub(crate) fn misuse(kind: ErrorKind, message: impl Into<String>) -> Exit {
    Exit::End(Outcome::Error(ProgramError { kind, message: message.into() }))
}

impl Object {
    /// A number in it, if it is known.
    pub(crate) fn read(self, state: &State, at: u64) -> Option<u32> {
        state.memory.object(self.slot)?.read_word(self.offset + at, 4).map(|word| word as u32)
    }

    pub(crate) fn write(self, state: &mut State, at: u64, number: u32) {
        if let Some(object) = state.memory.object_mut(self.slot) {
            object.write_word(self.offset + at, 4, u64::from(number));
        }
    }

    /// A number in it, which must have been written.
    pub(crate) fn known(self, program: &Program, state: &State, at: u64) -> Result<u32, Exit> {
        match self.read(state, at) {
            Some(DESTROYED) => Err(self.is_not_ready(program, state, "after it was destroyed")),
            Some(number) => Ok(number),
            None if self.is_input(state, at) => Err(Exit::End(Outcome::Unsupported(format!(
                "{}, which is an input or depends on one, as a lock or the like",
                self.name(program, state)
            )))),
            None => Err(self.is_not_ready(program, state, "before it was initialised")),
        }
    }

    /// Whether a number in it is not known because it depends on inputs.
    fn is_input(self, state: &State, at: u64) -> bool {
        let object = state.memory.object(self.slot);
        object.is_some_and(|object| object.is_symbolic_at(self.offset + at, 4))
    }

    /// It is used when it must not be.
    pub(crate) fn is_not_ready(self, program: &Program, state: &State, when: &str) -> Exit {
        misuse(ErrorKind::NotInitialised, format!("{} is used {when}", self.name(program, state)))
    }

    /// It is destroyed or initialised while it is in use.
    pub(crate) fn is_in_use(self, program: &Program, state: &State, how: &str) -> Exit {
        misuse(ErrorKind::DestroyedInUse, format!("{} is {how}", self.name(program, state)))
    }

    /// The running thread does not hold it.
    pub(crate) fn is_not_held(self, program: &Program, state: &State, how: &str) -> Exit {
        misuse(ErrorKind::BadUnlock, format!("unlock of {}, {how}", self.name(program, state)))
    }

    /// The state that operations wait for.
    pub(crate) fn word(self, state: &State, waits: Waits) -> Option<u64> {
        let two = |low: u64, high: u64| {
            let (low, high) = (self.read(state, low)?, self.read(state, high)?);
            Some(u64::from(low) | u64::from(high) << 32)
        };
        match waits {
            Waits::Mutex => two(0, 8),
            Waits::ReadLock | Waits::WriteLock => two(0, 4),
            Waits::Round(_) => two(4, 8),
            Waits::Semaphore | Waits::Spin | Waits::Once => self.read(state, 0).map(u64::from),
        }
    }

    /// What people call it.
    pub(crate) fn name(self, program: &Program, state: &State) -> String {
        thing(program, state, self.slot, (self.offset, self.size)).to_string()
    }
}

impl Machine<'_> {
    /// The synchronisation object that a pointer leads to; each, if there are several.
    pub(crate) fn synchronised(
        &mut self,
        state: &mut State,
        pointer: &Value,
        size: u64,
    ) -> Result<Object, Exit> {
        let place = self.memory().locate(state, pointer, size, Access::WRITE)?;
        let slot = place.slot;
        let offset = match place.offset {
            Offset::Concrete(offset) => return Ok(Object { slot, offset, size }),
            Offset::Symbolic(offset) => offset,
        };
        let length = state.memory.object(slot).map_or(0, |object| object.size);
        let align = if size >= 8 { 8 } else { 4 };
        let places: Vec<u64> = (0..=length.saturating_sub(size) / align).map(|index| index * align).collect();
        let unsupported =
            || Exit::End(Outcome::Unsupported("a lock at a symbolic address in a large object".into()));
        if places.len() as u64 > MOST_PLACES {
            return Err(unsupported());
        }
        let mut conditions = Vec::with_capacity(places.len() + 1);
        let mut nowhere = self.decider.exprs.constant(1, 1);
        for &place in &places {
            let place = self.decider.exprs.constant(u128::from(place), 64);
            let here = self.decider.exprs.compare(CompareOp::Eq, offset, place);
            let elsewhere = self.decider.exprs.not(here);
            nowhere = self.decider.exprs.and(nowhere, elsewhere);
            conditions.push(here);
        }
        conditions.push(nowhere);
        let choice = self.decider.choose(state, &conditions)?;
        match places.get(choice) {
            Some(&offset) => Ok(Object { slot, offset, size }),
            None => Err(unsupported()),
        }
    }

    /// Notes what the running event does to a synchronisation object.
    pub(crate) fn synchronises(
        &mut self,
        state: &mut State,
        object: Object,
        (mode, kind): (Mode, Kind),
        words: (Option<u64>, Option<u64>),
        exchange: Exchange,
    ) -> Result<(), Exit> {
        let touch = self.decider.new_touch(state, object.slot, (mode, kind));
        let touch = Touch {
            offset: Some(object.offset),
            size: object.size,
            synchronises: true,
            before: words.0,
            after: words.1,
            exchange,
            ..touch
        };
        self.decider.touch(state, touch)
    }

    /// The running thread holds a lock.
    pub(crate) fn holds(&mut self, state: &mut State, object: Object, shared: bool) {
        let location = self.decider.location(state);
        let held = Held { slot: object.slot, offset: object.offset, shared, location };
        state.thread.own_mut().held.push(held);
    }

    /// The running thread gives a lock back; says whether it held it, and if only to read.
    pub(crate) fn lets_go(&mut self, state: &mut State, object: Object) -> Option<bool> {
        let held = &mut state.thread.own_mut().held;
        let at = held.iter().rposition(|held| (held.slot, held.offset) == (object.slot, object.offset))?;
        Some(held.remove(at).shared)
    }

    /// Sets `errno` of the running thread, if the program has it.
    pub(crate) fn set_errno(&mut self, state: &mut State, number: u32) {
        let errno = self.program.globals.iter().find(|(_, global)| global.name == "__incise_errno");
        let Some((id, _)) = errno else { return };
        let first = Value::Word(self.decider.constants.global_address(id));
        if let Value::Word(address) = self.thread_local_address(state, first)
            && let crate::memory::AddressTarget::Live(slot, ..) = state.memory.target(address)
            && let Some(object) = state.memory.object_mut(slot)
        {
            object.write_word(0, 4, u64::from(number));
        }
    }
}
