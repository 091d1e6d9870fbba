// RUN: incise run %s
// EXPECT: paths=5 errors=0 complete=true exit=0
// Inputs in the convention of SV-COMP.
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int condition);

int main(void) {
    int rounds = 0;
    unsigned char start = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(start < 100);
    while (rounds < 2 && __VERIFIER_nondet_bool()) {
        rounds++;
        if (__VERIFIER_nondet_int() == rounds) {
            return 10 + rounds;
        }
    }
    return __VERIFIER_nondet_long() > start ? 1 : 0;
}
