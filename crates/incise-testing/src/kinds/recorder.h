/*
 * Marks what statements read and write, so that a native run tells which statement read what another one wrote. The analysis sees the program without marks.
 *
 * S starts a statement, R reads a place, W writes one, COPY copies memory, CALL calls by address; ENTER, PARAMETER and RETURN stand around the body of a function.
 * A statement writes when it ends, so that it does not matter in which order its parts are evaluated.
 */
#include <stdio.h>

#define S record_step(__LINE__),
#define R(place) (*(__typeof__(place) *)record_read(&(place), sizeof(place)))
#define W(place) (*(__typeof__(place) *)record_write(&(place), sizeof(place)))
#define COPY(to, from, size) memcpy(record_write(to, size), record_read(from, size), size)
#define CALL(function) ((__typeof__(function))record_call(function))
#define ENTER record_enter()
#define PARAMETER(place) record_parameter(&(place), sizeof(place))
#define RETURN(value)                  \
    do {                               \
        __typeof__(value) r_ = value;  \
        record_leave();                \
        return r_;                     \
    } while (0)
#define NAME(function) record_name(function, #function)
#define BEGIN record_begin()
#define END record_end()

/* The activations that have not returned: the statement that each is at, and how many statements began before. */
static struct { unsigned serial, line, step; } frames[64];
static int depth;
static unsigned serials, steps, left;

/* Which statement of an activation wrote a byte last; activation 0 stands for the innermost one at the time of writing. */
enum { SLOTS = 1 << 18 };
static struct slot { unsigned serial; unsigned long address; unsigned line, step; } slots[SLOTS];

static struct slot *find(unsigned serial, unsigned long address) {
    unsigned long hash = (address * 0x9e3779b97f4a7c15ul ^ serial * 0xd1342543de82ef95ul) >> 20;
    struct slot *slot;
    while (slot = &slots[hash++ % SLOTS], slot->address && (slot->address != address || slot->serial != serial)) {
    }
    slot->serial = serial, slot->address = address;
    return slot;
}

/* Pairs of lines that were told already. */
static unsigned char told[1 << 16];

static void tell(char what, unsigned from, unsigned to) {
    unsigned bit = (from * 2654435761u ^ to * 40503u ^ what * 97u) % (sizeof told * 8);
    if (!(told[bit / 8] >> bit % 8 & 1)) {
        told[bit / 8] |= 1 << bit % 8;
        printf("%c %u %u\n", what, from, to);
    }
}

static struct { char *address; unsigned size; int depth; } pending[256];
static int writes;

static void record_bytes(char *address, unsigned size, int innermost) {
    for (unsigned i = 0; i < size && left; i++, left--) {
        for (int at = 1; at <= innermost; at++) {
            struct slot *slot = find(frames[at].serial, (unsigned long)address + i);
            slot->line = frames[at].line, slot->step = frames[at].step;
        }
        find(0, (unsigned long)address + i)->line = frames[innermost].line;
    }
}

static void record_commit(void) {
    while (writes && pending[writes - 1].depth == depth) {
        writes--;
        record_bytes(pending[writes].address, pending[writes].size, depth);
    }
}

static void record_step(unsigned line) {
    record_commit();
    frames[depth].line = line;
    frames[depth].step = ++steps;
}

static void *record_read(const void *address, unsigned size) {
    for (unsigned i = 0; i < size && left; i++, left--) {
        for (int at = 1; at <= depth; at++) {
            struct slot *slot = find(frames[at].serial, (unsigned long)address + i);
            if (slot->line && slot->step != frames[at].step) {
                tell('d', slot->line, frames[at].line);
            }
        }
        struct slot *slot = find(0, (unsigned long)address + i);
        if (slot->line) {
            tell('x', slot->line, frames[depth].line);
        }
    }
    return (void *)address;
}

static void *record_write(void *address, unsigned size) {
    pending[writes].address = address;
    pending[writes].size = size;
    pending[writes++].depth = depth;
    return address;
}

static void record_enter(void) {
    frames[++depth].serial = ++serials;
    frames[depth].line = frames[depth].step = 0;
}

/* Nobody writes a parameter in its own activation; for those further out it was the call. */
static void record_parameter(void *address, unsigned size) {
    record_bytes(address, size, depth);
}

static void record_leave(void) {
    record_commit();
    depth--;
}

static struct { void *function; const char *name; } names[4096];
static int named;

static void record_name(void *function, const char *name) {
    names[named].function = function;
    names[named++].name = name;
}

static void *record_call(void *function) {
    for (int i = 0; i < named; i++) {
        if (names[i].function == function) {
            printf("c %u %s\n", frames[depth].line, names[i].name);
        }
    }
    return function;
}

static void record_begin(void) {
    memset(slots, 0, sizeof slots);
    memset(told, 0, sizeof told);
    left = SLOTS / 8;
}

static void record_end(void) {
    left = 0;
}
