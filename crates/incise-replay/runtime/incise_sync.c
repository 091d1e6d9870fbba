/*
 * The functions of pthread.h, semaphore.h and threads.h where a run is led along a schedule: what POSIX says that they
 * do, one at a time, and each of them a step. The state of an object is in its bytes, as the engine has it
 * (`docs/internals/threads.md`), so that a test can compare them.
 *
 * `incise replay` renames the calls of the program.
 */
#define _GNU_SOURCE
#include "incise_threads.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define T(name) incise_threads_##name
#define SAME(name, other, ...) int T(name) __VA_ARGS__ __attribute__((alias("incise_threads_" #other)))

enum { RECURSIVE = 1, CHECKED = 2, DETACHED = 1 };
enum { THRD_BUSY = 1, THRD_ERROR = 2, THRD_TIMEDOUT = 4 };
static const u32 DESTROYED = UINT32_MAX;

struct mutex { u32 locked, count, owner, unused, kind, rest[5]; };
struct rwlock { u32 readers, writer, rest[12]; };
struct barrier { u32 count, arrived, round, rest[5]; };

static __attribute__((noreturn)) void misuse(const char *what) { incise_reported(what); }
static u32 own(void) { return incise_this_thread()->number + 1; }

#ifdef INCISE_SANITIZED
extern void *__asan_region_is_poisoned(void *start, unsigned long size);
extern void __asan_report_load4(void *address);
static int is_gone(const void *object) { return object && __asan_region_is_poisoned((void *)object, 4) != 0; }
/* The library itself is not looked at by a sanitizer, and neither is this. */
static void look_at(const void *object) {
    if (!is_gone(object)) return;
    incise_end_turn();
    __asan_report_load4((void *)object);
}
#else
static int is_gone(const void *object) { return (void)object, 0; }
/* What is not there is accessed where the thread is, and not where somebody looks if it can go on. */
static void look_at(const void *object) {
    if ((u64)object >= 4096) return;
    incise_end_turn();
    *(volatile const char *)object;
}
#endif

/* An operation on an object, which may have gone while the thread waited. */
static void turn(enum guard guard, void *object, u64 extra) {
    look_at(object);
    incise_turn(guard, object, extra);
    look_at(object);
}

/* One that fails where another would wait. */
static void attempt(enum guard guard, void *object) {
    look_at(object);
    incise_attempt(guard, object);
    look_at(object);
}

static u32 there(u32 state) {
    if (state == DESTROYED) misuse("not-initialised: an object is used after it was destroyed");
    return state;
}

/* Whether a thread need not wait. */
int incise_can_go_on(const struct thread *thread) {
    const struct mutex *mutex = thread->object;
    const struct rwlock *lock = thread->object;
    const struct barrier *barrier = thread->object;
    const u32 *word = thread->object;
    const struct thread *other;
    if (thread->guard != ENDED && is_gone(thread->object)) return 1;
    switch (thread->guard) {
        case MUTEX:
            return !mutex->locked || (mutex->owner == thread->number + 1 && (mutex->kind & 3) != 0 && (mutex->kind & 3) != 3);
        case READ_LOCK: return lock->writer == 0;
        case WRITE_LOCK: return lock->writer == 0 && (lock->readers == 0 || lock->readers == DESTROYED);
        case SEMAPHORE: return *word > 0;
        case SPIN: return *word == 1 || *word == DESTROYED;
        case ROUND: return barrier->round != (u32)thread->extra;
        case ONCE: return *word != 1;
        case WOKEN: return !thread->asleep && !mutex->locked;
        case WOKEN_OR_LATE: return !mutex->locked;
        case ENDED: return (other = incise_thread(thread->extra)) != 0 && other->over;
        default: return 1;
    }
}

static void hold(void *object, int shared) {
    struct thread *thread = incise_this_thread();
    if (thread->held_count == MOST_HELD) incise_diverged("a thread holds too many locks");
    thread->held[thread->held_count++] = (struct held){object, shared};
}

/* Whether this thread held it: 0 not, 1 alone, 2 with others. */
static int let_go(void *object) {
    struct thread *thread = incise_this_thread();
    for (u32 i = thread->held_count; i-- > 0;)
        if (thread->held[i].object == object) {
            int shared = thread->held[i].shared;
            memmove(thread->held + i, thread->held + i + 1, (--thread->held_count - i) * sizeof *thread->held);
            return shared ? 2 : 1;
        }
    return 0;
}

