// RUN: incise run %s --entry round_trip
// EXPECT: paths=4 errors=0 complete=true exit=0
// Conversions between integers and floats: rounding on the way in, truncation on the way back.

int round_trip(int number) {
    float narrow = (float)number;
    double wide = number;
    if (number < -100000000 || number > 100000000) {
        return 0;
    }
    if ((int)narrow != number) {
        return 1; /* more than 24 bits */
    }
    return (int)(wide / 2) * 2 == (int)wide ? 2 : 3;
}
