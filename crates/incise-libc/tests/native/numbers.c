/* strtol and its family against the C library, with errno and the end pointer. */
#include "check.h"
#include <errno.h>
#include <inttypes.h>

long model_strtol(const char *, char **, int);
long long model_strtoll(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
intmax_t model_strtoimax(const char *, char **, int);
uintmax_t model_strtoumax(const char *, char **, int);
long model___isoc23_strtol(const char *, char **, int);
int model_atoi(const char *);
long model_atol(const char *);
long long model_atoll(const char *);

#define COMPARE(name, text, base)                                                                 \
    do {                                                                                          \
        char *our_end = (char *)1, *their_end = (char *)1;                                        \
        errno = 7;                                                                                \
        *model___errno_location() = 7;                                                            \
        unsigned long long ours = (unsigned long long)model_##name(text, &our_end, base);         \
        unsigned long long theirs = (unsigned long long)name(text, &their_end, base);             \
        CHECK(ours == theirs, #name "(\"%s\", %d) is %llx, not %llx", text, base, theirs, ours);  \
        CHECK(our_end == their_end, #name "(\"%s\", %d) ends at %td, not %td", text, base,        \
              their_end - text, our_end - text);                                                  \
        CHECK(errno == *model___errno_location(), #name "(\"%s\", %d): errno %d, not %d", text,   \
              base, errno, *model___errno_location());                                            \
    } while (0)

static void compare(const char *text, int base) {
    COMPARE(strtol, text, base);
    COMPARE(strtoul, text, base);
    COMPARE(strtoll, text, base);
    COMPARE(strtoull, text, base);
    COMPARE(strtoimax, text, base);
    COMPARE(strtoumax, text, base);
    CHECK(model_strtol(text, NULL, base) == strtol(text, NULL, base), "strtol without an end");
    CHECK(model_atoi(text) == atoi(text), "atoi(\"%s\")", text);
    CHECK(model_atol(text) == atol(text), "atol(\"%s\")", text);
    CHECK(model_atoll(text) == atoll(text), "atoll(\"%s\")", text);
}

/* A number of a base near a limit where something changes. */
static void near_a_limit(char *text, int base) {
    static const unsigned __int128 limits[] = {0,          127,         INT32_MAX, UINT32_MAX,
                                               INT64_MAX, UINT64_MAX, (unsigned __int128)UINT64_MAX * 16};
    unsigned __int128 value = limits[below(7)] + below(40) - (below(2) ? 20 : 0);
    char digits[140];
    int count = 0;
    if (value >> 120) {
        value = 0;
    }
    do {
        unsigned digit = (unsigned)(value % (unsigned)base);
        digits[count++] = (char)(digit < 10 ? '0' + digit : (below(2) ? 'a' : 'A') + digit - 10);
        value /= (unsigned)base;
    } while (value);
    static const char *const heads[] = {"", "-", "+", "  -", "\t\n\v\f\r ", "0", "-00", "0x", "-0X", "0b"};
    strcpy(text, heads[below(10)]);
    size_t at = strlen(text);
    while (count) {
        text[at++] = digits[--count];
    }
    text[at] = 0;
    strcat(text, below(2) ? "" : &"zZ9!"[below(4)]);
}

void check_numbers(void) {
    static const char *const corners[] = {
        "", " ", "-", "+", "+-1", "- 1", "0", "00", "0x", "0X", "0xg", "-0x", " 0x1", "0x 1", "08", "09", "017",
        "0b1", "0b", "0B101", "1e5", "z", "Z", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "-18446744073709551615", "-18446744073709551616", "99999999999999999999999999",
        "-99999999999999999999999999", "2147483648", "-2147483649", "7fffffffffffffff", "ffffffffffffffff",
        "0x7fffffffffffffff", "0xffffffffffffffffff", "1\x80", "\xa0""1", "00000000000000000000000000000001",
        "1777777777777777777777", "2000000000000000000000"};
    for (unsigned at = 0; at < sizeof corners / sizeof *corners; at++) {
        for (int base = -2; base <= 38; base++) {
            compare(corners[at], base);
        }
    }
    for (int round = 0; round < 60000; round++) {
        char text[200];
        int base = (int)below(35) + 2;
        if (round % 3) {
            near_a_limit(text, base);
        } else {
            random_text(text, 8, " +-0x12789abfzZ\t");
        }
        compare(text, round % 7 ? base : round % 2 ? 0 : 10);
    }
    /* The C23 names also take 0b. */
    char *end;
    static char binary[] = "-0b1012";
    CHECK(model___isoc23_strtol(binary, &end, 0) == -5 && end == binary + 6, "0b with base 0");
    CHECK(model___isoc23_strtol("0B11", &end, 2) == 3 && !*end, "0B with base 2");
    CHECK(model___isoc23_strtol("0b11", &end, 16) == 0xb11 && !*end, "0b is a number of base 16");
    static char unfinished[] = "0b2";
    CHECK(model___isoc23_strtol(unfinished, &end, 0) == 0 && end == unfinished + 1, "0b without a digit");
    static char hexadecimal[] = "0x1F";
    CHECK(model___isoc23_strtol(hexadecimal, &end, 0) == 31 && !*end, "0x still works");
}
