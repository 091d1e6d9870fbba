// RUN: incise run %s
// EXPECT: paths=16 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DHASTY
// EXPECT: paths=526 errors=289 races=9 blocked=0 complete=true exit=1
// ERROR: assertion at 45
// Lamport's fast lock for two: seven accesses if nobody else is there. Who does not wait until the others have given
// way before it looks whose turn it is may come in beside one that took the fast way.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[3], x, y;
static int inside;

static void lock(int me) {
    for (;;) {
        wants[me] = 1;
        x = me;
        if (y != 0) {
            wants[me] = 0;
            while (y != 0) {
            }
            continue;
        }
        y = me;
        if (x == me)
            return;
        wants[me] = 0;
#ifndef HASTY
        for (int i = 1; i <= 2; i++)
            while (wants[i]) {
            }
#endif
        if (y == me)
            return;
        while (y != 0) {
        }
    }
}

static void *enter(void *number) {
    int me = (int)(long)number;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    y = 0;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, enter, (void *)1);
    pthread_create(&two, 0, enter, (void *)2);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
