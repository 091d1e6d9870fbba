/* Signals, advice about files and facts about the machine, against the system. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

int model_getpagesize(void);
long model_sysconf(int);
int model_posix_fadvise(int, off_t, off_t, int);
int model_fcntl(int, int, ...);
int model_dup2(int, int);
int model_sigaction(int, const struct sigaction *, struct sigaction *);
void *model_signal(int, void *);
int model_sigemptyset(sigset_t *);
int model_sigfillset(sigset_t *);
int model_sigaddset(sigset_t *, int);
int model_sigdelset(sigset_t *, int);
int model_sigismember(const sigset_t *, int);
int model_sigprocmask(int, const sigset_t *, sigset_t *);

static int same_errno(void) { return *model___errno_location() == errno; }

static void handler(int number) { (void)number; }

static void check_sets(void) {
    sigset_t ours, theirs, our_old, their_old;
    for (int round = 0; round < 3000; round++) {
        if (below(2)) {
            CHECK(model_sigemptyset(&ours) == sigemptyset(&theirs), "sigemptyset");
        } else {
            CHECK(model_sigfillset(&ours) == sigfillset(&theirs), "sigfillset");
        }
        for (int step = 0; step < 5; step++) {
            int number = (int)below(68) - 1;
            errno = *model___errno_location() = 0;
            CHECK(model_sigaddset(&ours, number) == sigaddset(&theirs, number) && same_errno(), "sigaddset(%d)", number);
            number = (int)below(68) - 1;
            CHECK(model_sigdelset(&ours, number) == sigdelset(&theirs, number) && same_errno(), "sigdelset(%d)", number);
        }
        for (int number = -1; number < 68; number++) {
            CHECK(model_sigismember(&ours, number) == sigismember(&theirs, number), "sigismember(%d)", number);
        }
        int how = (int)below(4);
        CHECK(model_sigprocmask(how, &ours, &our_old) == sigprocmask(how, &theirs, &their_old), "sigprocmask(%d)", how);
        CHECK(how == 3 || !memcmp(&our_old, &their_old, 8), "what was blocked before");
    }
    sigemptyset(&theirs);
    sigprocmask(SIG_SETMASK, &theirs, NULL);
}

static void check_actions(void) {
    for (int number = -1; number < 68; number++) {
        struct sigaction action = {.sa_handler = handler}, ours, theirs;
        errno = *model___errno_location() = 0;
        CHECK(model_sigaction(number, NULL, &ours) == sigaction(number, NULL, &theirs) && same_errno(), "asking for %d", number);
        CHECK(model_sigaction(number, &action, NULL) == sigaction(number, &action, NULL) && same_errno(), "sigaction(%d)", number);
        void *our_old = model_signal(number, SIG_IGN), *their_old = (void *)signal(number, SIG_IGN);
        CHECK(our_old == their_old && same_errno(), "signal(%d)", number);
        int asked = model_sigaction(number, NULL, &ours);
        CHECK(asked == sigaction(number, NULL, &theirs) && (asked || ours.sa_handler == theirs.sa_handler), "after signal(%d)", number);
        signal(number, SIG_DFL);
    }
}

void check_system(void) {
    CHECK(model_getpagesize() == getpagesize() && model_sysconf(_SC_PAGESIZE) == sysconf(_SC_PAGESIZE), "pages");
    CHECK(model_sysconf(_SC_IOV_MAX) == sysconf(_SC_IOV_MAX), "_SC_IOV_MAX");
    FILE *file = tmpfile();
    for (int advice = -1; advice < 8; advice++) {
        /* Standard input is a file here, whatever this program is run with. */
        CHECK(model_posix_fadvise(0, 0, 5, advice) == posix_fadvise(fileno(file), 0, 5, advice), "advice %d", advice);
    }
    CHECK(model_posix_fadvise(0, 0, -1, 0) == posix_fadvise(fileno(file), 0, -1, 0), "advice about a negative length");
    CHECK(model_posix_fadvise(77, 0, 0, 0) == posix_fadvise(77, 0, 0, 0), "advice about what is not open");
    CHECK(model_fcntl(0, F_GETFD) == fcntl(fileno(file), F_GETFD), "F_GETFD");
    CHECK(model_fcntl(77, F_GETFD) == fcntl(77, F_GETFD) && same_errno(), "F_GETFD of what is not open");
    CHECK(model_dup2(1, 1) == dup2(1, 1) && model_dup2(77, 77) == dup2(77, 77) && same_errno(), "dup2");
    fclose(file);
    check_sets();
    check_actions();
}
