// RUN: incise run %s
// EXPECT: paths=21 errors=0 races=0 blocked=0 complete=true exit=0
// All of stdatomic.h, beside another thread.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int number = 1;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic long large;
static atomic_bool truth;
static _Atomic(int *) pointer;
static int array[4];
static atomic_uchar small;
static atomic_ullong bits;
static _Atomic short counted;
static _Atomic double real;

static void *other(void *unused) {
    while (atomic_flag_test_and_set(&flag)) {
    }
    atomic_flag_clear(&flag);
    atomic_fetch_add(&number, 2);
    atomic_fetch_sub(&number, 1);
    atomic_fetch_or(&number, 8);
    atomic_fetch_and(&number, ~8);
    atomic_fetch_xor(&number, 0);
    atomic_store(&truth, true);
    large += 3;
    small--;
    return unused;
}

int main(void) {
    atomic_init(&large, 5);
    pointer = array;
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int expected = 1;
    atomic_compare_exchange_weak(&number, &expected, 10);
    long was = atomic_exchange(&large, 7);
    assert(was == 5 || was == 8);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    assert(atomic_fetch_add(&pointer, 1) == array && pointer == array + 1);
    bits |= 1;
    counted++;
    real = 1.5;
    real += 1;
    assert(real == 2.5 && bits == 1 && counted == 1);
    assert(atomic_is_lock_free(&number));
    (void)atomic_load(&truth);
    atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    pthread_join(thread, 0);
    assert(small == 255 && truth);
    return 0;
}
