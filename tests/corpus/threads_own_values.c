// RUN: incise run %s
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// Variables and values of keys that each thread has of its own, with a destructor; and what is done once.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local int mine = 3;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void *value) {
    pthread_mutex_lock(&lock);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void make(void) { pthread_key_create(&key, destroy); }

static void *worker(void *given) {
    pthread_once(&once, make);
    int *value = malloc(sizeof *value);
    *value = (int)(long)given;
    pthread_setspecific(key, value);
    mine += *(int *)pthread_getspecific(key);
    return (void *)(long)mine;
}

int main(void) {
    pthread_t one, two;
    void *first, *second;
    pthread_create(&one, 0, worker, (void *)10);
    pthread_create(&two, 0, worker, (void *)20);
    pthread_join(one, &first);
    pthread_join(two, &second);
    printf("%ld %ld %d %d\n", (long)first, (long)second, destroyed, mine);
    return 0;
}
