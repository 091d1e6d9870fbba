// RUN: incise run %s --entry normalise
// EXPECT: paths=5 errors=0 complete=true exit=0
// A conversion to bool asks for zero or not, also of floats and pointers, and keeps no other bit.
#include <stdbool.h>

static bool invert(bool value) { return !value; }

int normalise(int value, bool flag) {
    bool from_int = value;
    bool from_byte = (char)value;
    double quarter = 0.25;
    const int *pointer = &value;
    bool from_real = quarter;
    bool from_pointer = pointer;
    int sum = from_int + from_byte + from_real + from_pointer;
    flag ^= from_int;
    if (flag && sum == 3) {
        return 30 + (int)sizeof(bool);
    }
    if (invert(from_byte)) {
        return 10 + sum + flag;
    }
    return sum + flag;
}
