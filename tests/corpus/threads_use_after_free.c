// RUN: incise run %s
// EXPECT: paths=3 errors=2 races=0 blocked=0 complete=true exit=1
// ERROR: use-after-free at 17
// One thread gives memory back that another one reads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *shared;

static void *giver(void *unused) {
    free(shared);
    return unused;
}

static void *reader(void *unused) {
    printf("%d\n", *shared);
    return unused;
}

int main(void) {
    pthread_t one, two;
    shared = malloc(sizeof *shared);
    *shared = 4;
    pthread_create(&one, 0, giver, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
