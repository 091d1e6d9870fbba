// RUN: incise run %s
// EXPECT: paths=3 errors=2 races=0 blocked=0 complete=true exit=1
// ERROR: division-by-zero at 20
// An error at an instruction that nobody else sees, after others may have gone on.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int divisor = 1;

static void *writer(void *unused) {
    divisor = 0;
    printf("zero\n");
    return unused;
}

static void *divider(void *unused) {
    int by = divisor;
    printf("read\n");
    printf("%d\n", 10 / by);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, divider, 0);
    pthread_join(one, 0);
    puts("joined");
    pthread_join(two, 0);
    return 0;
}
