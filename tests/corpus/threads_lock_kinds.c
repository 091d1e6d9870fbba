// RUN: incise run %s
// EXPECT: paths=77 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DSHARED
// EXPECT: paths=31 errors=0 races=0 blocked=0 complete=true exit=0
// Mutexes of all kinds and read-write locks, with all the ways to take them.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, made;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec never = {0, 0};
static int value;

static int had(int result, int otherwise) {
    assert(result == 0 || result == otherwise);
    return result == 0;
}

#ifdef SHARED
static void *other(void *unused) {
    pthread_rwlock_rdlock(&shared);
    assert(pthread_rwlock_tryrdlock(&shared) == 0);
    int seen = value;
    pthread_rwlock_unlock(&shared);
    pthread_rwlock_unlock(&shared);
    if (had(pthread_rwlock_trywrlock(&shared), EBUSY)) {
        value = seen;
        pthread_rwlock_unlock(&shared);
    }
    if (had(pthread_rwlock_timedrdlock(&shared, &never), ETIMEDOUT)) pthread_rwlock_unlock(&shared);
    return unused;
}

static void first(void) {
    pthread_rwlock_wrlock(&shared);
    value = 1;
    pthread_rwlock_unlock(&shared);
    if (had(pthread_rwlock_timedwrlock(&shared, &never), ETIMEDOUT)) pthread_rwlock_unlock(&shared);
}
#else
static void *other(void *unused) {
    if (had(pthread_mutex_trylock(&plain), EBUSY)) {
        value++;
        pthread_mutex_unlock(&plain);
    }
    if (had(pthread_mutex_timedlock(&made, &never), ETIMEDOUT)) pthread_mutex_unlock(&made);
    if (had(pthread_mutex_clocklock(&recursive, CLOCK_MONOTONIC, &never), ETIMEDOUT))
        pthread_mutex_unlock(&recursive);
    assert(pthread_mutex_unlock(&checked) == EPERM);
    return unused;
}

static void first(void) {
    pthread_mutex_lock(&made);
    pthread_mutex_lock(&made);
    pthread_mutex_unlock(&made);
    pthread_mutex_unlock(&made);
    pthread_mutex_lock(&recursive);
    assert(pthread_mutex_trylock(&recursive) == 0);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&checked);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    pthread_mutex_unlock(&checked);
    pthread_mutex_lock(&plain);
    assert(pthread_mutex_trylock(&plain) == EBUSY);
    pthread_mutex_unlock(&plain);
}
#endif

int main(void) {
    pthread_mutexattr_t attributes;
    int kind;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    assert(!pthread_mutexattr_gettype(&attributes, &kind) && kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    first();
    pthread_join(thread, 0);
    pthread_mutex_destroy(&made);
    return 0;
}
