// verdict: differs
// entry: count
// kind: bug
// loops: none
// domain: int
// A break was removed: no statement changed, only the way from one to the next.
int heads, tails;

int count(int side) {
    switch (side) {
    case 0:
        heads = heads + 1;
        break;
    case 1:
        tails = 0;
        break;
    }
    return side;
}
