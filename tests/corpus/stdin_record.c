// RUN: incise run %s --sym-stdin 6
// EXPECT: paths=12 errors=0 complete=true exit=0
// fread of records, ungetc, and read of the rest below stdio.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    unsigned char record[4];
    int c;
    if (fread(record, 2, 2, stdin) != 2) {
        return 1; /* fewer than four bytes */
    }
    if (record[0] > record[3]) {
        c = getchar();
        ungetc(c, stdin);
        return getchar() == c ? 2 : 3;
    }
    size_t rest = fread(record, 4, 1, stdin);
    if (record[1] == 'z') {
        return 10 + (int)rest;
    }
    return read(0, record, 4) == 0 ? 5 : 6;
}
