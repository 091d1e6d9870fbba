// RUN: incise run %s --entry price --concrete rate=20 --concrete options.mode=2
// EXPECT: paths=3 errors=0 complete=true exit=0
// --concrete fixes a parameter, and a field of a struct.

struct options {
    int mode;
    int rounding;
};

int price(int rate, unsigned short amount, struct options options) {
    if (rate != 20) {
        return -1; /* never */
    }
    if (options.mode != 2) {
        return -2; /* never */
    }
    int result = amount * rate;
    if (result > 1000000) {
        return 0;
    }
    return options.rounding > 0 ? result / 10 * 10 : result;
}
