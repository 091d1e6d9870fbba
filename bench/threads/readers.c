/* One writer and N readers of one variable: 2^N traces. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 13
#endif
static atomic_int x;
static void *write_it(void *unused) {
    x = 42;
    return unused;
}
static void *read_it(void *unused) {
    (void)x;
    return unused;
}
int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[N], 0, write_it, 0);
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, read_it, 0);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
    return 0;
}
