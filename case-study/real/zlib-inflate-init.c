// How inflateInit2_ and inflateReset2 of zlib check the size of the window.
// pair: libz-sys 1.1.8 (1.2.11) to libz-sys 1.1.9 (1.2.13)
// pair: libz-sys 1.1.23 (1.3.1) to libz-sys 1.1.28 (1.3.2)
// sources: src/zlib
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
