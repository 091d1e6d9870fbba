// How ZSTD_getFrameHeader of zstd reads the header of a frame.
// releases: zstd-sys 1.4.4+zstd.1.3.5 (1.3.5), zstd-sys 1.4.5+zstd.1.3.6 (1.3.6), zstd-sys 1.4.6+zstd.1.3.7 (1.3.7), zstd-sys 1.4.8+zstd.1.3.8 (1.3.8)
// releases: zstd-sys 1.4.10+zstd.1.4.0 (1.4.0), zstd-sys 1.4.11+zstd.1.4.1 (1.4.1), zstd-sys 1.4.12+zstd.1.4.2 (1.4.2), zstd-sys 1.4.14+zstd.1.4.3 (1.4.3)
// releases: zstd-sys 1.4.15+zstd.1.4.4 (1.4.4), zstd-sys 1.4.17+zstd.1.4.5 (1.4.5), zstd-sys 1.4.18+zstd.1.4.7 (1.4.7), zstd-sys 1.4.19+zstd.1.4.8 (1.4.8)
// releases: zstd-sys 1.5.0+zstd.1.4.9 (1.4.9), zstd-sys 1.6.1+zstd.1.5.0 (1.5.0), zstd-sys 1.6.2+zstd.1.5.1 (1.5.1), zstd-sys 2.0.6+zstd.1.5.2 (1.5.2)
// releases: zstd-sys 2.0.7+zstd.1.5.4 (1.5.4), zstd-sys 2.0.9+zstd.1.5.5 (1.5.5), zstd-sys 2.0.13+zstd.1.5.6 (1.5.6), zstd-sys 2.0.17+zstd.1.5.7 (1.5.7)
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
