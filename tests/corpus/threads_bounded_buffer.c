// RUN: incise run %s
// EXPECT: paths=64 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DIF
// EXPECT: paths=68 errors=12 races=0 blocked=0 complete=true exit=1
// ERROR: assertion at 42
// RUN: incise run %s -DONE_CONDITION
// EXPECT: paths=80 errors=8 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 56
// A buffer of one place, with two producers and a consumer of both things. Who wakes and does not look again puts two
// things where there is room for one. With one condition for all, a signal may wake the wrong one, and is lost.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
#ifdef ONE_CONDITION
#define not_empty not_full
#else
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#endif
#ifdef IF
#define WAIT_WHILE(condition, what) if (condition) pthread_cond_wait(&what, &lock)
#else
#define WAIT_WHILE(condition, what) while (condition) pthread_cond_wait(&what, &lock)
#endif

static int buffer[1], used, sum;

static void *producer(void *thing) {
    pthread_mutex_lock(&lock);
    WAIT_WHILE(used == 1, not_full);
    assert(used == 0);
    buffer[used++] = (int)(long)thing;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    WAIT_WHILE(used == 0, not_empty);
    assert(used == 1);
    sum += buffer[--used];
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], 0, producer, (void *)3);
    pthread_create(&threads[1], 0, producer, (void *)4);
    pthread_create(&threads[2], 0, consumer, 0);
    pthread_create(&threads[3], 0, consumer, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(sum == 7);
    return 0;
}
