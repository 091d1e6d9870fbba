// RUN: incise run %s
// EXPECT: paths=8 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 56
// RUN: incise run %s -DMENDED
// EXPECT: paths=9 errors=0 races=0 blocked=0 complete=true exit=0
// The Bluetooth driver of Qadeer and Wu. Who adds a request may look whether the driver stops before it says that it is
// there; then the driver stops under its hands. It must say so first, and look afterwards.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pending = 1, stopping, stopped;
static pthread_mutex_t event_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;
static int happened;

static void leave(void) {
    if (atomic_fetch_sub(&pending, 1) == 1) {
        pthread_mutex_lock(&event_lock);
        happened = 1;
        pthread_cond_signal(&event);
        pthread_mutex_unlock(&event_lock);
    }
}

static int come(void) {
#ifdef MENDED
    atomic_fetch_add(&pending, 1);
    if (stopping) {
        leave();
        return 0;
    }
#else
    if (stopping)
        return 0;
    atomic_fetch_add(&pending, 1);
#endif
    return 1;
}

static void *stop(void *unused) {
    stopping = 1;
    leave();
    pthread_mutex_lock(&event_lock);
    while (!happened)
        pthread_cond_wait(&event, &event_lock);
    pthread_mutex_unlock(&event_lock);
    stopped = 1;
    return unused;
}

int main(void) {
    pthread_t stopper;
    pthread_create(&stopper, 0, stop, 0);
    if (come()) {
        assert(!stopped);
        leave();
    }
    pthread_join(stopper, 0);
    return 0;
}
