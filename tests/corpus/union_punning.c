// RUN: incise run %s --entry inspect
// EXPECT: paths=5 errors=0 complete=true exit=0
// A union read through another member than the one written: bytes, halves, and the bits of a float.
#include <stdint.h>

union word {
    uint32_t whole;
    uint16_t halves[2];
    uint8_t bytes[4];
    float real;
};

int inspect(uint32_t value) {
    union word word;
    word.whole = value;
    if (word.bytes[0] == 0x12) {
        if (word.halves[1] == 0x3f80) {
            return 1;
        }
        return word.bytes[1];
    }
    word.bytes[3] = 0;
    if (word.halves[1] > 0x7f) {
        return 3;
    }
    union word one = {.real = 1.0f};
    if (word.whole == one.whole >> 8) {
        return 4;
    }
    return (int)one.bytes[2];
}
