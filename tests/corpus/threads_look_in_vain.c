// RUN: incise run %s
// EXPECT: paths=1 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 29
// RUN: incise run %s -DLOOK
// EXPECT: paths=1 errors=1 races=0 blocked=0 complete=true exit=1
// ERROR: endless-wait at 29
// Who tries again and again to take a lock that it has waits for ever, and so does who looks again and again at what
// nobody changes, whatever it puts aside meanwhile.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static void *work(void *unused) {
#ifdef LOOK
    while (atomic_load(&flag) != 2) sched_yield();
#else
    while (pthread_mutex_trylock(&lock)) continue;
    while (pthread_mutex_trylock(&lock)) continue;
#endif
    return unused;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#ifdef LOOK
    atomic_store(&flag, 1);
#endif
    pthread_join(thread, 0);
    return 0;
}
