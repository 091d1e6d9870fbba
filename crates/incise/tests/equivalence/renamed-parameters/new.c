// Only the names of the parameters are others.
int blend(int from, int to, int share) {
    if (share > 100 || share < 0) {
        return 0;
    }
    int rest = 100 - share;
    return from * share + to * rest;
}
