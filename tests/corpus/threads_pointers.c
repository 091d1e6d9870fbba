// RUN: incise run %s
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// Functions that synchronise are called through pointers.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*take)(pthread_mutex_t *) = pthread_mutex_lock;
static int (*give)(pthread_mutex_t *) = pthread_mutex_unlock;
static int value = 2;

static void *set(void *unused) {
    take(&lock);
    value = 1;
    give(&lock);
    return unused;
}

static void *multiply(void *unused) {
    take(&lock);
    value *= 5;
    give(&lock);
    return unused;
}

int main(void) {
    void *(*functions[2])(void *) = {set, multiply};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, functions[i], 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    printf("%d\n", value);
    return value;
}
