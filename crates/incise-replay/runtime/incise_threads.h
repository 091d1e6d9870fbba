/*
 * What the parts of the runtime for threads have in common: incise_schedule.c hands the baton on, incise_sync.c has the
 * functions that synchronise threads.
 */
#ifndef INCISE_THREADS_H
#define INCISE_THREADS_H

#include <stdint.h>

typedef uint64_t u64;
typedef uint32_t u32;

enum { MOST_THREADS = 16384, MOST_KEYS = 1024, MOST_HELD = 64 };

/* What a thread may have to wait for. */
enum guard { FREE, MUTEX, READ_LOCK, WRITE_LOCK, SEMAPHORE, SPIN, ROUND, ONCE, WOKEN, WOKEN_OR_LATE, ENDED };

struct held {
    void *object;
    int shared;
};

struct thread {
    u32 number;
    /* The baton: what others wait for. */
    u32 go;
    unsigned char known, newborn, stopped, over, joined, detached, ended, spinning, spun;
    /* Whether its last step was to wait for the end of another. */
    unsigned char joining;
    /* Where it has stopped, and what it is about to touch there. */
    u64 site, last_site;
    /* The site of a call at which the turn was taken already. */
    u64 taken;
    void *address;
    u64 size, writes;
    /* Where its next step is looked for. */
    u64 cursor;
    /* How deep it is in blocks that are done in one step. */
    u64 atomic;
    enum guard guard;
    void *object;
    u64 extra;
    /* The condition variable at which it sleeps. */
    void *asleep;
    struct held held[MOST_HELD];
    u32 held_count;
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument, *result;
    void **specific;
    /* How often it has read where it only waits, and what it found there. */
    u64 spins;
    unsigned char found[16];
};

extern struct thread *incise_this_thread(void);
extern struct thread *incise_thread(u64 number);
/* Whether there are other threads that could have an influence. */
extern int incise_watched;

/* A visible operation of this thread, which may have to wait: returns when it is its turn. */
extern void incise_turn(enum guard guard, void *object, u64 extra);
/* The same for one that fails where another would wait. */
extern void incise_attempt(enum guard guard, void *object);
/* The program ends now: that is a step, too. */
extern void incise_end_turn(void);
extern int incise_can_go_on(const struct thread *thread);
extern u32 incise_start_thread(struct thread *made);
extern void incise_thread_over(void *result) __attribute__((noreturn));
extern void incise_end_thread(void *result);
extern void incise_watch_if_needed(void);
/* The threads that the running step wakes. */
extern const u64 *incise_wakes(u64 *count);
extern u32 incise_thread_count(void);
extern struct thread *incise_thread_at(u32 index);

extern void incise_diverged(const char *why) __attribute__((noreturn));
extern void incise_reported(const char *message) __attribute__((noreturn));
extern void incise_note(u64 tag, const char *text) __attribute__((noreturn));

#endif
