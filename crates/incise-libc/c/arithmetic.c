/* stdlib.h and strings.h: small functions of integers. */
#include "incise.h"

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long quot;
    long rem;
} ldiv_t;

typedef struct {
    long long quot;
    long long rem;
} lldiv_t;

int abs(int value) {
    int sign = value >> 31;
    return (value ^ sign) - sign;
}

long labs(long value) {
    long sign = value >> 63;
    return (value ^ sign) - sign;
}

long long llabs(long long value) {
    long long sign = value >> 63;
    return (value ^ sign) - sign;
}

intmax_t imaxabs(intmax_t value) {
    intmax_t sign = value >> 63;
    return (value ^ sign) - sign;
}

div_t div(int numerator, int denominator) {
    return (div_t){numerator / denominator, numerator % denominator};
}

ldiv_t ldiv(long numerator, long denominator) {
    return (ldiv_t){numerator / denominator, numerator % denominator};
}

lldiv_t lldiv(long long numerator, long long denominator) {
    return (lldiv_t){numerator / denominator, numerator % denominator};
}

/*
 * The lowest bit that is set, from 1; 0 for 0. The bit alone, less one, has as many ones as
 * there are zeros below it; the intrinsics count them in one step of the engine.
 */
int ffs(int value) {
    unsigned present = value != 0;
    return (int)((unsigned)__builtin_popcount(((unsigned)value & (0u - (unsigned)value)) - 1u) + 1u) &
           (int)__incise_mask(present);
}

int ffsl(long value) {
    unsigned present = value != 0;
    return (__builtin_popcountl(((unsigned long)value & (0ul - (unsigned long)value)) - 1ul) + 1) &
           (int)__incise_mask(present);
}

int ffsll(long long value) {
    unsigned present = value != 0;
    return (__builtin_popcountl(((unsigned long)value & (0ul - (unsigned long)value)) - 1ul) + 1) &
           (int)__incise_mask(present);
}
