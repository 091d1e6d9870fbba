// RUN: incise run %s
// EXPECT: paths=29 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DNO_EXIT
// EXPECT: paths=39 errors=8 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 72
// RUN: incise run %s -DTWICE
// EXPECT: paths=45 errors=3 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 72
// RUN: incise run %s -DNO_ORDER
// EXPECT: paths=314 errors=208 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 61
// ERROR: endless-wait at 71
// Szymanski's lock for two: all who are in the waiting room go through, in the order of their numbers. Without that
// order both are in. Who leaves must wait for those that are not through yet, and look at each once: one that is seen
// to be not waiting, and then not at the door, may have gone from one to the other.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { OUTSIDE, STANDING, WAITING, AT_DOOR, GONE_IN };

static atomic_int flag[2];
static atomic_int inside;

static void lock(int me, int other) {
    flag[me] = STANDING;
    while (flag[other] >= AT_DOOR) {
    }
    flag[me] = AT_DOOR;
    if (flag[other] == STANDING) {
        flag[me] = WAITING;
        while (flag[other] != GONE_IN) {
        }
    }
    flag[me] = GONE_IN;
#ifndef NO_ORDER
    if (me == 1)
        while (flag[other] >= WAITING) {
        }
#endif
}

static void unlock(int me, int other) {
#if defined(TWICE)
    if (me == 0)
        while (flag[other] == WAITING || flag[other] == AT_DOOR) {
        }
#elif !defined(NO_EXIT)
    int seen;
    if (me == 0)
        do
            seen = flag[other];
        while (seen == WAITING || seen == AT_DOOR);
#endif
    flag[me] = OUTSIDE;
}

static void *enter(void *number) {
    int me = (int)(long)number, other = 1 - me;
    lock(me, other);
    assert(atomic_fetch_add(&inside, 1) == 0);
    inside = 0;
    unlock(me, other);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, enter, (void *)0);
    pthread_create(&two, 0, enter, (void *)1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
