// RUN: incise run %s -DCOUNT=300
// EXPECT: paths=1 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DCOUNT=1100
// EXPECT: paths=1 errors=0 complete=false exit=3
// RUN: incise run %s -DRECURSION
// EXPECT: paths=1 errors=0 complete=false exit=3
// More threads than are explored, one after another and each by the one before: a limit, and not an order for each set
// of those that come before it.
#include <pthread.h>

static int done[2000];

static void *work(void *number) {
    done[(long)number] = 1;
    return 0;
}

static void *start(void *number) {
    pthread_t next;
    pthread_create(&next, 0, start, (void *)((long)number + 1));
    pthread_join(next, 0);
    return 0;
}

int main(void) {
#ifdef RECURSION
    start(0);
#else
    static pthread_t threads[2000];
    for (long i = 0; i < COUNT; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (long i = 0; i < COUNT; i++) pthread_join(threads[i], 0);
#endif
    (void)work;
    return 0;
}
