// RUN: incise run %s
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DPLAIN
// EXPECT: paths=4 errors=2 races=2 blocked=0 complete=true exit=1
// RUN: incise run %s -DONE_CHECK
// EXPECT: paths=7 errors=5 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 32
// RUN: incise run %s -DEARLY
// EXPECT: paths=13 errors=10 races=1 blocked=0 complete=true exit=1
// ERROR: assertion at 44
// Double-checked locking. The first look must be atomic, or it is a data race; the second one must be there, or two
// make the thing; and the thing must be whole before others can see it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
static int ready;
#else
static atomic_int ready;
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made, thing;

static void *use(void *unused) {
    if (!ready) {
        pthread_mutex_lock(&lock);
#ifndef ONE_CHECK
        if (!ready)
#endif
        {
            assert(made == 0);
            made = 1;
#ifdef EARLY
            ready = 1;
            thing = 42;
#else
            thing = 42;
            ready = 1;
#endif
        }
        pthread_mutex_unlock(&lock);
    }
    assert(thing == 42);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, use, 0);
    pthread_create(&two, 0, use, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
