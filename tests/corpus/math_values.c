// RUN: incise run %s --entry main
// EXPECT: paths=1 errors=0 complete=true exit=0
// Functions of math.h at corner cases, bit for bit: a line for each, with a hash of all its results.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const double values[] = {
    0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.5, -2.5, 0.49999999999999994, -0.49999999999999994, 3.0, -3.75, 0x1p-1074, -0x1p-1074,
    0x1p-1022, 0x1.fffffffffffffp-1023, 0x1.fffffffffffffp+1023, -0x1.fffffffffffffp+1023, 4503599627370495.5, 4503599627370497.0,
    -4503599627370495.5, 9007199254740993.0, 1e19, -1e19, 2147483647.5, -2147483648.5, 1e300, 0x1p-30, 7.25, INFINITY, -INFINITY, NAN,
};
#define COUNT (int)(sizeof values / sizeof *values)

static uint64_t hash;

static void mix(uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3u + (hash >> 29); }

static void take(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    mix(bits);
}

static void takef(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    mix(bits);
}

static void line(const char *name) {
    printf("%s %016llx\n", name, (unsigned long long)hash);
    hash = 1;
}

#define UNARY(name)                             \
    for (int i = 0; i < COUNT; i++) {        \
        take(name(values[i]));                  \
        takef(name##f((float)values[i]));       \
    }                                        \
    line(#name);
#define INTEGER(name)                           \
    for (int i = 0; i < COUNT; i++) {        \
        mix((uint64_t)name(values[i]));         \
        mix((uint64_t)name##f((float)values[i])); \
    }                                        \
    line(#name);
#define BINARY(name)                                              \
    for (int i = 0; i < COUNT; i++) {                          \
        for (int j = 0; j < COUNT; j++) {                      \
            take(name(values[i], values[j]));                     \
            takef(name##f((float)values[i], (float)values[j]));   \
        }                                                      \
    }                                                          \
    line(#name);

int main(void) {
    UNARY(sqrt)
    UNARY(fabs)
    UNARY(floor)
    UNARY(ceil)
    UNARY(trunc)
    UNARY(rint)
    UNARY(nearbyint)
    UNARY(round)
    INTEGER(lround)
    INTEGER(llround)
    INTEGER(lrint)
    INTEGER(llrint)
    BINARY(fmin)
    BINARY(fmax)
    BINARY(fmod)
    BINARY(fdim)
    BINARY(copysign)
    BINARY(remainder)
    UNARY(sin)
    UNARY(cos)
    UNARY(tan)
    UNARY(asin)
    UNARY(acos)
    UNARY(atan)
    UNARY(sinh)
    UNARY(cosh)
    UNARY(tanh)
    UNARY(asinh)
    UNARY(acosh)
    UNARY(atanh)
    UNARY(exp)
    UNARY(exp2)
    UNARY(expm1)
    UNARY(log)
    UNARY(log2)
    UNARY(log10)
    UNARY(log1p)
    UNARY(logb)
    UNARY(cbrt)
    UNARY(erf)
    UNARY(erfc)
    UNARY(tgamma)
    BINARY(atan2)
    BINARY(pow)
    BINARY(hypot)
    BINARY(nextafter)
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < COUNT; j++) {
            take(fma(values[i], values[j], values[(i + j) % COUNT]));
            takef(fmaf((float)values[i], (float)values[j], (float)values[(i + j) % COUNT]));
        }
        mix(!!isnan(values[i]) | !!isinf(values[i]) << 1 | !!isfinite(values[i]) << 2 | !!signbit(values[i]) << 3 |
            fpclassify(values[i]) << 4 | !!isnormal(values[i]) << 8);
    }
    line("fma and classes");
    for (int i = 0; i < COUNT; i++) {
        double whole;
        float wholef;
        int exponent;
        take(modf(values[i], &whole));
        take(whole);
        takef(modff((float)values[i], &wholef));
        takef(wholef);
        exponent = 0;
        take(frexp(values[i], &exponent));
        mix(isfinite(values[i]) ? (uint64_t)exponent : 0);
        exponent = 0;
        takef(frexpf((float)values[i], &exponent));
        mix(isfinite((float)values[i]) ? (uint64_t)exponent : 0);
        for (int n = -2200; n <= 2200; n += 61) {
            take(ldexp(values[i], n));
            takef(scalbnf((float)values[i], n));
            take(scalbln(values[i], n));
        }
    }
    line("parts");
    return 0;
}
