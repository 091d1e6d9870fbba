/* Functions that depend on a number that stands for what they are, and read and write all that they can get at. */
#include <stdio.h>
#include <stdlib.h>
static unsigned what, calls, seen;
static int *kept;
/* What `look` returns, the same each time. */
static int table[2];
static unsigned mix(unsigned a, unsigned b) { a ^= b + 0x9e3779b9u + (a << 6) + (a >> 2); return a * 2654435761u; }
/* Small numbers, so that conditions hold now and then. */
static int small(unsigned n) { return (int)(mix(n, 7) >> 8) % 4; }
static unsigned see(unsigned who, unsigned a, unsigned b) {
    seen = mix(mix(mix(mix(mix(mix(mix(seen, who), a), b), ga), gb), kept ? *kept : 99), ++calls);
    seen = mix(seen, table[0]);
    unsigned now = mix(seen, what);
    if (now % 3 == 0) ga = small(now + 1);
    if (now % 5 == 0) gb = small(now + 2);
    if (kept && now % 2 == 0) *kept = small(now + 3);
    if (now % 7 < 2) table[0] = small(now + 10);
    return now;
}
int take(int a) { return small(see(1, a, 0)); }
int fill(int a, int *out) {
    unsigned now = see(2, a, *out);
    if (now % 4) *out = small(now + 4);
    kept = now % 7 ? out : kept;
    return small(now + 5);
}
void swap(struct pair *p) {
    unsigned now = see(3, p->one, p->two);
    p->one = small(now + 6);
    if (now % 2) p->two = small(now + 7);
    if (now % 3) kept = &p->two;
}
/* The same buffer, what it was given before, or a variable. */
int *look(int a) {
    unsigned now = see(4, a, 0);
    if (now % 3) table[0] = small(now);
    if (now % 11 == 0) return &ga;
    if (now % 13 == 0) return kept;
    return now % 4 ? table : 0;
}
int twice(int a) { return small(mix(what, a)); }
static int hook(int a, int *out) {
    unsigned now = see(5, a, *out);
    *out = small(now + 8);
    return small(now + 9);
}
static long run(int (*f)(int, int, int (*)(int, int *)), unsigned w, int a, int b, int hooked, unsigned left[4]) {
    what = w; calls = 0; seen = 0; kept = 0; ga = b; gb = a; hidden = 1;
    table[0] = table[1] = 0;
    int result = f(a, b, hooked ? hook : 0);
    left[0] = ga, left[1] = gb, left[2] = seen, left[3] = table[0];
    return result;
}
int main(void) {
    for (unsigned k = 0; k < sizeof olds / sizeof *olds; k++) {
        int differs = 0;
        for (unsigned w = 0; w < 24; w++)
            for (int a = -1; a < 4; a++)
                for (int b = 0; b < 3; b++)
                    for (int hooked = 0; hooked < 2; hooked++) {
                        unsigned one[4], two[4];
                        long mine = run(olds[k], w, a, b, hooked, one), theirs = run(news[k], w, a, b, hooked, two);
                        differs |= mine != theirs || one[0] != two[0] || one[1] != two[1] || one[2] != two[2] || one[3] != two[3];
                    }
        putchar(differs ? '1' : '0');
    }
    return 0;
}