/* ---- Threads ---------------------------------------------------------------------------------- */

static int start(u64 *handle, void *(*plain)(void *), int (*c11)(void *), void *argument, int detached) {
    struct thread *made = calloc(1, sizeof *made);
    made->start = plain;
    made->start_c11 = c11;
    made->argument = argument;
    made->detached = (unsigned char)detached;
    *handle = (u64)incise_start_thread(made) + 1;
    return 0;
}

int T(pthread_create)(u64 *handle, const u32 *attributes, void *(*function)(void *), void *argument) {
    return start(handle, function, 0, argument, attributes && *attributes == DETACHED);
}
int T(thrd_create)(u64 *handle, int (*function)(void *), void *argument) { return start(handle, 0, function, argument, 0); }

static struct thread *joined(u64 handle) {
    struct thread *other = incise_thread(handle - 1);
    if (!other) misuse("bad-join: a thread is waited for that there is not");
    if (other == incise_this_thread()) return 0;
    if (other->detached) misuse("bad-join: a detached thread is waited for");
    if (other->over && other->joined) misuse("bad-join: a thread is waited for twice");
    /* The last thread takes one step to wait for all that have ended. */
    struct thread *thread = incise_this_thread();
    int alone = 1;
    for (u32 i = 0; i < incise_thread_count(); i++) alone &= incise_thread_at(i) == thread || incise_thread_at(i)->over;
    if (thread->joining && alone && other->over && !thread->atomic) return other;
    incise_turn(ENDED, 0, other->number);
    thread->joining = 1;
    return other;
}

int T(pthread_join)(u64 handle, void **result) {
    struct thread *other = joined(handle);
    if (!other) return EDEADLK;
    if (result) *result = other->result;
    other->joined = 1;
    incise_watch_if_needed();
    return 0;
}

int T(thrd_join)(u64 handle, int *result) {
    struct thread *other = joined(handle);
    if (!other) return EDEADLK;
    if (result) *result = (int)(intptr_t)other->result;
    other->joined = 1;
    incise_watch_if_needed();
    return 0;
}

int T(pthread_detach)(u64 handle) {
    struct thread *other = incise_thread(handle - 1);
    if (!other) return ESRCH;
    incise_turn(FREE, 0, 0);
    if (other->over && other->joined) misuse("bad-join: a thread is detached that was waited for or detached before");
    if (other->detached) misuse("bad-join: a thread is detached twice");
    other->detached = 1;
    return 0;
}
SAME(thrd_detach, pthread_detach, (u64 handle));

void T(pthread_exit)(void *result) { incise_thread_over(result); }
void T(thrd_exit)(int result) { incise_thread_over((void *)(intptr_t)result); }
u64 T(pthread_self)(void) { return own(); }
u64 T(thrd_current)(void) { return own(); }
int T(pthread_equal)(u64 one, u64 two) { return one == two; }
int T(thrd_equal)(u64 one, u64 two) { return one == two; }

struct attributes { u32 detached, scope, policy, inherited, priority, unused; u64 stack, guard, rest[2]; };

