/*
 * The functions by which a program asks for its inputs (KLEE's and SV-COMP's), answered from a table.
 *
 * Linked with native replays and with generated C tests. Everything is weak, so that a definition of
 * the program itself wins, as it does when Incise explores.
 */
#include <stddef.h>
#include <stdint.h>

struct incise_input {
    const char *kind; /* "klee", or the name of the function whose result it is */
    const char *name;
    const unsigned char *bytes;
    unsigned long size;
};

const struct incise_input *incise_inputs;
unsigned long incise_input_count;

/* Which inputs have been handed out. More than this many calls are not expected of a test. */
static unsigned long incise_handed_out[128];
static unsigned long incise_kinds;
static const char *incise_kind_names[128];

#define WEAK __attribute__((weak))

extern int dprintf(int, const char *, ...);
extern void _exit(int) __attribute__((noreturn));
extern void abort(void) __attribute__((noreturn));

/* The real run left the path of the test. */
WEAK __attribute__((noreturn)) void incise_diverged(const char *why) {
    dprintf(2, "the run does not follow the test: %s\n", why);
    _exit(125);
}

/* The program reported an error itself. */
WEAK __attribute__((noreturn)) void incise_reported(const char *message) {
    dprintf(2, "%s\n", message);
    abort();
}

static int incise_same(const char *left, const char *right) {
    while (*left && *left == *right) left++, right++;
    return *left == *right;
}

/* The next input of that kind, from where the last one of the kind was found. */
static const struct incise_input *incise_next(const char *kind) {
    unsigned long slot = 0;
    while (slot < incise_kinds && !incise_same(incise_kind_names[slot], kind)) slot++;
    if (slot == incise_kinds) {
        if (slot == sizeof incise_handed_out / sizeof *incise_handed_out) incise_diverged("too many kinds of inputs");
        incise_kind_names[incise_kinds++] = kind;
    }
    for (unsigned long at = incise_handed_out[slot]; at < incise_input_count; at++)
        if (incise_same(incise_inputs[at].kind, kind)) {
            incise_handed_out[slot] = at + 1;
            return &incise_inputs[at];
        }
    incise_diverged("the program asks for an input that the test does not have");
}

/* Whether there is one more input of that kind. */
int incise_has(const char *kind) {
    unsigned long slot = 0, at = 0;
    while (slot < incise_kinds && !incise_same(incise_kind_names[slot], kind)) slot++;
    if (slot < incise_kinds) at = incise_handed_out[slot];
    while (at < incise_input_count && !incise_same(incise_inputs[at].kind, kind)) at++;
    return at < incise_input_count;
}

static void incise_returned(void *const *result);

/* Copies the next input of that kind to where the program wants it. */
void incise_take(const char *kind, void *target, unsigned long size) {
    const struct incise_input *input = incise_next(kind);
    unsigned char *bytes = target;
    if (input->size != size) incise_diverged("the program asks for an input of another size");
    for (unsigned long i = 0; i < size; i++) bytes[i] = input->bytes[i];
    if (size == sizeof(void *)) incise_returned(target);
}

/* ---- Functions that nobody can see into ------------------------------------------------------ */

/* The global variables, in the order of the scripts' indices. */
extern void *const incise_globals[] WEAK;
/* What stands in for errno in that table. */
extern int incise_errno WEAK;
extern int *__errno_location(void);
static unsigned long incise_calls;

static unsigned long incise_digits(const char **text) {
    unsigned long number = 0;
    while (**text >= '0' && **text <= '9') number = 10 * number + (unsigned long)(*(*text)++ - '0');
    return number;
}

/* Where a way from the arguments of a call leads: `arg2`, `arg1:8` through the pointer at offset 8, `@3` for a global variable. */
static unsigned char *incise_follow(const char *way, void *const *arguments, unsigned long count) {
    unsigned char *at;
    if (*way == '@') {
        way++;
        at = incise_globals[incise_digits(&way)];
        if (&incise_errno && at == (unsigned char *)&incise_errno) at = (unsigned char *)__errno_location();
    } else {
        way += 3;
        unsigned long index = incise_digits(&way);
        if (index < 1 || index > count) incise_diverged("what a function writes cannot be reached");
        at = arguments[index - 1];
    }
    while (*way && at) {
        int through = *way++ == ':';
        unsigned long number = incise_digits(&way);
        at = through ? *(unsigned char **)(at + number) : at - number;
    }
    return at;
}

/* What calls were given and returned that a later one writes to, by the number of the input that it writes. */
static unsigned char *incise_kept[1024];
#define KEPT (sizeof incise_kept / sizeof *incise_kept)

/* The way of an input that this call is to keep the start of: `!3:#1:arg2` in call 1, else null. */
static const char *incise_keeps(unsigned long input) {
    const char *kind = incise_inputs[input].kind;
    if (input >= KEPT || *kind++ != '!') return 0;
    incise_digits(&kind);
    if (kind[0] != ':' || kind[1] != '#') return 0;
    kind += 2;
    return incise_digits(&kind) == incise_calls && *kind == ':' ? kind + 1 : 0;
}

