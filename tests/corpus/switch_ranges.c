// RUN: incise run %s --entry classify
// EXPECT: paths=6 errors=0 complete=true exit=0
// Case ranges of GNU C, short and long, and a switch over a wide type.

static int sign_class(long long value) {
    switch (value) {
    case -1000000000000: return 1;
    case 0: return 2;
    case 1000000000000: return 3;
    default: return 4;
    }
}

int classify(unsigned char c) {
    switch (c) {
    case 'a' ... 'e': return 1;
    case '0' ... '9': return 2 + sign_class(0);
    case 128 ... 255: return 5 + sign_class(1000000000000);
    case ' ':
    case '\t': return 9;
    case '\n': return 10;
    }
    return 0;
}
