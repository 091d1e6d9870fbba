// RUN: incise run %s
// EXPECT: paths=1 errors=0 races=0 blocked=0 complete=true exit=0
// A detached thread, and a semaphore that says when it is done.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int value;

static void *worker(void *unused) {
    value = 1;
    printf("in the worker\n");
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sem_init(&done, 0, 0);
    pthread_create(&thread, &attributes, worker, 0);
    sem_wait(&done);
    printf("%d\n", value);
    return 0;
}
