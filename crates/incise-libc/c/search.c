/* string.h: finding bytes and strings, and cutting strings into tokens. */
#include "incise.h"

/* Where `c` is first, or the terminator if it is nowhere. One fork for each byte passed. */
INLINE char *__incise_find_or_end(const char *text, char c) {
    while ((*text != c) & (*text != 0)) {
        text++;
    }
    return (char *)text;
}

INLINE char *__incise_find(const char *text, char c) {
    char *at = __incise_find_or_end(text, c);
    return *at == c ? at : NULL;
}

/*
 * Finds the end first and then looks backwards: one path for each place, where a
 * forward search that remembers the last match would have one for each set of matches.
 */
INLINE char *__incise_find_last(const char *text, char c) {
    const char *at = text;
    while (*at) {
        at++;
    }
    while (*at != c) {
        if (at == text) {
            return NULL;
        }
        at--;
    }
    return (char *)at;
}

/* Is `c` a byte of the string `set`? The answer is a value, not a fork. */
INLINE unsigned __incise_contains(const char *set, char c) {
    unsigned found = 0;
    while (*set) {
        found |= (unsigned)(*set == c);
        set++;
    }
    return found;
}

INLINE size_t __incise_span(const char *text, const char *accept) {
    size_t length = 0;
    /* The terminator is in no set, so it ends the span by itself. */
    while (__incise_contains(accept, text[length])) {
        length++;
    }
    return length;
}

INLINE size_t __incise_span_without(const char *text, const char *reject) {
    size_t length = 0;
    while (!(__incise_contains(reject, text[length]) | (unsigned)(text[length] == 0))) {
        length++;
    }
    return length;
}

char *strchr(const char *text, int c) { return __incise_find(text, (char)c); }

char *index(const char *text, int c) { return __incise_find(text, (char)c); }

char *strchrnul(const char *text, int c) { return __incise_find_or_end(text, (char)c); }

char *strrchr(const char *text, int c) { return __incise_find_last(text, (char)c); }

char *rindex(const char *text, int c) { return __incise_find_last(text, (char)c); }

size_t strspn(const char *text, const char *accept) { return __incise_span(text, accept); }

size_t strcspn(const char *text, const char *reject) { return __incise_span_without(text, reject); }

char *strpbrk(const char *text, const char *accept) {
    const char *at = text + __incise_span_without(text, accept);
    return *at ? (char *)at : NULL;
}

char *strstr(const char *text, const char *wanted) {
    for (;; text++) {
        size_t at = 0;
        while ((text[at] == wanted[at]) & (wanted[at] != 0)) {
            at++;
        }
        if (!wanted[at]) {
            return (char *)text;
        }
        /* The rest is shorter than what is wanted. */
        if (!text[at]) {
            return NULL;
        }
    }
}

char *strcasestr(const char *text, const char *wanted) {
    for (;; text++) {
        size_t at = 0;
        while ((__incise_lower((byte)text[at]) == __incise_lower((byte)wanted[at])) & (wanted[at] != 0)) {
            at++;
        }
        if (!wanted[at]) {
            return (char *)text;
        }
        if (!text[at]) {
            return NULL;
        }
    }
}

INLINE char *__incise_token(char *text, const char *delimiters, char **rest) {
    if (!text) {
        text = *rest;
    }
    text += __incise_span(text, delimiters);
    if (!*text) {
        *rest = text;
        return NULL;
    }
    char *end = text + __incise_span_without(text, delimiters);
    if (*end) {
        *end = 0;
        end++;
    }
    *rest = end;
    return text;
}

char *strtok_r(char *text, const char *delimiters, char **rest) {
    return __incise_token(text, delimiters, rest);
}

char *__strtok_r(char *text, const char *delimiters, char **rest) {
    return __incise_token(text, delimiters, rest);
}

static char *__incise_strtok_rest;

char *strtok(char *text, const char *delimiters) {
    return __incise_token(text, delimiters, &__incise_strtok_rest);
}

char *strsep(char **rest, const char *delimiters) {
    char *text = *rest;
    if (!text) {
        return NULL;
    }
    char *end = text + __incise_span_without(text, delimiters);
    if (*end) {
        *end = 0;
        *rest = end + 1;
    } else {
        *rest = NULL;
    }
    return text;
}
