// RUN: incise run %s --entry check
// EXPECT: paths=3 errors=0 complete=true exit=0
// A struct too large for registers is passed by a hidden copy, which the callee may change.

struct block {
    int header;
    int data[10];
    long trailer;
};

static int consume(struct block block, int index) {
    block.data[index] += 1000;
    block.header = -1;
    return block.data[index] + (int)block.trailer;
}

int check(int index, int value) {
    struct block block = {1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 5};
    if (index < 0 || index >= 10) {
        return 0;
    }
    block.data[3] = (short)value;
    int result = consume(block, 3);
    return result + block.header + block.data[3] * 2 + consume(block, 9);
}
