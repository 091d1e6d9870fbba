//! The functions of `pthread.h`, `semaphore.h` and `threads.h`, and the conventions for blocks that are done in one
//! step: which there are, and what they are to those who look at them from outside. What each does is told by who
//! executes them.

/// What a function for threads does, as far as others have to know.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ThreadFunction {
    /// It locks, unlocks, waits or wakes, and finds what it is given initialised, if by zeros.
    Locks,
    /// It synchronises in another way, or makes and takes down what synchronises.
    Synchronises,
    /// It does neither; it may write what it is asked for.
    Other,
}

impl ThreadFunction {
    /// What the function of that name does, if it is one for threads.
    pub fn named(name: &str) -> Option<Self> {
        let sets =
            [(&LOCKING[..], Self::Locks), (&SYNCHRONISING, Self::Synchronises), (&OTHERS, Self::Other)];
        sets.into_iter().find_map(|(names, what)| names.binary_search(&name).is_ok().then_some(what))
    }

    /// The names of all.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LOCKING.into_iter().chain(SYNCHRONISING).chain(OTHERS)
    }

    /// Whether a call is a step of its thread by itself, whatever it touches.
    pub fn is_step(self) -> bool {
        self != Self::Other
    }
}

/// In the order of their names, as all of these lists.
const LOCKING: [&str; 21] = [
    "call_once",
    "pthread_cond_broadcast",
    "pthread_cond_clockwait",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_mutex_clocklock",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_once",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
];

/// The other steps.
const SYNCHRONISING: [&str; 41] = [
    "__VERIFIER_atomic_begin",
    "cnd_broadcast",
    "cnd_destroy",
    "cnd_init",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "mtx_destroy",
    "mtx_init",
    "mtx_lock",
    "mtx_timedlock",
    "mtx_trylock",
    "mtx_unlock",
    "pthread_barrier_destroy",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_detach",
    "pthread_join",
    "pthread_key_delete",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_spin_destroy",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "sem_clockwait",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_timedwait",
    "sem_trywait",
    "sem_wait",
    "thrd_detach",
    "thrd_join",
    "tss_delete",
];

/// Those that are no steps, or only for what they write.
const OTHERS: [&str; 76] = [
    "__VERIFIER_atomic_end",
    "clock_nanosleep",
    "nanosleep",
    "pthread_atfork",
    "pthread_attr_destroy",
    "pthread_attr_getdetachstate",
    "pthread_attr_getguardsize",
    "pthread_attr_getinheritsched",
    "pthread_attr_getschedparam",
    "pthread_attr_getschedpolicy",
    "pthread_attr_getscope",
    "pthread_attr_getstacksize",
    "pthread_attr_init",
    "pthread_attr_setaffinity_np",
    "pthread_attr_setdetachstate",
    "pthread_attr_setguardsize",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setscope",
    "pthread_attr_setstacksize",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_getpshared",
    "pthread_barrierattr_init",
    "pthread_barrierattr_setpshared",
    "pthread_condattr_destroy",
    "pthread_condattr_getclock",
    "pthread_condattr_getpshared",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_create",
    "pthread_equal",
    "pthread_exit",
    "pthread_getspecific",
    "pthread_key_create",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_getprotocol",
    "pthread_mutexattr_getpshared",
    "pthread_mutexattr_getrobust",
    "pthread_mutexattr_gettype",
    "pthread_mutexattr_init",
    "pthread_mutexattr_setkind_np",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_settype",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_getkind_np",
    "pthread_rwlockattr_getpshared",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_setkind_np",
    "pthread_rwlockattr_setpshared",
    "pthread_self",
    "pthread_setaffinity_np",
    "pthread_setcancelstate",
    "pthread_setcanceltype",
    "pthread_setconcurrency",
    "pthread_setname_np",
    "pthread_setschedparam",
    "pthread_setschedprio",
    "pthread_setspecific",
    "pthread_testcancel",
    "pthread_yield",
    "sched_yield",
    "sleep",
    "thrd_create",
    "thrd_current",
    "thrd_equal",
    "thrd_exit",
    "thrd_sleep",
    "thrd_yield",
    "tss_create",
    "tss_get",
    "tss_set",
    "usleep",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_is_found_by_its_name_and_stands_once() {
        let mut names: Vec<&str> = ThreadFunction::names().collect();
        assert!(names.iter().all(|name| ThreadFunction::named(name).is_some()));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn what_functions_do() {
        assert_eq!(ThreadFunction::named("pthread_mutex_lock"), Some(ThreadFunction::Locks));
        assert_eq!(ThreadFunction::named("sem_wait"), Some(ThreadFunction::Synchronises));
        assert_eq!(ThreadFunction::named("pthread_self"), Some(ThreadFunction::Other));
        assert_eq!(ThreadFunction::named("printf"), None);
    }
}
