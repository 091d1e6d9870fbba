//! Threads of the program that is executed.

use crate::engine::list::SharedList;
use crate::engine::state::Frame;
use crate::engine::value::Value;
use crate::memory::Slot;
use crate::threads::event::{Operation, Touch};
use crate::threads::selection::Unordered;
use crate::threads::visible::Seen;
use incise_ir::{GlobalId, LocationId};
use std::rc::Rc;

/// The number of a thread on a path: the first is the one that the entry runs in.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ThreadId(pub u32);

impl ThreadId {
    /// The one that the entry runs in.
    pub const FIRST: Self = Self(0);
}

/// Whether it was decided that the running thread does the next thing that others can see.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It was not.
    Open,
    /// It was, and the thread has not done it yet.
    Given,
    /// The instruction that is being executed does it.
    Used,
}

/// A thread: its top frame and those below it, and what belongs to it alone.
#[derive(Clone)]
pub struct Thread {
    /// Which.
    pub id: ThreadId,
    /// The active function.
    pub frame: Frame,
    /// Those that wait for it.
    pub below: SharedList<Frame>,
    /// How many arbitrary values were made up in it: with its number they name such a value, whatever other threads do.
    pub(crate) made_up: u32,
    /// Where its own copies of thread-local variables are. The first has the variables themselves.
    pub(crate) locals: Rc<[(GlobalId, Slot)]>,
    /// What it is about to do, if it has stopped before something that others can see.
    pub(crate) pending: Option<Rc<Operation>>,
    /// What few threads have.
    pub(crate) own: Option<Rc<Own>>,
}

/// What few threads have.
#[derive(Clone, Default)]
pub(crate) struct Own {
    /// The threads that it has started.
    pub(crate) children: u32,
    /// The events that it has done.
    pub(crate) events: u32,
    /// The locks that it holds.
    pub(crate) held: Vec<Held>,
    /// Its values of keys.
    pub(crate) specific: Vec<(u32, Value)>,
    /// How often its values of keys were destroyed, and from which key on they are still to be.
    pub(crate) rounds: u32,
    pub(crate) next_key: u32,
    /// The thread and the number of its event that has woken it.
    pub(crate) woken: Option<(ThreadId, u32)>,
    /// How often it woke although nobody woke it.
    pub(crate) spurious: u32,
    /// Whether it is in the middle of a wait for a condition variable.
    pub(crate) sleeping: bool,
    /// The condition variable at which it sleeps.
    pub(crate) asleep: Option<(Slot, u64)>,
    /// How deep it is in blocks that are done in one step.
    pub(crate) atomic: u32,
    /// How much it has read in a loop in which it waited.
    pub(crate) ahead: u32,
    /// Where it was before that.
    pub(crate) home: Option<Rc<Seen>>,
    /// Whether fences came before what it does next.
    pub(crate) acquire_fence: bool,
    pub(crate) release_fence: bool,
    /// Whether it had arrived at a barrier when it stopped last, and in which round.
    pub(crate) arrived: Option<u32>,
    /// What it returned.
    pub(crate) result: Option<Value>,
    /// How many functions it has left to be called if it ends itself.
    pub(crate) cleanups: u32,
    /// Whether nobody will wait for its end.
    pub(crate) detached: bool,
}

/// A lock that a thread holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    pub(crate) slot: Slot,
    pub(crate) offset: u64,
    /// Whether it is only read under it.
    pub(crate) shared: bool,
    pub(crate) location: Option<LocationId>,
}

/// What there is besides threads where there are several, or where their functions are used.
#[derive(Clone, Default)]
pub(crate) struct Concurrency {
    /// What the running event has touched.
    pub(crate) touches: Vec<Touch>,
    /// What was done since, of which the order does not count.
    pub(crate) unordered: Vec<Unordered>,
    /// The threads whose ends come before the running event.
    pub(crate) joined: Vec<ThreadId>,
    /// The event that has woken the thread.
    pub(crate) woken: Option<(ThreadId, u32)>,
    /// The threads that the running event has started.
    pub(crate) created: Vec<ThreadId>,
    /// Which ways the decisions since the last visible operation went.
    pub(crate) ways: Vec<u32>,
    /// The threads that have ended: who waited for them is noted.
    pub(crate) over: Rc<Vec<Over>>,
    /// The keys: destructors, or none.
    pub(crate) keys: Rc<Vec<Option<Value>>>,
    /// Whether a thread runs alone to see if it waits: what it did so far.
    pub(crate) alone: Option<Box<crate::threads::visible::Alone>>,
    /// The next choice of an event, if it is prescribed.
    pub(crate) fences: (bool, bool),
}

/// A thread that has ended.
#[derive(Clone, Debug)]
pub(crate) struct Over {
    pub(crate) id: ThreadId,
    pub(crate) result: Value,
    /// Whether somebody waited for it.
    pub(crate) joined: bool,
    pub(crate) detached: bool,
}

impl Thread {
    /// The thread that an entry runs in.
    pub(crate) fn first(frame: Frame) -> Self {
        Self {
            id: ThreadId::FIRST,
            frame,
            below: SharedList::new(),
            made_up: 0,
            locals: Rc::new([]),
            pending: None,
            own: None,
        }
    }

    /// The name of the next arbitrary value.
    pub(crate) fn next_made_up(&mut self) -> String {
        self.made_up += 1;
        match self.id {
            ThreadId::FIRST => format!("{}{}", super::machine::MADE_UP, self.made_up),
            ThreadId(number) => format!("{}{number}.{}", super::machine::MADE_UP, self.made_up),
        }
    }

    /// What few threads have, to change it.
    pub(crate) fn own_mut(&mut self) -> &mut Own {
        Rc::make_mut(self.own.get_or_insert_default())
    }

    /// How deep it is in blocks that are done in one step.
    pub(crate) fn atomic(&self) -> u32 {
        self.own.as_ref().map_or(0, |own| own.atomic)
    }

    pub(crate) fn is_over(&self) -> bool {
        matches!(self.pending.as_deref(), Some(Operation::Over))
    }
}
