/*
 * stdlib.h: text to integer.
 *
 * A digit costs one fork (is it one?), never one for its value. Overflow is tracked as a value
 * and asked about once at the end, and not at all while the digits are too few for it.
 */
#include "incise.h"

unsigned __incise_digit_value(int c, unsigned base) {
    unsigned number = (unsigned)c - '0';
    if (base <= 10) {
        return number;
    }
    unsigned letter = ((unsigned)c | 32u) - 'a';
    unsigned is_number = number < 10u;
    unsigned is_letter = letter < 26u;
    unsigned neither = (is_number | is_letter) ^ 1u;
    return ((0u - is_number) & number) | ((0u - is_letter) & (letter + 10u)) | (neither << 8);
}

void __incise_number_start(struct __incise_number *number, unsigned base) {
    unsigned bits = 1;
    while (1u << bits < base) {
        bits++;
    }
    number->value = 0;
    number->base = base;
    number->digits = 0;
    number->safe_digits = 63 / bits;
    number->overflow = 0;
}

void __incise_number_add(struct __incise_number *number, unsigned digit) {
    uint64_t value = number->value;
    uint64_t base = number->base;
    if (number->digits >= number->safe_digits) {
        uint64_t limit = UINT64_MAX / base;
        uint64_t last = UINT64_MAX % base;
        number->overflow |= (unsigned)(value > limit) | ((unsigned)(value == limit) & (unsigned)(digit > last));
    }
    number->value = value * base + digit;
    number->digits++;
}

long __incise_number_signed(const struct __incise_number *number, bool negative) {
    if (number->digits > number->safe_digits) {
        uint64_t largest = (uint64_t)INT64_MAX + negative;
        if (number->overflow | (unsigned)(number->value > largest)) {
            __incise_errno = ERANGE_NUMBER;
            return negative ? INT64_MIN : INT64_MAX;
        }
    }
    return (long)(negative ? 0 - number->value : number->value);
}

unsigned long __incise_number_unsigned(const struct __incise_number *number, bool negative) {
    if (number->digits > number->safe_digits) {
        if (number->overflow) {
            __incise_errno = ERANGE_NUMBER;
            return UINT64_MAX;
        }
    }
    return negative ? 0 - number->value : number->value;
}

/*
 * Reads as strtol does, into `number` and the returned sign. With `binary`, as C23 has it, a 0b
 * may lead where a 0x may. False when the base is not one; then nothing else was done.
 */
static bool __incise_parse(const char *text, char **end, int base, bool binary, struct __incise_number *number,
                           bool *negative) {
    if (base < 0 || base == 1 || base > 36) {
        __incise_errno = EINVAL_NUMBER;
        return false;
    }
    const char *at = text;
    while (__incise_is_space((byte)*at)) {
        at++;
    }
    *negative = false;
    if (*at == '-') {
        *negative = true;
        at++;
    } else if (*at == '+') {
        at++;
    }
    const char *prefix_end = NULL;
    if (base == 0 || base == 16 || (binary && base == 2)) {
        if (*at == '0') {
            if (base != 2 && (at[1] | 32) == 'x') {
                base = 16;
                prefix_end = at + 1;
                at += 2;
            } else if (binary && base != 16 && (at[1] | 32) == 'b') {
                base = 2;
                prefix_end = at + 1;
                at += 2;
            } else if (base == 0) {
                base = 8;
            }
        } else if (base == 0) {
            base = 10;
        }
    }
    __incise_number_start(number, (unsigned)base);
    for (;;) {
        unsigned digit = __incise_digit_value((byte)*at, (unsigned)base);
        if (digit >= (unsigned)base) {
            break;
        }
        __incise_number_add(number, digit);
        at++;
    }
    if (!number->digits) {
        /* "0x" and no digit: the 0 is the number and the x is left. */
        at = prefix_end ? prefix_end : text;
    }
    if (end) {
        *end = (char *)at;
    }
    return true;
}

INLINE long __incise_signed(const char *text, char **end, int base, bool binary) {
    struct __incise_number number;
    bool negative;
    if (!__incise_parse(text, end, base, binary, &number, &negative)) {
        return 0;
    }
    return __incise_number_signed(&number, negative);
}

INLINE unsigned long __incise_unsigned(const char *text, char **end, int base, bool binary) {
    struct __incise_number number;
    bool negative;
    if (!__incise_parse(text, end, base, binary, &number, &negative)) {
        return 0;
    }
    return __incise_number_unsigned(&number, negative);
}

long strtol(const char *text, char **end, int base) { return __incise_signed(text, end, base, false); }

long long strtoll(const char *text, char **end, int base) { return __incise_signed(text, end, base, false); }

intmax_t strtoimax(const char *text, char **end, int base) { return __incise_signed(text, end, base, false); }

unsigned long strtoul(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, false);
}

unsigned long long strtoull(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, false);
}

uintmax_t strtoumax(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, false);
}

/* The names that newer glibc headers give to the same functions. */
long __isoc23_strtol(const char *text, char **end, int base) { return __incise_signed(text, end, base, true); }

long long __isoc23_strtoll(const char *text, char **end, int base) {
    return __incise_signed(text, end, base, true);
}

intmax_t __isoc23_strtoimax(const char *text, char **end, int base) {
    return __incise_signed(text, end, base, true);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, true);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, true);
}

uintmax_t __isoc23_strtoumax(const char *text, char **end, int base) {
    return __incise_unsigned(text, end, base, true);
}

int atoi(const char *text) { return (int)__incise_signed(text, NULL, 10, false); }

long atol(const char *text) { return __incise_signed(text, NULL, 10, false); }

long long atoll(const char *text) { return __incise_signed(text, NULL, 10, false); }
