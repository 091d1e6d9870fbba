// RUN: incise run %s
// EXPECT: paths=7 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: deadlock at 25
// RUN: incise run %s -DCAREFUL
// EXPECT: paths=6 errors=0 races=0 blocked=0 complete=true exit=0
// Philosophers at a round table. Each takes the fork on the left first: if all do so at once, nobody eats. One who
// takes the other one first breaks the cycle.
#include <pthread.h>

#define N 3

static pthread_mutex_t forks[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[N];

static void *dine(void *number) {
    int left = (int)(long)number, right = (left + 1) % N;
#ifdef CAREFUL
    if (left > right) {
        int swap = left;
        left = right;
        right = swap;
    }
#endif
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]);
    meals[(long)number]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, dine, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
