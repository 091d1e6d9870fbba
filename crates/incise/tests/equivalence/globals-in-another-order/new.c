#define NEAR 5
int best, misses, hits;

int tally(short value, short target) {
    int off = value > target ? value - target : target - value;
    if (off < best)
        best = off;
    if (off > NEAR) {
        misses += 1;
    } else {
        hits += 1;
    }
    return hits - misses;
}
