// RUN: incise run %s
// EXPECT: paths=3 errors=0 complete=true exit=0
// Formatted output of concrete values, captured and compared with the real one.
#include "klee/klee.h"
#include <stdio.h>

int main(void) {
    unsigned char page;
    klee_make_symbolic(&page, sizeof page, "page");
    if (page == 1) {
        printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 7);
        printf("[%x] [%#X] [%o] [%#o] [%u] [%hhd] [%hu]\n", 255, 255, 8, 8, 4000000000u, 300, 70000);
        printf("[%ld] [%lld] [%zu] [%jx]\n", -5000000000L, 1LL << 62, sizeof(int), (long)255);
    } else if (page == 2) {
        printf("[%s] [%8s] [%-8s] [%.2s] [%c] [%%]\n", "text", "right", "left", "cut", 'c');
        printf("[%*d] [%.*s] [%s]\n", 6, 12, 3, "abcdef", "");
    } else {
        int length = printf("%d%s\n", 12345, "!");
        printf("%d %5.1f|%-8.3e|%g\n", length, 3.14159, 1234.5, 0.0001);
    }
    return 0;
}
