/*
 * The indexer of Flanagan and Godefroid (POPL 2005): threads put messages into a hash table. They meet only if there
 * are more than eleven: 8^(N - 11) traces.
 */
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 15
#endif
enum { SIZE = 128, MESSAGES = 4 };
static atomic_int table[SIZE];
static void *put(void *argument) {
    int thread = (int)(long)argument;
    for (int message = 1; message <= MESSAGES; message++) {
        int word = message * 11 + thread;
        int at = word * 7 % SIZE;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[at], &empty, word)) break;
            at = (at + 1) % SIZE;
        }
    }
    return 0;
}
int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, put, (void *)i);
    for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
    return 0;
}
