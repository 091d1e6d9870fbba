// RUN: incise run %s
// EXPECT: paths=3 errors=0 races=0 blocked=0 complete=true exit=0
// Time may be over before the signal comes.
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
    struct timespec until = {1, 0};
    long late = 0;
    pthread_mutex_lock(&lock);
    if (!ready)
        late = pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT;
    pthread_mutex_unlock(&lock);
    (void)unused;
    return (void *)late;
}

int main(void) {
    pthread_t thread;
    void *late;
    pthread_create(&thread, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, &late);
    return (int)(long)late;
}
