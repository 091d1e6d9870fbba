/* Thread i makes element i one more than the one before it; another one looks for the last that is zero. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 10
#endif
static atomic_int array[N + 1];
static void *add(void *argument) {
    long i = (long)argument;
    array[i] = array[i - 1] + 1;
    return 0;
}
static void *look(void *unused) {
    int i = N;
    while (array[i] != 0) i--;
    return unused;
}
int main(void) {
    pthread_t threads[N + 1];
    pthread_create(&threads[0], 0, look, 0);
    for (long i = 1; i <= N; i++) pthread_create(&threads[i], 0, add, (void *)i);
    for (int i = 0; i <= N; i++) pthread_join(threads[i], 0);
    return 0;
}
