// How lzma_block_header_decode of xz reads the header of a block. The checksum is not computed, and the properties of filters are not looked at.
// releases: lzma-sys 0.1.2 (5.2.2), lzma-sys 0.1.10 (5.2.3), lzma-sys 0.1.16 (5.2.4), liblzma-sys 0.1.22 (5.2.5)
// releases: liblzma-sys 0.1.24 (5.2.10), liblzma-sys 0.2.3 (5.4.4), liblzma-sys 0.2.4 (5.4.5), liblzma-sys 0.2.5 (5.4.6)
// releases: liblzma-sys 0.3.3 (5.6.1), liblzma-sys 0.3.8 (5.6.2), liblzma-sys 0.3.11 (5.6.3), liblzma-sys 0.3.13 (5.6.4)
// releases: liblzma-sys 0.4.1 (5.8.0), liblzma-sys 0.4.4 (5.8.1), liblzma-sys 0.4.5 (5.8.2), liblzma-sys 0.4.8 (5.8.3)
// releases: liblzma-sys 0.4.9 (5.8.4)
// sources: xz*/src/common xz*/src/liblzma/api xz*/src/liblzma/common xz*/src/liblzma/check
// options: --entry header --symbolic-globals none --array input=16 --no-null

#define HAVE_STDBOOL_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_LIMITS_H 1
#define HAVE_STRING_H 1
#define HAVE_VISIBILITY 0
#define HAVE_DECODERS 1
#define TUKLIB_SYMBOL_PREFIX lzma_
#define PACKAGE_NAME "XZ Utils"
#define PACKAGE_BUGREPORT ""
#define PACKAGE_URL ""
#define SIZEOF_SIZE_T 8
#include "source/block_header_decoder.c"
#include "source/block_util.c"
#include "source/filter_flags_decoder.c"
#include "source/vli_decoder.c"
#include "source/vli_size.c"

uint32_t lzma_crc32(const uint8_t *bytes, size_t length, uint32_t before) {
    return 0;
}

lzma_ret lzma_properties_decode(lzma_filter *filter, const lzma_allocator *allocator, const uint8_t *properties, size_t length) {
    return filter->id > LZMA_FILTER_RESERVED_START ? LZMA_OPTIONS_ERROR : LZMA_OK;
}

uint32_t lzma_check_size(lzma_check check) {
    return check > LZMA_CHECK_ID_MAX ? UINT32_MAX : 4;
}

void lzma_free(void *address, const lzma_allocator *allocator) {}

void lzma_filters_free(lzma_filter *filters, const lzma_allocator *allocator) {
    for (int at = 0; at < LZMA_FILTERS_MAX; ++at) {
        filters[at] = (lzma_filter){LZMA_VLI_UNKNOWN, NULL};
    }
}

int header(const unsigned char *input, unsigned version) {
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    lzma_block block = {.version = version, .header_size = 16, .check = LZMA_CHECK_CRC32, .filters = filters};
    return lzma_block_header_decode(&block, NULL, input);
}
