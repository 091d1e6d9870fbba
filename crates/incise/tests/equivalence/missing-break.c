// verdict: differs
// entry: price
// kind: bug
// loops: none
// domain: int
// One case falls through into the next.
int old_price(unsigned size) {
    int price = 0;
    switch (size) {
    case 1:
        price = 100;
        break;
    case 2:
        price = 150;
        break;
    case 3:
        price = 180;
        break;
    }
    return price;
}

int new_price(unsigned size) {
    int price = 0;
    switch (size) {
    case 1:
        price = 100;
        break;
    case 2:
        price = 150;
    case 3:
        price = 180;
        break;
    }
    return price;
}
