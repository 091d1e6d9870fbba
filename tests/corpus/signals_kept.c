// RUN: incise run %s --entry prepare
// EXPECT: paths=6 errors=0 complete=true exit=0
// What is to happen on a signal is kept, what is blocked too, and no signal arrives.
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t seen;

static void handle(int number) { seen = number; }

int prepare(int number) {
    struct sigaction action = {.sa_handler = handle}, old;
    sigset_t set, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, &action, &old)) {
        return -1;
    }
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &before);
    sigprocmask(SIG_BLOCK, NULL, &before);
    int blocked = sigismember(&before, number);
    return old.sa_handler == SIG_DFL && signal(number, SIG_IGN) == handle ? 10 * blocked + seen : -2;
}
