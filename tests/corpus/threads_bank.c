// RUN: incise run %s
// EXPECT: paths=6 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DCROSSED
// EXPECT: paths=10 errors=4 races=0 blocked=0 complete=true exit=1
// ERROR: deadlock at 39
// ERROR: deadlock at 69
// RUN: incise run %s -DTWO_STEPS
// EXPECT: paths=15 errors=7 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 70
// RUN: incise run %s -DSYMBOLIC
// EXPECT: paths=14 errors=0 races=0 blocked=0 complete=true exit=0
// Transfers between the accounts of a bank, each with a lock. Both at once, in opposite directions: the locks must be
// taken in one order. If the sum is looked at while only one of the two is locked, money is on its way.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int balance[2] = {50, 50};
static int amount = 10;

static void transfer(int from, int to) {
#if defined(TWO_STEPS)
    pthread_mutex_lock(&lock[from]);
    balance[from] -= amount;
    pthread_mutex_unlock(&lock[from]);
    pthread_mutex_lock(&lock[to]);
    balance[to] += amount;
    pthread_mutex_unlock(&lock[to]);
#else
#if defined(CROSSED)
    int first = from;
#else
    int first = from < to ? from : to;
#endif
    int second = from + to - first;
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]);
    if (balance[from] >= amount) {
        balance[from] -= amount;
        balance[to] += amount;
    }
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
#endif
}

static void *there(void *unused) {
    transfer(0, 1);
    return unused;
}

static void *back(void *unused) {
    transfer(1, 0);
    return unused;
}

int main(void) {
    pthread_t one, two;
#ifdef SYMBOLIC
    amount = __VERIFIER_nondet_int();
    if (amount < 0 || amount > 100)
        return 0;
#endif
    pthread_create(&one, 0, there, 0);
    pthread_create(&two, 0, back, 0);
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    assert(balance[0] + balance[1] == 100);
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(balance[0] + balance[1] == 100);
    return 0;
}
