// RUN: incise run %s --sym-file in=2
// EXPECT: paths=7 errors=0 complete=true exit=0
// freopen lets standard input and output be files: getchar reads one, printf, puts and putchar write the other.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    if (!freopen("in", "r", stdin) || fileno(stdin) != 0 || !freopen("out", "w", stdout)) {
        return 99;
    }
    int c, count = 0;
    while ((c = getchar()) != EOF) {
        putchar(c == 'a' ? 'A' : c);
        count++;
    }
    printf("%d", count);
    puts("!");
    fputs("end", stdout);
    return freopen("missing", "r", stdin) ? 98 : count;
}
