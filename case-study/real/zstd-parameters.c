// How ZSTD_checkCParams and ZSTD_adjustCParams of zstd check and fit the parameters of compression.
// releases: zstd-sys 1.4.4+zstd.1.3.5 (1.3.5), zstd-sys 1.4.5+zstd.1.3.6 (1.3.6), zstd-sys 1.4.6+zstd.1.3.7 (1.3.7), zstd-sys 1.4.8+zstd.1.3.8 (1.3.8)
// releases: zstd-sys 1.4.10+zstd.1.4.0 (1.4.0), zstd-sys 1.4.11+zstd.1.4.1 (1.4.1), zstd-sys 1.4.12+zstd.1.4.2 (1.4.2), zstd-sys 1.4.14+zstd.1.4.3 (1.4.3)
// releases: zstd-sys 1.4.15+zstd.1.4.4 (1.4.4), zstd-sys 1.4.17+zstd.1.4.5 (1.4.5), zstd-sys 1.4.18+zstd.1.4.7 (1.4.7), zstd-sys 1.4.19+zstd.1.4.8 (1.4.8)
// releases: zstd-sys 1.5.0+zstd.1.4.9 (1.4.9), zstd-sys 1.6.1+zstd.1.5.0 (1.5.0), zstd-sys 1.6.2+zstd.1.5.1 (1.5.1), zstd-sys 2.0.6+zstd.1.5.2 (1.5.2)
// releases: zstd-sys 2.0.7+zstd.1.5.4 (1.5.4), zstd-sys 2.0.9+zstd.1.5.5 (1.5.5), zstd-sys 2.0.13+zstd.1.5.6 (1.5.6), zstd-sys 2.0.17+zstd.1.5.7 (1.5.7)
// sources: zstd/lib zstd/lib/common
// options: --entry parameters --symbolic-globals none

#define ZSTD_STATIC_LINKING_ONLY
#include "source/compress/zstd_compress.c"

#if ZSTD_VERSION_NUMBER < 10308
unsigned ZSTD_isError(size_t code) {
    return ERR_isError(code);
}
#endif

unsigned long parameters(ZSTD_compressionParameters wanted, unsigned long long source_size, unsigned long dictionary_size) {
    unsigned long result = ZSTD_checkCParams(wanted);
    // A dictionary of nearly 2^64 bytes would overflow in zstd, and make it count the leading zeros of zero.
    if (ZSTD_isError(result) || dictionary_size >> 48 != 0) {
        return result;
    }
    ZSTD_compressionParameters fit = ZSTD_adjustCParams(wanted, source_size, dictionary_size);
    return fit.windowLog << 16 | fit.hashLog << 8 | fit.chainLog;
}
