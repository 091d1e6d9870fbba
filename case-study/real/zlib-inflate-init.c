// How inflateInit2_ and inflateReset2 of zlib check the size of the window.
// releases: libz-sys 1.0.16 (1.2.8), libz-sys 1.1.13 (1.2.11), libz-sys 1.1.9 (1.2.13), libz-sys 1.1.14 (1.3)
// releases: libz-sys 1.1.24 (1.3.1), libz-sys 1.1.31 (1.3.2)
// sources: src/zlib src/zlib-VERSION
// options: --entry init --symbolic-globals none

#include "source/inflate.c"
#include <stdlib.h>

static void *allocate(void *opaque, unsigned items, unsigned size) {
    return calloc(items, size);
}

static void release(void *opaque, void *address) {
    free(address);
}

int init(int first_bits, int second_bits) {
    z_stream stream = {.zalloc = allocate, .zfree = release};
    int result = inflateInit2(&stream, first_bits);
    if (result != Z_OK) {
        return result;
    }
    result = inflateReset2(&stream, second_bits);
    inflateEnd(&stream);
    return result;
}
