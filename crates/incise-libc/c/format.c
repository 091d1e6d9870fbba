/*
 * The printf family for arguments that are not concrete; the engine formats concrete ones itself.
 *
 * A path forks on how many digits a number has and on its sign, not on its digits: those
 * are quotients of the value. A string forks on its length.
 */
#include "incise.h"

struct __incise_text {
    char *buffer;
    size_t size;
    size_t length; /* as if the buffer were unlimited */
};

static void __incise_text_add(struct __incise_text *text, char c) {
    if (text->length < text->size) {
        text->buffer[text->length] = c;
    }
    text->length++;
}

static void __incise_text_pad(struct __incise_text *text, char c, long count) {
    while (count > 0) {
        if (text->length >= text->size) {
            text->length += (size_t)count;
            return;
        }
        text->buffer[text->length++] = c;
        count--;
    }
}

struct __incise_conversion {
    bool left, plus, space, alternate, zero;
    long width;
    long precision; /* -1 when none is given */
    int size;       /* of the integer argument in bytes */
};

/* ---- Integers ----------------------------------------------------------------------------------- */

static const uint64_t __incise_decimal_places[20] = {1ull,
                                                     10ull,
                                                     100ull,
                                                     1000ull,
                                                     10000ull,
                                                     100000ull,
                                                     1000000ull,
                                                     10000000ull,
                                                     100000000ull,
                                                     1000000000ull,
                                                     10000000000ull,
                                                     100000000000ull,
                                                     1000000000000ull,
                                                     10000000000000ull,
                                                     100000000000000ull,
                                                     1000000000000000ull,
                                                     10000000000000000ull,
                                                     100000000000000000ull,
                                                     1000000000000000000ull,
                                                     10000000000000000000ull};

/* Writes the digits of a value that is not negative and returns how many; none for zero. */
static int __incise_decimal_digits(uint64_t value, bool narrow, char *digits) {
    int count = 0;
    if (narrow) {
        /* 32 bits wide on purpose: a division of 64 bits costs the solver four times as much. */
        uint32_t small = (uint32_t)value;
        while (count < 10) {
            if (small < (uint32_t)__incise_decimal_places[count]) {
                break;
            }
            count++;
        }
        for (int at = 0; at < count; at++) {
            digits[at] = (char)('0' + small / (uint32_t)__incise_decimal_places[count - 1 - at] % 10u);
        }
        return count;
    }
    while (count < 20) {
        if (value < __incise_decimal_places[count]) {
            break;
        }
        count++;
    }
    for (int at = 0; at < count; at++) {
        digits[at] = (char)('0' + value / __incise_decimal_places[count - 1 - at] % 10u);
    }
    return count;
}

static int __incise_power_digits(uint64_t value, unsigned bits, bool upper, char *digits) {
    int count = 0;
    while ((unsigned)count * bits < 64) {
        if (!(value >> ((unsigned)count * bits))) {
            break;
        }
        count++;
    }
    unsigned letters = upper ? 'A' - '9' - 1 : 'a' - '9' - 1;
    for (int at = 0; at < count; at++) {
        unsigned digit = (unsigned)(value >> ((unsigned)(count - 1 - at) * bits)) & ((1u << bits) - 1);
        digits[at] = (char)('0' + digit + ((0u - (unsigned)(digit > 9u)) & letters));
    }
    return count;
}

static void __incise_format_integer(struct __incise_text *text, const struct __incise_conversion *conversion,
                                    char letter, uint64_t magnitude, char sign) {
    char digits[64];
    int count;
    const char *prefix = "";
    long prefix_length = 0;
    long zeros = 0;
    if (letter == 'd' || letter == 'u') {
        count = __incise_decimal_digits(magnitude, conversion->size <= 4, digits);
    } else if (letter == 'o') {
        count = __incise_power_digits(magnitude, 3, false, digits);
    } else if (letter == 'b' || letter == 'B') {
        count = __incise_power_digits(magnitude, 1, false, digits);
    } else {
        count = __incise_power_digits(magnitude, 4, letter == 'X', digits);
    }
    if (conversion->alternate) {
        if (letter == 'o') {
            zeros = 1;
        } else if (count && letter != 'd' && letter != 'u') {
            prefix = letter == 'x' ? "0x" : letter == 'X' ? "0X" : letter == 'b' ? "0b" : "0B";
            prefix_length = 2;
        }
    }
    if (conversion->precision >= 0) {
        if (conversion->precision - count > zeros) {
            zeros = conversion->precision - count;
        }
    } else if (!count) {
        zeros = 1;
    }
    long padding = conversion->width - (sign != 0) - prefix_length - zeros - count;
    bool zero = conversion->zero && !conversion->left && conversion->precision < 0;
    if (!zero && !conversion->left) {
        __incise_text_pad(text, ' ', padding);
    }
    if (sign) {
        __incise_text_add(text, sign);
    }
    for (long at = 0; at < prefix_length; at++) {
        __incise_text_add(text, prefix[at]);
    }
    if (zero) {
        __incise_text_pad(text, '0', padding);
    }
    __incise_text_pad(text, '0', zeros);
    for (int at = 0; at < count; at++) {
        __incise_text_add(text, digits[at]);
    }
    if (conversion->left) {
        __incise_text_pad(text, ' ', padding);
    }
}

