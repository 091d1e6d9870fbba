// verdict: differs
// entry: order
// kind: bug
// loops: none
// domain: int
// options: --no-null --array v=2
// Swapping by xor loses an object that is swapped with itself.
void old_order(int *v, unsigned i, unsigned j) {
    i %= 2;
    j %= 2;
    int kept = v[i];
    v[i] = v[j];
    v[j] = kept;
}

void new_order(int *v, unsigned i, unsigned j) {
    i %= 2;
    j %= 2;
    v[i] ^= v[j];
    v[j] ^= v[i];
    v[i] ^= v[j];
}
