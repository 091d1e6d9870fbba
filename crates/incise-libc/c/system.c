/*
 * What programs ask of the system beside files: signals, of which none ever arrives, and facts about the machine.
 */
#include "incise.h"

#define PAGE 4096

int getpagesize(void) { return PAGE; }

#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_IOV_MAX 60
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86

/* A machine with one processor and a gibibyte of memory, half of it free: native replays say the same (incise_world.c). */
long sysconf(int what) {
    switch (what) {
    case _SC_PAGESIZE: return PAGE;
    case _SC_OPEN_MAX: return 1024;
    case _SC_IOV_MAX: return 1024;
    case _SC_NPROCESSORS_CONF: return 1;
    case _SC_NPROCESSORS_ONLN: return 1;
    case _SC_PHYS_PAGES: return 1 << 18;
    case _SC_AVPHYS_PAGES: return 1 << 17;
    default: __incise_unsupported("what sysconf says of this machine");
    }
}

/* ---- fcntl.h --------------------------------------------------------------------------------------- */

static bool __incise_is_open(int descriptor) {
    descriptor = __incise_actual(descriptor);
    return (unsigned)descriptor <= 2 || (descriptor > 2 && __incise_file_how(descriptor) != 0);
}

/* Advice about what will be read has no effect. Everything is a file, standard input and output too. */
static int __incise_advise(int descriptor, int advice) {
    if (!__incise_is_open(descriptor)) {
        return EBADF_NUMBER;
    }
    return (unsigned)advice > 5 ? EINVAL_NUMBER : 0;
}

int posix_fadvise(int descriptor, long offset, long length, int advice) {
    (void)offset;
    return length < 0 && __incise_is_open(descriptor) ? EINVAL_NUMBER : __incise_advise(descriptor, advice);
}

int posix_fadvise64(int descriptor, long offset, long length, int advice) {
    (void)offset;
    return length < 0 && __incise_is_open(descriptor) ? EINVAL_NUMBER : __incise_advise(descriptor, advice);
}

#define F_GETFD 1
#define F_SETFD 2

static int __incise_control(int descriptor, int what) {
    if (what != F_GETFD && what != F_SETFD) {
        __incise_unsupported("fcntl, but for the flag that closes descriptors");
    }
    if (!__incise_is_open(descriptor)) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    return 0;
}

int fcntl(int descriptor, int what, ...) { return __incise_control(descriptor, what); }

int fcntl64(int descriptor, int what, ...) { return __incise_control(descriptor, what); }

/* Copying a descriptor to itself asks whether it is open. */
int dup2(int from, int to) {
    if (!__incise_is_open(from)) {
        __incise_errno = EBADF_NUMBER;
        return -1;
    }
    if (from != to) {
        __incise_unsupported("dup2 from one descriptor to another");
    }
    return to;
}

/* ---- signal.h: what the program wishes to happen is kept, and never happens -------------------------- */

#define LAST_SIGNAL 64
#define SIG_KILL 9
#define SIG_STOP 19

/* As in signal.h. */
struct sigaction {
    void *handler;
    unsigned long mask[16];
    int flags;
    void *restorer;
};

static struct sigaction __incise_actions[LAST_SIGNAL + 1];
static unsigned long __incise_blocked[16];

INLINE bool __incise_is_signal(int number) { return (unsigned)number - 1u < LAST_SIGNAL; }

/* 32 and 33 belong to the threads of the C library. */
INLINE bool __incise_is_settable(int number) {
    return __incise_is_signal(number) && number != 32 && number != 33;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (!__incise_is_settable(number) || (action && (number == SIG_KILL || number == SIG_STOP))) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    struct sigaction before = __incise_actions[number];
    if (action) {
        __incise_actions[number] = *action;
    }
    if (old) {
        *old = before;
    }
    return 0;
}

#define RESTARTS 0x10000000

void *signal(int number, void *handler) {
    if (!__incise_is_settable(number) || number == SIG_KILL || number == SIG_STOP || handler == (void *)-1) {
        __incise_errno = EINVAL_NUMBER;
        return (void *)-1;
    }
    void *before = __incise_actions[number].handler;
    memset(&__incise_actions[number], 0, sizeof __incise_actions[number]);
    __incise_actions[number].handler = handler;
    __incise_actions[number].flags = RESTARTS;
    return before;
}

int sigemptyset(unsigned long *set) {
    memset(set, 0, 128);
    return 0;
}

int sigfillset(unsigned long *set) {
    memset(set, 255, 128);
    set[0] &= ~(3ul << 31);
    return 0;
}

int sigaddset(unsigned long *set, int number) {
    if (!__incise_is_settable(number)) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    set[0] |= 1ul << (number - 1);
    return 0;
}

int sigdelset(unsigned long *set, int number) {
    if (!__incise_is_settable(number)) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    set[0] &= ~(1ul << (number - 1));
    return 0;
}

int sigismember(const unsigned long *set, int number) {
    if (!__incise_is_signal(number)) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    return (int)(set[0] >> (number - 1) & 1);
}

int sigprocmask(int how, const unsigned long *set, unsigned long *old) {
    if (set && (unsigned)how > 2) {
        __incise_errno = EINVAL_NUMBER;
        return -1;
    }
    unsigned long before = __incise_blocked[0];
    if (set) {
        unsigned long wanted = how == 0 ? before | set[0] : how == 1 ? before & ~set[0] : set[0];
        /* Nobody can block these. */
        __incise_blocked[0] = wanted & ~(1ul << (SIG_KILL - 1) | 1ul << (SIG_STOP - 1) | 3ul << 31);
    }
    if (old) {
        memset(old, 0, 128);
        old[0] = before;
    }
    return 0;
}
