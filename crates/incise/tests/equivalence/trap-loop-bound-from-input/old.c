// verdict: differs
// entry: spin
// kind: bug
// loops: other
// domain: int
// The condition of a loop changed so that it goes on for ever for one input.
unsigned spin(unsigned char limit, unsigned x) {
    unsigned rounds = 0;
    for (unsigned char i = 0; i < limit; i++) {
        rounds += x;
    }
    return rounds;
}
