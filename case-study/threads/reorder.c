// Setters write two variables, a checker must not see only one of them; each setter counts what it did.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int a, b;
int sets_first, sets_second, sets;
pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;

static void count(int sets_of_one) {
    pthread_mutex_lock(&counting);
    sets += sets_of_one;
    pthread_mutex_unlock(&counting);
}

void *set_first(void *unused) {
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    sets_first = 2;
    count(sets_first);
    return unused;
}

void *set_second(void *unused) {
    atomic_store(&a, 1);
    atomic_store(&b, -1);
    sets_second = 2;
    count(sets_second);
    return unused;
}

void *checker(void *unused) {
    int seen_b = atomic_load(&b);
    int seen_a = atomic_load(&a);
    assert(!(seen_b == -1 && seen_a == 0));
    return unused;
}

int main(void) {
    pthread_t one, two, three, four;
    pthread_create(&one, 0, set_first, 0);
    pthread_create(&two, 0, set_second, 0);
    pthread_create(&three, 0, checker, 0);
    pthread_create(&four, 0, checker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    pthread_join(three, 0);
    pthread_join(four, 0);
    assert(sets == 4);
    return 0;
}
