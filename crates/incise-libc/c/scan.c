/*
 * The scanf family: integers, floating point, strings, characters, sets, %n and %%.
 *
 * The steps and their order follow glibc, also where it reads on after a failure, because a program
 * can see what is left of its input.
 */
#include "incise.h"

struct __incise_source {
    FILE *stream; /* null for a string */
    const byte *string;
    long taken;
    /* glibc does not ask again after the end, and puts errno back to what it was there. */
    bool ended;
    int errno_at_end;
};

static int __incise_source_get(struct __incise_source *source) {
    int c;
    if (source->ended) {
        __incise_errno = source->errno_at_end;
        return EOF;
    }
    if (source->stream) {
        c = __incise_get(source->stream);
    } else {
        c = *source->string;
        if (c) {
            source->string++;
        } else {
            c = EOF;
        }
    }
    if (c == EOF) {
        source->ended = true;
        source->errno_at_end = __incise_errno;
    } else {
        source->taken++;
    }
    return c;
}

static void __incise_source_unget(struct __incise_source *source, int c) {
    if (c == EOF) {
        return;
    }
    source->taken--;
    if (source->stream) {
        __incise_unget(c, source->stream);
    } else {
        source->string--;
    }
}

static void __incise_skip_space(struct __incise_source *source) {
    int saved_errno = __incise_errno;
    int c;
    do {
        c = __incise_source_get(source);
    } while (__incise_is_space(c));
    __incise_source_unget(source, c);
    __incise_errno = saved_errno;
}

enum __incise_match { INPUT_ENDED, NO_MATCH, MATCHED };

