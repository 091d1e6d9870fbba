// RUN: incise run %s --check overflow
// EXPECT: paths=2 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: signed-overflow at 20
// An error that only a sanitizer shows.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value = INT_MAX - 1;

static void *worker(void *unused) {
    value = INT_MAX;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int now = value;
    int next = now + 1;
    pthread_join(thread, 0);
    return next == INT_MAX;
}
