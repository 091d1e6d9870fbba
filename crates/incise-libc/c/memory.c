/* string.h: blocks of bytes. memcpy, memmove and memset are in the engine. */
#include "incise.h"

INLINE int __incise_compare_bytes(const void *left_block, const void *right_block, size_t count) {
    const byte *left = left_block;
    const byte *right = right_block;
    while (count) {
        if (*left != *right) {
            return *left - *right;
        }
        left++;
        right++;
        count--;
    }
    return 0;
}

int memcmp(const void *left, const void *right, size_t count) {
    return __incise_compare_bytes(left, right, count);
}

int bcmp(const void *left, const void *right, size_t count) {
    return __incise_compare_bytes(left, right, count);
}

void *memchr(const void *block, int c, size_t count) {
    const byte *at = block;
    while (count) {
        if (*at == (byte)c) {
            return (void *)at;
        }
        at++;
        count--;
    }
    return NULL;
}

void *rawmemchr(const void *block, int c) {
    const byte *at = block;
    while (*at != (byte)c) {
        at++;
    }
    return (void *)at;
}

void *memrchr(const void *block, int c, size_t count) {
    const byte *bytes = block;
    while (count) {
        count--;
        if (bytes[count] == (byte)c) {
            return (void *)(bytes + count);
        }
    }
    return NULL;
}

void *memmem(const void *block, size_t size, const void *wanted, size_t wanted_size) {
    const byte *at = block;
    while (size >= wanted_size) {
        if (!__incise_compare_bytes(at, wanted, wanted_size)) {
            return (void *)at;
        }
        if (!size) {
            break;
        }
        at++;
        size--;
    }
    return NULL;
}

void *mempcpy(void *target, const void *source, size_t count) {
    memcpy(target, source, count);
    return (char *)target + count;
}

void *__mempcpy(void *target, const void *source, size_t count) {
    memcpy(target, source, count);
    return (char *)target + count;
}

void *memccpy(void *target, const void *source, int c, size_t count) {
    byte *to = target;
    const byte *from = source;
    while (count) {
        *to = *from;
        if (*to == (byte)c) {
            return to + 1;
        }
        to++;
        from++;
        count--;
    }
    return NULL;
}

void bzero(void *target, size_t count) { memset(target, 0, count); }

void explicit_bzero(void *target, size_t count) { memset(target, 0, count); }

void bcopy(const void *source, void *target, size_t count) { memmove(target, source, count); }

void swab(const void *source, void *target, ssize_t count) {
    const char *from = source;
    char *to = target;
    while (count > 1) {
        char first = from[0];
        to[0] = from[1];
        to[1] = first;
        from += 2;
        to += 2;
        count -= 2;
    }
}
