// RUN: incise run %s
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// Blocks and functions that are done in one step.
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int x, y;

static void __VERIFIER_atomic_both(int n) {
    x += n;
    y += n;
}

static void *worker(void *unused) {
    __VERIFIER_atomic_both(2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    __VERIFIER_atomic_begin();
    int one = x, two = y;
    __VERIFIER_atomic_end();
    assert(one == two);
    pthread_join(thread, 0);
    return x + y;
}
