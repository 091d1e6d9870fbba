// Two threads change two numbers in an order that locks leave open; the result tells which came first.
#include <assert.h>
#include <pthread.h>

int data1 = 10, data2 = 10, changes, last;
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
    pthread_mutex_lock(&ma);
    data1++;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2++;
    pthread_mutex_unlock(&mb);
    pthread_mutex_lock(&ma);
    changes++;
    last = 1;
    pthread_mutex_unlock(&ma);
    return unused;
}

void *second(void *unused) {
    pthread_mutex_lock(&ma);
    data1 += 5;
    pthread_mutex_unlock(&ma);
    pthread_mutex_lock(&mb);
    data2 -= 6;
    pthread_mutex_unlock(&mb);
    pthread_mutex_lock(&ma);
    changes++;
    last = 2;
    pthread_mutex_unlock(&ma);
    return unused;
}

int main(void) {
    pthread_t one, two, three;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    assert(data1 == 21 && data2 == -1);
    assert(changes == 3);
    return 0;
}
