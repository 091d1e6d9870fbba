// A driver that is stopped while others use it: who uses it is counted, and the last one says that it may stop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int pending = 1, stopping, may_stop, stopped, requests, refused;
int traced_add, traced_stop;
pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;
int trace;

static void end(void);

static int begin(void) {
    if (atomic_load(&stopping))
        return -1;
    atomic_fetch_add(&pending, 1);
    return 0;
}

static void end(void) {
    if (atomic_fetch_sub(&pending, 1) == 1)
        atomic_store(&may_stop, 1);
}

static void note(int what) {
    pthread_mutex_lock(&tracing);
    trace = trace * 2 + what;
    pthread_mutex_unlock(&tracing);
}

void *add(void *unused) {
    if (begin() == 0) {
        assert(!atomic_load(&stopped));
        requests++;
        end();
    } else {
        refused++;
    }
    note(0);
    return unused;
}

void *stop(void *unused) {
    atomic_store(&stopping, 1);
    end();
    if (atomic_load(&may_stop))
        atomic_store(&stopped, 1);
    note(1);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_create(&three, 0, stop, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
