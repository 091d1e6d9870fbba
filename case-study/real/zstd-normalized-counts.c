// How FSE_readNCount of zstd reads the table of an entropy coder.
// releases: zstd-sys 1.4.4+zstd.1.3.5 (1.3.5), zstd-sys 1.4.5+zstd.1.3.6 (1.3.6), zstd-sys 1.4.6+zstd.1.3.7 (1.3.7), zstd-sys 1.4.8+zstd.1.3.8 (1.3.8)
// releases: zstd-sys 1.4.10+zstd.1.4.0 (1.4.0), zstd-sys 1.4.11+zstd.1.4.1 (1.4.1), zstd-sys 1.4.12+zstd.1.4.2 (1.4.2), zstd-sys 1.4.14+zstd.1.4.3 (1.4.3)
// releases: zstd-sys 1.4.15+zstd.1.4.4 (1.4.4), zstd-sys 1.4.17+zstd.1.4.5 (1.4.5), zstd-sys 1.4.18+zstd.1.4.7 (1.4.7), zstd-sys 1.4.19+zstd.1.4.8 (1.4.8)
// releases: zstd-sys 1.5.0+zstd.1.4.9 (1.4.9), zstd-sys 1.6.1+zstd.1.5.0 (1.5.0), zstd-sys 1.6.2+zstd.1.5.1 (1.5.1), zstd-sys 2.0.6+zstd.1.5.2 (1.5.2)
// releases: zstd-sys 2.0.7+zstd.1.5.4 (1.5.4), zstd-sys 2.0.9+zstd.1.5.5 (1.5.5), zstd-sys 2.0.13+zstd.1.5.6 (1.5.6), zstd-sys 2.0.17+zstd.1.5.7 (1.5.7)
// sources: zstd/lib zstd/lib/common
// options: --entry counts --symbolic-globals none --array input=2 --no-null

#include "source/common/entropy_common.c"

unsigned long counts(const unsigned char *input) {
    short normalized[4];
    unsigned last_symbol = 3, table_log;
    return FSE_readNCount(normalized, &last_symbol, &table_log, input, 2);
}
