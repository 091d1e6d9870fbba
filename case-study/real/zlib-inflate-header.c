// How inflate of zlib reads the header of a zlib or gzip stream. Checksums are not computed.
// releases: libz-sys 1.0.16 (1.2.8), libz-sys 1.1.13 (1.2.11), libz-sys 1.1.9 (1.2.13), libz-sys 1.1.14 (1.3)
// releases: libz-sys 1.1.24 (1.3.1), libz-sys 1.1.31 (1.3.2)
// sources: src/zlib src/zlib-VERSION
// options: --entry header --symbolic-globals none --array input=24 --no-null

#include "source/inflate.c"
#include <stdlib.h>

static void *allocate(void *opaque, unsigned items, unsigned size) {
    return calloc(items, size);
}

static void release(void *opaque, void *address) {
    free(address);
}

unsigned long crc32(unsigned long before, const unsigned char *bytes, unsigned length) {
    return 0;
}

unsigned long adler32(unsigned long before, const unsigned char *bytes, unsigned length) {
    return 1;
}

int header(const unsigned char *input, unsigned length) {
    unsigned char output[1];
    z_stream stream = {.zalloc = allocate, .zfree = release, .next_in = (unsigned char *)input, .next_out = output, .avail_out = 1};
    if (length > 24 || inflateInit2(&stream, 15 + 32) != Z_OK) {
        return Z_STREAM_ERROR;
    }
    stream.avail_in = length;
    // Returns behind the header, before the first block.
    int result = inflate(&stream, Z_BLOCK);
    inflateEnd(&stream);
    return result;
}