static void __incise_format_signed(struct __incise_text *text, const struct __incise_conversion *conversion,
                                   int64_t value) {
    if (value < 0) {
        __incise_format_integer(text, conversion, 'd', 0 - (uint64_t)value, '-');
    } else {
        char sign = conversion->plus ? '+' : conversion->space ? ' ' : 0;
        __incise_format_integer(text, conversion, 'd', (uint64_t)value, sign);
    }
}

/* ---- Strings and floating point ------------------------------------------------------------------ */

static void __incise_format_string(struct __incise_text *text, const struct __incise_conversion *conversion,
                                   const char *string) {
    if (!string) {
        string = conversion->precision < 0 || conversion->precision >= 6 ? "(null)" : "";
    }
    long length = 0;
    while (conversion->precision < 0 || length < conversion->precision) {
        if (!string[length]) {
            break;
        }
        length++;
    }
    if (!conversion->left) {
        __incise_text_pad(text, ' ', conversion->width - length);
    }
    for (long at = 0; at < length; at++) {
        __incise_text_add(text, string[at]);
    }
    if (conversion->left) {
        __incise_text_pad(text, ' ', conversion->width - length);
    }
    /* Behind what was written stands a terminator, or more. */
    size_t written = (text->length < text->size ? text->length : text->size) + 1;
    if (text->buffer) {
        __incise_apart(text->buffer, written, string, (size_t)length + (conversion->precision < 0));
    }
}

static void __incise_format_float(struct __incise_text *text, const struct __incise_conversion *conversion,
                                  char letter, double value) {
    char specification[64];
    struct __incise_text spec = {specification, sizeof specification, 0};
    struct __incise_conversion plain = {.precision = -1, .size = 8};
    __incise_text_add(&spec, '%');
    const char *flags = "-+ #0";
    const bool given[5] = {conversion->left, conversion->plus, conversion->space, conversion->alternate,
                           conversion->zero};
    for (int at = 0; at < 5; at++) {
        if (given[at]) {
            __incise_text_add(&spec, flags[at]);
        }
    }
    if (conversion->width) {
        __incise_format_signed(&spec, &plain, conversion->width);
    }
    if (conversion->precision >= 0) {
        __incise_text_add(&spec, '.');
        __incise_format_signed(&spec, &plain, conversion->precision);
    }
    __incise_text_add(&spec, letter);
    __incise_text_add(&spec, 0);
    size_t room = text->length < text->size ? text->size - text->length : 0;
    /* As snprintf does, it ends with a terminator; there is one byte more than `size` for it. */
    int length = __incise_format_double(room ? text->buffer + text->length : NULL, room ? room + 1 : 0,
                                        specification, value);
    text->length += (size_t)length;
}

/* ---- The format ----------------------------------------------------------------------------------- */

static const char *__incise_read_flags(const char *format, struct __incise_conversion *conversion) {
    for (;; format++) {
        switch (*format) {
        case '-': conversion->left = true; break;
        case '+': conversion->plus = true; break;
        case ' ': conversion->space = true; break;
        case '#': conversion->alternate = true; break;
        case '0': conversion->zero = true; break;
        case '\'': break; /* the C locale groups nothing */
        default: return format;
        }
    }
}

static const char *__incise_read_number(const char *format, long *number) {
    *number = 0;
    while (__incise_is_digit((byte)*format)) {
        if (*number < INT32_MAX) {
            *number = *number * 10 + (*format - '0');
        }
        format++;
    }
    return format;
}

static const char *__incise_read_size(const char *format, int *size) {
    *size = 4;
    for (;; format++) {
        switch (*format) {
        case 'h': *size = *size == 2 ? 1 : 2; break;
        case 'l':
        case 'q':
        case 'j':
        case 'z':
        case 'Z':
        case 't': *size = 8; break;
        case 'L': __incise_unsupported("printf of long double");
        default: return format;
        }
    }
}

static void __incise_store_count(void *target, int size, size_t count) {
    switch (size) {
    case 1: *(int8_t *)target = (int8_t)count; break;
    case 2: *(int16_t *)target = (int16_t)count; break;
    case 4: *(int32_t *)target = (int32_t)count; break;
    default: *(int64_t *)target = (int64_t)count; break;
    }
}

INLINE int64_t __incise_narrow_signed(int value, int size) {
    return size == 1 ? (int8_t)value : size == 2 ? (int16_t)value : value;
}

