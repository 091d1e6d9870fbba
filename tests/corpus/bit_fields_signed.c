// RUN: incise run %s --entry balance
// EXPECT: paths=4 errors=0 complete=true exit=0
// Signed bit-fields extend their sign; a field may straddle bytes and be 64 bits long.

struct fields {
    int small : 3;
    long middle : 21;
    signed char tiny : 2;
    long long large : 40;
};

int balance(int value) {
    struct fields fields = {0, 0, 0, 0};
    fields.small = value & 7;
    fields.middle = value;
    fields.large = -1;
    fields.tiny = -2;
    if (fields.small < 0) {
        return fields.small * 10 + fields.tiny;
    }
    if (fields.middle == value) {
        return (int)fields.large + 1000;
    }
    if (fields.middle < 0) {
        return 5;
    }
    return 6;
}
