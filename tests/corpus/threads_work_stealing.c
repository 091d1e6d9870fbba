// RUN: incise run %s
// EXPECT: paths=41 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DNO_LAST
// EXPECT: paths=30 errors=16 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 56
// A queue with work of one owner and a thief, as Chase and Lev have it: the owner takes from the bottom without a lock,
// the thief from the top with an exchange. For the last thing the owner must race for the top too.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define EMPTY 0

static atomic_int top, bottom;
static atomic_int tasks[4];
static atomic_int taken[3];

static void push(int task) {
    int at = bottom;
    tasks[at] = task;
    bottom = at + 1;
}

static int take(void) {
    int last = bottom - 1;
    bottom = last;
    int first = top;
    if (last < first) {
        bottom = first;
        return EMPTY;
    }
    int task = tasks[last];
#ifndef NO_LAST
    if (last > first)
        return task;
    int expected = first;
    if (!atomic_compare_exchange_strong(&top, &expected, first + 1))
        task = EMPTY;
    bottom = first + 1;
#endif
    return task;
}

static int steal(void) {
    int first = top;
    int last = bottom;
    if (first >= last)
        return EMPTY;
    int task = tasks[first];
    int expected = first;
    return atomic_compare_exchange_strong(&top, &expected, first + 1) ? task : EMPTY;
}

static void done(int task) {
    if (task != EMPTY)
        assert(atomic_fetch_add(&taken[task], 1) == 0);
}

static void *thief(void *unused) {
    done(steal());
    done(steal());
    return unused;
}

int main(void) {
    pthread_t other;
    push(1);
    push(2);
    pthread_create(&other, 0, thief, 0);
    done(take());
    done(take());
    pthread_join(other, 0);
    assert(taken[1] <= 1 && taken[2] <= 1);
    return 0;
}
