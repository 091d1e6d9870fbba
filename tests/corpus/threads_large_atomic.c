// RUN: incise run %s
// EXPECT: paths=10 errors=0 races=0 blocked=0 complete=true exit=0
// Atomic objects for which there is no instruction: each access is one step, and orders what is around it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    long one, two;
};
struct odd {
    char bytes[3];
};

static _Atomic(struct pair) pair;
static _Atomic(struct odd) odd;
static _Atomic __int128 number;

static void *worker(void *unused) {
    struct pair both = {1, 1};
    atomic_store(&pair, both);
    struct odd all = {{1, 1, 1}};
    odd = all;
    number++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    struct pair both = pair;
    assert(both.one == both.two);
    struct odd all = odd;
    assert(all.bytes[0] == all.bytes[2]);
    struct pair expected = {1, 1}, wanted = {2, 2};
    if (atomic_compare_exchange_strong(&pair, &expected, wanted)) {
        both = atomic_exchange(&pair, expected);
        assert(both.two == 2);
    } else {
        assert(expected.one == 0 && expected.two == 0);
    }
    number++;
    pthread_join(thread, 0);
    assert(number == 2);
    return 0;
}
