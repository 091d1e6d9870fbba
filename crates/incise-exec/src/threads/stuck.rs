//! Threads that wait for ever: who waits for what, and who keeps it.

use super::event::{Guard, Operation, Waits};
use super::explorer::Explorer;
use super::objects::Object;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::engine::thread::{Thread, ThreadId};
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_ir::Program;

/// What a thread waits for, and the threads that could end that.
struct Wait {
    thread: ThreadId,
    what: String,
    keepers: Vec<ThreadId>,
}

fn wait_of(program: &Program, state: &State, thread: &Thread, guard: &Guard) -> Wait {
    let id = thread.id;
    let holders = |slot: u64, offset: u64| -> Vec<ThreadId> {
        let holds = |thread: &&Thread| {
            let held = thread.own.as_ref().map_or(&[][..], |own| &own.held);
            held.iter().any(|held| (held.slot, held.offset) == (slot, offset))
        };
        state.live_threads().into_iter().filter(holds).map(|thread| thread.id).collect()
    };
    match *guard {
        Guard::Object { slot, offset, waits } => {
            let name = Object { slot, offset, size: 0 }.name(program, state);
            let what = match waits {
                Waits::Semaphore => format!("waits for the semaphore {name}"),
                Waits::Round(_) => format!("waits for others at the barrier {name}"),
                Waits::Once => format!("waits until what {name} guards is done"),
                _ => format!("waits for {name}"),
            };
            Wait { thread: id, what, keepers: holders(slot, offset) }
        }
        Guard::Woken { slot, offset, .. } => match thread.own.as_ref().and_then(|own| own.asleep) {
            Some((slot, offset)) => {
                let name = Object { slot, offset, size: 0 }.name(program, state);
                Wait { thread: id, what: format!("waits to be woken at {name}"), keepers: Vec::new() }
            }
            None => {
                let name = Object { slot, offset, size: 0 }.name(program, state);
                Wait { thread: id, what: format!("waits for {name}"), keepers: holders(slot, offset) }
            }
        },
        Guard::Ended(other) => Wait {
            thread: id,
            what: format!("waits for the end of thread {}", other.0),
            keepers: vec![other],
        },
        Guard::Change(_) => {
            let what = "waits in a loop for a change that nobody makes".to_owned();
            Wait { thread: id, what, keepers: Vec::new() }
        }
    }
}

/// A cycle of threads each of which waits for the next.
fn cycle(waits: &[Wait]) -> Option<Vec<usize>> {
    let at = |id: ThreadId| waits.iter().position(|wait| wait.thread == id);
    for start in 0..waits.len() {
        let mut way = vec![start];
        while let Some(next) = waits[*way.last()?].keepers.iter().find_map(|&id| at(id)) {
            if let Some(from) = way.iter().position(|&known| known == next) {
                return Some(way.split_off(from));
            }
            way.push(next);
        }
    }
    None
}

impl Machine<'_> {
    /// The only thread waits for what nobody else can give.
    pub(crate) fn waits_alone(&self, state: &State, guard: Guard) -> Exit {
        let wait = wait_of(self.program, state, &state.thread, &guard);
        let own = wait.keepers.contains(&state.thread.id);
        let kind = if own { ErrorKind::Deadlock } else { ErrorKind::EndlessWait };
        let end = if own { ", which it holds itself" } else { ", and there is no other" };
        Exit::End(Outcome::Error(ProgramError {
            kind,
            message: format!("the only thread {}{end}", wait.what),
        }))
    }
}

impl Explorer<'_, '_> {
    /// No thread can go on, and some have not ended.
    pub(super) fn stuck(&mut self, state: &mut State) -> Outcome {
        let waits: Vec<Wait> = state
            .live_threads()
            .into_iter()
            .filter_map(|thread| match thread.pending.as_deref() {
                Some(Operation::When(guard)) => Some(wait_of(self.machine.program, state, thread, guard)),
                _ => None,
            })
            .collect();
        let circle = cycle(&waits);
        let told: Vec<usize> = circle.clone().unwrap_or_else(|| (0..waits.len()).collect());
        let holds = |wait: &Wait| match (&circle, wait.keepers.first()) {
            (Some(_), Some(keeper)) if !wait.what.contains("the end of") => {
                format!(", which thread {} holds", keeper.0)
            }
            _ => String::new(),
        };
        let texts: Vec<String> = told
            .iter()
            .map(|&at| format!("thread {} {}{}", waits[at].thread.0, waits[at].what, holds(&waits[at])))
            .collect();
        let kind = if circle.is_some() { ErrorKind::Deadlock } else { ErrorKind::EndlessWait };
        if let Some(&first) = told.first() {
            state.switch_to(waits[first].thread);
            // The instruction is about to be executed, and not behind us.
            state.thread.frame.pc += 1;
        }
        Outcome::Error(ProgramError { kind, message: texts.join("; ") })
    }
}
