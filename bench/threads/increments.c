/* N threads add one to a variable, each in one step: N! traces. */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 7
#endif
static atomic_int x;
static void *add(void *unused) {
    atomic_fetch_add(&x, 1);
    return unused;
}
int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, add, 0);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
