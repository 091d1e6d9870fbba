// RUN: incise run %s
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DLATE
// EXPECT: paths=170 errors=117 races=9 blocked=0 complete=true exit=1
// ERROR: assertion at 26
// Peterson's lock for two. Who says so only after it has let the other one go first does not keep it out.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int inside;

static void *enter(void *number) {
    int me = (int)(long)number, other = 1 - me;
#ifdef LATE
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    while (wants[other] && turn == other) {
    }
    inside++;
    assert(inside == 1);
    inside--;
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
