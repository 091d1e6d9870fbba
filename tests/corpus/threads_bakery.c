// RUN: incise run %s
// EXPECT: paths=9 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DNO_DOOR
// EXPECT: paths=91 errors=63 races=9 blocked=0 complete=true exit=1
// ERROR: assertion at 47
// Lamport's bakery. Without the doorway somebody may be about to take a number that is as small as one that is served.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 2

static atomic_int choosing[N], number[N];
static int inside;

static void lock(int me) {
#ifndef NO_DOOR
    choosing[me] = 1;
#endif
    int most = 0;
    for (int i = 0; i < N; i++) {
        int seen = number[i];
        if (seen > most)
            most = seen;
    }
    number[me] = most + 1;
#ifndef NO_DOOR
    choosing[me] = 0;
#endif
    for (int i = 0; i < N; i++) {
        if (i == me)
            continue;
        while (choosing[i]) {
        }
        for (;;) {
            int theirs = number[i];
            if (theirs == 0 || theirs > most + 1 || (theirs == most + 1 && i > me))
                break;
        }
    }
}

static void *enter(void *argument) {
    int me = (int)(long)argument;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, enter, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
