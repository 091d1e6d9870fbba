// verdict: same
// entry: mix
// kind: refactoring
// loops: none
// domain: int
// Pointers for indices.
int table[4];

int old_mix(int key) {
    table[0] += key;
    table[1] ^= table[0];
    table[2] -= table[1];
    table[3] += table[2] * 3;
    return table[3];
}

int new_mix(int key) {
    int *at = table;
    *at += key;
    *(at + 1) ^= *at;
    at += 2;
    *at -= at[-1];
    at++;
    return *at += at[-1] + at[-1] + at[-1];
}
