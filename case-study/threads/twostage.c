// A value is set in two stages, each under its own lock; readers look whether the second follows from the first.
#include <assert.h>
#include <pthread.h>

int value, copy, readers, failures;
pthread_mutex_t of_value = PTHREAD_MUTEX_INITIALIZER, of_copy = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t of_readers = PTHREAD_MUTEX_INITIALIZER;

void *stages(void *unused) {
    pthread_mutex_lock(&of_value);
    value = 1;
    pthread_mutex_unlock(&of_value);
    pthread_mutex_lock(&of_copy);
    copy = value + 1;
    pthread_mutex_unlock(&of_copy);
    return unused;
}

static void look(void) {
    pthread_mutex_lock(&of_value);
    int first = value;
    pthread_mutex_unlock(&of_value);
    if (first == 0)
        return;
    pthread_mutex_lock(&of_copy);
    int second = copy;
    pthread_mutex_unlock(&of_copy);
    if (second != 0)
        assert(second == first + 1);
}

void *reader(void *unused) {
    look();
    pthread_mutex_lock(&of_readers);
    readers++;
    pthread_mutex_unlock(&of_readers);
    return unused;
}

int main(void) {
    pthread_t one, two, three, four;
    pthread_create(&one, 0, stages, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_create(&three, 0, reader, 0);
    pthread_create(&four, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    assert(readers == 3);
    return 0;
}
