// RUN: incise run %s
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s --spurious 1
// EXPECT: paths=3 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 33
// RUN: incise run %s --spurious 2 -DLOOP
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DTIMED
// EXPECT: paths=3 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s --spurious 1 -DTIMED
// EXPECT: paths=4 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 33
// A thread may wake although nobody woke it: who does not look again is wrong.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *unused) {
    int late = 0;
    pthread_mutex_lock(&lock);
#ifdef LOOP
    while (!ready) pthread_cond_wait(&changed, &lock);
#elif defined TIMED
    if (!ready) late = pthread_cond_timedwait(&changed, &lock, &(struct timespec){1, 0});
#else
    if (!ready) pthread_cond_wait(&changed, &lock);
#endif
    assert(ready || late == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t waiting;
    pthread_create(&waiting, 0, wait_for_it, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(waiting, 0);
    return 0;
}
