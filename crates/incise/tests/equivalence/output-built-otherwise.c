// verdict: same
// entry: show
// kind: refactoring
// loops: none
// domain: int
// The same characters are written, by other calls.
#include <stdio.h>

void old_show(unsigned char x) {
    int hundreds = x / 100, tens = x / 10 % 10;
    if (hundreds) {
        putchar('0' + hundreds);
    }
    if (hundreds || tens) {
        putchar('0' + tens);
    }
    putchar('0' + x % 10);
    putchar('\n');
}

void new_show(unsigned char x) {
    int rest = x;
    if (rest >= 100) {
        putchar(rest / 100 + '0');
        rest %= 100;
        putchar(rest / 10 + '0');
    } else if (rest >= 10) {
        putchar(rest / 10 + '0');
    }
    putchar(rest % 10 + '0');
    putchar('\n');
}
