// Szymanski's algorithm for two threads: flags of 0 to 4 instead of a lock. Who is in counts, and looks at a clock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag1, flag2;
int inside, visits, ticks1, ticks2;

void *first(void *unused) {
    atomic_store(&flag1, 1);
    while (atomic_load(&flag2) >= 3)
        ;
    atomic_store(&flag1, 3);
    if (atomic_load(&flag2) == 1) {
        atomic_store(&flag1, 2);
        while (atomic_load(&flag2) != 4)
            ;
    }
    atomic_store(&flag1, 4);
    while (atomic_load(&flag2) >= 2)
        ;
    inside = 0;
    assert(inside <= 0);
    visits++;
    atomic_store(&flag1, 0);
    ticks1++;
    return unused;
}

void *second(void *unused) {
    atomic_store(&flag2, 1);
    while (atomic_load(&flag1) >= 3)
        ;
    atomic_store(&flag2, 3);
    if (atomic_load(&flag1) == 1) {
        atomic_store(&flag2, 2);
        while (atomic_load(&flag1) != 4)
            ;
    }
    atomic_store(&flag2, 4);
    int seen = atomic_load(&flag1);
    while (seen == 2 || seen == 3)
        seen = atomic_load(&flag1);
    inside = 1;
    assert(inside >= 1);
    visits++;
    atomic_store(&flag2, 0);
    ticks2 += ticks1;
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
