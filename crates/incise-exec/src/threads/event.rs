//! What an event touches, and when two events are dependent.

use crate::engine::thread::ThreadId;
use crate::engine::value::Value;
use crate::memory::Slot;
use crate::outcome::{LimitKind, Outcome};
use crate::threads::objects::DESTROYED;
use incise_ir::{AtomicOrdering, LocationId};
use incise_solver::ExprId;
use std::rc::Rc;

/// How something is touched, as far as order matters.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Mode {
    /// It is only looked at.
    Read,
    /// It is changed.
    Write,
    /// One of several that read under a lock: they commute.
    Share,
    /// An arrival at a barrier, in a round.
    Arrive(u32),
    /// The same, where it is looked at who came last.
    ArriveInTurn(u32),
    /// Leaving a barrier after a round.
    Leave(u32),
    /// Going to sleep at a condition variable, or giving that up.
    Sleep,
}

impl Mode {
    /// Whether two such operations on one thing cannot change places.
    pub(crate) fn conflicts(self, other: Self) -> bool {
        match (self, other) {
            (Self::Read, Self::Read)
            | (Self::Share, Self::Share)
            | (Self::Sleep, Self::Sleep)
            | (Self::Leave(_), Self::Leave(_) | Self::Read)
            | (Self::Read, Self::Leave(_)) => false,
            (Self::Arrive(one), Self::Arrive(other)) => one != other,
            // Who comes for a later round does not care who has left.
            (Self::Arrive(arrived) | Self::ArriveInTurn(arrived), Self::Leave(left))
            | (Self::Leave(left), Self::Arrive(arrived) | Self::ArriveInTurn(arrived)) => arrived <= left,
            _ => true,
        }
    }

    /// The round of an arrival at a barrier.
    pub(crate) fn arrives(self) -> Option<u32> {
        match self {
            Self::Arrive(round) | Self::ArriveInTurn(round) => Some(round),
            _ => None,
        }
    }

    /// The same in another round.
    pub(crate) fn in_round(self, round: u32) -> Self {
        match self {
            Self::Arrive(_) => Self::Arrive(round),
            Self::ArriveInTurn(_) => Self::ArriveInTurn(round),
            other => other,
        }
    }
}

/// What is done, for people.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Memory is read.
    Read,
    /// Memory is written.
    Write,
    /// Memory is read and written in one step.
    Update,
    /// Memory is given back.
    Free,
    /// A lock is taken.
    Lock,
    /// A lock is taken together with others that read.
    ReadLock,
    /// A lock was not free, and nobody waited.
    TryLock,
    /// A lock is given back.
    Unlock,
    /// A thread goes to sleep.
    Wait,
    /// A sleeping thread goes on.
    Wake,
    /// A sleeping thread goes on although nobody woke it.
    SpuriousWake,
    /// A sleeping thread is woken.
    Signal,
    /// All sleeping threads are woken.
    Broadcast,
    /// A semaphore is counted down.
    Take,
    /// A semaphore is counted up.
    Post,
    /// A thread comes to a barrier.
    Arrive,
    /// A thread leaves a barrier.
    Leave,
    /// Something is done once.
    Once,
    /// Something is made ready or taken down.
    Prepare,
    /// A thread waits for the end of another.
    Join,
    /// The rest of the world is told something, or asked.
    Outside,
    /// Several things are done in one step.
    Block,
    /// The program ends.
    End,
}

impl Kind {
    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Update => "update",
            Self::Free => "free",
            Self::Lock => "lock",
            Self::ReadLock => "read-lock",
            Self::TryLock => "try-lock",
            Self::Unlock => "unlock",
            Self::Wait => "wait",
            Self::Wake => "wake",
            Self::SpuriousWake => "spurious-wake",
            Self::Signal => "signal",
            Self::Broadcast => "broadcast",
            Self::Take => "take",
            Self::Post => "post",
            Self::Arrive => "arrive",
            Self::Leave => "leave",
            Self::Once => "once",
            Self::Prepare => "prepare",
            Self::Join => "join",
            Self::Outside => "outside",
            Self::Block => "block",
            Self::End => "end",
        }
    }
}

/// How the new value of an atomic update comes from the old one, where that tells whether it writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exchange {
    /// It writes, whatever it finds.
    Always,
    /// It writes if it finds this.
    If(u64),
    /// It takes a lock if it finds it free.
    IfFree(Waits),
}

/// Something that an event touches.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    pub(crate) slot: Slot,
    /// Where in the object; `None` if it may be anywhere.
    pub(crate) offset: Option<u64>,
    /// Where that depends on inputs: on what.
    pub(crate) depends: Option<ExprId>,
    pub(crate) size: u64,
    pub(crate) mode: Mode,
    pub(crate) kind: Kind,
    /// How it is ordered, if it is atomic.
    pub(crate) ordering: Option<AtomicOrdering>,
    /// Whether it is synchronisation, and not data.
    pub(crate) synchronises: bool,
    /// Whether it is in a block that no other thread interrupts.
    pub(crate) in_block: bool,
    /// What was found and what was left, of memory as a number, of synchronisation as its state.
    pub(crate) before: Option<u64>,
    pub(crate) after: Option<u64>,
    pub(crate) exchange: Exchange,
    /// The value that was read or written, for people.
    pub(crate) value: Option<Value>,
    /// Where in the source.
    pub(crate) location: Option<LocationId>,
}

