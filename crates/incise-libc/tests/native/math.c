/* Functions that take floats apart and put them together, against the C library, bit for bit. */
#include "check.h"
#include <math.h>

double model_frexp(double, int *);
float model_frexpf(float, int *);
double model_ldexp(double, int);
float model_ldexpf(float, int);
double model_scalbn(double, int);
float model_scalbnf(float, int);
double model_scalbln(double, long);
float model_scalblnf(float, long);
double model_modf(double, double *);
float model_modff(float, float *);

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#define SAME(ours, theirs, text, x, n) \
    CHECK(bits_of(ours) == bits_of(theirs), text "(%a, %ld) is %a, not %a", x, (long)(n), theirs, ours)
#define SAME_FLOAT(ours, theirs, text, x, n) \
    CHECK(bits_of_float(ours) == bits_of_float(theirs), text "(%a, %ld) is %a, not %a", x, (long)(n), theirs, ours)

static void compare(double x, int power) {
    int ours = 0, theirs = 0;
    double whole, their_whole;
    SAME(model_frexp(x, &ours), frexp(x, &theirs), "frexp", x, 0);
    CHECK(ours == theirs, "frexp(%a): exponent %d, not %d", x, theirs, ours);
    SAME(model_modf(x, &whole), modf(x, &their_whole), "modf", x, 0);
    SAME(whole, their_whole, "the whole of modf", x, 0);
    SAME(model_ldexp(x, power), ldexp(x, power), "ldexp", x, power);
    SAME(model_scalbn(x, power), scalbn(x, power), "scalbn", x, power);
    SAME(model_scalbln(x, power * 3l), scalbln(x, power * 3l), "scalbln", x, power * 3l);
}

static void compare_float(float x, int power) {
    int ours = 0, theirs = 0;
    float whole, their_whole;
    SAME_FLOAT(model_frexpf(x, &ours), frexpf(x, &theirs), "frexpf", x, 0);
    CHECK(ours == theirs, "frexpf(%a): exponent %d, not %d", x, theirs, ours);
    SAME_FLOAT(model_modff(x, &whole), modff(x, &their_whole), "modff", x, 0);
    SAME_FLOAT(whole, their_whole, "the whole of modff", x, 0);
    SAME_FLOAT(model_ldexpf(x, power), ldexpf(x, power), "ldexpf", x, power);
    SAME_FLOAT(model_scalbnf(x, power), scalbnf(x, power), "scalbnf", x, power);
    SAME_FLOAT(model_scalblnf(x, power * 3l), scalblnf(x, power * 3l), "scalblnf", x, power * 3l);
}

void check_math(void) {
    for (int round = 0; round < 200000; round++) {
        uint64_t bits = next_random();
        switch (below(5)) {
        case 0: /* subnormal, or nearly */
            bits &= 0x801fffffffffffff;
            break;
        case 1: /* infinite, or not a number */
            bits |= 0x7ff0000000000000;
            bits &= below(2) ? 0xfff0000000000000 : ~0ull;
            break;
        case 2: /* of few bits, so that ties come up */
            bits &= 0xfffff00000000000;
            break;
        case 3: /* near one */
            bits = (bits & 0x800fffffffffffff) | (uint64_t)(1000 + below(60)) << 52;
            break;
        }
        double x;
        float y;
        uint32_t half = (uint32_t)(bits >> 32);
        memcpy(&x, &bits, sizeof x);
        memcpy(&y, &half, sizeof y);
        int power = below(4) ? (int)below(4400) - 2200 : (int)next_random();
        compare(x, power);
        compare_float(y, below(2) ? power : power % 300);
    }
    compare(0.0, 3);
    compare(-0.0, -3);
    compare(0x1p-1074, -1);
    compare(0x1.8p-1074, 0);
    compare(0x1.fffffffffffffp1023, 1);
}
