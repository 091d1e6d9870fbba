// RUN: incise run %s --entry days -O2
// EXPECT: paths=3 errors=1 complete=true exit=1
// ERROR: abort at 19
// At -O2 the switch becomes a table behind one check, and the loop a multiplication.

static int length(unsigned month) {
    switch (month) {
    case 1: return 28;
    case 3:
    case 5:
    case 8:
    case 10: return 30;
    default: return 31;
    }
}

int days(unsigned month, unsigned char weeks) {
    if (month > 11) {
        __builtin_trap(); // error: abort
    }
    int total = 0;
    for (int i = 0; i < weeks; i++) {
        total += 7;
    }
    return length(month) * 10 + total;
}
