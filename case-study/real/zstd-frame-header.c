// How ZSTD_getFrameHeader of zstd reads the header of a frame.
// pair: zstd-sys 1.6.1 (1.5.0) to zstd-sys 2.0.1 (1.5.2)
// pair: zstd-sys 2.0.1 (1.5.2) to zstd-sys 2.0.8 (1.5.5)
// pair: zstd-sys 2.0.13 (1.5.6) to zstd-sys 2.0.16 (1.5.7)
// sources: zstd/lib zstd/lib/common
// options: --entry header --symbolic-globals none --array input=18 --no-null

#define ZSTD_STATIC_LINKING_ONLY
#include "source/decompress/zstd_decompress.c"

unsigned long header(const unsigned char *input, unsigned long length) {
    if (length > 18) {
        return 0;
    }
    // Called so as to compile with the name that the type had before 1.5.7, and the one that it has now.
    unsigned char found[128] = {0};
    return ZSTD_getFrameHeader((void *)found, input, length);
}
