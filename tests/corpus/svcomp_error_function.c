// RUN: incise run %s
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: assertion at 15
// The older convention: __VERIFIER_error has no body.
extern void __VERIFIER_error(void);
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short a = __VERIFIER_nondet_short();
    short b = __VERIFIER_nondet_short();
    if (a < 0 || b < 0) {
        return 0;
    }
    if ((short)(a + b) < 0) {
        __VERIFIER_error(); // error: assertion
    }
    return 1;
}
