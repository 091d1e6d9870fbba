// Two readers and a writer of two variables, under locks of their own.
#include <assert.h>
#include <pthread.h>

int x, y, sum, product;
pthread_mutex_t of_x = PTHREAD_MUTEX_INITIALIZER, of_y = PTHREAD_MUTEX_INITIALIZER;

void *reader_x(void *unused) {
    pthread_mutex_lock(&of_x);
    int first = x;
    int again = x;
    pthread_mutex_unlock(&of_x);
    assert(first == again);
    pthread_mutex_lock(&of_y);
    sum += first;
    pthread_mutex_unlock(&of_y);
    return unused;
}

void *reader_y(void *unused) {
    pthread_mutex_lock(&of_y);
    int seen = y;
    product = seen * 2;
    pthread_mutex_unlock(&of_y);
    assert(seen <= 2);
    return unused;
}

void *writer(void *unused) {
    pthread_mutex_lock(&of_x);
    x = 1;
    pthread_mutex_unlock(&of_x);
    pthread_mutex_lock(&of_y);
    y = 2;
    pthread_mutex_unlock(&of_y);
    return unused;
}

int main(void) {
    pthread_t one, two, three, four;
    pthread_create(&one, 0, reader_x, 0);
    pthread_create(&two, 0, reader_y, 0);
    pthread_create(&three, 0, writer, 0);
    pthread_create(&four, 0, reader_y, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    return 0;
}
