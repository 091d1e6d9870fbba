// RUN: incise run %s
// EXPECT: paths=4 errors=4 races=2 blocked=0 complete=true exit=1
// ERROR: assertion at 22
// Two threads read, count and write back: one payment may be lost, and both accesses race.
#include <assert.h>
#include <pthread.h>

static int balance = 100;

static void *pay(void *unused) {
    int before = balance;
    balance = before - 30;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, pay, 0);
    pthread_create(&two, 0, pay, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(balance == 40);
    return 0;
}
