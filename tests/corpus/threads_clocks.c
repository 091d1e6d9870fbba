// RUN: incise run %s
// EXPECT: paths=8 errors=0 races=0 blocked=0 complete=true exit=0
// Waits with times by several clocks, and attributes that are asked for again.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered;
static int question, answer;

static void *answering(void *unused) {
    pthread_mutex_lock(&lock);
    while (!question) pthread_cond_wait(&asked, &lock);
    answer = 1;
    pthread_cond_broadcast(&answered);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_condattr_t attributes;
    clockid_t clock;
    pthread_condattr_init(&attributes);
    assert(!pthread_condattr_getclock(&attributes, &clock) && clock == CLOCK_REALTIME);
    assert(!pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    assert(!pthread_condattr_getclock(&attributes, &clock) && clock == CLOCK_MONOTONIC);
    assert(pthread_condattr_setclock(&attributes, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    pthread_cond_init(&answered, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_rwlockattr_t kind;
    int found;
    pthread_rwlockattr_init(&kind);
    assert(!pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NP));
    assert(!pthread_rwlockattr_getkind_np(&kind, &found) && found == PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_t other;
    pthread_create(&other, 0, answering, 0);
    pthread_mutex_lock(&lock);
    question = 1;
    pthread_cond_signal(&asked);
    struct timespec until = {1, 0};
    int late = 0;
    while (!answer && !late) late = pthread_cond_timedwait(&answered, &lock, &until);
    assert(answer || late == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    late = 0;
    while (!answer && !late) late = pthread_cond_clockwait(&answered, &lock, CLOCK_MONOTONIC, &until);
    pthread_mutex_unlock(&lock);
    pthread_join(other, 0);
    return 0;
}
