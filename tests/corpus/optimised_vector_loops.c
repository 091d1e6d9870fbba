// RUN: incise run %s --entry checksum -O2 --array data=16 --no-null
// EXPECT: paths=1 errors=0 complete=true exit=0
// At -O2 clang turns these loops into vector instructions; there is nothing to decide on.
#include <stdint.h>

uint32_t checksum(const uint8_t *data) {
    uint32_t sum = 0, mixed = 0;
    uint16_t wide[16];
    for (int i = 0; i < 16; i++) {
        sum += data[i];
        mixed ^= (uint32_t)data[i] << (i % 4 * 8);
    }
    for (int i = 0; i < 16; i++) {
        wide[i] = (uint16_t)(data[15 - i] * 257u);
    }
    for (int i = 0; i < 16; i++) {
        sum = sum * 3 + wide[i];
    }
    return sum ^ mixed;
}
