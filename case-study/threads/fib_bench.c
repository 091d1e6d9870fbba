// Two threads add what the other has: how large can the numbers become? A third number counts the rounds.
#include <assert.h>
#include <pthread.h>
#define ROUNDS 3
#define LARGEST 21
#define UNUSED 1

int i = 1, j = 1;
int rounds_first, rounds_second, rounds;
pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        i += j;
        rounds_first++;
    }
    pthread_mutex_lock(&counting);
    rounds += rounds_first;
    pthread_mutex_unlock(&counting);
    return unused;
}

void *second(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        j += i;
        rounds_second++;
    }
    pthread_mutex_lock(&counting);
    rounds += rounds_second;
    pthread_mutex_unlock(&counting);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(i <= LARGEST && j <= LARGEST);
    assert(rounds == 2 * ROUNDS);
    return 0;
}
