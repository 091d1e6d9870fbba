/* Two threads take one lock N times each: 2N over N traces. */
#include <pthread.h>
#ifndef N
#define N 9
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *climb(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, climb, 0);
    pthread_create(&two, 0, climb, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
