/* Multibyte and wide characters in the C locale, against the C library. */
#define _GNU_SOURCE
#include "check.h"
#include <errno.h>
#include <wchar.h>
#include <wctype.h>

size_t model_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t model_mbrlen(const char *, size_t, mbstate_t *);
int model_mbtowc(wchar_t *, const char *, size_t);
int model_mblen(const char *, size_t);
int model_mbsinit(const mbstate_t *);
size_t model_wcrtomb(char *, wchar_t, mbstate_t *);
int model_wctomb(char *, wchar_t);
wint_t model_btowc(int);
int model_wctob(wint_t);
size_t model_mbstowcs(wchar_t *, const char *, size_t);
size_t model_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t model_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t model_wcstombs(char *, const wchar_t *, size_t);
size_t model_wcslen(const wchar_t *);
wchar_t *model_wcschr(const wchar_t *, wchar_t);
wchar_t *model_wmemchr(const wchar_t *, wchar_t, size_t);
int model_wcscmp(const wchar_t *, const wchar_t *);
wint_t model_towlower(wint_t);
wint_t model_towupper(wint_t);
int model_wcwidth(wchar_t);
int model_wcswidth(const wchar_t *, size_t);

#define CLASSES(X) \
    X(upper) X(lower) X(alpha) X(digit) X(xdigit) X(space) X(print) X(graph) X(blank) X(cntrl) X(punct) X(alnum)
#define DECLARE(class) int model_isw##class(wint_t);
CLASSES(DECLARE)

static int sign(int number) { return (number > 0) - (number < 0); }

static void check_classes(void) {
    for (unsigned c = 0; c < 700; c++) {
        wint_t character = c < 600 ? c : (wint_t)next_random();
#define COMPARE(class) CHECK(!model_isw##class(character) == !isw##class(character), "isw" #class "(%x)", character);
        CLASSES(COMPARE)
        CHECK(model_towlower(character) == towlower(character) && model_towupper(character) == towupper(character), "%x", character);
        CHECK(model_wcwidth((wchar_t)character) == wcwidth((wchar_t)character), "wcwidth(%x)", character);
        CHECK(model_wctob(character) == wctob(character), "wctob(%x)", character);
        CHECK(model_btowc((int)c - 1) == btowc((int)c - 1), "btowc(%d)", (int)c - 1);
        char our_bytes[16] = "?", their_bytes[16] = "?";
        mbstate_t state = {0};
        *model___errno_location() = errno = 0;
        CHECK(model_wcrtomb(our_bytes, (wchar_t)character, &state) == wcrtomb(their_bytes, (wchar_t)character, &state) &&
                  !memcmp(our_bytes, their_bytes, 16) && *model___errno_location() == errno, "wcrtomb(%x)", character);
        CHECK(model_wctomb(our_bytes, (wchar_t)character) == wctomb(their_bytes, (wchar_t)character), "wctomb(%x)", character);
    }
}

static void check_characters(void) {
    for (int c = 0; c < 256; c++) {
        for (size_t count = 0; count < 3; count++) {
            char bytes[3] = {(char)c, 'x', 0};
            wchar_t ours = 77, theirs = 77;
            mbstate_t state = {0};
            *model___errno_location() = errno = 0;
            size_t our_length = model_mbrtowc(&ours, bytes, count, &state), their_length = mbrtowc(&theirs, bytes, count, &state);
            CHECK(our_length == their_length && ours == theirs, "mbrtowc(%d, %zu): %zd, not %zd", c, count, their_length, our_length);
            CHECK(*model___errno_location() == errno, "errno of mbrtowc(%d)", c);
            memset(&state, 0, sizeof state);
            CHECK(model_mbrlen(bytes, count, &state) == mbrlen(bytes, count, &state) && model_mbsinit(&state), "mbrlen(%d)", c);
            CHECK(model_mblen(bytes, count) == mblen(bytes, count), "mblen(%d, %zu)", c, count);
            CHECK(model_mbtowc(&ours, bytes, count) == mbtowc(&theirs, bytes, count) && ours == theirs, "mbtowc(%d)", c);
        }
    }
    mbstate_t state = {0};
    CHECK(model_mbrtowc(NULL, NULL, 5, &state) == mbrtowc(NULL, NULL, 5, &state), "mbrtowc of nothing");
    CHECK(model_wcrtomb(NULL, 'a', &state) == wcrtomb(NULL, 'a', &state), "wcrtomb to nowhere");
}

static void check_texts(void) {
    for (int round = 0; round < 5000; round++) {
        char text[24];
        random_text(text, 8, round % 3 ? "abc" : "ab\xc3");
        wchar_t ours[12], theirs[12];
        memset(ours, 0, sizeof ours);
        memset(theirs, 0, sizeof theirs);
        size_t count = below(11), most = below(10);
        CHECK(model_mbstowcs(ours, text, count) == mbstowcs(theirs, text, count) && !memcmp(ours, theirs, sizeof ours), "mbstowcs %s", text);
        CHECK(model_mbstowcs(NULL, text, 0) == mbstowcs(NULL, text, 0), "the length of %s", text);
        const char *our_rest = text, *their_rest = text;
        mbstate_t state = {0};
        size_t our_length = model_mbsrtowcs(ours, &our_rest, count, &state), their_length = mbsrtowcs(theirs, &their_rest, count, &state);
        CHECK(our_length == their_length && our_rest == their_rest, "mbsrtowcs %s", text);
        our_rest = their_rest = text;
        memset(&state, 0, sizeof state);
        our_length = model_mbsnrtowcs(ours, &our_rest, most, count, &state);
        their_length = mbsnrtowcs(theirs, &their_rest, most, count, &state);
        CHECK(our_length == their_length && our_rest == their_rest, "mbsnrtowcs %s, %zu", text, most);
        wchar_t words[2][8];
        for (int word = 0; word < 2; word++) {
            size_t length = below(6);
            for (size_t at = 0; at < length; at++) {
                words[word][at] = (wchar_t)("ab\xff"[below(3)] + (round % 2 ? 128 : 0));
            }
            words[word][length] = 0;
        }
        CHECK(model_wcslen(words[0]) == wcslen(words[0]) && model_wcschr(words[0], 'b') == wcschr(words[0], 'b'), "wcslen, wcschr");
        CHECK(model_wmemchr(words[0], 'b', 1) == wmemchr(words[0], 'b', 1), "wmemchr");
        CHECK(sign(model_wcscmp(words[0], words[1])) == sign(wcscmp(words[0], words[1])), "wcscmp");
        CHECK(model_wcswidth(words[0], count) == wcswidth(words[0], count), "wcswidth");
        char our_bytes[8] = "", their_bytes[8] = "";
        CHECK(model_wcstombs(our_bytes, words[0], 7) == wcstombs(their_bytes, words[0], 7), "wcstombs");
    }
}

void check_wide(void) {
    check_classes();
    check_characters();
    check_texts();
}
