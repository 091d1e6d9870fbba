/*
 * Leads a native run with threads along a schedule. One thread runs at a time: who has the baton. A call stands before
 * each operation that others can see (src/threads/instrument.rs); there a thread stops, and the baton goes to whose
 * step is next. A thread that was just started runs up to its first such operation before anyone else goes on, in the
 * order of the numbers, as the engine has it, so that all output and all inputs come in the same order.
 *
 * What the engine took for visible is told by the schedule: the places of a thread's steps, and in the end the place at
 * which it stands. At an operation that is not at the place of its next step the thread has left the schedule, except
 * where the place alone does not tell (a local variable, what cannot be written, a call of a library function): there
 * it goes on.
 *
 * Linked with programs whose tests have schedules. It goes straight to the kernel, as the driver does.
 */
#define _GNU_SOURCE
#include "incise_threads.h"
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Ends that are written down, beside those of the driver. */
enum { STUCK = 6, RACED = 7 };
/* What a step is. */
enum { STEP = 0, END = 1 };
/* What is known of an access (src/threads/instrument.rs). */
enum { LOCAL = 1, WRITES = 2 };
/* A thread that only reads so often is taken to wait for ever. */
enum { SPINS = 2000 };
enum { STACK = 8 << 20, SIGNAL_STACK = 1 << 16 };

struct step {
    u64 thread, site, kind, number;
    const u64 *starts, *wakes;
    u64 start_count, wake_count;
};

static struct step *steps;
/* Steps in all, those that are taken, and the next one. */
static u64 step_count, taken_count, at;
/* Where threads stand in the end. */
static const u64 *left;
static u64 left_count;
/* The threads that the running step starts, and which of these comes next. */
static const u64 *starts, *wakes;
static u64 start_count, started, wake_count;
static int follows, is_race;

static struct thread *threads[MOST_THREADS];
static u32 thread_count;
static struct thread first_thread = {.known = 1};
static __thread struct thread *self;
int incise_watched;

struct thread *incise_this_thread(void) { return self ? self : &first_thread; }
u32 incise_thread_count(void) { return thread_count; }
struct thread *incise_thread_at(u32 index) { return threads[index]; }
const u64 *incise_wakes(u64 *count) {
    *count = wake_count;
    return wakes;
}

struct thread *incise_thread(u64 number) {
    for (u32 i = 0; i < thread_count; i++)
        if (threads[i]->number == number) return threads[i];
    return 0;
}

/* ---- The script ------------------------------------------------------------------------------- */

static u64 next_number(const u64 **script) { return *(*script)++; }

static const u64 *list(const u64 **script, u64 *count) {
    *count = next_number(script);
    const u64 *all = *script;
    *script += *count;
    return all;
}

/* Called by the driver before the program runs. */
void incise_read_schedule(const u64 *script) {
    follows = next_number(&script) != 0;
    if (!follows) return;
    is_race = next_number(&script) != 0;
    starts = list(&script, &start_count);
    left_count = next_number(&script);
    left = script;
    script += 2 * left_count;
    step_count = next_number(&script);
    steps = calloc(step_count + 1, sizeof *steps);
    for (u64 i = 0; i < step_count; i++) {
        struct step *step = steps + i;
        step->thread = next_number(&script);
        step->site = next_number(&script);
        step->kind = next_number(&script);
        step->number = next_number(&script);
        step->starts = list(&script, &step->start_count);
        step->wakes = list(&script, &step->wake_count);
    }
    /* The accesses of a race are looked at, and not done. */
    taken_count = is_race ? step_count - 2 : step_count;
    threads[thread_count++] = &first_thread;
}

/* ---- What went otherwise ---------------------------------------------------------------------- */

