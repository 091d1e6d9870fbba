// RUN: incise run %s --entry collatz
// EXPECT: paths=5 errors=0 complete=true exit=0
// do/while executes once before it asks; continue in it goes to the condition.

int collatz(unsigned char start) {
    unsigned n = start;
    int steps = 0;
    if (n == 0 || n > 3) {
        return -1;
    }
    do {
        steps++;
        if (n % 2) {
            n = 3 * n + 1;
            continue;
        }
        n /= 2;
    } while (n != 1 && steps < 20);
    return steps;
}
