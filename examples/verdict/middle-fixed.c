/* The index in the middle, for a binary search. */
int middle(int low, int high) {
    if (low < 0 || high < low)
        return -1;
    return ((unsigned)low + (unsigned)high) / 2;
}
