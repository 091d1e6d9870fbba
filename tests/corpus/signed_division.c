// RUN: incise run %s --entry split
// EXPECT: paths=4 errors=0 complete=true exit=0
// Division and remainder of negative numbers truncate towards zero.

int split(short number) {
    int quotient = number / 7;
    int remainder = number % 7;
    if (quotient * 7 + remainder != number) {
        return 1000; /* never */
    }
    if (remainder < 0) {
        return remainder == -3 ? remainder - quotient : 0;
    }
    if (number / -4 == 5) {
        return number % -4;
    }
    return -1;
}
