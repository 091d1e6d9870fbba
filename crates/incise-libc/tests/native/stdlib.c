/* Sorting, searching, random numbers and small arithmetic against the C library. */
#define _GNU_SOURCE
#include "check.h"
#include <strings.h>

void model_qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void model_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *model_bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int model_rand(void);
void model_srand(unsigned);
long model_random(void);
void model_srandom(unsigned);
int model_rand_r(unsigned *);
double model_drand48(void);
long model_lrand48(void);
long model_mrand48(void);
double model_erand48(unsigned short[3]);
long model_nrand48(unsigned short[3]);
long model_jrand48(unsigned short[3]);
void model_srand48(long);
int model_abs(int);
long model_labs(long);
long long model_llabs(long long);
div_t model_div(int, int);
ldiv_t model_ldiv(long, long);
lldiv_t model_lldiv(long long, long long);
int model_ffs(int);
int model_ffsl(long);
int model_ffsll(long long);

/* A trace of the comparisons, because their order can be seen too. */
static uint64_t trace;
static size_t key_size;

static int by_first_byte(const void *left, const void *right) {
    const unsigned char *a = left, *b = right;
    for (size_t at = 0; at < key_size; at++) {
        trace = trace * 31 + a[at] * 7 + b[at];
    }
    return a[0] - b[0];
}

static int by_first_byte_downwards(const void *left, const void *right, void *argument) {
    ++*(int *)argument;
    return *(const unsigned char *)right - *(const unsigned char *)left;
}

static void check_sorting(void) {
    static unsigned char ours[8192], theirs[8192];
    for (int round = 0; round < 3000; round++) {
        size_t size = below(40) + 1;
        size_t count = round % 50 ? below(20) : below(8192 / 40);
        for (size_t at = 0; at < size * count; at++) {
            ours[at] = theirs[at] = (unsigned char)below(at % size ? 256 : 6);
        }
        key_size = size;
        trace = 0;
        model_qsort(ours, count, size, by_first_byte);
        uint64_t our_trace = trace;
        trace = 0;
        qsort(theirs, count, size, by_first_byte);
        CHECK(!memcmp(ours, theirs, size * count), "qsort of %zu elements of %zu", count, size);
        CHECK(our_trace == trace, "qsort of %zu elements of %zu compares in another order", count, size);
        unsigned char key[40] = {(unsigned char)below(6)};
        trace = 0;
        unsigned char *our_place = model_bsearch(key, ours, count, size, by_first_byte);
        our_trace = trace;
        trace = 0;
        unsigned char *their_place = bsearch(key, theirs, count, size, by_first_byte);
        CHECK((our_place ? our_place - ours : -1) == (their_place ? their_place - theirs : -1), "bsearch");
        CHECK(our_trace == trace, "bsearch compares in another order");
        int our_calls = 0, their_calls = 0;
        model_qsort_r(ours, count, size, by_first_byte_downwards, &our_calls);
        qsort_r(theirs, count, size, by_first_byte_downwards, &their_calls);
        CHECK(!memcmp(ours, theirs, size * count) && our_calls == their_calls, "qsort_r");
    }
}

static void check_random(void) {
    for (int round = 0; round < 2000; round++) {
        int expected = rand();
        CHECK(model_rand() == expected, "rand without a seed, number %d", round);
    }
    static const unsigned seeds[] = {0, 1, 2, 42, 12345, INT32_MAX, 1u << 31, UINT32_MAX, UINT32_MAX - 5, 127773};
    for (unsigned at = 0; at < 10; at++) {
        unsigned our_seed = seeds[at], their_seed = seeds[at];
        model_srand(seeds[at]);
        srand(seeds[at]);
        for (int round = 0; round < 200; round++) {
            CHECK(model_rand() == rand(), "rand after srand(%u)", seeds[at]);
            CHECK(model_rand_r(&our_seed) == rand_r(&their_seed) && our_seed == their_seed, "rand_r");
        }
        model_srandom(seeds[at] * 3);
        srandom(seeds[at] * 3);
        CHECK(model_random() == random(), "random after srandom");
    }
    CHECK(model_lrand48() == lrand48() && model_lrand48() == lrand48(), "lrand48 without a seed");
    for (long seed = -70000; seed < 70000; seed += 13999) {
        unsigned short our_words[3] = {(unsigned short)seed, 2, 3}, their_words[3] = {(unsigned short)seed, 2, 3};
        model_srand48(seed);
        srand48(seed);
        for (int round = 0; round < 50; round++) {
            CHECK(model_drand48() == drand48(), "drand48");
            CHECK(model_lrand48() == lrand48(), "lrand48");
            CHECK(model_mrand48() == mrand48(), "mrand48");
            CHECK(model_erand48(our_words) == erand48(their_words), "erand48");
            CHECK(model_nrand48(our_words) == nrand48(their_words), "nrand48");
            CHECK(model_jrand48(our_words) == jrand48(their_words), "jrand48");
        }
    }
}

static void check_arithmetic(int64_t value, int64_t other) {
    int narrow = (int)value, narrow_other = (int)other;
    if (narrow != INT32_MIN) {
        CHECK(model_abs(narrow) == abs(narrow), "abs(%d)", narrow);
    }
    if (value != INT64_MIN) {
        CHECK(model_labs(value) == labs(value) && model_llabs(value) == llabs(value), "labs(%ld)", value);
    }
    CHECK(model_ffs(narrow) == ffs(narrow), "ffs(%d)", narrow);
    CHECK(model_ffsl(value) == ffsl(value) && model_ffsll(value) == ffsll(value), "ffsl(%ld)", value);
    if (narrow_other && narrow_other != -1) {
        div_t ours = model_div(narrow, narrow_other), theirs = div(narrow, narrow_other);
        CHECK(ours.quot == theirs.quot && ours.rem == theirs.rem, "div");
    }
    if (other && other != -1) {
        ldiv_t ours = model_ldiv(value, other), theirs = ldiv(value, other);
        CHECK(ours.quot == theirs.quot && ours.rem == theirs.rem, "ldiv");
        lldiv_t wide = model_lldiv(value, other);
        CHECK(wide.quot == theirs.quot && wide.rem == theirs.rem, "lldiv");
    }
}

void check_stdlib(void) {
    check_sorting();
    check_random();
    static const int64_t values[] = {0, 1, -1, 2, -2, 8, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1ll << 40};
    for (int a = 0; a < 11; a++) {
        for (int b = 0; b < 11; b++) {
            check_arithmetic(values[a], values[b]);
        }
    }
    for (int round = 0; round < 5000; round++) {
        check_arithmetic((int64_t)(next_random() >> below(63)), (int64_t)(next_random() >> below(63)));
    }
}
