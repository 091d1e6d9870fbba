// RUN: incise run %s
// EXPECT: paths=6 errors=0 races=0 blocked=0 complete=true exit=0
// Structs that are passed and returned by value, tables that cannot be written, and a thread started by a thread.
#include <pthread.h>
#include <stdio.h>

struct wide {
    long values[4];
};

static const int table[3] = {5, 6, 7};
static struct wide shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct wide changed(struct wide given, int index) {
    given.values[index] += table[index];
    return given;
}

static void *inner(void *given) {
    pthread_mutex_lock(&lock);
    shared = changed(shared, *(int *)given);
    pthread_mutex_unlock(&lock);
    return given;
}

static void *outer(void *given) {
    pthread_t thread;
    int other = *(int *)given + 1;
    pthread_create(&thread, 0, inner, &other);
    inner(given);
    pthread_join(thread, 0);
    return 0;
}

int main(void) {
    pthread_t thread;
    int index = 1;
    pthread_create(&thread, 0, outer, &index);
    pthread_mutex_lock(&lock);
    long seen = shared.values[1] * 10 + shared.values[2];
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    printf("%ld %ld %ld\n", seen, shared.values[1], shared.values[2]);
    return 0;
}
