// RUN: incise run %s --entry fibonacci_of
// EXPECT: paths=5 errors=0 complete=true exit=0
// Two recursive calls in one expression; their order is that of the evaluation.

static int calls;

static int fibonacci(int n) {
    calls++;
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int fibonacci_of(unsigned char n) {
    calls = 0;
    switch (n) {
    case 3: return fibonacci(3) * 100 + calls;
    case 5: return fibonacci(5) * 100 + calls;
    case 7: return fibonacci(7) * 100 + calls;
    case 12: return fibonacci(12) * 100 + calls;
    default: return -1;
    }
}
