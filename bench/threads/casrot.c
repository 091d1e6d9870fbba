/* Thread i turns i - 1 into i, if it finds it. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 9
#endif
static atomic_int x;
static void *turn(void *argument) {
    int from = (int)(long)argument;
    atomic_compare_exchange_strong(&x, &from, from + 1);
    return 0;
}
int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, turn, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
