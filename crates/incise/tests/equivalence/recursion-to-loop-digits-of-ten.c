// verdict: differs
// entry: digits
// kind: bug
// loops: other
// domain: int
// A recursive count of digits as a loop, which takes ten for a digit.
unsigned old_digits(unsigned number) {
    return number < 10 ? 1 : 1 + old_digits(number / 10);
}

unsigned new_digits(unsigned number) {
    unsigned digits = 1;
    while (number > 10) {
        number /= 10;
        digits++;
    }
    return digits;
}
