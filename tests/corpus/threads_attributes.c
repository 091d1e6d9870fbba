// RUN: incise run %s
// EXPECT: paths=1 errors=0 races=0 blocked=0 complete=true exit=0
// Attributes are what was set, threads end themselves, and keys are destroyed in their order.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_key_t key;
static int destroyed;

static void destroy(void *value) {
    destroyed += *(int *)value;
    free(value);
}

static void *worker(void *argument) {
    int *value = malloc(sizeof *value);
    assert(value);
    *value = 5;
    assert(pthread_getspecific(key) == 0);
    assert(pthread_setspecific(key, value) == 0);
    assert(pthread_getspecific(key) == value);
    pthread_exit(argument);
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    int detached;
    size_t size;
    void *result;
    assert(!pthread_attr_init(&attributes));
    assert(!pthread_attr_getdetachstate(&attributes, &detached) && detached == PTHREAD_CREATE_JOINABLE);
    assert(!pthread_attr_setstacksize(&attributes, 65536));
    assert(!pthread_attr_getstacksize(&attributes, &size) && size == 65536);
    assert(!pthread_key_create(&key, destroy));
    assert(!pthread_create(&thread, &attributes, worker, (void *)7L));
    assert(!pthread_join(thread, &result));
    assert((long)result == 7 && destroyed == 5);
    assert(!pthread_attr_destroy(&attributes));
    assert(!pthread_mutex_lock(&recursive) && !pthread_mutex_lock(&recursive) && !pthread_mutex_trylock(&recursive));
    for (int i = 0; i < 3; i++) assert(!pthread_mutex_unlock(&recursive));
    assert(!pthread_mutex_lock(&checked) && pthread_mutex_lock(&checked) == EDEADLK);
    assert(!pthread_mutex_unlock(&checked) && pthread_mutex_unlock(&checked) == EPERM);
    return 0;
}
