//! What the functions of `pthread.h`, `semaphore.h` and `threads.h` do to their objects, and how they order threads.
//!
//! Locks, condition variables, semaphores and barriers are objects that are read and written. Starting a thread is a
//! call of its function as far as data goes: what was written before is there for the thread, and what the thread
//! writes may be there for whatever follows. What runs beside each other is told in `threads`.

use incise_ir::{Call, Callee, Program};

/// How a function orders threads.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Synchronisation {
    /// It starts a thread.
    Starts,
    /// It waits for the end of a thread.
    Joins,
    /// It takes the lock that its first argument points to.
    Acquires,
    /// It gives that lock back.
    Releases,
    /// What follows it waits for something that others do.
    Waits,
    /// It only reads or changes the state of an object.
    Announces,
    /// A block begins that is done in one step.
    Begins,
    /// It ends.
    Ends,
}

/// What a function touches: arguments that are read and written, and those that are only read or only written, each
/// with its size.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct Touched {
    pub(crate) both: &'static [(usize, u64)],
    pub(crate) read: &'static [(usize, u64)],
    pub(crate) written: &'static [(usize, u64)],
    /// Whether it may fail, block, or end the thread.
    pub(crate) may_stop: bool,
}

/// How a function of that name orders threads.
pub(crate) fn synchronisation(name: &str) -> Option<Synchronisation> {
    use Synchronisation::*;
    Some(match name {
        "pthread_create" | "thrd_create" => Starts,
        "pthread_join" | "thrd_join" => Joins,
        "__VERIFIER_atomic_begin" => Begins,
        "__VERIFIER_atomic_end" => Ends,
        "__VERIFIER_assume" | "klee_assume" => Waits,
        "pthread_cond_wait"
        | "pthread_cond_timedwait"
        | "pthread_cond_clockwait"
        | "cnd_wait"
        | "cnd_timedwait"
        | "pthread_barrier_wait"
        | "sem_wait"
        | "sem_trywait"
        | "sem_timedwait"
        | "sem_clockwait"
        | "pthread_once"
        | "call_once" => Waits,
        _ => match object(name)?.1 {
            "lock" | "trylock" | "timedlock" | "clocklock" | "rdlock" | "wrlock" | "tryrdlock"
            | "trywrlock" | "timedrdlock" | "timedwrlock" | "clockrdlock" | "clockwrlock" => Acquires,
            "unlock" => Releases,
            _ => Announces,
        },
    })
}

/// The size of the object that a function is for, and what it does with it.
fn object(name: &str) -> Option<(u64, &str)> {
    const KINDS: [(&str, u64); 8] = [
        ("pthread_mutex_", 40),
        ("mtx_", 40),
        ("pthread_rwlock_", 56),
        ("pthread_spin_", 4),
        ("pthread_cond_", 48),
        ("cnd_", 48),
        ("pthread_barrier_", 32),
        ("sem_", 32),
    ];
    const KNOWN: [&str; 25] = [
        "init",
        "destroy",
        "lock",
        "trylock",
        "timedlock",
        "clocklock",
        "unlock",
        "rdlock",
        "wrlock",
        "tryrdlock",
        "trywrlock",
        "timedrdlock",
        "timedwrlock",
        "clockrdlock",
        "clockwrlock",
        "wait",
        "timedwait",
        "clockwait",
        "trywait",
        "signal",
        "broadcast",
        "post",
        "getvalue",
        "consistent",
        "getprioceiling",
    ];
    let (prefix, size) = KINDS.into_iter().find(|(prefix, _)| name.starts_with(prefix))?;
    let what = &name[prefix.len()..];
    KNOWN.contains(&what).then_some((size, what))
}

