// RUN: incise run %s --entry start
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// An entry that is not main starts a thread and ends before it may: its parameter is symbolic.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *worker(void *given) {
    done = *(int *)given > 5 ? 2 : 1;
    return 0;
}

int start(int n) {
    static int kept;
    pthread_t thread;
    kept = n;
    pthread_create(&thread, 0, worker, &kept);
    int now = done;
    return now;
}
