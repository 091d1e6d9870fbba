// How LZ4F_getFrameInfo of lz4 reads the header of a frame. The checksum is not computed.
// releases: lz4-sys 1.8.0 (1.8.0), lz4-sys 1.8.2 (1.8.2), lz4-sys 1.8.3 (1.8.3), lz4-sys 1.9.3 (1.9.2)
// releases: lz4-sys 1.10.0 (1.9.4), lz4-sys 1.11.1+lz4-1.10.0 (1.10.0)
// sources: liblz4/lib
// options: --entry header --symbolic-globals none --array input=19 --no-null

#include "source/lz4frame.c"

unsigned XXH32(const void *input, size_t length, unsigned seed) {
    return 0;
}

unsigned long header(const unsigned char *input, unsigned long length) {
    LZ4F_dctx *context;
    LZ4F_frameInfo_t info;
    if (length > 19 || LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) {
        return 0;
    }
    unsigned long result = LZ4F_getFrameInfo(context, &info, input, &length);
    LZ4F_freeDecompressionContext(context);
    return result;
}
