// RUN: incise run %s --sym-env LANG=2
// EXPECT: paths=7 errors=0 complete=false exit=3
// A variable that asks for another locale than C is told as unsupported, not taken for C.
#include <locale.h>
#include <stdio.h>

int main(void) {
    puts(setlocale(LC_ALL, ""));
    return 0;
}
