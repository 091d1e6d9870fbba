/* string.h: length, copying, joining, comparing. */
#include "incise.h"

INLINE size_t __incise_length(const char *text) {
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    return length;
}

INLINE size_t __incise_bounded_length(const char *text, size_t limit) {
    size_t length = 0;
    while (length < limit) {
        if (!text[length]) {
            break;
        }
        length++;
    }
    return length;
}

/*
 * Copies the terminator too and returns where it is now. What is copied must not be part of what is made, which begins
 * at `start`. That is looked at last, when the length is known: a target behind its source never meets a terminator.
 */
INLINE char *__incise_copy(char *start, char *target, const char *source) {
    const char *from = source;
    while ((*target = *source)) {
        target++;
        source++;
    }
    size_t size = (size_t)(source - from) + 1;
    /* To append nothing is no copy. */
    if ((size > 1) | (target == start)) {
        __incise_apart(start, (size_t)(target - start) + 1, from, size);
    }
    return target;
}

size_t strlen(const char *text) { return __incise_length(text); }

size_t strnlen(const char *text, size_t limit) { return __incise_bounded_length(text, limit); }

char *strcpy(char *target, const char *source) {
    __incise_copy(target, target, source);
    return target;
}

char *stpcpy(char *target, const char *source) { return __incise_copy(target, target, source); }

char *stpncpy(char *target, const char *source, size_t count) {
    size_t at = 0;
    while (at < count) {
        if (!(target[at] = source[at])) {
            break;
        }
        at++;
    }
    size_t size = at + (at < count);
    __incise_apart(target, size, source, size);
    char *end = target + at;
    while (at < count) {
        target[at++] = 0;
    }
    return end;
}

char *strncpy(char *target, const char *source, size_t count) {
    size_t at = 0;
    while (at < count) {
        if (!(target[at] = source[at])) {
            break;
        }
        at++;
    }
    size_t size = at + (at < count);
    __incise_apart(target, size, source, size);
    while (at < count) {
        target[at++] = 0;
    }
    return target;
}

char *strcat(char *target, const char *source) {
    __incise_copy(target, target + __incise_length(target), source);
    return target;
}

char *strncat(char *target, const char *source, size_t count) {
    char *end = target + __incise_length(target);
    const char *from = source;
    while (count) {
        if (!*source) {
            break;
        }
        *end++ = *source++;
        count--;
    }
    if (source != from) {
        __incise_apart(target, (size_t)(end - target) + 1, from, (size_t)(source - from) + (count > 0));
    }
    *end = 0;
    return target;
}

size_t strlcpy(char *target, const char *source, size_t size) {
    size_t length = __incise_length(source);
    if (size) {
        size_t count = length < size ? length : size - 1;
        memcpy(target, source, count);
        target[count] = 0;
    }
    return length;
}

size_t strlcat(char *target, const char *source, size_t size) {
    size_t start = __incise_bounded_length(target, size);
    size_t length = __incise_length(source);
    if (start < size) {
        size_t count = length < size - start ? length : size - start - 1;
        memcpy(target + start, source, count);
        target[start + count] = 0;
    }
    return start + length;
}

/* glibc's assembly returns the difference of the first two bytes that differ; so do we. */
INLINE int __incise_compare(const byte *left, const byte *right) {
    while ((*left == *right) & (*right != 0)) {
        left++;
        right++;
    }
    return *left - *right;
}

int strcmp(const char *left, const char *right) {
    return __incise_compare((const byte *)left, (const byte *)right);
}

int strcoll(const char *left, const char *right) {
    return __incise_compare((const byte *)left, (const byte *)right);
}

int strncmp(const char *left_text, const char *right_text, size_t count) {
    const byte *left = (const byte *)left_text;
    const byte *right = (const byte *)right_text;
    while (count) {
        if (!((*left == *right) & (*right != 0))) {
            return *left - *right;
        }
        left++;
        right++;
        count--;
    }
    return 0;
}

int strcasecmp(const char *left_text, const char *right_text) {
    const byte *left = (const byte *)left_text;
    const byte *right = (const byte *)right_text;
    while ((__incise_lower(*left) == __incise_lower(*right)) & (*right != 0)) {
        left++;
        right++;
    }
    return __incise_lower(*left) - __incise_lower(*right);
}

int strncasecmp(const char *left_text, const char *right_text, size_t count) {
    const byte *left = (const byte *)left_text;
    const byte *right = (const byte *)right_text;
    while (count) {
        if (!((__incise_lower(*left) == __incise_lower(*right)) & (*right != 0))) {
            return __incise_lower(*left) - __incise_lower(*right);
        }
        left++;
        right++;
        count--;
    }
    return 0;
}

size_t strxfrm(char *target, const char *source, size_t size) {
    size_t length = __incise_length(source);
    if (size) {
        memcpy(target, source, length < size ? length + 1 : size);
    }
    return length;
}

char *strdup(const char *text) {
    size_t size = __incise_length(text) + 1;
    char *copy = malloc(size);
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

char *__strdup(const char *text) {
    size_t size = __incise_length(text) + 1;
    char *copy = malloc(size);
    if (copy) {
        memcpy(copy, text, size);
    }
    return copy;
}

char *strndup(const char *text, size_t limit) {
    size_t length = __incise_bounded_length(text, limit);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}
