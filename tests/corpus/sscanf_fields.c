// RUN: incise run %s --entry fields
// EXPECT: paths=4 errors=0 complete=true exit=0
// sscanf with the common conversions, widths, sets, suppression and %n.
#include <stdio.h>

int fields(int which) {
    int a = 0, b = 0, used = 0;
    unsigned hex = 0;
    char word[8] = "", c = 0;
    long wide = 0;
    if (which == 0) {
        int count = sscanf("12,-7 0xff", "%d,%d %x%n", &a, &b, &hex, &used);
        return count * 1000 + a + b + (int)hex + used;
    }
    if (which == 1) {
        int count = sscanf("key = value", "%7[a-z] %c %*s%ln", word, &c, &wide);
        return count * 1000 + word[2] + c + (int)wide;
    }
    if (which == 2) {
        return sscanf("1234567", "%3d%2d", &a, &b) * 10000 + a + b;
    }
    return sscanf("", "%d", &a) * 10 + sscanf("x", "%d", &a) + sscanf("077 08", "%i%i", &a, &b) + a + b;
}
