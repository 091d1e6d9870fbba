// RUN: incise run %s
// EXPECT: paths=4 errors=2 races=0 blocked=0 complete=true exit=1
// ERROR: use-after-free at 12
// ERROR: use-after-free at 13
// A mutex in memory that was given back, before another thread comes to it or while it waits.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t *lock;

static void *worker(void *unused) {
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    lock = malloc(sizeof *lock);
    pthread_mutex_init(lock, 0);
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    free(lock);
    pthread_join(thread, 0);
    return 0;
}
