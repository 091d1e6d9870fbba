/* The scanf family against the C library: what it stores, returns, and leaves in the input. */
#include "check.h"
#include <errno.h>

int model_sscanf(const char *, const char *, ...);
int model___isoc23_sscanf(const char *, const char *, ...);
int model_scanf(const char *, ...);
int model_getchar(void);

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-extra-args"

#define ARGUMENTS 4
#define ROOM 64

static char ours[ARGUMENTS][ROOM], theirs[ARGUMENTS][ROOM];

static void show(const char *what, const char *input, const char *format, int our_count, int their_count) {
    CHECK(0, "%s of \"%s\" by \"%s\": %d, not %d", what, input, format, their_count, our_count);
}

static void compare(const char *input, const char *format) {
    memset(ours, 0x5a, sizeof ours);
    memset(theirs, 0x5a, sizeof theirs);
    errno = *model___errno_location() = 0;
    int our_count = model_sscanf(input, format, ours[0], ours[1], ours[2], ours[3]);
    int our_errno = *model___errno_location();
    int their_count = sscanf(input, format, theirs[0], theirs[1], theirs[2], theirs[3]);
    comparisons++;
    if (our_count != their_count || memcmp(ours, theirs, sizeof ours)) {
        show("sscanf", input, format, our_count, their_count);
    } else if (our_errno != errno) {
        show("errno after sscanf", input, format, our_errno, errno);
    }
    /* The same from a stream, and then what is left of it. */
    FILE *stream = tmpfile();
    if (!stream) {
        CHECK(0, "no temporary file");
        return;
    }
    fputs(input, stream);
    rewind(stream);
    memset(ours, 0x5a, sizeof ours);
    memset(theirs, 0x5a, sizeof theirs);
    restart_input(input);
    our_count = model_scanf(format, ours[0], ours[1], ours[2], ours[3]);
    their_count = fscanf(stream, format, theirs[0], theirs[1], theirs[2], theirs[3]);
    comparisons++;
    if (our_count != their_count || memcmp(ours, theirs, sizeof ours)) {
        show("scanf", input, format, our_count, their_count);
    }
    int our_next = model_getchar(), their_next = fgetc(stream);
    if (our_next != their_next) {
        show("the character after scanf", input, format, our_next, their_next);
    }
    fclose(stream);
}

void check_scan(void) {
    static const char *const formats[] = {
        "%d", "%d%d", "%d %d", " %d", "%d,%d", "%u", "%x", "%X", "%o", "%i", "%ld", "%lld", "%hd", "%hhd", "%lu",
        "%zu", "%jd", "%td", "%hhx", "%2d%3d", "%1d%n", "%3i%n", "%2x%n", "%3x%s", "%1x%n", "%*d%d", "%*s%d", "%s",
        "%s%s", "%5s", "%3s%n", "%c", "%3c", "%c%c", " %c", "%c %c", "%*c%d", "%[abc]", "%[^,]", "%[^,],%d",
        "%3[a-c]", "%[]a]", "%[^]a]", "%[a-]", "%[-a]", "%[z-a]", "%*[a-z]%d", "%[0-9]%[a-z]", "%d%%%d", "%%%d",
        "x%dy%n", "%d %n", "%d%n%s", "%n", "abc", "a b", "a%nb", "%", "%d%", "%k", "%p", "%5d", "%0d", " ", "  %n",
        "%i %i", "%d x %d", "%s %n", "%[", "%[^", "%4c%n", "%f", "%lf", "%3f%n", "%lf%s", "%e", "%lg %n", "%*f%d"};
    static const char *const inputs[] = {
        "", " ", "12", "-12", "+12", "12 34", "  12\t34\n", "12,34", "-", "+", "--1", "+-1", "0", "00", "0x", "0x1f",
        "0X1F", "0xg", "-0x10", "017", "08", "0b11", "abc", "abc 12", " abc", "]a]b", "a-c-", "x12y", "x 12y", "12%34", "%5",
        "99999999999999999999", "-99999999999999999999", "2147483648", "4294967296", "70000", "300", "a b", "ab", "a  b",
        "12x34", "12 x 34", "1.5", "-1.5e3", "1e", "1e+", "1e+x", "1ex", ".5", ".", "-.", "5.", "inf", "-infinity", "infi",
        "nan", "na", "0x1p3", "0x1.8", "0x.", "1.5.5", "1e5e", "\xe4\xf6", "a,b,c", "zyx", "123456789", "(nil)", "1e400", "e5", "-e",
        "0.0", "007.50", "1..2", "12abc", "-\n", "i", "n", "+inf", "0xp", "-0", "  -0x", "0x1p", "0x1p+"};
    for (unsigned format = 0; format < sizeof formats / sizeof *formats; format++) {
        for (unsigned input = 0; input < sizeof inputs / sizeof *inputs; input++) {
            compare(inputs[input], formats[format]);
        }
        for (int round = 0; round < 60; round++) {
            char text[24];
            random_text(text, 10, "0127x-+ ab,.e%\t\n");
            compare(text, formats[format]);
        }
    }
    int value = 0;
    CHECK(model___isoc23_sscanf("0b101", "%i", &value) == 1 && value == 5, "%%i of a binary number in C23");
}
