// RUN: incise run %s
// EXPECT: paths=1 errors=0 races=0 blocked=0 complete=true exit=0
// A loop that only reads until another thread writes is a wait.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int flag, data;

static void *writer(void *unused) {
    data = 7;
    flag = 1;
    return unused;
}

static void *reader(void *unused) {
    while (!flag) {
    }
    printf("%d\n", (int)data);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
