// RUN: incise run %s --entry dump --size in=0..2
// EXPECT: paths=13 errors=0 complete=true exit=0
// From one stream to another, which is only written to and so begins empty.
#include <stdio.h>

int dump(FILE *in, FILE *out) {
    unsigned char block[2];
    size_t count;
    int at = 0;
    while ((count = fread(block, 1, sizeof block, in)) > 0) {
        fprintf(out, "%04x", at);
        for (size_t i = 0; i < count; i++)
            fprintf(out, " %02x", block[i]);
        putc('\n', out);
        at += (int)count;
    }
    return fflush(out) || ferror(in) ? -1 : at;
}
