/* What the input makers of this folder share: chance, objects of exactly the size that they should have, and a record of inputs and outputs.
 *
 * A maker includes this file, then VERSION (one of base.c, harmless.c and harmful.c), and defines try_once(), which makes an input as the function's callers would, shows it,
 * calls the function, and tells what came out. Every version is given the same inputs; a line is written for each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void try_once(void);

static uint64_t n_seed;
static void *n_objects[256];
static unsigned n_count;

static uint64_t n_next(void) {
    uint64_t word = n_seed += 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

/* A number from 0 to bound - 1. */
static unsigned n_below(unsigned bound) { return (unsigned)(n_next() % bound); }

/* A number from low to high. */
static long n_between(long low, long high) { return low + (long)(n_next() % (uint64_t)(high - low + 1)); }

/* Something that happens in so many of a hundred cases. */
static int n_percent(unsigned chance) { return n_below(100) < chance; }

/* A number of elements: mostly up to 12, seldom more. */
static size_t n_size(void) { return n_percent(90) ? n_below(13) : n_below(41); }

/* A number with a liking for small ones and for limits. */
static int64_t n_number(void) {
    switch (n_below(6)) {
    case 0: return (int64_t)n_next();
    case 1: return n_between(-3, 12);
    case 2: return n_between(0, 255);
    case 3: return ((int64_t)1 << n_below(40)) + n_between(-1, 1);
    case 4: return -(int64_t)n_below(100000);
    default: return (int64_t)n_next() >> n_below(64);
    }
}

/* An object of this size and no more; it is gone after the call. */
static void *n_new(size_t size) {
    if (n_count == sizeof n_objects / sizeof *n_objects)
        abort();
    void *object = malloc(size);
    memset(object, 0xcd, size);
    return n_objects[n_count++] = object;
}

static uint8_t n_byte(void) {
    static const uint8_t liked[] = {0, 1, 2, 3, 4, 5, 8, 0x7f, 0x80, 0xff};
    return n_percent(50) ? liked[n_below(sizeof liked)] : (uint8_t)n_next();
}

/* An object of any bytes. */
static uint8_t *n_bytes(size_t size) {
    uint8_t *bytes = n_new(size);
    for (size_t i = 0; i < size; i++)
        bytes[i] = n_byte();
    return bytes;
}

/* Bytes out of an alphabet, seldom others, not ended. */
static char *n_letters(size_t length, const char *alphabet) {
    char *text = n_new(length);
    for (size_t i = 0; i < length; i++)
        text[i] = n_percent(97) ? alphabet[n_below((unsigned)strlen(alphabet))] : (char)(1 + n_below(255));
    return text;
}

/* A copy of a string with room for so many bytes behind its end; sometimes with one character replaced, or cut. */
static char *n_copy(const char *like, const char *alphabet, size_t more) {
    size_t length = strlen(like);
    char *text = n_new(length + 1 + more);
    memcpy(text, like, length + 1);
    if (length > 0 && n_percent(40))
        text[n_below((unsigned)length)] = alphabet[n_below((unsigned)strlen(alphabet))];
    if (n_percent(10))
        text[n_below((unsigned)length + 1)] = 0;
    return text;
}

/* A string of any length out of an alphabet. */
static char *n_text(const char *alphabet) {
    size_t length = n_size();
    char *letters = n_letters(length, alphabet);
    char *text = n_new(length + 1);
    memcpy(text, letters, length);
    text[length] = 0;
    return text;
}

static void n_show(const char *name, const void *bytes, size_t size) {
    printf(" %s=", name);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = ((const unsigned char *)bytes)[i];
        printf(byte > ' ' && byte < 0x7f && byte != '\\' ? "%c" : "\\x%02x", byte);
    }
}

static void n_show_text(const char *name, const char *text) {
    if (text == NULL)
        printf(" %s=null", name);
    else
        n_show(name, text, strlen(text));
}

static void n_show_number(const char *name, long long number) { printf(" %s=%lld", name, number); }

/* Where a pointer leads within an object. */
static void n_show_place(const char *name, const void *pointer, const void *object) {
    if (pointer == NULL)
        printf(" %s=null", name);
    else
        printf(" %s=+%ld", name, (long)((const char *)pointer - (const char *)object));
}

#define n_result(value) n_show_number("result", (long long)(value))

int main(int argc, char **argv) {
    long inputs = argc > 1 ? atol(argv[1]) : 1000;
    for (long number = 0; number < inputs; number++) {
        n_seed = (uint64_t)number * 0xd1342543de82ef95;
        printf("#%ld", number);
        try_once();
        printf("\n");
        fflush(stdout);
        while (n_count > 0)
            free(n_objects[--n_count]);
    }
    return 0;
}
