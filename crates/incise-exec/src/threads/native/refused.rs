//! What is not explored of the functions for threads: a path that comes to it ends, and says why.
//!
//! Functions for the end of a thread (`pthread_cleanup_push`) are none of these as long as no thread ends itself while
//! there are some: they are called where they are taken away, which is in the program.

use super::{Result, fine};
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::State;
use crate::native::Native;
use crate::outcome::Outcome;

pub(super) fn lookup(name: &str) -> Option<Native> {
    Some(match name {
        "pthread_cancel" => |_, _, _| refused("cancelling a thread"),
        "pthread_kill" | "pthread_sigqueue" | "pthread_sigmask" => |_, _, _| refused("signals of threads"),
        "pthread_tryjoin_np" | "pthread_timedjoin_np" | "pthread_clockjoin_np" => {
            |_, _, _| refused("waiting for the end of a thread for a time only")
        }
        "pthread_mutex_consistent" => |_, _, _| refused("a robust mutex"),
        "pthread_mutex_setprioceiling" | "pthread_mutex_getprioceiling" => {
            |_, _, _| refused("priorities of mutexes")
        }
        "sem_open" | "sem_close" | "sem_unlink" => |_, _, _| refused("a named semaphore"),
        // A jump back to it is not executed: until then it has returned once.
        "__sigsetjmp" => |_, _, _| fine(),
        "__pthread_register_cancel" => |_, state, _| count(state, 1),
        "__pthread_unregister_cancel" => |_, state, _| count(state, u32::MAX),
        _ => return None,
    })
}

fn refused(what: &str) -> Result {
    Err(Exit::End(Outcome::Unsupported(what.to_owned())))
}

/// A function is to be called when the thread ends itself, or no longer.
fn count(state: &mut State, more: u32) -> Result {
    let own = state.thread.own_mut();
    own.cleanups = own.cleanups.wrapping_add(more);
    Ok(None)
}

impl Machine<'_> {
    /// A thread ends itself where functions would have to be called that it has left for that.
    pub(super) fn ends_without_cleanups(&self, state: &State) -> std::result::Result<(), Exit> {
        match state.thread.own.as_ref().is_some_and(|own| own.cleanups > 0) {
            true => refused("ending a thread within pthread_cleanup_push").map(|_| ()),
            false => Ok(()),
        }
    }
}
