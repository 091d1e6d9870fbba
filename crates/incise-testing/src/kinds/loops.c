/* Compares loops natively: up to 40 turns are enumerated, and a few values of the parameter. */
#include <stdio.h>
#include <string.h>
int main(void) {
    static const unsigned xs[] = {0, 1, 2, 3, 5, 8, 100, 4294967295u};
    for (unsigned k = 0; k < sizeof olds / sizeof *olds; k++) {
        int differs = 0;
        for (unsigned n = 0; n <= 40; n++)
            for (unsigned c = 0; c < sizeof xs / sizeof *xs; c++) {
                unsigned left[8];
                for (unsigned i = 0; i < 8; i++) g[i] = xs[c] * i + n;
                unsigned one = olds[k](n, xs[c]);
                memcpy(left, g, sizeof g);
                for (unsigned i = 0; i < 8; i++) g[i] = xs[c] * i + n;
                unsigned other = news[k](n, xs[c]);
                differs |= one != other || memcmp(left, g, sizeof g) != 0;
            }
        putchar(differs ? '1' : '0');
    }
    return 0;
}
