// RUN: incise run %s
// EXPECT: paths=4 errors=0 races=0 blocked=0 complete=true exit=0
// The threads of C11.
#include <stdio.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int turn;

static void make(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    tss_create(&key, 0);
}

static int worker(void *given) {
    call_once(&once, make);
    mtx_lock(&lock);
    while (turn != *(int *)given)
        cnd_wait(&changed, &lock);
    turn++;
    cnd_broadcast(&changed);
    mtx_unlock(&lock);
    tss_set(key, given);
    return *(int *)tss_get(key) + 10;
}

int main(void) {
    thrd_t one, two;
    int first = 0, second = 1, result, other;
    thrd_create(&one, worker, &second);
    thrd_create(&two, worker, &first);
    thrd_join(one, &result);
    thrd_join(two, &other);
    printf("%d %d %d\n", result, other, turn);
    return 0;
}
