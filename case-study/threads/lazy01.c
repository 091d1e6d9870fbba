// Three threads under one lock: two add, one looks whether the sum is there.
#include <assert.h>
#include <pthread.h>

int data, looked, done_first, done_second;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&other);
    done_first++;
    pthread_mutex_unlock(&other);
    return unused;
}

void *second(void *unused) {
    pthread_mutex_lock(&mutex);
    data += 2;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&other);
    done_second += done_first;
    pthread_mutex_unlock(&other);
    return unused;
}

void *third(void *unused) {
    pthread_mutex_lock(&mutex);
    assert(data < 5);
    looked = 1;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&other);
    done_second++;
    pthread_mutex_unlock(&other);
    return unused;
}

int main(void) {
    pthread_t one, two, three, four;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, third, 0);
    pthread_create(&four, 0, first, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    return 0;
}
