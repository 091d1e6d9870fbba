/* stdlib.h: the pseudo-random sequences, number for number as glibc makes them. */
#include "incise.h"

/* ---- random: additive feedback over 31 words, x[n] = x[n-3] + x[n-31] ---------------------- */

#define WORDS 31
#define SEPARATION 3

static uint32_t __incise_random_state[WORDS];
static unsigned __incise_random_front;
static unsigned __incise_random_rear;
static bool __incise_random_seeded;

static long __incise_random_next(void) {
    unsigned front = __incise_random_front;
    unsigned rear = __incise_random_rear;
    uint32_t sum = __incise_random_state[front] + __incise_random_state[rear];
    __incise_random_state[front] = sum;
    __incise_random_front = front + 1 == WORDS ? 0 : front + 1;
    __incise_random_rear = rear + 1 == WORDS ? 0 : rear + 1;
    return (long)(sum >> 1);
}

static void __incise_random_seed(unsigned seed) {
    seed += (unsigned)(seed == 0);
    int32_t word = (int32_t)seed;
    __incise_random_state[0] = (uint32_t)word;
    for (int at = 1; at < WORDS; at++) {
        /* 16807 * word modulo 2^31 - 1, in 32 bits (Schrage). */
        word = 16807 * (word % 127773) - 2836 * (word / 127773);
        word += (word >> 31) & INT32_MAX;
        __incise_random_state[at] = (uint32_t)word;
    }
    __incise_random_front = SEPARATION;
    __incise_random_rear = 0;
    __incise_random_seeded = true;
    for (int discarded = 0; discarded < 10 * WORDS; discarded++) {
        __incise_random_next();
    }
}

INLINE long __incise_random(void) {
    if (!__incise_random_seeded) {
        __incise_random_seed(1);
    }
    return __incise_random_next();
}

int rand(void) { return (int)__incise_random(); }

long random(void) { return __incise_random(); }

void srand(unsigned seed) { __incise_random_seed(seed); }

void srandom(unsigned seed) { __incise_random_seed(seed); }

int rand_r(unsigned *seed) {
    unsigned next = *seed * 1103515245u + 12345u;
    unsigned result = (next / 65536u) % 2048u;
    next = next * 1103515245u + 12345u;
    result = (result << 10) ^ ((next / 65536u) % 1024u);
    next = next * 1103515245u + 12345u;
    result = (result << 10) ^ ((next / 65536u) % 1024u);
    *seed = next;
    return (int)result;
}

/* ---- drand48: a linear congruence modulo 2^48 ---------------------------------------------- */

#define MODULUS_MASK 0xffffffffffffull

static uint64_t __incise_drand48_state;

INLINE uint64_t __incise_drand48_next(uint64_t state) {
    return (state * 0x5deece66dull + 0xbull) & MODULUS_MASK;
}

INLINE uint64_t __incise_drand48_own(void) {
    __incise_drand48_state = __incise_drand48_next(__incise_drand48_state);
    return __incise_drand48_state;
}

INLINE uint64_t __incise_drand48_given(unsigned short words[3]) {
    uint64_t state = words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
    state = __incise_drand48_next(state);
    words[0] = (unsigned short)state;
    words[1] = (unsigned short)(state >> 16);
    words[2] = (unsigned short)(state >> 32);
    return state;
}

void srand48(long seed) {
    __incise_drand48_state = ((uint64_t)(uint32_t)seed << 16) | 0x330eu;
}

double drand48(void) { return (double)__incise_drand48_own() / 281474976710656.0; }

double erand48(unsigned short words[3]) {
    return (double)__incise_drand48_given(words) / 281474976710656.0;
}

long lrand48(void) { return (long)(__incise_drand48_own() >> 17); }

long nrand48(unsigned short words[3]) { return (long)(__incise_drand48_given(words) >> 17); }

long mrand48(void) { return (int32_t)(__incise_drand48_own() >> 16); }

long jrand48(unsigned short words[3]) { return (int32_t)(__incise_drand48_given(words) >> 16); }
