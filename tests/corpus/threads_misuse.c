// RUN: incise run %s
// EXPECT: paths=8 errors=8 races=0 blocked=0 complete=true exit=1
// ERROR: bad-unlock at 20
// Unlocking what is not locked, or what another thread holds.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *worker(void *unused) {
    pthread_mutex_lock(&lock);
    value = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
