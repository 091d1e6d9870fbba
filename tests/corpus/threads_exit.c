// RUN: incise run %s
// EXPECT: paths=5 errors=0 races=0 blocked=0 complete=true exit=0
// A thread ends the program; what was registered for that runs in it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int value;

static void bye(void) { printf("bye %d\n", (int)value); }

static void *worker(void *unused) {
    (void)unused;
    value = 5;
    exit(value + 1);
}

int main(void) {
    pthread_t thread;
    atexit(bye);
    pthread_create(&thread, 0, worker, 0);
    value = 2;
    pthread_join(thread, 0);
    return 1;
}
