// RUN: incise run %s
// EXPECT: paths=3 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: deadlock at 13
// Two locks in two orders. What was printed before nobody could go on is part of what happened.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused) {
    pthread_mutex_lock(&a);
    printf("first has a\n");
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *second(void *unused) {
    pthread_mutex_lock(&b);
    printf("second has b\n");
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf("done\n");
    return 3;
}
