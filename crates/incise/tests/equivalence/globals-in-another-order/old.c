// verdict: same
// entry: tally
// kind: refactoring
// loops: none
// domain: int
// Globals in another order, a macro for a constant, and a renamed local: the meaning is the same.
int hits, misses, best;

int tally(short value, short target) {
    int distance = value - target;
    if (distance < 0)
        distance = -distance;
    if (distance <= 5)
        hits++;
    else
        misses++;
    if (distance < best)
        best = distance;
    return hits - misses;
}
