// RUN: incise run %s -DCANCEL
// EXPECT: paths=4 errors=0 complete=false exit=3
// RUN: incise run %s -DSIGNAL
// EXPECT: paths=4 errors=0 complete=false exit=3
// RUN: incise run %s -DROBUST
// EXPECT: paths=4 errors=0 complete=false exit=3
// RUN: incise run %s -DNAMED
// EXPECT: paths=4 errors=0 complete=false exit=3
// RUN: incise run %s -DTIMED
// EXPECT: paths=4 errors=0 complete=false exit=3
// RUN: incise run %s -DCLEANED
// EXPECT: paths=1 errors=0 complete=false exit=3
// RUN: incise run %s
// EXPECT: paths=1 errors=0 races=0 blocked=0 complete=true exit=0
// What is not explored of threads ends the path, in words. A function for the end of a thread that is taken away before
// is fine.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static int cleaned;

static void clean(void *by) { cleaned += (int)(long)by; }

static void *thread(void *unused) {
    pthread_cleanup_push(clean, (void *)1L);
#ifdef CLEANED
    pthread_exit(0);
#endif
    pthread_cleanup_pop(1);
    pthread_cleanup_push(clean, (void *)10L);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, thread, 0);
#ifdef CANCEL
    pthread_cancel(other);
#elif defined SIGNAL
    pthread_kill(other, SIGTERM);
#elif defined ROBUST
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
#elif defined NAMED
    sem_open("/name", O_CREAT, 0600, 1);
#elif defined TIMED
    pthread_tryjoin_np(other, 0);
#endif
    pthread_join(other, 0);
    assert(cleaned == 1);
    return 0;
}
