/* The model of vsnprintf against the C library, one conversion at a time and in rows. */
#include "check.h"
#include <errno.h>
#include <stdarg.h>

int __incise_format(char *, unsigned long, const char *, va_list);

#define ROOM 256

static char ours[ROOM], theirs[ROOM];

static int our_snprintf(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __incise_format(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}

/* The format varies at run time, which is what is tested. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

#define COMPARE(size, format, ...)                                                                \
    do {                                                                                          \
        memset(ours, 'Z', ROOM);                                                                  \
        memset(theirs, 'Z', ROOM);                                                                \
        int our_length = our_snprintf(ours, size, format, __VA_ARGS__);                           \
        int their_length = snprintf(theirs, size, format, __VA_ARGS__);                           \
        CHECK(our_length == their_length && !memcmp(ours, theirs, ROOM),                          \
              "\"%s\" in %zu bytes: %d \"%.200s\", not %d \"%.200s\"", format, (size_t)(size),    \
              their_length, theirs, our_length, ours);                                            \
    } while (0)

static void random_specification(char *format, const char *sizes[], unsigned size_count, const char *letters) {
    char *end = format;
    end += sprintf(end, "<%%");
    for (unsigned flags = below(4); flags; flags--) {
        *end++ = "-+ #0'"[below(6)];
    }
    if (below(2)) {
        end += sprintf(end, "%u", below(14) + 1);
    }
    if (below(2)) {
        *end++ = '.';
        if (below(4)) {
            end += sprintf(end, "%u", below(13));
        }
    }
    sprintf(end, "%s%c>", sizes[below(size_count)], letters[below((unsigned)strlen(letters))]);
}

static uint64_t interesting(void) {
    static const uint64_t values[] = {0, 1, 9, 10, 99, 100, 255, 128, 127, 32768, 65535, 999999999, 1000000000,
                                      INT32_MAX, 1ull << 31, UINT32_MAX, INT64_MAX, 1ull << 63, UINT64_MAX,
                                      9999999999999999999ull, 10000000000000000000ull};
    return below(3) ? values[below(21)] : next_random() >> below(64);
}

static void check_rows(void) {
    for (size_t size = 0; size < 60; size++) {
        COMPARE(size, "%s=%d, %5.2s|%-6c|%#x %% %p%p", "name", -17, "abc", 'q', 255u, (void *)0, (void *)0x1234);
        COMPARE(size, "%*d|%-*d|%.*s|%.*d", 6, 42, -6, 43, 2, "xyz", -1, 0);
        COMPARE(size, "%5.1f %s", 2.25, "after");
    }
    int our_count[4] = {0}, their_count[4] = {0};
    signed char our_narrow, their_narrow;
    our_snprintf(ours, ROOM, "ab%ncd%5d%hhn", our_count, 3, &our_narrow);
    snprintf(theirs, ROOM, "ab%ncd%5d%hhn", their_count, 3, &their_narrow);
    CHECK(our_count[0] == their_count[0] && our_narrow == their_narrow && !strcmp(ours, theirs), "%%n");
    CHECK(our_snprintf(ours, ROOM, "ab%") == -1, "a format that ends in %%");
    errno = 34;
    *model___errno_location() = 34;
    COMPARE((size_t)ROOM, "%d %ld %hd %hhd", -1, -1l, 70000, 300);
    COMPARE((size_t)10, "%1000000d", 1);
    /* glibc says the same, after seconds of counting. */
    CHECK(our_snprintf(ours, 10, "%2147483647d", 1) == INT32_MAX, "the longest result");
    CHECK(our_snprintf(ours, 10, "%2147483647d%d", 1, 2) == -1 && *model___errno_location() == EOVERFLOW,
          "a result too long for an int");
    COMPARE((size_t)ROOM, "%s|%.3s|%.6s|%8s|%-8s|", (char *)0, (char *)0, (char *)0, (char *)0, (char *)0);
}

void check_format(void) {
    static const char *narrow[] = {"", "hh", "h"};
    static const char *wide[] = {"l", "ll", "j", "z", "t"};
    static const char *plain[] = {""};
    for (int round = 0; round < 60000; round++) {
        char format[80];
        size_t size = round % 4 ? ROOM : below(20);
        random_specification(format, narrow, 3, "diuxXob");
        unsigned small = (unsigned)interesting();
        COMPARE(size, format, small);
        random_specification(format, wide, 5, "diuxXoB");
        uint64_t large = interesting();
        COMPARE(size, format, large);
        random_specification(format, plain, 1, "s");
        char text[20];
        random_text(text, 16, "abcdefg");
        COMPARE(size, format, text);
        random_specification(format, plain, 1, "cp%");
        void *pointer = (void *)(uintptr_t)(below(3) ? below(127) + 1 : 0);
        COMPARE(size, format, pointer);
        random_specification(format, plain, 1, "feEgGaA");
        double real = (double)(int64_t)interesting() / 8;
        COMPARE(size, format, real);
    }
    check_rows();
}
