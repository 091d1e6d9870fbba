// RUN: incise run %s -DTWICE
// EXPECT: paths=1 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: bad-join at 33
// RUN: incise run %s -DDESTROY
// EXPECT: paths=5 errors=4 races=0 blocked=0 complete=true exit=1
// ERROR: destroyed-in-use at 29
// ERROR: not-initialised at 18
// RUN: incise run %s -DLATE
// EXPECT: paths=1 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: not-initialised at 37
// Wrong use of threads and locks, each with a kind of its own.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
#ifdef DESTROY
    // A thread may hold it, or come to it later.
    pthread_mutex_destroy(&lock);
#endif
    pthread_join(thread, 0);
#ifdef TWICE
    pthread_join(thread, 0);
#endif
#ifdef LATE
    pthread_mutex_destroy(&lock);
    pthread_mutex_lock(&lock);
#endif
    return 0;
}
