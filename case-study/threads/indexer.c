// Threads put messages into a hash table; who finds an entry taken tries the next.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define SIZE 8
#define MESSAGES 3
#define STEP 8

atomic_int table[SIZE];
int sent[2], tries[2];

static int hash(int message) {
    return (message * 7) % (SIZE / 2);
}

static void insert(int thread, int message) {
    int at = hash(message);
    for (int tried = 0; tried < SIZE; tried++) {
        int expected = 0;
        if (atomic_compare_exchange_strong(&table[at], &expected, message))
            return;
        tries[thread]++;
        at = (at + 1) % SIZE;
    }
    assert(0);
}

static void produce(int thread) {
    for (int number = 0; number < MESSAGES; number++) {
        insert(thread, number * STEP + thread * 4 + 4);
        sent[thread]++;
    }
}

void *first(void *unused) {
    produce(0);
    return unused;
}

void *second(void *unused) {
    produce(1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    int full = 0;
    for (int at = 0; at < SIZE; at++)
        full += atomic_load(&table[at]) != 0;
    assert(full == 2 * MESSAGES);
    return 0;
}
