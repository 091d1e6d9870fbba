// RUN: incise run %s
// EXPECT: paths=5 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 33
// Inputs decide which thread writes what, and whether an assertion can fail.
#include <assert.h>
#include <klee/klee.h>
#include <pthread.h>

static int x, y;
static int table[4];
static pthread_mutex_t lock;

static void *worker(void *given) {
    int n = *(int *)given;
    pthread_mutex_lock(&lock);
    if (n > 3)
        x += n;
    else
        y += n;
    table[n & 3] = n;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    int n = klee_range(0, 10, "n"), k = klee_range(0, 5, "k");
    pthread_t thread;
    pthread_mutex_init(&lock, 0);
    pthread_create(&thread, 0, worker, &n);
    pthread_mutex_lock(&lock);
    int product = x * k + table[k & 3];
    pthread_mutex_unlock(&lock);
    assert(product != 20);
    pthread_join(thread, 0);
    return x + y;
}
