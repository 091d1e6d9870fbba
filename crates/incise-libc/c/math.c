/*
 * math.h: the functions that take a number apart and put it together. The others are done by the engine itself. None sets errno.
 */
#include "incise.h"

#define SIGN 0x8000000000000000u
#define EXPONENTS 0x7ff0000000000000u
/* What the exponent field of a number in [0.5, 1) holds. */
#define HALF_FIELD 0x3fe

static uint64_t __incise_bits(double x) {
    union {
        double number;
        uint64_t bits;
    } both = {.number = x};
    return both.bits;
}

static double __incise_number(uint64_t bits) {
    union {
        uint64_t bits;
        double number;
    } both = {.bits = bits};
    return both.number;
}

static int __incise_field(uint64_t bits) { return (int)(bits >> 52 & 0x7ff); }

/* All ones for zeros, infinities and what is not a number, else zero. */
static uint64_t __incise_special(uint64_t bits) {
    uint64_t special = ((bits & ~SIGN) == 0) | ((bits & EXPONENTS) == EXPONENTS);
    return 0 - special;
}

/* The fraction in [0.5, 1) with the sign, and the exponent of two; a special number is its own fraction. */
static double __incise_split(double x, int *exponent) {
    uint64_t bits = __incise_bits(x);
    uint64_t special = __incise_special(bits);
    /* A subnormal number becomes a normal one; the product is exact. */
    uint64_t subnormal = 0 - (uint64_t)((bits & EXPONENTS) == 0);
    uint64_t factor = (__incise_bits(0x1p64) & subnormal) | (__incise_bits(1.0) & ~subnormal);
    uint64_t normal = __incise_bits(x * __incise_number(factor));
    *exponent = (int)((uint64_t)(int64_t)(__incise_field(normal) - HALF_FIELD - (int)(subnormal & 64)) & ~special);
    uint64_t fraction = (normal & ~EXPONENTS) | (uint64_t)HALF_FIELD << 52;
    /* The sum makes a signalling NaN quiet. */
    return __incise_number((__incise_bits(x + x) & special) | (fraction & ~special));
}

/* x times a power of two, rounded once. */
static double __incise_scaled(double x, long power) {
    int exponent;
    double fraction = __incise_split(x, &exponent);
    uint64_t bits = __incise_bits(fraction);
    uint64_t sign = bits & SIGN;
    if (__incise_special(bits)) {
        return fraction;
    }
    /* What leaves the range does so by far. */
    power = power > 5000 ? 5000 : power < -5000 ? -5000 : power;
    long wanted = exponent + power;
    if (wanted > 1024) {
        return __incise_number(sign | EXPONENTS);
    }
    if (wanted < -1100) {
        return __incise_number(sign);
    }
    if (wanted < -1021) {
        uint64_t above = (bits & ~EXPONENTS) | (uint64_t)(wanted + 128 + HALF_FIELD) << 52;
        return __incise_number(above) * 0x1p-128;
    }
    return __incise_number((bits & ~EXPONENTS) | (uint64_t)(wanted + HALF_FIELD) << 52);
}

static double __incise_whole(double x, double *fraction) {
    double whole = __builtin_trunc(x);
    uint64_t infinite = 0 - (uint64_t)((__incise_bits(x) & ~SIGN) == EXPONENTS);
    uint64_t rest = __incise_bits(x - whole) & ~infinite & ~SIGN;
    *fraction = __incise_number(rest | (__incise_bits(x) & SIGN));
    return whole;
}

double frexp(double x, int *exponent) { return __incise_split(x, exponent); }

/* A double holds every float, and its fraction is one. */
float frexpf(float x, int *exponent) { return (float)__incise_split(x, exponent); }

double ldexp(double x, int power) { return __incise_scaled(x, power); }

double scalbn(double x, int power) { return __incise_scaled(x, power); }

double scalbln(double x, long power) { return __incise_scaled(x, power); }

/* Within these bounds a double holds the product exactly, so that it is rounded once; beyond them it is zero or infinite. */
static float __incise_scaled_float(float x, long power) {
    power = power > 500 ? 500 : power < -500 ? -500 : power;
    return (float)__incise_scaled(x, power);
}

float ldexpf(float x, int power) { return __incise_scaled_float(x, power); }

float scalbnf(float x, int power) { return __incise_scaled_float(x, power); }

float scalblnf(float x, long power) { return __incise_scaled_float(x, power); }

double modf(double x, double *whole) {
    double fraction;
    *whole = __incise_whole(x, &fraction);
    return fraction;
}

float modff(float x, float *whole) {
    double fraction;
    *whole = (float)__incise_whole(x, &fraction);
    return (float)fraction;
}
