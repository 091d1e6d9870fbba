// RUN: incise run %s
// EXPECT: paths=2 errors=0 races=0 blocked=0 complete=true exit=0
// Threads meet at a barrier, and one of them is told so; read-write locks and spin locks around.
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t barrier;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int values[2], serial;

static void *worker(void *given) {
    long index = (long)given;
    values[index] = (int)index + 1;
    int last = pthread_barrier_wait(&barrier);
    pthread_rwlock_rdlock(&lock);
    int sum = values[0] + values[1];
    pthread_rwlock_unlock(&lock);
    if (last) {
        pthread_spin_lock(&spin);
        serial += sum + (int)index;
        pthread_spin_unlock(&spin);
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_spin_init(&spin, 0);
    pthread_create(&one, 0, worker, (void *)0);
    pthread_create(&two, 0, worker, (void *)1);
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf("%d\n", serial);
    return 0;
}
