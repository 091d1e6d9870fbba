// RUN: incise run %s
// EXPECT: paths=1 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 28
// A loop that waits for what nobody writes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, seen;

static void *reader(void *unused) {
    while (!flag) {
    }
    return unused;
}

static void *other(void *unused) {
    int expected = 1;
    seen = 1;
    if (atomic_compare_exchange_strong(&flag, &expected, 0))
        flag = 2;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, other, 0);
    pthread_join(one, 0);
    return seen;
}