static void __incise_store_integer(void *target, int size, uint64_t value) {
    switch (size) {
    case 1: *(uint8_t *)target = (uint8_t)value; break;
    case 2: *(uint16_t *)target = (uint16_t)value; break;
    case 4: *(uint32_t *)target = (uint32_t)value; break;
    default: *(uint64_t *)target = value; break;
    }
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

static enum __incise_match __incise_scan_integer(struct __incise_source *source, long width, unsigned base,
                                                 bool is_signed, bool binary, bool pointer, uint64_t *value) {
    bool negative = false;
    bool zero = false;
    int c = __incise_source_get(source);
    if (c == EOF) {
        return INPUT_ENDED;
    }
    if (c == '-') {
        negative = true;
        width--;
        c = __incise_source_get(source);
    } else if (c == '+') {
        width--;
        c = __incise_source_get(source);
    }
    /* Decimal needs no look at a leading zero, which would be one fork more. */
    if (width != 0 && base != 10 && base != 8 && c == '0') {
        zero = true;
        width--;
        c = __incise_source_get(source);
        if (width != 0 && base != 2 && (c | 32) == 'x') {
            base = 16;
            width--;
            c = __incise_source_get(source);
        } else if (width != 0 && binary && base != 16 && (c | 32) == 'b') {
            base = 2;
            width--;
            c = __incise_source_get(source);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) {
        base = 10;
    }
    struct __incise_number number;
    __incise_number_start(&number, base);
    while (width != 0) {
        /* The end of the input is no digit either. */
        unsigned digit = __incise_digit_value(c, base);
        if (digit >= base) {
            break;
        }
        __incise_number_add(&number, digit);
        width--;
        c = __incise_source_get(source);
    }
    if (pointer && !number.digits && !zero && c == '(') {
        /* What printf writes for a null pointer. */
        const char *rest = "nil)";
        do {
            c = __incise_source_get(source);
            if (__incise_lower(c) != *rest) {
                __incise_source_unget(source, c);
                return NO_MATCH;
            }
            rest++;
        } while (*rest);
        *value = 0;
        return MATCHED;
    }
    __incise_source_unget(source, c);
    if (!number.digits && !zero) {
        return NO_MATCH;
    }
    *value = is_signed ? (uint64_t)__incise_number_signed(&number, negative)
                       : __incise_number_unsigned(&number, negative);
    return MATCHED;
}

#define FLOAT_TEXT 1024

struct __incise_float_scan {
    struct __incise_source *source;
    long width;
    int c;
    int length;
    char text[FLOAT_TEXT];
};

/* Takes the character that was read and reads the next one, if the width allows. */
static void __incise_float_take(struct __incise_float_scan *scan) {
    if (scan->length == FLOAT_TEXT - 1) {
        __incise_unsupported("scanf of a very long floating-point number");
    }
    scan->text[scan->length++] = (char)scan->c;
    scan->width--;
    scan->c = __incise_source_get(scan->source);
}

static bool __incise_float_word(struct __incise_float_scan *scan, const char *lower_word) {
    while (*lower_word) {
        if (scan->width == 0 || __incise_lower(scan->c) != *lower_word) {
            return false;
        }
        __incise_float_take(scan);
        lower_word++;
    }
    return true;
}

static bool __incise_float_letters(struct __incise_float_scan *scan) {
    if ((scan->c | 32) == 'n') {
        return __incise_float_word(scan, "nan");
    }
    if ((scan->c | 32) != 'i' || !__incise_float_word(scan, "inf")) {
        return false;
    }
    if (scan->width != 0 && (scan->c | 32) == 'i') {
        return __incise_float_word(scan, "inity");
    }
    return true;
}

static bool __incise_float_digits(struct __incise_float_scan *scan) {
    bool any = false, point = false, hexadecimal = false;
    if (scan->width != 0 && scan->c == '0') {
        any = true;
        __incise_float_take(scan);
        /* The x counts only where the width leaves room for a digit after it. */
        if (scan->width != 0 && scan->width != 1 && (scan->c | 32) == 'x') {
            any = false;
            hexadecimal = true;
            __incise_float_take(scan);
        }
    }
    while (scan->width != 0) {
        if (!point && scan->c == '.') {
            point = true;
            any |= hexadecimal; /* "0x." is 0 for glibc */
        } else if (hexadecimal ? __incise_is_xdigit(scan->c) : __incise_is_digit(scan->c)) {
            any = true;
        } else {
            break;
        }
        __incise_float_take(scan);
    }
    if (!any) {
        return false;
    }
    if (scan->width != 0 && (scan->c | 32) == (hexadecimal ? 'p' : 'e')) {
        __incise_float_take(scan);
        if (scan->width != 0 && ((scan->c == '-') | (scan->c == '+'))) {
            __incise_float_take(scan);
        }
        /* glibc takes "1e" as 1 and leaves neither byte. */
        while (scan->width != 0 && __incise_is_digit(scan->c)) {
            __incise_float_take(scan);
        }
    }
    return true;
}

static enum __incise_match __incise_scan_float(struct __incise_float_scan *scan) {
    scan->c = __incise_source_get(scan->source);
    scan->length = 0;
    if (scan->c == EOF) {
        return INPUT_ENDED;
    }
    if ((scan->c == '-') | (scan->c == '+')) {
        __incise_float_take(scan);
        /* glibc calls a lone sign at the end of the input a failed match, not the end. */
        if (scan->width == 0 || scan->c == EOF) {
            __incise_source_unget(scan->source, scan->c);
            return NO_MATCH;
        }
    }
    bool matched = (__incise_is_digit(scan->c) | (unsigned)(scan->c == '.')) ? __incise_float_digits(scan)
                                                                           : __incise_float_letters(scan);
    __incise_source_unget(scan->source, scan->c);
    scan->text[scan->length] = 0;
    return matched ? MATCHED : NO_MATCH;
}

/* ---- Text ---------------------------------------------------------------------------------------- */

static enum __incise_match __incise_scan_characters(struct __incise_source *source, long width, char *target) {
    if (width < 0) {
        width = 1;
    }
    for (long at = 0; at < width; at++) {
        int c = __incise_source_get(source);
        if (c == EOF) {
            return at ? MATCHED : INPUT_ENDED;
        }
        if (target) {
            target[at] = (char)c;
        }
    }
    return MATCHED;
}

static enum __incise_match __incise_scan_word(struct __incise_source *source, long width, char *target) {
    long at = 0;
    while (width < 0 || at < width) {
        int c = __incise_source_get(source);
        if (c == EOF) {
            if (!at) {
                return INPUT_ENDED;
            }
            break;
        }
        if (__incise_is_space(c)) {
            __incise_source_unget(source, c);
            break;
        }
        if (target) {
            target[at] = (char)c;
        }
        at++;
    }
    if (target) {
        target[at] = 0;
    }
    return MATCHED;
}

/* The byte after the set's closing bracket; null if there is none. `set` is after '[' and '^'. */
static const char *__incise_set_end(const char *set) {
    if (*set == ']') {
        set++;
    }
    while (*set && *set != ']') {
        set++;
    }
    return *set ? set + 1 : NULL;
}

/* Is `c` in the set whose text is [set, end)? A value, not a fork. */
static unsigned __incise_set_contains(const char *set, const char *end, int c) {
    unsigned found = 0;
    const byte *at = (const byte *)set;
    const byte *last = (const byte *)end - 1;
    for (; at < last; at++) {
        if (*at == '-' && at != (const byte *)set && at + 1 < last && at[-1] <= at[1]) {
            found |= (unsigned)(c >= at[-1]) & (unsigned)(c <= at[1]);
        } else {
            found |= (unsigned)(c == *at);
        }
    }
    return found;
}

static enum __incise_match __incise_scan_set(struct __incise_source *source, long width, const char *set,
                                             const char *end, unsigned inverted, char *target) {
    long at = 0;
    while (width < 0 || at < width) {
        int c = __incise_source_get(source);
        if (c == EOF) {
            if (!at) {
                return INPUT_ENDED;
            }
            break;
        }
        if (__incise_set_contains(set, end, c) == inverted) {
            __incise_source_unget(source, c);
            break;
        }
        if (target) {
            target[at] = (char)c;
        }
        at++;
    }
    if (!at) {
        return NO_MATCH;
    }
    if (target) {
        target[at] = 0;
    }
    return MATCHED;
}

/* ---- The format ----------------------------------------------------------------------------------- */

static const char *__incise_scan_width(const char *format, long *width) {
    long value = 0;
    while (__incise_is_digit((byte)*format)) {
        value = value * 10 + (*format - '0');
        format++;
    }
    *width = value ? value : -1;
    return format;
}

static const char *__incise_scan_size(const char *format, int *size) {
    *size = 4;
    for (;; format++) {
        switch (*format) {
        case 'h': *size = *size == 2 ? 1 : 2; break;
        case 'l':
        case 'q':
        case 'j':
        case 'z':
        case 't': *size = 8; break;
        case 'L': *size = 16; break;
        case 'm': __incise_unsupported("scanf that allocates");
        default: return format;
        }
    }
}

static int __incise_scan(struct __incise_source *source, const char *format, bool binary, va_list arguments) {
    int done = 0;
    bool space = false;
    while (*format) {
        if (*format != '%') {
            if (__incise_is_space((byte)*format)) {
                space = true;
                format++;
                continue;
            }
            if (space) {
                __incise_skip_space(source);
                space = false;
            }
            int c = __incise_source_get(source);
            if (c == EOF) {
                return done ? done : EOF;
            }
            if (c != (byte)*format) {
                __incise_source_unget(source, c);
                return done;
            }
            format++;
            continue;
        }
        format++;
        bool assign = true;
        if (*format == '*') {
            assign = false;
            format++;
        }
        long width;
        int size;
        format = __incise_scan_width(format, &width);
        if (*format == '$') {
            __incise_unsupported("scanf with numbered arguments");
        }
        format = __incise_scan_size(format, &size);
        char conversion = *format;
        if (!conversion) {
            return done;
        }
        format++;
        if (space || (conversion != '[' && conversion != 'c' && conversion != 'n')) {
            __incise_skip_space(source);
            space = false;
        }
        enum __incise_match match = MATCHED;
        bool is_signed = false;
        unsigned base = 10;
        switch (conversion) {
        case '%': {
            int c = __incise_source_get(source);
            if (c == EOF) {
                return done ? done : EOF;
            }
            if (c != '%') {
                __incise_source_unget(source, c);
                return done;
            }
            continue;
        }
        case 'n':
            if (assign) {
                __incise_store_integer(va_arg(arguments, void *), size, (uint64_t)source->taken);
            }
            continue;
        case 'c':
        case 's':
        case '[': {
            if (size == 8) {
                __incise_unsupported("scanf of wide characters");
            }
            char *target = assign ? va_arg(arguments, char *) : NULL;
            if (conversion == 'c') {
                match = __incise_scan_characters(source, width, target);
            } else if (conversion == 's') {
                match = __incise_scan_word(source, width, target);
            } else {
                unsigned inverted = *format == '^';
                const char *set = format + inverted;
                format = __incise_set_end(set);
                if (!format) {
                    return done;
                }
                match = __incise_scan_set(source, width, set, format, inverted, target);
            }
            break;
        }
        case 'd': is_signed = true; goto integer;
        case 'i':
            is_signed = true;
            base = 0;
            goto integer;
        case 'o': base = 8; goto integer;
        case 'x':
        case 'X': base = 16; goto integer;
        case 'p':
            base = 16;
            size = 8;
            goto integer;
        case 'u':
        integer: {
            uint64_t value = 0;
            match = __incise_scan_integer(source, width, base, is_signed, binary, conversion == 'p', &value);
            if (match == MATCHED && assign) {
                __incise_store_integer(va_arg(arguments, void *), size, value);
            }
            break;
        }
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A': {
            struct __incise_float_scan scan;
            scan.source = source;
            scan.width = width;
            if (size == 16) {
                __incise_unsupported("scanf of long double");
            }
            match = __incise_scan_float(&scan);
            if (match == MATCHED && assign) {
                if (size == 8) {
                    *va_arg(arguments, double *) = __incise_to_double(scan.text, NULL);
                } else {
                    *va_arg(arguments, float *) = __incise_to_float(scan.text, NULL);
                }
            }
            break;
        }
        default: return done;
        }
        if (match == INPUT_ENDED) {
            return done ? done : EOF;
        }
        if (match == NO_MATCH) {
            return done;
        }
        done += assign;
    }
    if (space) {
        __incise_skip_space(source);
    }
    return done;
}

/* ---- Its many names -------------------------------------------------------------------------------- */

#define SCAN_FAMILY(prefix, binary)                                                               \
    int prefix##vsscanf(const char *string, const char *format, va_list arguments) {              \
        struct __incise_source source = {NULL, (const byte *)string, 0, false, 0};                \
        return __incise_scan(&source, format, binary, arguments);                                 \
    }                                                                                             \
    int prefix##sscanf(const char *string, const char *format, ...) {                             \
        struct __incise_source source = {NULL, (const byte *)string, 0, false, 0};                \
        va_list arguments;                                                                        \
        va_start(arguments, format);                                                              \
        int done = __incise_scan(&source, format, binary, arguments);                             \
        va_end(arguments);                                                                        \
        return done;                                                                              \
    }                                                                                             \
    int prefix##vfscanf(FILE *stream, const char *format, va_list arguments) {                    \
        struct __incise_source source = {stream, NULL, 0, false, 0};                              \
        return __incise_scan(&source, format, binary, arguments);                                 \
    }                                                                                             \
    int prefix##fscanf(FILE *stream, const char *format, ...) {                                   \
        struct __incise_source source = {stream, NULL, 0, false, 0};                              \
        va_list arguments;                                                                        \
        va_start(arguments, format);                                                              \
        int done = __incise_scan(&source, format, binary, arguments);                             \
        va_end(arguments);                                                                        \
        return done;                                                                              \
    }                                                                                             \
    int prefix##vscanf(const char *format, va_list arguments) {                                   \
        struct __incise_source source = {&__incise_stdin_stream, NULL, 0, false, 0};              \
        return __incise_scan(&source, format, binary, arguments);                                 \
    }                                                                                             \
    int prefix##scanf(const char *format, ...) {                                                  \
        struct __incise_source source = {&__incise_stdin_stream, NULL, 0, false, 0};              \
        va_list arguments;                                                                        \
        va_start(arguments, format);                                                              \
        int done = __incise_scan(&source, format, binary, arguments);                             \
        va_end(arguments);                                                                        \
        return done;                                                                              \
    }

SCAN_FAMILY(, false)
SCAN_FAMILY(__isoc99_, false)
SCAN_FAMILY(__isoc23_, true)
