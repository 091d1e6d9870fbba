// RUN: incise run %s -DN=3
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DN=4
// EXPECT: paths=2 errors=1 races=1 blocked=0 complete=true exit=1
// A race at an index that is an input: only if there are inputs with which both threads access the same bytes.
#include <klee/klee.h>
#include <pthread.h>

static int table[4];

static void *worker(void *given) {
    table[*(int *)given] = 1;
    return 0;
}

int main(void) {
    int index = klee_range(0, N, "index");
    pthread_t thread;
    pthread_create(&thread, 0, worker, &index);
    int last = table[3];
    pthread_join(thread, 0);
    return last;
}