/* A stand-in is about to return a pointer. */
static void incise_returned(void *const *result) {
    for (unsigned long i = 0; i < incise_input_count; i++) {
        const char *way = incise_keeps(i);
        if (way && *way == 'r' && !incise_kept[i]) incise_kept[i] = *result;
    }
}

/* Whether this call writes an input of the test; the way is behind the number of the call. */
static const char *incise_writes(unsigned long input) {
    const char *kind = incise_inputs[input].kind;
    return *kind++ == '!' && incise_digits(&kind) == incise_calls ? kind + 1 : 0;
}

/* A stand-in was called: writes what the test says that this call writes. Ways lead through memory as it was before. */
void incise_called(void *const *arguments, unsigned long count) {
    incise_calls++;
    for (unsigned long i = 0; i < incise_input_count; i++) {
        const char *way = incise_keeps(i);
        if (way && *way == 'a') incise_kept[i] = incise_follow(way, arguments, count);
        way = incise_writes(i);
        if (way && *way != '#' && i < KEPT) incise_kept[i] = incise_follow(way, arguments, count);
        if (way && i >= KEPT) incise_diverged("more inputs than stand-ins keep");
    }
    for (unsigned long i = 0; i < incise_input_count; i++) {
        const struct incise_input *input = &incise_inputs[i];
        unsigned char *target = incise_writes(i) ? incise_kept[i] : 0;
        for (unsigned long byte = 0; target && byte < input->size; byte++) target[byte] = input->bytes[byte];
    }
}

/* ---- KLEE ---------------------------------------------------------------------------------- */

WEAK void klee_make_symbolic(void *address, size_t size, const char *name) {
    (void)name;
    incise_take("klee", address, size);
}

WEAK int klee_int(const char *name) {
    int value;
    (void)name;
    incise_take("klee", &value, sizeof value);
    return value;
}

WEAK int klee_range(int first, int end, const char *name) {
    int value;
    (void)name;
    /* A range of one value needs no input. */
    if (first + 1 == end) return first;
    incise_take("klee", &value, sizeof value);
    if (value < first || value >= end) incise_diverged("a klee_range input is outside of its range");
    return value;
}

WEAK void klee_assume(uintptr_t condition) {
    if (!condition) incise_diverged("an assumption of klee_assume does not hold");
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK __attribute__((noreturn)) void klee_silent_exit(int status) {
    (void)status;
    incise_diverged("klee_silent_exit was called");
}
WEAK __attribute__((noreturn)) void klee_abort(void) { abort(); }
WEAK __attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message,
                                                      const char *suffix) {
    (void)file, (void)line, (void)suffix;
    incise_reported(message);
}
WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
WEAK unsigned klee_is_replay(void) { return 1; }
WEAK float klee_get_valuef(float expression) { return expression; }
WEAK double klee_get_valued(double expression) { return expression; }
WEAK long klee_get_valuel(long expression) { return expression; }
WEAK long long klee_get_valuell(long long expression) { return expression; }
WEAK int32_t klee_get_value_i32(int32_t expression) { return expression; }
WEAK int64_t klee_get_value_i64(int64_t expression) { return expression; }
WEAK void klee_define_fixed_object(void *address, size_t size) { (void)address, (void)size; }
WEAK void klee_check_memory_access(const void *address, size_t size) {
    for (size_t i = 0; i < size; i++) (void)((const volatile char *)address)[i];
}
WEAK int klee_get_errno(void) { return *__errno_location(); }
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message) { (void)message; }
WEAK void klee_print_expr(const char *message, ...) { (void)message; }
WEAK void klee_stack_trace(void) {}
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}

/* ---- SV-COMP ------------------------------------------------------------------------------- */

#define NONDET(name, type)                                            \
    WEAK type __VERIFIER_nondet_##name(void) {                        \
        type value;                                                   \
        incise_take("__VERIFIER_nondet_" #name, &value, sizeof value); \
        return value;                                                 \
    }

NONDET(bool, _Bool)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(int128, __int128)
NONDET(uint128, unsigned __int128)
NONDET(float, float)
NONDET(double, double)
NONDET(size_t, size_t)
NONDET(loff_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(s8, int8_t)
NONDET(s16, int16_t)
NONDET(s32, int32_t)
NONDET(s64, int64_t)
NONDET(charp, char *)
NONDET(pchar, char *)
NONDET(pointer, void *)

WEAK void __VERIFIER_assume(int condition) {
    if (!condition) incise_diverged("an assumption of __VERIFIER_assume does not hold");
}
WEAK void __VERIFIER_assert(int condition) {
    if (!condition) incise_reported("assertion: __VERIFIER_assert");
}
WEAK __attribute__((noreturn)) void __VERIFIER_error(void) { incise_reported("assertion: __VERIFIER_error"); }
WEAK __attribute__((noreturn)) void reach_error(void) { incise_reported("assertion: reach_error"); }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
