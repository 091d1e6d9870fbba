//! Threads of the program that is executed.

use crate::engine::list::SharedList;
use crate::engine::state::Frame;
use crate::memory::Slot;
use incise_ir::GlobalId;
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
}

impl Thread {
    /// The thread that an entry runs in.
    pub(crate) fn first(frame: Frame) -> Self {
        Self { id: ThreadId::FIRST, frame, below: SharedList::new(), made_up: 0, locals: Rc::new([]) }
    }

    /// The name of the next arbitrary value.
    pub(crate) fn next_made_up(&mut self) -> String {
        self.made_up += 1;
        match self.id {
            ThreadId::FIRST => format!("{}{}", super::machine::MADE_UP, self.made_up),
            ThreadId(number) => format!("{}{number}.{}", super::machine::MADE_UP, self.made_up),
        }
    }
}
