// RUN: incise run %s
// EXPECT: paths=2 errors=0 complete=true exit=0
// puts, putchar, fputs, fputc, fwrite and write, to both streams.
#include "klee/klee.h"
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char quiet;
    klee_make_symbolic(&quiet, sizeof quiet, "quiet");
    puts("one");
    putchar('t');
    fputs("wo\n", stdout);
    fputc('3', stdout);
    putc('\n', stdout);
    if (quiet) {
        fprintf(stderr, "%s: %d\n", "warning", 7);
        fputs("to stderr\n", stderr);
    }
    size_t count = fwrite("four five", 1, 4, stdout);
    fflush(stdout);
    if (write(1, "\n", 1) != 1) {
        return 1;
    }
    return (int)count;
}
