// RUN: incise run %s
// EXPECT: paths=30 errors=0 races=0 blocked=0 complete=true exit=0
// Two threads sleep at a condition variable; a signal may wake either, and a result tells which.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, order;

static void *waiter(void *given) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    ready--;
    order = 10 * order + (int)(long)given;
    pthread_mutex_unlock(&lock);
    return given;
}

static void signal_one(void) {
    pthread_mutex_lock(&lock);
    ready++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t one, two;
    void *result;
    pthread_create(&one, 0, waiter, (void *)1);
    pthread_create(&two, 0, waiter, (void *)2);
    signal_one();
    signal_one();
    pthread_join(one, &result);
    pthread_join(two, 0);
    printf("%d %ld\n", order, (long)result);
    return order;
}
