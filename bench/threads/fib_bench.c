/* Two threads add the other's number to their own, N times each; a third one reads both numbers. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int i = 1, j = 1;
static void *first(void *unused) {
    for (int k = 0; k < N; k++) {
        int one = i;
        int two = j;
        i = one + two;
    }
    return unused;
}
static void *second(void *unused) {
    for (int k = 0; k < N; k++) {
        int one = j;
        int two = i;
        j = one + two;
    }
    return unused;
}
static void *look(void *unused) {
    (void)i;
    (void)j;
    return unused;
}
int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_create(&threads[2], 0, look, 0);
    for (int k = 0; k < 3; k++) pthread_join(threads[k], 0);
    return 0;
}