/// What a function of that name touches; `None` if it is none of those for threads.
pub(crate) fn touched(name: &str) -> Option<Touched> {
    let stops = Touched { may_stop: true, ..Touched::default() };
    Some(match name {
        "pthread_create" => Touched { written: &[(0, 8)], read: &[(1, 56)], ..stops },
        "thrd_create" => Touched { written: &[(0, 8)], ..stops },
        "pthread_join" => Touched { written: &[(1, 8)], ..stops },
        "thrd_join" => Touched { written: &[(1, 4)], ..stops },
        "pthread_exit" | "thrd_exit" => stops,
        "pthread_detach" | "thrd_detach" | "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => stops,
        "pthread_self" | "thrd_current" | "pthread_equal" | "thrd_equal" | "sched_yield"
        | "pthread_yield" | "thrd_yield" | "usleep" | "sleep" => Touched::default(),
        "nanosleep" | "thrd_sleep" => Touched { read: &[(0, 16)], written: &[(1, 16)], ..stops },
        "pthread_once" | "call_once" => Touched { both: &[(0, 4)], ..stops },
        "pthread_cond_wait" | "cnd_wait" => Touched { both: &[(0, 48), (1, 40)], ..stops },
        "pthread_cond_timedwait" | "cnd_timedwait" => {
            Touched { both: &[(0, 48), (1, 40)], read: &[(2, 16)], ..stops }
        }
        "pthread_cond_clockwait" => Touched { both: &[(0, 48), (1, 40)], read: &[(3, 16)], ..stops },
        "pthread_mutex_timedlock" | "mtx_timedlock" => {
            Touched { both: &[(0, 40)], read: &[(1, 16)], ..stops }
        }
        "pthread_mutex_init" => Touched { both: &[(0, 40)], read: &[(1, 4)], ..stops },
        "sem_timedwait" => Touched { both: &[(0, 32)], read: &[(1, 16)], ..stops },
        "sem_getvalue" => Touched { read: &[(0, 32)], written: &[(1, 4)], ..stops },
        "pthread_mutexattr_init" | "pthread_mutexattr_destroy" | "pthread_mutexattr_settype" => {
            Touched { both: &[(0, 4)], ..stops }
        }
        "pthread_attr_init"
        | "pthread_attr_destroy"
        | "pthread_attr_setdetachstate"
        | "pthread_attr_setstacksize" => Touched { both: &[(0, 56)], ..stops },
        _ => match object(name)? {
            (4, _) => Touched { both: &[(0, 4)], ..stops },
            (32, "clockwait") => Touched { both: &[(0, 32)], read: &[(2, 16)], ..stops },
            (32, _) => Touched { both: &[(0, 32)], ..stops },
            (40, "clocklock") => Touched { both: &[(0, 40)], read: &[(2, 16)], ..stops },
            (40, _) => Touched { both: &[(0, 40)], ..stops },
            (48, _) => Touched { both: &[(0, 48)], ..stops },
            (_, "timedrdlock" | "timedwrlock") => Touched { both: &[(0, 56)], read: &[(1, 16)], ..stops },
            (_, "clockrdlock" | "clockwrlock") => Touched { both: &[(0, 56)], read: &[(2, 16)], ..stops },
            _ => Touched { both: &[(0, 56)], ..stops },
        },
    })
}

/// Whether a function of that name calls a function that it is given, in a new thread or at once.
pub(crate) fn calls_argument(name: &str) -> Option<(usize, Option<usize>)> {
    Some(match name {
        "pthread_create" => (2, Some(3)),
        "thrd_create" => (1, Some(2)),
        "pthread_once" | "call_once" => (1, None),
        _ => return None,
    })
}

/// The name of the function that a call means by its name, if it has no body.
pub(crate) fn external<'p>(program: &'p Program, call: &Call) -> Option<&'p str> {
    let Callee::Direct(callee) = call.callee else { return None };
    let function = &program.functions[callee];
    (!function.is_definition()).then_some(function.name.as_str())
}

/// The call that a call makes of a function that it is given.
pub(crate) fn inner_call(program: &Program, call: &Call) -> Option<Call> {
    let (function, argument) = calls_argument(external(program, call)?)?;
    let function = *call.arguments.get(function)?;
    let arguments = argument.map(|index| call.arguments.get(index).copied());
    Some(Call {
        callee: Callee::Indirect(function),
        arguments: match arguments {
            Some(Some(argument)) => Box::new([argument]),
            _ => Box::new([]),
        },
        by_value: Box::new([]),
        result: call.result,
    })
}

/// How a call orders threads.
pub(crate) fn of_call(program: &Program, call: &Call) -> Option<Synchronisation> {
    synchronisation(external(program, call)?)
}
