/* Atomics, fences, thread-local variables, volatile accesses, inline assembly. */
#include <stdatomic.h>
_Atomic int counter;
int plain;
_Thread_local int mine = 3;
static _Thread_local long other;
extern _Thread_local int foreign;
volatile unsigned status;
atomic_flag lock = ATOMIC_FLAG_INIT;
int fetch(int n) { return atomic_fetch_add(&counter, n) + atomic_fetch_xor(&counter, 3) + atomic_exchange(&counter, n) + __atomic_fetch_nand(&plain, n, __ATOMIC_RELAXED); }
int swap(int expected, int desired) { return atomic_compare_exchange_strong(&counter, &expected, desired) ? expected : atomic_load_explicit(&counter, memory_order_acquire); }
void store(int n) { atomic_store_explicit(&counter, n, memory_order_release); atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_acquire); }
int local(void) { mine++; other -= mine; return mine + (int)other + foreign; }
unsigned poll(void) { while (status & 1) status = status >> 1; return status; }
void spin(void) { while (atomic_flag_test_and_set(&lock)) asm volatile("pause" ::: "memory"); atomic_flag_clear(&lock); }
int assembly(int x) { int y; asm("addl %2, %0" : "=r"(y) : "0"(x), "r"(3)); asm goto("" : : : : away); return y; away: return 0; }
_Atomic(__int128) wide;
__int128 load_wide(void) { return atomic_load(&wide); }
