// RUN: incise run %s
// EXPECT: paths=3 errors=0 races=0 blocked=0 complete=true exit=0
// The first thread ends itself, and the program ends with the last one.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int value;

static void *worker(void *unused) {
    value++;
    printf("%d\n", (int)value);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    value = 5;
    pthread_exit(0);
}
