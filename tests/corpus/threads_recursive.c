// RUN: incise run %s
// EXPECT: paths=5 errors=0 races=0 blocked=0 complete=true exit=0
// Mutexes that a thread may lock again, or that say that it must not.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t again, checked;
static int count;

static void *worker(void *unused) {
    pthread_mutex_lock(&again);
    pthread_mutex_lock(&again);
    count++;
    pthread_mutex_unlock(&again);
    count++;
    pthread_mutex_unlock(&again);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&again, &kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checked, &kind);
    pthread_create(&thread, 0, worker, 0);
    int busy = pthread_mutex_trylock(&again);
    int seen = busy ? -1 : count;
    if (!busy)
        pthread_mutex_unlock(&again);
    pthread_mutex_lock(&checked);
    int twice = pthread_mutex_lock(&checked) == EDEADLK;
    pthread_mutex_unlock(&checked);
    int not_mine = pthread_mutex_unlock(&checked) == EPERM;
    pthread_join(thread, 0);
    printf("%d %d %d %d\n", seen, twice, not_mine, count);
    return 0;
}
