/*
 * Allocating functions of which the n-th call of a run fails, n being an input of the test.
 *
 * Linked with native replays in which an allocation fails; the program's calls go here. Everything is weak,
 * so that a definition of the program itself wins.
 */
#include <stddef.h>

#define WEAK __attribute__((weak))

struct incise_input {
    const char *kind;
    const char *name;
    const unsigned char *bytes;
    unsigned long size;
};

extern const struct incise_input *incise_inputs;
extern unsigned long incise_input_count;

extern void *malloc(size_t), *valloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
extern void *reallocarray(void *, size_t, size_t), *aligned_alloc(size_t, size_t), *memalign(size_t, size_t);
extern void *incise_inner_realloc(void *, size_t);
extern int posix_memalign(void **, size_t, size_t);
extern char *strdup(const char *), *strndup(const char *, size_t);

static int same(const char *left, const char *right) {
    while (*left && *left == *right) left++, right++;
    return *left == *right;
}

/* Whether this is the allocation that fails in the test; a test without such an input has none. */
static int incise_allocation_fails(void) {
    static unsigned allocations;
    unsigned failing = 0;
    allocations++;
    for (unsigned long at = 0; at < incise_input_count; at++)
        if (same(incise_inputs[at].kind, "__incise_failing_malloc"))
            for (unsigned long i = 0; i < incise_inputs[at].size && i < sizeof failing; i++)
                failing |= (unsigned)incise_inputs[at].bytes[i] << 8 * i;
    return failing == allocations;
}

WEAK void *incise_malloc(size_t size) { return incise_allocation_fails() ? 0 : malloc(size); }
WEAK void *incise_valloc(size_t size) { return incise_allocation_fails() ? 0 : valloc(size); }
WEAK void *incise_calloc(size_t count, size_t size) { return incise_allocation_fails() ? 0 : calloc(count, size); }
WEAK void *incise_realloc(void *old, size_t size) { return incise_allocation_fails() ? 0 : incise_inner_realloc(old, size); }
WEAK void *incise_reallocarray(void *old, size_t count, size_t size) {
    return incise_allocation_fails() ? 0 : reallocarray(old, count, size);
}
WEAK void *incise_aligned_alloc(size_t alignment, size_t size) {
    return incise_allocation_fails() ? 0 : aligned_alloc(alignment, size);
}
WEAK void *incise_memalign(size_t alignment, size_t size) {
    return incise_allocation_fails() ? 0 : memalign(alignment, size);
}
WEAK int incise_posix_memalign(void **place, size_t alignment, size_t size) {
    return incise_allocation_fails() ? 12 : posix_memalign(place, alignment, size);
}
WEAK char *incise_strdup(const char *text) { return incise_allocation_fails() ? 0 : strdup(text); }
WEAK char *incise___strdup(const char *text) { return incise_allocation_fails() ? 0 : strdup(text); }
WEAK char *incise_strndup(const char *text, size_t limit) {
    return incise_allocation_fails() ? 0 : strndup(text, limit);
}
