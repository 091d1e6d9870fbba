// How FSE_readNCount of zstd reads the table of an entropy coder.
// pair: zstd-sys 1.4.15 (1.4.4) to zstd-sys 1.4.19 (1.4.8)
// pair: zstd-sys 2.0.1 (1.5.2) to zstd-sys 2.0.8 (1.5.5)
// sources: zstd/lib zstd/lib/common
// options: --entry counts --symbolic-globals none --array input=2 --no-null

#include "source/common/entropy_common.c"

unsigned long counts(const unsigned char *input) {
    short normalized[4];
    unsigned last_symbol = 3, table_log;
    return FSE_readNCount(normalized, &last_symbol, &table_log, input, 2);
}
