// RUN: incise run %s
// EXPECT: paths=4 errors=1 complete=true exit=1
// ERROR: assertion at 9
// reach_error is an assertion that fails, as SV-COMP's programs define it.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
extern unsigned __VERIFIER_nondet_uint(void);

void reach_error(void) { __assert_fail("0", "svcomp_reach_error.c", 8, "reach_error"); } // error: assertion

static void verify(int condition) {
    if (!condition) {
        reach_error();
        abort();
    }
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = 0;
    if (n > 2) {
        return 0;
    }
    while (x < n) {
        x++;
    }
    verify(x != 2);
    return (int)x;
}
