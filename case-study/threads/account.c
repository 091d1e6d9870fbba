// An account that two pay into and one takes from, each under the lock, and a log of what was done.
#include <assert.h>
#include <pthread.h>
#define BEGIN 100

int balance = BEGIN, fees, entries;
int paid, taken;
pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t of_fees = PTHREAD_MUTEX_INITIALIZER;

static void note(int kind) {
    pthread_mutex_lock(&log_lock);
    entries = entries * 4 + kind;
    pthread_mutex_unlock(&log_lock);
}

void *deposit(void *unused) {
    pthread_mutex_lock(&account);
    balance = balance + 10;
    paid = 1;
    pthread_mutex_unlock(&account);
    note(1);
    return unused;
}

void *withdraw(void *unused) {
    pthread_mutex_lock(&account);
    balance = balance - 5;
    taken = 1;
    pthread_mutex_unlock(&account);
    note(2);
    return unused;
}

void *check(void *unused) {
    pthread_mutex_lock(&account);
    int seen = balance, both = paid && taken;
    pthread_mutex_unlock(&account);
    if (both)
        assert(seen == BEGIN + 5);
    pthread_mutex_lock(&of_fees);
    fees++;
    pthread_mutex_unlock(&of_fees);
    note(3);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, deposit, 0);
    pthread_create(&two, 0, withdraw, 0);
    pthread_create(&three, 0, check, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(balance == BEGIN + 5);
    return 0;
}