INLINE uint64_t __incise_narrow_unsigned(unsigned value, int size) {
    return size == 1 ? (uint8_t)value : size == 2 ? (uint16_t)value : value;
}

/* What vsnprintf does, byte for byte; -1 for a format that glibc refuses. */
int __incise_format(char *buffer, unsigned long size, const char *format, va_list arguments) {
    /* The last byte is for the terminator. */
    struct __incise_text text = {buffer, size ? size - 1 : 0, 0};
    for (; *format; format++) {
        if (*format != '%') {
            __incise_text_add(&text, *format);
            continue;
        }
        struct __incise_conversion conversion = {.precision = -1};
        format = __incise_read_flags(format + 1, &conversion);
        if (*format == '*') {
            conversion.width = va_arg(arguments, int);
            if (conversion.width < 0) {
                conversion.left = true;
                conversion.width = -conversion.width;
            }
            format++;
        } else {
            format = __incise_read_number(format, &conversion.width);
        }
        if (*format == '.') {
            if (format[1] == '*') {
                conversion.precision = va_arg(arguments, int);
                if (conversion.precision < 0) {
                    conversion.precision = -1;
                }
                format += 2;
            } else {
                format = __incise_read_number(format + 1, &conversion.precision);
            }
        }
        format = __incise_read_size(format, &conversion.size);
        bool wide = conversion.size == 8;
        switch (*format) {
        case 'd':
        case 'i': {
            int64_t value = wide ? va_arg(arguments, int64_t)
                                 : __incise_narrow_signed(va_arg(arguments, int), conversion.size);
            __incise_format_signed(&text, &conversion, value);
            break;
        }
        case 'u':
        case 'x':
        case 'X':
        case 'o':
        case 'b':
        case 'B': {
            uint64_t value = wide ? va_arg(arguments, uint64_t)
                                  : __incise_narrow_unsigned(va_arg(arguments, unsigned), conversion.size);
            __incise_format_integer(&text, &conversion, *format, value, 0);
            break;
        }
        case 'c': {
            char c = (char)va_arg(arguments, int);
            if (wide) {
                __incise_unsupported("printf of a wide character");
            }
            if (!conversion.left) {
                __incise_text_pad(&text, ' ', conversion.width - 1);
            }
            __incise_text_add(&text, c);
            if (conversion.left) {
                __incise_text_pad(&text, ' ', conversion.width - 1);
            }
            break;
        }
        case 's': {
            const char *string = va_arg(arguments, const char *);
            if (wide) {
                __incise_unsupported("printf of a wide string");
            }
            __incise_format_string(&text, &conversion, string);
            break;
        }
        case 'p': {
            void *pointer = va_arg(arguments, void *);
            if (pointer) {
                conversion.alternate = true;
                conversion.size = 8;
                char sign = conversion.plus ? '+' : conversion.space ? ' ' : 0;
                __incise_format_integer(&text, &conversion, 'x', (uint64_t)pointer, sign);
            } else {
                conversion.precision = -1;
                __incise_format_string(&text, &conversion, "(nil)");
            }
            break;
        }
        case 'n': __incise_store_count(va_arg(arguments, void *), conversion.size, text.length); break;
        case '%': __incise_text_add(&text, '%'); break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': __incise_format_float(&text, &conversion, *format, va_arg(arguments, double)); break;
        case 0: __incise_errno = EINVAL_NUMBER; return -1;
        default: __incise_unsupported("an unknown conversion of printf");
        }
    }
    if (size) {
        buffer[text.length < size ? text.length : size - 1] = 0;
    }
    if (text.length > INT32_MAX) {
        __incise_errno = EOVERFLOW_NUMBER;
        return -1;
    }
    return (int)text.length;
}

/* ---- Into memory that is allocated for it ----------------------------------------------------------- */

int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments);

/* The engine's vsnprintf, because it formats concrete values quicker than the model above. */
static int __incise_allocate_and_format(char **target, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return -1;
    }
    char *text = malloc((size_t)length + 1);
    if (!text) {
        __incise_errno = ENOMEM_NUMBER;
        return -1;
    }
    *target = text;
    return vsnprintf(text, (size_t)length + 1, format, arguments);
}

int vasprintf(char **target, const char *format, va_list arguments) {
    return __incise_allocate_and_format(target, format, arguments);
}

int __vasprintf_chk(char **target, int flag, const char *format, va_list arguments) {
    (void)flag;
    return __incise_allocate_and_format(target, format, arguments);
}

int asprintf(char **target, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __incise_allocate_and_format(target, format, arguments);
    va_end(arguments);
    return length;
}

int __asprintf_chk(char **target, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = __incise_allocate_and_format(target, format, arguments);
    va_end(arguments);
    return length;
}
