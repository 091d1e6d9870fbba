// A break was removed: no statement changed, only the way from one to the next.
int heads, tails;

int count(int side) {
    switch (side) {
    case 0:
        heads = heads + 1;
    case 1:
        tails = 0;
        break;
    }
    return side;
}
