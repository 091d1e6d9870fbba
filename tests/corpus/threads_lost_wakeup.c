// RUN: incise run %s
// EXPECT: paths=2 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 23
// The signal may come before anyone sleeps: then the thread sleeps for ever.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
