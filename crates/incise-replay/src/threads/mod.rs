//! Native runs of programs with threads, led along a schedule.
//!
//! A test of such a program has a schedule: the steps of its threads, each with its instruction. The program is built
//! from the text that was explored, with a call before each instruction at which a thread may do what others see
//! (`instrument`), and with a runtime that lets one thread go on at a time (`runtime/incise_schedule.c`) and has the
//! functions that synchronise them (`runtime/incise_sync.c`). The schedule becomes numbers that the runtime reads
//! (`numbers`); an instruction is known by its function and by its number among those that have a call (`sites`), so
//! that the text may have checks of sanitizers in between.
//!
//! Between two steps a thread runs alone, so that a run can only differ from the schedule if the program does something
//! else than the engine said. The runtime notices that at the next step, and the test disagrees.

mod instrument;
mod numbers;
mod sites;

pub(super) use instrument::{Extra, instrumented, with_insertions};
pub(super) use numbers::{extras, numbers};
pub(super) use sites::{counterpart, in_words};

/// What functions are called that `runtime/incise_sync.c` stands in for.
pub(super) const PREFIX: &str = "incise_threads_";

/// Those that are steps by themselves.
pub(super) const SYNCHRONISING: [&str; 60] = [
    "__VERIFIER_atomic_begin",
    "call_once",
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
    "pthread_cond_broadcast",
    "pthread_cond_clockwait",
    "pthread_cond_destroy",
    "pthread_cond_init",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_detach",
    "pthread_join",
    "pthread_mutex_clocklock",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_once",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
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
    "pthread_key_delete",
];

/// Those that are not, or that may be for what they write.
pub(super) const OTHERS: [&str; 53] = [
    "__VERIFIER_atomic_end",
    "clock_nanosleep",
    "nanosleep",
    "pthread_attr_destroy",
    "pthread_attr_init",
    "pthread_attr_setdetachstate",
    "pthread_attr_setguardsize",
    "pthread_attr_setinheritsched",
    "pthread_attr_setschedparam",
    "pthread_attr_setschedpolicy",
    "pthread_attr_setscope",
    "pthread_attr_setstacksize",
    "pthread_barrierattr_destroy",
    "pthread_barrierattr_init",
    "pthread_barrierattr_setpshared",
    "pthread_condattr_destroy",
    "pthread_condattr_init",
    "pthread_condattr_setclock",
    "pthread_condattr_setpshared",
    "pthread_create",
    "pthread_equal",
    "pthread_exit",
    "pthread_getspecific",
    "pthread_key_create",
    "pthread_mutexattr_destroy",
    "pthread_mutexattr_init",
    "pthread_mutexattr_setkind_np",
    "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_setpshared",
    "pthread_mutexattr_setrobust",
    "pthread_mutexattr_settype",
    "pthread_rwlockattr_destroy",
    "pthread_rwlockattr_init",
    "pthread_rwlockattr_setkind_np",
    "pthread_rwlockattr_setpshared",
    "pthread_self",
    "pthread_setcancelstate",
    "pthread_setconcurrency",
    "pthread_setname_np",
    "pthread_setspecific",
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
