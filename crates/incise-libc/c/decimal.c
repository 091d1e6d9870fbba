/*
 * stdlib.h: text to floating point, correctly rounded.
 *
 * Few digits and a small power of ten are exact in floating point, so one multiplication or division
 * rounds once; that way the digits may be symbolic. Everything else is done with large integers,
 * in the way that needs the least code and not the least time.
 */
#include "incise.h"

struct __incise_float_kind {
    int precision;        /* bits of the significand, with the hidden one */
    int lowest_exponent;  /* of the last bit of a subnormal number */
    int exponent_limit;   /* the exponent field of infinity */
    unsigned exact_digits; /* decimals that always fit the significand */
    int exact_power;      /* the largest power of ten that is exact */
    bool wide;            /* the x87's: its bits do not fit a word, and what is not exact is not computed */
};

static const struct __incise_float_kind __incise_double_kind = {53, -1074, 2047, 15, 22, false};
static const struct __incise_float_kind __incise_float_kind = {24, -149, 255, 7, 10, false};
/* Infinity and NaN are two numbers that tell them apart, no more. */
static const struct __incise_float_kind __incise_wide_kind = {64, 0, 1, 18, 27, true};

static const double __incise_powers_of_ten[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* ---- Large integers, little end first -------------------------------------------------------- */

#define LARGE_WORDS 160

struct __incise_large {
    int words; /* without leading zeros */
    uint32_t word[LARGE_WORDS];
};

static void __incise_large_multiply_add(struct __incise_large *large, uint32_t factor, uint32_t addend) {
    uint64_t carry = addend;
    for (int at = 0; at < large->words; at++) {
        carry += (uint64_t)large->word[at] * factor;
        large->word[at] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        large->word[large->words++] = (uint32_t)carry;
    }
}

static int __incise_large_bits(const struct __incise_large *large) {
    int bits = 32 * large->words;
    if (bits) {
        uint32_t top = large->word[large->words - 1];
        while (!(top >> 31)) {
            top <<= 1;
            bits--;
        }
    }
    return bits;
}

static void __incise_large_shift_left(struct __incise_large *large, int bits) {
    int whole = bits / 32;
    int part = bits % 32;
    if (!large->words) {
        return;
    }
    for (int at = large->words - 1; at >= 0; at--) {
        large->word[at + whole] = large->word[at];
    }
    for (int at = 0; at < whole; at++) {
        large->word[at] = 0;
    }
    large->words += whole;
    if (part) {
        __incise_large_multiply_add(large, (uint32_t)1 << part, 0);
    }
}

static void __incise_large_halve(struct __incise_large *large) {
    for (int at = 0; at < large->words; at++) {
        uint32_t above = at + 1 < large->words ? large->word[at + 1] : 0;
        large->word[at] = large->word[at] >> 1 | above << 31;
    }
    if (large->words && !large->word[large->words - 1]) {
        large->words--;
    }
}

static bool __incise_large_less(const struct __incise_large *left, const struct __incise_large *right) {
    if (left->words != right->words) {
        return left->words < right->words;
    }
    for (int at = left->words - 1; at >= 0; at--) {
        if (left->word[at] != right->word[at]) {
            return left->word[at] < right->word[at];
        }
    }
    return false;
}

static void __incise_large_subtract(struct __incise_large *left, const struct __incise_large *right) {
    uint64_t borrow = 0;
    for (int at = 0; at < left->words; at++) {
        uint64_t minuend = left->word[at];
        uint64_t subtrahend = (at < right->words ? right->word[at] : 0) + borrow;
        left->word[at] = (uint32_t)(minuend - subtrahend);
        borrow = minuend < subtrahend;
    }
    while (left->words && !left->word[left->words - 1]) {
        left->words--;
    }
}

/* ---- Rounding --------------------------------------------------------------------------------- */

/* The significand's bits after `dropped` of them are rounded away, to nearest and then to even. */
static uint64_t __incise_round(uint64_t significand, int dropped, bool more, bool *inexact) {
    if (dropped <= 0) {
        *inexact = more;
        return significand << -dropped;
    }
    if (dropped > 64) {
        *inexact = true;
        return 0;
    }
    uint64_t kept = dropped == 64 ? 0 : significand >> dropped;
    uint64_t rest = dropped == 64 ? significand : significand & (((uint64_t)1 << dropped) - 1);
    uint64_t half = (uint64_t)1 << (dropped - 1);
    *inexact = rest || more;
    if (rest > half || (rest == half && (more || (kept & 1)))) {
        kept++;
    }
    return kept;
}

/*
 * The bits of the number nearest to significand * 2^exponent, a little more if `more`. The
 * significand is not zero.
 */
static uint64_t __incise_assemble(const struct __incise_float_kind *kind, uint64_t significand, int exponent,
                                  bool more) {
    if (kind->wide) {
        __incise_unsupported("text of many digits as a long double");
    }
    int length = 64;
    while (!(significand >> (length - 1) & 1)) {
        length--;
    }
    int normal = exponent + length - kind->precision;
    int lowest = normal > kind->lowest_exponent ? normal : kind->lowest_exponent;
    uint64_t hidden = (uint64_t)1 << (kind->precision - 1);
    bool inexact;
    uint64_t kept = __incise_round(significand, lowest - exponent, more, &inexact);
    uint64_t field = (uint64_t)kind->exponent_limit << (kind->precision - 1);
    if (kept < hidden || (kept == hidden && normal < lowest)) {
        bool tiny = kept < hidden;
        if (!tiny) {
            /* Tiny unless it also rounds up to the smallest normal number at full precision. */
            bool ignored;
            uint64_t full = __incise_round(significand, normal - exponent, more, &ignored);
            tiny = !(full >> kind->precision);
        }
        if (tiny && inexact) {
            __incise_errno = ERANGE_NUMBER;
        }
        return kept;
    }
    if (lowest - kind->lowest_exponent < kind->exponent_limit - 1) {
        uint64_t bits = ((uint64_t)(lowest - kind->lowest_exponent + 1) << (kind->precision - 1)) + (kept - hidden);
        if (bits < field) {
            return bits;
        }
    }
    __incise_errno = ERANGE_NUMBER;
    return field;
}

/* ---- Decimal ---------------------------------------------------------------------------------- */

/* More digits than this never decide between two neighbours, except by being there. */
#define DIGITS_KEPT 800

struct __incise_decimal {
    uint64_t first; /* the value of the first 19 digits */
    unsigned count; /* all digits read, up to DIGITS_KEPT, with leading zeros */
    bool more;      /* a digit that is not zero was left out */
    int exponent;   /* of ten, of the last digit that was kept */
    byte digit[DIGITS_KEPT + 1];
};

static uint64_t __incise_convert_decimal(const struct __incise_float_kind *kind, struct __incise_decimal *decimal) {
    unsigned start = 0;
    while (start < decimal->count && !decimal->digit[start]) {
        start++;
    }
    int digits = (int)(decimal->count - start);
    if (!digits) {
        return 0;
    }
    if (kind->wide) {
        __incise_unsupported("text of many digits as a long double");
    }
    if (digits + decimal->exponent > 310) {
        __incise_errno = ERANGE_NUMBER;
        return (uint64_t)kind->exponent_limit << (kind->precision - 1);
    }
    if (digits + decimal->exponent < -343) {
        __incise_errno = ERANGE_NUMBER;
        return 0;
    }
    struct __incise_large numerator;
    numerator.words = 0;
    for (unsigned at = start; at < decimal->count; at++) {
        __incise_large_multiply_add(&numerator, 10, decimal->digit[at]);
    }
    for (int power = 0; power < decimal->exponent; power++) {
        __incise_large_multiply_add(&numerator, 10, 0);
    }
    struct __incise_large denominator;
    denominator.words = 0;
    __incise_large_multiply_add(&denominator, 0, 1);
    for (int power = 0; power < -decimal->exponent; power++) {
        __incise_large_multiply_add(&denominator, 10, 0);
    }
    /* Scaled so that the quotient has 63 or 64 bits. */
    int scale = __incise_large_bits(&denominator) - __incise_large_bits(&numerator) + 63;
    if (scale > 0) {
        __incise_large_shift_left(&numerator, scale);
    } else {
        __incise_large_shift_left(&denominator, -scale);
    }
    __incise_large_shift_left(&denominator, 63);
    uint64_t quotient = 0;
    for (int bit = 63; bit >= 0; bit--) {
        if (!__incise_large_less(&numerator, &denominator)) {
            __incise_large_subtract(&numerator, &denominator);
            quotient |= (uint64_t)1 << bit;
        }
        __incise_large_halve(&denominator);
    }
    return __incise_assemble(kind, quotient, -scale, numerator.words || decimal->more);
}

static void __incise_decimal_add(struct __incise_decimal *decimal, unsigned digit) {
    if (decimal->count < DIGITS_KEPT) {
        if (decimal->count < 19) {
            decimal->first = decimal->first * 10 + digit;
        }
        decimal->digit[decimal->count++] = (byte)digit;
    } else {
        decimal->more |= digit != 0;
        decimal->exponent++;
    }
}

/* An exponent after its letter: 0 and the same place if there are no digits. */
static const char *__incise_exponent(const char *at, int *exponent) {
    const char *from = at + 1;
    bool negative = false;
    if (*from == '-') {
        negative = true;
        from++;
    } else if (*from == '+') {
        from++;
    }
    if (!__incise_is_digit((byte)*from)) {
        *exponent = 0;
        return at;
    }
    int value = 0;
    while (__incise_is_digit((byte)*from)) {
        if (value < 100000) {
            value = value * 10 + (*from - '0');
        }
        from++;
    }
    *exponent = negative ? -value : value;
    return from;
}

/* ---- The whole of it -------------------------------------------------------------------------- */

static bool __incise_word_follows(const char *at, const char *lower_word) {
    while (*lower_word) {
        if (__incise_lower((byte)*at) != *lower_word) {
            return false;
        }
        at++;
        lower_word++;
    }
    return true;
}

/* Skips what may stand in brackets after "nan". */
static const char *__incise_skip_nan_text(const char *at) {
    if (*at != '(') {
        return at;
    }
    const char *from = at + 1;
    while (__incise_digit_value((byte)*from, 36) < 36 || *from == '_') {
        from++;
    }
    return *from == ')' ? from + 1 : at;
}

struct __incise_float_result {
    bool simple; /* then the magnitude is `whole` times or by a power of ten */
    bool binary; /* or, of a long double, times a power of two */
    bool negative;
    int power;
    uint64_t whole;
    uint64_t bits;
};

/* From the first digit (or point) after 0x; null if there is no digit. */
static const char *__incise_hexadecimal(const struct __incise_float_kind *kind, const char *at,
                                        struct __incise_float_result *result) {
    uint64_t significand = 0;
    int exponent = 0;
    bool any = false, point = false, more = false;
    for (;; at++) {
        if (!point && *at == '.') {
            point = true;
            continue;
        }
        if (!__incise_is_xdigit((byte)*at)) {
            break;
        }
        any = true;
        unsigned digit = __incise_digit_value((byte)*at, 16);
        if (significand >> 60) {
            more |= digit != 0;
            exponent += point ? 0 : 4;
        } else {
            significand = significand << 4 | digit;
            exponent -= point ? 4 : 0;
        }
    }
    if (!any) {
        return NULL;
    }
    if (*at == 'p' || *at == 'P') {
        int power;
        at = __incise_exponent(at, &power);
        exponent += power;
    }
    if (kind->wide && !more) {
        result->binary = true;
        result->whole = significand;
        result->power = exponent;
    } else {
        result->bits = significand ? __incise_assemble(kind, significand, exponent, more) : 0;
    }
    return at;
}

static void __incise_parse_float(const struct __incise_float_kind *kind, const char *text, char **end,
                                 struct __incise_float_result *result) {
    const char *at = text;
    uint64_t infinity = (uint64_t)kind->exponent_limit << (kind->precision - 1);
    result->simple = result->binary = false;
    result->negative = false;
    result->bits = 0;
    while (__incise_is_space((byte)*at)) {
        at++;
    }
    if (*at == '-') {
        result->negative = true;
        at++;
    } else if (*at == '+') {
        at++;
    }
    struct __incise_decimal decimal;
    decimal.first = 0;
    decimal.count = 0;
    decimal.more = false;
    decimal.exponent = 0;
    const char *start = at;
    if (*at == '0' && (at[1] | 32) == 'x') {
        const char *after = __incise_hexadecimal(kind, at + 2, result);
        at = after ? after : at + 1;
    } else {
        while (__incise_is_digit((byte)*at)) {
            __incise_decimal_add(&decimal, (unsigned)(*at - '0'));
            at++;
        }
        bool any = at != start;
        if (*at == '.') {
            const char *fraction = at + 1;
            while (__incise_is_digit((byte)*fraction)) {
                __incise_decimal_add(&decimal, (unsigned)(*fraction - '0'));
                decimal.exponent--;
                fraction++;
            }
            if (any || fraction != at + 1) {
                any = true;
                at = fraction;
            }
        }
        if (any) {
            if ((*at | 32) == 'e') {
                int power;
                at = __incise_exponent(at, &power);
                decimal.exponent += power;
            }
            if (decimal.count <= kind->exact_digits && decimal.exponent >= -kind->exact_power &&
                decimal.exponent <= kind->exact_power) {
                result->simple = true;
                result->whole = decimal.first;
                result->power = decimal.exponent;
            } else {
                if (klee_is_symbolic(decimal.first) | klee_is_symbolic((uintptr_t)decimal.exponent)) {
                    __incise_unsupported("floating-point text of many symbolic digits");
                }
                result->bits = __incise_convert_decimal(kind, &decimal);
            }
        } else if (__incise_word_follows(at, "inf")) {
            result->bits = infinity;
            at += __incise_word_follows(at + 3, "inity") ? 8 : 3;
        } else if (__incise_word_follows(at, "nan")) {
            /* glibc takes a payload from the brackets; here a NaN has none. */
            result->bits = infinity | (uint64_t)1 << (kind->precision - 2);
            at = __incise_skip_nan_text(at + 3);
        } else {
            at = text;
            result->negative = false;
        }
    }
    if (end) {
        *end = (char *)at;
    }
}

double __incise_to_double(const char *text, char **end) {
    struct __incise_float_result result;
    __incise_parse_float(&__incise_double_kind, text, end, &result);
    double value;
    if (result.simple) {
        value = (double)(int64_t)result.whole;
        if (result.power < 0) {
            value /= __incise_powers_of_ten[-result.power];
        } else if (result.power > 0) {
            value *= __incise_powers_of_ten[result.power];
        }
    } else {
        memcpy(&value, &result.bits, sizeof value);
    }
    return result.negative ? -value : value;
}

float __incise_to_float(const char *text, char **end) {
    struct __incise_float_result result;
    __incise_parse_float(&__incise_float_kind, text, end, &result);
    float value;
    if (result.simple) {
        value = (float)(int32_t)result.whole;
        if (result.power < 0) {
            value /= (float)__incise_powers_of_ten[-result.power];
        } else if (result.power > 0) {
            value *= (float)__incise_powers_of_ten[result.power];
        }
    } else {
        uint32_t bits = (uint32_t)result.bits;
        memcpy(&value, &bits, sizeof value);
    }
    return result.negative ? -value : value;
}

/* A long double is normal down to there; what is smaller is rounded once more. */
#define SMALLEST_WIDE_POWER (-16382)
#define LARGEST_WIDE_POWER 16384

static long double __incise_times_power_of_two(uint64_t whole, int power) {
    long double value = (long double)whole;
    if (whole && (power < SMALLEST_WIDE_POWER || power > LARGEST_WIDE_POWER)) {
        __incise_unsupported("text of a very large or small long double");
    }
    for (; whole && power > 0; power--) {
        value *= 2;
    }
    for (; whole && power < 0; power++) {
        value /= 2;
    }
    if (value > 1e308L && value - value != 0) {
        __incise_errno = ERANGE_NUMBER;
    }
    return value;
}

/* Powers of ten up to 27 are exact in a long double, and so is the product of two such powers that is not above. */
static long double __incise_wide_power_of_ten(int power) {
    long double value = (long double)__incise_powers_of_ten[power > 22 ? 22 : power];
    return power > 22 ? value * (long double)__incise_powers_of_ten[power - 22] : value;
}

static long double __incise_to_long_double(const char *text, char **end) {
    struct __incise_float_result result;
    __incise_parse_float(&__incise_wide_kind, text, end, &result);
    long double value = 0;
    if (result.binary) {
        value = __incise_times_power_of_two(result.whole, result.power);
    } else if (result.simple) {
        value = (long double)(int64_t)result.whole;
        if (result.power < 0) {
            value /= __incise_wide_power_of_ten(-result.power);
        } else if (result.power > 0) {
            value *= __incise_wide_power_of_ten(result.power);
        }
    } else if (result.bits == (uint64_t)1 << 63) {
        value = (long double)__builtin_inf();
    } else if (result.bits) {
        value = (long double)__builtin_nan("");
    }
    return result.negative ? -value : value;
}

long double strtold(const char *text, char **end) { return __incise_to_long_double(text, end); }

double strtod(const char *text, char **end) { return __incise_to_double(text, end); }

float strtof(const char *text, char **end) { return __incise_to_float(text, end); }

double atof(const char *text) { return __incise_to_double(text, NULL); }
