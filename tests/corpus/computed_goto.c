// RUN: incise run %s --entry interpret
// EXPECT: paths=9 errors=0 complete=true exit=0
// A small interpreter that jumps through a table of label addresses.

int interpret(unsigned char first, unsigned char second) {
    static const void *const labels[] = {&&stop, &&increment, &&twice};
    unsigned char code[3];
    int accumulator = 3;
    const unsigned char *at = code;
    code[0] = first;
    code[1] = second;
    code[2] = 0;
    if (first > 2 || second > 2) {
        return -1;
    }
    goto *labels[*at++];
increment:
    accumulator++;
    goto *labels[*at++];
twice:
    accumulator *= 2;
    goto *labels[*at++];
stop:
    return accumulator;
}