static __attribute__((noreturn, format(printf, 2, 3))) void otherwise(u64 step, const char *format, ...) {
    char text[512];
    int length = step < step_count ? snprintf(text, sizeof text, "step %lu: ", (unsigned long)steps[step].number)
                                   : snprintf(text, sizeof text, "after the last step: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    incise_diverged(text);
}

/* A place in the words that src/threads/places.rs turns into a line of the source. */
#define PLACE "@%lu.%lu"
#define PLACE_OF(site) (unsigned long)((site) >> 32), (unsigned long)(u32)(site)

/* ---- The baton -------------------------------------------------------------------------------- */

static void sleep_until_go(struct thread *thread) {
    while (!__atomic_load_n(&thread->go, __ATOMIC_ACQUIRE)) syscall(SYS_futex, &thread->go, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
    __atomic_store_n(&thread->go, 0, __ATOMIC_RELAXED);
}

static void wake(struct thread *thread) {
    __atomic_store_n(&thread->go, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &thread->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* The next step of a thread, or the number of all. */
static u64 next_step(struct thread *thread) {
    while (thread->cursor < step_count && steps[thread->cursor].thread != thread->number) thread->cursor++;
    return thread->cursor;
}

/* The place at which a thread is expected to stop next; 0 if it is not. */
static u64 expected_site(struct thread *thread) {
    u64 next = next_step(thread);
    if (next < step_count) return steps[next].site;
    for (u64 i = 0; i < left_count; i++)
        if (left[2 * i] == thread->number) return left[2 * i + 1];
    return 0;
}

static void check_race(void) {
    const struct step *pair = steps + taken_count;
    struct thread *both[2];
    for (int i = 0; i < 2; i++) {
        both[i] = incise_thread(pair[i].thread);
        if (!both[i] || both[i]->over) otherwise(taken_count + (u64)i, "thread %lu has ended", (unsigned long)pair[i].thread);
        if (both[i]->site != pair[i].site)
            otherwise(taken_count + (u64)i, "thread %lu is at " PLACE, (unsigned long)pair[i].thread, PLACE_OF(both[i]->site));
        if (both[i]->guard != FREE) otherwise(taken_count + (u64)i, "thread %lu waits", (unsigned long)pair[i].thread);
    }
    /* What a library function touches is not known. */
    char *one = both[0]->address, *two = both[1]->address;
    int known = both[0]->size && both[1]->size;
    if (known && (one >= two + both[1]->size || two >= one + both[0]->size))
        otherwise(taken_count, "the two accesses are not to the same bytes");
    if (known && !both[0]->writes && !both[1]->writes) otherwise(taken_count, "neither access writes");
    char text[256];
    snprintf(text, sizeof text, "thread %u and thread %u are both about to access the same %s", both[0]->number,
             both[1]->number, known ? "bytes" : "object");
    incise_note(RACED, text);
}

static int is_able(const struct thread *thread) { return thread->guard == FREE || incise_can_go_on(thread); }

/* Nothing is left of the schedule, and the program has not ended: nobody may be able to go on. */
static void schedule_is_over(void) {
    if (is_race) check_race();
    for (u32 i = 0; i < thread_count; i++) {
        struct thread *thread = threads[i];
        if (thread->over || thread->spun || !is_able(thread)) continue;
        if (thread->ended || thread->site == 0)
            otherwise(step_count, "thread %u ends the program", thread->number);
        if (thread->guard != FREE) otherwise(step_count, "thread %u can go on at " PLACE, thread->number, PLACE_OF(thread->site));
        /* Perhaps it only looks at something again and again. */
        thread->spinning = 1;
        thread->stopped = 0;
        wake(thread);
        return;
    }
    char text[512] = "nobody can go on:";
    size_t length = strlen(text);
    for (u32 i = 0; i < thread_count && length < sizeof text - 64; i++)
        if (!threads[i]->over)
            length += (size_t)snprintf(text + length, sizeof text - length, " thread %u at " PLACE ",", threads[i]->number,
                                       PLACE_OF(threads[i]->site));
    text[length - 1] = 0;
    incise_note(STUCK, text);
}

static void give_baton(void) {
    struct thread *newborn = 0;
    for (u32 i = 0; i < thread_count; i++)
        if (threads[i]->newborn && (!newborn || threads[i]->number < newborn->number)) newborn = threads[i];
    if (newborn) {
        newborn->newborn = 0;
        wake(newborn);
        return;
    }
    if (at >= taken_count) {
        schedule_is_over();
        return;
    }
    const struct step *step = steps + at;
    struct thread *next = incise_thread(step->thread);
    if (!next) otherwise(at, "thread %lu was not started", (unsigned long)step->thread);
    if (next->over) otherwise(at, "thread %u has ended", next->number);
    /* Who wakes itself was not woken by anybody. */
    for (u64 i = 0; i < step->wake_count; i++)
        if (step->wakes[i] == next->number) next->asleep = 0;
    if (!is_able(next)) otherwise(at, "thread %u has to wait at " PLACE, next->number, PLACE_OF(next->site));
    starts = step->starts;
    start_count = step->start_count;
    started = 0;
    wakes = step->wakes;
    wake_count = step->wake_count;
    next->cursor = at + 1;
    next->stopped = 0;
    at++;
    wake(next);
}

/* This thread stops before an operation, and goes on when it is its turn. */
static void stop(struct thread *thread) {
    thread->stopped = 1;
    give_baton();
    sleep_until_go(thread);
}

/* A thread that does nothing but look again and again waits; one that changes something does not. */
static void spin(struct thread *thread, u64 site) {
    if (thread->address && thread->size <= sizeof thread->found && thread->spins > 0 &&
        memcmp(thread->found, thread->address, thread->size))
        otherwise(step_count, "thread %u goes on at " PLACE, thread->number, PLACE_OF(thread->site));
    if (thread->spins++ < SPINS) return;
    thread->spun = 1;
    thread->site = site;
    stop(thread);
}

/* A thread has come to an operation that others can see. */
static void arrive(struct thread *thread, u64 site) {
    u64 next = next_step(thread);
    u64 expected = expected_site(thread);
    if (expected && expected != site) {
        /* Where an error does not end the program by itself, that shows behind it. */
        if (next < step_count && steps[next].kind == END && !thread->spinning) {
            thread->site = steps[next].site;
            stop(thread);
            otherwise(next, "thread %u goes on at " PLACE, thread->number, PLACE_OF(site));
        }
        otherwise(next, "thread %u is at " PLACE, thread->number, PLACE_OF(site));
    }
    thread->site = site;
    thread->last_site = site;
    thread->joining = 0;
    stop(thread);
    if (next < step_count && steps[next].kind == END) thread->ended = 1;
}

/* ---- What the program calls ------------------------------------------------------------------- */

static int is_fixed(const void *address);

void incise_access(u64 site, void *address, u64 size, u64 what) {
    struct thread *thread = incise_this_thread();
    if (!incise_watched || !follows || thread->atomic) return;
    if (thread->spinning) {
        spin(thread, site);
        /* What the thread puts into variables of its own on the way is nothing that it does to others. */
        thread->address = (what & LOCAL) && (what & WRITES) ? 0 : address;
        thread->size = size;
        thread->site = site;
        if (size <= sizeof thread->found) memcpy(thread->found, address, size);
        return;
    }
    if (((what & LOCAL) || is_fixed(address)) && expected_site(thread) != site) return;
    thread->guard = FREE;
    thread->address = address;
    thread->size = size;
    thread->writes = what & WRITES;
    arrive(thread, site);
}

/* A call of what may be a function of the library, or the end of a function: whether others can see it is told by the
   schedule alone. */
void incise_before_call(u64 site) {
    struct thread *thread = incise_this_thread();
    thread->last_site = site;
    thread->taken = 0;
    if (!incise_watched || !follows || thread->atomic || thread->spinning || expected_site(thread) != site) return;
    thread->guard = FREE;
    thread->size = 0;
    arrive(thread, site);
    thread->taken = site;
}

/* A function that synchronises is called next: it stops by itself. */
void incise_at(u64 site) {
    incise_this_thread()->last_site = site;
    incise_this_thread()->taken = 0;
}

void incise_enter_atomic(u64 site) {
    struct thread *thread = incise_this_thread();
    thread->last_site = site;
    if (!thread->atomic) incise_turn(FREE, 0, 0);
    thread->atomic++;
}

void incise_leave_atomic(void) {
    struct thread *thread = incise_this_thread();
    if (!thread->atomic) incise_reported("thread-misuse: an atomic block ends that has not begun");
    thread->atomic--;
}

void incise_turn(enum guard guard, void *object, u64 extra) {
    struct thread *thread = incise_this_thread();
    thread->guard = guard;
    thread->object = object;
    thread->extra = extra;
    thread->size = 0;
    if (!incise_watched || !follows || thread->atomic) {
        if (guard != FREE && !incise_can_go_on(thread)) {
            thread->site = thread->last_site;
            if (!incise_watched) incise_note(STUCK, "the only thread waits for ever");
            incise_diverged("a thread waits within a block that is done in one step");
        }
    } else if (thread->spinning) {
        if (guard == FREE || incise_can_go_on(thread))
            otherwise(step_count, "thread %u goes on at " PLACE, thread->number, PLACE_OF(thread->last_site));
        thread->site = thread->last_site;
        stop(thread);
    } else if (thread->taken == thread->last_site && thread->taken) {
        /* Called through a pointer: nobody knew that it synchronises, and the step is this one. */
        thread->taken = 0;
        if (!incise_can_go_on(thread)) otherwise(at - 1, "thread %u has to wait", thread->number);
    } else {
        arrive(thread, thread->last_site);
    }
    thread->guard = FREE;
}

/* What is tried in vain is only looked at: a loop that does nothing else waits. */
void incise_attempt(enum guard guard, void *object) {
    struct thread *thread = incise_this_thread();
    thread->guard = guard;
    thread->object = object;
    int fails = !incise_can_go_on(thread);
    thread->guard = FREE;
    if (thread->spinning && fails && incise_watched && follows && !thread->atomic) spin(thread, thread->last_site);
    else incise_turn(FREE, object, 0);
}

/* ---- Threads ---------------------------------------------------------------------------------- */

static void *begin(void *given) {
    struct thread *thread = given;
    self = thread;
#ifndef INCISE_SANITIZED
    /* A sanitizer has one of its own, which it gives back. */
    stack_t stack = {.ss_sp = malloc(SIGNAL_STACK), .ss_size = SIGNAL_STACK};
    if (stack.ss_sp) sigaltstack(&stack, 0);
#endif
    sleep_until_go(thread);
    void *result = thread->start_c11 ? (void *)(intptr_t)thread->start_c11(thread->argument) : thread->start(thread->argument);
    incise_end_thread(result);
#ifdef INCISE_SANITIZED
    /* Its stack stays, so that a sanitizer knows who looks at it. */
    for (;;) sleep_until_go(thread);
#endif
    return 0;
}

/* Starts a thread, which waits for its turn. Gives its number. */
u32 incise_start_thread(struct thread *made) {
    if (!follows) incise_diverged("a thread is started, and the test has no schedule");
    if (started >= start_count) otherwise(at, "a thread is started that the schedule does not have");
    if (thread_count == MOST_THREADS) incise_diverged("there are too many threads");
    made->number = (u32)starts[started++];
    made->known = made->newborn = 1;
    threads[thread_count++] = made;
    incise_watched = 1;
    pthread_attr_t attributes;
    pthread_t ignored;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&ignored, &attributes, begin, made)) incise_diverged("no more threads can be started here");
    pthread_attr_destroy(&attributes);
    return made->number;
}

void incise_watch_if_needed(void) {
    struct thread *running = incise_this_thread();
    incise_watched = 0;
    for (u32 i = 0; i < thread_count; i++)
        if (threads[i] != running && (!threads[i]->over || !threads[i]->joined)) incise_watched = 1;
}

/* A thread has ended: the others go on. */
void incise_end_thread(void *result) {
    struct thread *thread = incise_this_thread();
    extern void incise_destroy_specific(struct thread *);
    incise_destroy_specific(thread);
    thread->result = result;
    if (!follows || !incise_watched) exit(0);
    if (next_step(thread) < step_count) otherwise(thread->cursor, "thread %u has ended", thread->number);
    thread->over = 1;
    thread->stopped = 1;
    int living = 0;
    for (u32 i = 0; i < thread_count; i++) living |= !threads[i]->over;
    if (!living) {
        if (at < taken_count) otherwise(at, "all threads have ended");
        exit(0);
    }
    give_baton();
}

void incise_thread_over(void *result) {
    struct thread *thread = incise_this_thread();
    incise_end_thread(result);
    /* The stack stays, in which others may look at something. */
#ifndef INCISE_SANITIZED
    if (thread != &first_thread) pthread_exit(0);
#endif
    for (;;) sleep_until_go(thread);
}

/* The program ends now, or a native function says what is wrong: that is a step, too. */
void incise_end_turn(void) {
    struct thread *thread = incise_this_thread();
    if (!follows || !incise_watched || thread->ended || thread->over) return;
    u64 next = next_step(thread);
    if (next < step_count && steps[next].kind != END) otherwise(next, "thread %u ends the program", thread->number);
    thread->guard = FREE;
    thread->size = 0;
    thread->site = next < step_count ? steps[next].site : 0;
    thread->atomic = 0;
    thread->ended = 1;
    stop(thread);
}

/* ---- What cannot be written ------------------------------------------------------------------- */

enum { RANGES = 16 };
static u64 fixed_from[RANGES], fixed_to[RANGES];
static int fixed_count = -1;

static int look(struct dl_phdr_info *info, size_t size, void *found) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum && *(int *)found < RANGES; i++) {
        const ElfW(Phdr) *part = info->dlpi_phdr + i;
        int fixed = (part->p_type == PT_LOAD && !(part->p_flags & PF_W)) || part->p_type == PT_GNU_RELRO;
        if (!fixed) continue;
        fixed_from[*(int *)found] = info->dlpi_addr + part->p_vaddr;
        fixed_to[*(int *)found] = info->dlpi_addr + part->p_vaddr + part->p_memsz;
        ++*(int *)found;
    }
    /* The program itself comes first; libraries are not looked at. */
    return 1;
}

static int is_fixed(const void *address) {
    if (fixed_count < 0) {
        int found = 0;
        dl_iterate_phdr(look, &found);
        fixed_count = found;
    }
    for (int i = 0; i < fixed_count; i++)
        if ((u64)address >= fixed_from[i] && (u64)address < fixed_to[i]) return 1;
    return 0;
}
