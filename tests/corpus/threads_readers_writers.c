// RUN: incise run %s
// EXPECT: paths=14 errors=0 races=0 blocked=0 complete=true exit=0
// RUN: incise run %s -DUNGUARDED
// EXPECT: paths=117 errors=55 races=2 blocked=0 complete=true exit=1
// ERROR: assertion at 43
// ERROR: endless-wait at 64
// Courtois, Heymans and Parnas: the first reader takes the room for all of them, the last one gives it back. If readers
// are counted by two at once, one is lost, and a writer comes in beside it or nobody ever comes in again.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
#ifdef UNGUARDED
static atomic_int readers;
#else
static int readers;
#endif
static int value, half;

static void count(int change, int edge) {
#ifndef UNGUARDED
    pthread_mutex_lock(&count_lock);
#endif
    int before = readers;
    readers = before + change;
    if (before + (change < 0 ? change : 0) == edge) {
        if (change > 0)
            sem_wait(&room);
        else
            sem_post(&room);
    }
#ifndef UNGUARDED
    pthread_mutex_unlock(&count_lock);
#endif
}

static void *reader(void *unused) {
    count(1, 0);
    int seen = value;
    assert(half == seen);
    count(-1, 0);
    return unused;
}

static void *writer(void *unused) {
    sem_wait(&room);
    half++;
    value++;
    sem_post(&room);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    sem_init(&room, 0, 1);
    pthread_create(&one, 0, reader, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, writer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    return 0;
}
