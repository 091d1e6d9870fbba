// RUN: incise run %s --entry account
// EXPECT: paths=4 errors=0 complete=true exit=0
// C11 atomics and the GNU builtins: exchange, compare and exchange, fetch and add, fences.
#include <stdatomic.h>

int account(int start, int expected) {
    atomic_int balance = start;
    atomic_uchar flags = 0xf0;
    int previous = atomic_fetch_add(&balance, 5);
    int wanted = expected;
    if (previous > 1000 || previous < -1000) {
        return -1;
    }
    atomic_thread_fence(memory_order_seq_cst);
    _Bool swapped = atomic_compare_exchange_strong(&balance, &wanted, 77);
    int old = atomic_exchange_explicit(&balance, 3, memory_order_acq_rel);
    unsigned char masked = atomic_fetch_and(&flags, 0x3c);
    long shared = 8;
    __atomic_or_fetch(&shared, 3, __ATOMIC_SEQ_CST);
    __sync_fetch_and_sub(&shared, 1);
    if (swapped) {
        return old + masked + (int)shared;
    }
    return wanted == old ? atomic_load(&balance) + atomic_load(&flags) + (int)shared : -2;
}