impl Touch {
    /// Whether two accesses have bytes in common.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.slot == other.slot
            && match (self.offset, other.offset) {
                (Some(one), Some(two)) => one < two + other.size && two < one + self.size,
                _ => true,
            }
    }

    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        self.mode.conflicts(other.mode) && self.overlaps(other)
    }

    /// Whether all bytes of another are among those of this one.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self.offset, other.offset) {
            (Some(one), Some(two)) => one <= two && one + self.size >= two + other.size,
            _ => false,
        }
    }

    pub(crate) fn is_atomic(&self) -> bool {
        self.synchronises || self.ordering.is_some()
    }

    pub(crate) fn acquires(&self) -> bool {
        use AtomicOrdering::{Acquire, AcquireRelease, SequentiallyConsistent};
        match self.synchronises {
            true => matches!(self.kind, Kind::Lock | Kind::ReadLock | Kind::Take | Kind::Leave | Kind::Once),
            false => matches!(self.ordering, Some(Acquire | AcquireRelease | SequentiallyConsistent)),
        }
    }

    pub(crate) fn releases(&self) -> bool {
        use AtomicOrdering::{AcquireRelease, Release, SequentiallyConsistent};
        match self.synchronises {
            true => matches!(self.kind, Kind::Unlock | Kind::Post | Kind::Arrive | Kind::Once),
            false => matches!(self.ordering, Some(Release | AcquireRelease | SequentiallyConsistent)),
        }
    }

    /// Whether what an earlier operation on the same synchronisation object releases comes before what follows this
    /// one. Those who read under a lock do not wait for each other, and who leaves a barrier does not wait for those
    /// who have come since.
    pub(crate) fn follows(&self, earlier: &Self) -> bool {
        match (self.mode, earlier.mode) {
            (Mode::Share, Mode::Share) => false,
            (Mode::Leave(left), Mode::Arrive(arrived) | Mode::ArriveInTurn(arrived)) => arrived <= left,
            _ => earlier.releases(),
        }
    }
}

/// The states of a synchronisation object in which an operation can go on.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Waits {
    /// A mutex that is free: the lower half of its state is zero.
    Mutex,
    /// Nobody writes: the upper half is zero.
    ReadLock,
    /// Nobody reads or writes.
    WriteLock,
    /// It is more than zero.
    Semaphore,
    /// A spin lock is free: it is one.
    Spin,
    /// The round of a barrier is over.
    Round(u32),
    /// Nobody is in the middle of it.
    Once,
}

impl Waits {
    /// Whether it can go on in a state. What is destroyed keeps nobody waiting: using it is an error.
    pub(crate) fn holds(self, word: u64) -> bool {
        let destroyed = word as u32 == DESTROYED;
        match self {
            Self::Mutex => word as u32 == 0,
            Self::ReadLock => word >> 32 == 0,
            Self::WriteLock => word == 0 || destroyed,
            Self::Semaphore => word as u32 > 0,
            Self::Spin => word as u32 == 1 || destroyed,
            Self::Round(round) => (word >> 32) as u32 != round,
            Self::Once => word as u32 != 1,
        }
    }
}

/// What an operation waits for.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// The state of an object: where it is.
    Object { slot: Slot, offset: u64, waits: Waits },
    /// To be woken, or for time to pass, and then for a mutex.
    Woken { slot: Slot, offset: u64, timed: bool },
    /// The end of a thread.
    Ended(ThreadId),
    /// That one of these is written by another thread.
    Change(Rc<[Touch]>),
}

/// What a thread is about to do.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// Something that it need not wait for.
    Now,
    /// It reads in a loop in which it may wait, but it need not now: what it looks at.
    Reading(Rc<[Touch]>),
    /// Something that it may have to wait for.
    When(Guard),
    /// The program ends.
    End(Outcome),
    /// The thread has ended.
    Over,
    /// What was assumed does not hold: it goes no further.
    Assumed,
    /// A limit holds it: it goes no further, and the path ends so when nobody else can go on.
    Held(LimitKind),
}

/// What an event does, without its order among others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    pub(crate) touches: Vec<Touch>,
    /// Whether the program ends with it.
    pub(crate) ends: bool,
    /// Whether a fence before it makes what it writes atomically release what was before.
    pub(crate) fenced: bool,
}

impl Footprint {
    /// Whether two events of different threads cannot change places.
    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        if self.ends || other.ends {
            return true;
        }
        self.touches.iter().any(|one| other.touches.iter().any(|two| one.conflicts(two)))
    }
}

/// Which ways the decisions of an event went, those with only one way included.
pub(crate) type Ways = Rc<[u32]>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commutes() {
        assert!(!Mode::Read.conflicts(Mode::Read) && Mode::Read.conflicts(Mode::Write));
        assert!(!Mode::Arrive(1).conflicts(Mode::Arrive(1)) && Mode::Arrive(1).conflicts(Mode::Arrive(2)));
        assert!(Mode::Arrive(1).conflicts(Mode::Leave(1)) && !Mode::Arrive(2).conflicts(Mode::Leave(1)));
        let in_turn = Mode::ArriveInTurn;
        assert!(in_turn(1).conflicts(in_turn(1)) && in_turn(1).conflicts(Mode::Arrive(1)));
        assert!(in_turn(1).conflicts(Mode::Leave(1)) && !Mode::Leave(1).conflicts(in_turn(2)));
        assert!(!Mode::Sleep.conflicts(Mode::Sleep) && Mode::Sleep.conflicts(Mode::Read));
        assert!(!Mode::Share.conflicts(Mode::Share) && Mode::Share.conflicts(Mode::Write));
    }
}
