// A sender and a receiver share a buffer under a lock; each has statistics of its own under another.
#include <assert.h>
#include <pthread.h>
#define SIZE 4
#define MESSAGES 3

int buffer[SIZE], first, next, count, received_last;
int statistics;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, of_statistics = PTHREAD_MUTEX_INITIALIZER;

static void measure(int weight) {
    pthread_mutex_lock(&of_statistics);
    statistics = statistics * 3 + weight;
    pthread_mutex_unlock(&of_statistics);
}

void *sender(void *unused) {
    for (int message = 1; message <= MESSAGES; message++) {
        pthread_mutex_lock(&lock);
        buffer[next] = message;
        next = (next + 1) % SIZE;
        count++;
        pthread_mutex_unlock(&lock);
        measure(1);
    }
    return unused;
}

void *receiver(void *unused) {
    int expected = 1;
    for (int turn = 0; turn < MESSAGES; turn++) {
        pthread_mutex_lock(&lock);
        if (count > 0) {
            assert(buffer[first] == expected);
            received_last = buffer[first];
            first = (first + 1) % SIZE;
            count--;
            expected++;
        }
        pthread_mutex_unlock(&lock);
        measure(2);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, sender, 0);
    pthread_create(&two, 0, receiver, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
