// RUN: incise run %s
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DSTUBBORN
// EXPECT: paths=3 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 54
// RUN: incise run %s -DLATE
// EXPECT: paths=128 errors=79 races=9 blocked=0 complete=true exit=1
// ERROR: assertion at 43
// Dekker's lock for two. If nobody gives way, both wait for ever; who looks before it says that it wants comes in too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void lock(int me, int other) {
#if defined(LATE)
    while (wants[other]) {
    }
    wants[me] = 1;
#elif defined(STUBBORN)
    wants[me] = 1;
    while (wants[other]) {
    }
#else
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
        }
    }
#endif
}

static void *enter(void *number) {
    int me = (int)(long)number, other = 1 - me;
    lock(me, other);
    inside++;
    assert(inside == 1);
    inside--;
    turn = other;
    wants[me] = 0;
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
