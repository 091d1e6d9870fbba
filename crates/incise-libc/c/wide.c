/*
 * wchar.h, wctype.h and what stdlib.h says of multibyte characters, in the C locale: a byte up to 127 is a character,
 * any other byte is none.
 */
#include "incise.h"

typedef int wchar;
typedef unsigned wide;

#define EILSEQ_NUMBER 84
#define WIDE_END 0xffffffffu
#define BAD ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

/* ---- One character -------------------------------------------------------------------------------- */

/* How many bytes the next character has; where nothing is left of it, that it is incomplete. */
static size_t __incise_next_wide(wchar *target, const char *bytes, size_t count) {
    if (!count) {
        return INCOMPLETE;
    }
    byte c = (byte)*bytes;
    if (c >= 128) {
        __incise_errno = EILSEQ_NUMBER;
        return BAD;
    }
    if (target) {
        *target = c;
    }
    return c != 0;
}

size_t mbrtowc(wchar *target, const char *bytes, size_t count, void *state) {
    (void)state;
    return bytes ? __incise_next_wide(target, bytes, count) : 0;
}

size_t mbrlen(const char *bytes, size_t count, void *state) {
    (void)state;
    return bytes ? __incise_next_wide(NULL, bytes, count) : 0;
}

size_t __mbrlen(const char *bytes, size_t count, void *state) {
    (void)state;
    return bytes ? __incise_next_wide(NULL, bytes, count) : 0;
}

/* glibc looks at the byte before it looks at the count. */
static int __incise_next_wide_of(wchar *target, const char *bytes, size_t count) {
    if (!bytes) {
        return 0;
    }
    size_t length = __incise_next_wide(target, bytes, *bytes ? count : 1);
    return length == INCOMPLETE ? -1 : (int)length;
}

int mbtowc(wchar *target, const char *bytes, size_t count) { return __incise_next_wide_of(target, bytes, count); }

int mblen(const char *bytes, size_t count) { return __incise_next_wide_of(NULL, bytes, count); }

int mbsinit(const void *state) {
    (void)state;
    return 1;
}

static size_t __incise_put_wide(char *target, wchar character) {
    if ((wide)character >= 128) {
        __incise_errno = EILSEQ_NUMBER;
        return BAD;
    }
    *target = (char)character;
    return 1;
}

size_t wcrtomb(char *target, wchar character, void *state) {
    (void)state;
    return target ? __incise_put_wide(target, character) : 1;
}

int wctomb(char *target, wchar character) { return target ? (int)__incise_put_wide(target, character) : 0; }

wide btowc(int c) { return (unsigned)c < 128 ? (wide)c : WIDE_END; }

int wctob(wide character) { return character < 128 ? (int)character : EOF; }

/* ---- Strings ---------------------------------------------------------------------------------------- */

/* Up to `count` characters to `target`, or without one all of them. `source` is moved behind what was read, or to null. */
static size_t __incise_to_wide(wchar *target, const char **source, size_t most, size_t count) {
    size_t length = 0;
    const char *bytes = *source;
    while (!target || length < count) {
        wchar character;
        size_t taken = __incise_next_wide(&character, bytes, most);
        if (taken == INCOMPLETE) {
            break;
        }
        if (taken == BAD) {
            if (target) {
                *source = bytes;
            }
            return BAD;
        }
        if (target) {
            target[length] = character;
        }
        if (!taken) {
            if (target) {
                *source = NULL;
            }
            return length;
        }
        length++;
        bytes++;
        most--;
    }
    if (target) {
        *source = bytes;
    }
    return length;
}

size_t mbstowcs(wchar *target, const char *source, size_t count) {
    return __incise_to_wide(target, &source, (size_t)-1, count);
}

size_t mbsrtowcs(wchar *target, const char **source, size_t count, void *state) {
    (void)state;
    return __incise_to_wide(target, source, (size_t)-1, count);
}

size_t mbsnrtowcs(wchar *target, const char **source, size_t most, size_t count, void *state) {
    (void)state;
    return __incise_to_wide(target, source, most, count);
}

size_t wcstombs(char *target, const wchar *source, size_t count) {
    size_t length = 0;
    while (!target || length < count) {
        char c;
        if (__incise_put_wide(&c, source[length]) == BAD) {
            return BAD;
        }
        if (target) {
            target[length] = c;
        }
        if (!c) {
            break;
        }
        length++;
    }
    return length;
}

static size_t __incise_wide_length(const wchar *text) {
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

size_t wcslen(const wchar *text) { return __incise_wide_length(text); }

wchar *wcschr(const wchar *text, wchar wanted) {
    for (; *text != wanted; text++) {
        if (!*text) {
            return NULL;
        }
    }
    return (wchar *)text;
}

wchar *wmemchr(const wchar *text, wchar wanted, size_t count) {
    for (size_t at = 0; at < count; at++) {
        if (text[at] == wanted) {
            return (wchar *)&text[at];
        }
    }
    return NULL;
}

wchar *wcscpy(wchar *target, const wchar *source) {
    memcpy(target, source, (__incise_wide_length(source) + 1) * sizeof *target);
    return target;
}

int wcscmp(const wchar *one, const wchar *other) {
    size_t at = 0;
    while (one[at] && one[at] == other[at]) {
        at++;
    }
    return (one[at] > other[at]) - (one[at] < other[at]);
}

/* ---- Classes, as for bytes (ctype.c) ------------------------------------------------------------------- */

int iswupper(wide c) { return (int)(WITHIN(c, 'A', 26) * UPPER); }

int iswlower(wide c) { return (int)(WITHIN(c, 'a', 26) * LOWER); }

int iswalpha(wide c) { return (int)(IS_LETTER(c) * ALPHA); }

int iswdigit(wide c) { return (int)(WITHIN(c, '0', 10) * DIGIT); }

int iswxdigit(wide c) { return (int)((WITHIN(c, '0', 10) | WITHIN(c | 32u, 'a', 6)) * XDIGIT); }

int iswspace(wide c) { return (int)((WITHIN(c, ' ', 1) | WITHIN(c, '\t', 5)) * SPACE); }

int iswprint(wide c) { return (int)(WITHIN(c, ' ', 95) * PRINT); }

int iswgraph(wide c) { return (int)(WITHIN(c, '!', 94) * GRAPH); }

int iswblank(wide c) { return (int)((WITHIN(c, ' ', 1) | WITHIN(c, '\t', 1)) * BLANK); }

int iswcntrl(wide c) { return (int)((WITHIN(c, 0, 32) | WITHIN(c, 127, 1)) * CNTRL); }

int iswpunct(wide c) { return (int)((WITHIN(c, '!', 94) & ~(IS_LETTER(c) | WITHIN(c, '0', 10))) * PUNCT); }

int iswalnum(wide c) { return (int)((IS_LETTER(c) | WITHIN(c, '0', 10)) * ALNUM); }

wide towlower(wide c) { return c + ((wide)(c - 'A' < 26u) << 5); }

wide towupper(wide c) { return c - ((wide)(c - 'a' < 26u) << 5); }

int wcwidth(wchar character) {
    if (!character) {
        return 0;
    }
    return (int)(2 * WITHIN(character, ' ', 95)) - 1;
}

int wcswidth(const wchar *text, size_t count) {
    int width = 0;
    for (size_t at = 0; at < count && text[at]; at++) {
        if (!WITHIN(text[at], ' ', 95)) {
            return -1;
        }
        width++;
    }
    return width;
}
