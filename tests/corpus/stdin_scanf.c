// RUN: incise run %s --sym-stdin 2
// EXPECT: paths=17 errors=0 complete=true exit=0
// scanf of a number from two symbolic bytes: blanks, a sign, digits, or neither.
#include <stdio.h>

int main(void) {
    int number = -1;
    int count = scanf("%d", &number);
    if (count == EOF) {
        return 100;
    }
    if (count == 0) {
        return 50;
    }
    return number < 0 ? 20 : 1;
}
