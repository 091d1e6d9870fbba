// RUN: incise run %s
// EXPECT: paths=3 errors=0 races=0 blocked=0 complete=false exit=3
// The __sync and __atomic builtins; giving a lock back with __sync_lock_release asks for less than seq_cst.
#include <assert.h>
#include <pthread.h>

static int number = 1;
static long large;
static char lock;

static void *change(void *unused) {
    __sync_fetch_and_add(&number, 1);
    __sync_add_and_fetch(&number, 1);
    __sync_fetch_and_sub(&number, 1);
    __sync_sub_and_fetch(&number, 1);
    __sync_fetch_and_or(&number, 4);
    __sync_or_and_fetch(&number, 4);
    __sync_fetch_and_and(&number, ~4);
    __sync_and_and_fetch(&number, ~4);
    __sync_fetch_and_xor(&number, 0);
    __sync_xor_and_fetch(&number, 0);
    return unused;
}

static void *count(void *unused) {
    while (__sync_lock_test_and_set(&lock, 1)) {
    }
    large++;
    __sync_lock_release(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    assert(large == 2);
    pthread_create(&thread, 0, change, 0);
    assert(__sync_bool_compare_and_swap(&large, 2, 3) && __sync_val_compare_and_swap(&large, 3, 4) == 3);
    __sync_synchronize();
    pthread_join(thread, 0);
    assert(number == 1);
    long found, other = 9;
    __atomic_load(&large, &found, __ATOMIC_SEQ_CST);
    assert(found == 4);
    found = 6;
    __atomic_store(&large, &found, __ATOMIC_SEQ_CST);
    __atomic_store_n(&large, 7, __ATOMIC_SEQ_CST);
    assert(__atomic_exchange_n(&large, 8, __ATOMIC_SEQ_CST) == 7);
    __atomic_exchange(&large, &other, &found, __ATOMIC_SEQ_CST);
    assert(found == 8 && __atomic_load_n(&large, __ATOMIC_SEQ_CST) == 9);
    assert(__atomic_add_fetch(&large, 1, 5) == 10 && __atomic_sub_fetch(&large, 1, 5) == 9);
    assert(__atomic_and_fetch(&large, 8, 5) == 8 && __atomic_or_fetch(&large, 1, 5) == 9);
    assert(__atomic_xor_fetch(&large, 1, 5) == 8 && __atomic_nand_fetch(&large, 8, 5) == ~8L);
    assert(__atomic_fetch_add(&large, 9, 5) == ~8L && __atomic_fetch_sub(&large, 0, 5) == 0);
    assert(__atomic_fetch_or(&large, 3, 5) == 0 && __atomic_fetch_xor(&large, 3, 5) == 3);
    assert(__atomic_fetch_and(&large, 0, 5) == 0 && __atomic_fetch_nand(&large, 0, 5) == 0);
    long expected = 5;
    assert(!__atomic_compare_exchange_n(&large, &expected, 5, 0, 5, 5) && expected == -1);
    other = 2;
    assert(__atomic_compare_exchange(&large, &expected, &other, 1, 5, 5) && large == 2);
    __atomic_test_and_set(&lock, 5);
    assert(lock);
    __atomic_clear(&lock, 5);
    __atomic_thread_fence(5);
    __atomic_signal_fence(5);
    assert(!lock && __atomic_always_lock_free(4, 0) && __atomic_is_lock_free(4, &number));
    return 0;
}
