// How ZSTD_checkCParams and ZSTD_adjustCParams of zstd check and fit the parameters of compression.
// pair: zstd-sys 1.4.15 (1.4.4) to zstd-sys 1.4.19 (1.4.8)
// pair: zstd-sys 1.4.19 (1.4.8) to zstd-sys 1.6.1 (1.5.0)
// pair: zstd-sys 1.6.1 (1.5.0) to zstd-sys 2.0.1 (1.5.2)
// pair: zstd-sys 2.0.1 (1.5.2) to zstd-sys 2.0.8 (1.5.5)
// pair: zstd-sys 2.0.8 (1.5.5) to zstd-sys 2.0.13 (1.5.6)
// pair: zstd-sys 2.0.13 (1.5.6) to zstd-sys 2.0.16 (1.5.7)
// sources: zstd/lib zstd/lib/common
// options: --entry parameters --symbolic-globals none

#define ZSTD_STATIC_LINKING_ONLY
#include "source/compress/zstd_compress.c"

unsigned long parameters(ZSTD_compressionParameters wanted, unsigned long long source_size, unsigned long dictionary_size) {
    unsigned long result = ZSTD_checkCParams(wanted);
    // A dictionary of nearly 2^64 bytes would overflow in zstd, and make it count the leading zeros of zero.
    if (ZSTD_isError(result) || dictionary_size >> 48 != 0) {
        return result;
    }
    ZSTD_compressionParameters fit = ZSTD_adjustCParams(wanted, source_size, dictionary_size);
    return fit.windowLog << 16 | fit.hashLog << 8 | fit.chainLog;
}
