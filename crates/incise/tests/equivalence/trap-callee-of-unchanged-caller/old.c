// verdict: differs
// entry: invoice
// kind: bug
// loops: none
// domain: int
// The entry did not change; what it calls does, for one rate.
static int tax(int net, int rate) {
    switch (rate) {
    case 0: return 0;
    case 1: return net / 14;
    default: return net / 5;
    }
}

int invoice(int net, int rate, int copies) {
    int sum = net + tax(net, rate);
    if (copies > 1) {
        sum += copies;
    }
    return sum;
}
