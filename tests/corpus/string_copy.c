// RUN: incise run %s
// EXPECT: paths=4 errors=0 complete=true exit=0
// strcpy, strncpy, strcat and strncat; strncpy fills the rest with zeros.
#include "klee/klee.h"
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[4], copy[12], padded[6];
    klee_make_symbolic(text, sizeof text, "text");
    text[3] = 0;
    memset(padded, 'x', sizeof padded);
    strcpy(copy, text);
    strcat(copy, "+");
    strncat(copy, "wxyz", 2);
    strncpy(padded, copy, 5);
    int zeros = 0;
    for (int i = 0; i < 6; i++) {
        zeros += padded[i] == 0;
    }
    return (int)strlen(copy) * 10 + zeros + (padded[5] == 'x');
}
