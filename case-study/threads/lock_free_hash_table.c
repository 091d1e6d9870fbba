// A hash table without locks: a key is claimed first, and its value is put beside it then.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 4

atomic_int keys[SIZE], values[SIZE];
atomic_int claims, misses;
int put_by[2];

static int place(int thread, int key) {
    int at = key % SIZE;
    for (int tried = 0; tried < SIZE; tried++, at = (at + 1) % SIZE) {
        int found = atomic_load(&keys[at]);
        if (found == key)
            return at;
        if (found != 0)
            continue;
        int free = 0;
        if (atomic_compare_exchange_strong(&keys[at], &free, key)) {
            put_by[thread]++;
            atomic_fetch_add(&claims, 1);
            return at;
        }
        if (free == key)
            return at;
    }
    return -1;
}

static void put(int thread, int key, int value) {
    int at = place(thread, key);
    assert(at >= 0);
    atomic_store(&values[at], value);
}

static int get(int key) {
    for (int tried = 0, at = key % SIZE; tried < SIZE; tried++, at = (at + 1) % SIZE)
        if (atomic_load(&keys[at]) == key)
            return atomic_load(&values[at]);
    atomic_fetch_add(&misses, 1);
    return 0;
}

void *first(void *unused) {
    put(0, 1, 11);
    put(0, 5, 15);
    return unused;
}

void *second(void *unused) {
    put(1, 5, 25);
    put(1, 9, 29);
    int got = get(1);
    assert(got == 0 || got == 11);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(get(1) == 11);
    assert(atomic_load(&claims) == 3);
    return 0;
}
