// RUN: incise run %s
// EXPECT: paths=4 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: use-after-free at 29
// A local variable of a thread that has ended.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *where;

static void *worker(void *unused) {
    int local = 1;
    pthread_mutex_lock(&lock);
    where = &local;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    where = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    int value = 0;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    int *known = where;
    pthread_mutex_unlock(&lock);
    if (known)
        value = *known;
    pthread_join(thread, 0);
    return value;
}
