// RUN: incise run %s --entry grade
// EXPECT: paths=5 errors=0 complete=true exit=0
// Branches on arithmetic of symbolic doubles.

int grade(double points) {
    if (!(points >= 0.0 && points <= 100.0)) {
        return -1; /* also for NaN */
    }
    double share = points / 4.0 + 1.5;
    if (share > 25.0) {
        return 1;
    }
    if (share * 2.0 == 10.0) {
        return 2;
    }
    return 3;
}