int T(pthread_attr_init)(struct attributes *attributes) {
    memset(attributes, 0, sizeof *attributes);
    attributes->stack = 8 << 20;
    attributes->guard = 4096;
    return 0;
}
static int give(int *to, u32 number) {
    *to = (int)number;
    return 0;
}
static int set_to(u32 *attribute, int wanted, int most) {
    if (wanted < 0 || wanted > most) return EINVAL;
    *attribute = (u32)wanted;
    return 0;
}
#define ATTRIBUTE(name, field, most)                                                                                  \
    int T(pthread_attr_set##name)(struct attributes *its, int wanted) { return set_to(&its->field, wanted, most); }   \
    int T(pthread_attr_get##name)(const struct attributes *its, int *to) { return give(to, its->field); }
ATTRIBUTE(detachstate, detached, 1)
ATTRIBUTE(scope, scope, 1)
ATTRIBUTE(schedpolicy, policy, 2)
ATTRIBUTE(inheritsched, inherited, 1)
int T(pthread_attr_setstacksize)(struct attributes *its, u64 size) {
    if (size < 16384) return EINVAL;
    its->stack = size;
    return 0;
}
int T(pthread_attr_getstacksize)(const struct attributes *its, u64 *size) { return *size = its->stack, 0; }
int T(pthread_attr_setguardsize)(struct attributes *its, u64 size) { return its->guard = size, 0; }
int T(pthread_attr_getguardsize)(const struct attributes *its, u64 *size) { return *size = its->guard, 0; }
int T(pthread_attr_setschedparam)(struct attributes *its, const u32 *priority) { return its->priority = *priority, 0; }
int T(pthread_attr_getschedparam)(const struct attributes *its, u32 *priority) { return *priority = its->priority, 0; }

/* Attributes of others that make no difference here. */
static int zero(const void *attributes, int *to) { return (void)attributes, give(to, 0); }
#define ZERO(name) \
    int T(name)(const void *attributes, int *to) { return zero(attributes, to); }
ZERO(pthread_mutexattr_getpshared)
ZERO(pthread_mutexattr_getprotocol)
ZERO(pthread_mutexattr_getrobust)
ZERO(pthread_condattr_getpshared)
ZERO(pthread_rwlockattr_getpshared)
ZERO(pthread_barrierattr_getpshared)

/* ---- Mutexes ---------------------------------------------------------------------------------- */

static int prepare(struct mutex *mutex, u32 kind) {
    turn(FREE, mutex, 0);
    struct thread *owner = mutex->locked == 1 && mutex->owner ? incise_thread((u64)mutex->owner - 1) : 0;
    if (owner && !owner->over) misuse("destroyed-in-use: a mutex is initialised while it is locked");
    memset(mutex, 0, sizeof *mutex);
    mutex->kind = kind;
    return 0;
}
int T(pthread_mutex_init)(struct mutex *mutex, const u32 *kind) { return prepare(mutex, kind ? *kind : 0); }
int T(mtx_init)(struct mutex *mutex, int kind) { return prepare(mutex, (u32)kind & RECURSIVE); }

int T(pthread_mutex_destroy)(struct mutex *mutex) {
    turn(FREE, mutex, 0);
    there(mutex->kind);
    if (mutex->locked) misuse("destroyed-in-use: a mutex is destroyed while it is locked");
    mutex->kind = DESTROYED;
    return 0;
}
void T(mtx_destroy)(struct mutex *mutex) { T(pthread_mutex_destroy)(mutex); }

static void take(struct mutex *mutex) {
    mutex->locked = 1;
    mutex->count = 1;
    mutex->owner = own();
    hold(mutex, 0);
}

static int again(struct mutex *mutex) {
    if ((mutex->kind & 3) == CHECKED) return EDEADLK;
    mutex->count++;
    return 0;
}

int T(pthread_mutex_lock)(struct mutex *mutex) {
    look_at(mutex);
    there(mutex->kind);
    turn(MUTEX, mutex, 0);
    there(mutex->kind);
    if (mutex->locked) return again(mutex);
    take(mutex);
    return 0;
}
SAME(mtx_lock, pthread_mutex_lock, (struct mutex * mutex));

static int try_lock(struct mutex *mutex, int busy) {
    attempt(MUTEX, mutex);
    there(mutex->kind);
    if (mutex->locked) return mutex->owner == own() && (mutex->kind & 3) == RECURSIVE ? again(mutex) : busy;
    take(mutex);
    return 0;
}
int T(pthread_mutex_trylock)(struct mutex *mutex) { return try_lock(mutex, EBUSY); }
int T(mtx_trylock)(struct mutex *mutex) { return try_lock(mutex, THRD_BUSY); }
int T(pthread_mutex_timedlock)(struct mutex *mutex, const void *time) { return (void)time, try_lock(mutex, ETIMEDOUT); }
int T(pthread_mutex_clocklock)(struct mutex *mutex, int clock, const void *time) {
    (void)clock, (void)time;
    return try_lock(mutex, ETIMEDOUT);
}
int T(mtx_timedlock)(struct mutex *mutex, const void *time) { return (void)time, try_lock(mutex, THRD_TIMEDOUT); }

static void release(struct mutex *mutex) {
    mutex->count = (mutex->count ? mutex->count : 1) - 1;
    if (mutex->count) return;
    mutex->locked = mutex->owner = 0;
    let_go(mutex);
}

static int unlock(struct mutex *mutex, int refused) {
    turn(FREE, mutex, 0);
    there(mutex->kind);
    if (!mutex->locked || mutex->owner != own()) {
        if ((mutex->kind & 3) == CHECKED) return refused;
        misuse(mutex->locked ? "bad-unlock: unlock of a mutex that another thread holds"
                             : "bad-unlock: unlock of a mutex that is not locked");
    }
    release(mutex);
    return 0;
}
int T(pthread_mutex_unlock)(struct mutex *mutex) { return unlock(mutex, EPERM); }
int T(mtx_unlock)(struct mutex *mutex) { return unlock(mutex, THRD_ERROR); }

int T(pthread_mutexattr_init)(u32 *kind) {
    *kind = 0;
    return 0;
}
int T(pthread_mutexattr_settype)(u32 *kind, int wanted) {
    if (wanted < 0 || wanted > 3) return EINVAL;
    *kind = (u32)wanted;
    return 0;
}
int T(pthread_mutexattr_gettype)(const u32 *kind, int *to) { return give(to, *kind); }
int T(pthread_condattr_init)(u32 *clock) { return *clock = 0; }
int T(pthread_condattr_setclock)(u32 *clock, int wanted) { return set_to(clock, wanted, 1); }
int T(pthread_condattr_getclock)(const u32 *clock, int *to) { return give(to, *clock); }
int T(pthread_rwlockattr_init)(u32 *kind) { return *kind = 0; }
int T(pthread_rwlockattr_setkind_np)(u32 *kind, int wanted) { return set_to(kind, wanted, 2); }
int T(pthread_rwlockattr_getkind_np)(const u32 *kind, int *to) { return give(to, *kind); }
SAME(pthread_mutexattr_setkind_np, pthread_mutexattr_settype, (u32 * kind, int wanted));

/* ---- Read-write locks ------------------------------------------------------------------------- */

int T(pthread_rwlock_init)(struct rwlock *lock, const void *attributes) {
    (void)attributes;
    turn(FREE, lock, 0);
    memset(lock, 0, sizeof *lock);
    return 0;
}
int T(pthread_rwlock_destroy)(struct rwlock *lock) {
    turn(FREE, lock, 0);
    if (there(lock->readers) || lock->writer) misuse("destroyed-in-use: a lock is destroyed while it is locked");
    lock->readers = DESTROYED;
    return 0;
}
static void take_lock(struct rwlock *lock, int shared) {
    if (shared) lock->readers++;
    else lock->writer = own();
    hold(lock, shared);
}
static int lock_it(struct rwlock *lock, int shared) {
    look_at(lock);
    there(lock->readers);
    turn(shared ? READ_LOCK : WRITE_LOCK, lock, 0);
    there(lock->readers);
    take_lock(lock, shared);
    return 0;
}
static int try_it(struct rwlock *lock, int shared, int busy) {
    attempt(shared ? READ_LOCK : WRITE_LOCK, lock);
    there(lock->readers);
    if (lock->writer || (!shared && lock->readers)) return busy;
    take_lock(lock, shared);
    return 0;
}
int T(pthread_rwlock_rdlock)(struct rwlock *lock) { return lock_it(lock, 1); }
int T(pthread_rwlock_wrlock)(struct rwlock *lock) { return lock_it(lock, 0); }
int T(pthread_rwlock_tryrdlock)(struct rwlock *lock) { return try_it(lock, 1, EBUSY); }
int T(pthread_rwlock_trywrlock)(struct rwlock *lock) { return try_it(lock, 0, EBUSY); }
int T(pthread_rwlock_timedrdlock)(struct rwlock *lock, const void *time) { return (void)time, try_it(lock, 1, ETIMEDOUT); }
int T(pthread_rwlock_timedwrlock)(struct rwlock *lock, const void *time) { return (void)time, try_it(lock, 0, ETIMEDOUT); }
int T(pthread_rwlock_clockrdlock)(struct rwlock *lock, int clock, const void *time) {
    (void)clock, (void)time;
    return try_it(lock, 1, ETIMEDOUT);
}
int T(pthread_rwlock_clockwrlock)(struct rwlock *lock, int clock, const void *time) {
    (void)clock, (void)time;
    return try_it(lock, 0, ETIMEDOUT);
}
int T(pthread_rwlock_unlock)(struct rwlock *lock) {
    turn(FREE, lock, 0);
    there(lock->readers);
    switch (let_go(lock)) {
        case 0: misuse("bad-unlock: unlock of a lock that the thread does not hold");
        case 1: lock->writer = 0; break;
        default: lock->readers -= lock->readers > 0;
    }
    return 0;
}

/* ---- Condition variables ---------------------------------------------------------------------- */

int T(pthread_cond_init)(u32 *condition, const void *attributes) {
    (void)attributes;
    turn(FREE, condition, 0);
    memset(condition, 0, 48);
    return 0;
}
int T(cnd_init)(u32 *condition) { return T(pthread_cond_init)(condition, 0); }

static u32 sleepers(void *condition) {
    u32 count = 0;
    for (u32 i = 0; i < incise_thread_count(); i++) count += incise_thread_at(i)->asleep == condition;
    return count;
}
int T(pthread_cond_destroy)(u32 *condition) {
    turn(FREE, condition, 0);
    there(*condition);
    if (sleepers(condition)) misuse("destroyed-in-use: a condition variable is destroyed while a thread waits for it");
    *condition = DESTROYED;
    return 0;
}
void T(cnd_destroy)(u32 *condition) { T(pthread_cond_destroy)(condition); }

static int sleep_at(u32 *condition, struct mutex *mutex, int timed, int late) {
    struct thread *thread = incise_this_thread();
    look_at(condition);
    look_at(mutex);
    there(mutex->kind);
    turn(FREE, condition, 0);
    there(*condition);
    if (mutex->locked != 1 || mutex->owner != own())
        misuse("bad-unlock: a wait with a mutex that the thread does not hold");
    if (!incise_watched && timed) return late;
    release(mutex);
    thread->asleep = condition;
    turn(timed ? WOKEN_OR_LATE : WOKEN, mutex, 0);
    int timed_out = thread->asleep != 0;
    thread->asleep = 0;
    take(mutex);
    return timed_out ? late : 0;
}
int T(pthread_cond_wait)(u32 *condition, struct mutex *mutex) { return sleep_at(condition, mutex, 0, 0); }
SAME(cnd_wait, pthread_cond_wait, (u32 * condition, struct mutex *mutex));
int T(pthread_cond_timedwait)(u32 *condition, struct mutex *mutex, const void *time) {
    return (void)time, sleep_at(condition, mutex, 1, ETIMEDOUT);
}
int T(pthread_cond_clockwait)(u32 *condition, struct mutex *mutex, int clock, const void *time) {
    (void)clock, (void)time;
    return sleep_at(condition, mutex, 1, ETIMEDOUT);
}
int T(cnd_timedwait)(u32 *condition, struct mutex *mutex, const void *time) {
    return (void)time, sleep_at(condition, mutex, 1, THRD_TIMEDOUT);
}

/* Whom it wakes is told by the schedule; where it is not, nobody has gone on who could have been woken. */
int T(pthread_cond_signal)(u32 *condition) {
    turn(FREE, condition, 0);
    there(*condition);
    if (!sleepers(condition)) return 0;
    u64 count;
    const u64 *woken = incise_wakes(&count);
    struct thread *chosen = count == 1 ? incise_thread(*woken) : 0;
    if (count == 1 && (!chosen || chosen->asleep != condition)) incise_diverged("a thread is to be woken that does not sleep");
    for (u32 i = 0; !chosen && i < incise_thread_count(); i++)
        if (incise_thread_at(i)->asleep == condition) chosen = incise_thread_at(i);
    chosen->asleep = 0;
    return 0;
}
SAME(cnd_signal, pthread_cond_signal, (u32 * condition));
int T(pthread_cond_broadcast)(u32 *condition) {
    turn(FREE, condition, 0);
    there(*condition);
    for (u32 i = 0; i < incise_thread_count(); i++)
        if (incise_thread_at(i)->asleep == condition) incise_thread_at(i)->asleep = 0;
    return 0;
}
SAME(cnd_broadcast, pthread_cond_broadcast, (u32 * condition));

/* ---- Barriers --------------------------------------------------------------------------------- */

int T(pthread_barrier_init)(struct barrier *barrier, const void *attributes, unsigned count) {
    (void)attributes;
    if (!count) return EINVAL;
    turn(FREE, barrier, 0);
    memset(barrier, 0, sizeof *barrier);
    barrier->count = count;
    return 0;
}
int T(pthread_barrier_destroy)(struct barrier *barrier) {
    turn(FREE, barrier, 0);
    there(barrier->count);
    if (barrier->arrived) misuse("destroyed-in-use: a barrier is destroyed while a thread waits for it");
    barrier->count = DESTROYED;
    return 0;
}
int T(pthread_barrier_wait)(struct barrier *barrier) {
    turn(FREE, barrier, 0);
    if (!there(barrier->count)) misuse("not-initialised: a barrier is used before it was initialised");
    u32 round = barrier->round;
    int last = ++barrier->arrived == barrier->count;
    if (last) {
        barrier->arrived = 0;
        barrier->round = (round + 1) & ~(1u << 31);
    }
    if (!incise_watched && last) return -1;
    turn(ROUND, barrier, round);
    return last ? -1 : 0;
}

/* ---- Semaphores and spin locks ---------------------------------------------------------------- */

int T(sem_init)(u32 *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > INT32_MAX) {
        errno = EINVAL;
        return -1;
    }
    turn(FREE, semaphore, 0);
    memset(semaphore, 0, 32);
    *semaphore = value;
    return 0;
}
int T(sem_destroy)(u32 *semaphore) {
    turn(FREE, semaphore, 0);
    there(*semaphore);
    *semaphore = DESTROYED;
    return 0;
}
int T(sem_wait)(u32 *semaphore) {
    look_at(semaphore);
    there(*semaphore);
    turn(SEMAPHORE, semaphore, 0);
    there(*semaphore);
    --*semaphore;
    return 0;
}
static int try_semaphore(u32 *semaphore, int busy) {
    attempt(SEMAPHORE, semaphore);
    if (there(*semaphore)) {
        --*semaphore;
        return 0;
    }
    errno = busy;
    return -1;
}
int T(sem_trywait)(u32 *semaphore) { return try_semaphore(semaphore, EAGAIN); }
int T(sem_timedwait)(u32 *semaphore, const void *time) { return (void)time, try_semaphore(semaphore, ETIMEDOUT); }
int T(sem_clockwait)(u32 *semaphore, int clock, const void *time) {
    (void)clock, (void)time;
    return try_semaphore(semaphore, ETIMEDOUT);
}
int T(sem_post)(u32 *semaphore) {
    turn(FREE, semaphore, 0);
    if (there(*semaphore) < INT32_MAX) ++*semaphore;
    return 0;
}
int T(sem_getvalue)(u32 *semaphore, int *value) {
    turn(FREE, semaphore, 0);
    *value = (int)there(*semaphore);
    return 0;
}

int T(pthread_spin_init)(u32 *lock, int shared) {
    (void)shared;
    turn(FREE, lock, 0);
    *lock = 1;
    return 0;
}
int T(pthread_spin_destroy)(u32 *lock) {
    turn(FREE, lock, 0);
    if (there(*lock) != 1) misuse("destroyed-in-use: a lock is destroyed while it is locked");
    *lock = DESTROYED;
    return 0;
}
int T(pthread_spin_lock)(u32 *lock) {
    look_at(lock);
    there(*lock);
    turn(SPIN, lock, 0);
    *lock = there(*lock) - 1;
    hold(lock, 0);
    return 0;
}
int T(pthread_spin_trylock)(u32 *lock) {
    attempt(SPIN, lock);
    if (there(*lock) != 1) return EBUSY;
    *lock = 0;
    hold(lock, 0);
    return 0;
}
int T(pthread_spin_unlock)(u32 *lock) {
    turn(FREE, lock, 0);
    there(*lock);
    if (!let_go(lock)) misuse("bad-unlock: unlock of a lock that the thread does not hold");
    *lock = 1;
    return 0;
}

/* ---- Once, keys, and what does nothing -------------------------------------------------------- */

int T(pthread_once)(u32 *once, void (*function)(void)) {
    look_at(once);
    there(*once);
    turn(ONCE, once, 0);
    if (*once == 2) return 0;
    *once = 1;
    function();
    *once = 2;
    return 0;
}
void T(call_once)(u32 *once, void (*function)(void)) { T(pthread_once)(once, function); }

static struct {
    int used;
    void (*destroy)(void *);
} keys[MOST_KEYS];
static u32 key_count;

int T(pthread_key_create)(u32 *key, void (*destroy)(void *)) {
    if (key_count == MOST_KEYS) return EAGAIN;
    keys[key_count].used = 1;
    keys[key_count].destroy = destroy;
    *key = key_count++;
    return 0;
}
SAME(tss_create, pthread_key_create, (u32 * key, void (*destroy)(void *)));
int T(pthread_key_delete)(u32 key) {
    if (key >= key_count || !keys[key].used) misuse("thread-misuse: a key is deleted that is not there");
    keys[key].used = 0;
    return 0;
}
void T(tss_delete)(u32 key) { T(pthread_key_delete)(key); }

void *T(pthread_getspecific)(u32 key) {
    struct thread *thread = incise_this_thread();
    return key < key_count && keys[key].used && thread->specific ? thread->specific[key] : 0;
}
void *T(tss_get)(u32 key) { return T(pthread_getspecific)(key); }

static int set(u32 key, const void *value, int wrong) {
    struct thread *thread = incise_this_thread();
    if (key >= key_count || !keys[key].used) return wrong;
    if (!thread->specific) thread->specific = calloc(MOST_KEYS, sizeof *thread->specific);
    thread->specific[key] = (void *)value;
    return 0;
}
int T(pthread_setspecific)(u32 key, const void *value) { return set(key, value, EINVAL); }
int T(tss_set)(u32 key, void *value) { return set(key, value, THRD_ERROR); }

/* As glibc does it: the keys in order, four times at most. */
void incise_destroy_specific(struct thread *thread) {
    for (int round = 0; thread->specific && round < 4; round++) {
        int any = 0;
        for (u32 key = 0; key < key_count; key++) {
            void *value = thread->specific[key];
            if (!value || !keys[key].used || !keys[key].destroy) continue;
            any = 1;
            thread->specific[key] = 0;
            keys[key].destroy(value);
        }
        if (!any) return;
    }
}

void T(__VERIFIER_atomic_begin)(void) {
    extern void incise_enter_atomic(u64);
    incise_enter_atomic(incise_this_thread()->last_site);
}
void T(__VERIFIER_atomic_end)(void) {
    extern void incise_leave_atomic(void);
    incise_leave_atomic();
}

/* Threads are not cancelled. */
void T(pthread_testcancel)(void) {}
int T(pthread_setcancelstate)(int wanted, int *before) {
    (void)wanted;
    if (before) *before = 0;
    return 0;
}
SAME(pthread_setcanceltype, pthread_setcancelstate, (int wanted, int *before));

int T(nothing)(void) { return 0; }
#define NOTHING(name) SAME(name, nothing, (void))
NOTHING(pthread_attr_destroy);
NOTHING(pthread_mutexattr_destroy);
NOTHING(pthread_mutexattr_setprotocol);
NOTHING(pthread_mutexattr_setpshared);
NOTHING(pthread_mutexattr_setrobust);
NOTHING(pthread_condattr_destroy);
NOTHING(pthread_condattr_setpshared);
NOTHING(pthread_rwlockattr_destroy);
NOTHING(pthread_rwlockattr_setpshared);
NOTHING(pthread_barrierattr_init);
NOTHING(pthread_barrierattr_destroy);
NOTHING(pthread_barrierattr_setpshared);
NOTHING(sched_yield);
NOTHING(pthread_yield);
NOTHING(thrd_yield);
NOTHING(usleep);
NOTHING(sleep);
NOTHING(nanosleep);
NOTHING(thrd_sleep);
NOTHING(clock_nanosleep);
NOTHING(pthread_setname_np);
NOTHING(pthread_setschedparam);
NOTHING(pthread_setschedprio);
NOTHING(pthread_setaffinity_np);
NOTHING(pthread_attr_setaffinity_np);
NOTHING(pthread_atfork);
NOTHING(pthread_setconcurrency);
