// verdict: same
// entry: blend
// kind: refactoring
// loops: none
// domain: int
// Only the names of the parameters are others.
int blend(int a, int b, int percent) {
    if (percent < 0 || percent > 100) {
        return 0;
    }
    return a * percent + b * (100 - percent);
}
